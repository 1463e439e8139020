"""Checkpoints: what an interrupted training resumes from, when they are written, how Ctrl-C waits for a step."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.files import remove_drafts
from headway.base.options import kinds
from headway.base.schema import OBJECT, TEXT, Each, Layout, Optional, Record, Single, is_number
from headway.base.stage_options import StageOptions
from headway.base.version import __version__
from headway.features.registry import feature_model
from headway.stages import model_file as model
from headway.stages.contract import Packed, Stage
from headway.training.contract import Training

logger = logging.getLogger("headway")
Key = TypeVar("Key")
Kept = TypeVar("Kept")
SECONDS = 10.0
"""Less work than this is not worth writing a file."""
SHARE = 50
"""A checkpoint is written when the work since the last one took so many times as long as writing it."""
KIND = "checkpoint"
PARTS, CHOICES = "jackknife", "choices"
"""The kinds of files with what was learned in parts, and with what a search for options has measured."""
BEST, STATE = "best", "state"
DEFAULT = "default"
"""The name of the features that a family chooses itself."""
TITLES = {
    "family": "the parser",
    "headway": "the version of headway",
    "data": "the treebank",
    "dev": "the development treebank",
    "patience": "patience",
    "features": "the features",
}
"""What messages call the parts of an identity; `options` have names of their own."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to end in good manner."""
START_OVER = "start over with --restart (in Python resume=False)"


def _are_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_number, value.values()))


def _is_judgement(value: Any) -> bool:
    """A definition, scores with their names in order, and which tags they are about; or None."""
    if not isinstance(value, list) or len(value) != 3:
        return value is None
    definition, scores, tags = value
    if not (isinstance(definition, str) and isinstance(tags, str) and isinstance(scores, list) and scores):
        return False
    pairs = [one for one in scores if isinstance(one, list) and len(one) == 2]
    return len(pairs) == len(scores) and all(isinstance(name, str) and is_number(score) for name, score in pairs)


STEP = Record(
    {
        "number": Single("a number", is_number),
        "seconds": Single("a number", is_number),
        "told": Single("numbers by name", _are_numbers),
        "dev": Single("scores", _is_judgement),
        "unit": TEXT,
    },
    complete=True,
)
LAYOUT = Layout({"history": Each(STEP), BEST: Optional(OBJECT), STATE: Optional(OBJECT)})
"""What a checkpoint holds beside its identity; stages and states have layouts of their own."""


def identity_of(options: StageOptions) -> dict[str, Any]:
    """What must be the same in the options of two trainings; features in a file by their text, which may change."""
    named = {name: getattr(options, name) for name in kinds(type(options)) if name.endswith("features")}
    texts = {
        name: "\n".join(map(str, feature_model(value)))
        for name, value in named.items()
        if isinstance(value, str) and value != DEFAULT
    }
    return {"family": options.family, "headway": __version__, "options": options.identity(), "features": texts}


class Checkpoint(NamedTuple):
    """What a checkpoint tells of a training."""

    history: list[dict[str, Any]]
    best: Stage | None
    is_done: bool


class CheckpointWriter:
    """Writes the checkpoint of one training: after steps that took long enough, and at an interruption."""

    def __init__(self, path: Path, identity: Mapping[str, Any], seconds: float) -> None:
        self.path, self.identity, self.seconds = path, identity, seconds
        self.steps = 0
        """How many steps the file holds."""
        self._saved = time.monotonic()
        self._cost = 0.0

    @property
    def is_due(self) -> bool:
        """Whether writing a checkpoint costs little beside the work since the last one."""
        return not self.seconds or time.monotonic() - self._saved >= max(self.seconds, SHARE * self._cost)

    def write(self, history: Sequence[Any], best: Stage | None, state: Packed | None) -> None:
        """Write a checkpoint. If that fails, there is a note, and the training continues."""
        started = time.monotonic()
        header: dict[str, Any] = {"kind": KIND, "identity": self.identity, "history": [_step(step) for step in history]}
        arrays: dict[str, Any] = {}
        for part, packed in ((BEST, None if best is None else model.packed(best)), (STATE, state)):
            header[part] = None if packed is None else packed.header
            arrays |= {} if packed is None else {f"{part}/{name}": array for name, array in packed.arrays.items()}
        if write_kept(self.path, header, arrays, "the training goes on, but would start over after an interruption"):
            self.steps = len(history)
        self._saved = time.monotonic()
        self._cost = self._saved - started


def _step(step: Any) -> dict[str, Any]:
    """A step as JSON has it; the order of scores, of which the first counts, survives only in a list."""
    entry = asdict(step)
    if step.dev is not None:
        entry["dev"] = [step.dev.definition, list(step.dev.scores.items()), step.dev.tags]
    return entry


