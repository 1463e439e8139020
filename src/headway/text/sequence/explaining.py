"""What each feature gave to a choice along a sequence, and to the best other one; for all stages that decide so."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.features.sequences import SequenceTemplates
from headway.kernels.features.templates import mix_all
from headway.kernels.sequence.templates import KINDS, OUTSIDE
from headway.kernels.weights import freezing
from headway.stages.explanation.contract import Decision, Floats
from headway.text.sequence.training import Choices, Keys, Margins, Positions, SequenceWeights


class WeighedPosition(NamedTuple):
    """A position: what was chosen there, the best other choice, and what features gave to both."""

    at: int
    chosen: int
    rival: int
    """-1 where there was no other."""
    templates: list[int]
    """Those that say something of the position."""
    given: Floats
    against: Floats

    def decision(
        self,
        *,
        kind: str,
        word: int,
        what: str,
        shown: Callable[[int], str],
        name: Callable[[int], str],
        situation: str = "",
        is_usual: bool = False,
    ) -> Decision:
        """The decision; `shown` is the text of a choice, `name` the feature of a template with its values."""
        return Decision(
            kind=kind,
            word=word,
            what=f"{what}: {shown(self.chosen)}",
            over=shown(self.rival) if self.rival >= 0 else None,
            score=float(self.given.sum()),
            rival_score=float(self.against.sum()) if self.rival >= 0 else None,
            given=self.given,
            against=self.against,
            name=lambda feature: name(self.templates[feature]),
            situation=situation,
            is_usual=is_usual,
        )


class SequenceExplainer:
    """Positions with what was chosen at each of them and what came next."""

    def __init__(
        self,
        templates: SequenceTemplates,
        choices: Choices,
        weights: SequenceWeights,
        positions: Positions,
        found: Margins,
    ) -> None:
        self.templates, self.choices, self.weights = templates, choices, weights
        self.positions, self.found = positions, found

    def weighed(self, first: int, last: int) -> list[WeighedPosition]:
        """The positions from `first` to before `last`."""
        keys, said = self.features(first, last)
        rows = []
        for at in range(first, last):
            some = np.flatnonzero(said[at - first])
            chosen, rival = int(self.found.chosen[at]), int(self.found.rivals[at, 0])
            own = np.ascontiguousarray(keys[at - first, some])
            given = self._weights(own, chosen)
            against = self._weights(own, rival) if rival >= 0 else np.zeros(len(own))
            rows.append(WeighedPosition(at, chosen, rival, some.tolist(), given, against))
        return rows

    def features(self, first: int, last: int) -> tuple[Keys, NDArray[np.bool_]]:
        """The keys [position, template] that kernels/sequence/templates.pxd makes, and which say something."""
        model, size = self.templates, last - first
        values = [self._values(first, last, *slot) for slot in model.slot.tolist()]
        keys, said = np.empty((size, len(model.seed)), np.uint64), np.ones((size, len(model.seed)), np.bool_)
        for template, seed in enumerate(model.seed):
            mixed = np.full(size, seed, np.uint64)
            for slot in model.member[model.start[template] : model.start[template + 1]]:
                mix_all(mixed, values[slot], mixed)
                said[:, template] &= values[slot] != 0
            keys[:, template] = mixed
        return keys, said

    def _values(self, first: int, last: int, kind: int, offset: int, argument: int) -> Keys:
        """What a slot finds at each position; beyond the ends of its sequence stand values of their own."""
        here = np.arange(first, last)
        sequence = np.searchsorted(self.positions.offsets, here, side="right")
        begin, end = self.positions.offsets[sequence - 1], self.positions.offsets[sequence]
        place = np.clip(here + offset, begin, end - 1)
        if kind == KINDS["column"]:
            values = self.positions.keys[place, argument]
        else:
            values = self.positions.attributes[self.found.chosen[place], argument]
        values[here + offset < begin] = OUTSIDE["before"]
        values[here + offset >= end] = OUTSIDE["after"]
        return np.ascontiguousarray(values)

    def _weights(self, keys: Keys, choice: int) -> Floats:
        """What each feature gives to a choice: the sum over its parts."""
        parts = np.array(self.choices.parts[choice], np.int32)
        found = freezing.weights_of(self.weights.slots, self.weights.rows, self.choices.classes, keys, parts)
        return np.asarray(found.sum(axis=1, dtype=np.float64))
