"""Running recipes: the same figures on any engine, whatever dies, whatever is missing."""

import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from recipe_files import TINY, recipe_text
from waiting import members, until

from headway.base.errors import HeadwayError
from headway.data.formats.writing import write
from headway.data.sample import Sample
from headway.data.sentence import Sentence
from headway.evaluation.columns import treebank_columns
from headway.lab.canaries import canary_of, made_by
from headway.lab.experiment import TaskDone, run, status
from headway.lab.jobs import run_task
from headway.lab.measuring import scores_by
from headway.lab.metrics import packed, unpacked
from headway.lab.reading import recipe_from
from headway.lab.results import RUN, journal_of
from headway.lab.sources import TreebankMissing, cut, file_of, treebanks_in
from headway.lab.tasks import expand
from headway.runs.engines import CommandEngine
from headway.runs.journal import records

COSTS = ("training", "parsing", "memory")


def made(text=TINY, quick=True, name="tiny"):
    return recipe_from(text, name, f"{name}.toml", quick)


def figures(folder, recipe):
    """The records of a journal but for what depends on the machine, by key."""
    found = {}
    for record in records(journal_of(recipe, folder), RUN):
        if record["kind"] == "task":
            points = [{name: one[name] for name in one if name not in COSTS} for one in record["points"]]
            found[record["key"]] = {**record, "points": points, "workers": None}
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run with two workers, and what it said."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, list(run(made(), output=folder, jobs=2))


def test_a_run_measures_everything_once(whole):
    folder, events = whole
    assert [event.number for event in events] == [1, 2, 3, 4] and all(event.total == 4 for event in events)
    assert events[-1].left == 0 and not any(event.why for event in events)
    assert status(made(), folder, stale=True) == (4, 0, 4, 0, 0)
    first, *others = records(journal_of(made(), folder), RUN)
    assert first == {"kind": "recipe", "version": 1, "digest": "tiny.quick"}
    for record in others:
        assert record["sentences"] == 40 and record["workers"] == 2
        [task] = [task for _, task in expand(made()) if task.key == record["key"]]
        assert record["canary"] == canary_of(task)
        assert {name: record[name] for name in made_by()} == made_by()
        point = record["points"][-1]
        assert point["scores"]["LAS"][1] == sum(map(len, list(Sample(sentences=30, seed=3, difficulties=0.0))))
        assert sum(unpacked(point["wrong"]["UAS"])) == point["scores"]["UAS"][1] - point["scores"]["UAS"][0]
        assert point["training"] >= 0 and point["memory"] > 10 and point["model"] > 1000 and point["features"] > 100
    assert list(run(made(), output=folder, jobs=2)) == []


def test_figures_do_not_depend_on_workers_or_engine(whole, tmp_path):
    with ThreadPoolExecutor(3) as executor:
        assert len(list(run(made(), output=tmp_path, engine=executor, jobs=3))) == 4
    assert figures(tmp_path, made()) == figures(whole[0], made())


