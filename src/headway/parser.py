"""A parser as users have it: a row of stages, read from one file."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from headway import model
from headway.batch import Batch
from headway.data import Source, batches_of
from headway.sentence import Sentence
from headway.stage import Stage
from headway.windows import WindowedStage

Result = TypeVar("Result")


class Parser:
    """Stages in a row, each of which sees what those before it have found.

    >>> import headway
    >>> from headway.sample import generate
    >>> parser = headway.train(generate(50), passes=2)
    >>> [sentence] = parser.parse(generate(1))
    >>> sorted(parser.gives), len(sentence.heads) == len(sentence)
    (['DEPREL', 'HEAD'], True)
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self.stages = tuple(stages)

    @property
    def needs(self) -> frozenset[str]:
        """The columns that the input must have: those that some stage looks at and none before it gives."""
        needed: set[str] = set()
        given: set[str] = set()
        for stage in self.stages:
            needed |= stage.needs - given
            given |= stage.gives
        return frozenset(needed)

    @property
    def gives(self) -> frozenset[str]:
        """The columns that are filled."""
        return frozenset().union(*(stage.gives for stage in self.stages))

    @property
    def about(self) -> Mapping[str, Any]:
        """Where the last stage comes from: options, treebank, scores."""
        return self.stages[-1].about

    def with_about(self, **facts: Any) -> Parser:
        """The same parser with more said about its last stage."""
        return Parser([*self.stages[:-1], self.stages[-1].with_about(**facts)])

    def with_longest(self, words: int) -> Parser:
        """The same parser, which takes sentences of up to so many words as a whole and longer ones in windows.

        Stages whose time is linear in the words have no limit and stay as they are.
        """
        return Parser(
            [stage.with_longest(words) if isinstance(stage, WindowedStage) else stage for stage in self.stages]
        )

    def annotate(self, batch: Batch) -> Batch:
        """The batch with what all stages find."""
        for stage in self.stages:
            batch = stage.annotate(batch)
        return batch

    def parse_batches(self, source: Source, threads: int = 1) -> Iterator[Batch]:
        """The batches of a source, parsed, in order; with threads, some of them at once."""
        return _mapped(self.annotate, batches_of(source), threads)

    def parse_bytes(self, source: Source, threads: int = 1) -> Iterator[bytes]:
        """The same as bytes in their own format; every byte that no stage has changed stays."""

        def rendered(batch: Batch) -> bytes:
            return self.annotate(batch).render(batch.format)

        return _mapped(rendered, batches_of(source), threads)

    def parse(self, source: Source, threads: int = 1) -> Iterator[Sentence]:
        """The sentences of a file, a reader or an iterable, parsed, in order."""
        for batch in self.parse_batches(source, threads):
            for index in range(len(batch)):
                yield Sentence.view(batch, index)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file; it appears when it is complete."""
        model.save(path, self.stages)


def load(path: str | os.PathLike[str]) -> Parser:
    """The parser in a model file; weights are read from the file when they are used."""
    return Parser(model.load(path))


def _mapped(function: Callable[[Batch], Result], batches: Iterable[Batch], threads: int) -> Iterator[Result]:
    """What a function makes of batches, in order; with threads, of some of them at once."""
    if threads <= 1:
        yield from map(function, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for batch in batches:
            waiting.append(pool.submit(function, batch))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
