"""Forged models of every kind: each is opened and does what it is asked, or is refused in a sentence."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import forged
import numpy as np
import toy_tagger
from capabilities import CAPABILITIES, MODELS, NEW, trained

import headway
from campaigns.campaign import Tell, one_sentence
from headway.base.errors import HeadwayError
from headway.base.schema import Array
from headway.stages.contract import STAGES, Packed

UNWRITABLE = ("weak sklearn",)
"""No file can hold them."""
NAMES = [name for name in MODELS if name not in UNWRITABLE]
MOST_CHANGES = 3


@cache
def packed(name: str) -> tuple[Packed, ...]:
    """The stages of a model as a file holds them, calibrated where they can be."""
    parser = trained(name)
    with contextlib.suppress(HeadwayError):
        parser = headway.calibrate(parser, NEW)
    return tuple(stage.pack() for stage in parser.stages)


class Models:
    """Header and arrays of a model are changed, its checksums are right, and all is asked of it."""

    cases, patience = 1_540, 120.0

    def prepare(self, folder: Path, seed: int) -> None:
        STAGES.register(toy_tagger.KIND, toy_tagger.ToyTagger)

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        name = chance.choice(NAMES)
        row, changes = list(packed(name)), []
        for _ in range(chance.choice((1, 1, 2, MOST_CHANGES))):
            at = chance.randrange(len(row))
            how, row[at] = forged_by_chance(chance, row[at])
            changes.append(f"stage {at}, {how}")
        path = folder / "model"
        arrays = {f"{at}/{key}": array for at, one in enumerate(row) for key, array in one.arrays.items()}
        forged.write(path, {"kind": "model", "stages": [one.header for one in row]}, arrays)
        what = f"{name} with {'; '.join(changes)}"
        tell(f"opening {what}")
        try:
            parser = headway.load(path)
        except HeadwayError as refusal:
            one_sentence(refusal)
            return "refused"
        with np.errstate(all="ignore"):
            for asked in chance.sample(list(CAPABILITIES), len(CAPABILITIES)):
                tell(f"{asked} of {what}")
                try:
                    CAPABILITIES[asked](parser, folder)
                except HeadwayError as refusal:
                    one_sentence(refusal)
                except AssertionError as wrong:
                    if not _is_of_weights(str(wrong)):
                        raise
        return "opened"


def _is_of_weights(wrong: str) -> bool:
    """Whether this may be so where weights are no numbers, or where a forged number says something else."""
    return any(what in wrong for what in ("not sorted", "not among them", "do not add up", "not counted"))


def forged_by_chance(chance: Random, one: Packed) -> tuple[str, Packed]:
    """A stage with another value in its header, or with another array."""
    header, arrays = one
    if not arrays or chance.random() < 0.35:
        path = chance.choice(list(forged.places(forged.plain(header))))
        if chance.random() < 0.1:
            return f"header without {path}", Packed(forged.with_value(header, path, None, delete=True), arrays)
        value: Any = chance.choice(forged.VALUES)
        return f"{path} = {ascii(value)[:40]}", Packed(forged.with_value(header, path, value), arrays)
    name = chance.choice(list(arrays))
    array = np.array(arrays[name])
    how, array = chance.choice([*forged.arrays_like(array), *mixed(array, chance.randrange(1000))])
    return f"array {name} {how}", Packed(header, {**arrays, name: array})


def mixed(array: Array, seed: int) -> Iterator[tuple[str, Array]]:
    """The array with its own numbers at other places, which schemas have nothing against."""
    random, flat = np.random.default_rng(seed), array.reshape(-1)
    if not len(flat):
        return
    yield "shuffled", random.permutation(flat).reshape(array.shape)
    yield "of one number", np.full_like(array, random.choice(flat))
    some = flat.copy()
    places = random.integers(0, len(flat), 1 + len(flat) // 20)
    some[places] = random.choice(flat, len(places))
    yield "with some numbers elsewhere", some.reshape(array.shape)
    between = random.integers(0, 2, len(flat)).astype(bool)
    yield "with some zeros", np.where(between, flat, np.zeros_like(flat)).reshape(array.shape)
    yield "sorted", np.sort(flat).reshape(array.shape)
