"""Worker processes of this machine: a killed one costs its job alone, and none outlives its parent.

No library that we tried does all that `tests/runs/test_engines.py` asks for. In `concurrent.futures` a killed worker
ends the whole pool. Pebble's workers share one pipe and its lock, which a worker may take along when it is killed; they
do not look whether their parent lives, and ending the pool while jobs run breaks it. A local cluster of Dask runs jobs
again whose results were on the killed worker, and its first result takes three seconds instead of a fifth of one.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import LifoQueue
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.files import replacing
from headway.runs.engines import BLAS_THREADS, attempt, leave_interrupts, number_of_workers, packed, unpacked

DEATHS = 3
"""So many workers may die of a job before it is given up."""
STARTING = Lock()
"""Held while a worker starts, as it inherits what is then in the environment."""


@dataclass(frozen=True)
class SharedFile:
    """Bytes in a file."""

    path: str

    def read(self) -> bytes:
        return Path(self.path).read_bytes()


class ProcessEngine:
    """The engine that starts a process for each worker when it is first needed, and again when it has died."""

    def __init__(self, jobs: int | None = None) -> None:
        """As many workers as usable cores where no number is given."""
        self.workers = number_of_workers(jobs)

    def __enter__(self) -> ProcessEngine:
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise HeadwayError(
                "a worker process has come to this call while it read your script; put the call below "
                'if __name__ == "__main__": there, or take jobs=1 where the function has it'
            )
        # In some versions of Python its start lets interrupts through again in the thread that first needs it.
        resource_tracker.ensure_running()
        self._folder = TemporaryDirectory(prefix="headway-")
        self._threads = ThreadPoolExecutor(self.workers, "headway-worker", initializer=leave_interrupts)
        self._every = [Worker(self._folder.name) for _ in range(self.workers)]
        self._idle: LifoQueue[Worker] = LifoQueue()
        for worker in self._every:
            self._idle.put(worker)
        return self

    def share(self, content: bytes) -> SharedFile:
        path = Path(self._folder.name) / hashlib.sha256(content).hexdigest()
        if not path.exists():
            with replacing(path) as stream:
                stream.write(content)
        return SharedFile(str(path))

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._threads.submit(self._run, packed(function, arguments))

    def _run(self, call: bytes) -> Any:
        worker = self._idle.get()
        try:
            for _ in range(DEATHS):
                outcome = worker.run(call)
                if outcome is not None:
                    return unpacked(outcome)
            raise HeadwayError(f"{DEATHS} workers died of the same job, {worker.cause}")
        finally:
            self._idle.put(worker)

    def __exit__(self, *exception: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._every:
            worker.end()
        self._threads.shutdown()
        self._folder.cleanup()


class Worker:
    """A process that runs one job after another, started where none is running."""

    def __init__(self, folder: str) -> None:
        """The folder is what the worker removes where its parent was killed and cannot."""
        self._folder = folder
        self._process: SpawnProcess | None = None
        self._ended = False
        self._code: int | None = None

    def run(self, call: bytes) -> bytes | None:
        """The outcome of a packed call; None where the process died of it."""
        process, pipe = self._started()
        try:
            pipe.send_bytes(call)
            return pipe.recv_bytes()
        except (EOFError, OSError):
            pipe.close()
            process.kill()
            process.join()
            self._process, self._code = None, process.exitcode
            return None

    def _started(self) -> tuple[SpawnProcess, Connection]:
        with STARTING:
            if self._ended:
                raise CancelledError
            if self._process is None:
                context = multiprocessing.get_context("spawn")
                self._pipe, theirs = context.Pipe()
                process = context.Process(target=serve, args=(theirs, self._folder), daemon=True)
                with theirs, _one_thread():
                    process.start()
                self._process = process
            return self._process, self._pipe

    def end(self) -> None:
        """Kill the process and start none again."""
        with STARTING:
            self._ended = True
            if self._process is not None:
                self._process.kill()

    @property
    def cause(self) -> str:
        """What the last process died of, and what to do."""
        if self._code == -signal.SIGKILL:
            return "killed by SIGKILL, most often for want of memory; take fewer --jobs, or a machine with more memory"
        if self._code is not None and self._code < 0:
            return f"killed by {signal.Signals(-self._code).name}; report it with the command that led to it"
        return (
            f"with exit code {self._code}; read what they said above, and call headway under "
            'if __name__ == "__main__": in a script of your own'
        )


def serve(pipe: Connection, folder: str) -> None:
    """The life of a worker: outcomes for packed calls, until its parent dies.

    Temporary files of jobs go into the folder, so that they, too, are gone then.
    """
    tempfile.tempdir = folder
    Thread(target=_die_with_parent, args=(folder,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(attempt(pipe.recv_bytes()))
    _die_with_parent(folder)


def _die_with_parent(folder: str) -> None:
    """In the middle of a job, too, which nobody would take the result of."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


@contextmanager
def _one_thread() -> Iterator[None]:
    added = [name for name in BLAS_THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