COMMAND = """
import sys
from recipe_files import TINY
from headway.lab.experiment import run
from headway.lab.reading import recipe_from

if __name__ == "__main__":
    for event in run(recipe_from(TINY, "tiny", "tiny.toml", True), output=sys.argv[1], jobs=1):
        print(event.number, flush=True)
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on_and_leaves_no_process(whole, tmp_path, sent):
    script = tmp_path / "script.py"
    script.write_text(COMMAND)
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)}
    words = [sys.executable, script, tmp_path]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, env=environment, **pipes, start_new_session=True) as process:
        assert process.stdout.readline() == b"1\n"
        # An interrupt is for all of a terminal's processes; a kill is for the command alone.
        (os.killpg if sent == signal.SIGINT else os.kill)(process.pid, sent)
        said = process.stderr.read().decode()
    assert said.count("Traceback") == (sent == signal.SIGINT) and (not said or said.endswith("KeyboardInterrupt\n"))
    until(lambda: not members(process.pid) and not list(tmp_path.glob("headway-*")))
    done = status(made(), tmp_path).done
    assert 1 <= done < 4
    again = list(run(made(), output=tmp_path, jobs=2))
    assert [event.number for event in again] == list(range(done + 1, 5))
    assert figures(tmp_path, made()) == figures(whole[0], made())


def test_a_task_that_is_ended_leaves_no_temporary_files(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    ((_, task), *_) = expand(made())
    with CommandEngine(1) as engine:
        started = [engine.submit(run_task, task, {})]

        def has_canary():
            if started[-1].done():  # It was too quick to be seen.
                started.append(engine.submit(run_task, task, {}))
            return list(tmp_path.rglob("headway-canary-*"))

        until(has_canary)
    assert not list(tmp_path.iterdir())


def folder_of(tmp_path, *names):
    for name in names:
        (tmp_path / name).mkdir()
        for part, seed in (("train", 1), ("dev", 2), ("test", 3)):
            Sample(sentences=60, seed=seed).write(tmp_path / name / f"{part}.conllu.gz")
    return tmp_path


def test_a_missing_treebank_is_named_and_the_rest_goes_on(tmp_path):
    text = recipe_text('[[part]]\nname = "test"\n', treebanks='["here", "gone", "half"]')
    place = folder_of(tmp_path, "here", "half")
    (place / "half" / "test.conllu.gz").unlink()
    missing, other, done = run(made(text, False), treebanks=str(place), output=tmp_path / "out", jobs=1)
    assert isinstance(missing, TreebankMissing) and missing.treebank == "gone"
    assert missing.why == f"{place / 'gone'}: there is no train.conll*; tasks that need it are left out"
    assert other.treebank == "half" and "there is no test.conll*" in other.why
    assert isinstance(done, TaskDone) and done.task.treebank == "here" and not done.why
    assert status(made(text, False), tmp_path / "out")[:3] == (1, 0, 3)


def test_a_run_without_its_treebanks_is_no_success(tmp_path, run):
    (tmp_path / "mine.toml").write_text(recipe_text('[[part]]\nname = "test"\n', treebanks='["here"]'), "utf-8")
    done = run(
        "experiment", "run", tmp_path / "mine.toml", "--treebanks", tmp_path, "-o", tmp_path / "out", "--jobs", 1
    )
    assert done.exit_code == 1
    assert done.stderr.endswith("mine: 0 of 1 task done, 0 failed, 1 treebank missing\n")


def test_list_and_status_count_tasks_alike(tmp_path, run):
    listed, states = (
        run("experiment", *words).stdout.splitlines()[2:] for words in (["list"], ["status", "-o", tmp_path])
    )
    tasks = [{line.split()[0]: line.split()[-1] for line in lines} for lines in (listed, states)]
    assert tasks[0] == tasks[1]


def test_no_folder_of_treebanks_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("HEADWAY_TREEBANKS", raising=False)
    text = recipe_text('[[part]]\nname = "test"\n', treebanks='["here"]')
    (missing,) = run(made(text, False), output=tmp_path, jobs=1)
    assert missing.why == "here is not there; give the folder of your treebanks with --treebanks"
    with pytest.raises(HeadwayError, match="no such folder; give the folder of your treebanks"):
        treebanks_in(str(tmp_path / "none"))
    monkeypatch.setenv("HEADWAY_TREEBANKS", str(tmp_path))
    assert treebanks_in(None) == tmp_path


def test_a_changed_treebank_is_measured_again(tmp_path):
    text = recipe_text('[[part]]\nname = "test"\n', treebanks='["here"]')
    place = folder_of(tmp_path, "here")
    assert len(list(run(made(text, False), treebanks=str(place), output=tmp_path / "out", jobs=1))) == 1
    Sample(sentences=50, seed=9).write(place / "here" / "train.conllu.gz")
    assert len(list(run(made(text, False), treebanks=str(place), output=tmp_path / "out", jobs=1))) == 1
    assert list(run(made(text, False), treebanks=str(place), output=tmp_path / "out", jobs=1)) == []


def test_what_fails_is_journaled_and_tried_again_unless_it_would_fail_again(tmp_path):
    text = recipe_text(
        '[[configuration]]\nname = "unknown"\noptions = {features = "nowhere"}\n'
        '[[configuration]]\nname = "slow"\nminutes = 0.0001\noptions = {learner = "mira"}\n[[part]]\nname = "test"\n'
    )
    events = list(run(made(text), output=tmp_path))
    said = {event.task.options["features"].replace("malt-14", str(event.task.minutes)): event.why for event in events}
    assert said["None"] == "" and said["0.0001"] == "it took more than 0.0001 minutes"
    assert said["nowhere"].startswith("'nowhere' is neither a feature model")
    assert status(made(text), tmp_path)[:3] == (1, 2, 3)
    (again,) = run(made(text), output=tmp_path)
    assert again.task.options["features"] == "nowhere" and again.number == 3


def test_what_took_too_long_is_tried_again_when_it_has_more_time(tmp_path):
    text = recipe_text('[[part]]\nname = "test"\n').replace('name = "cw"\n', 'name = "cw"\nminutes = 0.0001\n')
    assert [event.why for event in run(made(text), output=tmp_path)] == ["it took more than 0.0001 minutes"]
    assert list(run(made(text.replace("0.0001", "0.00005")), output=tmp_path)) == []
    (again,) = run(made(text.replace("0.0001", "10")), output=tmp_path)
    assert again.why == ""


def test_what_is_wrong_with_a_treebank_is_said_of_the_users_file(tmp_path, run):
    place = folder_of(tmp_path, "here")
    (place / "here" / "train.conllu.gz").unlink()
    (place / "here" / "train.conllu").write_text("1\tDogs\tdog\n\n", "utf-8")
    (tmp_path / "mine.toml").write_text(recipe_text('[[part]]\nname = "test"\n', treebanks='["here"]'), "utf-8")
    words = ["--treebanks", place, "-o", tmp_path / "out", "--jobs", 1]
    done = run("experiment", "run", tmp_path / "mine.toml", *words)
    assert done.exit_code == 1 and "mine: here: here/train.conllu:1: " in done.output.replace("\n", " ")


def test_seeds_are_used(tmp_path):
    text = "seeds = [1, 2]\n" + recipe_text('[[part]]\nname = "test"\n')
    list(run(made(text), output=tmp_path))
    first, second = (record["points"][0]["wrong"]["LAS"] for record in figures(tmp_path, made(text)).values())
    assert first != second


def test_one_task_at_a_time_where_a_recipe_asks_for_it(tmp_path):
    class Watched(ThreadPoolExecutor):
        """Notes how many calls are at work when another comes."""

        def __init__(self):
            super().__init__(2)
            self.others = []
            self.futures = []

        def submit(self, *call, **named):
            self.others.append(sum(not future.done() for future in self.futures))
            self.futures.append(super().submit(*call, **named))
            return self.futures[-1]

    several = recipe_text('[[part]]\nname = "test"\naxis = "cutoff"\nvalues = [1, 2, 3]\n')
    for text, at_once in ((several, 1), ("alone = true\n" + several, 0)):
        with Watched() as watched:
            output = tmp_path / str(at_once)
            assert len(list(run(made(text), output=output, engine=watched))) == 3
        assert max(watched.others) == at_once
    assert {record["workers"] for record in records(journal_of(made(text), output), RUN)[1:]} == {1}


@pytest.mark.parametrize(("on", "learned", "parsed"), [("held-out", 54, 6), ("folds", 45, 15), ("dev", 60, 60)])
def test_what_is_learned_from_and_what_is_parsed(tmp_path, on, learned, parsed):
    place = folder_of(tmp_path, "here")
    text = recipe_text(f'[[part]]\nname = "test"\non = "{on}"\nfolds = 4\n', treebanks='["here"]')
    files = {part: str(place / "here" / f"{part}.conllu.gz") for part in ("train", "dev")}
    seen = []
    for _, task in expand(made(text, False)):
        train, tested = cut(task, files)
        assert (len(train), len(tested)) == (learned, parsed)
        names = {sentence.sent_id for sentence in tested}
        assert not names & {sentence.sent_id for sentence in train}
        seen += names
    assert len(seen) == len(set(seen)) == (60 if on == "folds" else parsed)


def test_what_is_learned_from_can_be_parsed(tmp_path):
    place = folder_of(tmp_path, "here")
    text = recipe_text('[[part]]\nname = "test"\non = "train"\n', treebanks='["here"]')
    ((_, task),) = expand(made(text, False))
    assert task.files == ("train",)
    train, tested = cut(replace(task, sentences=20), {"train": str(place / "here" / "train.conllu.gz")})
    assert [str(one) for one in tested] == [str(one) for one in train]
    assert len(tested) == 20


def test_an_axis_may_be_an_option_of_the_learner(tmp_path):
    text = (
        'title = "t"\ntreebanks = ["sample"]\n[sources.sample]\nsample = {sentences = 5}\n'
        '[[configuration]]\nname = "b"\noptions = {parser = "boosted", options = {tolerance = 0.1}}\n'
        '[[part]]\nname = "test"\naxis = "strength"\nvalues = [0.5, 1.0, 2.0]\n'
    )
    found = [task.options["options"] for _, task in expand(made(text, False))]
    assert found == [{"tolerance": 0.1, "strength": value} for value in (0.5, 1.0, 2.0)]


def test_genres_and_other_files_of_a_treebank(tmp_path):
    place = folder_of(tmp_path, "here")
    other = place / "here" / "test.other.conllu"
    Sample(sentences=7, seed=4).write(other)
    text = recipe_text(
        '[[part]]\nname = "test"\n[sources.own]\ntreebank = "here"\nfiles = {test = "test.other"}\n'
        'genres = {train = ["sample"], test = ["sample-4"]}\n',
        treebanks='["own"]',
    )
    ((_, task),) = expand(made(text, False))
    paths = {part: file_of(task.source, part, place) for part in task.files}
    assert paths["test"] == other
    train, tested = cut(task, {part: str(path) for part, path in paths.items()})
    assert (len(train), len(tested)) == (60, 7)


def test_the_first_sentences_of_a_treebank(tmp_path):
    place = folder_of(tmp_path, "here")
    whole = '[[part]]\nname = "test"\non = "held-out"\n[sources.own]\ntreebank = "here"\n'
    tasks = {}
    for first in ("", "first = 20\n"):
        ((_, tasks[first]),) = expand(made(recipe_text(whole + first, treebanks='["own"]'), False))
    short, full = tasks["first = 20\n"], tasks[""]
    assert short.key != full.key
    files = {"train": str(place / "here" / "train.conllu.gz")}
    (train, tested), (every, more) = cut(short, files), cut(full, files)
    assert (len(train), len(tested), len(every), len(more)) == (18, 2, 54, 6)
    assert list(map(str, train + tested)) == list(map(str, every[:18] + more[:2]))


def test_generated_sentences_of_a_length(tmp_path):
    text = recipe_text('[[part]]\nname = "test"\naxis = "length"\nvalues = [40]\n')
    ((_, task),) = expand(made(text, False))
    train, _ = cut(task, {})
    assert all(40 <= len(sentence) < 140 for sentence in train)
    assert all(list(sentence.heads).count(0) == 1 and sentence.is_parsed for sentence in train)
    assert "parataxis" in {label for sentence in train for label in sentence.deprels}


def test_counts_are_packed_without_loss():
    import numpy as np

    counts = np.array([0, 3, 0, 700, 12])
    assert unpacked(packed(counts)).tolist() == counts.tolist()


def children(parent):
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if path.read_text().rpartition(")")[2].split()[1] == str(parent):
                found.append(int(path.parent.name))
    return found


def test_a_task_that_is_killed_says_so():
    ((_, task), *_) = expand(made(TINY.replace("passes = 2", "passes = 2000"), quick=False))
    with ThreadPoolExecutor(1) as beside:
        before = {*children(os.getpid())}
        outcome = beside.submit(run_task, task, {})
        (guard,) = until(lambda: {*children(os.getpid())} - before)
        (process,) = until(children, guard)
        os.kill(process, signal.SIGKILL)
        assert outcome.result() == {"why": "it was killed by signal 9, most often because memory ran out"}


@pytest.mark.parametrize(("definition", "right"), [("ud", 2), ("all", 1)])
def test_las_is_counted_by_the_definition_of_the_recipe(definition, right, tmp_path):
    gold = Sentence(forms=["Dogs", "!"], heads=[2, 0], deprels=["nsubj:pass", "root"])
    write([gold.replace(deprels=["nsubj", "root"])], tmp_path / "parsed.conllu")
    text = f'definition = "{definition}"\n{TINY}'.replace('name = "test"', 'name = "test"\nlabels = ["nsubj", "obj"]')
    (_, task), *_ = expand(made(text))
    found = scores_by(treebank_columns(gold), tmp_path / "parsed.conllu", task)
    assert found["scores"]["LAS:nsubj"] == ([2, 2] if definition == "ud" else [0, 1])
    assert found["scores"]["LAS:obj"] == [0, 0] and found["scores"]["CLAS"] == [4, 4]
    assert unpacked(found["wrong"]["LAS:nsubj"]).tolist() == [0 if definition == "ud" else 1]
    assert found["scores"]["LAS"] == [right, 2] and found["scores"]["LAS no punctuation"] == [right - 1, 1]
    assert unpacked(found["wrong"]["LAS"]).tolist() == [2 - right]
