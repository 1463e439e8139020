"""Support-vector machines with a polynomial kernel, by LIBSVM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from headway.base.options import number, positive, text, whole
from headway.data.batch import Ints
from headway.learners.batch import BatchLearner, library
from headway.learners.machines import Doubles, Keys, Machine


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
            return _constant(targets[:1])
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


def _constant(members: Ints) -> Machine:
    """A machine that has nothing to decide: it knows one class, or none."""
    start, none = np.zeros(1, np.int64), np.empty(0)
    keys, numbers = none.astype(np.uint64), none.astype(np.int32)
    return Machine(keys, start, numbers, start, numbers, none, none, members.astype(np.int32))
