"""A row of stages that many threads parse with while corrections change it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock

from headway.data.batch import Batch
from headway.stages.constraints import Constraints
from headway.stages.pipeline import Pipeline
from headway.stages.updating import updated


@dataclass(eq=False)
class _State:
    """A row as it is between two corrections."""

    row: Pipeline
    private: bool = False
    """Whether nobody else can have the weights of its last stage, so that they may change in place."""
    readers: int = 0
    """How many are parsing with it."""


class SharedPipeline:
    """A row of stages: whoever parses with it sees it before or after a correction, never between.

    A correction changes weights in place where nobody else has them. Otherwise it copies them, once, and whoever has
    the row keeps it as it was. All methods may be called from any thread.
    """

    def __init__(self, row: Pipeline) -> None:
        self._state = _State(row)
        # A generator that nobody wants any more may be closed at any time, also while this thread has the lock.
        self._lock = RLock()

    def now(self) -> Pipeline:
        """The row as it is, for questions about anything but weights."""
        return self._state.row

    def given(self) -> Pipeline:
        """The row as it is, to keep."""
        with self._lock:
            self._state.private = False
            return self._state.row

    @contextmanager
    def lent(self) -> Iterator[Pipeline]:
        """The row as it is, for some time."""
        with self._lock:
            state = self._state
            state.readers += 1
        try:
            yield state.row
        finally:
            with self._lock:
                state.readers -= 1

    def learn(self, batch: Batch, wanted: Constraints) -> bool:
        """Learn from a correction of the one sentence of a batch; whether it is parsed right then."""
        with self._lock:
            state = self._state
            running = state.row.running
            learned = updated(running, batch, wanted, in_place=state.private and not state.readers)
            if learned.stage is not running[-1]:
                stages = (learned.stage if stage is running[-1] else stage for stage in state.row.stages)
                self._state = _State(Pipeline(tuple(stages)), private=True)
            return learned.right
