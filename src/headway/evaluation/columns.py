"""A whole treebank as arrays: what evaluation keeps of a file, some 40 bytes a word; and what all files can show."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import IO, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, counted
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.cells import PROPERTIES, confidence_in
from headway.data.formats.reading import Reader, is_open
from headway.data.sentence import Sentence, assured
from headway.data.sources import assure_all_trees
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
    names, words, described = Names() if names is None else names, 0, ("", "")
    pieces: list[dict[str, NDArray[Any]]] = []
    for batch in _batches(sentences):
        described = (batch.source, batch.format.name) if not pieces else described
        pieces.append(_piece(batch, names, words))
        words += len(batch.heads)
    if not pieces:
        raise HeadwayError("there are no sentences to evaluate; give a treebank with at least one")
    joined: dict[str, Any] = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    gaps = left_out(sentences, joined["lines"][joined["first"]])
    joined["first"] = np.append(joined["first"], np.int32(words))
    if not np.isfinite(joined["confidences"]).any():
        joined["confidences"] = None
    return TreebankColumns(*described, names, left_out=gaps, **joined)


def _batches(source: Sentences) -> Iterator[Batch]:
    """The source as batches; of loose sentences, neighbours go together."""
    if isinstance(source, Reader) or (isinstance(source, (list, tuple)) and isinstance((*source, None)[0], Batch)):
        yield from source.batches() if isinstance(source, Reader) else cast(Sequence[Batch], source)
        return
    together: list[Sentence] = []
    for sentence in chain(assured(cast(Iterable[Sentence], source)), [None]):
        last = together[-1] if together else None
        if last and not (sentence and sentence.batch is last.batch and sentence.index == last.index + 1):
            first, batch = together[0].index, last.batch
            yield batch if len(together) == len(batch) else batch.part(first, last.index + 1)
            together = []
        if sentence:
            together.append(sentence)


def _piece(batch: Batch, names: Names, before: int) -> dict[str, NDArray[Any]]:
    """The columns of a batch whose first word is number `before` of the file."""
    assure_all_trees([batch])
    offsets = batch.sentence_word
    line_shift = np.repeat(batch.numbers - batch.sentence_line[:-1], np.diff(offsets))
    return {
        "first": offsets[:-1] + np.int32(before),
        "heads": batch.heads,
        "lines": batch.word_line + line_shift,
        "spans": _spans(batch, names) + np.array([before, before, 0], np.int32),
        "confidences": _confidences(batch),
        **{name: names.encode(batch.column(PROPERTIES[name])) for name in STRINGS},
    }


def _spans(batch: Batch, names: Names) -> Ints:
    """The multiword tokens of a batch: the first word, the one after the last, the form."""
    found = np.flatnonzero(batch.kind == RANGE).astype(np.int32)
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


def _confidences(batch: Batch) -> NDArray[np.float32]:
    """What MISC says of how sure a model was."""
    rows = np.full((len(batch.heads), len(CONFIDENCES)), np.nan, np.float32)
    if batch.layers or b"Conf=" in batch.text:
        for row, cell in zip(rows, batch.column("MISC"), strict=True):
            if found := confidence_in(cell):
                row[:] = found
    return rows


def left_out(source: Sentences, lines: Ints) -> tuple[int, ...]:
    """For each sentence that a reader left out, how many of those that begin on `lines` stand before it."""
    if not isinstance(source, Reader):
        return ()
    found = sorted(line or 0 for line in source.report.left_out)
    return tuple(np.searchsorted(lines, found).tolist())


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
