"""How checkpoints hold the weights of an online learner: the arrays of `Weights.dump`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from headway.base.schema import Arrays, Header, Kind, Layout, Numbers, Relation
from headway.learners.online import Online

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
