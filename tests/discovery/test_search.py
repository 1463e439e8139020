"""The search: the same result however it is run, and from wherever it goes on."""

import gc
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from inline import Inline

import headway
from headway import discover
from headway.base.errors import HeadwayError
from headway.data.formats.writing import write
from headway.data.sample import generate
from headway.discovery.discover import discovery_from
from headway.discovery.search import SEARCH
from headway.evaluation.evaluate import evaluate
from headway.features.registry import feature_model
from headway.parsers.transition.registry import SYSTEMS
from headway.runs.engines import engine_from
from headway.runs.journal import JOURNAL, records

SENTENCES = list(generate(100, seed=11))
QUICK = {"learner": "perceptron", "passes": 1, "beam": 2, "least": 3}


class Elsewhere(Inline):
    """An engine on a machine that does not have the folders of this one."""

    def submit(self, function, setting, *arguments):
        return super().submit(function, replace(setting, columns="/nowhere"), *arguments)


def searched(output, engine=None, train=SENTENCES, **options):
    found = discovery_from(train, output=output, **{**QUICK, "generations": 3, **options})
    events = list(found.run(engine or Inline()))
    found.save()
    return found, events


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    output = tmp_path_factory.mktemp("plain") / "found.features"
    return searched(output)[0]


def test_what_is_found_is_a_feature_model(plain):
    model = feature_model(str(plain.output))
    best = plain.best.candidate.features
    assert model[: len(best)] == list(best)
    assert len(model) == len(best) * (len(best) + 1) // 2
    text = plain.output.read_text()
    assert "on every 10th sentence of sentences, held out" in text
    assert all(one.beam[0].candidate.step in text for one in plain.history)


def test_the_way_of_the_search(plain):
    first, second, third = plain.history
    assert first.candidates == 2
    assert [len(scored.candidate.features) for one in plain.history for scored in one.beam] == [1, 1, 2, 2, 3, 3]
    for before, after in ((first, second), (second, third)):
        parents = [scored.candidate.features for scored in before.beam]
        assert all(scored.candidate.parent in parents for scored in after.beam)
    assert plain.best.scores["LAS"] == max(scored.scores["LAS"] for one in plain.history for scored in one.beam)


def test_the_journal_tells_all(plain):
    first, *others, last = records(plain.folder / JOURNAL, SEARCH)
    assert first["options"]["beam"] == 2
    assert first["treebank"]["sentences"] == 90
    assert last == {
        "kind": "end",
        "why": "generation 3 was reached",
        "generation": plain.best_generation,
        "best": [str(feature) for feature in plain.best.candidate.features],
    }
    generations = [record for record in others if record["kind"] == "generation"]
    measures = [record for record in others if record["kind"] == "measure"]
    for generation in generations:
        full = [m for m in measures if m["generation"] == generation["number"] and m["stage"] == "full"]
        looks = [m for m in measures if m["generation"] == generation["number"] and m["stage"] == "look"]
        ranked = sorted(full, key=lambda m: -sum(m["right"]))
        assert sum(ranked[0]["right"]) == sum(next(m for m in full if m["features"] == generation["beam"][0])["right"])
        if looks:
            assert len(looks) == generation["candidates"] > len(full)
            worst = sorted(sum(m["right"]) for m in looks if m["features"] in [m["features"] for m in full])[0]
            left_out = [sum(m["right"]) for m in looks if m["features"] not in [m["features"] for m in full]]
            assert worst >= max(left_out)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_bytes_with_processes(plain, jobs, tmp_path):
    found, _ = searched(tmp_path / "found.features", engine_from(None, jobs))
    assert found.output.read_bytes() == plain.output.read_bytes()
    assert not (found.folder / "columns").exists()


