"""Continue the training of a model with more trees: what a parser keeps for it, and what all families share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from headway.base.errors import HeadwayError
from headway.base.schema import TEXT, Array, Arrays, Each, Header, Kind, Numbers, Record, whole
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.sources import digest_of
from headway.learners.online import Online
from headway.learners.registry import ONLINE
from headway.learners.registry import learner as learner_named
from headway.stages.contract import Packed
from headway.training.contract import unheard

Parser = TypeVar("Parser")
COUNTED: dict[str, Kind] = {"passes": whole(0), "sentences": whole(0), "words": whole(0, 2**53)}
"""What every model that can be trained further says: how much it has learned from."""
PREFIX = "state_"
"""Of the names of arrays in a model file."""


@dataclass(frozen=True, eq=False)
class LearningState(ShortRepr):
    """Examples seen, passes done and options of learning; and arrays of weights."""

    header: dict[str, Any]
    arrays: dict[str, Array] = field(default_factory=dict)


class StateLayout:
    """What the states of a family look like in a model file; further training checks how their arrays go together."""

    def __init__(self, options: Mapping[str, Kind], arrays: Mapping[str, Numbers]) -> None:
        """`options` are those of learning that the parser itself does not tell."""
        self.header: Kind = Record({"steps": whole(0), "passes": whole(0), **options}, complete=True)
        self.options, self.arrays = tuple(options), arrays

    def in_file(self, header: Header) -> dict[str, Numbers]:
        """The arrays as a model file names them, where it has a state."""
        return {} if header.get("state") is None else {f"{PREFIX}{name}": kind for name, kind in self.arrays.items()}

    def unpack(self, header: Header, arrays: Arrays) -> LearningState | None:
        """The state in a model file; None where there is none."""
        if header.get("state") is None:
            return None
        return LearningState(dict(header["state"]), {name: arrays[f"{PREFIX}{name}"] for name in self.arrays})


def with_state(packed: Packed, state: LearningState | None) -> Packed:
    """A packed parser with its state, where it has one."""
    if state is None:
        return packed
    arrays = {f"{PREFIX}{name}": array for name, array in state.arrays.items()}
    return Packed({**packed.header, "state": state.header}, {**packed.arrays, **arrays})


def state_of(state: LearningState | None) -> LearningState:
    """The state of a parser; an error where there is none."""
    if state is None:
        raise HeadwayError(
            "this model was saved without training state; train it with --updatable (in Python updatable=True)"
        )
    return state


def continued_about(about: Mapping[str, Any], batches: Sequence[Batch], passes: int) -> dict[str, Any]:
    """What a model says of its training after passes over more trees."""
    told = {"continued": about.get("continued", []), **{name: about.get(name) for name in COUNTED}}
    for fault in Record({"continued": Each(TEXT), **COUNTED}).faults(told, "about"):
        raise HeadwayError(f"{fault.place} in the header of the model {fault.what}; train the model again")
    more = {
        "passes": passes,
        "sentences": sum(map(len, batches)),
        "words": sum(len(batch.word_line) for batch in batches),
    }
    counts = {what: about[what] + count for what, count in more.items()}
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
    state = replace(found.state, header={**found.state.header, "passes": about["passes"]})
    return cast(
        Parser, replace(found, about=about, state=state, calibrator=begun.calibrator, single_labels=begun.single_labels)
    )
