"""Processes of this machine and any executor: the same results, whatever dies."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import engine_jobs as jobs
import pytest
from waiting import PATIENCE, until

from headway.base.errors import HeadwayError
from headway.runs import process_engine
from headway.runs.engines import (
    AHEAD,
    BLAS_THREADS,
    CommandEngine,
    ElsewhereError,
    ExecutorEngine,
    completed,
    engine_from,
    number_of_workers,
)


def runs(folder):
    """How often each job has begun."""
    return {path.name: path.read_text().count("\n") for path in folder.iterdir() if path.name.startswith("job-")}


def pids(folder, number):
    return [int(line) for line in (folder / f"job-{number}").read_text().split()]


def alive(pid):
    """Whether a process runs: one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def two():
    with engine_from(None, 2) as workers:
        yield workers


@pytest.fixture(params=["processes", "own threads", "threads", "executor"])
def every(request, two):
    if request.param == "processes":
        yield two
    elif request.param == "own threads":
        with CommandEngine(2) as made:
            yield made
    elif request.param == "threads":
        with ThreadPoolExecutor(2) as executor, ExecutorEngine(executor, 2) as wrapped:
            yield wrapped
    else:
        with ProcessPoolExecutor(2, get_context("spawn")) as executor, ExecutorEngine(executor, 2) as wrapped:
            yield wrapped


def test_every_engine_gives_the_same_results_and_errors(every, tmp_path):
    calls = [(jobs.square, (tmp_path, number)) for number in range(20)]
    assert sorted(completed(every, calls)) == [(number, number * number) for number in range(20)]
    assert set(runs(tmp_path).values()) == {1}
    handle = every.share(b"x" * 1000)
    assert hash(handle) == hash(every.share(b"x" * 1000)) and handle.read() == b"x" * 1000
    calls = [(jobs.length, ({"inside": handle}, times)) for times in (1, 2)]
    assert sorted(completed(every, calls)) == [(0, 1000), (1, 2000)]
    with pytest.raises(HeadwayError, match=r"^a.conllu:7: head '4x' is not a number; column 7 of CoNLL-U is HEAD$"):
        list(completed(every, [(jobs.refusing, ("a.conllu",))]))
    with pytest.raises(ZeroDivisionError, match=r"^as raised$"):
        list(completed(every, [(jobs.failing, ("zero",))]))
    with pytest.raises((RuntimeError, jobs.OddError), match=r"odd, indeed$"):
        list(completed(every, [(jobs.failing, ("odd",))]))
    assert list(completed(every, [(jobs.square, (tmp_path, 5))])) == [(0, 25)]
    assert list(completed(every, [])) == []


def test_errors_of_processes_say_where_they_were_raised(two):
    with pytest.raises(ZeroDivisionError) as raised:
        two.submit(jobs.failing, "zero").result()
    assert isinstance(raised.value.__cause__, ElsewhereError)
    assert "engine_jobs.py" in str(raised.value.__cause__)
    with pytest.raises((AttributeError, RuntimeError), match="local"):
        two.submit(jobs.failing, "result").result()
    with pytest.raises((AttributeError, TypeError), match="local"):
        two.submit(lambda: None)
    assert two.submit(pow, 2, 3).result() == 8


def test_calls_are_taken_as_workers_get_ready_for_them(two, tmp_path):
    taken = []

    def calls():
        for number in range(30):
            taken.append(number)
            yield jobs.square, (tmp_path, number)

    results = completed(two, calls())
    assert taken == []
    next(results)
    assert len(taken) <= AHEAD * 2
    results.close()
    assert len(taken) <= AHEAD * 2


def test_results_that_are_there_come_before_an_error(tmp_path):
    class Ready(ThreadPoolExecutor):
        def submit(self, *call):
            future = super().submit(*call)
            with suppress(Exception):
                future.result()
            return future

    with Ready(1) as executor:
        results = completed(ExecutorEngine(executor, 2), [(jobs.failing, ("zero",)), (pow, (2, 2)), (pow, (3, 2))])
        assert [next(results), next(results)] == [(1, 4), (2, 9)]
        with pytest.raises(ZeroDivisionError):
            next(results)


def test_a_killed_worker_costs_its_job_alone(two, tmp_path):
    killed = (3, 8)

    def kill():
        for number in killed:
            until(jobs.begun, tmp_path, number)
            os.kill(pids(tmp_path, number)[0], signal.SIGKILL)

    calls = [(jobs.square, (tmp_path, number, killed)) for number in range(12)]
    with ThreadPoolExecutor(1) as beside:
        killing = beside.submit(kill)
        assert sorted(completed(two, calls)) == [(number, number * number) for number in range(12)]
        killing.result()
    assert runs(tmp_path) == {f"job-{number}": 2 if number in killed else 1 for number in range(12)}


def test_a_job_that_always_kills_its_worker_is_given_up(two, tmp_path):
    sentence = r"^3 workers died of the same job, killed by SIGKILL, most often for want of memory; take fewer --jobs"
    with pytest.raises(HeadwayError, match=sentence):
        two.submit(jobs.deadly, tmp_path, 1).result()
    assert runs(tmp_path) == {"job-1": process_engine.DEATHS} and len(set(pids(tmp_path, 1))) == process_engine.DEATHS
    with pytest.raises(HeadwayError, match="killed by SIGSEGV; report it"):
        two.submit(jobs.deadly, tmp_path, 2, signal.SIGSEGV).result()
    with pytest.raises(HeadwayError, match=r'exit code 3; .* if __name__ == "__main__"'):
        two.submit(jobs.leaving, 3).result()
    assert two.submit(pow, 2, 3).result() == 8


