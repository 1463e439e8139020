"""A row of stages that changes with corrections, for whoever parses with it at the same time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import Any
from weakref import WeakSet

from headway.data.batch import Batch
from headway.data.document import Document
from headway.stages.contract import Stage
from headway.stages.pipeline import Pipeline
from headway.stages.updating import AdaptsCuts, CorrectedDocument, Correction, learn

MOST_PASSES = 3
"""How often the sentences of a document are learned from, until one pass finds all of them right."""


@dataclass(eq=False)
class _State:
    """A row as it is between two corrections."""

    row: Pipeline
    private: tuple[Stage, ...] = ()
    """Stages whose weights nobody else can have, so that they may change in place."""
    readers: int = 0
    """How many are parsing with it."""


_SHARED: WeakSet[SharedPipeline] = WeakSet()
_HELD: list[Any] = []


def _hold_all() -> None:
    """A process that forks waits for corrections to end: its child gets no lock that nobody gives back."""
    for shared in list(_SHARED):
        shared._lock.acquire()
        _HELD.append(shared._lock)


def _release_all() -> None:
    while _HELD:
        _HELD.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_all, after_in_parent=_release_all, after_in_child=_release_all)


class SharedPipeline:
    """A row of stages: whoever parses with it sees it before or after a correction, never between.

    A correction changes weights in place where nobody else has them. Otherwise it copies them, once, and whoever has
    the row keeps it as it was. All methods may be called from any thread.
    """

    def __init__(self, row: Pipeline) -> None:
        self._state = _State(row)
        # A generator that nobody wants any more may be closed at any time, also while this thread has the lock.
        self._lock = RLock()
        _SHARED.add(self)

    @property
    def _now(self) -> Pipeline:
        """The row as it is, for questions about anything but weights."""
        return self._state.row

    @property
    def row(self) -> Pipeline:
        """The row of stages as it is now, to keep; corrections that come later do not change it."""
        with self._lock:
            self._state.private = ()
            return self._state.row

    @contextmanager
    def lent(self) -> Iterator[Pipeline]:
        """The row of stages as it is now, for a `with`; corrections that come meanwhile do not change it.

        Whoever asks for `row` instead may keep it, so that the next correction copies its weights.
        """
        with self._lock:
            state = self._state
            state.readers += 1
        try:
            yield state.row
        finally:
            with self._lock:
                state.readers -= 1

    def _learn(self, corrected: CorrectedDocument) -> bool:
        """Learn from corrections; whether all that counts is right then."""
        with self._lock:
            right = corrected.cuts is None or self._recut(corrected.cuts)
            for _ in range(MOST_PASSES):
                before = self._state
                found = [self._learn_sentence(*one) for one in corrected.sentences]
                # Where there are several sentences, what one teaches may be wrong for another.
                if len(found) < 2 or self._state is before:
                    return right and all(found)
            return False

    def _recut(self, document: Document) -> bool:
        state = self._state
        segmenter = state.row.segmenter
        assert isinstance(segmenter, AdaptsCuts)
        learned = segmenter.recut(document, in_place=not state.readers and segmenter in state.private)
        self._replace([segmenter], [learned.stage])
        return learned.right

    def _learn_sentence(self, batch: Batch, correction: Correction) -> bool:
        state = self._state
        running = state.row.running
        learned = learn(running, batch, correction, own=() if state.readers else state.private)
        self._replace(running, learned.stages)
        return learned.right

    def _replace(self, before: Iterable[Any], after: Iterable[Any]) -> None:
        """The row goes on with new stages in the places of others; nobody else has them."""
        state = self._state
        new = {id(old): stage for old, stage in zip(before, after, strict=True) if stage is not old}
        if new:
            stages = tuple(new.get(id(stage), stage) for stage in state.row.stages)
            private = (stage for stage in state.private if id(stage) not in new)
            self._state = _State(Pipeline(stages), private=(*new.values(), *private))
