"""A whole treebank as arrays: what evaluation keeps of a file, some 40 bytes a word."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import IO, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, counted
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.cells import PROPERTIES, confidence_in
from headway.data.formats.reading import Reader, is_open
from headway.data.sentence import Sentence
from headway.data.sentences import assured
from headway.data.tokens import CONFIDENCES
from headway.kernels.text import scanning as kernel

Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]
RANGE = kernel.KINDS.index("range")
STRINGS = ("forms", "lemmas", "upos", "xpos", "feats", "deprels")
OF_WORDS = ("heads", "lines", *STRINGS)
"""The arrays with a cell for each word."""


class Names(dict[str, int]):
    """Numbers for strings, given in the order of their first use; equal strings have equal numbers."""

    def __init__(self) -> None:
        self.known: list[str] = []

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self)
        self.known.append(string)
        return number

    def encode(self, strings: Iterable[str]) -> Ints:
        """The numbers of strings, new ones where needed."""
        return np.fromiter(map(self.__getitem__, strings), np.int32)

    def strings(self, numbers: NDArray[np.integer]) -> list[str]:
        """The strings of numbers."""
        return [self.known[number] for number in numbers.tolist()]

    def translate(self, numbers: Ints, change: Callable[[str], str]) -> Ints:
        """The numbers of the changed strings; `change` is called once for each different one."""
        different = self._different(numbers)
        table = np.zeros(len(self), np.int32)
        table[different] = self.encode(map(change, self.strings(different)))
        return table[numbers]

    def test(self, numbers: Ints, condition: Callable[[str], bool]) -> Mask:
        """Which strings meet the condition, called once for each different one."""
        different = self._different(numbers)
        table = np.zeros(len(self), np.bool_)
        table[different] = [condition(string) for string in self.strings(different)]
        return table[numbers]

    def _different(self, numbers: Ints) -> NDArray[np.intp]:
        """Each number that is there, ascending. Linear time, where sorting takes longer."""
        there = np.zeros(len(self), np.bool_)
        there[numbers] = True
        return np.flatnonzero(there)


@dataclass(frozen=True, eq=False)
class TreebankColumns(ShortRepr):
    """The words of a file in one row; strings as numbers of `names`.

    Sentence s has the words `first[s] : first[s + 1]`; `heads` counts from 1 within the sentence, 0 is the
    root. Word w stands on line `lines[w]` of the file. `spans[m]` is the first word of a multiword token, the
    word after its last one, and its form.
    """

    source: str
    format: str
    names: Names
    first: Ints
    heads: Ints
    lines: Ints
    spans: Ints
    forms: Ints
    lemmas: Ints
    upos: Ints
    xpos: Ints
    feats: Ints
    deprels: Ints
    left_out: tuple[int, ...] = field(default=(), kw_only=True)
    """For each sentence that could not be read and was left out, how many sentences stand before it here."""
    confidences: NDArray[np.float32] | None = field(default=None, kw_only=True)
    """[word, 4]: how sure the model says it was (`WordConfidence`), NaN for some words; None in no word."""

    def __len__(self) -> int:
        """Number of words."""
        return len(self.heads)

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.first) - 1

    @cached_property
    def sentence(self) -> Ints:
        """The sentence of each word."""
        return np.repeat(np.arange(self.sentences, dtype=np.int32), np.diff(self.first))

    @cached_property
    def position(self) -> Ints:
        """The number of each word in its sentence, from 1."""
        return np.arange(1, len(self) + 1, dtype=np.int32) - self.first[self.sentence]

    @cached_property
    def parents(self) -> Ints:
        """The word that is each word's head, counted through the file; `len(self)` is the root."""
        return np.where(self.heads > 0, self.first[self.sentence] + self.heads - 1, np.int32(len(self)))

    @cached_property
    def token_begins(self) -> Mask:
        """Which words begin a token of the text: all but the later ones of multiword tokens."""
        begins = np.ones(len(self), np.bool_)
        for first, end, _ in self.spans.tolist():
            begins[first + 1 : end] = False
        return begins

    @cached_property
    def tags(self) -> Ints:
        """UPOS, or XPOS where the file has no UPOS."""
        return self.xpos if (self.upos == self.names["_"]).all() else self.upos

    def place(self, word: int) -> str:
        """The line of a word, as `FILE:LINE`."""
        return f"{self.source}:{self.lines[word]}"


