"""A job as bytes on its way to a worker and its outcome on the way back, and how many jobs run at once.

Calls and outcomes are pickled, as `multiprocessing` and Dask do it: both ends are processes that one user started with
the same program. Nothing that is read from a file comes here; what workers share is bytes that the caller reads itself.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass
from traceback import format_exc
from typing import Any

from headway.base.errors import HeadwayError, assure_whole

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


@dataclass(frozen=True)
class SharedInJob:
    """Bytes that travel with every job, where a worker may be anywhere or is a thread."""

    content: bytes

    def read(self) -> bytes:
        return self.content


class ElsewhereError(Exception):
    """The traceback of an error in the worker where it was raised."""


def packed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """The call, for `attempt`; a worker imports the function by its name."""
    return pickle.dumps((function, arguments))


def attempt(call: bytes) -> bytes:
    """Run a packed call, for `unpacked`: its result or the error that it raised."""
    try:
        function, arguments = pickle.loads(call)
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
