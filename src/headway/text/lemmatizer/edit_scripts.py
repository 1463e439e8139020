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
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

UNSAID = "_"
"""The lemma that a treebank has where it has none, and the script that gives it to any form."""
SPECIAL = re.compile(r"[\\|>]")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ITEM = re.compile(r"((?:[^\\|>]|\\.)*)(?:>((?:[^\\|>]|\\.)*))?(?:\||\Z)", re.DOTALL)
REST = "*"
REMEMBERED = 1 << 13
"""Forms whose scripts are remembered: words that a treebank does not have come again in a text."""


def capitalised(text: str) -> str:
    """The text with its first character in upper case."""
    return text[:1].upper() + text[1:]


Casing = tuple[Callable[[str], str], Callable[[str], str]]
"""What a script does to case: before the characters are changed, and after it."""
CASINGS: dict[str, Casing] = {
    "lower": (str.lower, str),
    "keep": (str, str),
    "capitalise": (str.lower, capitalised),
    "upper": (str.lower, str.upper),
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

    def lemma(self, form: str) -> str | None:
        """The lemma of a form; None where the script does not fit. Linear time."""
        (before, after), left, right, whole, first, behind = self
        text = before(form)
        last = len(text) - behind
        if (len(text) != first) if whole else (last <= first):
            return None
        pieces = []
        for part, start in ((left, 0), (right, last)):
            made, place = "", start
            for old, new, size in part:
                found = text[place : place + size]
                if old is not None and old != found:
                    return None
                made += found if old is None else new
                place += size
            pieces.append(made)
        return after(text[first:last].join(pieces)) or None


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
    return max(fitting)[2] if fitting else whole_script(form, lemma)


def whole_script(form: str, lemma: str) -> str:
    """The script that puts the lemma in the place of the whole form. Linear time."""
    return f"keep|{_escaped(form)}>{_escaped(lemma)}"


def _edited(name: str, form: str, lemma: str) -> tuple[int, str]:
    """How many characters a script with this casing keeps, and the script."""
    before, _ = CASINGS[name]
    kept, items = _items(before(form), before(lemma), REST)
    return kept, "|".join([name, *items])


def _items(source: str, target: str, middle: str = "") -> tuple[int, list[str]]:
    """How much of a text is kept in the middle of another, and the items that make one of the other around it.

    `middle` says what is kept there, where it is not said by its length.
    """
    begin, at, size = common_part(source, target)
    if not size:
        return 0, [f"{_escaped(source)}>{_escaped(target)}"] if source or target or middle else []
    left, right = _items(source[:begin], target[:at]), _items(source[begin + size :], target[at + size :])
    return size, [*left[1], middle or str(size), *right[1]]


def common_part(one: str, other: str) -> tuple[int, int, int]:
    """Where the longest common part of two texts begins in each, and its length; the first of several.

    A common beginning counts as the longest from half of the shorter text on.
    """
    shorter = min(len(one), len(other))
    start = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    if 2 * start >= shorter:
        return 0, 0, start
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match()


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", text)


class FittingScripts:
    """Scripts by number, and those of them that may be chosen for any form they fit; found without trying each.

    `lower|*` and `keep|*` are among the scripts of every lemmatizer, so that something fits every form.
    """

    def __init__(self, scripts: Sequence[str], chosen: Sequence[int]) -> None:
        self.anything = [number for number in chosen if scripts[number] == UNSAID]
        written = {number for number in chosen if scripts[number].startswith("keep|")}
        self.written = _Anchored(scripts, sorted(written))
        """Scripts that change the form as it is written."""
        self.folded = _Anchored(scripts, [number for number in chosen if number not in written])
        """Scripts that change the form in lower case."""
        self.plain = {scripts[number]: number for number in self.folded.always}
        self.fitting = lru_cache(REMEMBERED)(self._fitting)

    def _fitting(self, form: str) -> tuple[int, ...]:
        """The scripts that fit a form, ascending; of several that change nothing but case and agree, only one.

        A form of lower case is never kept as it is, since that is what lower case makes of it.
        """
        lower = form.lower()
        found = {*self.anything, *self.folded.matching(lower, form)}
        if lower != form:
            found.update(self.written.matching(form, form))
            for script, same in (("capitalise|*", capitalised(lower)), ("upper|*", form.upper())):
                if form == same:
                    found.discard(self.plain.get(script, -1))
        return tuple(sorted(found))


class _Anchored:
    """Scripts by characters that a form must have at a place counted from its end, or from its beginning."""

    def __init__(self, scripts: Sequence[str], numbers: Iterable[int]) -> None:
        self.scripts = scripts
        self.always: list[int] = []
        self.anchored: dict[tuple[int, int | None], dict[str, list[int]]] = {}
        """Where a form is looked at, as in a slice, and the scripts that want to see a text there."""
        self.checked: set[int] = set()
        """Scripts that ask for other characters, too."""
        self.sizes: dict[int, int] = {}
        """Scripts that only fit forms with more characters than these."""
        for number in numbers:
            if (script := parsed(scripts[number])) is None:
                continue
            ends, literals = _literals(reversed(script.right)), _literals(script.left)
            literals, asked = [*ends, *literals], 0
            if literals:
                place, text = max(literals, key=lambda literal: len(literal[1]))
                asked = place + len(text)
                where = (-asked, -place or None) if (place, text) in ends else (place, asked)
                self.anchored.setdefault(where, {}).setdefault(text, []).append(number)
            else:
                self.always.append(number)
            if len(literals) > 1 or script.whole:
                self.checked.add(number)
            elif script.before + script.behind > asked:
                self.sizes[number] = script.before + script.behind
        self.largest = max(self.sizes.values(), default=0)

    def matching(self, text: str, form: str) -> list[int]:
        """The scripts that fit a form, which is `text` after the first change of case."""
        size, found = len(text), list(self.always)
        for (first, last), scripts in self.anchored.items():
            found += scripts.get(text[first:last], ()) if size + first > 0 else ()
        if size <= self.largest:
            found = [number for number in found if self.sizes.get(number, 0) < size]
        return [one for one in found if one not in self.checked or applied(self.scripts[one], form) is not None]


def _literals(side: Iterable[Replacement]) -> list[tuple[int, str]]:
    """The characters that one side of a script replaces, each with how far from the end of the form it stands."""
    found, place = [], 0
    for old, _, size in side:
        found += [(place, old)] if old else []
        place += size
    return found