def test_workers_without_the_folder_of_columns_have_their_own(plain, tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    found = discovery_from(SENTENCES, output=tmp_path / "found.features", generations=3, **QUICK)
    folders = {path for _ in found.run(Elsewhere()) for path in own.iterdir()}
    found.save()
    assert found.output.read_bytes() == plain.output.read_bytes()
    gc.collect()
    assert len(folders) == 1 and list(own.iterdir()) == []


def test_an_executor_of_ones_own(plain, tmp_path):
    with ThreadPoolExecutor(2) as executor:
        output = tmp_path / "found.features"
        best = discover(SENTENCES, output=output, engine=executor, jobs=2, generations=3, **QUICK)
    assert tuple(best) == plain.best.candidate.features
    assert output.read_bytes() == plain.output.read_bytes()


@pytest.mark.parametrize("fails_at", [1, 2, 3, 20, 40])
def test_a_search_goes_on_where_it_was_stopped(plain, fails_at, tmp_path):
    found = discovery_from(SENTENCES, output=tmp_path / "found.features", generations=3, **QUICK)
    stopped = Inline(fails_at)
    with pytest.raises(KeyboardInterrupt):
        list(found.run(stopped))
    again = Inline()
    resumed, _ = searched(tmp_path / "found.features", again)
    assert resumed.output.read_bytes() == plain.output.read_bytes()
    whole = Inline()
    searched(tmp_path / "whole.features", whole)
    assert again.jobs <= whole.jobs - fails_at + 1 + 2
    nothing = Inline()
    searched(tmp_path / "found.features", nothing)
    assert nothing.jobs == 0


def test_a_journal_cut_anywhere(plain, tmp_path):
    lines = (plain.folder / JOURNAL).read_bytes()
    for share in (0.2, 0.5, 0.9):
        output = tmp_path / f"{share}.features"
        output.with_name(f"{output.name}.search").mkdir()
        (tmp_path / f"{output.name}.search" / JOURNAL).write_bytes(lines[: int(share * len(lines))])
        searched(output)
        assert output.read_bytes() == plain.output.read_bytes()


def test_another_search_in_the_same_place(plain):
    with pytest.raises(HeadwayError, match="this journal is of another search \\(beam was 2 and is 3\\)"):
        searched(plain.output, beam=3)


def test_racing_measures_less_and_can_be_checked(plain, tmp_path):
    raced, all_measured, checked = Inline(), Inline(), Inline()
    searched(tmp_path / "raced", raced)
    full, _ = searched(tmp_path / "full", all_measured, race=False)
    check, _ = searched(tmp_path / "checked", checked, check_racing=True)
    assert checked.jobs > all_measured.jobs
    stages = [record["stage"] for record in records(full.folder / JOURNAL, SEARCH) if record["kind"] == "measure"]
    assert set(stages) == {"full"}
    assert check.best == full.best


def test_moves(tmp_path):
    found, _ = searched(tmp_path / "found", moves="add,join,drop", pairs=False, race=False, beam=1, attributes="POS")
    measures = [record for record in records(found.folder / JOURNAL, SEARCH) if record["kind"] == "measure"]
    assert {record["step"].split()[0] for record in measures} == {"add", "join", "drop"}
    tried = [tuple(sorted(record["features"])) for record in measures]
    assert len(tried) == len(set(tried))


def test_stopping(tmp_path):
    found, _ = searched(tmp_path / "threshold", threshold=100, patience=1)
    assert found.why == "1 generation brought no gain"
    assert len(found.history) == 2
    assert found.best_generation == 2
    strict, _ = searched(tmp_path / "significance", significance=0.0, patience=2)
    assert len(strict.history) == 3
    assert strict.why == "2 generations brought no gain"


def test_the_test_treebank_is_only_looked_at(plain, tmp_path):
    found, _ = searched(tmp_path / "found.features", test=list(generate(30, seed=12)))
    assert found.output.read_bytes() == plain.output.read_bytes()
    tests = [record for record in records(found.folder / JOURNAL, SEARCH) if record["kind"] == "test"]
    assert [record["generation"] for record in tests] == [1, 2, 3]
    assert tests[-1]["las"] > tests[0]["las"]


def test_attributes_that_say_nothing_are_left_out(tmp_path):
    bare = [sentence.replace(xpos=["_"] * len(sentence)) for sentence in SENTENCES]
    found = discovery_from(bare, output=tmp_path / "found", attributes="POS,LEX,UPOS,LEMMA", **QUICK)
    assert found.moves.attributes == ("UPOS", "FORM", "LEMMA")


def test_graphs(tmp_path):
    options = {"parser": "graph", "learner": "pa-1", "metric": "UAS", "attributes": "POS", "race": False, "beam": 1}
    found, _ = searched(tmp_path / "found.features", train=SENTENCES[:40], generations=2, **options)
    steps = [one.beam[0].candidate.step for one in found.history]
    assert steps[0].startswith("add XPOS(")
    model = feature_model(str(found.output))
    assert any("SIDE(PARENT, CHILD)" in str(feature) for feature in model)
    assert any("LABEL(CHILD)" in str(feature) for feature in model)


@pytest.mark.parametrize(
    ("system", "root"), [("arc-eager", "none"), ("arc-eager", None), ("arc-standard", None), ("swap", None)]
)
def test_the_set_found_for_a_system_scores_the_same_in_training(system, root, tmp_path):
    """What the last line of the search says is what train, parse and evaluate come to with the file it wrote."""
    found, _ = searched(tmp_path / "found.features", system=system, root=root, learner="mira")
    dev = SENTENCES[9::10]
    options = {"learner": "mira", "passes": 1, "system": system, "root": root, "explore": 0.0, "two_step": True}
    parser = headway.train(
        [s for number, s in enumerate(SENTENCES, 1) if number % 10],
        features=str(found.output),
        encoding="none",
        **options,
    )
    scores = evaluate(dev, list(parser.parse(dev)))
    assert found.best.scores["LAS"] == pytest.approx(100 * scores["LAS"].f1)
    assert found.best.scores["UAS"] == pytest.approx(100 * scores["UAS"].f1)
    assert f"# {system}, mira, passes 1, beam 2" in found.output.read_text()


def test_systems_do_not_share_a_journal(plain):
    with pytest.raises(HeadwayError, match=r"system was .*'arc-eager'.* and is .*'arc-standard'"):
        searched(plain.output, system="arc-standard")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parser": "graph", "learner": "linear-svm", "passes": None}, "linear-svm does not learn in this way"),
        ({"metric": "CLAS"}, "unknown metric 'CLAS'; known are: AllTags, LAS, Lemmas, Segments, Tokens, UAS, UPOS"),
        (
            {"parser": "boosted"},
            "unknown parser 'boosted'; known are: graph, lemmatizer, segmenter, tagger",
        ),
        ({"folds": 3, "dev": SENTENCES[:5]}, "candidates can be measured on one of them only"),
        ({"moves": "jump"}, "unknown step 'jump'"),
        ({"start": "malt-15", "beam": 4, "least": 12}, "'malt-15' is neither a feature model"),
        ({"start": "malt-14"}, "beam = 2: a search from a feature model has no such option; leave it out"),
        (
            {"start": "tagger-default", "parser": "tagger", "beam": 4, "least": 12},
            "a tagger stage has none; leave it out",
        ),
        ({"minutes": 3}, "minutes = 3.0: a search from nothing has no such option; leave it out"),
        ({"minutes": 0}, "minutes = 0 is not positive; give a number above 0"),
        ({"system": "arc-lazy"}, f"unknown transition system 'arc-lazy'; known are: {', '.join(sorted(SYSTEMS))}"),
        ({"system": "swap", "root": "end"}, "swap knows no root at 'end'"),
        ({"parser": "graph", "system": "swap"}, "system = 'swap': a graph stage has none; leave it out"),
        ({"parser": "graph", "prune": 0.0}, "prune = 0.0: a graph stage has none; leave it out"),
    ],
)
def test_mistakes(options, message, tmp_path):
    with pytest.raises(HeadwayError, match=message):
        discovery_from(SENTENCES, output=tmp_path / "found", **{**QUICK, **options})


