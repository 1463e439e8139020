"""Support-vector machines as plain arrays, for model files and for prediction without scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.schema import Arrays, Header, Numbers, Relation
from headway.data.batch import Ints
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

    def votes(self, starts: Longs, keys: Keys, values: Keys) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The votes for each class, and how clear they were (`kernels/weights/support.pyx`).

        Configuration i has the features keys[starts[i] : starts[i + 1]]; `values` are the keys of the template that
        chooses the machine.
        """
        column = np.searchsorted(self.parts, values)
        known = np.append(self.parts, np.uint64(0))[column] == values
        column[~known | (column == len(self.parts))] = len(self.parts)
        votes = np.repeat(self.prior[None], len(values), axis=0)
        sums = votes.copy()
        for step in self.machine_of:
            chosen = step[column]
            order = np.argsort(chosen, kind="stable")
            support.votes(*self[4:], chosen, order, starts, keys, votes, sums)
        return votes, sums


MOST_SHARED = np.iinfo(np.uint16).max
"""How many features two vectors may share; the kernel counts them with 16 bits."""


def numbers(header: Header) -> dict[str, Numbers]:
    """The arrays of machines in a model file."""
    return {
        "template": Numbers("<i4", (1,), low=0),
        "parts": Numbers("<u8"),
        "machine_of": Numbers("<i4", (None, None), low=0),
        "prior": Numbers("<f4", finite=True),
        "power": Numbers("<f8", finite=True),
        "bounds": Numbers("<i8", (None, 4), rising=True),
        "features": Numbers("<u8"),
        "posting_start": Numbers("<i8", rising=True),
        "postings": Numbers("<i4", low=0),
        "vector_start": Numbers("<i8", rising=True),
        "pairs": Numbers("<i4", low=0),
        "coefficients": Numbers("<f8", finite=True),
        "intercepts": Numbers("<f8", finite=True),
        "members": Numbers("<i4", low=0),
    }


def relations(header: Header, arrays: Arrays) -> Iterator[Relation]:
    """What the kernel relies on: no machine reads what belongs to another, and nothing lies outside of the arrays."""
    machines = Machines(**{name: arrays[name] for name in Machines._fields})
    yield len(machines.bounds) > 1, "there is no machine"
    ends = [len(machines.features), len(machines.vector_start) - 1, len(machines.intercepts), len(machines.members)]
    yield machines.bounds[-1].tolist() == ends, "the bounds of the machines are not those of the arrays"
    yield len(machines.posting_start) == len(machines.features) + 1, "features and posting_start do not go together"
    yield int(machines.posting_start[-1]) == len(machines.postings), "posting_start does not end where postings do"
    yield int(machines.vector_start[-1]) == len(machines.pairs), "vector_start does not end where pairs do"
    yield len(machines.pairs) == len(machines.coefficients), "there are not as many coefficients as pairs"
    sizes = np.diff(machines.bounds, axis=0)
    classes = sizes[:, 3]
    yield bool((sizes[:, 2] == classes * (classes - 1) // 2).all()), "a machine has not one intercept for each pair"
    rows, columns = machines.machine_of.shape
    yield rows > 0 and columns == len(machines.parts) + 1, "machine_of has not one column for each part and one more"
    yield int(machines.machine_of.max()) < len(sizes), "machine_of names a machine that is not there"
    vectors = _of_machines(machines.posting_start, machines.bounds[:, 0])
    inside = machines.postings < np.repeat(sizes[:, 1], vectors)
    yield bool(inside.all()), "postings name a vector of another machine"
    pairs = _of_machines(machines.vector_start, machines.bounds[:, 1])
    yield bool((machines.pairs < np.repeat(sizes[:, 2], pairs)).all()), "pairs name a pair of another machine"
    owner = machines.postings + np.repeat(machines.bounds[:-1, 1], vectors)
    shared = int(np.bincount(owner).max(initial=0))
    enough = shared < len(machines.power) <= MOST_SHARED + 1
    yield enough, f"power has {len(machines.power)} numbers, and vectors have up to {shared} features"


def _of_machines(start: Longs, bounds: Longs) -> Longs:
    """How many entries each machine has, where `start` says where those of its members begin."""
    counts: Longs = np.diff(start[bounds])
    return counts


def joined(
    machines: Sequence[Machine], *, template: int, parts: Keys, machine_of: Ints, prior: Doubles, power: Doubles
) -> Machines:
    """Machines one after the other."""
    sizes = [(len(m.features), len(m.vector_start) - 1, len(m.intercepts), len(m.members)) for m in machines]
    parts_of: dict[str, list[Any]] = {
        name: [getattr(machine, name) for machine in machines] for name in Machine._fields
    }
    chained: dict[str, Any] = {name: _chained(parts_of.pop(name)) for name in ("posting_start", "vector_start")}
    return Machines(
        template=np.array([template], np.int32),
        parts=parts,
        machine_of=machine_of,
        prior=prior.astype(np.float32),
        power=power,
        bounds=np.cumsum([(0, 0, 0, 0), *sizes], axis=0, dtype=np.int64),
        **chained,
        **{name: np.concatenate(arrays) for name, arrays in parts_of.items()},
    )


def _chained(starts: Sequence[Longs]) -> Longs:
    """Starts within each machine as starts among all."""
    return np.concatenate([[0], *map(np.diff, starts)]).cumsum().astype(np.int64)
