"""Every command that takes an engine, on a real Dask cluster whose workers are killed: the same bytes as processes."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from dask_cluster import cluster_of
from recipe_files import recipe_text
from waiting import PATIENCE, until

from headway.data.sample import Sample
from headway.runs.journal import JOURNAL

COSTS = ("seconds", "training", "parsing", "memory", "workers")
SEARCH = """
[[configuration]]
name = "found"
options = {features = "found"}
[search]
options = {learner = "perceptron", generations = 2, beam = 1, passes = 1, attributes = "POS,LEX"}
"""
PLAIN, TEST = '[[configuration]]\nname = "mira"\noptions = {learner = "mira"}\n', '[[part]]\nname = "test"\n'


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    with cluster_of(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made


@pytest.fixture
def both(two, tmp_path, shell):
    """Run a command on a cluster and with processes; `kills` says at which lengths of journals a worker is killed.

    A search has one record when it begins to find columns.
    """

    def call(*words, kills):
        for name in ("processes", "cluster"):
            (tmp_path / name).mkdir()
        with ThreadPoolExecutor(1) as beside:
            two.await_workers(2)
            killing = beside.submit(kill, two, tmp_path / "cluster", kills)
            dask = shell(*words, "--engine", two.address, cwd=tmp_path / "cluster", timeout=2 * PATIENCE)
            killing.result()
        plain = shell(*words, "--jobs", 2, cwd=tmp_path / "processes", timeout=2 * PATIENCE)
        assert (dask.returncode, plain.returncode) == (0, 0), (dask.stderr + plain.stderr).decode()
        return tmp_path / "processes", tmp_path / "cluster"

    return call


def kill(cluster, folder, kills):
    for pattern, length in kills:
        until(has_records, folder, pattern, length)
        cluster.kill_one_at_work()
        cluster.work()


def has_records(folder, pattern, length):
    return any(path.read_bytes().count(b"\n") >= length for path in folder.glob(pattern))


def content(path):
    """The records of a journal in order, but for what depends on the machine."""

    def kept(record):
        if "records" in record:
            record["records"].sort(key=json.dumps)
        return {name: value for name, value in record.items() if name not in COSTS}

    return sorted(json.dumps(json.loads(line, object_hook=kept)) for line in path.read_text().splitlines())


def files_of(folder):
    """The names of all files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_discover(both, tmp_path):
    train = tmp_path / "train.conllu"
    Sample(sentences=150, seed=11).write(train)
    options = ("--generations", 3, "--beam", 2, "--passes", 1, "--learner", "perceptron")
    journal = f"found.features.search/{JOURNAL}"
    plain, dask = both("discover", train, "-o", "found.features", *options, kills=[(journal, 1), (journal, 10)])
    assert (dask / "found.features").read_bytes() == (plain / "found.features").read_bytes()
    assert content(dask / journal) == content(plain / journal)
    assert files_of(dask) == files_of(plain)


def test_a_scheduler_that_dies_is_one_sentence(tmp_path):
    Sample(sentences=150, seed=11).write(tmp_path / "train.conllu")
    with cluster_of(tmp_path, 1) as one:
        one.await_workers(1)
        words = [sys.executable, "-m", "headway", "discover", "train.conllu", "-o", "found", "--engine", one.address]
        with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            try:
                until(has_records, tmp_path, f"found.search/{JOURNAL}", 10)
                one.scheduler.kill()
                said = process.communicate(timeout=PATIENCE)[1].splitlines()
            finally:
                process.kill()
    *generations, last = said
    assert process.returncode == 2 and last.endswith("the scheduler is lost; run the same command again to go on")
    assert all(line.startswith("generation") for line in generations)


def test_experiment_run(both, tmp_path):
    treebanks = tmp_path / "treebanks" / "here"
    treebanks.mkdir(parents=True)
    for part, seed in (("train", 1), ("test", 3)):
        Sample(sentences=30, seed=seed).write(treebanks / f"{part}.conllu.gz")
    recipes = [tmp_path / "plain.toml", tmp_path / "search.toml"]
    for recipe, body in zip(recipes, (PLAIN + TEST, SEARCH + TEST), strict=True):
        recipe.write_text(recipe_text(body, treebanks='["here"]'), "utf-8")
    words = ("experiment", "run", *recipes, "--treebanks", treebanks.parent, "-o", ".")
    plain, dask = both(*words, kills=[("plain.jsonl", 1), (f"search.*.search/{JOURNAL}", 1), ("search.jsonl", 2)])
    for name in ("plain.jsonl", "search.jsonl"):
        assert content(dask / name) == content(plain / name)
    assert files_of(dask) == files_of(plain)
    for name in files_of(plain):
        if name.endswith(".features"):
            assert (dask / name).read_bytes() == (plain / name).read_bytes()
