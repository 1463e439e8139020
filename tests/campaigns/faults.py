"""Faults of the system: full disks, limits, closed streams, folders that are none; each ends in one sentence."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import headway
from campaigns.campaign import Tell, ensure
from campaigns.commands import Done, assure_said
from headway.data.sample import generate

COMMANDS = {
    "train": "train train.conllu -o out --features malt-14 --passes 2",
    "train graph": "train train.conllu -o out --parser graph --bits 12 --passes 2",
    "train text": "train train.conllu -o out --pipeline --features malt-14 --passes 1",
    "parse": "parse model dev.conllu -o out",
    "parse text": "parse pipeline story.txt --threads 2 -o out",
    "parse to the shell": "parse model dev.conllu",
    "convert": "convert dev.conllu --to conllx -o out.gz",
    "convert to the shell": "convert dev.conllu --to conllx",
    "evaluate": "evaluate dev.conllu dev.conllu --html out",
    "compare": "compare dev.conllu dev.conllu dev.conllu --trials 10",
    "crossvalidate": "crossvalidate dev.conllu --folds 2 --features malt-14 --passes 1 -o out",
    "info": "info dev.conllu",
    "info of a model": "info model",
    "split": "split dev.conllu --every 2 -o out",
    "show": "show dev.conllu --html out",
    "explain": "explain model dev.conllu --sentence 1",
    "select": "select model dev.conllu -n 3 -o out",
    "calibrate": "calibrate model dev.conllu -o out",
    "sample": "sample -n 300 -o out",
    "standard input": "parse model - -o out",
}


class Fault(NamedTuple):
    """What is wrong with the world: before the command runs, in its process, and with how it is started."""

    before: Callable[[Random, Path], Any] = lambda chance, folder: None
    inside: Callable[[Random], Any] = lambda chance: None
    start: Callable[[Random, Path], dict[str, Any]] = lambda chance, folder: {}


def _limit(which: int, low: int, high: int) -> Callable[[Random], Any]:
    def limit(chance: Random) -> None:
        size = chance.randint(low, high)
        resource.setrlimit(which, (size, size))

    return limit


def _instead(name: str, how: Callable[[Path], Any]) -> Callable[[Random, Path], Any]:
    """Something else at the place of a file."""

    def put(chance: Random, folder: Path) -> None:
        path = folder / (chance.choice(("dev.conllu", "model", "train.conllu")) if name == "input" else name)
        path.unlink(missing_ok=True)
        how(path)

    return put


def _cut(chance: Random, folder: Path) -> None:
    path = folder / chance.choice(("model", "pipeline", "dev.conllu", "train.conllu"))
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[: chance.randrange(len(data))])


def _closed(*streams: int) -> Callable[[Random], Any]:
    return lambda chance: [os.close(stream) for stream in streams]


def _environment(**values: str) -> Callable[[Random, Path], dict[str, Any]]:
    return lambda chance, folder: {"env": {**os.environ, **values}}


def _into(name: str) -> Callable[[Random, Path], dict[str, Any]]:
    return lambda chance, folder: {"stdout": Path(name).open("wb")}


def _without_reader(chance: Random, folder: Path) -> dict[str, Any]:
    """A pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    return {"stdout": write}


