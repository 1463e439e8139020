"""The options of `headway.discover` as keywords that type checkers know.

Written by `python tests/train_keywords.py` from the options of searches; a test keeps it in step with them.
Names that others have registered stand in options as data: `GraphOptions(decoder="theirs")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from headway.features.language import Feature
    from headway.learners.registry import Learner

LearnerName: TypeAlias = Literal[
    "mira",
    "perceptron",
    "pa",
    "pa-1",
    "pa-2",
    "cw",
    "cw-variance",
    "arow",
    "linear-svm",
    "logistic",
    "kernel-svm",
]


class DiscoverKeywords(TypedDict, total=False):
    """Options of `headway.discover`.

    folds: Measure by cross-validation with this many folds, not on a development treebank. Default: None.
    metric: Which score to improve. One of 'LAS', 'UAS', 'AllTags', 'UPOS', 'Lemmas', 'Segments', 'Tokens'.
        Default: LAS; AllTags for taggers, Lemmas for lemmatizers, Segments for segmenters.
    beam: How many of the best sets to continue from; 1 is a greedy search. Default: 4.
    generations: Stop after this many generations. Default: 16.
    threshold: A gain counts only if it is more than this many points. Default: 0.0.
    patience: Stop after this many generations without a gain. Default: 2.
    significance: A gain counts only if its p-value is below this, as in 0.05. Default: every gain counts.
    attributes: What features look at: paper (POS,LEX,DEP), extended (also UPOS,LEMMA,FEATS,SUFFIX2,SUFFIX3), or
        names. Default: paper; words for taggers, forms for lemmatizers, characters for segmenters.
    moves: How to change a set: add a feature, join features, drop one. Default: 'add'.
    largest: How many terms a joined feature may have. Default: 3.
    start: Feature model to start from: a name, or a file. Default: nothing.
    parser: Family of the parser, or another stage. One of 'transition', 'graph', 'tagger', 'lemmatizer',
        'segmenter'. Default: 'transition'.
    system: Transition system, the set of actions to choose from. One of 'arc-eager', 'arc-standard', 'swap'.
        Default: 'arc-eager'.
    root: Where the artificial root stands in the sentence. One of 'end', 'start', 'none'. Default: the system's
        best.
    learner: Learning algorithm. Default: mira.
    options: Options of the learner by their names, as in {'phi': 0.5}. A wrong name lists the right ones.
        Default: {}.
    passes: How often an online learner goes through the treebank. Default: 3.
    pairs: Use all pairs of features too. Default: yes; no with a kernel.
    two_step: Predict the action first and then the label, or both at once. Default: True.
    encoding: How labels record arcs that cross others, so that parsing can restore them. One of 'head', 'path',
        'head+path', 'none'. Default: 'none'.
    prune: Leave out weights below this share of the weights' root mean square. Default: as in train.
    paper: Use the paper's learner, LIBSVM with a quadratic kernel: for small treebanks. Default: False.
    race: Compare sets on part of the data first, and measure only the best in full. Default: yes; no with
        paper.
    keep: The share of sets to measure in full. Default: 0.1.
    least: Measure at least this many sets in full. Default: 12.
    check_racing: Measure all sets in full too, and report what racing would change. Default: False.
    definition: What counts as right. One of 'ud', 'conllx', 'all'. Default: as in evaluate.
    punctuation: Count punctuation too. Default: as in evaluate.
    seed: Random seed. Default: 1.
    """

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