Sentences: TypeAlias = Reader | Iterable[Sentence] | Sequence[Batch]
Source: TypeAlias = (
    str
    | os.PathLike[str]
    | IO[str]
    | IO[bytes]
    | Reader
    | Sentence
    | Iterable[Sentence]
    | Sequence[Batch]
    | TreebankColumns
)


def treebank_columns(source: Source, names: Names | None = None) -> TreebankColumns:
    """The columns of a file, a reader, sentences or batches; every sentence must have a tree.

    Two files that are to be compared share their `names`.
    """
    if isinstance(source, TreebankColumns):
        if names is not None and source.names is not names:
            raise HeadwayError("these columns have other names; load both files with the same `names`")
        return source
    sentences = Reader(source) if isinstance(source, (str, os.PathLike)) or is_open(source) else cast(Sentences, source)
    names = Names() if names is None else names
    pieces = [_piece(batch, first, last, names) for batch, first, last in _runs(sentences)]
    if not pieces:
        raise HeadwayError("there are no sentences to evaluate; give a treebank with at least one")
    words = np.cumsum([0, *map(len, pieces)], dtype=np.int32)
    starts = [piece.first[:-1] + before for piece, before in zip(pieces, words, strict=False)]
    spans = [_moved(piece.spans, before) for piece, before in zip(pieces, words, strict=False)]
    joined: dict[str, Any] = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in OF_WORDS}
    first = np.concatenate([*starts, words[-1:]], dtype=np.int32)
    return replace(
        pieces[0],
        first=first,
        spans=np.concatenate(spans),
        left_out=left_out(sentences, joined["lines"][first[:-1]]),
        confidences=_joined_confidences(pieces),
        **joined,
    )


def _joined_confidences(pieces: list[TreebankColumns]) -> NDArray[np.float32] | None:
    if all(piece.confidences is None for piece in pieces):
        return None
    return np.concatenate([_unknown(len(piece)) if (c := piece.confidences) is None else c for piece in pieces])


def _unknown(words: int) -> NDArray[np.float32]:
    return np.full((words, len(CONFIDENCES)), np.nan, np.float32)


def _confidences(batch: Batch, word: int, end: int) -> NDArray[np.float32] | None:
    """What MISC says of how sure a model was."""
    if not batch.layers and b"Conf=" not in batch.text:
        return None
    rows = _unknown(end - word)
    for row, cell in zip(rows, batch.column("MISC", word, end), strict=True):
        if found := confidence_in(cell):
            row[:] = found
    return rows if np.isfinite(rows).any() else None


def left_out(source: Sentences, lines: Ints) -> tuple[int, ...]:
    """For each sentence that a reader left out, how many of those that begin on `lines` stand before it."""
    if not isinstance(source, Reader):
        return ()
    found = sorted(line or 0 for line in source.report.left_out)
    return tuple(np.searchsorted(lines, found).tolist())


def _moved(spans: Ints, words: int) -> Ints:
    """The spans so many words further on."""
    return spans + np.array([words, words, 0], np.int32)


def _runs(source: Sentences) -> Iterator[tuple[Batch, int, int]]:
    """The source as stretches `first : last` of sentences of a batch."""
    if isinstance(source, Reader) or (isinstance(source, (list, tuple)) and isinstance((*source, None)[0], Batch)):
        batches = source.batches() if isinstance(source, Reader) else cast(Sequence[Batch], source)
        yield from ((batch, 0, len(batch)) for batch in batches)
        return
    together: list[Sentence] = []
    for sentence in assured(cast(Iterable[Sentence], source)):
        last = together[-1] if together else sentence
        if together and (sentence.batch is not last.batch or sentence.index != last.index + 1):
            yield last.batch, together[0].index, last.index + 1
            together = []
        together.append(sentence)
    if together:
        yield together[0].batch, together[0].index, together[-1].index + 1


