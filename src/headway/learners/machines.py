"""Support-vector machines as plain arrays, for model files and for prediction without scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.kernels.weights import support

Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]
Doubles = NDArray[np.float64]


class Machine(NamedTuple):
    """One against one for a number of classes; support vectors are lists of those that have a feature.

    Feature f, with the key features[f], is in the vectors postings[posting_start[f] : posting_start[f + 1]]. Vector v
    has coefficients[vector_start[v] : vector_start[v + 1]] for as many `pairs` of classes. Pairs count as in
    LIBSVM: 0 and 1, 0 and 2, …, 1 and 2, …
    """

    features: Keys
    posting_start: Longs
    postings: Ints
    vector_start: Longs
    pairs: Ints
    coefficients: Doubles
    intercepts: Doubles
    members: Ints
    """The class that each class of the machine stands for, in ascending order."""


class Machines(NamedTuple):
    """Several machines one after the other, as `kernels/weights/support.pyx` reads them, and when to ask which of them.

    The value of the feature template number `template` in a configuration chooses the machine: that for parts[p] is
    machine_of[:, p], for any other value machine_of[:, -1]; there is a row for each step of a decision.
    """

    template: Ints
    parts: Keys
    machine_of: Ints
    prior: NDArray[np.float32]
    """The scores of classes that a machine does not know: less than any number of votes."""
    power: Doubles
    bounds: Longs
    features: Keys
    posting_start: Longs
    postings: Ints
    vector_start: Longs
    pairs: Ints
    coefficients: Doubles
    intercepts: Doubles
    members: Ints

    def scores(self, starts: Longs, keys: Keys, values: Keys) -> NDArray[np.float32]:
        """The votes for each class, for configurations with the features keys[starts[i] : starts[i + 1]].

        `values` are the keys of the template that chooses the machine.
        """
        column = np.searchsorted(self.parts, values)
        known = np.append(self.parts, np.uint64(0))[column] == values
        column[~known | (column == len(self.parts))] = len(self.parts)
        votes = np.repeat(self.prior[None], len(values), axis=0)
        for step in self.machine_of:
            chosen = step[column]
            order = np.argsort(chosen, kind="stable")
            support.votes(*self[4:], chosen, order, starts, keys, votes)
        return votes


def joined(
    machines: Sequence[Machine], *, template: int, parts: Keys, machine_of: Ints, prior: Doubles, power: Doubles
) -> Machines:
    """Machines one after the other."""
    sizes = [(len(m.features), len(m.vector_start) - 1, len(m.intercepts), len(m.members)) for m in machines]
    return Machines(
        template=np.array([template], np.int32),
        parts=parts,
        machine_of=machine_of,
        prior=prior.astype(np.float32),
        power=power,
        bounds=np.cumsum([(0, 0, 0, 0), *sizes], axis=0, dtype=np.int64),
        features=np.concatenate([m.features for m in machines]),
        posting_start=_chained([m.posting_start for m in machines]),
        postings=np.concatenate([m.postings for m in machines]),
        vector_start=_chained([m.vector_start for m in machines]),
        pairs=np.concatenate([m.pairs for m in machines]),
        coefficients=np.concatenate([m.coefficients for m in machines]),
        intercepts=np.concatenate([m.intercepts for m in machines]),
        members=np.concatenate([m.members for m in machines]),
    )


def _chained(starts: Sequence[Longs]) -> Longs:
    """Starts within each machine as starts among all."""
    return np.concatenate([[0], *map(np.diff, starts)]).cumsum().astype(np.int64)
