"""Edit scripts: how a lemma comes from a form, as a short text that fits many other forms, too.

    lower|*|s>          dogs → dog, Cats → cat
    lower|*|ies>y       stories → story
    keep|*              Paris → Paris
    capitalise|*|'s>    PETER'S → Peter
    lower|1|ä>a|*|er>   Häuser → haus
    lower|was>be        was → be

First comes what happens to upper and lower case, then what happens to the characters, from left to right: `*` keeps
the longest part that both have in common, whatever its length, a number keeps so many characters, and `a>b` puts b in
the place of a. A script fits a form only where the form has what is to be replaced. This is the flat form of the edit
trees of Chrupała (2008); casing as a step of its own is from UDPipe 2 (Straka 2018).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from headway.text.sequence.deciding import NumberLists

UNSAID = "_"
"""The lemma that a treebank has where it has none, and the script that gives it to any form."""
SPECIAL = re.compile(r"[\\|>]")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ITEM = re.compile(r"((?:[^\\|>]|\\.)*)(?:>((?:[^\\|>]|\\.)*))?(?:\||\Z)", re.DOTALL)
REST = "*"


def capitalised(text: str) -> str:
    """The text with its first character in upper case."""
    return text[:1].upper() + text[1:]


class Casing(NamedTuple):
    """What a script does to case: before the characters are changed, and after it."""

    before: Callable[[str], str]
    after: Callable[[str], str]


CASINGS = {
    "lower": Casing(str.lower, str),
    "keep": Casing(str, str),
    "capitalise": Casing(str.lower, capitalised),
    "upper": Casing(str.lower, str.upper),
}


class Replacement(NamedTuple):
    """Characters to be replaced, and what comes in their place; `old` is None where so many characters are kept."""

    old: str | None
    new: str
    size: int


class Script(NamedTuple):
    """A script ready to be applied; the part that is kept stands between `left` and `right`.

    Without such a part (`whole`), `left` has all.
    """

    casing: Casing
    left: tuple[Replacement, ...]
    right: tuple[Replacement, ...]
    whole: bool
    before: int
    """How many characters of the form `left` has."""
    behind: int
    """How many `right` has."""

    @property
    def size(self) -> int:
        """How many characters of the form it names or counts."""
        return self.before + self.behind

    def lemma(self, form: str) -> str | None:
        """The lemma of a form; None where the script does not fit. Linear time."""
        casing, left, right, whole, first, behind = self
        text = casing.before(form)
        last = len(text) - behind
        if (len(text) != first) if whole else (last <= first):
            return None
        pieces = [] if whole else [text[first:last]]
        for part, start in ((left, 0), (right, last)):
            made, place = "", start
            for old, new, size in part:
                found = text[place : place + size]
                if old is not None and old != found:
                    return None
                made += found if old is None else new
                place += size
            pieces.append(made)
        result = pieces[0] if whole else pieces[1] + pieces[0] + pieces[2]
        return casing.after(result) or None


@lru_cache(1 << 14)
def parsed(script: str) -> Script | None:
    """The script of a text other than `UNSAID`; None where the text is not a script."""
    name, bar, rest = script.partition("|")
    if name not in CASINGS or not bar:
        return None
    sides: list[list[Replacement]] = [[]]
    place = 0
    while place < len(rest):
        item = ITEM.match(rest, place)
        if item is None or item.end() == place:
            return None
        place = item.end()
        old, new = item.groups()
        if new is not None:
            before = ESCAPED.sub(r"\1", old)
            sides[-1].append(Replacement(before, ESCAPED.sub(r"\1", new), len(before)))
        elif old == REST and len(sides) == 1:
            sides.append([])
        elif old.isascii() and old.isdigit() and len(old) < 5:
            sides[-1].append(Replacement(None, "", int(old)))
        else:
            return None
    left, right = sides if len(sides) > 1 else (sides[0], [])
    sizes = (sum(one.size for one in side) for side in (left, right))
    return Script(CASINGS[name], tuple(left), tuple(right), len(sides) == 1, *sizes)


def applied(script: str, form: str) -> str | None:
    """The lemma that a script makes of a form; None where it does not fit, or is not a script."""
    return maker_of(script)(form)


@lru_cache(1 << 14)
def maker_of(script: str) -> Callable[[str], str | None]:
    """What `applied` does with one script, for many forms."""
    ready = parsed(script)
    if ready is None:
        return lambda form: UNSAID if script == UNSAID else None
    return str.lower if script == f"lower|{REST}" else ready.lemma


def script_for(form: str, lemma: str) -> str:
    """The script that makes the lemma of the form; it keeps as many characters as any casing lets it keep.

    Words of lower case are `lower` whatever the form looks like, so that the first word of a sentence has the script
    that it has elsewhere. O(n·m) for n and m characters at the worst.
    """
    if form == lemma and lemma != lemma.lower():
        return f"keep|{REST}"
    if lemma == UNSAID and form != lemma:
        return UNSAID
    names = ("lower",) if lemma == lemma.lower() else ("capitalise", "upper", "keep")
    found = [_edited(name, form, lemma) for name in (*names, "keep")]
    fitting = [(kept, -place, script) for place, (kept, script) in enumerate(found) if applied(script, form) == lemma]
    # The lower case of few odd characters cannot be undone; the whole word is then replaced as it is.
    return max(fitting)[2] if fitting else f"keep|{_escaped(form)}>{_escaped(lemma)}"


def _edited(name: str, form: str, lemma: str) -> tuple[int, str]:
    """How many characters a script with this casing keeps, and the script."""
    casing = CASINGS[name]
    source, target = casing.before(form), casing.before(lemma)
    begin, at, size = common_part(source, target)
    if not size:
        return 0, f"{name}|{_escaped(source)}>{_escaped(target)}"
    left = _between(source[:begin], target[:at])
    right = _between(source[begin + size :], target[at + size :])
    return size, "|".join([name, *left, REST, *right])


def _between(source: str, target: str) -> list[str]:
    """The items that make one text of another, both of a fixed length."""
    if not source and not target:
        return []
    begin, at, size = common_part(source, target)
    if not size:
        return [f"{_escaped(source)}>{_escaped(target)}"]
    return [
        *_between(source[:begin], target[:at]),
        str(size),
        *_between(source[begin + size :], target[at + size :]),
    ]


def common_part(one: str, other: str) -> tuple[int, int, int]:
    """Where the longest common part of two texts begins in each, and its length; the first of several.

    A common beginning counts as the longest from half of the shorter text on.
    """
    shorter = min(len(one), len(other))
    start = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    if 2 * start >= shorter:
        return 0, 0, start
    best = (0, 0, 0)
    before = [0] * (len(other) + 1)
    for place, character in enumerate(one, 1):
        now = [0] * (len(other) + 1)
        for at, another in enumerate(other, 1):
            if character == another:
                now[at] = before[at - 1] + 1
                if now[at] > best[2]:
                    best = (place - now[at], at - now[at], now[at])
        before = now
    return best


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", text)


def names_characters(script: str) -> bool:
    """Whether a script says which characters of the form it replaces, so that it does not fit every form."""
    ready = parsed(script)
    return ready is not None and any(one.old for one in (*ready.left, *ready.right))


def script_parts(scripts: Sequence[str]) -> NumberLists:
    """The parts of scripts by number.

    What is learned of a part holds for every script that has it: `lower|*|s>` and `capitalise|*|s>` share what they do
    at the end of a word.
    """
    number: dict[tuple[str, str], int] = {}
    return NumberLists.of(
        sorted(number.setdefault(part, len(number)) for part in parts_of(script)) for script in scripts
    )


def parts_of(script: str) -> list[tuple[str, str]]:
    """What a script is made of: its casing, what it does at each end, how much it takes away, and itself."""
    casing, _, rest = script.partition("|")
    ready, items = parsed(script), rest.split("|")
    if ready is None or ready.whole:
        return [("casing", casing), ("script", script)]
    at = items.index(REST)
    return [
        ("casing", casing),
        ("left", "|".join(items[:at])),
        ("right", "|".join(items[at + 1 :])),
        ("cut", "|".join(str(one.size) if one.old is None else one.old for one in ready.right)),
        ("added", "|".join(one.new for one in ready.right)),
        ("size", f"{ready.before}|{ready.behind}"),
        ("script", script),
    ]
