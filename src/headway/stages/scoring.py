"""Scores as arrays: of each arc, label or transition of a sentence; and the contracts of stages that give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch
from headway.data.sentence import Sentence

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
GREATEST = 1e300
"""Scores are cut here, on both sides, before they become probabilities: their differences stay numbers."""


class TreeScores(NamedTuple):
    """The scores of all arcs of a sentence, and of all labels in the tree that was found.

    Words are numbered from 1, and 0 is the root, in all arrays but `heads`. What cannot be is minus infinity.
    """

    arcs: Floats
    """[head, word]: the score of an arc of a graph parser. Of a boosted parser the log probability of a link, beside
    the children that both words have in the tree that was found; where rounds vote, its share of the votes."""
    siblings: Floats | None
    """[head, word, sibling]: what the arc gets beside the next child of the head on this side and nearer to it; where
    there is no such child, the sibling is the head. None where arcs are scored alone."""
    labels: Floats
    """[word, label]: the scores of labels in this tree; row 0 is nothing."""
    names: tuple[str, ...]
    """The labels; those of lifted arcs have their marks."""
    heads: Ints
    """The head of each word in the tree that was found, before lifted arcs are put back."""


class TransitionScores(NamedTuple):
    """The scores of the transitions between which a parser chose, step by step."""

    scores: Floats
    """[step, transition]: minus infinity where it is not legal."""
    names: tuple[str, ...]
    """The transitions, such as `SHIFT` and `LEFT-ARC nsubj`."""
    chosen: Ints
    """[step]: the number of the transition that was taken."""
    margins: Floats
    """[step]: how much better it is than the best other legal one; infinite where there is none."""
    words: Ints
    """[step]: the word that got a head, 0 where none did."""


@runtime_checkable
class Scores(Protocol):
    """A stage that can give its scores; a capability beside the contract of stages."""

    def scores(self, batch: Batch) -> TreeScores | TransitionScores:
        """The scores behind the tree of the one sentence of a batch."""


@runtime_checkable
class GivesMarginals(Protocol):
    """A stage that can say how probable each arc is among all trees."""

    def marginals(self, batch: Batch) -> Floats:
        """[head, word] for the one sentence of a batch."""


def scores_of(stages: Sequence[Any], sentence: Sentence) -> TreeScores | TransitionScores:
    """The scores of the last stage that has them, for a sentence that the stages before it annotate."""
    stage, batch = _asked(stages, sentence, Scores, "has scores of trees; take a model with a parser")
    found: TreeScores | TransitionScores = stage.scores(batch)
    return found


def marginals_of(stages: Sequence[Any], sentence: Sentence) -> Floats:
    """The same with marginals."""
    remedy = "knows how probable arcs are among all trees; take a graph or a boosted parser"
    stage, batch = _asked(stages, sentence, GivesMarginals, remedy)
    found: Floats = stage.marginals(batch)
    return found


def _asked(stages: Sequence[Any], sentence: Sentence, contract: Any, remedy: str) -> tuple[Any, Batch]:
    able = [at for at, stage in enumerate(stages) if isinstance(stage, contract)]
    if not able:
        kinds = ", ".join(stage.kind for stage in stages) or "a model that only cuts text"
        raise HeadwayError(f"{kinds}: no stage of the model {remedy}")
    batch = sentence.batch.alone(sentence.index)
    for before in stages[: able[-1]]:
        batch = before.annotate(batch)
    return stages[able[-1]], batch


def only_arcs(scores: Floats) -> Floats:
    """The scores of arcs, and minus infinity for what is none: to the root, and from a word to itself."""
    found = np.array(scores, np.float64)
    found[:, 0] = -np.inf
    np.fill_diagonal(found, -np.inf)
    return found


def only_siblings(scores: Floats) -> Floats:
    """The same with siblings: they stand between a word and its head, or are the head."""
    nodes = np.arange(len(scores))
    head, word, sibling = nodes[:, None, None], nodes[:, None], nodes
    between = (np.minimum(head, word) < sibling) & (sibling < np.maximum(head, word))
    return np.where((between | (sibling == head)) & (word > 0) & (word != head), scores, -np.inf)


def of_nodes(labels: NDArray[Any]) -> Floats:
    """The scores of labels with a row for the root, which has none."""
    return np.concatenate([np.full((1, labels.shape[1]), -np.inf), labels.astype(np.float64)])


def summable(scores: Floats) -> Floats:
    """Scores that sums over trees can be made of."""
    found: Floats = np.clip(np.nan_to_num(scores), -GREATEST, GREATEST)
    return found
