"""Commands that are killed: what they would overwrite is whole, and the same command ends with the same bytes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from random import Random

import headway
from campaigns.campaign import Tell, ensure
from headway.base.errors import HeadwayError
from headway.data.sample import generate

CHECKPOINTS = (
    "import signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\nimport headway.training.loop as loop\n"
    "loop.TrainingLoop.__init__.__kwdefaults__['checkpoint_seconds'] = 0.0\n"
    "from headway.cli import main\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "sys.argv[0] = 'headway'\nmain()\n"
)
"""The command with a checkpoint after each pass."""
LEARNING = (
    "import sys, headway\n"
    "parser, golds = headway.load(sys.argv[1], mapped=False), list(headway.read(sys.argv[2]))\n"
    "for gold in golds:\n    parser.update(gold)\n    parser.save(sys.argv[1])\n"
)
"""A model that is corrected and saved in its own place, sentence by sentence."""
CORRECTIONS = 40
HEADWAY = (sys.executable, "-m", "headway")
TRAIN = (sys.executable, "-c", CHECKPOINTS, "train", "train.conllu", "-o", "out", "--explore", "0")
COMMANDS: dict[str, Sequence[str]] = {
    "train": (*TRAIN, "--features", "malt-14", "--passes", "40"),
    "train graph": (*TRAIN[:-2], "--parser", "graph", "--bits", "14", "--passes", "12"),
    "train boosted": (*TRAIN[:-2], "--parser", "boosted", "--rounds", "4"),
    "train text": (*TRAIN, "--pipeline", "--features", "malt-14", "--passes", "4"),
    "convert": (*HEADWAY, "convert", "large.conllu", "--to", "conllx", "-o", "out"),
    "parse": (*HEADWAY, "parse", "model", "large.conllu", "-o", "out"),
    "update": (sys.executable, "-c", LEARNING, "out", "few.conllu"),
}
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
LATEST = 1.1
"""When a command is killed at the latest, as a share of its time."""


class Kills:
    """SIGKILL, SIGINT and SIGTERM at any time, up to three times in a row."""

    cases, patience = 83, 300.0

    def prepare(self, folder: Path, seed: int) -> None:
        self.folder = folder / "whole"
        self.folder.mkdir()
        for name, sentences, times in (("train", 150, 1), ("large", 400, 15), ("few", CORRECTIONS, 1)):
            text = "".join(f"{sentence}\n" for sentence in generate(sentences, seed=len(name)))
            (self.folder / f"{name}.conllu").write_text(text * times)
        self.sources = ["train.conllu", "large.conllu", "few.conllu", "model"]
        headway.train(self.folder / "train.conllu", features="malt-14", passes=1).save(self.folder / "model")
        self.whole: dict[str, tuple[float, bytes]] = {}

    def uninterrupted(self, name: str, folder: Path) -> tuple[float, bytes]:
        """How long the command takes, and what it writes."""
        if name not in self.whole:
            self.put(name, folder)
            begin = time.monotonic()
            done = subprocess.run(COMMANDS[name], cwd=folder, capture_output=True, check=False)
            ensure(done.returncode == 0, done.stderr.decode())
            self.whole[name] = time.monotonic() - begin, (folder / "out").read_bytes()
            (folder / "out").unlink()
        return self.whole[name]

    def put(self, name: str, folder: Path) -> None:
        """What the command reads, and what it would overwrite."""
        for source in self.sources:
            if not (folder / source).exists():
                (folder / source).symlink_to(self.folder / source)
        if name == "update" or name.startswith("train"):
            (folder / "out").write_bytes((self.folder / "model").read_bytes())
        else:
            (folder / "out").write_text("precious")

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        name = chance.choice(list(COMMANDS))
        tell(f"{name} without an interruption")
        seconds, wanted = self.uninterrupted(name, folder)
        self.put(name, folder)
        before = (folder / "out").read_bytes()
        for _ in range(chance.choice((1, 1, 2, 3))):
            number, after = chance.choice(SIGNALS), chance.random() * seconds * LATEST
            tell(f"{name} gets {number.name} after {after:.3f} s")
            self.killed(name, number, after, folder)
            self.assure_whole(name, folder, before, wanted)
        if name == "update":
            return name
        done = subprocess.run(COMMANDS[name], cwd=folder, capture_output=True, check=False)
        ensure(done.returncode == 0, f"it does not go on: {done.stderr.decode()[-500:]}")
        ensure((folder / "out").read_bytes() == wanted, "after an interruption it writes other bytes")
        left = {path.name for path in folder.iterdir() if path.suffix != ".part"} - {*self.sources, "out"}
        ensure(not left, f"{left} is left")
        return name

    def killed(self, name: str, number: signal.Signals, after: float, folder: Path) -> None:
        before = {*folder.glob("*.part")}
        process = subprocess.Popen(COMMANDS[name], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with suppress(subprocess.TimeoutExpired):
            process.wait(after)
        process.send_signal(number)
        _, errors = process.communicate()
        if number is not signal.SIGKILL and name != "update":
            said = errors.decode()
            ensure("Traceback" not in said, f"a traceback: {said[-1500:]}")
            ensure(process.returncode in (0, 130, -number), f"exit code {process.returncode}: {said[-500:]}")
            drafts = {*folder.glob("*.part")} - before
            ensure(not drafts or process.returncode < 0, f"{drafts} are left")

    def assure_whole(self, name: str, folder: Path, before: bytes, wanted: bytes) -> None:
        """What was there is as it was, or is complete."""
        data = (folder / "out").read_bytes()
        if name == "update":
            with suppress(FileNotFoundError):
                _opened(folder / "out")
            return
        ensure(data in (before, wanted), f"what was there has become {len(data)} bytes: {digest(data)}")
        for path in folder.glob("out.partial"):
            _opened(path)


def _opened(path: Path) -> None:
    try:
        list(headway.load(path).parse(generate(2)))
    except HeadwayError as error:
        ensure(False, f"a model cannot be opened: {error}")


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=4).hexdigest()
