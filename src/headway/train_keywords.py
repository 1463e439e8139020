"""The options of `headway.train` as keywords that type checkers know.

Written by `python tests/train_keywords.py` from the options of all families; a test keeps it in step with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from headway.features.language import Feature
    from headway.learners.registry import Learner


class TrainKeywords(TypedDict, total=False):
    """Options of `headway.train`.

    parser: Family of parsers. One of 'transition', 'graph', 'boosted'. Default: 'transition'.

    Every parser:
      features: Feature model: a name, or a file. Default: 'default'.
      options: Option of the learner, as in phi=0.5. Default: {}.
      single_root: Whether exactly one word of a sentence hangs on the root. Default: as in the treebank.
      encoding: How arcs that cross others are marked in labels. One of 'head', 'path', 'head+path', 'none'.
          Default: 'head'.
      mark_cutoff: Labels of lifted arcs that are seen less often lose their marks. Default: 10.
      seed: Random seed. Default: 1.

    Transition parsers, parser="transition":
      passes: Passes over the treebank; auto finds their number by cross-validation. Default: the learner's own;
          with dev until its LAS stops growing, 30 at most.
      shuffle: Whether each pass has an order of its own. Default: True.
      learner: How weights are learned. Default: 'mira'.
      system: Transition system. One of 'arc-eager', 'arc-standard', 'swap'. Default: 'arc-eager'.
      root: Where the artificial root stands. One of 'end', 'start', 'none'. Default: the system's best.
      two_step: Choose the action first, then the label. Default: False.
      explore: How often training follows its own predictions; 0 for the static oracle. Default: 0.9 for systems
          with a dynamic oracle and online learners, else 0.
      cutoff: Leave out features seen less often. Default: 1.
      small: A smaller model: leave out weights that hardly matter. Default: False.
      prune: Leave out weights smaller than this share of their root mean square; 0 keeps all. Default: 0.3; in a
          small model 0.5.

    Graph parsers, parser="graph":
      passes: Passes over the treebank; auto finds their number by cross-validation. Default: the learner's own;
          with dev until its LAS stops growing, 30 at most.
      shuffle: Whether each pass has an order of its own. Default: True.
      learner: How weights are learned. Default: 'pa-1'.
      decoder: How the best tree is found; auto looks at the treebank, and at dev where there is one. One of
          'auto', 'eisner', 'chu-liu-edmonds'. Default: 'auto'.
      order: 1 scores arcs, 2 siblings too. One of 1, 2. Default: 2 where the features look at siblings and one
          tree is learned from, the best.
      labels: Labels after all arcs, or with each arc. One of 'after', 'joint'. Default: 'after'.
      loss: Wrong words of a tree, or the square root of that. One of 'rho', 'sqrt'. Default: 'rho'.
      counts_labels: Wrong labels are a loss too; needs joint labels. Default: False.
      cost_augmented: Learn from trees that are wrong and good, or from the best tree. Default: True.
      k: Trees to learn from for each sentence: mira from all at once, others from one after the other. Default:
          1.
      rivals: Learn from the best trees, or from the best wrong ones, so that learning goes on when the best tree
          is right. One of 'best', 'wrong'. Default: 'best'.
      bits: Arcs have 2 to this power weights. Default: 24.
      label_bits: Labels have 2 to this power weights. Default: 23.

    Boosted parsers, parser="boosted":
      learner: How links are learned. Default: 'exponential'.
      label_learner: How labels are learned. Default: 'exponential'.
      label_features: Feature model of labels: a name, or a file. Default: 'default'.
      passes: Passes of an online local learner. Default: the learner's own.
      rounds: Rounds of boosting. Default: 4.
      boosting: How mistakes gain importance. One of 'additive', 'adaboost-m1', 'adaboost-m2', 'logistic-loss'.
          Default: 'additive'.
      constant: What a mistake adds to its importance. Default: 1, with additive.
      held_out: Judge sentences in so many folds, each by what was learned from the others. Default: by all.
      keep: Which rounds to keep in the model. One of 'last', 'best', 'ensemble', 'vote'. Default: ensemble; with
          additive the last, with dev the best.
      decoder: How the best tree is found; both find the same. One of 'split-head', 'cky'. Default: 'split-head'.
      dynamic: Whether links see what both words have already. Default: True.
      states: The trees in which training sees what words have: gold, or from round 2 on those of the round
          before. One of 'gold', 'predicted'. Default: 'gold'.
      partitioned: A model for each two tags, or one for all pairs. Default: True.
      cutoff: Leave out features seen less often. Default: 1.
      threads: Threads in training, each at other parts of the model or other sentences. Default: 1.

    Training:
      patience: Stop after this many passes or rounds without a better dev score. Default: 3.
      folds: Folds of cross-validation: for passes auto, and for what a stage learns of the one before it.
          Default: 5.
      tune: Choose options on dev first, as in C,decoder. Default: ''.
      stages: Stages to learn before the parser; their options are said as -O STAGE.NAME=VALUE. Default: ''.
      resume: Go on with an interrupted training, or begin anew. Default: True.
    """

    parser: str
    features: str | Sequence[Feature]
    options: Mapping[str, Any]
    single_root: bool | None
    encoding: str
    mark_cutoff: int
    seed: int
    passes: int | str | None
    shuffle: bool
    learner: str | Learner | Any
    system: str
    root: str | None
    two_step: bool
    explore: float | None
    cutoff: int
    small: bool
    prune: float | None
    decoder: str
    order: int | None
    labels: str
    loss: str
    counts_labels: bool
    cost_augmented: bool
    k: int
    rivals: str
    bits: int
    label_bits: int
    label_learner: str | Learner | Any
    label_features: str | Sequence[Feature]
    rounds: int
    boosting: str | Any
    constant: float | None
    held_out: int | None
    keep: str | None
    dynamic: bool
    states: str
    partitioned: bool
    threads: int
    patience: int
    folds: int
    tune: str | Sequence[str]
    stages: str | Sequence[str]
    resume: bool
