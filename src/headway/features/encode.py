"""Words as keys: which column of a batch they are taken from, and which part of its cells.

Keys of names that a layer repeats, such as tags, are made once for the names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.layers import Names
from headway.features.own_columns import MY, own_codes, registered
from headway.kernels.features.templates import WordTable
from headway.kernels.text import encode as encoding

PIECE = re.compile(r"(PREFIX|SUFFIX)(\d+)")
Keys = NDArray[np.uint64]
NO_KEYS = np.empty(0, np.uint64)


class KeyColumn(NamedTuple):
    """A way to take a value from a word: a field of the sentence, and which part of it."""

    field: str
    kind: str = "whole"
    argument: int = 0
    name: str = "_"


def column_of(attribute: str) -> KeyColumn | None:
    """The column that an attribute is taken from, None for attributes of the configuration."""
    if piece := PIECE.fullmatch(attribute):
        return KeyColumn("FORM", piece[1].lower(), int(piece[2]))
    if ":" in attribute:
        field, _, name = attribute.partition(":")
        return KeyColumn(registered(attribute)) if attribute.startswith(MY) else KeyColumn(field, "feature", name=name)
    if attribute in ("LOWER", "SHAPE"):
        return KeyColumn("FORM", attribute.lower())
    if attribute in ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS"):
        return KeyColumn(attribute)
    return None


class Encoded(NamedTuple):
    """Words as keys: one for each column; the single features of word i are features[start[i] : start[i + 1]]."""

    keys: Keys
    start: Ints
    features: Keys

    @property
    def kernel(self) -> WordTable:
        """The words for the kernels."""
        return WordTable(**self._asdict())


class FieldColumns(NamedTuple):
    """The columns that are taken from one field, as the kernels know them, and where they go."""

    field: str
    places: Ints
    how: Ints
    names: bytes
    columns: tuple[KeyColumn, ...]

    def fill(self, strings: Sequence[str], keys: Keys) -> None:
        """Write the keys of strings to their places in [string, column]."""
        encoding.columns_of_strings(strings, self.how, self.names, keys)

    def of_names(self, names: Names) -> Keys:
        """The keys of names, which are made once: [name, column]."""
        return names.once(self.columns, lambda names: keys_by(names, self.columns))


@lru_cache(maxsize=1024)
def by_field(columns: tuple[KeyColumn, ...]) -> tuple[FieldColumns, ...]:
    """The columns, those of a field together."""
    found = []
    for field in dict.fromkeys(column.field for column in columns):
        places = [at for at, column in enumerate(columns) if column.field == field]
        own = tuple(columns[at] for at in places)
        ends = [*accumulate(len(column.name.encode()) for column in own)]
        begins = [0, *ends[:-1]]
        kinds = [encoding.KINDS[column.kind] for column in own]
        how = np.array([places, kinds, [column.argument for column in own], begins, ends], np.int32).T
        names = "".join(column.name for column in own).encode()
        found.append(FieldColumns(field, np.array(places), np.ascontiguousarray(how), names, own))
    return tuple(found)


def encode(columns: Sequence[KeyColumn], each: bool, batch: Batch) -> Encoded:
    """The keys of a batch's words; those of single morphological features only where `each` asks for them."""
    keys = np.empty((len(batch.word_line), max(1, len(columns))), np.uint64)
    where = (batch.text, batch.cells, batch.first_cell, batch.word_line)
    for some in by_field(tuple(columns)):
        own = some.field.startswith(MY)
        if (codes := own_codes(some.field, batch) if own else batch.top(some.field)) is None:
            at, fallback = batch.format.index(some.field), batch.format.fallback(some.field)
            encoding.columns(*where, at, fallback, some.how, some.names, keys)
        else:
            keys[:, some.places] = some.of_names(codes.known)[codes.codes]
    if not each:
        return Encoded(keys, np.zeros(len(batch.word_line) + 1, np.int32), NO_KEYS)
    if (codes := batch.top("FEATS")) is None:
        return Encoded(keys, *_single_features(*where, batch.format.index("FEATS")))
    features = codes.known.once("single features", lambda names: _single_features(*_cells_of_names(names), 0))
    return Encoded(keys, *_taken(*features, codes.codes))


def keys_of(names: Sequence[str], column: KeyColumn) -> Keys:
    """The keys of strings that may be cells of a column, one by one; the field of the column makes no difference."""
    return keys_by(names, (column,))[:, 0]


def keys_by(names: Sequence[str], columns: tuple[KeyColumn, ...]) -> Keys:
    """The keys that several columns of a field take from the same strings: [string, column]."""
    keys = np.empty((len(names), max(1, len(columns))), np.uint64)
    for some in by_field(columns):
        some.fill(names, keys)
    return keys


def chosen(encoded: Encoded, words: Ints) -> Encoded:
    """The keys of some words, in their order."""
    return Encoded(encoded.keys[words], *_taken(encoded.start, encoded.features, words))


def _taken(start: Ints, features: Keys, which: Ints) -> tuple[Ints, Keys]:
    """The single features of some out of many: where those of each begin, and their keys."""
    begins = np.empty(len(which) + 1, np.int32)
    found = np.empty(encoding.taken(start, features, which, begins, NO_KEYS), np.uint64)
    encoding.taken(start, features, which, begins, found)
    return begins, found


def _single_features(text: bytes, cells: Ints, first_cell: Ints, lines: Ints, at: int) -> tuple[Ints, Keys]:
    """Where the single features of each line's column `at` begin, and their keys."""
    start = np.zeros(len(lines) + 1, np.int32)
    count = encoding.features(text, cells, first_cell, lines, at, start, np.empty(0, np.uint64))
    single = np.empty(count, np.uint64)
    encoding.features(text, cells, first_cell, lines, at, start, single)
    return start, single


def _cells_of_names(names: Names) -> tuple[bytes, Ints, Ints, Ints]:
    """The names of a layer's column in the layout of a batch, each as a line of one cell."""
    text, at = names.packed
    lines = np.arange(len(names) + 1, dtype=np.int32)
    return text or b"\n", np.repeat(at, 2)[1:-1], 2 * lines, lines[:-1]
