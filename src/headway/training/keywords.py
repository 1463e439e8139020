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
    "exponential",
]
LabelLearnerName: TypeAlias = Literal[
    "exponential",
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


class TrainKeywords(TypedDict, total=False):
    """Options of `headway.train`.

    parser: Family of parsers. One of 'transition', 'graph', 'boosted'; or a stage that prepares what they see:
        'segmenter', 'pretagger', 'tagger', 'lemmatizer'. Default: 'transition'.

    Every parser:
      features: What the parser looks at: the name of a feature model, or a file of features. Default: the
          features made for this kind of parser.
      options: Options of the learner by their names, as in {'phi': 0.5}. A wrong name lists the right ones.
          Default: {}.
      seed: Random seed. Default: 1.
      single_root: Give every sentence exactly one root, or allow several. Default: as in the treebank.
      encoding: How labels record arcs that cross others, so that parsing can restore them. One of 'head', 'path',
          'head+path', 'none'. Default: 'head'.
      mark_cutoff: Do not record crossing arcs in labels that would be seen fewer times than this. Default: 10.

    Transition parsers, parser="transition":
      passes: How often to go through the treebank; auto finds the number by cross-validation. Default: what suits
          the learner; with dev until its LAS stops growing, at most 30.
      shuffle: Shuffle the training data before each pass. Default: True.
      learner: Learning algorithm. Default: 'mira'.
      system: Transition system, the set of actions to choose from. One of 'arc-eager', 'arc-standard', 'swap'.
          Default: 'arc-eager'.
      root: Where the artificial root stands in the sentence. One of 'end', 'start', 'none'. Default: the system's
          best.
      two_step: Predict the action first and then the label, or both at once. Default: False.
      explore: How often training follows its own predictions, right or wrong; 0 always follows the gold trees.
          Default: 0.9 where system and learner allow it, else 0.
      cutoff: Ignore features seen fewer times than this. Default: 1.
      small: Write a smaller model, without weights that hardly matter. Default: False.
      prune: Leave out weights below this share of the weights' root mean square; 0 keeps all. Default: 0.3; with
          small 0.5.
      updatable: Keep in the model what training needs to go on with --continue; makes it several times larger.
          Default: False.

    Graph parsers, parser="graph":
      passes: How often to go through the treebank; auto finds the number by cross-validation. Default: what suits
          the learner; with dev until its LAS stops growing, at most 30.
      shuffle: Shuffle the training data before each pass. Default: True.
      learner: Learning algorithm. Default: 'pa-1'.
      decoder: How to find the best tree; auto decides by the treebank, and by dev if there is one. One of 'auto',
          'eisner', 'chu-liu-edmonds'. Default: 'auto'.
      order: 1 scores single arcs, 2 also pairs of neighbouring dependents. One of 1, 2. Default: 2 if the
          features look at siblings and k and rivals allow it, else 1.
      labels: Choose labels after all arcs, or together with each arc. One of 'after', 'joint'. Default: 'after'.
      loss: How bad a tree is: its number of wrong words, or the square root of that. One of 'rho', 'sqrt'.
          Default: 'rho'.
      counts_labels: Count wrong labels as errors too; needs --labels joint. Default: False.
      cost_augmented: Learn from trees that have a high score and many errors, or from the best tree. Default:
          True.
      k: How many trees of a sentence to learn from: mira takes all at once, others one by one. Default: 1.
      rivals: Learn from the best trees, or from the best wrong ones even where the best tree is right. One of
          'best', 'wrong'. Default: 'best'.
      bits: Keep 2 to this power weights for arcs: fewer save memory, more keep features apart. Default: 24.
      label_bits: Keep 2 to this power weights for labels. Default: 23.
      updatable: Keep in the model what training needs to go on with --continue; makes it several times larger.
          Default: False.

    Boosted parsers, parser="boosted":
      learner: Learning algorithm for links. Default: 'exponential'.
      label_learner: Learning algorithm for labels. Default: 'exponential'.
      label_features: What the choice of labels looks at: the name of a feature model, or a file. Default: the
          features made for labels.
      passes: How often an online learner goes through the examples. Default: what suits the learner.
      rounds: How many rounds to train. Default: 4.
      boosting: Boosting scheme: how mistakes gain importance. One of 'additive', 'adaboost-m1', 'adaboost-m2',
          'logistic-loss'. Default: 'additive'.
      constant: How much importance a mistake adds to an example. Default: 1, with additive.
      held_out: Find mistakes by cross-validation with this many folds. Default: on the training data itself.
      keep: Which rounds to keep in the model. One of 'last', 'best', 'ensemble', 'vote'. Default: ensemble; with
          boosting additive the last, or the best on dev.
      decoder: How to find the best tree; both find the same one. One of 'split-head', 'cky'. Default:
          'split-head'.
      dynamic: Whether features see the links that both words have already. Default: True.
      states: Where training takes those links from: gold trees, or from round 2 on the trees of the round before.
          One of 'gold', 'predicted'. Default: 'gold'.
      partitioned: Learn a model for each pair of tags, or one for all word pairs. Default: True.
      cutoff: Ignore features seen fewer times than this. Default: 1.
      threads: How many threads to train with; the parser is the same. Default: 1.

    Training:
      patience: Stop after this many passes or rounds without a better dev score. Default: 3.
      folds: How many parts cross-validation makes: for --passes auto, and for training a stage on the output of
          another. Default: 5.
      tune: Options to choose on dev first, as in cutoff,explore; a wrong name lists the right ones. Default: ''.
      stages: Stages to learn before the parser; their options are keywords, too: **{'tagger.rare': 2}. Default:
          ''.
      pipeline: Learn all stages from text to trees that the treebank allows: segmenter, tagger, lemmatizer,
          parser. Default: False.
      without: Stages of a pipeline to leave out, as in segmenter,parser. Default: ''.
      take: Stages to take from other models instead of learning them, as in tagger=english.headway. Default: ''.
      jackknife: Train each stage on what those before it predict for text they have not seen, or on gold columns.
          Default: True.
      workers: How many parts of the treebank to learn from at once. Default: one for each processor.
      calibrate: What to learn confidences from: dev, or the treebank itself part by part, and dev if there is
          one, which takes a training for each of the --folds. One of 'dev', 'cross-validation', 'none'. Default:
          dev if there is one, else none.
      resume: Continue an interrupted training, or start again. Default: True.
    """

    parser: Literal["transition", "graph", "boosted", "segmenter", "pretagger", "tagger", "lemmatizer"]
    features: str | Sequence[Feature]
    options: Mapping[str, Any]
    seed: int
    single_root: bool | None
    encoding: Literal["head", "path", "head+path", "none"]
    mark_cutoff: int
    passes: Literal["auto"] | int | None
    shuffle: bool
    learner: LearnerName | Learner | Classifier
    system: Literal["arc-eager", "arc-standard", "swap"]
    root: Literal["end", "start", "none"] | None
    two_step: bool
    explore: float | None
    cutoff: int
    small: bool
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
    label_learner: LabelLearnerName | Learner | Classifier
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
    folds: int
    tune: str | Sequence[str]
    stages: str | Sequence[str]
    pipeline: bool
    without: str | Sequence[str]
    take: str | Sequence[str]
    jackknife: bool
    workers: int | None
    calibrate: Literal["dev", "cross-validation", "none"] | None
    resume: bool
