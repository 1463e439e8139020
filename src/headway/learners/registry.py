"""Learners by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from headway.errors import HeadwayError, known
from headway.learners.arow import AROW
from headway.learners.batch import BatchLearner
from headway.learners.confidence_weighted import CW, CWVariance
from headway.learners.kernel_svm import KernelSVM
from headway.learners.linear_svm import LinearSVM
from headway.learners.logistic import Logistic
from headway.learners.online import Online
from headway.learners.passive_aggressive import MIRA, PA, PA1, PA2
from headway.learners.perceptron import Perceptron

Learner = Online | BatchLearner
ONLINE: dict[str, type[Online]] = {
    "perceptron": Perceptron,
    "pa": PA,
    "pa-1": PA1,
    "pa-2": PA2,
    "mira": MIRA,
    "cw": CW,
    "cw-variance": CWVariance,
    "arow": AROW,
}
BATCH: dict[str, type[BatchLearner]] = {"linear-svm": LinearSVM, "logistic": Logistic, "kernel-svm": KernelSVM}
LEARNERS: dict[str, type[Learner]] = {**ONLINE, **BATCH}


def learner(name: str, **options: Any) -> Learner:
    """The learner of that name with options of its own."""
    if name not in LEARNERS:
        raise HeadwayError(f"unknown learner {name!r}; {known(LEARNERS)}")
    possible = {field.name for field in fields(LEARNERS[name])}
    for option in options:
        if option not in possible:
            raise HeadwayError(f"learner {name} has no option {option!r}; {known(possible)}")
    return LEARNERS[name](**options)


def name_of(chosen: Learner) -> str:
    """The name under which a learner is known."""
    return next(name for name, kind in LEARNERS.items() if type(chosen) is kind)
