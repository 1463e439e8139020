"""Trainings in passes over a treebank: what they share, their weights in checkpoints and models, and passes over more.

A model that can be trained further keeps the state of its training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.schema import TEXT, Arrays, Each, Header, Kind, Layout, Numbers, Record, Relation, whole
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.learners.online import Online
from headway.learners.registry import ONLINE
from headway.learners.registry import learner as learner_named
from headway.stages.contract import Packed
from headway.training.contract import unheard
from headway.training.sizes import NO_CUTS, Cuts

Parser = TypeVar("Parser")
COUNTED: dict[str, Kind] = {"passes": whole(0), "sentences": whole(0), "words": whole(0, 2**53)}
"""What every model that can be trained further says: how much it has learned from."""


class PassTraining:
    """A training whose steps are passes; `learner` says how many, `options` whether and how they are shuffled."""

    unit: ClassVar[str] = "pass"
    keeps_best: ClassVar[bool] = True
    unwritable: ClassVar[str] = ""
    options: Any
    learner: Any
    learning: Any
    """What has the weights, and says how many examples they were learned from."""
    steps = 0
    """Examples seen since the average began."""
    passes = 0
    """Passes that are done."""
    counts: ClassVar[dict[str, Kind]] = {"steps": whole(0, 2**53), "passes": whole(1)}
    """What the header of a packed state holds."""

    is_cut = False
    """Whether weights were cut, so that no more features come."""

    @property
    def reduction(self) -> Cuts:
        """How hard weights are cut when all is learned."""
        found: Cuts = getattr(self.options, "reduction", NO_CUTS)
        return found

    def root_mean_square(self) -> float:
        """That of all weights."""
        from headway.training.reducing import root_mean_square

        found = self.learning
        return root_mean_square(found.weights, found.steps + 1, self.learner.average)

    def cut(self, smallest: float) -> None:
        """Leave out weights not above this, and features without any; the others are learned on from here."""
        from headway.training.reducing import cut_weights

        found = self.learning
        found.weights = cut_weights(found.weights, found.empty(), found.steps + 1, self.learner.average, smallest)
        found.steps, self.is_cut = 0, True
        self._forget()

    @property
    def planned(self) -> int:
        """The passes of the learner."""
        return int(self.learner.passes)

    def random_of(self, number: int) -> np.random.Generator:
        """The random numbers of a pass: the same for the same seed."""
        return np.random.Generator(np.random.PCG64([self.options.seed, number]))

    def _forget(self) -> None:
        """Drop what knows features by numbers that are no longer theirs."""

    def order_of(self, size: int, random: np.random.Generator) -> Ints:
        """The order in which so many examples are seen."""
        return (random.permutation(size) if self.options.shuffle else np.arange(size)).astype(np.int32)


STATE = ("keys", "sizes", "classes", "planes")
"""The names of the arrays."""


def weights_state(classes: int, learner: Online, header: Mapping[str, Kind]) -> Layout:
    """The layout of weights for so many classes, with as many planes of numbers as the learner keeps."""
    arrays = {
        "keys": Numbers("<u8"),
        "sizes": Numbers("<u2", high=classes),
        "classes": Numbers("<u2", high=classes - 1),
        "planes": Numbers("<f4", (1 + learner.variance + learner.average, None), finite=True),
    }
    return Layout(header, lambda header: arrays, _fitting)


def _fitting(header: Header, arrays: Arrays) -> Iterator[Relation]:
    """What must hold between the arrays."""
    keys, sizes, classes, planes = (arrays[name] for name in STATE)
    yield len(keys) == len(sizes) <= np.iinfo(np.int32).max, "keys and sizes do not go together"
    yield int(sizes.sum(dtype=np.int64)) == len(classes), "sizes do not add up to the number of classes"
    yield len(classes) == planes.shape[1], "classes and planes do not go together"


def state_of(state: Packed | None) -> Packed:
    """The state of a parser; an error where there is none."""
    if state is None:
        raise HeadwayError(
            "this model was saved without training state; train it with --updatable (in Python updatable=True)"
        )
    return state


def continued_about(
    about: Mapping[str, Any], batches: Sequence[Batch], passes: int, counted: Mapping[str, Kind] = COUNTED
) -> dict[str, Any]:
    """What a model says of its training after passes over more sentences; `counted` is what it counts."""
    told = {"continued": about.get("continued", []), **{name: about.get(name) for name in counted}}
    for fault in Record({"continued": Each(TEXT), **counted}).faults(told, "about"):
        raise HeadwayError(f"{fault.place} in the header of the model {fault.what}; train the model again")
    more = {
        "passes": passes,
        "sentences": sum(map(len, batches)),
        "words": sum(len(batch.word_line) for batch in batches),
    }
    counts = {what: about[what] + count for what, count in more.items() if what in counted}
    return {**about, **counts, "continued": [*told["continued"], digest_of(batches)]}


def learner_of(about: Mapping[str, Any]) -> Online:
    """The learner that a parser was trained with; the average that was begun goes on."""
    described = about.get("learner")
    options = dict(described) if isinstance(described, Mapping) else {}
    name = options.pop("name", None)
    if name not in [*ONLINE]:
        raise HeadwayError("the model names no online learner that this headway has; train it again")
    return cast(Online, replace(cast(Any, learner_named(name, **options)), settle=0))


def continue_passes(training: Any, before: Parser, batches: Sequence[Batch], passes: int) -> Parser:
    """The parser after passes of a training that begins with the state of another parser."""
    begun: Any = before
    about = continued_about(begun.about, batches, passes)
    for number in range(1, passes + 1):
        training.step(number, unheard)
    found = training.parser()
    about |= {what: found.about[what] for what in ("features", "weights") if what in found.about}
    state = found.state._replace(header={**found.state.header, "passes": about["passes"]})
    kept = {"calibrator": begun.calibrator, "single_labels": begun.single_labels}
    return cast(Parser, replace(found, about=about, state=state, **kept))
