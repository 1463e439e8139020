"""No command overwrites what it reads, reads standard input twice, or fails to write without a sentence."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.parsers.transition.options import TransitionOptions
from headway.training.loop import TrainingLoop

FULL = Path("/dev/full")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("lost")
    headway.write(generate(300, seed=1), place / "train.conllu")
    headway.write(generate(40, seed=2), place / "dev.conllu")
    headway.train(place / "train.conllu", passes=1).save(place / "model")
    (place / "own.features").write_text("POS(STACK0)\n")
    return place


@pytest.fixture
def place(folder, tmp_path, monkeypatch):
    """A folder with copies of a treebank, a dev treebank and a model to lose."""
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


OVERWRITING = {
    "train the treebank": "train train.conllu -o train.conllu",
    "train dev": "train train.conllu --dev dev.conllu -o dev.conllu",
    "train some other file": "train train.conllu -o dev.conllu",
    "parse": "parse model dev.conllu -o dev.conllu",
    "parse to the model": "parse model dev.conllu -o model",
    "parse to the folder": "parse model dev.conllu -o ./",
    "convert": "convert dev.conllu -o dev.conllu",
    "discover": "discover train.conllu -o train.conllu",
    "discover dev": "discover train.conllu --dev dev.conllu -o dev.conllu",
    "show a page": "show dev.conllu --html dev.conllu",
    "show a picture": "show dev.conllu train.conllu --svg train.conllu",
    "discover the features": "discover train.conllu --start own.features -o own.features",
    "evaluate": "evaluate dev.conllu dev.conllu --html dev.conllu",
    "compare": "compare dev.conllu train.conllu dev.conllu --html train.conllu",
    "crossvalidate": "crossvalidate train.conllu -o train.conllu",
    "crossvalidate dev": "crossvalidate train.conllu --dev dev.conllu -o dev.conllu",
    "crossvalidate the features": "crossvalidate train.conllu --features own.features -o own.features",
    "train the features": "train train.conllu --features own.features -o own.features",
    "train features of labels": "train train.conllu --parser boosted --label-features own.features -o own.features",
    "split": "split dev.conllu --every 2 -o ./",
}


@pytest.mark.parametrize("words", OVERWRITING.values(), ids=OVERWRITING)
def test_no_command_overwrites_what_it_reads(words, run, place):
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    if words.startswith("split"):
        (place / "dev.rest.conllu").symlink_to("dev.conllu")
        before["dev.rest.conllu"] = before["dev.conllu"]
    done = run(*words.split())
    assert done.exit_code == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "would overwrite" in done.stderr or "is not a model; name another one" in done.stderr
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def test_who_wants_to_overwrite_says_so(run, place):
    dev = (place / "dev.conllu").read_bytes()
    assert run("parse", "model", "dev.conllu", "-o", "dev.conllu", "--force").exit_code == 0
    assert (place / "dev.conllu").read_bytes() != dev
    assert run("convert", "dev.conllu", "-o", "dev.conllu", "--to", "conllx", "--force").exit_code == 0
    assert run("train", "train.conllu", "-o", "dev.conllu", "--passes", 1, "--force").exit_code == 0
    assert headway.load("dev.conllu").gives == {"HEAD", "DEPREL"}
    assert run("train", "train.conllu", "-o", "train.conllu", "--passes", 1, "--force").exit_code == 0
    assert headway.load("train.conllu").gives == {"HEAD", "DEPREL"}


def test_python_does_not_overwrite_what_it_reads_either(place):
    for wanted in ({"output": "train.conllu"}, {"output": "dev.conllu", "dev": "dev.conllu"}, {"output": "dev.conllu"}):
        with pytest.raises(headway.HeadwayError, match=r"overwrite this input|is not a model"):
            headway.train("train.conllu", passes=1, **wanted)
    for work in (headway.discover, headway.cross_validate):
        for wanted in ({"output": "train.conllu"}, {"output": "dev.conllu", "dev": "dev.conllu"}):
            with pytest.raises(headway.HeadwayError, match="overwrite this input"):
                work("train.conllu", **wanted)
    headway.cross_validate("dev.conllu", folds=2, passes=1, features="malt-14", output="dev.conllu", force=True)
    assert len(list(headway.read("dev.conllu"))) == 40
    headway.train("train.conllu", passes=1, output="dev.conllu", force=True)
    assert headway.load("dev.conllu")


READING_TWICE = {
    "train": "train - --dev - -o new",
    "train two": "train - - -o new",
    "parse": "parse model - -",
    "evaluate": "evaluate - -",
    "compare": "compare dev.conllu - -",
    "crossvalidate": "crossvalidate - --dev -",
    "show": "show - -",
    "info": "info - --compare -",
    "discover": "discover - --dev - -o new",
    "discover test": "discover train.conllu --dev - --test - -o new",
}


@pytest.mark.parametrize("words", READING_TWICE.values(), ids=READING_TWICE)
def test_standard_input_is_read_once(words, run, place):
    done = run(*words.split(), stdin=(place / "dev.conllu").read_text("utf-8"))
    assert done.exit_code == 2
    assert done.stderr == "only one of the files can be '-', standard input; name the others\n"
    assert not (place / "new").exists()


@pytest.mark.parametrize(
    "words", ["--passes auto --folds 2", "--dev dev.conllu --tune cutoff --passes 1", "--passes 1 --weights 2"]
)
def test_what_needs_the_treebank_several_times_reads_it_once(words, shell, place):
    headway.write(generate(40, seed=3), "few.conllu")
    words = [*words.split(), "--features", "malt-14", "--learner", "perceptron", "--explore", "0"]
    piped = shell("train", "-", "-o", "piped", *words, stdin=Path("few.conllu").read_bytes())
    assert piped.returncode == 0, piped.stderr
    assert shell("train", "few.conllu", "-o", "read", *words).returncode == 0
    assert Path("piped").read_bytes() == Path("read").read_bytes()


def test_dev_may_be_standard_input(shell, place):
    words = ("--features", "malt-14", "--passes", 2, "--explore", 0)
    piped = shell("train", "train.conllu", "--dev", "-", "-o", "piped", *words, stdin=Path("dev.conllu").read_bytes())
    assert piped.returncode == 0, piped.stderr
    assert shell("train", "train.conllu", "--dev", "dev.conllu", "-o", "read", *words).returncode == 0
    assert Path("piped").read_bytes() == Path("read").read_bytes()


def test_iterators_are_read_once():
    train, dev = list(generate(60, seed=1)), list(generate(20, seed=2))
    how = {"features": "malt-14", "learner": "perceptron", "explore": 0.0, "passes": 2, "tune": "cutoff"}
    wanted = headway.train(train, dev=dev, **how).about
    assert headway.train(iter(train), dev=iter(dev), **how).about == wanted


@pytest.mark.parametrize("dev", [[], iter(())], ids=["list", "iterator"])
def test_a_dev_treebank_without_sentences_is_refused(dev):
    with pytest.raises(headway.HeadwayError, match="the development treebank has no sentences; give one with trees"):
        headway.train(generate(20), dev=dev, passes=1)


def test_a_dev_treebank_without_trees_is_refused(run, place):
    bare = [headway.Sentence(forms=s.forms, upos=s.upos) for s in generate(5)]
    headway.write(bare, "bare.conllu")
    for words in ("train train.conllu --dev bare.conllu -o new", "discover train.conllu --dev bare.conllu -o new"):
        done = run(*words.split())
        assert done.exit_code == 2
        assert "bare.conllu: the development treebank has no trees; give one whose words have heads" in done.stderr


@pytest.mark.parametrize("output", ["dev.conllu", "train.conllu"])
def test_calibrating_overwrites_no_treebank(output, run, place):
    before = (place / output).read_bytes()
    done = run("calibrate", place / "model", place / "dev.conllu", "-o", place / output)
    assert done.exit_code == 2 and "overwrite" in done.stderr
    assert (place / output).read_bytes() == before


@pytest.mark.parametrize(("option", "value"), [("dev", "dev.conllu"), ("licence", "CC0"), ("parser", "graph")])
def test_what_going_on_has_no_use_for_is_refused(option, value, run, place):
    done = run("train", "dev.conllu", "--continue", "model", f"--{option}", value, "-o", "more")
    assert done.exit_code == 2
    assert f"--continue takes --passes, --shuffle and --seed; leave --{option} out" in done.stderr
    assert not (place / "more").exists()


WRITING = {
    "train": "train train.conllu --passes 1 --force -o {}",
    "parse": "parse model dev.conllu -o {}",
    "convert": "convert dev.conllu -o {}",
    "convert gz": "convert dev.conllu -o {}.gz",
    "sample": "sample -n 100 -o {}",
    "show page": "show dev.conllu --html {}",
    "show picture": "show dev.conllu --svg {}",
    "evaluate": "evaluate dev.conllu dev.conllu --html {}",
    "compare": "compare dev.conllu dev.conllu dev.conllu --trials 10 --html {}",
    "crossvalidate": "crossvalidate dev.conllu --folds 2 --passes 1 --features malt-14 --jobs 1 -o {}",
    "crossvalidate at once": "crossvalidate dev.conllu --folds 2 --passes 1 --features malt-14 --jobs 2 -o {}",
    "split": "split dev.conllu --every 2 -o {}",
    "parse to a folder": "parse model dev.conllu train.conllu -o {}/",
    "discover": "discover train.conllu --generations 1 --passes 1 --jobs 1 -o {}",
    "discover at once": "discover train.conllu --generations 1 --passes 1 --jobs 2 -o {}",
    "report": "experiment report costs --page {}.md",
}


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING)
def test_a_full_disk_is_one_sentence_in_every_command(words, shell, place):
    """Files of more than 600 bytes cannot be written."""
    old = place / "old"
    if not words.endswith("/"):
        old.write_text("precious")
    before = sorted(path for path in place.iterdir())
    done = shell(*words.format("old").split(), preexec_fn=limited)
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert (
        "Traceback" not in said and "<stdout>" not in said and "File too large; make room" in said.splitlines()[-1]
    ), said
    assert not old.is_file() or old.read_text() == "precious"
    # What is done stays for the same command to go on with.
    left = {path for path in place.iterdir() if path.name not in ("old.search", "old.folds")} - set(before)
    assert not [path for path in left if path.is_file() or any(path.iterdir())]


PRINTING = (
    "--help",
    "--version",
    "parse --help",
    "parse model dev.conllu",
    "convert dev.conllu",
    "sample -n 5",
    "sample -n 5000",
    "info dev.conllu",
    "info model",
    "info model --json",
    "evaluate dev.conllu dev.conllu",
    "evaluate dev.conllu dev.conllu --json",
    "compare dev.conllu dev.conllu dev.conllu --trials 10",
    "crossvalidate dev.conllu --folds 2 --passes 1 --features malt-14 --jobs 1",
    "show dev.conllu",
    "show dev.conllu --html -",
    "split dev.conllu --every 2 -o part",
    "completion bash",
    "experiment list",
    "experiment status",
)


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device")
@pytest.mark.parametrize("words", PRINTING)
def test_a_full_standard_output_is_one_sentence_in_every_command(words, place):
    command = [sys.executable, "-m", "headway", *words.split()]
    with FULL.open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode()
    assert done.returncode == 2
    lines = [line for line in said.splitlines(keepends=True) if not line.startswith(("fold ", "note: "))]
    assert lines == ["<stdout>: No space left on device; make room, or write to another place\n"]


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("show {} --limit 2 --html page", "page"),
        ("evaluate {} dev.conllu --html page", "page"),
        ("discover {} -o found --generations 1 --beam 1 --jobs 1", "found.search/report.html"),
    ],
)
def test_a_treebank_whose_name_is_no_utf_8_gets_a_page(words, page, place, run):
    name = os.fsdecode(b"d\xff.conllu")
    (place / name).write_bytes((place / "dev.conllu").read_bytes())
    result = run(*(name if word == "{}" else word for word in words.split()))
    assert result.exit_code == 0, result.stderr
    assert r"d\udcff.conllu" in (place / page).read_text("utf-8")


@pytest.mark.parametrize("words", ["convert dev.conllu", "info dev.conllu"])
def test_a_closed_standard_output_is_one_sentence(words, place):
    done = subprocess.run(f"{sys.executable} -m headway {words} >&-", shell=True, stderr=subprocess.PIPE, check=False)
    assert b"Traceback" not in done.stderr


def test_a_closed_standard_input_is_one_sentence(place):
    done = subprocess.run(f"{sys.executable} -m headway convert <&-", shell=True, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and done.stderr == b"<stdin>: standard input is closed; name a file\n"


def test_a_checkpoint_that_cannot_be_written_ends_no_training(caplog, tmp_path):
    options = TransitionOptions(passes=3, features="malt-14")
    checkpoint = tmp_path / "none" / "checkpoint"
    loop = TrainingLoop(options, list(batches_of(generate(30))), checkpoint=checkpoint, checkpoint_seconds=0.0)
    assert [step.number for step in loop] == [1, 2, 3]
    assert "(the training goes on, but would start over after an interruption)" in caplog.text


def started(*words):
    command = [sys.executable, "-m", "headway", *map(str, words)]
    # Under nohup the tests themselves would hand down that hang-ups are ignored.
    heard = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heard)
    assert process.stderr.readline().startswith(b"pass  1")
    return process


def ended(process, number=signal.SIGINT):
    for _ in range(3):
        assert process.stderr.readline().startswith(b"pass ")
    process.send_signal(number)
    said = process.stderr.read().decode().splitlines()
    process.stderr.close()
    assert process.wait(60) == 130, said[-9:]
    return said[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_an_interruption_leaves_the_old_model_and_the_same_command_goes_on(number, run, place):
    whole = Path("model").read_bytes()
    words = ("train", "train.conllu", "-o", "model", "--passes", 4000, "--features", "malt-14", "--explore", 0)
    said = ended(started(*words), number)
    assert Path("model").read_bytes() == whole
    passes = headway.load("model.partial").about["passes"]
    before, kept, after = re.split(r"after pass (\d+)", said)
    assert before == f"interrupted; model.partial is the parser of pass {passes}, and the same command goes on "
    assert 0 < int(kept) <= passes and after == ", from model.checkpoint"
    # Now the same with as many passes as there are: the options are others, so the checkpoint is refused.
    done = run(*words[:5], 2, *words[6:])
    assert done.exit_code == 2 and done.stderr == (
        "model.checkpoint: this checkpoint is of another training (with another value of passes); "
        "start over with --restart (in Python resume=False), or name another model\n"
    )
    assert run(*words[:5], 2, *words[6:], "--restart").exit_code == 0
    assert headway.load("model").about["passes"] == 2
    assert not Path("model.checkpoint").exists() and not Path("model.partial").exists()


def test_going_on_says_from_where_and_ends_with_the_same_bytes(run, place, monkeypatch):
    words = (
        "train",
        "train.conllu",
        "--passes",
        200,
        "--features",
        "malt-14",
        "--explore",
        0,
        "--learner",
        "perceptron",
    )
    said = ended(started(*words, "-o", "new"))
    assert not Path("new").exists()
    kept = int(re.search(r"goes on after pass (\d+)", said)[1])
    done = run(*words, "-o", "new")
    assert done.exit_code == 0
    assert done.stderr.startswith(f"note: new.checkpoint: going on after pass {kept} of 200\npass {kept + 1:2}")
    assert run(*words, "-o", "straight").exit_code == 0
    assert Path("new").read_bytes() == Path("straight").read_bytes()
    left = {path.name for path in place.iterdir()}
    assert left == {"train.conllu", "dev.conllu", "own.features", "model", "new", "straight"}


def test_another_dev_treebank_is_another_training(run, place):
    words = ("train", "train.conllu", "-o", "new", "--features", "malt-14", "--explore", 0, "--passes", 1000)
    patient = (*words, "--patience", 1000)
    ended(started(*patient, "--dev", "dev.conllu"))
    headway.write(generate(40, seed=3), "other.conllu")
    for more, what in (
        (("--dev", "other.conllu"), "the development treebank"),
        ((), "the development treebank, patience"),
        (("--dev", "dev.conllu", "--patience", 3), "patience"),
    ):
        done = run(*(patient if "--patience" not in more and more else words), *more)
        assert done.exit_code == 2
        assert f"this checkpoint is of another training (with another value of {what})" in done.stderr


def test_a_file_of_features_that_has_changed_makes_another_training(run, place):
    Path("own.features").write_text("POS(STACK0)\nPOS(QUEUE0)\n")
    words = ("train", "train.conllu", "-o", "new", "--features", "own.features", "--explore", 0, "--passes", 3000)
    ended(started(*words))
    Path("own.features").write_text("POS(STACK0)\nPOS(QUEUE1)\n")
    done = run(*words)
    assert done.exit_code == 2
    assert "this checkpoint is of another training (with another value of the features)" in done.stderr


def test_a_file_that_only_looks_like_a_checkpoint_stays(run, place):
    Path("new.checkpoint").write_text("precious")
    for more in ((), ("--restart",)):
        done = run("train", "train.conllu", "-o", "new", "--passes", 1, *more)
        assert done.exit_code == 2 and done.stderr.startswith("new.checkpoint: this is no")
        assert Path("new.checkpoint").read_text() == "precious"


def test_a_model_that_cannot_be_written_leaves_the_checkpoint(shell, place):
    words = ("train", "train.conllu", "-o", "new", "--passes", 3, "--features", "malt-14")
    code = (
        "import sys\n"
        "import headway.training.loop as loop\nloop.TrainingLoop.__init__.__kwdefaults__['checkpoint_seconds'] = 0.0\n"
        "import headway.stages.parsing.parser\nfrom headway.base.errors import HeadwayError\n"
        "def save(self, path): raise HeadwayError('new: no space; make room')\n"
        "headway.stages.parsing.parser.Parser.save = save\n"
        "from headway.cli import main\nsys.argv[0] = 'headway'\nmain()\n"
    )
    failed = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, check=False)
    assert failed.returncode == 2 and b"new: no space; make room\n" in failed.stderr
    again = shell(*words)
    assert again.returncode == 0 and b"going on after pass 3 of 3" in again.stderr
    assert not Path("new.checkpoint").exists()


def test_a_note_is_made_once_however_often_a_command_trains(run, place):
    words = ("train", "train.conllu", "--dev", "dev.conllu", "--tune", "cutoff", "--passes", 1, "-o", "new")
    bare = [sentence.replace(xpos=None) for sentence in headway.read("train.conllu")]
    headway.write(bare, "train.conllu")
    said = run(*words, "--features", "malt-14").stderr
    assert said.count("note: features: XPOS is empty or constant") == 1 and "note: cutoff = " in said


@pytest.mark.parametrize("words", ["convert -", "split - --every 2 -o part", "parse model -"])
def test_whoever_ends_a_command_in_good_manner_finds_nothing_left(words, place):
    before = sorted(place.iterdir())
    command = [sys.executable, "-m", "headway", *words.split()]
    command += [] if "-o" in command else ["-o", "out.conllu"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(Path("dev.conllu").read_bytes())
    process.stdin.flush()
    until = time.monotonic() + 30
    while sorted(place.iterdir()) == before and time.monotonic() < until:
        time.sleep(0.05)
    process.terminate()
    assert process.wait(30) == 130 and process.stderr.read() == b"interrupted\n"
    process.stdin.close()
    process.stderr.close()
    assert sorted(place.iterdir()) == before


INTERRUPTED_IMPORT = """
import signal, sys

from_here, *words = sys.argv[1:]

class Interrupts:
    def find_spec(self, name, *rest):
        if name == from_here:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
from headway.__main__ import main
sys.argv = ["headway", *words]
main()
"""


@pytest.mark.parametrize(
    ("module", "words", "code", "said"),
    [
        ("click", ["--help"], -signal.SIGINT, ""),
        ("headway.cli.experiment", ["--help"], -signal.SIGINT, ""),
        ("headway.cli.parse", ["parse", "m", "-"], 130, "interrupted\n"),
        ("numpy", ["parse", "m", "-"], 130, "interrupted\n"),
    ],
)
def test_an_interruption_while_modules_are_imported_shows_no_traceback(module, words, code, said):
    """Who dies of a signal has the exit code 130 for a shell."""
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, module, *words]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (code, said)
