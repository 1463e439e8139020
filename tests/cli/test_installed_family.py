"""A family that another distribution brings, through the commands, as a user has it."""

import os
from pathlib import Path

import pytest

import headway
from headway.data.formats.writing import write
from headway.data.sample import generate

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("installed")
    write(generate(30, seed=1), place / "train.conllu")
    write(generate(10, seed=2), place / "dev.conllu")
    return place


@pytest.fixture
def installed(place, shell):
    """Run commands where the distribution is installed."""
    import installed_parser

    about = place / "branching-1.0.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: branching\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(installed_parser.ENTRIES)
    path = os.pathsep.join(filter(None, [str(place), str(TESTS), os.environ.get("PYTHONPATH")]))

    def call(*words):
        done = shell(*words, cwd=place, env={**os.environ, "PYTHONPATH": path})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return call


def test_it_trains_and_its_model_is_used_as_those_of_ours(place, installed):
    code, _, said = installed(
        "train", "train.conllu", "--dev", "dev.conllu", "--parser", "branching", "--left", "-o", "model"
    )
    assert code == 0, said
    assert "model: the parser of step 1, 0.0 MiB" in said
    code, shown, _ = installed("info", "model")
    assert "trained on          30 sentences" in shown and "right  no" in shown and "columns   –" in shown
    code, shown, said = installed("evaluate", "dev.conllu", "--stages", "model")
    assert code == 0 and "words, tags, lemmas" in shown, said
    code, _, said = installed("train", "dev.conllu", "--continue", "model", "-o", "further")
    assert code == 0 and "further: the parser after more training, 0.0 MiB" in said, said
    code, _, said = installed("parse", "further", "dev.conllu", "-o", "parsed.conllu")
    assert code == 0 and (place / "parsed.conllu").exists(), said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--passes", "3"), "passes belongs to transition and graph and boosted parsers; leave it out"),
        (("--tune", "right"), "'right' cannot be chosen on dev; a branching parser has nothing that could"),
        (
            ("--calibrate", "dev"),
            "note: a branching parser cannot say how sure it is, so that it learns no confidences",
        ),
    ],
)
def test_what_it_lacks_is_said(installed, words, message):
    _, _, said = installed("train", "train.conllu", "--dev", "dev.conllu", "--parser", "branching", *words, "-o", "m")
    assert message in said and "Traceback" not in said


def test_a_family_that_is_broken_is_one_sentence(tmp_path, shell):
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[headway.families]\nbroken = nowhere:Nothing\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done = shell("--help", env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 2
    assert done.stderr.decode().startswith("family of parsers 'broken' of broken cannot be imported (ModuleNotFoundE")
    assert done.stderr.count(b"\n") == 1


def test_a_family_that_is_registered_needs_to_say_nothing_of_its_stages(place):
    from installed_parser import Branching, BranchingOptions

    parser = headway.train(place / "train.conllu", BranchingOptions())
    assert isinstance(parser.stages[0], Branching)
    assert parser.about["passes"] == 1 and parser.about["family"] == "branching"
