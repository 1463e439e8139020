r"""How a multiword token is split into words, as a short text that fits other tokens, too.

    0:-3 -3:            don't → do n't, CAN'T → CA N'T
    0:-2+e -2:          farlo → fare lo
    +di -2:             dell' → di l'

There is an item for each word: the part of the token that is kept, from and to which character, counted from the end
where there is a minus, and what is put behind it. What is put there is in lower case, in upper case where the token is,
and begins with a capital letter where the first word does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

ITEM = re.compile(r"(?:(0|-\d{1,4}):(-\d{1,4})?)?(?:\+(.*))?", re.DOTALL)
ESCAPES = {" ": r"\s", "\\": r"\\"}
ESCAPED = re.compile(r"\\[s\\]")


class SplitItem(NamedTuple):
    """What one word is made of."""

    begin: int | None
    """None where nothing of the token is kept."""
    end: int | None
    text: str


@lru_cache(1 << 12)
def parsed(script: str) -> tuple[SplitItem, ...] | None:
    """The items of a script; None where the text is none."""
    items = []
    for text in script.split(" "):
        match = ITEM.fullmatch(text)
        if match is None or not text:
            return None
        begin, end, added = match.groups()
        meant = ESCAPED.sub(lambda found: {"s": " ", "\\": "\\"}[found.group()[1]], added or "")
        items.append(SplitItem(None if begin is None else int(begin), int(end) if end else None, meant))
    return tuple(items)


def is_script(text: str) -> bool:
    """Whether a text is a script, whose words a cell can hold."""
    return parsed(text) is not None and not set(text) & set("\t\n\r\0")


def reach(script: str) -> float:
    """How many characters from the end a script looks at; infinitely many where it keeps no beginning of a token."""
    items = parsed(script)
    if items is None or items[0].begin != 0:
        return math.inf
    return max((-place for item in items for place in (item.begin, item.end) if place), default=0)


def split(script: str, token: str) -> list[str] | None:
    """The words of a token; None where the script does not fit it, or is none."""
    items = parsed(script)
    if items is None:
        return None
    is_upper = len(token) > 1 and token.isupper()
    words = []
    for number, (begin, end, text) in enumerate(items):
        added = text.upper() if is_upper else text
        if begin is None:
            words.append(added[:1].upper() + added[1:] if number == 0 and token[:1].isupper() else added)
            continue
        if max(-begin, -(end or 0)) > len(token) or (end is not None and begin < 0 and end <= begin):
            return None
        words.append(token[begin:end] + added)
    return words if all(words) else None


def script_for(token: str, words: Sequence[str]) -> str:
    """The script that makes these words of a token; each keeps as much of the token as it can, from left to right."""
    small, items, at = token.lower(), [], 0
    small = small if len(small) == len(token) else token
    for number, word in enumerate(words):
        lower = word.lower()
        if number == len(words) - 1 and number and small[at:].endswith(lower) and lower:
            items.append(f"{-len(lower)}:")
            continue
        size = 0
        while size < len(lower) and at + size < len(small) and lower[size] == small[at + size]:
            size += 1
        if not size:
            items.append(f"+{_escaped(lower)}")
            continue
        begin, end = "0" if at == 0 else str(at - len(token)), at + size - len(token)
        added = f"+{_escaped(lower[size:])}" if size < len(lower) else ""
        items.append(f"{begin}:{end or ''}{added}")
        at += size
    return " ".join(items)


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in text)
