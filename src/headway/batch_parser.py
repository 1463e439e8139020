"""What parsers of every kind have in common: a batch in, its trees out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Codes, Ints
from headway.evaluation.definitions import definition_for, is_punctuation, without_subtype
from headway.pseudoprojective import DOWN, UP, deprojectivize
from headway.sentence import Sentence
from headway.transition.data import Source, batches_of

PREDICTED = "predicted"
"""The name of the layer with the trees that a parser found."""
Result = TypeVar("Result")


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

    def annotate(self, batch: Batch) -> Batch:
        """The batch with new heads and labels in a layer on top."""
        parsed = self.trees(batch)
        labels = Codes(parsed.labels, tuple(parsed.names))
        return batch.with_layer(PREDICTED, heads=parsed.heads, columns={"DEPREL": labels})

    def parse_batch(self, batch: Batch) -> bytes:
        """The batch in its own format with new heads and labels; what they make stale is `_`, all else stays."""
        return self.annotate(batch).render(batch.format)

    def parse_batches(self, source: Source, threads: int = 1) -> Iterator[tuple[Batch, bytes]]:
        """Each batch with its parsed bytes, in order; with threads, some batches are parsed at once."""
        return _in_order(self.parse_batch, batches_of(source), threads)

    def parse(self, source: Source, threads: int = 1) -> Iterator[Sentence]:
        """The sentences of a file, a reader or an iterable, parsed, in order.

        Their trees are the layer "predicted" over the batch that was read: `sentence.batch.beneath("predicted")`
        has the trees that were given, if any.
        """
        for _, done in _in_order(self.annotate, batches_of(source), threads):
            for index in range(len(done)):
                yield Sentence.view(done, index)


def _in_order(
    work: Callable[[Batch], Result], batches: Iterable[Batch], threads: int
) -> Iterator[tuple[Batch, Result]]:
    """Each batch with the result of the work on it, in order; with threads, some batches are worked on at once."""
    if threads <= 1:
        for batch in batches:
            yield batch, work(batch)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[Batch, Future[Result]]] = deque()
        for batch in batches:
            waiting.append((batch, pool.submit(work, batch)))
            if len(waiting) > 2 * threads:
                first, done = waiting.popleft()
                yield first, done.result()
        for first, done in waiting:
            yield first, done.result()


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