def test_the_command(tmp_path, run):
    train, output = tmp_path / "train.conllu", tmp_path / "found.features"
    write(SENTENCES, train)
    words = ("discover", train, "-o", output, "--generations", 2, "--beam", 1, "--passes", 1, "--jobs", 1)
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    assert re.search(r"^generation  2  UAS [\d.]+  LAS [\d.]+ \(ud\)  sets ", result.stderr, re.MULTILINE)
    assert re.search(
        r"2 was reached; .* LAS [\d.]+ \(all words count, labels without subtypes\)$", result.stderr.strip()
    )
    folder = tmp_path / "found.features.search"
    assert {path.name for path in folder.iterdir()} == {JOURNAL, "report.html", "report.md"}
    (folder / "report.md").unlink()
    assert run("discover", "--report", folder).exit_code == 0
    assert "XPOS" in feature_model(str(output))[0].terms[0].attribute
    assert run("train", train, "--features", output, "-o", tmp_path / "model", "--passes", 1).exit_code == 0
    assert run("discover", train).exit_code == 2
    assert run("discover", train, "-o", tmp_path / "nowhere" / "found").exit_code == 2
    assert run("discover", "--report", tmp_path).exit_code == 2


def test_the_papers_learner(tmp_path, run):
    train = tmp_path / "train.conllu"
    write(SENTENCES[:40], train)
    result = run("discover", train, "-o", tmp_path / "found", "--paper", "--generations", 1, "--jobs", 1)
    assert result.exit_code == 0, result.stderr
    first = records(tmp_path / "found.search" / JOURNAL, SEARCH)[0]["options"]
    assert (first["learner"], first["pairs"], first["race"], first["two_step"]) == ("kernel-svm", False, False, True)
    assert {name: first["learner_options"][name] for name in ("C", "gamma", "degree", "tolerance", "split")} == {
        "C": 0.4,
        "gamma": 0.2,
        "degree": 2,
        "tolerance": 0.1,
        "split": None,
    }