def load(path: Path, identity: Mapping[str, Any], training: Training, *, chooses: bool = False) -> Checkpoint:
    """Read the checkpoint of a training and give it back its state; one of another training, or damaged, is refused.

    `chooses` where the best step is kept, so that it must be there.
    """
    header, arrays = model.read(path)
    if not is_checkpoint(header):
        raise HeadwayError(f"{path}: this is not a checkpoint, and one would overwrite it; name another model")
    if header.get("identity") != identity:
        raise HeadwayError(
            f"{path}: this checkpoint is of another training ({_differences(header.get('identity'), identity)}); "
            f"{START_OVER}, or name another model"
        )
    for what in LAYOUT.wrong(header, arrays):
        raise _refused(path, what)
    best, state = (
        None
        if header.get(part) is None
        else Packed(
            header[part],
            {name.removeprefix(f"{part}/"): np.array(a) for name, a in arrays.items() if name.startswith(f"{part}/")},
        )
        for part in (BEST, STATE)
    )
    history = header["history"]
    if state is None and best is None:
        raise _refused(path, "there is nothing to go on from")
    if chooses and best is None:
        raise _refused(path, "the best parser so far is missing")
    if state is not None and not 0 < len(history) <= training.planned:
        raise _refused(path, f"it holds {len(history)} steps of a training of {training.planned}")
    if [entry["number"] for entry in history] != [*range(1, len(history) + 1)]:
        raise _refused(path, "its steps do not follow each other")
    for what in () if state is None else training.state.wrong(*state):
        raise _refused(path, what)
    try:
        stage = None if best is None else model.checked_stage(best, str(path))
    except HeadwayError as error:
        raise _refused(path, str(error).removeprefix(f"{path}: ").partition(";")[0]) from None
    try:
        if state is not None:
            training.restore(state)
    except ValueError as error:
        raise _refused(path, f"the state cannot be taken up ({error})") from None
    return Checkpoint(history, stage, is_done=state is None)


def _refused(path: Path, what: str) -> HeadwayError:
    return HeadwayError(f"{path}: {what}; headway did not write this checkpoint, so {START_OVER}")


def _differences(before: Any, now: Mapping[str, Any]) -> str:
    """What two trainings do not have in common."""
    before = before if isinstance(before, dict) else {}
    names = [title for part, title in TITLES.items() if before.get(part) != now[part]]
    old, new = before.get("options"), now["options"]
    old = old if isinstance(old, dict) else {}
    if "the parser" not in names:
        names += [name for name in new if old.get(name) != new[name]]
    return f"with another value of {', '.join(names)}" if names else "of another kind"


def kept_in(path: Path | None, kind: str, what: str, read: Callable[[Packed], dict[Key, Kept]]) -> dict[Key, Kept]:
    """What an interrupted run has kept in a file, nothing without one; a file that is something else is refused."""
    if path is None or not path.exists():
        return {}
    found = model.read(path) if model.is_model(path) else None
    if found is None or not is_checkpoint(found.header, kind):
        raise HeadwayError(f"{path}: this file has to make place for what {what}; name another model")
    try:
        return read(found)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise HeadwayError(f"{path}: the file is damaged; {START_OVER}") from None


def write_kept(path: Path, header: Mapping[str, Any], arrays: Mapping[str, Any], loss: str) -> bool:
    """Keep what has been found so far. If that fails, a note says what is lost, and the work goes on."""
    try:
        model.write(path, header, arrays)
    except HeadwayError as error:
        logger.warning("%s (%s)", error, loss)
        return False
    return True


def remove(path: Path, kind: str = KIND) -> None:
    """Remove a checkpoint, and what a killed process may have left of it. A file that is none stays."""
    remove_drafts(path)
    with suppress(HeadwayError):
        if path.exists() and is_checkpoint(model.read(path).header, kind):
            path.unlink()


def is_checkpoint(header: Any, kind: str = KIND) -> bool:
    """Whether a file with this header says that it is a checkpoint, or another thing to go on from."""
    return isinstance(header, dict) and header.get("kind") == kind


@contextmanager
def end_of_step() -> Iterator[Callable[[], bool]]:
    """Holds interruptions back to the end of the block, unless they come twice; gives a question: has one come?

    Whoever handled a signal before hears of it then. What nobody handles, or ignores, is left alone, and so are other
    threads than the main one, which signals do not reach.
    """
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}
    heard: list[int] = []

    def give_back() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        if len(heard) > 1:
            give_back()
            before[number](number, frame)

    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                before[number] = handler
                signal.signal(number, hear)
    try:
        yield lambda: bool(heard)
    finally:
        give_back()
    if heard:
        before[heard[0]](heard[0], None)
