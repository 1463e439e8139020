"""Turn text that a segmenter has cut into batches: paragraphs are collected and written as CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints, scan
from headway.data.formats.format import CONLLU
from headway.data.parts import Spans
from headway.kernels.text.segments import conllu
from headway.text.segmenter import SENTENCE, TOKEN
from headway.text.segmenter.characters import Codes, codes_of
from headway.text.segmenter.multiword_tokens import Splitter, side_by_side
from headway.text.segmenter.paragraphs import WINDOW, Paragraphs, Stretch

if TYPE_CHECKING:
    from headway.text.segmenter.exceptions import Exceptions
    from headway.text.segmenter.segmenter import Segmenter

AT_ONCE = 1 << 16
"""Characters of text in a batch."""
SURE = WINDOW * 3 // 4
"""Of a window of a long paragraph, sentences that end before this are taken; later ones see too little of the rest."""
NEW_PARAGRAPH, NEW_DOCUMENT = 1, 2
NO_CELLS = "\t_" * 8 + "\n"


class Found(NamedTuple):
    """The tokens of a text: where each begins and ends, and whether it ends a sentence."""

    begins: Ints
    ends: Ints
    kinds: Ints


class WrittenText(NamedTuple):
    """The sentences of some text, with where its stretches begin and end, and how many words each token has."""

    batch: Batch
    codes: Codes
    begins: list[int]
    ends: list[int]
    words: Ints


class SegmentWriter:
    """Collects stretches of text until there are enough for a batch."""

    def __init__(
        self, segmenter: Segmenter, source: str, ranges: bool, lines: bool, exceptions: Exceptions | None
    ) -> None:
        self.segmenter, self.source = segmenter, source
        self.ranges, self.lines, self.exceptions = ranges, lines, exceptions
        self.waiting: list[Stretch] = []
        self.size = self.offset = self.sentences = 0

    def written(self, paragraphs: Paragraphs) -> Iterator[WrittenText]:
        """All of a text, some thousand characters at a time."""
        for stretch in paragraphs:
            if not stretch.is_whole:
                yield from self.flush(paragraphs.before)
                size = self.good_part(stretch)
                stretch = Stretch(stretch.text[:size], paragraphs.keep(stretch, size), stretch.is_new, True)
            self.waiting.append(stretch)
            self.size += len(stretch.text) + len(stretch.spaces)
            if self.size >= AT_ONCE:
                yield from self.flush(paragraphs.before)
        yield from self.flush(paragraphs.before)

    def good_part(self, stretch: Stretch) -> int:
        """How much of a window to take: up to the last sure end of a sentence, else of a token, else all of it."""
        codes = codes_of(stretch.text)
        found = self.segmenter.tokens(codes, [0], [len(codes)], self.lines, self.exceptions)
        sentences = found.ends[(found.kinds == SENTENCE) & (found.ends <= SURE)]
        tokens = found.ends[:-1]
        return int(sentences[-1] if len(sentences) else tokens[-1] if len(tokens) else len(codes))

    def flush(self, before: str) -> Iterator[WrittenText]:
        """The batch of the collected stretches; `before` are the spaces at the very beginning of the text."""
        if not self.waiting:
            return
        pieces = ["" if self.offset else before, *(piece for stretch in self.waiting for piece in stretch[:2])]
        codes = codes_of("".join(pieces))
        sizes = np.cumsum([len(piece) for piece in pieces]).tolist()
        begins, ends = sizes[:-1:2], sizes[1::2]
        found = self.segmenter.tokens(codes, begins, ends, self.lines, self.exceptions)
        parts, words, starts = self.words(codes, found)
        last, base = (found.kinds == SENTENCE).astype(np.uint8), self.offset if self.ranges else -1
        spans = (codes, found.begins, found.ends, last, self._new(found, begins))
        text = conllu(*spans, parts, words, starts, self.sentences + 1, base)
        batch, problems, _ = scan(text, CONLLU, self.source)
        assert not problems, problems
        counts = np.maximum(np.diff(parts), 1)
        places = (np.repeat(where.astype(np.int64) + self.offset, counts) for where in found[:2])
        batch = replace(batch, spans=Spans(*places))
        self.sentences += len(batch)
        self.offset += len(codes)
        self.waiting, self.size = [], 0
        yield WrittenText(batch, codes, begins, ends, counts)

    def _new(self, found: Found, paragraphs: Sequence[int]) -> NDArray[np.uint8]:
        """Which tokens begin a paragraph or the document."""
        new = np.zeros(len(found.begins), np.uint8)
        is_new = [begin for begin, stretch in zip(paragraphs, self.waiting, strict=True) if stretch.is_new]
        if not self.lines:
            new[np.searchsorted(found.begins, is_new)] = NEW_PARAGRAPH
        if self.offset == 0:
            new[0] |= NEW_PARAGRAPH | NEW_DOCUMENT
        return new

    def words(self, codes: Codes, found: Found) -> tuple[Ints, bytes, Ints]:
        """The words of multiword tokens: how many each token has, all of them as one text, and where each begins."""
        split = words_of(self.segmenter.splitter, codes, found, self.exceptions)
        counts = np.zeros(len(found.begins) + 1, np.int32)
        counts[[token + 1 for token in split]] = [len(parts) for parts in split.values()]
        words = [part.encode() for parts in split.values() for part in parts]
        starts = np.cumsum([0, *map(len, words)], dtype=np.int32)
        return np.cumsum(counts, dtype=np.int32), b"".join(words), starts


def words_of(splitter: Splitter, codes: Codes, found: Found, exceptions: Exceptions | None) -> dict[int, Sequence[str]]:
    """The words of the multiword tokens of a text, by the numbers of the tokens, in their order."""
    scripts = splitter.chosen(codes, found.begins, found.ends, found.kinds == SENTENCE)
    given = exceptions.words(codes, found) if exceptions else {}
    split: dict[int, Sequence[str]] = {}
    for token in sorted({*np.flatnonzero(scripts).tolist(), *given}):
        form = codes[found.begins[token] : found.ends[token]].tobytes().decode("utf-32-le")
        parts = given[token] if token in given else splitter.words(int(scripts[token]), form)
        if parts is not None and len(parts) > 1:
            split[token] = parts
    return split


def with_words(splitter: Splitter, batch: Batch, exceptions: Exceptions | None) -> Batch:
    """A batch of given tokens in which multiword tokens are split; its cells hold nothing but forms."""
    codes, begins, ends = side_by_side(batch.column("FORM"))
    kinds = np.full(len(begins), TOKEN, np.int32)
    kinds[batch.sentence_word[1:] - 1] = SENTENCE
    split = words_of(splitter, codes, Found(begins, ends, kinds), exceptions)
    if not split:
        return batch
    pieces = [b"".join(_rows(batch, sentence, split)) for sentence in range(len(batch))]
    found, problems, _ = scan(b"".join(pieces), CONLLU, batch.source)
    assert not problems, problems
    return replace(found, numbers=batch.numbers)


def _rows(batch: Batch, sentence: int, split: Mapping[int, Sequence[str]]) -> Iterator[bytes]:
    """The lines of a sentence, whose words are numbered anew."""
    first, last = batch.sentence_word[sentence : sentence + 2].tolist()
    yield from (f"{line}\n".encode() for line in batch.comments(sentence))
    number = 1
    for token, form in enumerate(batch.column("FORM", first, last), first):
        words = split.get(token, (form,))
        if token in split:
            yield f"{number}-{number + len(words) - 1}\t{form}{NO_CELLS}".encode()
        yield from (f"{at}\t{word}{NO_CELLS}".encode() for at, word in enumerate(words, number))
        number += len(words)
    yield b"\n"
