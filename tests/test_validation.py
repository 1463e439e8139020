"""Cross-validation: each part parsed by what was learned from the others, whatever runs it and however often."""

import json
import logging
import re

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.training.cross_validate import Folds, cross_validate


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("folds") / "treebank.conllu"
    headway.write(generate(31, seed=1), path)
    return path


def test_each_part_is_parsed_by_a_parser_of_the_others(treebank):
    found = cross_validate(treebank, folds=3, passes=2)
    sentences = list(headway.read(treebank))
    for number in range(3):
        parser = headway.train([s for at, s in enumerate(sentences) if at % 3 != number], passes=2)
        by_hand = list(parser.parse(sentences[number::3]))
        parsed = found.parses[number::3]
        assert [(list(s.heads), s.deprels) for s in parsed] == [(list(s.heads), s.deprels) for s in by_hand]
        scores = headway.evaluate(sentences[number::3], by_hand)
        assert found.folds[number].scores.metrics == scores.metrics
        assert (found.folds[number].sentences, found.folds[number].words) == (len(by_hand), sum(map(len, by_hand)))
    values = [100 * one.scores["LAS"].f1 for one in found.folds]
    assert found.mean() == pytest.approx(np.mean(values)) and found.spread() == pytest.approx(np.std(values, ddof=1))
    assert found.together.metrics == headway.evaluate(treebank, found.parses).metrics
    assert str(found) == f"LAS {np.mean(values):.2f} ± {np.std(values, ddof=1):.2f} over 3 folds (ud)"


def test_processes_change_no_byte(treebank, tmp_path):
    cross_validate(treebank, folds=3, passes=2, output=tmp_path / "one.conllu")
    cross_validate(treebank, folds=3, passes=2, output=tmp_path / "two.conllu", jobs=2)
    assert (tmp_path / "one.conllu").read_bytes() == (tmp_path / "two.conllu").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.conllu", "two.conllu"]
    words = [s.forms for s in headway.read(tmp_path / "one.conllu")]
    assert words == [s.forms for s in headway.read(treebank)]


def test_an_interrupted_run_goes_on_with_the_parts_that_are_left(treebank, tmp_path):
    cross_validate(treebank, folds=3, passes=2, output=tmp_path / "whole.conllu")
    broken = Folds(treebank, folds=3, passes=2, output=tmp_path / "parses.conllu").run()
    next(broken)
    broken.close()
    assert not (tmp_path / "parses.conllu").exists()
    again = Folds(treebank, folds=3, passes=2, output=tmp_path / "parses.conllu")
    seconds = [seconds for _, seconds in again.run()]
    assert seconds[0] == 0 and min(seconds[1:]) > 0
    again.result()
    assert (tmp_path / "parses.conllu").read_bytes() == (tmp_path / "whole.conllu").read_bytes()
    assert not (tmp_path / "parses.conllu.folds").exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_notes_of_all_parts_are_made_once(treebank, caplog, monkeypatch, jobs):
    monkeypatch.setattr(logging.getLogger("headway"), "propagate", True)
    without = [sentence.replace(xpos=["_"] * len(sentence)) for sentence in headway.read(treebank)]
    cross_validate(without, folds=3, passes=1, jobs=jobs)
    assert [record.getMessage() for record in caplog.records if "XPOS" in record.getMessage()] == [
        "features: XPOS is empty or constant; UPOS takes its place"
    ]


def test_nobody_elses_files_are_removed(treebank, tmp_path):
    (tmp_path / "parses.conllu.folds").mkdir()
    (tmp_path / "parses.conllu.folds" / "mine").write_text("mine")
    for resume in (False, True):
        cross_validate(treebank, folds=2, passes=1, output=tmp_path / "parses.conllu", resume=resume)
    assert [path.name for path in (tmp_path / "parses.conllu.folds").iterdir()] == ["mine"]


