"""Support-vector machines with a polynomial kernel, learned by LIBSVM and kept as plain arrays.

A model file holds the arrays, and prediction needs no scikit-learn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.options import number, positive, text, whole
from headway.base.schema import Arrays, Header, Numbers, Relation
from headway.data.batch import Ints
from headway.kernels.weights import support
from headway.learners.batch import BatchLearner, library

Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]
Doubles = NDArray[np.float64]
MOST_SHARED = np.iinfo(np.uint16).max
"""How many features two vectors may share; the kernel counts them with 16 bits."""


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


@dataclass(frozen=True, kw_only=True)
class KernelSVM(BatchLearner):
    """One machine for each two classes, with the kernel (γ·x·y + coef0)^degree, as in MaltParser.

    The kernel sees every pair of features, so `malt-14` is enough. To end in time, examples are split by the value of
    a feature of the model, and each part is learned on its own; those of values with fewer than `minimum` examples are
    one part. Nivre, Hall, Nilsson, Eryiğit and Marinov (2006); Chang and Lin (2011).
    """

    way: ClassVar[str] = "kernel"
    C: float = positive(0.5, "How much errors cost compared with large weights.", tried=(0.1, 0.5, 1.0))
    gamma: float = positive(0.2, "Scale of the kernel.", tried=(0.1, 0.2, 0.4))
    coef0: float = number(0.0, "Constant that the kernel adds before it takes the power.", low=0)
    degree: int = whole(2, "Power that the kernel takes.")
    tolerance: float = positive(1.0, "How exact the solution must be, as LIBSVM measures it.")
    split: str | None = text(
        "POS(QUEUE0)", "Feature that splits the examples into parts; None keeps them together.", optional=True
    )
    minimum: int = whole(1000, "Values with fewer examples than this share one part.")

    def power(self, most: int) -> Doubles:
        """The kernel of two vectors that have 0, 1, …, `most` features in common, rounded as LIBSVM does."""
        base, times = self.gamma * np.arange(most + 1.0) + self.coef0, self.degree
        power = np.ones(most + 1)
        while times:
            if times % 2:
                power *= base
            base, times = base * base, times // 2
        return power

    def fit(self, examples: Any, targets: Ints, keys: Keys) -> Machine:
        """The machine for examples [example, feature] and their classes; `keys` are the features' keys."""
        if len(np.unique(targets)) < 2:
            start, none, integers = np.zeros(1, np.int64), np.empty(0), np.empty(0, np.int32)
            only = targets[:1].astype(np.int32)
            return Machine(none.astype(np.uint64), start, integers, start, integers, none, none, only)
        return machine_from(self.estimator().fit(examples, targets), keys)

    def estimator(self) -> Any:
        """SVC."""
        return library("sklearn.svm").SVC(
            kernel="poly", C=self.C, gamma=self.gamma, coef0=self.coef0, degree=self.degree, tol=self.tolerance
        )

    def with_probabilities(self) -> Any:
        """The same machine, all examples at once, with probabilities: a sigmoid of its votes, Platt (1999)."""
        return library("sklearn.calibration").CalibratedClassifierCV(self.estimator(), ensemble=False)


def machine_from(learned: Any, keys: Keys) -> Machine:
    """The arrays of a trained SVC on sparse binary features, whose keys are given."""
    vectors = learned.support_vectors_.tocoo()
    order = np.lexsort((vectors.row, keys[vectors.col]))
    features, counts = np.unique(keys[vectors.col], return_counts=True)
    classes = len(learned.classes_)
    # scikit-learn turns the sign of two classes round.
    sign = -1.0 if classes == 2 else 1.0
    dual = learned.dual_coef_.tocoo()
    dual.eliminate_zeros()
    own = np.repeat(np.arange(classes), learned.n_support_)[dual.col]
    other = dual.row + (dual.row >= own)
    low, high = np.minimum(own, other), np.maximum(own, other)
    pairs = low * classes - low * (low + 1) // 2 + high - low - 1
    by_vector = np.lexsort((pairs, dual.col))
    each = np.bincount(dual.col, minlength=learned.support_vectors_.shape[0])
    return Machine(
        features=features,
        posting_start=np.cumsum([0, *counts], dtype=np.int64),
        postings=vectors.row[order].astype(np.int32),
        vector_start=np.cumsum([0, *each], dtype=np.int64),
        pairs=pairs[by_vector].astype(np.int32),
        coefficients=sign * dual.data[by_vector],
        intercepts=sign * learned.intercept_,
        members=learned.classes_.astype(np.int32),
    )


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
    vectors = np.diff(machines.posting_start[machines.bounds[:, 0]])
    pairs = np.diff(machines.vector_start[machines.bounds[:, 1]])
    inside = machines.postings < np.repeat(sizes[:, 1], vectors)
    yield bool(inside.all()), "postings name a vector of another machine"
    yield bool((machines.pairs < np.repeat(sizes[:, 2], pairs)).all()), "pairs name a pair of another machine"
    owner = machines.postings + np.repeat(machines.bounds[:-1, 1], vectors)
    shared = int(np.bincount(owner).max(initial=0))
    enough = shared < len(machines.power) <= MOST_SHARED + 1
    yield enough, f"power has {len(machines.power)} numbers, and vectors have up to {shared} features"


def joined(
    machines: Sequence[Machine], *, template: int, parts: Keys, machine_of: Ints, prior: Doubles, power: Doubles
) -> Machines:
    """Machines one after the other."""
    sizes = [(len(m.features), len(m.vector_start) - 1, len(m.intercepts), len(m.members)) for m in machines]
    parts_of: dict[str, list[Any]] = {
        name: [getattr(machine, name) for machine in machines] for name in Machine._fields
    }
    chained: dict[str, Any] = {  # starts within each machine as starts among all
        name: np.concatenate([[0], *map(np.diff, parts_of.pop(name))]).cumsum().astype(np.int64)
        for name in ("posting_start", "vector_start")
    }
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
