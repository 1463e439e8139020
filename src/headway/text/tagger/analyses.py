"""Analyses of words: a tag of each kind that a tagger gives, and the parts that they are made of.

What is learned of a part holds for every analysis that has it: of UPOS NOUN, of XPOS NNS, of Number=Plur, of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headway.base.by_fields import PickledByFields
from headway.data.batch import Batch, Codes, Ints
from headway.kernels.text.encode import key_of
from headway.text.sequence.deciding import NumberLists
from headway.text.sequence.dictionary import Keys, mixed

FEATS, EMPTY = "FEATS", "_"
AGREEING = ("Case", "Number", "Gender")
"""The morphological features in which neighbours agree."""
TELLING = 0.9
"""A column with so many values for each analysis tells all; analyses need no part of their own beside it."""


@dataclass(frozen=True, eq=False)
class Analyses(PickledByFields):
    """Analyses by number: `rows[a]` are the tags of analysis a in `columns`, such as UPOS, XPOS, FEATS."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @cached_property
    def parts(self) -> NumberLists:
        """The parts of each analysis by number: its tags, its single features, and itself if no tag tells it all."""
        number: dict[tuple[str, str], int] = {}
        found = []
        columns = [column for column in self.columns if column != FEATS]
        values = (len({row[self.columns.index(column)] for row in self.rows}) for column in columns)
        tells_all = max(values, default=0) >= TELLING * len(self.rows)
        for row in self.rows:
            tags = dict(zip(self.columns, row, strict=True))
            names = [(column, tags[column]) for column in columns]
            if tags.get(FEATS, EMPTY) != EMPTY:
                names += [(f"{FEATS}:", feature) for feature in tags[FEATS].split("|")]
            if not tells_all:
                names.append(("", "\t".join(row)))
            found.append(sorted({number.setdefault(name, len(number)) for name in names}))
        return NumberLists.of(found)

    def keys(self, attributes: Sequence[str]) -> Keys:
        """What analyses look like to features: [analysis, attribute]; FEATS:Name is one feature."""
        table = np.empty((len(self.rows), max(1, len(attributes))), np.uint64)
        for number, row in enumerate(self.rows):
            tags = dict(zip(self.columns, row, strict=True))
            for at, attribute in enumerate(attributes):
                column, _, name = attribute.partition(":")
                value = value_of(tags[column], name) if name else tags[column]
                table[number, at] = key_of(value.encode())
        return table

    @cached_property
    def agreeing(self) -> Keys:
        """What of each analysis neighbours may agree in, as keys; 0 where the treebank has no such features."""
        if FEATS not in self.columns:
            return np.zeros(len(self.rows), np.uint64)
        keys = self.keys([f"{FEATS}:{name}" for name in AGREEING])
        none = np.array([key_of(EMPTY.encode())] * len(AGREEING), np.uint64)
        if (keys == none).all():
            return np.zeros(len(self.rows), np.uint64)
        with np.errstate(over="ignore"):
            found: Keys = mixed(keys ^ np.arange(len(AGREEING), dtype=np.uint64)).sum(1, dtype=np.uint64)
        return found

    @cached_property
    def _codes(self) -> dict[str, Codes]:
        """The columns of all analyses."""
        made = {}
        for at, column in enumerate(self.columns):
            names, number = np.unique(np.array([row[at] for row in self.rows], object), return_inverse=True)
            made[column] = Codes(number.astype(np.int32), tuple(names))
        return made

    def codes(self, chosen: Ints) -> dict[str, Codes]:
        """The columns that chosen analyses make."""
        return {column: codes.taken(chosen) for column, codes in self._codes.items()}


def value_of(features: str, name: str) -> str:
    """The value of a feature of `A=b|C=d`, `_` where it is missing."""
    for feature in features.split("|"):
        own, _, value = feature.partition("=")
        if own == name:
            return value
    return EMPTY


def analyses_in(batches: Sequence[Batch], columns: Sequence[str]) -> tuple[Analyses, Ints]:
    """The analyses that a treebank has, in the order of their strings, and that of each word."""
    coded = [[batch.bare.codes(column) for column in columns] for batch in batches]
    words = [list(zip(*(codes.strings() for codes in some), strict=True)) if some else [] for some in coded]
    rows = tuple(sorted({row for some in words for row in some}))
    number = {row: index for index, row in enumerate(rows)}
    gold = np.fromiter((number[row] for some in words for row in some), np.int32)
    return Analyses(tuple(columns), rows), gold
