"""A Dask cluster as engine: its scheduler runs the jobs of a worker that dies on another one."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any
from uuid import uuid4

from distributed import Client, KilledWorker, Worker, WorkerPlugin

from headway.base.errors import HeadwayError
from headway.base.version import __version__
from headway.runs.engines import attempt, packed, unpacked

PATIENCE = 10.0
"""Seconds to wait for the scheduler, and for its first worker."""
VERSION = "headway.base.version:__version__"
LOGGERS = ("distributed", "distributed.client", "tornado.application")
"""Those that Dask gives levels of their own; they print tracebacks when a connection is lost."""
PLACED: dict[str, bytes] = {}
"""In a worker: what has been shared with it."""


@dataclass(frozen=True)
class SharedInWorker:
    """Bytes that a plugin has put into every worker."""

    key: str

    def read(self) -> bytes:
        return PLACED[self.key]


class PuttingIntoWorkers(WorkerPlugin):
    """Puts bytes into every worker, also those that join later.

    Data that Dask scatters is lost with the last worker that holds it, and with it every job that needs it.
    """

    def __init__(self, key: str, content: bytes) -> None:
        self.name = key
        self.content = content

    def setup(self, worker: Worker) -> None:
        PLACED[self.name] = self.content

    def teardown(self, worker: Worker) -> None:
        PLACED.pop(self.name, None)


class DaskEngine:
    """The engine of the scheduler at `HOST:PORT`."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> DaskEngine:
        with ExitStack() as entered:
            entered.enter_context(_silence())
            self._connect()
            entered.callback(self._client.close)
            self._check_workers()
            self._entered = entered.pop_all()
        return self

    def _connect(self) -> None:
        connect: Callable[..., Any] = Client
        try:
            self._client = connect(f"tcp://{self.address}", timeout=PATIENCE, set_as_default=False)
        except OSError:
            raise HeadwayError(
                f"dask://{self.address}: no Dask scheduler answers there; start one with dask scheduler, or correct "
                "the address"
            ) from None
        self._executor = self._client.get_executor(pure=False)
        self._shared: set[str] = set()
        self._mark = uuid4().hex

    def _check_workers(self) -> None:
        """Refuse a cluster without workers, and workers with another headway or none."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except (TimeoutError, asyncio.TimeoutError):
            raise HeadwayError(
                f"dask://{self.address}: the scheduler has no workers; start some with dask worker {self.address}"
            ) from None
        versions = self._client.run(resolve_name, VERSION, on_error="return")
        for worker, version in sorted(versions.items()):
            if version != __version__:
                found = "no headway" if isinstance(version, Exception) else f"headway {version}"
                raise HeadwayError(
                    f"dask://{self.address}: worker {worker} has {found}, this machine {__version__}; install the "
                    "same version everywhere"
                )

    @property
    def workers(self) -> int:
        with self._connected():
            return sum(self._client.nthreads().values())

    def share(self, content: bytes) -> SharedInWorker:
        key = f"headway-{self._mark}-{hashlib.sha256(content).hexdigest()}"
        if key not in self._shared:
            with self._connected():
                self._client.register_plugin(PuttingIntoWorkers(key, content))
            self._shared.add(key)
        return SharedInWorker(key)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._connected():
            task = self._executor.submit(attempt, packed(function, arguments))

        def settle(task: Future[bytes]) -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(self._result(task))
                except Exception as error:
                    future.set_exception(error)

        def cancel(future: Future[Any]) -> None:
            if future.cancelled():
                task.cancel()

        task.add_done_callback(settle)
        future.add_done_callback(cancel)
        return future

    def _result(self, task: Future[bytes]) -> Any:
        """What a finished task returned or raised; what happened to the cluster in a sentence."""
        try:
            outcome = task.result()
        except KilledWorker:
            raise HeadwayError(
                f"dask://{self.address}: several workers died of the same job, most often for want of memory; give "
                "them more memory or fewer threads"
            ) from None
        except (CancelledError, OSError):
            raise self._gone() from None
        return unpacked(outcome)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Refuse to ask a client that has given up its scheduler: it would answer never, or with errors of its own."""
        if self._client.status not in ("running", "connecting"):
            raise self._gone()
        try:
            yield
        except (OSError, RuntimeError):
            raise self._gone() from None

    def _gone(self) -> HeadwayError:
        return HeadwayError(
            f"dask://{self.address}: the connection to the scheduler is lost; run the same command again to go on"
        )

    def __exit__(self, *exception: object) -> None:
        with self._entered:
            if self._client.status == "running":
                for key in self._shared:
                    with suppress(OSError):
                        self._client.unregister_worker_plugin(key)


@contextmanager
def _silence() -> Iterator[None]:
    """Let Dask print nothing: what happens to the cluster is said in the sentence of an error."""
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
