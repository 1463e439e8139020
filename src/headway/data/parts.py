"""Some sentences of a batch as a batch of their own, cut out of its arrays: nothing is scanned, nothing is shared."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.layers import Codes, Ints, Layer

if TYPE_CHECKING:
    from headway.data.batch import Batch

FEW = 256
"""So many names of a column are shared with the batch that sentences were cut out of."""


class Spans(NamedTuple):
    """Where the words of a batch stand in the text that it was cut from, in code points.

    The words of a multiword token stand where it does.
    """

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]

    def part(self, words: slice) -> Spans:
        """Those of some words."""
        return Spans(self.begins[words].copy(), self.ends[words].copy())

    def of(self, words: NDArray[np.int64]) -> Spans:
        """Those of some words by their numbers."""
        return Spans(self.begins[words], self.ends[words])

    def moved(self, by: int) -> Spans:
        """The same in a text that has so many characters more before it."""
        return Spans(self.begins + by, self.ends + by)


def cut(batch: Batch, first: int, last: int) -> Batch:
    """Sentences first to last with their layers; the rest of the batch may be forgotten. Linear in their cells."""
    from_line, to_line = batch.sentence_line.item(first), batch.sentence_line.item(last)
    from_word, to_word = batch.sentence_word.item(first), batch.sentence_word.item(last)
    from_cell, to_cell = batch.first_cell.item(from_line), batch.first_cell.item(to_line)
    begin, end = batch.cells.item(from_cell), batch.cells.item(to_cell - 1)
    words = slice(from_word, to_word)
    spans = batch.spans
    part: Batch = object.__new__(type(batch))
    # The same as the constructor of a frozen dataclass, in a quarter of its time.
    part.__dict__.update(
        source=batch.source,
        format=batch.format,
        text=batch.text[begin:end] + b"\n",
        cells=batch.cells[from_cell:to_cell] - begin,
        first_cell=batch.first_cell[from_line : to_line + 1] - from_cell,
        kind=batch.kind[from_line:to_line].copy(),
        word_line=batch.word_line[words] - from_line,
        read_heads=_own(batch.read_heads[words]),
        sentence_line=batch.sentence_line[first : last + 1] - from_line,
        sentence_word=batch.sentence_word[first : last + 1] - from_word,
        numbers=batch.numbers[first:last].copy(),
        layers=tuple([_layer(layer, words) for layer in batch.layers]),
        partial=batch.partial,
        spans=None if spans is None else spans.part(words),
    )
    return part


def _layer(layer: Layer, words: slice) -> Layer:
    part: Layer = object.__new__(type(layer))
    columns = MappingProxyType({name: _codes(codes, words) for name, codes in layer.columns.items()})
    heads = None if layer.heads is None else _own(layer.heads[words])
    part.__dict__.update(name=layer.name, columns=columns, heads=heads)
    return part


def _codes(column: Codes, words: slice) -> Codes:
    """The cells of some words; of many names only theirs, since a batch may have very many."""
    part: Codes = object.__new__(Codes)
    names = column.names
    if len(names) <= FEW:
        part.__dict__.update(column.__dict__)
        part.__dict__["codes"] = _own(column.codes[words])
        return part
    codes = column.codes[words].tolist()
    number = {code: at for at, code in enumerate(dict.fromkeys(codes))}
    own = np.array([number[code] for code in codes], np.int32)
    own.setflags(write=False)
    part.__dict__.update(codes=own, names=tuple([names[code] for code in number]))
    return part


def _own(numbers: Ints) -> Ints:
    """A copy that nobody can write to."""
    copy = numbers.copy()
    copy.setflags(write=False)
    return copy