def _piece(batch: Batch, first: int, last: int, names: Names) -> TreebankColumns:
    """The columns of the sentences first to last of a batch."""
    offsets = batch.sentence_word[first : last + 1]
    word, end = int(offsets[0]), int(offsets[-1])
    heads = batch.heads[word:end]
    if (heads < 0).any():
        bad = int(np.searchsorted(offsets, np.argmax(heads < 0) + word, "right")) - 1
        batch.tree(first + bad)  # raises: there is none
    line_shift = batch.numbers[first:last] - batch.sentence_line[first:last]
    return TreebankColumns(
        batch.source,
        batch.format.name,
        names,
        offsets - offsets[0],
        heads,
        batch.word_line[word:end] + np.repeat(line_shift, np.diff(offsets)),
        _moved(_spans(batch, first, last, names), -word),
        *(names.encode(batch.column(PROPERTIES[name], word, end)) for name in STRINGS),
        confidences=_confidences(batch, word, end),
    )


def _spans(batch: Batch, first: int, last: int, names: Names) -> Ints:
    """The multiword tokens of sentences first to last of a batch, with words counted as the batch does."""
    begin, stop = batch.sentence_line[[first, last]]
    found = (begin + np.flatnonzero(batch.kind[begin:stop] == RANGE)).astype(np.int32)
    sentences = np.searchsorted(batch.sentence_line, found, "right") - 1
    numbers, forms = (
        kernel.column(batch.text, batch.cells, batch.first_cell, found, 0, len(found), batch.format.index(name), -1)
        for name in ("ID", "FORM")
    )
    rows = []
    for number, form, offset in zip(numbers, forms, batch.sentence_word[sentences].tolist(), strict=True):
        start, end = map(int, number.split("-"))
        rows.append((offset + start - 1, offset + end, names[form]))
    return np.array(rows, np.int32).reshape(-1, 3)


def readable_in_all(files: Sequence[TreebankColumns]) -> list[TreebankColumns]:
    """The files without the sentences that one of them had to leave out; the n-th sentences are partners. O(n).

    A file from which they are gone already, as from what a parser wrote that left them out, stays as it is.
    """
    if not any(columns.left_out for columns in files):
        return list(files)
    sources, counts, gaps = zip(*((each.source, each.sentences, each.left_out) for each in files), strict=True)
    kept = masks_of_readable(sources, counts, gaps)
    return [_kept(columns, keep) for columns, keep in zip(files, kept, strict=True)]


def masks_of_readable(sources: Sequence[str], counts: Sequence[int], left_out: Sequence[tuple[int, ...]]) -> list[Mask]:
    """Which of the sentences that could be read in each file could be read in all; `left_out` as in `columns`."""
    totals = [count + len(gaps) for count, gaps in zip(counts, left_out, strict=True)]
    if len(set(totals)) > 1:
        if len(set(counts)) == 1 or not any(left_out):
            return [np.ones(count, np.bool_) for count in counts]
        sizes = (f"{source} has {counted(total, 'sentence')}" for source, total in zip(sources, totals, strict=True))
        what = "is unclear which sentences belong to those that were left out"
        raise HeadwayError(f"{' and '.join(sizes)}, so that it {what}; correct them, or remove them from all files")
    readable = np.ones((len(counts), totals[0]), np.bool_)
    for row, gaps in zip(readable, left_out, strict=True):
        row[np.array(gaps, np.intp) + np.arange(len(gaps))] = False
    shared: Mask = np.logical_and.reduce(readable)
    if not shared.any():
        raise HeadwayError("no sentence could be read in all files; correct them first")
    return [shared[row] for row in readable]


def _kept(columns: TreebankColumns, keep: Mask) -> TreebankColumns:
    """The sentences to keep, as if the file had no others."""
    words = keep[columns.sentence]
    place = np.cumsum([0, *words], dtype=np.int32)
    spans = columns.spans[words[columns.spans[:, 0]]]
    return replace(
        columns,
        first=np.cumsum([0, *np.diff(columns.first)[keep]], dtype=np.int32),
        spans=np.column_stack([place[spans[:, :2]], spans[:, 2]]).astype(np.int32),
        left_out=(),
        confidences=None if columns.confidences is None else columns.confidences[words],
        **{name: getattr(columns, name)[words] for name in OF_WORDS},
    )