FAULTS = {
    "files have an end": Fault(inside=_limit(resource.RLIMIT_FSIZE, 0, 60_000)),
    "little memory": Fault(inside=_limit(resource.RLIMIT_AS, 120 << 20, 900 << 20)),
    "few open files": Fault(inside=_limit(resource.RLIMIT_NOFILE, 12, 40)),
    # The threads of NumPy's solver of equations end the process where their stacks are small.
    "small stack": Fault(
        inside=_limit(resource.RLIMIT_STACK, 256 << 10, 8 << 20), start=_environment(OPENBLAS_NUM_THREADS="1")
    ),
    "standard output is full": Fault(start=_into("/dev/full")),
    "nobody reads standard output": Fault(start=_without_reader),
    "standard output is closed": Fault(inside=_closed(1)),
    "standard input is closed": Fault(inside=_closed(0)),
    "standard error is closed": Fault(inside=_closed(2)),
    "all streams are closed": Fault(inside=_closed(0, 1, 2)),
    "no place for temporary files": Fault(start=_environment(TMPDIR="/nowhere", TEMP="/nowhere", TMP="/nowhere")),
    "no home": Fault(start=_environment(HOME="/nowhere", XDG_CACHE_HOME="/nowhere")),
    "ASCII only": Fault(
        start=_environment(LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    ),
    "an input is a folder": Fault(_instead("input", Path.mkdir)),
    "an input is a link to itself": Fault(_instead("input", lambda path: path.symlink_to(path))),
    "an input is a link to nothing": Fault(_instead("input", lambda path: path.symlink_to("nowhere"))),
    "an input is empty": Fault(_instead("input", Path.touch)),
    "an input is a device": Fault(_instead("input", lambda path: path.symlink_to("/dev/zero"))),
    "an input cannot be read": Fault(_instead("input", lambda path: path.symlink_to("/proc/self/mem"))),
    "an input is cut off": Fault(_cut),
    "the output is a folder": Fault(_instead("out", Path.mkdir)),
    "the output is a link to nothing": Fault(_instead("out", lambda path: path.symlink_to("nowhere/out"))),
    "the output is a full device": Fault(_instead("out", lambda path: path.symlink_to("/dev/full"))),
    "the output is where nothing can be written": Fault(_instead("out", lambda path: path.symlink_to("/proc/out"))),
}
CODES = (0, 2, 141)
PRECIOUS = b"precious"


class Faults:
    """Each command beside each fault, by chance."""

    cases, patience = 91, 120.0

    def prepare(self, folder: Path, seed: int) -> None:
        self.folder, self.whole = folder / "whole", dict[str, bytes]()
        self.folder.mkdir()
        headway.write(generate(60, seed=1), self.folder / "train.conllu")
        headway.write(generate(20, seed=2), self.folder / "dev.conllu")
        (self.folder / "story.txt").write_text("Dogs bark. They don't sleep!\n\nMr. Smith does.\n" * 20)
        headway.train(generate(40), features="malt-14", passes=1).save(self.folder / "model")
        headway.train(generate(40), pipeline=True, features="malt-14", passes=1, folds=2).save(self.folder / "pipeline")

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        name, fault = chance.choice(list(COMMANDS)), chance.choice(list(FAULTS))
        before, inside, start = FAULTS[fault]
        words = COMMANDS[name].split()
        wanted = self.without_fault(name, folder, tell)
        if "out" in words and (chance.random() < 0.3):
            (folder / "out").write_bytes(PRECIOUS)
            words += ["--force"] if words[0] in ("train", "crossvalidate", "calibrate") else []
        before(chance, folder)
        there = {path.name for path in folder.iterdir()}
        state = chance.getstate()
        tell(f"{fault}: headway {' '.join(words)}")

        def limits() -> None:
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            chance.setstate(state)
            inside(chance)

        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **start(chance, folder)}
        command = [sys.executable, "-m", "headway", *words]
        if words[:3] == ["parse", "model", "-"] and how["stdin"] == subprocess.DEVNULL:
            how["stdin"] = (folder / "dev.conllu").open("rb")
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, preexec_fn=limits, **how)
        said = process.communicate()[1].decode("utf-8", "replace")
        self.assure(Done(process.returncode, b"", said), fault, folder, there, wanted)
        return "done" if process.returncode == 0 else "refused"

    def without_fault(self, name: str, folder: Path, tell: Tell) -> bytes:
        """Put all files into a folder; what the command writes there where nothing is wrong."""
        for path in self.folder.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        if name not in self.whole:
            tell(f"headway {COMMANDS[name]}")
            with (folder / "dev.conllu").open("rb") as stream:
                words = [sys.executable, "-m", "headway", *COMMANDS[name].split()]
                done = subprocess.run(words, cwd=folder, stdin=stream, capture_output=True, check=False)
            ensure(done.returncode == 0, done.stderr.decode())
            self.whole[name] = (folder / "out").read_bytes() if (folder / "out").is_file() else b""
            for path in folder.glob("out*"):
                path.unlink()
        return self.whole[name]

    def assure(self, done: Done, fault: str, folder: Path, there: set[str], wanted: bytes) -> None:
        """One sentence, and nothing half-written."""
        if fault == "little memory" and "headway" not in done.stderr and done.code:
            return  # Python itself, or a library, has not begun.
        ensure(done.code in CODES, f"exit code {done.code}: {done.stderr[-1500:]}")
        if "standard error" not in fault and "all streams" not in fault and done.code != 141:
            assure_said(done)
        out = folder / "out"
        if done.code and out.is_file() and not out.is_symlink():
            ensure(out.read_bytes() in (PRECIOUS, b"", wanted), "what was there is lost")
        left = {path.name for path in folder.iterdir()} - there - {"out.search", "out.folds", "out.checkpoint"}
        if out.is_file() and out.read_bytes() == wanted:
            left -= {"out"}  # The file was whole before what the command prints met the fault.
        ensure(done.code == 0 or not left, f"{left} is left")
