import os
import subprocess
import sys
import time

import pytest
from samples import CONLLU, CONLLX

from headway.base.version import __version__
from headway.cli import COMMANDS


def test_help_lists_every_command_and_needs_no_numpy():
    code = (
        "import sys; sys.argv = ['headway', '--help']\n"
        "from headway.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "assert not {'numpy', 'rich'} & set(sys.modules), 'slow imports'\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name, run):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "-q, --quiet" in result.stdout and "-v, --verbose" in result.stdout


def test_the_module_is_the_command(shell):
    assert shell("--version").stdout.decode().strip() == f"headway, version {__version__}"


def test_an_unknown_command_lists_the_known_ones(run):
    result = run("pares")
    assert result.exit_code == 2
    assert "no command 'pares', perhaps 'parse'; known are:" in result.stderr


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(name, run):
    assert "_HEADWAY_COMPLETE" in run("completion", name).stdout


def test_completion_completes(shell):
    environment = os.environ | {"_HEADWAY_COMPLETE": "bash_complete", "COMP_WORDS": "headway con", "COMP_CWORD": "1"}
    result = subprocess.run(
        [sys.executable, "-c", "from headway.cli import main; main()"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == "plain,convert"


def test_quiet_says_less_and_verbose_says_more(run, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes((CONLLU + CONLLU.replace("\t3\taux", "\tx\taux")).replace("\n", "\r\n").encode())
    skip = ("convert", path, "--on-error", "skip")
    assert run(*skip, "-q").stderr == ""
    assert run(*skip).stderr.count("note:") == 2
    assert "head 'x' is not a number" in run(*skip, "-v").stderr


@pytest.mark.parametrize("first", [True, False], ids=["before", "behind"])
def test_quiet_prints_errors_and_results_only(run, tmp_path, monkeypatch, first):
    monkeypatch.chdir(tmp_path)
    run("sample", "-n", "30", "-o", "a.conllu")

    def quiet(command, *words):
        done = run(*(("-q", command) if first else (command, "-q")), *words)
        assert done.exit_code == 0 and done.stderr == "", done.stderr
        return done.stdout

    train = ("train", "a.conllu", "--passes", 1, "--features", "malt-14")
    assert quiet(*train, "--updatable", "-o", "model") == ""
    assert quiet("train", "a.conllu", "--continue", "model", "-o", "more") == ""
    assert quiet(*train, "--stages", "tagger", "--dev", "a.conllu", "-o", "row") == ""
    assert quiet("select", "model", "a.conllu", "-n", 1).startswith("# ")
    assert quiet("split", "a.conllu", "--folds", 2, "-o", "part") == ""
    assert quiet("calibrate", "model", "a.conllu", "-o", "sure") == ""
    assert "mean" in quiet("crossvalidate", "a.conllu", "--folds", 2, "--passes", 1, "--features", "malt-14")
    search = ("a.conllu", "-o", "found", "--generations", 1, "--passes", 1, "--jobs", 1)
    assert quiet("discover", *search) == ""
    assert "LAS" in quiet("evaluate", "a.conllu", "a.conllu")
    refused = run("-q", "evaluate", "a.conllu", "none.conllu")
    assert refused.exit_code == 2 and refused.stderr.startswith("none.conllu: No such file")


def test_standard_input_and_output(shell):
    result = shell("convert", stdin=CONLLX.encode())
    assert result.returncode == 0
    assert result.stdout == CONLLX.encode()
    assert b"\x1b[" not in result.stderr


def test_a_missing_file_is_one_sentence(run):
    result = run("convert", "nowhere.conllu")
    assert result.exit_code == 2
    assert result.stderr == "nowhere.conllu: No such file or directory; give a file that can be read\n"


def test_a_folder_that_is_not_there_is_one_sentence(run, tmp_path):
    path = tmp_path / "a.conllx"
    path.write_text(CONLLX, "utf-8")
    result = run("convert", path, "-o", tmp_path / "none" / "b.conllx")
    assert result.exit_code == 2
    assert "name a folder that can be written to" in result.stderr


def test_a_folder_as_output_is_one_sentence(run, tmp_path):
    path = tmp_path / "a.conllx"
    path.write_text(CONLLX, "utf-8")
    result = run("convert", path, "-o", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == f"{tmp_path}: this is a folder; name a file in it\n"


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_read(run, tmp_path):
    for command in (("evaluate", "none.conllu", "none.conllu"), ("show", "none.conllu")):
        result = run(*command, "--html", tmp_path / "none" / "page.html")
        assert result.exit_code == 2
        assert "name a folder that can be written to" in result.stderr


def test_a_failure_leaves_the_old_output_alone(run, tmp_path):
    path, output = tmp_path / "a.conllx", tmp_path / "b.conllx"
    path.write_text(CONLLX * 1000 + "broken\n\n", "utf-8")
    output.write_text("precious")
    assert run("convert", path, "-o", output).exit_code == 2
    assert output.read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.conllx", "b.conllx"]


def test_nobody_minds_when_the_reader_of_the_output_leaves(tmp_path):
    path = tmp_path / "a.conllx"
    path.write_text(CONLLX * 100_000, "utf-8")
    words = [sys.executable, "-m", "headway", "convert", str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_interrupt_leaves_nothing_behind(tmp_path, interrupt):
    output = tmp_path / "out.conllx"
    words = [sys.executable, "-m", "headway", "convert", "-", "-o", str(output)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(CONLLX.encode() * 100)
        process.stdin.flush()
        deadline = time.monotonic() + 30
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        interrupt(process, patience=5)
        assert process.stderr.read().endswith(b"interrupted\n")
    assert process.returncode == 130
    assert list(tmp_path.iterdir()) == []


def test_memory_that_does_not_suffice_is_a_sentence(run, tmp_path, monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("headway.data.treebank_facts.overview", full)
    result = run("info", tmp_path / "t.conllu")
    assert result.exit_code == 2
    assert result.stderr == (
        "there is not enough memory for this; give fewer or shorter sentences, or close other programs\n"
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_standard_output_has_no_character_for_is_written_as_its_number(encoding, tmp_path, shell):
    """Also half of a character, as in a name of a file that is not UTF-8."""
    path = tmp_path / os.fsdecode(b"b\xf8rn.conllu")
    path.write_text(CONLLU)
    how = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8"}
    done = shell("info", path, env={**os.environ, **how})
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    assert b"rn.conllu, CoNLL-U" in done.stdout
    done = shell("show", path, env={**os.environ, **how})
    assert b"Traceback" not in done.stderr and done.returncode == (0 if encoding == "utf-8" else 2)
    done = shell("compare", path, path, path, "--trials", 10, env={**os.environ, **how})
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr
    assert (b"\\xd8" in done.stdout or b"\\u2212" in done.stdout) == (encoding != "utf-8"), done.stdout
