"""A batch: the bytes of some hundred sentences and where their cells are.

Reading makes batches, kernels work on batches, and a `Sentence` is a view of one sentence in a batch. No Python
object per token exists until someone asks for a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.formats.format import Format
from headway.kernels import rendering
from headway.kernels import text as kernel

Ints = NDArray[np.int32]
MOST_COLUMNS = 1 << 20


class Problem(NamedTuple):
    """Why a sentence was left out: a name of `kernels.text.PROBLEMS`, its line in the file, the bytes at fault."""

    kind: str
    line: int
    value: bytes
    first_line: int


class Untidy(NamedTuple):
    """Harmless departures from the format: blank lines too many, cells with nothing in them."""

    blank_lines: int
    empty_cells: int


@dataclass(frozen=True, eq=False)
class Batch:
    """Sentences of one file. The layout of the arrays is described in `kernels/text.pxd`.

    Sentence s has the lines `sentence_line[s] : sentence_line[s + 1]` and the words
    `sentence_word[s] : sentence_word[s + 1]`; word w stands on line `word_line[w]` and has the head `heads[w]`,
    counted from 1 within its sentence, 0 for the root. `numbers[s]` is its first line in the file.
    """

    source: str
    format: Format
    text: bytes
    cells: Ints
    first_cell: Ints
    kind: NDArray[np.uint8]
    word_line: Ints
    heads: Ints
    sentence_line: Ints
    sentence_word: Ints
    numbers: Ints

    def __len__(self) -> int:
        """Number of sentences."""
        return len(self.sentence_line) - 1

    def column(self, field: str, first: int = 0, last: int | None = None) -> list[str]:
        """The strings of a field for words first to last; `_` where the format has no such field."""
        last = len(self.word_line) if last is None else last
        at, fallback = self.format.index(field), self.format.fallback(field)
        return kernel.column(self.text, self.cells, self.first_cell, self.word_line, first, last, at, fallback)

    def filled(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each column of the format, and one more for all beyond: cells filled, cells with spaces."""
        counts = np.zeros(len(self.format.columns) + 1, np.int64)
        spaces = np.zeros_like(counts)
        kernel.filled(self.text, self.cells, self.first_cell, self.word_line, counts, spaces)
        return counts, spaces

    def lines(self, sentence: int, kind: str) -> list[str]:
        """The lines of one kind ("comment", "range", "empty", "word") of a sentence."""
        first, last = self.sentence_line[sentence : sentence + 2]
        picked = first + np.flatnonzero(self.kind[first:last] == kernel.KINDS.index(kind))
        begins, ends = self.cells[self.first_cell[picked]], self.cells[self.first_cell[picked + 1] - 1] - 1
        return [self.text[begin:end].decode() for begin, end in zip(begins, ends, strict=True)]

    def raw(self, sentence: int) -> bytes:
        """The bytes of a sentence as they were read, without the blank line after it."""
        first, last = self.sentence_line[sentence : sentence + 2]
        return self.text[self.cells[self.first_cell[first]] : self.cells[self.first_cell[last] - 1]]

    def render(
        self,
        target: Format,
        *,
        heads: Ints | None = None,
        labels: Ints | None = None,
        names: list[str] | None = None,
    ) -> bytes:
        """All sentences in a format's bytes; `heads` and `labels` (indices of `names`) replace the trees."""
        same = target.name == self.format.name
        if same and heads is None and labels is None:
            return b"".join(piece for s in range(len(self)) for piece in (self.raw(s), b"\n"))
        pieces = [name.encode() for name in names or ()]
        ends = np.cumsum([0, *map(len, pieces)], dtype=np.int32)
        source, fallback = self._identity() if same else self._sources(target)
        return rendering.render(
            *(self.text, self.cells, self.first_cell, self.kind, self.sentence_line, source, fallback),
            *(same or target.comments, same or target.multiwords, same, not (same or target.spaces)),
            *(target.index("HEAD"), target.index("DEPREL")),
            *(heads, labels, b"".join(pieces), ends),
        )

    def _identity(self) -> tuple[Ints, Ints]:
        columns = np.arange(len(self.format.columns), dtype=np.int32)
        return columns, np.full_like(columns, -1)

    def _sources(self, target: Format) -> tuple[Ints, Ints]:
        """For each column of the target, the two columns of this format that it is taken from."""
        source = np.full(len(target.columns), rendering.SOURCE_MISSING, np.int32)
        fallback = np.full(len(target.columns), -1, np.int32)
        for at, column in enumerate(target.columns):
            candidates = [
                c
                for field in target.fill.get(column, ())
                for c in (self.format.index(field), self.format.fallback(field))
                if c >= 0
            ]
            if column == "ID":
                source[at] = rendering.SOURCE_NUMBER
            elif candidates:
                source[at] = candidates[0]
                fallback[at] = candidates[1] if len(candidates) > 1 else -1
        return source, fallback


def scan(text: bytes, form: Format, source: str, line: int = 1) -> tuple[Batch, list[Problem], Untidy]:
    """Find the sentences in text that ends with a blank line; `line` is the number of its first line in the file."""
    n_lines, n_tabs = text.count(b"\n") + 1, text.count(b"\t")
    cells = np.empty(n_tabs + 2 * n_lines, np.int32)
    first_cell, word_line, heads, sentence_line, sentence_word, numbers, mark = (
        np.empty(n_lines + 1, np.int32) for _ in range(7)
    )
    kind = np.empty(n_lines + 1, np.uint8)
    problems = np.empty((n_lines, 5), np.int32)
    most = MOST_COLUMNS if form.open_ended else len(form.columns)
    sentences, lines, words, used, bad, blanks, empties = kernel.scan(
        *(text, form.index("ID"), form.index("HEAD"), form.fewest or len(form.columns), most),
        *(cells, first_cell, kind, word_line, heads),
        *(sentence_line, sentence_word, numbers, mark, problems),
    )
    batch = Batch(
        source=source,
        format=form,
        text=text,
        cells=cells[:used],
        first_cell=first_cell[: lines + 1],
        kind=kind[:lines],
        word_line=word_line[:words].copy(),
        heads=heads[:words].copy(),
        sentence_line=sentence_line[: sentences + 1].copy(),
        sentence_word=sentence_word[: sentences + 1].copy(),
        numbers=numbers[:sentences] + line,
    )
    batch.heads.flags.writeable = False
    found = [
        Problem(kernel.PROBLEMS[kind], line + number, text[begin:end], line + first)
        for kind, number, begin, end, first in problems[:bad].tolist()
    ]
    return batch, found, Untidy(blanks, empties)
