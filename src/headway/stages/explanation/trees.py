"""Explain a tree head by head and label by label, whichever parser found it: each beside its runner-up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.features.looks import Look
from headway.features.naming import SentenceCells, arc_text
from headway.stages.explanation.contract import Decision, Explanation, Floats, Shown
from headway.stages.gold import trees_of
from headway.stages.tree_stage import Parsed, TreeStage


class ScoredFeatures(NamedTuple):
    """The features of a choice: what each gives to its score, its name, its look, and what the model knows it by."""

    given: Floats
    name: Callable[[int], str]
    look: Callable[[int], Look]
    ids: NDArray[Any]


class ScoredChoices(NamedTuple):
    """Choices by number that all have the same features."""

    scores: Floats | Mapping[int, float]
    weights: Callable[[int], Floats]
    """What each feature gives to a choice."""
    name: Callable[[int], str]
    look: Callable[[int], Look]
    ids: NDArray[Any] | None = None

    def decision(
        self,
        kind: str,
        word: int,
        chosen: int,
        others: Sequence[int] | Ints,
        shown: Callable[[int], Shown],
        right: int | None = None,
        situation: str = "",
    ) -> Decision:
        """A choice beside the best of the others, or the right one; `shown` is a choice in words."""
        rival = right if right is not None else max(others, key=lambda at: self.scores[at], default=None)
        given = self.weights(chosen)
        own, other = shown(chosen), None if rival is None else shown(rival)
        return Decision(
            kind=kind,
            word=word,
            what=own.what,
            over=None if other is None else other.what,
            **own.beside(other),  # type: ignore[arg-type]
            score=float(self.scores[chosen]),
            rival_score=None if rival is None else float(self.scores[rival]),
            given=given,
            against=np.zeros(len(given)) if rival is None else self.weights(rival),
            name=self.name,
            look=self.look,
            situation=situation,
            ids=self.ids,
        )


class HeadExplainer(ABC):
    """Why the words of one sentence have their heads."""

    cells: SentenceCells
    heads: Ints

    @abstractmethod
    def score(self, head: int, word: int) -> float:
        """The score of an arc."""

    @abstractmethod
    def arc_features(self, head: int, word: int) -> ScoredFeatures:
        """The features of an arc."""

    def shown(self, head: int, word: int) -> Shown:
        """An arc as text."""
        return shown_arc(self.cells, head, word)

    def of_head(self, word: int, right: int | None = None) -> list[Decision]:
        """Why a word has its head, and not the best other or the right one."""
        chosen = int(self.heads[word - 1])
        scores = {head: self.score(head, word) for head in range(self.cells.size + 1) if head != word}
        rivals = [head for head in scores if head != chosen]
        rival = right if right is not None else max(rivals, key=lambda head: scores[head], default=None)
        mine = self.arc_features(chosen, word)
        other = (
            ScoredFeatures(np.empty(0), str, mine.look, mine.ids[:0])
            if rival is None
            else self.arc_features(rival, word)
        )
        split = len(mine.given)
        given = {
            chosen: np.concatenate([mine.given, np.zeros(len(other.given))]),
            rival: np.concatenate([np.zeros(split), other.given]),
        }
        choices = ScoredChoices(
            scores,
            lambda head: given[head],
            lambda at: mine.name(at) if at < split else other.name(at - split),
            lambda at: mine.look(at) if at < split else other.look(at - split),
            np.concatenate([mine.ids, other.ids]),
        )
        return [choices.decision("head", word, chosen, rivals, lambda head: self.shown(head, word), right)]


class LabelExplainer(ABC):
    """Why the words of one sentence have their labels."""

    names: Sequence[str]
    cells: SentenceCells
    heads: Ints
    labels: Ints

    @abstractmethod
    def label_choices(self, word: int) -> ScoredChoices:
        """All labels of a word's arc."""

    def of_label(self, word: int, right: int | None = None) -> Decision:
        """Why a word has its label, and not the best other or the right one."""
        chosen = int(self.labels[word - 1])
        others = [at for at in range(len(self.names)) if at != chosen]
        return self.label_choices(word).decision("label", word, chosen, others, partial(self._shown_label, word), right)

    def _shown_label(self, word: int, at: int) -> Shown:
        return shown_label(self.cells, int(self.heads[word - 1]), word, self.names[at])


