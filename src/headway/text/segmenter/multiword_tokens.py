"""Which tokens are multiword tokens, and how each is split.

Forms that the treebank has, and endings for other ones, say which scripts (`splitting`) there are to choose from;
where there are several, weights choose by the tokens around.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.data.batch import Ints
from headway.features.sequences import SequenceTemplates
from headway.kernels.text.segments import token_keys
from headway.text.segmenter.characters import LOWER_TABLE, Codes
from headway.text.segmenter.multiword_splits import split
from headway.text.sequence.training import Choices, Positions, SequenceWeights

Keys = NDArray[np.uint64]
WHOLE = 0
"""The number of the choice that leaves a token as it is; script k is choice k + 1."""
LONGEST = 6
"""Characters of the longest ending."""
COLUMNS = ("FORM", "LOWER", *(f"SUFFIX{size}" for size in range(1, LONGEST + 1)))
"""What features may ask of tokens."""


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Keys in ascending order, and a number for each."""

    keys: Keys
    numbers: Ints

    def look_up(self, keys: Keys, found: Ints) -> None:
        """Give those that have no number yet (-1) that of their key, if it is in the table."""
        if len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            hit = (self.keys[at] == keys) & (found < 0)
            found[hit] = self.numbers[at[hit]]


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
        found = np.full(len(begins), -1, np.int32)
        self.forms.look_up(keys_of(lower, begins, ends, 0), found)
        for size in range(LONGEST, 0, -1):
            self.endings.look_up(keys_of(lower, begins, ends, size), found)
        return np.maximum(found, 0)

    def chosen(self, codes: Codes, begins: Ints, ends: Ints, last: NDArray[np.bool_]) -> Ints:
        """The choice for each token, `WHOLE` for those that are one word; `last` are the last tokens of sentences."""
        if not self.scripts or not len(begins):
            return np.zeros(len(begins), np.int32)
        lower = LOWER_TABLE[codes]
        sets = self.possible(lower, begins, ends)
        if not sets.any():
            return sets
        offsets = np.concatenate([[0], np.flatnonzero(last) + 1]).astype(np.int32)
        keys = columns_of(self.templates, codes, lower, begins, ends)
        positions = Positions(keys, offsets, np.zeros((len(self.scripts) + 1, 1), np.uint64), sets)
        return self.weights.decide(self.templates, self.choices, positions)

    def words(self, choice: int, token: str) -> list[str] | None:
        """The words of a token; None where it stays one word."""
        words = split(self.scripts[choice - 1], token) if choice else None
        return words if words is None or len(words) > 1 else None


def keys_of(codes: Codes, begins: Ints, ends: Ints, size: int) -> Keys:
    """Keys of tokens, or of their last characters; 0 for tokens that are not longer."""
    keys = np.empty(len(begins), np.uint64)
    token_keys(codes, begins, ends, size, keys)
    return keys


def columns_of(templates: SequenceTemplates, codes: Codes, lower: Codes, begins: Ints, ends: Ints) -> Keys:
    """What features ask of tokens, one column for each attribute."""
    keys = np.empty((len(begins), max(1, len(templates.columns))), np.uint64)
    for column, name in enumerate(templates.columns):
        size = int(name.removeprefix("SUFFIX")) if name.startswith("SUFFIX") else 0
        keys[:, column] = keys_of(codes if name == "FORM" else lower, begins, ends, size)
    return keys