def test_parts_of_another_run_are_refused_unless_it_begins_again(treebank, tmp_path):
    for how in ({"passes": 2}, {"passes": 2, "folds": 4}, {"passes": 1}, {"passes": 2, "dev": treebank}):
        broken = Folds(treebank, **{"folds": 3, **how}, output=tmp_path / "parses.conllu")
        if how == {"passes": 2}:
            next(broken.run())
            continue
        with pytest.raises(HeadwayError, match=r"this journal is of another cross-validation \(.* was .*; "):
            next(broken.run())
    anew = Folds(treebank, folds=3, passes=1, resume=False, output=tmp_path / "parses.conllu")
    assert all(seconds for _, seconds in anew.run())


def test_what_cannot_be_is_refused_before_anything_is_trained(treebank):
    with pytest.raises(HeadwayError, match="folds = 1 is out of range; give a number from 2 on"):
        cross_validate(treebank, folds=1)
    with pytest.raises(HeadwayError, match="50 folds need at least as many sentences, and there are 31; use fewer"):
        cross_validate(treebank, folds=50)
    with pytest.raises(HeadwayError, match="the development treebank has no sentences; give one with trees"):
        cross_validate(treebank, dev=[])
    with pytest.raises(HeadwayError, match="a transition parser has no option 'speed'"):
        cross_validate(treebank, speed=3)
    with pytest.raises(HeadwayError, match="has no option 'progress'; known are: ") as refused:
        cross_validate(treebank, progress=print)
    assert not {"punctuation", "definition", "jobs"} - set(re.findall(r"\w+", str(refused.value)))


def test_a_sentence_without_a_tree_is_named_by_its_file_and_line(treebank, tmp_path):
    path = tmp_path / "half.conllu"
    first, *others = headway.read(treebank)
    bare = [one.replace(heads=None, deprels=None) for one in others]
    headway.write([first, *bare], path)
    place = f"{path}:{len(str(first).splitlines()) + 2}: this sentence has no heads"
    with pytest.raises(HeadwayError, match=place):
        cross_validate(path, folds=2)
    with pytest.raises(HeadwayError, match=place):
        headway.discover(path, output=tmp_path / "found")


def test_the_command_prints_every_part_and_the_mean(run, treebank, tmp_path):
    words = ("crossvalidate", treebank, "--folds", 3, "--passes", 1, "--jobs", 1)
    done = run(*words, "-o", tmp_path / "parses.conllu", "--definition", "all")
    assert done.exit_code == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    found = cross_validate(treebank, folds=3, passes=1, definition="all")
    assert ["fold", "1", "11", f"{found.folds[0].words}"] in [row[:4] for row in rows]
    assert next(row for row in rows if row[:1] == ["mean"])[1] == f"{found.mean():.2f}"
    assert next(row for row in rows if row[:1] == ["standard"])[2] == f"{found.spread():.2f}"
    assert next(row for row in rows if row[:1] == ["all"])[4] == str(found.together["LAS"])
    assert done.stderr.count("\nfold ") + done.stderr.startswith("fold ") == 3
    scores = headway.evaluate(treebank, tmp_path / "parses.conllu", definition="all")
    assert scores.metrics == found.together.metrics
    told = json.loads(run(*words, "--json", "--definition", "all").stdout)
    assert told["mean"]["LAS"] == found.mean() and len(told["folds"]) == 3 and told["definition"] == "all"


def test_a_treebank_is_not_overwritten(run, treebank):
    before = treebank.read_bytes()
    for words in ((treebank,), (treebank.parent / "none.conllu", "--dev", treebank)):
        done = run("crossvalidate", *words, "-o", treebank)
        assert done.exit_code == 2 and "the output would overwrite this input; name another" in done.stderr
    assert treebank.read_bytes() == before


@pytest.mark.parametrize("ready", [0, 2])
def test_an_interrupt_says_what_is_done(ready, run, treebank, tmp_path, monkeypatch):
    def interrupted(self, engine):
        self.parsed |= {number: [] for number in range(ready)}
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Folds, "run", interrupted)
    done = run("crossvalidate", treebank, "--folds", 3, "-o", tmp_path / "parses.conllu")
    assert done.exit_code == 130
    others = "; the same command goes on with the others" if ready else ""
    assert done.stderr == f"interrupted; {ready} of 3 folds are done{others}\n"
