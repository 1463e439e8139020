"""What cannot be written is one sentence and leaves the old file alone; drafts of killed processes are removed."""

import fcntl
import os
import resource
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from headway.base import files as drafts
from headway.base.errors import HeadwayError
from headway.base.files import assure_apart, assure_one_standard, replacing, replacing_all


@contextmanager
def no_larger_than(size):
    """Files of this process end at so many bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(autouse=True)
def fresh_listing():
    drafts._left_behind.cache_clear()


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_a_write_that_fails_is_one_sentence_and_the_old_file_stays(suffix, tmp_path):
    path = tmp_path / f"out{suffix}"
    path.write_text("precious")
    with pytest.raises(HeadwayError) as refusal, no_larger_than(1000), replacing(path) as stream:
        for _ in range(100):
            stream.write(os.urandom(10_000))
    assert str(refusal.value) == f"{path}: File too large; make room, or write to another place"
    assert path.read_text() == "precious" and list(tmp_path.iterdir()) == [path]


def test_a_failure_at_the_very_end_is_one_sentence_too(tmp_path):
    """What the buffer holds is written when the file is closed."""
    with pytest.raises(HeadwayError, match="out: File too large"), no_larger_than(10), replacing(tmp_path / "out") as s:
        s.write(b"x" * 100)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_device_is_one_sentence():
    with pytest.raises(HeadwayError) as refusal, replacing("/dev/full") as stream:
        stream.write(b"x" * 1_000_000)
    assert str(refusal.value) == "/dev/full: No space left on device; make room, or write to another place"


def test_an_error_about_another_file_is_not_blamed_on_the_output(tmp_path):
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "out"):
        (tmp_path / "none").read_bytes()


def test_drafts_of_killed_processes_are_removed(tmp_path):
    code = (
        "import os, signal, sys\nfrom headway.base.files import replacing\n"
        "with replacing(sys.argv[1]) as stream:\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    target = tmp_path / "out.conllu"
    subprocess.run([sys.executable, "-c", code, str(target)], check=False)
    [left] = tmp_path.iterdir()
    assert left.name.startswith(".out.conllu.") and left.suffix == ".part"
    drafts._left_behind.cache_clear()
    with replacing(target) as stream:
        stream.write(b"new")
    assert left.exists(), "it could be that of another process that has just begun"
    os.utime(left, (time.time() - 100,) * 2)
    others = [
        tmp_path / name for name in (".out.conllu.part", ".other.conllu.abcd1234.part", "out.conllu.abcd1234.part")
    ]
    for other in others:
        other.touch()
        os.utime(other, (0, 0))
    drafts._left_behind.cache_clear()
    with replacing(target) as stream:
        stream.write(b"newer")
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


def test_a_draft_that_somebody_is_writing_stays(tmp_path):
    busy = tmp_path / ".out.abcd1234.part"
    with busy.open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        os.utime(busy, (0, 0))
        with replacing(tmp_path / "out"):
            pass
        assert busy.exists()
    with replacing(tmp_path / "out"):
        pass
    assert not busy.exists()


def test_a_draft_is_locked_while_it_is_written(tmp_path):
    with replacing(tmp_path / "out"):
        [draft] = tmp_path.iterdir()
        with draft.open("rb") as again, pytest.raises(BlockingIOError):
            fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_an_output_does_not_take_the_place_of_an_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, other = tmp_path / "one", tmp_path / "other"
    one.touch()
    other.touch()
    (tmp_path / "linked").hardlink_to(one)
    (tmp_path / "pointing").symlink_to(one)
    for output in (one, "one", tmp_path / "linked", "pointing", f"{tmp_path}/../{tmp_path.name}/one"):
        with pytest.raises(HeadwayError) as refusal:
            assure_apart(output, [other, one])
        assert str(refusal.value) == (
            f"{one}: the output would overwrite this input; name another output, or overwrite the input with --force"
        )
        assure_apart(output, [one], force=True)
        assure_apart(output, [other, "none", "-"])
    assure_apart("/dev/null", ["/dev/null"])
    assure_apart("-", ["-"])


def test_standard_input_and_output_may_be_such_files(shell, tmp_path):
    path = tmp_path / "a.conllx"
    path.write_bytes(b"1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n\n")
    with path.open("rb") as stream:
        words = [sys.executable, "-m", "headway", "convert", "-", "-o", str(path)]
        done = subprocess.run(words, stdin=stream, capture_output=True, check=False)
    assert done.returncode == 2 and b"<stdin>: the output would overwrite this input" in done.stderr
    with path.open("ab") as stream:
        words = [sys.executable, "-m", "headway", "convert", str(path)]
        done = subprocess.run(words, stdout=stream, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b"a.conllx: the output would overwrite this input" in done.stderr


def test_standard_input_can_be_named_once():
    assure_one_standard(["-", "a", None])
    with pytest.raises(HeadwayError, match="only one of the files can be '-', standard input; name the others"):
        assure_one_standard(["-", "a", "-"])


def test_drafts_of_killed_splits_are_removed(tmp_path):
    code = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom headway.base.files import replacing_all\n"
        "with replacing_all([Path(sys.argv[1]) / name for name in 'ab']) as streams:\n"
        "    streams[1].write(b'half')\n    streams[1].flush()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    left = sorted(tmp_path.iterdir())
    assert len(left) == 2
    os.utime(left[1], (0, 0))
    with pytest.raises(KeyError), replacing_all([tmp_path / "a", tmp_path / "b"]):
        assert left[0].exists(), "it could be that of another process that has just begun"
        assert not left[1].exists()
        raise KeyError
    assert list(tmp_path.iterdir()) == left[:1]
