r"""Which tokens are multiword tokens, and how each is split into words.

Forms that the treebank has, and endings for other ones, say which scripts there are to choose from; where there are
several, weights choose by the tokens around. A script is a short text that fits other tokens, too:

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
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.text.characters import token_keys
from headway.text.segmenter.characters import LOWER_TABLE, Codes, codes_of
from headway.text.sequence.deciding import Choices, Keys, KeyTable, Positions, SequenceWeights

ITEM = re.compile(r"(?:(0|-\d{1,4}):(-\d{1,4})?)?(?:\+(.*))?", re.DOTALL)
ESCAPES = {" ": r"\s", "\\": r"\\"}
ESCAPED = re.compile(r"\\[s\\]")
WHOLE = 0
"""The number of the choice that leaves a token as it is; script k is choice k + 1."""
LONGEST = 6
"""Characters of the longest ending."""
COLUMNS = ("FORM", "LOWER", *(f"SUFFIX{size}" for size in range(1, LONGEST + 1)))
"""The attributes of tokens that features may use."""


class SplitItem(NamedTuple):
    """What one word is made of."""

    begin: int | None
    """None where nothing of the token is kept."""
    end: int | None
    text: str


@lru_cache(1 << 12)
def split_items(script: str) -> tuple[SplitItem, ...] | None:
    """The items of a script; None where the text is not a script."""
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
    return split_items(text) is not None and not set(text) & set("\t\n\r\0")


def reach(script: str) -> float:
    """How many characters from the end a script looks at; infinitely many where it keeps no beginning of a token."""
    items = split_items(script)
    if items is None or items[0].begin != 0:
        return math.inf
    return max((-place for item in items for place in (item.begin, item.end) if place), default=0)


def split_words(script: str, token: str) -> list[str] | None:
    """The words of a token; None where the script does not fit it, or is not one."""
    items = split_items(script)
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


def split_script_for(token: str, words: Sequence[str]) -> str:
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


@dataclass(frozen=True, eq=False)
class Splitter(PickledByFields):
    """Scripts, sets of choices between them, and for forms and endings in lower case the number of their set."""

    scripts: tuple[str, ...]
    sets: tuple[tuple[int, ...], ...]
    """The first one has no choice but `WHOLE`."""
    forms: KeyTable
    endings: KeyTable
    templates: SequenceTemplates
    weights: SequenceWeights

    @cached_property
    def choices(self) -> Choices:
        """The choices for the kernels."""
        return Choices.plain(len(self.scripts) + 1, self.sets)

    def possible(self, lower: Codes, begins: Ints, ends: Ints) -> Ints:
        """For each token the number of the set of its choices."""
        found = self.forms.look_up(keys_of_tokens(lower, begins, ends, 0))
        for size in range(LONGEST, 0, -1):
            by_ending = self.endings.look_up(keys_of_tokens(lower, begins, ends, size))
            found = np.where(found < 0, by_ending, found)
        return np.maximum(found, 0).astype(np.int32)

    def chosen(self, codes: Codes, begins: Ints, ends: Ints, last: NDArray[np.bool_]) -> Ints:
        """The choice for each token, `WHOLE` for those that are one word; `last` are the last tokens of sentences."""
        if not self.scripts or not len(begins):
            return np.zeros(len(begins), np.int32)
        lower = LOWER_TABLE[codes]
        sets = self.possible(lower, begins, ends)
        if not sets.any():
            return sets
        keys = columns_of(self.templates, codes, lower, begins, ends)
        return self.weights.decide(self.templates, self.choices, self.positions(keys, last, sets))

    def positions(self, keys: Keys, last: NDArray[np.bool_], sets: Ints) -> Positions:
        """Tokens as the kernels read them; `last` are the last tokens of sentences."""
        offsets = np.concatenate([[0], np.flatnonzero(last) + 1]).astype(np.int32)
        return Positions(keys, offsets, np.zeros((len(self.scripts) + 1, 1), np.uint64), sets)

    def words(self, choice: int, token: str) -> list[str] | None:
        """The words of a token; None where it stays one word, as where an accent would be parted from its letter."""
        words = split_words(self.scripts[choice - 1], token) if choice else None
        if words is None or len(words) < 2 or any(unicodedata.combining(word[0]) for word in words[1:]):
            return None
        return words


def side_by_side(forms: Collection[str]) -> tuple[Codes, Ints, Ints]:
    """Tokens without anything between them: their text, and where each begins and ends."""
    ends = np.cumsum([0, *map(len, forms)], dtype=np.int32)
    return codes_of("".join(forms)), ends[:-1], ends[1:]


def keys_of_tokens(codes: Codes, begins: Ints, ends: Ints, size: int) -> Keys:
    """Keys of tokens, or of their last characters; 0 for tokens that are not longer."""
    keys = np.empty(len(begins), np.uint64)
    token_keys(codes, begins, ends, size, keys)
    return keys


def columns_of(templates: SequenceTemplates, codes: Codes, lower: Codes, begins: Ints, ends: Ints) -> Keys:
    """The keys that features see, one column for each attribute."""
    keys = np.empty((len(begins), max(1, len(templates.columns))), np.uint64)
    for column, name in enumerate(templates.columns):
        size = int(name.removeprefix("SUFFIX")) if name.startswith("SUFFIX") else 0
        keys[:, column] = keys_of_tokens(codes if name == "FORM" else lower, begins, ends, size)
    return keys
