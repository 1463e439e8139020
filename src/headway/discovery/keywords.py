"""The options of `headway.discover` as keywords that type checkers know.

Written by `python tests/train_keywords.py` from the options of searches; a test keeps it in step with them.
Names that others have registered stand in options as data: `GraphOptions(decoder="theirs")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from headway.features.language import Feature
    from headway.learners.registry import Learner
    from headway.training.keywords import LearnerName


class DiscoverKeywords(TypedDict, total=False):
    """Options of `headway.discover` as type checkers know them."""

    folds: int | None
    metric: Literal["LAS", "UAS", "AllTags", "UPOS", "Lemmas", "Segments", "Tokens"] | None
    beam: int
    generations: int
    threshold: float
    patience: int
    significance: float | None
    attributes: str | Sequence[str]
    moves: str | Sequence[str]
    largest: int
    start: str | Sequence[Feature]
    minutes: float
    parser: Literal["transition", "graph", "tagger", "lemmatizer", "segmenter"]
    system: Literal["arc-eager", "arc-standard", "swap"]
    root: Literal["end", "start", "none"] | None
    learner: LearnerName | Learner | None
    options: Mapping[str, Any]
    passes: int | None
    pairs: bool | None
    two_step: bool
    encoding: Literal["head", "path", "head+path", "none"]
    prune: float | None
    paper: bool
    race: bool | None
    keep: float
    least: int
    check_racing: bool
    definition: Literal["ud", "conllx", "all"] | None
    punctuation: bool | None
    seed: int
