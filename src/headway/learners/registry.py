"""Learners by name: ours, and those that other distributions bring as entry points."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from headway.errors import HeadwayError, known
from headway.learners.batch import BatchLearner
from headway.learners.online import Online
from headway.registry import Registry

Learner = Online | BatchLearner
ONLINE: Registry[type[Online]] = Registry(
    "learner",
    "headway.learners",
    {
        "perceptron": "headway.learners.perceptron:Perceptron",
        "pa": "headway.learners.passive_aggressive:PA",
        "pa-1": "headway.learners.passive_aggressive:PA1",
        "pa-2": "headway.learners.passive_aggressive:PA2",
        "mira": "headway.learners.passive_aggressive:MIRA",
        "cw": "headway.learners.confidence_weighted:CW",
        "cw-variance": "headway.learners.confidence_weighted:CWVariance",
        "arow": "headway.learners.arow:AROW",
    },
    needs=("step_rule",),
)
BATCH: Registry[type[BatchLearner]] = Registry(
    "batch learner",
    "headway.batch_learners",
    {
        "linear-svm": "headway.learners.linear_svm:LinearSVM",
        "logistic": "headway.learners.logistic:Logistic",
        "kernel-svm": "headway.learners.kernel_svm:KernelSVM",
    },
    needs=("fit",),
)


def names() -> list[str]:
    """The names of all learners."""
    return [*ONLINE, *BATCH]


def kind_of(name: str) -> type[Learner]:
    """The class of learners of that name."""
    if name in ONLINE:
        return ONLINE[name]
    if name in BATCH:
        return BATCH[name]
    raise HeadwayError(f"unknown learner {name!r}; {known(names())}")


def learner(name: str, **options: Any) -> Learner:
    """The learner of that name with options of its own."""
    kind = kind_of(name)
    possible = {field.name for field in fields(kind)}
    for option in options:
        if option not in possible:
            raise HeadwayError(f"learner {name} has no option {option!r}; {known(possible)}")
    return kind(**options)


def name_of(chosen: Learner) -> str:
    """The name under which a learner is known; `module:class` for one that has none."""
    try:
        return ONLINE.name_of(type(chosen)) if isinstance(chosen, Online) else BATCH.name_of(type(chosen))
    except HeadwayError:
        return f"{type(chosen).__module__}:{type(chosen).__qualname__}"
