"""The file from which an interrupted training goes on: its identity, its history, its state, the best stage so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway import model
from headway.errors import HeadwayError
from headway.features.registry import feature_model
from headway.files import remove_drafts
from headway.options import StageOptions, kinds
from headway.stage import Packed, Stage
from headway.version import __version__

KIND = "checkpoint"
BEST, STATE = "best", "state"
DEFAULT = "default"
"""The name of the features that a family chooses itself."""
LARGEST = 1 << 28
"""So many bytes of state are kept in memory between two steps for an interruption to save, and no more."""
TITLES = {
    "family": "the parser",
    "headway": "the version of headway",
    "data": "the treebank",
    "dev": "the development treebank",
    "patience": "patience",
    "features": "the features",
}
"""What messages call the parts of an identity; `options` have names of their own."""


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
    """What a checkpoint holds. A training that is done has no state."""

    history: list[dict[str, Any]]
    best: Stage | None
    state: Packed | None


class Snapshot(NamedTuple):
    """A checkpoint that is not written yet."""

    header: dict[str, Any]
    arrays: dict[str, Any]

    def kept(self) -> Snapshot | None:
        """A copy that the next step does not change, None where that takes too much memory."""
        if sum(array.nbytes for array in self.arrays.values()) > LARGEST:
            return None
        changing = {name: np.array(array) for name, array in self.arrays.items() if name.startswith(STATE)}
        return Snapshot(self.header, {**self.arrays, **changing})

    def save(self, path: Path) -> None:
        """Write the checkpoint; it takes the place of an earlier one when it is complete."""
        model.write(path, self.header, self.arrays)


def snapshot(identity: Mapping[str, Any], history: Sequence[Any], best: Stage | None, state: Packed | None) -> Snapshot:
    """A training as it is now; the arrays of its state are those that the next step changes."""
    header: dict[str, Any] = {"kind": KIND, "identity": identity, "history": [_step(step) for step in history]}
    arrays: dict[str, Any] = {}
    for part, packed in ((BEST, None if best is None else best.pack()), (STATE, state)):
        header[part] = None if packed is None else packed.header
        arrays |= {} if packed is None else {f"{part}/{name}": array for name, array in packed.arrays.items()}
    return Snapshot(header, arrays)


def _step(step: Any) -> dict[str, Any]:
    """A step as JSON has it; the order of scores, of which the first counts, survives only in a list."""
    entry = asdict(step)
    if step.dev is not None:
        entry["dev"] = [step.dev.definition, list(step.dev.scores.items())]
    return entry


def load(path: Path, identity: Mapping[str, Any]) -> Checkpoint:
    """Read a checkpoint; one of another training is refused."""
    header, arrays = model.read(path)
    if header.get("kind") != KIND:
        raise HeadwayError(f"{path}: this is no checkpoint, and one would take its place; name another model")
    if header.get("identity") != identity:
        raise HeadwayError(
            f"{path}: this checkpoint is of another training ({_differences(header.get('identity'), identity)}); "
            "start over with --restart (in Python resume=False), or name another model"
        )
    best, state = (
        None
        if header.get(part) is None
        else Packed(
            header[part],
            {name.removeprefix(f"{part}/"): np.array(a) for name, a in arrays.items() if name.startswith(f"{part}/")},
        )
        for part in (BEST, STATE)
    )
    return Checkpoint(header["history"], None if best is None else model.stage_of(best, str(path)), state)


def _differences(before: Any, now: Mapping[str, Any]) -> str:
    """What two trainings do not have in common."""
    before = before if isinstance(before, dict) else {}
    names = [title for part, title in TITLES.items() if before.get(part) != now[part]]
    old, new = before.get("options") or {}, now["options"]
    if "the parser" not in names:
        names += [name for name in new if old.get(name) != new[name]]
    return f"with another value of {', '.join(names)}" if names else "of another kind"


def remove(path: Path) -> None:
    """Remove a checkpoint, and what a killed process may have left of it. A file that is none stays."""
    remove_drafts(path)
    with suppress(HeadwayError):
        if path.exists() and model.read(path).header.get("kind") == KIND:
            path.unlink()
