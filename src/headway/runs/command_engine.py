"""Jobs that start a command of their own and wait for it, as many at once as there are workers."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
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
        self._lock, self._children, self._ended = threading.Lock(), WeakSet[subprocess.Popen[bytes]](), False
        self.executor = ThreadPoolExecutor(self.workers, "headway-job", initializer=self._begin)
        return self

    def _begin(self) -> None:
        leave_interrupts()
        _here.start = self._start

    def _start(self, words: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise CancelledError
            process = subprocess.Popen(words, **how)
            self._children.add(process)
            return process

    def __exit__(self, *exception: object) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._ended = True
            for process in self._children:
                assert process.stdin is not None
                with suppress(OSError):
                    process.stdin.close()
        self.executor.shutdown()


def child(words: Sequence[str], said: IO[bytes]) -> subprocess.Popen[bytes]:
    """A process, for `with`, that is to end when its standard input does; inside a job or anywhere else.

    That comes with the end of the block or of the job's engine, and with the death of this process. `said` takes what
    it prints.
    """
    start: Callable[..., subprocess.Popen[bytes]] = getattr(_here, "start", subprocess.Popen)
    environment = {**dict.fromkeys(BLAS_THREADS, "1"), **os.environ}
    return start(words, env=environment, stdin=subprocess.PIPE, stdout=said, stderr=said, bufsize=0)
