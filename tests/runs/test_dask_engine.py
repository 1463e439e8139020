"""The engine of a real Dask cluster: the same results as process_engine, whatever dies."""

import os
import signal
from concurrent.futures import Future, ThreadPoolExecutor

import engine_jobs as jobs
import pytest
from dask_cluster import cluster_of
from distributed import KilledWorker
from waiting import PATIENCE, until

from headway.base.errors import HeadwayError
from headway.runs import dask_engine
from headway.runs.engines import completed, engine_from


def runs(folder, number):
    return (folder / f"job-{number}").read_text().count("\n")


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Workers take long to start where many things run at once."""
    monkeypatch.setattr(dask_engine, "PATIENCE", PATIENCE)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    with cluster_of(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made


def test_results_and_errors_are_those_of_processes(two, tmp_path):
    calls = [(jobs.square, (tmp_path, number)) for number in range(20)]
    with engine_from(two.address) as workers:
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
    with engine_from(two.address) as workers, pytest.raises(KeyError):
        workers.submit(handle.read).result()


def test_a_killed_worker_costs_its_job_alone(two, tmp_path):
    two.work()

    def kill():
        until(jobs.begun, tmp_path, 5)
        os.kill(int((tmp_path / "job-5").read_text()), signal.SIGKILL)

    calls = [(jobs.square, (tmp_path, number, (5,))) for number in range(40)]
    with engine_from(two.address) as workers, ThreadPoolExecutor(1) as beside:
        until(lambda: workers.workers == 3)
        killing = beside.submit(kill)
        assert sorted(completed(workers, calls)) == [(number, number * number) for number in range(40)]
        killing.result()
        until(lambda: workers.workers == 2)
    assert runs(tmp_path, 5) == 2


def test_what_is_shared_outlives_the_only_worker_that_had_it(tmp_path, monkeypatch):
    with cluster_of(tmp_path, 0) as one:
        monkeypatch.setattr(dask_engine, "PATIENCE", 1.0)
        with pytest.raises(HeadwayError, match=r"the scheduler has no workers; start some with dask worker 127"):
            engine_from(one.address).__enter__()
        monkeypatch.setattr(dask_engine, "PATIENCE", PATIENCE)
        first = one.work()
        with engine_from(one.address) as workers:
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
            workers._client.close()
            for question in (lambda: workers.workers, lambda: workers.share(b"y"), lambda: workers.submit(pow, 2, 3)):
                with pytest.raises(HeadwayError, match=r"the connection to the scheduler is lost"):
                    question()


def test_what_has_not_begun_is_cancelled(two, tmp_path):
    with engine_from(two.address) as workers:
        until(lambda: workers.workers == 2)
        results = completed(workers, [(jobs.square, (tmp_path, number)) for number in range(100)])
        next(results)
        results.close()
        assert workers.submit(pow, 2, 3).result() == 8
    assert len(list(tmp_path.glob("job-*"))) < 20


def test_a_scheduler_that_does_not_answer_is_a_sentence(monkeypatch):
    monkeypatch.setattr(dask_engine, "PATIENCE", 0.5)
    with pytest.raises(HeadwayError, match=r"^dask://127.0.0.1:1: no Dask scheduler answers there; start one with"):
        engine_from("dask://127.0.0.1:1").__enter__()


def test_workers_with_another_headway_or_none_are_a_sentence(two, monkeypatch):
    monkeypatch.setattr(dask_engine, "__version__", "0.0.1")
    with pytest.raises(HeadwayError, match=r"worker tcp\S+ has headway \S+, this machine 0\.0\.1; install the same"):
        engine_from(two.address).__enter__()
    monkeypatch.setattr(dask_engine, "VERSION", "nowhere.version:__version__")
    with pytest.raises(HeadwayError, match=r"worker tcp\S+ has no headway, this machine"):
        engine_from(two.address).__enter__()


def test_a_job_of_which_workers_die_is_a_sentence():
    died = Future()
    died.set_exception(KilledWorker("job", None, 4))
    with pytest.raises(HeadwayError, match=r"several workers died of the same job, .* give them more memory or fewer"):
        dask_engine.DaskEngine("127.0.0.1:1")._result(died)
