"""The demo, on treebanks of a tenth of the size: `.ci/run` has it as it is."""

import pytest

from headway.cli import demo


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    steps = tuple((title, words.replace("00 --seed", "0 --seed")) for title, words in demo.STEPS)
    assert sum(before != after for before, after in zip(demo.STEPS, steps, strict=True)) == 2
    monkeypatch.setattr(demo, "STEPS", steps)
    monkeypatch.chdir(tmp_path)


def test_the_demo_runs_and_keeps_its_files_where_asked(run, tmp_path):
    result = run("demo", "--keep", "kept")
    assert result.exit_code == 0
    for expected in (
        "$ headway sample",
        "$ headway info train.conllu",
        "sentences",
        "$ headway train",
        "LAS",
        "$ headway show",
        "✗",
    ):
        assert expected in result.stdout
    assert (tmp_path / "kept" / "train.conllu").exists()


def test_the_demo_leaves_nothing_behind(run, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "STEPS", demo.STEPS[:2])
    assert run("demo").exit_code == 0
    assert list(tmp_path.iterdir()) == []
