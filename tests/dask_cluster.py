"""A real Dask cluster on loopback: scheduler and workers are processes, and some of them are killed."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from distributed import Client
from waiting import members, until

CONNECT = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}
"""So long the scheduler tries to fetch a result from a worker that has just been killed; usually 30 seconds."""
PATH = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])


class Cluster:
    """A scheduler and the workers that have been started; all of them end with the test."""

    def __init__(self, folder):
        self.folder, self.started = folder, []
        self.contact = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0")

    def start(self, kind, *options):
        words = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{kind}",
            "--scheduler-file",
            self.contact,
            "--no-dashboard",
        ]
        with (self.folder / f"{kind}-{len(self.started)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*map(str, words), *options],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": PATH, "TMPDIR": str(self.folder), **CONNECT},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def work(self):
        options = ("--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--local-directory", str(self.folder))
        return self.start("worker", *options)

    @property
    def address(self):
        until(lambda: self.contact.exists() and self.contact.read_text().endswith("}"))
        return "dask://" + json.loads(self.contact.read_text())["address"].removeprefix("tcp://")

    @contextmanager
    def client(self):
        with Client(self.address.replace("dask", "tcp", 1), set_as_default=False) as made:
            yield made

    def await_workers(self, number):
        with self.client() as client:
            until(lambda: len(client.nthreads()) == number)

    def kill_one_at_work(self):
        """Kill a worker that has jobs. It is stopped first, so that it cannot finish them in between."""
        with self.client() as client:
            worker, pid = until(_stopped_at_work, client)
            os.kill(pid, signal.SIGKILL)
            until(lambda: worker not in client.nthreads())

    def end(self):
        for process in reversed(self.started):
            process.kill()
            process.wait()
        for process in self.started:
            until(lambda group: not members(group), process.pid)


@contextmanager
def cluster_of(folder, workers):
    made = Cluster(folder)
    try:
        for _ in range(workers):
            made.work()
        yield made
    finally:
        made.end()


def _stopped_at_work(client):
    """Address and process of a worker that has been stopped while it had jobs, where there is one."""
    for worker, jobs in client.processing().items():
        if jobs:
            pid = client.run(os.getpid, workers=[worker])[worker]
            os.kill(pid, signal.SIGSTOP)
            if client.processing()[worker]:
                return worker, pid
            os.kill(pid, signal.SIGCONT)
    return None
