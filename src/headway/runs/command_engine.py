"""Jobs that start a command of their own and wait for it, as many at once as there are workers."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import IO, Any
from weakref import WeakSet

from headway.runs.engines import BLAS_THREADS, ExecutorEngine, leave_interrupts, number_of_workers

_here = threading.local()


class CommandEngine(ExecutorEngine):
    """The engine whose workers are threads; its end tells the processes that they have started to end, too."""

    def __init__(self, jobs: int | None = None) -> None:
        """As many workers as usable cores where no number is given."""
        self.workers = number_of_workers(jobs)

    def __enter__(self) -> CommandEngine:
        self._children = _Children()
        self.executor = ThreadPoolExecutor(self.workers, "headway-job", initializer=self._begin)
        return self

    def _begin(self) -> None:
        leave_interrupts()
        _here.children = self._children

    def __exit__(self, *exception: object) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        self._children.end()
        self.executor.shutdown()


@contextmanager
def child(words: Sequence[str], said: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is to end when its standard input does; inside a job or anywhere else.

    That comes with the end of the block or of the job's engine, and with the death of this process. `said` takes what
    it prints.
    """
    environment = {**dict.fromkeys(BLAS_THREADS, "1"), **os.environ}
    children: _Children = getattr(_here, "children", None) or _Children()
    how = {"env": environment, "stdin": subprocess.PIPE, "stdout": said, "stderr": said, "bufsize": 0}
    with children.started(words, **how) as process:
        yield process


class _Children:
    """The processes that the jobs of an engine have started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = WeakSet[subprocess.Popen[bytes]]()
        self._ended = False

    def started(self, words: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise CancelledError
            process = subprocess.Popen(words, **how)
            self._running.add(process)
            return process

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for process in self._running:
                assert process.stdin is not None
                with suppress(OSError):
                    process.stdin.close()
