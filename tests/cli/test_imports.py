"""`headway --import FILE`: parts that a file registers, through the commands and in their worker processes."""

import os

import pytest

from headway.base.imports import IMPORTED, import_parts, parts_to_import, with_parts
from headway.data.formats.writing import write
from headway.data.sample import generate

LEARNER = """
from helper_of_parts import share
from headway.learners.online import Online
from headway.learners.registry import ONLINE


class Tender(Online):
    def step(self, margin, variance, wanted):
        return max(0.0, share * (wanted - margin) / variance), 0.0


ONLINE.register("tender", Tender)
"""
TRAINING = ("--learner", "tender", "--passes", "1", "--features", "malt-14")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("parts")
    write(generate(30, seed=1), place / "train.conllu")
    (place / "my_parts.py").write_text(LEARNER)
    (place / "helper_of_parts.py").write_text("share = 0.5\n")
    return place


@pytest.fixture
def headway(place, shell):
    def call(*words, **more):
        done = shell(*words, cwd=place, env={**os.environ, **more})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return call


def test_what_a_file_registers_can_be_chosen(headway, place, run):
    code, _, said = headway("--import", "my_parts.py", "train", "train.conllu", *TRAINING, "-o", "model")
    assert code == 0, said
    done = run("train", str(place / "train.conllu"), *TRAINING, "-o", str(place / "other"))
    assert done.exit_code == 2 and "unknown learner 'tender'" in done.stderr
    shown = run("info", str(place / "model"))
    assert shown.exit_code == 0 and "tender" in shown.stdout


def test_workers_know_it_too(headway):
    options = ("--folds", "2", "--jobs", "2")
    code, shown, said = headway("--import", "my_parts.py", "crossvalidate", "train.conllu", *TRAINING, *options)
    assert code == 0 and "fold 2" in shown, said


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("syntax.py", "x = 1\ndef\n", "syntax.py:2: SyntaxError: invalid syntax; repair the file"),
        ("key.py", "def f():\n    raise KeyError('no')\nf()\n", "key.py:2: KeyError: 'no'; repair the file"),
        ("lacks.py", "import gone_module\n", "lacks.py:1: ModuleNotFoundError: No module named 'gone_module'; repair"),
        ("ends.py", "raise SystemExit(3)\n", "ends.py:1: SystemExit: 3; repair the file"),
        (
            "twice.py",
            "from headway.learners.registry import ONLINE\nONLINE.register('mira', 3)\n",
            "twice.py:2: there is a learner 'mira' already; take another name",
        ),
        (
            "parts.txt",
            "",
            "parts.txt: not a file of Python, whose name ends in .py; name the file that registers parts",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(name, text, message, tmp_path, run):
    (tmp_path / name).write_text(text)
    done = run("--import", str(tmp_path / name), "info", str(tmp_path / name))
    assert done.exit_code == 2 and done.stderr.startswith(f"{tmp_path}{os.sep}{message}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_named(tmp_path, run):
    done = run("--import", str(tmp_path / "gone.py"), "info", "x")
    assert done.exit_code == 2 and "gone.py: No such file or directory" in done.stderr


def test_a_file_runs_once_in_a_process_and_again_where_it_failed(tmp_path, monkeypatch, run):
    file, log = tmp_path / "once.py", tmp_path / "log"
    noted = f"from pathlib import Path\nlog = Path({str(log)!r})\nlog.write_text(log.read_text() + 'x')\n"
    log.write_text("")
    file.write_text(noted + "raise ValueError('later')\n")
    monkeypatch.setenv(IMPORTED, str(file))
    done = run("info", str(log))
    assert done.exit_code == 2 and "once.py:4: ValueError: later" in done.stderr
    file.write_text(noted)
    monkeypatch.delenv(IMPORTED)
    with with_parts([str(file)]):
        assert os.environ[IMPORTED] == str(file)
        import_parts(parts_to_import())
    assert log.read_text() == "xx"
    assert IMPORTED not in os.environ
