"""Threads of this process, for jobs that do no more than start a process of their own and wait for it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import IO, Any

from headway.base.option_kinds import assure_whole
from headway.runs.calls import SharedInJob

BLAS_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What numerical libraries ask when they are loaded: a worker is one thread, unless the user has said otherwise."""
_here = threading.local()


def number_of_workers(jobs: int | None) -> int:
    """As many as cores that this process may use where no number is given."""
    if jobs is not None:
        assure_whole("jobs", jobs)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return usable if jobs is None else jobs


def leave_interrupts() -> None:
    """Let no interrupt into this thread, nor into the processes that it starts: Ctrl-C is the parent's alone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class ThreadEngine:
    """The engine whose workers are threads; its end tells the processes that they have started to end, too."""

    def __init__(self, jobs: int | None = None) -> None:
        """As many workers as usable cores where no number is given."""
        self.workers = number_of_workers(jobs)

    def __enter__(self) -> ThreadEngine:
        self._children = _Children()
        self._threads = ThreadPoolExecutor(self.workers, "headway-job", initializer=self._begin)
        return self

    def _begin(self) -> None:
        leave_interrupts()
        _here.children = self._children

    def share(self, content: bytes) -> SharedInJob:
        return SharedInJob(content)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._threads.submit(function, *arguments)

    def __exit__(self, *exception: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._children.end()
        self._threads.shutdown()


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
        try:
            yield process
        finally:
            children.left(process)


class _Children:
    """The processes that the jobs of an engine have started and not left."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False

    def started(self, words: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise CancelledError
            process = subprocess.Popen(words, **how)
            self._running.add(process)
            return process

    def left(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.discard(process)

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for process in self._running:
                assert process.stdin is not None
                with suppress(OSError):
                    process.stdin.close()
