"""Many short texts as one batch, cut and written as if each had come alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import ReadingReport
from headway.data.batch import scan
from headway.data.formats.format import CONLLU
from headway.data.parts import Spans
from headway.data.placing import ALL_SPACES
from headway.kernels.text.segments import conllu
from headway.stages.contract import TextsInBatch
from headway.text.segmenter import SENTENCE
from headway.text.segmenter.characters import codes_of
from headway.text.segmenter.paragraphs import BREAK, MARK, Paragraphs, decoded
from headway.text.segmenter.writer import NEW_DOCUMENT, NEW_PARAGRAPH, SegmentWriter

if TYPE_CHECKING:
    from headway.text.segmenter.segmenter import Segmenter


class JoinedTexts(NamedTuple):
    """Texts one after the other, without their byte-order marks, and where their paragraphs begin and end."""

    texts: list[str]
    begins: list[int]
    ends: list[int]
    bounds: NDArray[np.int64]
    """Where each text begins, and where the last one ends."""
    marks: NDArray[np.int64]
    """How long the byte-order mark of each text was."""


def in_one_batch(segmenter: Segmenter, texts: Sequence[str], source: str, lines: bool) -> TextsInBatch:
    """The sentences of short texts; see `Segmenter.segment_texts`."""
    joined = joined_texts(texts, ReadingReport(source), lines)
    codes, begins, ends, bounds = codes_of("".join(joined.texts)), joined.begins, joined.ends, joined.bounds
    found = segmenter.tokens(codes, begins, ends, lines, None)
    writer = SegmentWriter(segmenter, source, ranges=False, lines=lines, exceptions=None)
    parts, words, starts = writer.words(codes, found)
    of_text = np.searchsorted(found.begins, bounds)
    filled = np.flatnonzero(np.diff(of_text))
    new = np.zeros(len(found.begins), np.uint8)
    if not lines:
        new[np.searchsorted(found.begins, begins)] = NEW_PARAGRAPH
    new[of_text[filled]] |= NEW_PARAGRAPH | NEW_DOCUMENT
    last = (found.kinds == SENTENCE).astype(np.uint8)
    last[of_text[filled + 1] - 1] = 1
    counts = np.diff(np.concatenate([[0], np.cumsum(last, dtype=np.int64)])[of_text])
    shift = np.repeat(bounds[:-1], np.diff(of_text)).astype(np.int32)
    inside, until = found.begins - shift, found.ends - shift
    written = []
    for number in filled.tolist():
        a, b = of_text.item(number), of_text.item(number + 1)
        spans = (codes[bounds[number] : bounds[number + 1]], inside[a:b], until[a:b], last[a:b], new[a:b])
        written.append(conllu(*spans, parts[a : b + 1], words, starts, 1, -1))
    batch, problems, _ = scan(b"".join(written), CONLLU, source)
    assert not problems, problems
    own = np.maximum(np.diff(parts), 1)
    where = (np.repeat(places.astype(np.int64), own) for places in found[:2])
    return TextsInBatch(replace(batch, spans=Spans(*where)), counts.tolist(), (bounds[:-1] - joined.marks).tolist())


def joined_texts(texts: Sequence[str], report: ReadingReport, lines: bool) -> JoinedTexts:
    """Texts one after the other, with the stretches that are cut into tokens."""
    own, begins, ends, bounds = [], [], [], [0]
    for whole in texts:
        text = next(decoded(whole, report)) if whole.startswith(MARK) else whole
        at = bounds[-1]
        if "\n" in text and (lines or BREAK.search(text)):
            paragraphs = Paragraphs([text], lines=lines)
            for number, stretch in enumerate(paragraphs):
                at += 0 if number else len(paragraphs.before)
                begins.append(at)
                ends.append(at + len(stretch.text))
                at += len(stretch.text) + len(stretch.spaces)
        elif core := text.strip(ALL_SPACES):
            begin = at + (0 if text is core else len(text) - len(text.lstrip(ALL_SPACES)))
            begins.append(begin)
            ends.append(begin + len(core))
        own.append(text)
        bounds.append(bounds[-1] + len(text))
    marks = np.fromiter((text.startswith(MARK) for text in texts), np.int64, len(texts))
    return JoinedTexts(own, begins, ends, np.array(bounds), marks)
