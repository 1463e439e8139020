"""Where jobs run: processes or threads of this machine, a Dask cluster, or any executor.

A job is the call of a function that a worker can import. Jobs are independent of each other and repeatable: one whose
worker dies is run again, and results never depend on the engine.

Calls and outcomes are pickled, as `multiprocessing` and Dask do it: both ends are processes that one user started with
the same program. Nothing that is read from a file comes here; what workers share is bytes that the caller reads itself.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from traceback import format_exc
from typing import IO, Any, Protocol
from weakref import WeakSet

from headway.base.errors import HeadwayError, assure_whole, shown
from headway.base.imports import import_parts, parts_to_import

DASK = "dask://"
AHEAD = 2
"""How many jobs are handed out for each worker, so that none of them waits for its next one."""
Call = tuple[Callable[..., Any], tuple[Any, ...]]
BLAS_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What numerical libraries ask when they are loaded: a worker is one thread, unless the user has said otherwise."""


def number_of_workers(jobs: int | None = None) -> int:
    """As many as cores that this process may use where no number is given."""
    if jobs is not None:
        assure_whole("jobs", jobs)
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def leave_interrupts() -> None:
    """Let no interrupt into this thread, nor into the processes that it starts: Ctrl-C is the parent's alone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class Shared(Protocol):
    """Bytes that all workers can reach: hashable, and cheap to send with every job."""

    def read(self) -> bytes:
        """The bytes, inside a job; they are read anew each time, so keep what you make of them."""


class Engine(Protocol):
    """Runs jobs between `with` and its end, which cancels what has not begun and kills local workers."""

    @property
    def workers(self) -> int:
        """How many jobs can run at once."""

    def share(self, content: bytes) -> Shared:
        """A handle that may stand anywhere in the arguments of a job, which reads it."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run a job; its error arrives as it was raised."""

    def __enter__(self) -> Engine: ...

    def __exit__(self, *exception: object) -> None: ...


def engine_from(
    name: str | Executor | None = None, jobs: int | None = None, local: Callable[[int | None], Engine] | None = None
) -> Engine:
    """The Dask cluster `dask://HOST:PORT`, the engine of an executor, or where none is named the `local` one.

    By default that is processes; `jobs` is the number of workers on this machine, by default that of its cores.
    """
    if name is None:
        from headway.runs.process_engine import ProcessEngine

        return (local or ProcessEngine)(jobs)
    if isinstance(name, Executor):
        return ExecutorEngine(name, jobs or 1)
    host, _, port = name.removeprefix(DASK).rpartition(":")
    if not name.startswith(DASK) or not host or not port.isdecimal():
        raise HeadwayError(f"unknown engine {shown(name)}; give dask://HOST:PORT, or none for processes")
    if jobs is not None:
        raise HeadwayError(f"{jobs} jobs on {shown(name)}: a cluster has its own workers; leave the number out")
    try:
        from headway.runs.dask_engine import DaskEngine
    except ImportError:
        raise HeadwayError(f"{shown(name)} needs Dask; install it with pip install distributed") from None
    return DaskEngine(name.removeprefix(DASK))


def completed(engine: Engine, calls: Iterable[Call]) -> Iterator[tuple[int, Any]]:
    """Number and result of each call, as they come.

    Calls are taken as workers get ready for them. The first error ends it, after the results that are there already.
    """
    numbers: dict[Future[Any], int] = {}
    numbered = enumerate(calls)
    try:
        while True:
            room = AHEAD * max(1, engine.workers) - len(numbers)
            for number, (function, arguments) in islice(numbered, max(0, room)):
                numbers[engine.submit(function, *arguments)] = number
            if not numbers:
                return
            done = wait(numbers, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=lambda future: (_failed(future), numbers[future])):
                result = future.result()
                yield numbers.pop(future), result
    finally:
        for future in numbers:
            future.cancel()


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None


@dataclass(frozen=True)
class SharedInJob:
    """Bytes that travel with every job, where a worker may be anywhere or is a thread."""

    content: bytes

    def read(self) -> bytes:
        return self.content


class ExecutorEngine:
    """The engine of any executor, which stays open at the end."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self.executor, self.workers = executor, workers

    def share(self, content: bytes) -> SharedInJob:
        return SharedInJob(content)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self.executor.submit(_called, function, arguments)

    def __enter__(self) -> ExecutorEngine:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def _called(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """The function's result; an error that could not be sent from one process to another is made one that can."""
    try:
        return function(*arguments)
    except Exception as error:
        if (same := portable(error)) is error:
            raise
        raise same from error


class ElsewhereError(Exception):
    """The traceback of an error in the worker where it was raised."""


def packed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """The call, for `attempt`; a worker imports the function by its name, after the files that this process has run."""
    return pickle.dumps((parts_to_import(), pickle.dumps((function, arguments))))


def attempt(call: bytes) -> bytes:
    """Run a packed call, for `unpacked`: its result or the error that it raised."""
    try:
        parts, function_and_arguments = pickle.loads(call)
        import_parts(parts)
        function, arguments = pickle.loads(function_and_arguments)
        return pickle.dumps((function(*arguments), None, ""))
    except Exception as error:
        return pickle.dumps((None, portable(error), format_exc()))


def unpacked(outcome: bytes) -> Any:
    """The result of a call; what it raised is raised again."""
    result, error, traceback = pickle.loads(outcome)
    if error is not None:
        raise error from ElsewhereError(traceback)
    return result


def portable(error: Exception) -> Exception:
    """The error itself where it survives pickling, else one that says the same."""
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:
        copy = None
    if type(copy) is type(error):
        return error
    if isinstance(error, HeadwayError):
        return HeadwayError(str(error))
    return RuntimeError(f"{type(error).__name__}: {error}")


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
