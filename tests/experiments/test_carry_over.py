"""Results that a change of code cannot have changed are taken over to the new code; all others stay stale."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headway.lab.closure import ROOT
from headway.lab.code import code_of, code_of_search

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "carry_over.py"
OPTIONS = {"learner": "cw", "features": "found:x"}
SEARCHED = {"learner": "perceptron"}
PIPELINE = {"pipeline": True, "dev": True}
"""Digests do not compare what taggers and segmenters do."""
SAME = "--system swap\tabc\tdef\n"
SEARCHES = "discover --jobs 1\tabc\tdef\n"


def tree_at(place):
    """A tree with what is installed, wherever that is."""

    def copy(source, target):
        """What is compiled is large, and no test changes it."""
        return Path(target).symlink_to(source) if source.endswith(".so") else shutil.copy2(source, target)

    source = place / "src" / "headway"
    shutil.copytree(ROOT.resolve(), source, ignore=shutil.ignore_patterns("__pycache__"), copy_function=copy)
    (place / "benchmarks").mkdir()
    shutil.copy(SCRIPT, place / "benchmarks")
    return place


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    """The tree that results are taken over to."""
    return tree_at(tmp_path_factory.mktemp("new"))


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """Another tree, whose training and search differ from this one's."""
    tree = tree_at(tmp_path_factory.mktemp("old"))
    with (tree / "src" / "headway" / "training" / "loop.py").open("a") as file:
        file.write("ANOTHER = 1\n")
    return tree


@pytest.fixture(scope="module")
def codes(old):
    """The code of the old tree behind a training, behind a search and behind a pipeline."""
    words = "import json, sys; from headway.lab.code import *; a, b, c = json.load(sys.stdin)"
    done = subprocess.run(
        [sys.executable, "-c", f"{words}; print(json.dumps([code_of(a), code_of_search(b), code_of(c)]))"],
        env={"PYTHONPATH": str(old / "src")},
        input=json.dumps([OPTIONS, SEARCHED, PIPELINE]),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.fixture
def journal(codes, tmp_path):
    """Results of the old tree, of code before it, and of nobody knows which."""
    training, search, pipeline = codes
    assert training != code_of(OPTIONS)
    records = [
        {"kind": "recipe", "version": 1, "digest": "é"},
        {"kind": "task", "key": "1", "options": OPTIONS, "code": training, "points": [1.50, "é"]},
        {"kind": "task", "key": "2", "options": OPTIONS, "code": {**training, "kernels": "before"}},
        {"kind": "task", "key": "3", "options": OPTIONS},
        {"kind": "task", "key": "4", "options": {"learner": "gone"}, "code": training},
        {"kind": "task", "key": "5", "options": {"parser": "udpipe"}, "code": {"version": "1.2", "adapter": "before"}},
        {"kind": "search", "key": "6", "asked": [SEARCHED, None, None], "code": search},
        {"kind": "task", "key": "7", "options": PIPELINE, "code": pipeline},
    ]
    lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records]
    path = tmp_path / "journals" / "one.jsonl"
    path.parent.mkdir()
    path.write_text("".join(lines), "utf-8")
    return path


def carried(new, old, journal, before, after):
    folder = journal.parents[1]
    for name, text in (("before", before), ("after", after)):
        (folder / name).write_text(text)
    words = [
        new / "benchmarks" / SCRIPT.name,
        old,
        "--before",
        folder / "before",
        "--after",
        folder / "after",
        "--journals",
        journal.parent,
    ]
    return subprocess.run(
        [sys.executable, *words],
        env={"PYTHONPATH": str(new / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_results_of_the_old_tree_are_taken_over_and_no_others(new, old, journal):
    before = journal.read_text("utf-8").splitlines()
    done = carried(new, old, journal, SAME + SEARCHES, SAME + SEARCHES + "--system new\t1\t2\n")
    assert done.stdout == "2 of 5 results that know their code have this tree's now\n", done.stderr
    after = journal.read_text("utf-8").splitlines()
    assert [number for number, line in enumerate(after) if line != before[number]] == [1, 6]
    measured_by = json.loads(before[1])["code"]
    assert json.loads(after[1]) == {**json.loads(before[1]), "code": dict(code_of(OPTIONS)), "measured_by": measured_by}
    again = carried(new, old, journal, SAME + SEARCHES, SAME + SEARCHES)
    assert again.stdout.startswith("0 of 5") and journal.read_text("utf-8").splitlines() == after
    assert json.loads(after[6])["code"] == dict(code_of_search(SEARCHED))
    assert after[1].endswith('"points":[1.5,"é"]}')


def test_searches_stay_as_they_are_where_none_was_compared(new, old, journal):
    done = carried(new, old, journal, SAME, SAME)
    assert done.stdout.startswith("no case of headway discover was compared")
    assert done.stdout.endswith("1 of 4 results that know their code have this tree's now\n")


@pytest.mark.parametrize("after", ["--system swap\tabc\tother\n", SEARCHES])
def test_nothing_is_taken_over_where_an_output_differs_or_was_not_tried(new, old, journal, after):
    before = journal.read_bytes()
    done = carried(new, old, journal, SAME, after)
    assert done.returncode == 1 and "nothing was written" in done.stderr and "--system swap" in done.stderr
    assert journal.read_bytes() == before
