"""What parsers of every kind have in common: a batch in, its trees out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Ints, scan
from headway.evaluation.definitions import definition_for, is_punctuation, without_subtype
from headway.pseudoprojective import DOWN, UP, deprojectivize
from headway.sentence import Sentence
from headway.transition.data import Source, batches_of


class Parsed(NamedTuple):
    """Trees for the words of a batch; labels are indices of names."""

    heads: Ints
    labels: Ints
    names: list[str]


class BatchParser(ABC):
    """A parser that finds the trees of a whole batch at once."""

    @abstractmethod
    def trees(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch."""

    def parse_batch(self, batch: Batch) -> bytes:
        """The batch in its own format with new heads and labels; every other byte stays."""
        parsed = self.trees(batch)
        return batch.render(batch.format, heads=parsed.heads, labels=parsed.labels, names=parsed.names)

    def parse_batches(self, source: Source, threads: int = 1) -> Iterator[tuple[Batch, bytes]]:
        """Each batch with its parsed bytes, in order; with threads, some batches are parsed at once."""
        if threads <= 1:
            for batch in batches_of(source):
                yield batch, self.parse_batch(batch)
            return
        with ThreadPoolExecutor(threads) as pool:
            waiting: deque[tuple[Batch, Future[bytes]]] = deque()
            for batch in batches_of(source):
                waiting.append((batch, pool.submit(self.parse_batch, batch)))
                if len(waiting) > 2 * threads:
                    first, done = waiting.popleft()
                    yield first, done.result()
            for first, done in waiting:
                yield first, done.result()

    def parse(self, source: Source, threads: int = 1) -> Iterator[Sentence]:
        """The sentences of a file, a reader or an iterable, parsed, in order."""
        for batch, text in self.parse_batches(source, threads):
            done, _, _ = scan(text, batch.format, batch.source)
            for index in range(len(done)):
                yield Sentence.view(done, index)


def restored(parsed: Parsed, offsets: Ints, encoding: str) -> Parsed:
    """Trees with lifted arcs put back where marks on labels ask for it."""
    heads, labels, names = parsed.heads, parsed.labels, list(parsed.names)
    marked = np.array([UP in name or DOWN in name or "\\" in name for name in names])
    if not marked.any() or not len(heads):
        return parsed
    number = {name: index for index, name in enumerate(names)}
    for s in np.flatnonzero(np.add.reduceat(marked[labels], offsets[:-1])):
        span = slice(offsets[s], offsets[s + 1])
        tree, clean = deprojectivize(heads[span], [names[label] for label in labels[span]], encoding)
        heads[span] = tree
        for name in clean:
            if name not in number:
                number[name] = len(names)
                names.append(name)
        labels[span] = [number[name] for name in clean]
    return Parsed(heads, labels, names)


def right_words(parser: BatchParser, batch: Batch) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which words of a batch get the right head, and which of these the right label, in full."""
    parsed = parser.trees(batch)
    right = parsed.heads == batch.heads
    names = np.array(parsed.names, object)[parsed.labels]
    return right, right & (names == np.array(batch.column("DEPREL"), object))


def attachment(parser: BatchParser, batches: Sequence[Batch]) -> tuple[float, float]:
    """LAS and UAS by the definition that `headway evaluate` takes by default for the batches' format."""
    right = labelled = words = 0
    for batch in batches:
        definition = definition_for(batch.format.name)
        parsed = parser.trees(batch)
        counted = np.ones(len(batch.heads), bool)
        if not definition.punctuation:
            counted = np.array([not is_punctuation(form) for form in batch.column("FORM")], bool)
        names, gold = parsed.names, batch.column("DEPREL")
        if not definition.subtypes:
            names, gold = list(map(without_subtype, names)), list(map(without_subtype, gold))
        same = counted & (parsed.heads == batch.heads)
        right += int(same.sum())
        labelled += int((same & (np.array(names, object)[parsed.labels] == np.array(gold, object))).sum())
        words += int(counted.sum())
    return 100 * labelled / max(1, words), 100 * right / max(1, words)