@pytest.mark.parametrize("learner", ["kernel-svm", "logistic", "linear-svm"])
def test_batch_learners_from_the_first_set_on(learner, tmp_path, run):
    train = tmp_path / "train.conllu"
    write(SENTENCES[:40], train)
    words = ("--learner", learner, "--generations", 2, "--beam", 2, "--least", 2, "--jobs", 1)
    result = run("discover", train, "-o", tmp_path / "found", *words)
    assert result.exit_code == 0, result.stderr
    first, *_, last = records(tmp_path / "found.search" / JOURNAL, SEARCH)
    assert first["options"]["pairs"] is (learner != "kernel-svm")
    assert len(last["best"]) == 2


def test_ctrl_c_keeps_the_best_set(tmp_path, interrupt):
    train, output = tmp_path / "train.conllu", tmp_path / "found.features"
    write(SENTENCES, train)
    words = [sys.executable, "-m", "headway", "discover", train, "-o", output, "--jobs", "1", "--patience", "99"]
    journal = tmp_path / "found.features.search" / JOURNAL
    with subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True) as process:
        while not journal.exists() or '"generation","number":2' not in journal.read_text():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.1)
        interrupt(process)
        assert "interrupted" in process.stderr.read()
    assert process.returncode == 130
    assert not output.exists()
    assert len(feature_model(f"{output}.partial")) >= 3


def test_killed_and_started_again(tmp_path):
    train, output = tmp_path / "train.conllu", tmp_path / "found.features"
    write(SENTENCES, train)
    words = [sys.executable, "-m", "headway", "discover", train, "-o", output, "--generations", "3", "--beam", "2"]
    words = [*map(str, words), "--jobs", "2", "--passes", "1", "--learner", "perceptron"]
    journal = tmp_path / "found.features.search" / JOURNAL
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        while not journal.exists() or journal.read_text().count("\n") < 25:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0
    found = output.read_bytes()
    output.unlink()
    journal.unlink()
    assert subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0
    assert output.read_bytes() == found
    assert json.loads(journal.read_text().splitlines()[-1])["kind"] == "end"
