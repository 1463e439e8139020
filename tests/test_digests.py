"""`benchmarks/digests`: two runs agree, a change is found, and its cases have all that registries have."""

import subprocess
import sys
from pathlib import Path

import pytest

from headway.cli import COMMANDS
from headway.data.encodings import ENCODINGS
from headway.data.formats.format import FORMATS
from headway.features.registry import names as feature_models
from headway.learners.registry import BATCH, ONLINE
from headway.parsers.boosted.registry import FORMS, SCHEMES
from headway.parsers.graph.registry import DECODERS
from headway.parsers.transition.registry import SYSTEMS

DIGESTS = Path(__file__).parents[1] / "benchmarks" / "digests"
CASE = "split by ordered proportions"


def run(*words):
    return subprocess.run([sys.executable, DIGESTS, *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The digests of one case."""
    path = tmp_path_factory.mktemp("digests") / "first.txt"
    done = run(path, "--only", CASE)
    assert done.returncode == 0, done.stderr
    return path


def test_two_runs_agree(first, tmp_path):
    names = [line.split("\t")[0] for line in first.read_text().splitlines()]
    assert names == [f"{CASE}: {what}" for what in ("part.test.conllu", "part.train.conllu", "printed")]
    done = run(tmp_path / "second.txt", "--only", CASE, "--compare", first)
    assert done.returncode == 0 and not done.stdout, done.stderr
    assert (tmp_path / "second.txt").read_bytes() == first.read_bytes()


def test_what_differs_or_is_gone_is_named(first, tmp_path):
    one, *others = first.read_text().splitlines()
    name = one.split("\t")[0]
    lines = [f"{name}\t0", f"{CASE}: page\t1", f"{CASE} backwards\tnot possible: no such option", *others]
    (tmp_path / "before.txt").write_text("\n".join(lines) + "\n")
    done = run(tmp_path / "after.txt", "--only", CASE, "--compare", tmp_path / "before.txt")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [name, f"{CASE}: page (gone)"]


def test_the_repository_is_no_place_for_digests():
    done = run(DIGESTS / "digests.txt", "--only", CASE)
    assert done.returncode == 2 and not (DIGESTS / "digests.txt").exists()


def test_cases_have_all_that_is_known_by_name():
    words = {word.rpartition("=")[2] for word in run("--list").stdout.split()}
    # The others are the defaults of their stages.
    models = set(feature_models()) - {
        "lemmatizer",
        "segmenter",
        "splitter",
        "tagger-default",
    }
    for known in (SYSTEMS, DECODERS, FORMS, SCHEMES, ENCODINGS, ONLINE, BATCH, FORMATS, COMMANDS, models):
        assert set(known) <= words
