"""The file from which an interrupted training goes on: its identity, its history, its state, the best stage so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway import model
from headway.errors import HeadwayError
from headway.stage import Packed, Stage

KIND = "checkpoint"
BEST, STATE = "best/", "state/"


class Checkpoint(NamedTuple):
    """What a checkpoint holds."""

    history: list[dict[str, Any]]
    best: Stage
    state: Packed


def save(path: Path, identity: Mapping[str, Any], history: Sequence[Any], best: Packed, state: Packed) -> None:
    """Write a checkpoint; it takes the place of an earlier one when it is complete."""
    header = {
        "kind": KIND,
        "identity": identity,
        "history": [_step(step) for step in history],
        "best": best.header,
        "state": state.header,
    }
    arrays = {f"{BEST}{name}": array for name, array in best.arrays.items()}
    model.write(path, header, {**arrays, **{f"{STATE}{name}": array for name, array in state.arrays.items()}})


def _step(step: Any) -> dict[str, Any]:
    """A step as JSON has it; the order of scores, of which the first counts, survives only in a list."""
    entry = asdict(step)
    if step.dev is not None:
        entry["dev"] = [step.dev.definition, list(step.dev.scores.items())]
    return entry


def load(path: Path, identity: Mapping[str, Any]) -> Checkpoint:
    """Read a checkpoint; one of another training is refused."""
    header, arrays = model.read(path)
    if header.get("kind") != KIND or header.get("identity") != identity:
        raise HeadwayError(
            f"{path}: this checkpoint is of another training (other treebank or options); "
            "remove it, or name another model"
        )
    best, state = (
        Packed(header[part], {n.removeprefix(start): np.array(a) for n, a in arrays.items() if n.startswith(start)})
        for part, start in (("best", BEST), ("state", STATE))
    )
    return Checkpoint(header["history"], model.stage_of(best, str(path)), state)
