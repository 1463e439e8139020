"""A batch: the bytes of some hundred sentences and where their cells are.

Reading makes batches, kernels work on batches, and a `Sentence` is a view of one sentence in a batch. No Python
object per token exists until someone asks for a column. What taggers and parsers find out is laid over the cells in
layers (`layers.py`); the bytes stay as they were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import FormatError, HeadwayError, counted, known
from headway.data.formats import rendering
from headway.data.formats.format import Format
from headway.data.layers import Codes, Ints, Layer, Overlay, frozen, overlay
from headway.data.parts import Spans, cut
from headway.kernels.text import encode as encoding
from headway.kernels.text import scanning as kernel

__all__ = ("Batch", "Codes", "Ints", "Layer", "Problem", "Untidy", "scan")
MOST_COLUMNS = 1 << 20
NO_COLUMNS: Mapping[str, Codes] = MappingProxyType({})


class Problem(NamedTuple):
    """Why a sentence was left out: a name of `kernels.text.PROBLEMS`, its line in the file, the bytes at fault."""

    kind: str
    line: int
    value: bytes
    first_line: int


class Untidy(NamedTuple):
    """Harmless departures from the format: blank lines too many, cells with nothing in them, which became `_`."""

    blank_lines: int
    empty_cells: int


@dataclass(frozen=True, eq=False)
class Batch:
    """Sentences of one file. The layout of the arrays is described in `kernels/text/scanning.pxd`.

    Sentence s has the lines `sentence_line[s] : sentence_line[s + 1]` and the words
    `sentence_word[s] : sentence_word[s + 1]`; word w stands on line `word_line[w]` and has the head `heads[w]`,
    counted from 1 within its sentence, 0 for the root, -1 in a sentence without a tree. `numbers[s]` is its first
    line in the file.

    `layers` lie over the cells, the last one on top. Heads, columns and bytes are those that one sees from above;
    `beneath` and `bare` take layers off. The arrays are shared by all batches that differ in their layers only.
    """

    source: str
    format: Format
    text: bytes
    cells: Ints
    first_cell: Ints
    kind: NDArray[np.uint8]
    word_line: Ints
    read_heads: Ints
    sentence_line: Ints
    sentence_word: Ints
    numbers: Ints
    layers: tuple[Layer, ...] = ()
    partial: bool = False
    """Whether cells may give heads to some words and not to others, so that no sentence was read with a tree."""
    spans: Spans | None = None
    """Where the words stand in the text that they were cut from; None where nobody knows."""

    def __len__(self) -> int:
        """Number of sentences."""
        return len(self.sentence_line) - 1

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its bytes and layers; the arrays are found again by scanning."""
        how = (self.numbers, self.layers, self.partial, self.spans)
        return rescanned, (self.text, self.format, self.source, *how)

    def alone(self, sentence: int) -> Batch:
        """One sentence with its layers as a batch of its own, which does not hold on to the others."""
        return self.part(sentence, sentence + 1)

    def part(self, first: int, last: int) -> Batch:
        """The same with sentences first to last."""
        return cut(self, first, last) if last - first < len(self) else self

    def tree(self, sentence: int) -> Ints:
        """The heads of a sentence that has a tree; an error where it has none."""
        first, last = self.sentence_word[sentence : sentence + 2]
        if self.heads[first] < 0:
            raise FormatError(
                *(self.source, int(self.numbers[sentence]), "this sentence has no heads (HEAD is '_')"),
                "parse it first, or give a file with trees",
            )
        return self.heads[first:last]

    def __repr__(self) -> str:
        size = f"{counted(len(self), 'sentence')}, {counted(len(self.word_line), 'word')}"
        layers = "".join(f", layer {layer.name!r}" for layer in self.layers)
        return f"<Batch of {size} of {self.source}{layers}>"

    def with_layer(self, name: str, *, heads: Ints | None = None, columns: Mapping[str, Codes] = NO_COLUMNS) -> Batch:
        """The batch with one more layer on top: `heads`, one per word, and `columns` by their fields.

        The layer gets read-only copies of arrays that can be written to.
        """
        return self.with_layers((*self.layers, Layer(name, columns, heads).checked(self)))

    def with_layers(self, layers: tuple[Layer, ...]) -> Batch:
        """The batch with other layers, which were checked; what is known of its forms stays."""
        other: Batch = object.__new__(type(self))
        other.__dict__.update({name: self.__dict__[name] for name in STAYING if name in self.__dict__}, layers=layers)
        return other

    def beneath(self, name: str) -> Batch:
        """The batch as it was before it got its first layer of that name."""
        names = [layer.name for layer in self.layers]
        if name not in names:
            there = known(dict.fromkeys(names)) if names else "the batch has no layers"
            raise HeadwayError(f"unknown layer {name!r}; {there}")
        return self.with_layers(self.layers[: names.index(name)])

    @property
    def bare(self) -> Batch:
        """The batch as it was read, without layers."""
        return self.with_layers(()) if self.layers else self

    @cached_property
    def heads(self) -> Ints:
        """The head of each word in the top layer that has heads, or else as read."""
        given = (layer.heads for layer in reversed(self.layers))
        return next((heads for heads in given if heads is not None), self.read_heads)

    @cached_property
    def overlay(self) -> Overlay:
        """What all layers come to."""
        return overlay(self.layers, self.format)

    @cached_property
    def replaced(self) -> Mapping[int, Codes | None]:
        """The columns of the batch's own format that layers replace, HEAD apart; None for columns that are stale."""
        return rendering.replaced(self)

    @cached_property
    def _head_codes(self) -> Codes:
        values, codes = np.unique(self.heads, return_inverse=True)
        return Codes(frozen(codes), tuple("_" if value < 0 else str(value) for value in values.tolist()))

    @cached_property
    def _no_codes(self) -> Codes:
        return Codes(frozen(np.zeros_like(self.word_line)), ("_",))

    def top(self, field: str) -> Codes | None:
        """What the layers say of a field, HEAD too; None where it is to be read from the cells."""
        if not self.layers:
            return None
        if field == "HEAD" and self.heads is not self.read_heads:
            return self._head_codes
        return self._no_codes if field in self.overlay.stale else self.overlay.columns.get(field)

    def column(self, field: str, first: int = 0, last: int | None = None) -> list[str]:
        """The strings of a field for words first to last; `_` where neither a layer nor the format has such a field."""
        last = len(self.word_line) if last is None else last
        if (codes := self.top(field)) is not None:
            return codes.strings(first, last)
        at, fallback = self.format.index(field), self.format.fallback(field)
        where = self.text, self.cells, self.first_cell, self.word_line
        cells: list[str] = kernel.column(*where, first, last, at, fallback)
        return cells

    def codes(self, field: str) -> Codes:
        """The strings of a field as numbers of names; names of cells are sorted. Linear time but for that."""
        codes = self.forms if field == "FORM" else self.top(field)
        return self.cell_codes(self.format.index(field), self.format.fallback(field)) if codes is None else codes

    def cell_codes(self, at: int, fallback: int = -1) -> Codes:
        """The cells of one column as they were read, those of column `fallback` where it has `_`."""
        words = len(self.word_line)
        numbers, first = np.empty(words, np.int32), np.empty(words, np.int32)
        where = (self.text, self.cells, self.first_cell)
        count = encoding.number(*where, self.word_line, at, fallback, numbers, first) if words else 0
        names = kernel.column(*where, self.word_line[first[:count]], 0, count, at, fallback) if count else []
        order = sorted(range(len(names)), key=names.__getitem__)
        rank = np.empty(len(names), np.int32)
        rank[order] = np.arange(len(names))
        return Codes(frozen(rank[numbers]), tuple([names[number] for number in order]))

    @cached_property
    def forms(self) -> Codes:
        """The forms of the words, which no layer changes."""
        return self.cell_codes(self.format.index("FORM"), self.format.fallback("FORM"))

    def filled(self, first: int = 0, last: int | None = None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each column of the format, and one more for all beyond: how many cells are filled, and have spaces.

        Only words first to last are counted.
        """
        counts = np.zeros(len(self.format.columns) + 1, np.int64)
        spaces = np.zeros_like(counts)
        kernel.filled(self.text, self.cells, self.first_cell, self.word_line[first:last], counts, spaces)
        for at, codes in self.replaced.items():
            counts[at], spaces[at] = (0, 0) if codes is None else codes.filled(first, last)
        if (heads := self.top("HEAD")) is not None and (at := self.format.index("HEAD")) >= 0:
            counts[at], spaces[at] = heads.filled(first, last)
        return counts, spaces

    def lines(self, sentence: int, kind: str) -> list[str]:
        """The lines of one kind ("comment", "range", "empty", "word") of a sentence."""
        first, last = self.sentence_line[sentence : sentence + 2]
        picked = first + np.flatnonzero(self.kind[first:last] == kernel.KINDS.index(kind))
        begins, ends = self.cells[self.first_cell[picked]], self.cells[self.first_cell[picked + 1] - 1] - 1
        return [self.text[begin:end].decode() for begin, end in zip(begins, ends, strict=True)]

    def comments(self, sentence: int) -> list[str]:
        """The comments of a sentence, those of layers in place of others with the same key."""
        return rendering.comments(self, sentence)

    def raw(self, sentence: int) -> bytes:
        """The bytes of a sentence without the blank line after it; as they were read where there are no layers."""
        if self.layers:
            return self.render(self.format, sentence, sentence + 1)[:-1]
        first, last = self.sentence_line[sentence : sentence + 2]
        return self.text[self.cells[self.first_cell[first]] : self.cells[self.first_cell[last] - 1]]

    def render(self, target: Format, first: int = 0, last: int | None = None) -> bytes:
        """Sentences first to last in a format's bytes, with all layers; in the batch's own format all else stays."""
        last = len(self) if last is None else last
        if target.name == self.format.name and not self.layers:
            return b"".join(piece for s in range(first, last) for piece in (self.raw(s), b"\n"))
        return rendering.render(self, target, first, last)


STAYING = (*(one.name for one in fields(Batch) if one.name != "layers"), "forms")
"""What a batch and the same with other layers have in common."""


def rescanned(
    text: bytes,
    form: Format,
    source: str,
    numbers: Ints,
    layers: tuple[Layer, ...] = (),
    partial: bool = False,
    spans: Spans | None = None,
) -> Batch:
    """A batch from the bytes of sentences that were read before, from lines with these numbers."""
    return replace(scan(text, form, source, partial=partial)[0], numbers=numbers, layers=layers, spans=spans)


def scan(
    text: bytes, form: Format, source: str, line: int = 1, *, partial: bool = False
) -> tuple[Batch, list[Problem], Untidy]:
    """Find the sentences in text that ends with a blank line; `line` is the number of its first line in the file.

    Cells with nothing in them become `_`, but for forms: a sentence with a word that has none has a problem. With
    `partial`, heads are no tree yet: nobody looks at them, and the sentences count as not parsed.
    """
    n_lines, n_tabs = text.count(b"\n") + 1, text.count(b"\t")
    cells = np.empty(n_tabs + 2 * n_lines, np.int32)
    first_cell, word_line, heads, sentence_line, sentence_word, numbers, mark = np.empty((7, n_lines + 1), np.int32)
    kind = np.empty(n_lines + 1, np.uint8)
    problems = np.empty((n_lines, 5), np.int32)
    most = MOST_COLUMNS if form.open_ended else len(form.columns)
    ids, forms, heads_at = form.index("ID"), form.index("FORM"), -1 if partial else form.index("HEAD")
    sentences, lines, words, used, bad, blanks, empties = kernel.scan(
        *(text, ids, forms, form.fallback("FORM"), heads_at, form.fewest or len(form.columns), most),
        *(cells, first_cell, kind, word_line, heads),
        *(sentence_line, sentence_word, numbers, mark, problems),
    )
    batch = Batch(
        source=source,
        format=form,
        text=text,
        cells=cells[:used],
        first_cell=first_cell[: lines + 1].copy(),
        kind=kind[:lines],
        word_line=word_line[:words].copy(),
        read_heads=heads[:words].copy(),
        sentence_line=sentence_line[: sentences + 1].copy(),
        sentence_word=sentence_word[: sentences + 1].copy(),
        numbers=numbers[:sentences] + line,
        partial=partial,
    )
    batch.read_heads.flags.writeable = False
    found = [
        Problem(kernel.PROBLEMS[kind], line + number, text[begin:end], line + first)
        for kind, number, begin, end, first in problems[:bad].tolist()
    ]
    filled = rendering.with_filled_cells(text, form) if empties else text
    if filled != text:
        batch = scan(filled, form, source, line, partial=partial)[0]
    return batch, found, Untidy(blanks, len(filled) - len(text))
