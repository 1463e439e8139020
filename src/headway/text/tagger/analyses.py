"""Analyses of words: tags in some columns, the parts that they are made of, and what features see of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headway.base.by_fields import PickledByFields
from headway.data.batch import Batch, Codes, Ints
from headway.kernels.text.encode import key_of
from headway.text.sequence.deciding import Keys, NumberLists, mixed

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
    wholes: bool | None = None
    """Whether analyses are parts of themselves; without it, if no column tells all."""

    @cached_property
    def _have_wholes(self) -> bool:
        """Whether they are, which stays where corrections add analyses."""
        columns = [at for at, column in enumerate(self.columns) if column != FEATS]
        values = (len({row[at] for row in self.rows}) for at in columns)
        return max(values, default=0) < TELLING * len(self.rows) if self.wholes is None else self.wholes

    @cached_property
    def number(self) -> dict[tuple[str, ...], int]:
        """The number of each analysis."""
        return {row: number for number, row in enumerate(self.rows)}

    def enlarged(self, rows: Iterable[tuple[str, ...]]) -> Analyses:
        """More analyses behind these, whose numbers and parts stay; itself where none is new."""
        new = tuple(dict.fromkeys(row for row in rows if row not in self.number))
        return Analyses(self.columns, (*self.rows, *new), self._have_wholes) if new else self

    @cached_property
    def parts(self) -> NumberLists:
        """The parts of each analysis by number: its tags, its single features, and itself if no tag tells it all."""
        number: dict[tuple[str, str], int] = {}
        found = []
        columns = [column for column in self.columns if column != FEATS]
        for row in self.rows:
            tags = dict(zip(self.columns, row, strict=True))
            names = [(column, tags[column]) for column in columns]
            if tags.get(FEATS, EMPTY) != EMPTY:
                names += [(f"{FEATS}:", feature) for feature in tags[FEATS].split("|")]
            if self._have_wholes:
                names.append(("", "\t".join(row)))
            found.append(sorted({number.setdefault(name, len(number)) for name in names}))
        return NumberLists.of(found)

    def value(self, analysis: int, attribute: str) -> str:
        """What an analysis has in a column, or as one morphological feature, FEATS:Name; `_` where it has nothing."""
        column, _, name = attribute.partition(":")
        tag = self.rows[analysis][self.columns.index(column)] if column in self.columns else EMPTY
        features = (feature.partition("=") for feature in tag.split("|"))
        return next((value for own, _, value in features if own == name), EMPTY) if name else tag

    def keys(self, attributes: Sequence[str]) -> Keys:
        """What analyses look like to features: [analysis, attribute]."""
        values = [[self.value(number, attribute) for attribute in attributes] for number in range(len(self.rows))]
        return np.array([[key_of(value.encode()) for value in some] or [0] for some in values], np.uint64)

    @cached_property
    def agreeing(self) -> Keys:
        """What of each analysis neighbours may agree in, as keys; 0 where the treebank has no such features."""
        keys = self.keys([f"{FEATS}:{name}" for name in AGREEING])
        if (keys == key_of(EMPTY.encode())).all():
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


def analyses_in(batches: Sequence[Batch], columns: Sequence[str]) -> tuple[Analyses, Ints]:
    """The analyses that a treebank has, in the order of their strings, and that of each word."""
    coded = [[batch.bare.codes(column) for column in columns] for batch in batches]
    words = [list(zip(*(codes.strings() for codes in some), strict=True)) if some else [] for some in coded]
    rows = tuple(sorted({row for some in words for row in some}))
    number = {row: index for index, row in enumerate(rows)}
    gold = np.fromiter((number[row] for some in words for row in some), np.int32)
    return Analyses(tuple(columns), rows), gold