def test_the_end_does_not_wait_for_jobs_under_way(tmp_path):
    begin = time.monotonic()
    with engine_from(None, 1) as one:
        running, waiting = one.submit(jobs.slow, tmp_path, 1), one.submit(jobs.slow, tmp_path, 2)
        until(jobs.begun, tmp_path, 1)
        folder = Path(one.share(b"content").path).parent
        assert folder.exists()
    assert time.monotonic() - begin < PATIENCE / 2
    assert runs(tmp_path) == {"job-1": 1} and not alive(pids(tmp_path, 1)[0])
    with pytest.raises(CancelledError):
        running.result()
    assert waiting.cancelled()
    assert not folder.exists()


def test_workers_are_one_thread_and_deaf_to_interrupts(two, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with engine_from(None, 1) as one:
        values, blocked = one.submit(jobs.surroundings, BLAS_THREADS).result()
    assert values == ["3", os.environ.get("OPENBLAS_NUM_THREADS", "1"), "1"]
    assert signal.SIGINT in blocked
    assert "MKL_NUM_THREADS" not in os.environ


def test_processes_of_jobs_end_with_the_engine_of_threads(tmp_path):
    with CommandEngine(2) as workers:
        waiting = [workers.submit(jobs.starting, tmp_path, number) for number in range(3)]
        until(lambda: all(len((jobs.said(tmp_path, number)).split()) == 3 for number in (0, 1)))
    for number in (0, 1):
        pid, blas, deaf = jobs.said(tmp_path, number).split()
        assert not alive(int(pid)) and waiting[number].result() == 0
        assert blas == os.environ.get("OMP_NUM_THREADS", "1") and deaf == "True"
    assert waiting[2].cancelled() and jobs.said(tmp_path, 2) == ""


def test_a_process_ends_with_the_block_that_started_it(tmp_path):
    assert jobs.starting(tmp_path, 0, wait=False) == 0
    assert not alive(int(jobs.said(tmp_path, 0).split()[0]))


SEARCH = """
import sys
import engine_jobs as jobs
from headway.runs.engines import CommandEngine
from headway.runs.engines import completed, engine_from

if __name__ == "__main__":
    calls = [(jobs.square if number < 2 else jobs.slow, (sys.argv[1], number)) for number in range(9)]
    try:
        with engine_from(None, 2) as workers:
            workers.share(b"content")
            for number, result in completed(workers, calls):
                print(number, result, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.fixture
def search(tmp_path):
    """A search as a process of its own group, whose third and fourth job never end."""
    script = tmp_path / "search.py"
    script.write_text(SEARCH)
    path = os.pathsep.join([str(Path(jobs.__file__).parent), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, script, tmp_path],
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_no_worker_outlives_a_killed_search(search, tmp_path):
    until(lambda: jobs.begun(tmp_path, 2) and jobs.begun(tmp_path, 3))
    workers = [pid for number in (2, 3) for pid in pids(tmp_path, number)]
    assert all(map(alive, workers))
    assert len(list(tmp_path.glob("headway-*/*"))) == 1
    search.kill()
    until(lambda: not any(map(alive, workers)))
    assert list(tmp_path.glob("headway-*")) == []


def test_an_interrupt_ends_search_and_workers_without_a_word(search, tmp_path):
    until(lambda: jobs.begun(tmp_path, 2) and jobs.begun(tmp_path, 3))
    workers = [pid for number in (2, 3) for pid in pids(tmp_path, number)]
    os.killpg(search.pid, signal.SIGINT)
    said, complained = search.communicate(timeout=PATIENCE)
    assert sorted(said.splitlines()) == ["0 0", "1 1", "interrupted"]
    assert complained == ""
    assert not any(map(alive, workers)) and list(tmp_path.glob("headway-*")) == []


@pytest.mark.parametrize("name", ["dask", "dask://host", "dask://:8786", "dask://host:port", "spark://host:1"])
def test_an_unknown_engine_is_refused(name):
    with pytest.raises(HeadwayError, match=f"^unknown engine '{name}'; give dask://HOST:PORT, or none for processes$"):
        engine_from(name)


def test_numbers_of_workers():
    assert engine_from().workers == number_of_workers(None) >= 1
    assert engine_from(None, 5).workers == 5
    with pytest.raises(HeadwayError, match=r"^jobs = 0 is out of range"):
        engine_from(None, 0)
    with pytest.raises(HeadwayError, match="a cluster has its own workers"):
        engine_from("dask://localhost:1", 2)


def test_a_missing_dask_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "headway.runs.dask_engine", raising=False)
    with pytest.raises(HeadwayError, match=r"needs Dask; install it with pip install distributed$"):
        engine_from("dask://localhost:1")


def test_a_script_that_workers_read_again_is_told_what_to_do(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from headway.runs.engines import completed, engine_from\n"
        "with engine_from(None, 1) as engine:\n    print(list(completed(engine, [(len, ('abc',))])))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    said = "a worker process has come to this call while it read your script; put the call below if __name__"
    assert said in done.stderr and "NoneType" not in done.stderr
    assert "3 workers died of the same job, with exit code 1" in done.stderr.splitlines()[-1]
    script.write_text("if __name__ == '__main__':\n    " + script.read_text().replace("\n", "\n    "))
    assert subprocess.run([sys.executable, script], capture_output=True, text=True).stdout == "[(0, 3)]\n"
