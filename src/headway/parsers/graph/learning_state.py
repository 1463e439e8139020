"""What a graph parser keeps to learn on: the weights that were ever moved, and how it learns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.base.schema import FLAG, Header, Kind, Numbers, Record, one_of, whole
from headway.parsers.graph.options import LOSSES, RIVALS, GraphOptions
from headway.training.learning_state import COUNTS, LearningState, in_file

Floats = NDArray[np.float32]
NAMES = ("places", "learned", "sums", "variances")
"""Where moved weights stand among all, and their numbers; sums and variances are empty where the learner has none."""
HOW: dict[str, Kind] = {
    "loss": one_of(*LOSSES),
    "counts_labels": FLAG,
    "cost_augmented": FLAG,
    "k": whole(1),
    "rivals": one_of(*RIVALS),
}
"""The options of learning that the shape of the parser does not tell."""
HEADER: Kind = Record({**COUNTS, **HOW}, complete=True)
"""What the header of a model holds of it."""


def numbers(header: Header) -> dict[str, Numbers]:
    """The arrays of a state in a model file; learning on checks how they go together."""
    kinds = {name: Numbers("<f4", finite=True) for name in NAMES}
    return in_file(header, {**kinds, "places": Numbers("<u4")})


def kept(options: GraphOptions, counts: dict[str, int], arrays: tuple[Floats, Floats, Floats], initial: float) -> Any:
    """The state of weights, sums and variances, of those that are not as they began."""
    learned, sums, variances = arrays
    moved = learned != 0
    for some, begin in ((sums, 0), (variances, np.float32(initial))):
        if len(some):
            moved |= some != begin
    places = np.flatnonzero(moved).astype(np.uint32)
    found = [one[places] if len(one) else one for one in arrays]
    return LearningState(
        {**counts, **{name: getattr(options, name) for name in HOW}},
        dict(zip(NAMES, [places, *found], strict=True)),
    )


def restore(state: LearningState, arrays: tuple[Floats, Floats, Floats]) -> None:
    """Write the numbers of a state into weights, sums and variances as they began."""
    places = np.array(state.arrays["places"], np.int64)
    for name, array in zip(NAMES[1:], arrays, strict=True):
        own = state.arrays[name]
        if len(own) != (len(places) if len(array) else 0) or (len(array) and places.max(initial=0) >= len(array)):
            raise HeadwayError(f"the state of the model is damaged ({name} do not fit places); train it again")
        if len(array):
            array[places] = own
