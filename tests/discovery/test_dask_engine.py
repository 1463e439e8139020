"""A real Dask cluster on loopback: scheduler and workers are processes, and some of them are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import discovery_jobs as jobs
import pytest
from distributed import KilledWorker

from headway.discovery import cluster
from headway.discovery.engines import completed, engine, opened
from headway.errors import HeadwayError

PATIENCE = 60
CONNECT = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}
"""So long the scheduler tries to fetch a result from a worker that has just been killed; usually 30 seconds."""
PATH = os.pathsep.join([str(Path(jobs.__file__).parent), os.environ.get("PYTHONPATH", "")])


def until(question, *arguments):
    end = time.monotonic() + PATIENCE
    while not question(*arguments):
        assert time.monotonic() < end, f"{question.__name__}{arguments} never came true"
        time.sleep(0.02)


def runs(folder, number):
    return (folder / f"job-{number}").read_text().count("\n")


class Cluster:
    """A scheduler and the workers that have been started; all of them end with the test."""

    def __init__(self, folder):
        self.folder, self.started = folder, []
        self.contact = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0")
        until(lambda: self.contact.exists() and self.contact.read_text().endswith("}"))

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
                env={**os.environ, "PYTHONPATH": PATH, **CONNECT},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.started.append(process)
        return process

    def work(self):
        options = ("--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--local-directory", str(self.folder))
        return self.start("worker", *options)

    @property
    def address(self):
        return "dask://" + json.loads(self.contact.read_text())["address"].removeprefix("tcp://")

    def end(self):
        for process in reversed(self.started):
            process.kill()
            process.wait()


@contextmanager
def cluster_of(folder, workers):
    made = Cluster(folder)
    try:
        for _ in range(workers):
            made.work()
        yield made
    finally:
        made.end()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Workers take long to start where many things run at once."""
    monkeypatch.setattr(cluster, "PATIENCE", PATIENCE)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    with cluster_of(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made


def test_results_and_errors_are_those_of_processes(two, tmp_path):
    calls = [(jobs.square, (tmp_path, number)) for number in range(20)]
    with engine(two.address) as workers:
        until(lambda: workers.workers == 2)
        assert sorted(completed(workers, calls)) == [(number, number * number) for number in range(20)]
        with pytest.raises(HeadwayError, match=r"^a.conllu:7: head '4x' is not a number; column 7 of CoNLL-U is HEAD$"):
            list(completed(workers, [(jobs.refusing, ("a.conllu",))]))
        with pytest.raises(ZeroDivisionError, match=r"^as raised$"):
            list(completed(workers, [(jobs.failing, ("zero",))]))
        with pytest.raises(RuntimeError, match=r"^OddError: odd, indeed$"):
            list(completed(workers, [(jobs.failing, ("odd",))]))
        handle = workers.share(b"x" * 1000)
        assert handle == workers.share(b"x" * 1000)
        assert workers.submit(jobs.length, {"inside": handle}, 2).result() == 2000
    with engine(two.address) as workers, pytest.raises(KeyError):
        workers.submit(opened, handle).result()


def test_a_killed_worker_costs_its_job_alone(two, tmp_path):
    two.work()

    def kill():
        until(jobs.begun, tmp_path, 5)
        os.kill(int((tmp_path / "job-5").read_text()), signal.SIGKILL)

    calls = [(jobs.square, (tmp_path, number, (5,))) for number in range(40)]
    with engine(two.address) as workers, ThreadPoolExecutor(1) as beside:
        until(lambda: workers.workers == 3)
        killing = beside.submit(kill)
        assert sorted(completed(workers, calls)) == [(number, number * number) for number in range(40)]
        killing.result()
        until(lambda: workers.workers == 2)
    assert runs(tmp_path, 5) == 2


def test_what_is_shared_outlives_the_only_worker_that_had_it(tmp_path, monkeypatch):
    with cluster_of(tmp_path, 0) as one:
        monkeypatch.setattr(cluster, "PATIENCE", 1.0)
        with pytest.raises(HeadwayError, match=r"the scheduler has no workers; start some with dask worker 127"):
            engine(one.address).__enter__()
        monkeypatch.setattr(cluster, "PATIENCE", PATIENCE)
        first = one.work()
        with engine(one.address) as workers:
            handle = workers.share(b"x" * 1000)
            assert workers.submit(jobs.length, {"inside": handle}, 1).result() == 1000
            first.kill()
            until(lambda: workers.workers == 0)
            later = completed(workers, [(jobs.length, ({"inside": handle}, times)) for times in (1, 2, 3)])
            one.work()
            assert sorted(later) == [(0, 1000), (1, 2000), (2, 3000)]
            with ThreadPoolExecutor(1) as beside:
                last = beside.submit(next, completed(workers, [(jobs.square, (tmp_path, 1, (1,)))]))
                until(jobs.begun, tmp_path, 1)
                one.scheduler.kill()
                with pytest.raises(
                    HeadwayError, match=r"the connection to the scheduler is lost; run the same command"
                ):
                    last.result(PATIENCE)


def test_what_has_not_begun_is_cancelled(two, tmp_path):
    with engine(two.address) as workers:
        until(lambda: workers.workers == 2)
        results = completed(workers, [(jobs.square, (tmp_path, number)) for number in range(100)])
        next(results)
        results.close()
        assert workers.submit(pow, 2, 3).result() == 8
    assert len(list(tmp_path.glob("job-*"))) < 20


def test_a_scheduler_that_does_not_answer_is_a_sentence(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(HeadwayError, match=r"^dask://127.0.0.1:1: no Dask scheduler answers there; start one with"):
        engine("dask://127.0.0.1:1").__enter__()


def test_workers_with_another_headway_or_none_are_a_sentence(two, monkeypatch):
    monkeypatch.setattr(cluster, "__version__", "0.0.1")
    with pytest.raises(HeadwayError, match=r"worker tcp\S+ has headway \S+, this machine 0\.0\.1; install the same"):
        engine(two.address).__enter__()
    monkeypatch.setattr(cluster, "VERSION", "nowhere.version:__version__")
    with pytest.raises(HeadwayError, match=r"worker tcp\S+ has no headway, this machine"):
        engine(two.address).__enter__()


def test_a_job_of_which_workers_die_is_a_sentence():
    died = Future()
    died.set_exception(KilledWorker("job", None, 4))
    with pytest.raises(HeadwayError, match=r"several workers died of the same job, .* give them more memory or fewer"):
        cluster.Dask("127.0.0.1:1")._result(died)