def shown_arc(cells: SentenceCells, head: int, word: int) -> Shown:
    """An arc as text; what is typical of it are tags and direction."""
    on = f"on {marked(cells, head)}"
    tags = f"{cells.tag(word)} ← {cells.tag(head)}"
    side = "" if head == 0 else " on the left" if head < word else " on the right"
    return Shown(arc_text(cells, head, word), f"{marked(cells, word)} depends", on, f"{tags}{side}")


def shown_label(cells: SentenceCells, head: int, word: int, label: str) -> Shown:
    """A label as text."""
    said = f"{label} of {marked(cells, head)}"
    return Shown(f"label {label}", f"{marked(cells, word)} is", said, f"label {label}")


def marked(cells: SentenceCells, node: int) -> str:
    """A word inside a sentence about it."""
    return "the root" if node == 0 else f"*{cells.shown(node)}*"


class Heads(Protocol):
    """What explains heads; that of several models may give several decisions."""

    heads: Ints

    def of_head(self, word: int, right: int | None = None) -> list[Decision]:
        """Why a word has its head, and not the best other or the right one."""


def explanation(parser: TreeStage, batch: Batch, decisions: Sequence[Decision], found: Parsed) -> Explanation:
    """The explanation of a tree that was found for the one sentence of a batch; notes say which arcs were put back."""
    sentence = Sentence.view(parser.with_trees(batch, found), 0)
    rows = zip(sentence.forms, found.heads.tolist(), sentence.heads.tolist(), found.labels.tolist(), strict=True)
    restored = [
        f"{form} ({word}): the label {found.names[label]} asks to put its arc from {before} back to {after}"
        for word, (form, before, after, label) in enumerate(rows, 1)
        if before != after
    ]
    return Explanation(sentence, decisions, restored)


def tree_explanation(parser: TreeStage, batch: Batch, heads: Heads, labels: LabelExplainer) -> Explanation:
    """For each word of the one sentence of a batch, why it has its head, and then its label."""
    words = range(1, len(heads.heads) + 1)
    decisions = [one for word in words for one in (*heads.of_head(word), labels.of_label(word))]
    return explanation(parser, batch, decisions, Parsed(heads.heads, labels.labels, tuple(labels.names)))


def wrong_in_tree(parser: TreeStage, batch: Batch, heads: Heads, labels: LabelExplainer) -> list[Decision]:
    """The wrong heads of the one sentence of a batch, and wrong labels of right heads, beside the right ones."""
    found: list[Decision] = []
    for word, (head, label) in enumerate(zip(*right_tree(parser, batch, labels.names), strict=True), 1):
        if heads.heads[word - 1] != head:
            found += heads.of_head(word, head)
        elif label not in (-1, labels.labels[word - 1]):
            found.append(labels.of_label(word, label))
    return found


def right_tree(parser: TreeStage, batch: Batch, names: Sequence[str]) -> tuple[list[int], list[int]]:
    """Heads and labels of the tree that was read with a sentence; -1 for labels that the parser does not know."""
    trees = trees_of([batch], parser.encoding)
    number = {name: at for at, name in enumerate(names)}
    return trees.heads.tolist(), [number.get(trees.names[at], -1) for at in trees.labels]


def count_by_sentence(
    counts: dict[int, dict[int, int]], keys: NDArray[Any], sentences: NDArray[Any], ids: NDArray[Any]
) -> None:
    """Add to `counts` how often each of the features `ids` stands in which sentence."""
    wanted = np.isin(keys, ids)
    both = np.rec.fromarrays([keys[wanted], sentences[wanted]])
    for (key, sentence), count in zip(*np.unique(both, return_counts=True), strict=True):
        own = counts.setdefault(int(key), {})
        own[int(sentence)] = own.get(int(sentence), 0) + int(count)
