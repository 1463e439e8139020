"""The options of `headway.train` as keywords that type checkers know.

Written by `python tests/train_keywords.py` from the options of all families; a test keeps it in step with them.
Names that others have registered stand in options as data: `GraphOptions(decoder="theirs")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from headway.features.language import Feature
    from headway.learners.registry import Classifier, Learner
    from headway.parsers.boosted.schemes import Scheme

LearnerName: TypeAlias = Literal[
    "arow",
    "cw",
    "cw-variance",
    "exponential",
    "kernel-svm",
    "linear-svm",
    "logistic",
    "mira",
    "pa",
    "pa-1",
    "pa-2",
    "perceptron",
]


class FoldKeywords(TypedDict, total=False):
    """Options of `headway.train` as type checkers know them."""

    parser: Literal["transition", "graph", "boosted", "segmenter", "pretagger", "tagger", "lemmatizer"]
    features: str | Sequence[Feature]
    options: Mapping[str, Any]
    seed: int
    single_root: bool | None
    encoding: Literal["head", "path", "head+path", "none"]
    single_labels: Literal["auto", "off"]
    mark_cutoff: int
    passes: Literal["auto"] | int | None
    shuffle: bool
    size: Literal["small", "default", "full"]
    exact: bool
    learner: LearnerName | Learner | Classifier
    system: Literal["arc-eager", "arc-standard", "swap"]
    root: Literal["end", "start", "none"] | None
    two_step: bool
    explore: float | None
    cutoff: int
    prune: float | None
    updatable: bool
    decoder: Literal["auto", "eisner", "chu-liu-edmonds", "split-head", "cky"]
    order: Literal[1, 2] | None
    labels: Literal["after", "joint"]
    loss: Literal["rho", "sqrt"]
    counts_labels: bool
    cost_augmented: bool
    k: int
    rivals: Literal["best", "wrong"]
    bits: int
    label_bits: int
    label_learner: LearnerName | Learner | Classifier
    label_features: str | Sequence[Feature]
    rounds: int
    boosting: Literal["additive", "adaboost-m1", "adaboost-m2", "logistic-loss"] | Scheme
    constant: float | None
    held_out: int | None
    keep: Literal["last", "best", "ensemble", "vote"] | None
    dynamic: bool
    states: Literal["gold", "predicted"]
    partitioned: bool
    threads: int
    patience: int
    tune: str | Sequence[str]
    stages: str | Sequence[str]
    pipeline: bool
    without: str | Sequence[str]
    take: str | Sequence[str]
    jackknife: bool
    workers: int | None
    calibrate: Literal["dev", "cross-validation", "none"] | None
    resume: bool


class TrainKeywords(FoldKeywords, total=False):
    """Options of `headway.train` as type checkers know them."""

    folds: int
