"""Sentences that are too long for a decoder whose time is not linear: they are parsed window by window.

A long sentence is cut into windows of up to `WINDOW` words, behind the last mark that ends a sentence or else a
clause, where there is one. Each window is parsed as a sentence, with all that the model knows. The roots of the
windows, in their order, are then parsed as a sentence of their own (in windows again where they are many), and the tree
of roots joins the trees of windows: one tree, projective where the decoder's trees are, with one root where they have
one. Linear time.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.layers import Names
from headway.features.encode import Encoded, chosen
from headway.kernels.graph.evidence import EVIDENCE
from headway.stages.calibration.evidence import Evidence, Floats
from headway.stages.constraints import Constraints
from headway.stages.single_labels import Settled, settled, settled_within, words_of
from headway.stages.tree_stage import ConfidentTreeStage, Parsed, restored

logger = logging.getLogger("headway")
WINDOW = 60
SHORTEST, FARTHEST = 10, 20_000
"""What `longest` may be. The kernels count the cells of two words with 32 bits."""
MARKS = {**dict.fromkeys(";:,)；：，、؛،", 1), **dict.fromkeys(".!?…。！？؟।॥။።", 2)}
"""Words behind which a sentence may be cut; the higher number is the better place."""


class Found(NamedTuple):
    """Heads and labels of words, and a row of evidence for each: how sure the parser was; nothing where nobody asks."""

    heads: Ints
    labels: Ints
    evidence: Floats


Find = Callable[[Ints | None, Ints], Found]
"""Numbers of words, None for all, and where sentences of them begin → what was found."""
Stage = TypeVar("Stage", bound="WindowedStage")


def assure_longest(words: object) -> None:
    """Refuse what is no limit."""
    if isinstance(words, bool) or not isinstance(words, int) or not SHORTEST <= words <= FARTHEST:
        raise HeadwayError(f"longest = {words!r} is not between {SHORTEST} and {FARTHEST:,}; 1,000 is a good number")


def assure_learnable(words: int, place: str = "") -> None:
    """Refuse to learn from a sentence that is longer than any limit may be."""
    if words > FARTHEST:
        raise HeadwayError(
            f"{place + ': the' if place else 'a'} sentence has {words:,} words; at most {FARTHEST:,} are possible, so"
            " cut it or leave it out"
        )


class WindowedStage(PickledByFields, ConfidentTreeStage):
    """A parser whose time is not linear; a frozen dataclass with a field `limit`, None for that of its decoder."""

    limit: int | None
    encoding: str | None

    @property
    @abstractmethod
    def longest(self) -> int:
        """Words of the longest sentence that is parsed as a whole."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The labels."""

    @abstractmethod
    def encoded(self, batch: Batch) -> tuple[Encoded, ...]:
        """The words of a batch as its features see them; those of labels last."""

    @abstractmethod
    def find(self, words: tuple[Encoded, ...], offsets: Ints, evidence: Floats | None) -> tuple[Ints, Ints]:
        """Heads and labels of sentences of these words, and rows of evidence where they are asked for."""

    @abstractmethod
    def rate_labels(self, words: Encoded, offsets: Ints, heads: Ints, labels: Ints, scores: Floats) -> None:
        """Write the scores of all labels for sentences with these heads; labels before each are known."""

    def label_scores(self, batch: Batch, sentences: Ints, heads: Ints, labels: Ints) -> Floats:
        """The scores of all labels for the words of some sentences with these heads; labels before each are known."""
        words, offsets = words_of(batch.sentence_word, sentences)
        scores = np.empty((len(words), len(self.names)), np.float32)
        self.rate_labels(chosen(self.encoded(batch)[-1], words), offsets, heads, labels, scores)
        return scores

    def settled_within(self, batch: Batch, index: int, found: Parsed, constraints: Constraints) -> Parsed:
        """The tree that was found for one sentence under constraints, with arcs put back and single labels once."""

        def label_scores(_: Ints) -> Floats:
            return self.label_scores(batch, np.array([index], np.int32), found.heads, found.labels)

        return settled_within(found, self.encoding, self.single_labels, label_scores, constraints)

    def finder(self, batch: Batch, with_evidence: bool) -> Find:
        """Heads and labels of sentences made of words of this batch; with evidence where that is asked for."""
        every, columns = self.encoded(batch), len(EVIDENCE) if with_evidence else 0

        def find(words: Ints | None, offsets: Ints) -> Found:
            rows = np.zeros((int(offsets[-1]), columns), np.float32)
            if not len(rows):
                return Found(np.zeros(0, np.int32), np.zeros(0, np.int32), rows)
            some = every if words is None else tuple(chosen(one, words) for one in every)
            return Found(*self.find(some, offsets, rows if with_evidence else None), rows)

        return find

    def trees(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch."""
        return self._settled(batch, self.found(batch)).parsed

    def trees_with_evidence(self, batch: Batch) -> tuple[Parsed, Evidence]:
        """The same, with evidence for each word."""
        parsed, rows = self._found(batch, with_evidence=True)
        found = self._settled(batch, parsed)
        rows[found.words, EVIDENCE.index("label")] = found.margins
        return found.parsed, Evidence(dict(zip(EVIDENCE, rows.T, strict=True)), {})

    def _settled(self, batch: Batch, raw: Parsed) -> Settled:
        """Trees with arcs put back and single labels once; `raw` are those found."""
        offsets = batch.sentence_word

        def label_scores(sentences: Ints) -> Floats:
            words, _ = words_of(offsets, sentences)
            return self.label_scores(batch, sentences, raw.heads[words], raw.labels[words])

        trees = restored(raw, offsets, self.encoding)
        return settled(trees, raw, offsets, self.single_labels, label_scores, longest=self.longest)

    def with_longest(self: Stage, words: int) -> Stage:
        """The same parser with another limit, which was checked."""
        return replace(self, limit=words)  # type: ignore[type-var]

    def assure_whole(self, batch: Batch, index: int = 0) -> None:
        """Refuse to look at the tree of a sentence that is parsed in windows: it is joined from several."""
        first, last = batch.sentence_word[index : index + 2]
        if last - first > self.longest:
            raise HeadwayError(
                f"{batch.source}:{batch.numbers[index]}: sentences of more than {self.longest:,} words are parsed in"
                " windows and cannot be explained, scored, constrained or corrected as one; raise the limit with"
                " --longest (in Python with_longest)"
            )

    @cached_property
    def _names(self) -> Names:
        return Names(self.names)

    def found(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch, long sentences in windows; arcs that were lifted still are."""
        return self._found(batch, with_evidence=False)[0]

    def _found(self, batch: Batch, with_evidence: bool) -> tuple[Parsed, Floats]:
        """The same with rows of evidence."""
        offsets, find = batch.sentence_word, self.finder(batch, with_evidence)
        lengths = np.diff(offsets)
        if lengths.max(initial=0) <= self.longest:
            heads, labels, evidence = find(None, offsets)
        else:
            first = int(np.argmax(lengths > self.longest))
            _say_long(batch.source, int(batch.numbers[first]), int(lengths[first]), self.longest)
            ends = np.array([MARKS.get(form, 0) for form in batch.column("FORM")], np.int8)
            heads, labels, evidence = in_windows(find, None, offsets, ends, self.longest)
        return Parsed(heads, labels, self._names), evidence


def in_windows(find: Find, words: Ints | None, offsets: Ints, ends: NDArray[np.int8], longest: int) -> Found:
    """Heads and labels of sentences that may be longer than `longest`; `ends` says of each word what mark it is."""
    long = np.flatnonzero(np.diff(offsets) > longest)
    if not len(long):
        return find(words, offsets)
    size = min(longest, WINDOW)
    cut = [cuts(ends[offsets[s] : offsets[s + 1]], size) + offsets[s] for s in long]
    windows = np.unique(np.concatenate([offsets, *cut])).astype(np.int32)
    heads, labels, evidence = find(words, windows)
    # Heads counted from the beginning of their window, now of their sentence.
    first = offsets[np.searchsorted(offsets, windows[:-1], side="right") - 1]
    begins = np.repeat(windows[:-1] - first, np.diff(windows))
    heads = np.where(heads > 0, heads + begins, 0).astype(np.int32)
    roots = [np.flatnonzero(heads[offsets[s] : offsets[s + 1]] == 0) + offsets[s] for s in long]
    joined = [s for s, each in zip(long, roots, strict=True) if 2 * len(each) <= offsets[s + 1] - offsets[s]]
    if joined:
        roots = [each for s, each in zip(long, roots, strict=True) if s in joined]
        tops = np.concatenate(roots)
        own = np.cumsum([0, *map(len, roots)], dtype=np.int32)
        some = tops.astype(np.int32) if words is None else words[tops]
        upper, upper_labels, upper_evidence = in_windows(find, some, own, ends[tops], longest)
        for number, s in enumerate(joined):
            span, each = slice(own[number], own[number + 1]), roots[number]
            places = np.concatenate([[0], each - offsets[s] + 1])
            heads[each], labels[each] = places[upper[span]], upper_labels[span]
            evidence[each] = upper_evidence[span]
    return Found(heads, labels, evidence)


def cuts(ends: NDArray[np.int8], size: int) -> Ints:
    """Where to cut a sentence into windows of more than half of `size` words and not more than all."""
    found, at, words = [], 0, len(ends)
    while words - at > size:
        marks = ends[at + size // 2 : at + size]
        at += size // 2 + int(np.flatnonzero(marks == marks.max())[-1]) + 1
        found.append(at)
    return np.array(found, np.int32)


@lru_cache(maxsize=1024)
def _noted(source: str, longest: int) -> list[int]:
    """Where the first long sentence of a file was; empty until one is met."""
    return []


def _say_long(source: str, line: int, words: int, longest: int) -> None:
    """Say once for each file that sentences are parsed in windows."""
    noted = _noted(source, longest)
    if not noted:
        noted.append(line)
        logger.warning(
            "%s:%d: this sentence has %s words; those of more than %s are parsed window by window, in linear time"
            " (--longest sets the limit)",
            *(source, line, f"{words:,}", f"{longest:,}"),
        )
