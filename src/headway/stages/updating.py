"""Learn from corrections and from more trees: contracts of stages that can, and the loop of a correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.pseudoprojective import projectivize
from headway.data.trees import as_tree
from headway.stages.constraints import Constraints, assure_constraints
from headway.stages.obeying import obeyed
from headway.stages.single_labels import allowing_doubled
from headway.stages.tree_stage import Parsed, TreeStage
from headway.stages.windows import WindowedStage, assure_learnable

MOST_ROUNDS = 10
"""How often a sentence is learned from at the most, until it is parsed right."""
Tree = TypeVar("Tree", bound=TreeStage)


class Learned(NamedTuple):
    """What a correction has led to."""

    stage: Any
    """The stage that has learned; the one before is as it was."""
    right: bool
    """Whether the sentence is parsed right now."""


@runtime_checkable
class Adapts(Protocol):
    """A stage that learns from single corrections; a capability beside the contract of stages."""

    def updated(self, batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
        """A stage that has learned heads and labels of some or all words of the one sentence of a batch.

        With `in_place` nobody else has this stage, whose weights may change then; without, they stay as they are.
        """


@runtime_checkable
class Continues(Protocol):
    """A stage whose training goes on with more trees; a capability beside the contract of stages."""

    def continued(self, batches: Sequence[Batch], *, passes: int, shuffle: bool, seed: int) -> Any:
        """The stage after passes over more trees, or rounds; an error where the model keeps too little for it."""


def updated(stages: Sequence[Any], batch: Batch, wanted: Constraints, *, in_place: bool = False) -> Learned:
    """The last stage after a correction; `in_place` is as in the contract."""
    words, place = len(batch.word_line), f"{batch.source}:{batch.numbers[0]}"
    stage = stages[-1] if stages else None
    if not isinstance(stage, Adapts):
        kind = getattr(stage, "kind", "segmenter")
        raise HeadwayError(f"a {kind} does not learn from single corrections; transition, graph and boosted parsers do")
    assure_constraints(wanted)
    wanted.assure_fits(words, place)
    assure_learnable(words, place)
    if isinstance(stage, WindowedStage):
        stage.assure_whole(batch)
    for before in stages[:-1]:
        batch = before.annotate(batch)
    learned: Learned = allowing_doubled(stage, wanted).updated(batch, wanted, in_place=in_place)
    return learned


def update_until_right(
    stage: Tree,
    batch: Batch,
    wanted: Constraints,
    *,
    parsed: Callable[[Tree], Parsed],
    steps: Callable[[Ints, list[str]], Iterator[Tree]],
) -> Learned:
    """A parser after at most ten rounds of steps towards a tree of one sentence that has what is wanted.

    `parsed` has the tree that a parser finds, `steps(heads, labels)` the parser after each round of steps towards a
    tree, which is projective where the parser lifts arcs. Where only some heads are wanted, it chooses the rest.
    """
    found = parsed(stage)
    if is_right(found, wanted):
        return Learned(stage, True)
    heads, names = _whole(stage, batch, wanted)
    if stage.encoding is not None:
        heads, names = projectivize(heads, names, stage.encoding, exact=True)
    for stage in islice(steps(heads, names), MOST_ROUNDS):
        if is_right(parsed(stage), wanted):
            return Learned(stage, True)
    return Learned(stage, False)


def _whole(stage: TreeStage, batch: Batch, wanted: Constraints) -> tuple[Ints, list[str]]:
    """A whole tree: what is wanted, and what the parser chooses beside it."""
    words = len(batch.word_line)
    if len(wanted.required) == len(wanted.labels) == words and not (wanted.forbidden or wanted.spans):
        every = range(1, words + 1)
        return as_tree([wanted.required[word] for word in every]), [wanted.labels[word] for word in every]
    tree, _ = obeyed(stage, batch, 0, wanted)
    return tree.heads, [wanted.labels.get(word, tree.names[at]) for word, at in enumerate(tree.labels, 1)]


def is_right(parsed: Parsed, wanted: Constraints) -> bool:
    """Whether a tree obeys, and has all labels that are wanted."""
    labels, names = parsed.labels.tolist(), parsed.names
    return wanted.hold(parsed.heads.tolist()) and all(
        names[labels[word - 1]] == name for word, name in wanted.labels.items()
    )
