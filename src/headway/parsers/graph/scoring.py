"""The scores of all arcs and labels of one sentence: for constraints, k-best, explanations, updates, and as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from headway.data.batch import Batch, Ints
from headway.features.encode import Encoded, Keys, chosen
from headway.features.naming import SeenNodes
from headway.kernels.graph import evidence, parsing
from headway.kernels.graph import explaining as kernel
from headway.kernels.graph.labels import LabelTable
from headway.parsers.graph.decoders import Floats
from headway.parsers.graph.parser import SHARP, GraphParser
from headway.parsers.graph.registry import DECODERS
from headway.stages.scoring import TreeScores, of_nodes, only_arcs, only_siblings, summable
from headway.stages.tree_stage import Parsed, label_keys


class ArcScores(NamedTuple):
    """The scores of all arcs of a sentence [head, word], those beside siblings, and the best label of each arc."""

    arcs: Floats
    siblings: Floats | None
    """[head, word, sibling]; None where arcs are scored alone."""
    labels: Ints


class ScoredSentence:
    """One sentence of a batch; nothing is scored before somebody asks."""

    def __init__(self, parser: GraphParser, batch: Batch, index: int = 0, encoded: Encoded | None = None) -> None:
        """`encoded` are the words of the whole batch, where they have been encoded before."""
        first, last = map(int, batch.sentence_word[index : index + 2])
        self.parser, self.batch, self.index, self.size = parser, batch, index, last - first
        every = parser.templates.encode(batch) if encoded is None else encoded
        self.words = chosen(every, np.arange(first, last, dtype=np.int32))
        self.graph = parser.graph(self.words, self.size)
        self.label_keys = label_keys(parser.labels)
        self.with_siblings = parser.shape.order == 2 and self.size <= parsing.LONGEST

    @cached_property
    def scores(self) -> ArcScores:
        """The scores of all arcs. O(n³) at order 2."""
        width = self.size + 1
        siblings = np.zeros((width,) * 3 if self.with_siblings else (0, 1, 1))
        arcs, labels = np.zeros((width, width)), np.zeros((width, width), np.int32)
        kernel.scores_of(self.graph, self.parser.weights, 0, arcs, siblings, labels)
        return ArcScores(arcs, siblings if self.with_siblings else None, labels)

    def label_view(self, heads: Ints, known: Ints, head: int, word: int) -> tuple[SeenNodes, Keys]:
        """What the features of an arc's label see in a tree with the labels known so far, and their keys."""
        table, names = self.parser.templates.labels.kernel, self.label_keys
        *view, keys = LabelTable(table, self.words.kernel, names).view(0, heads, known, head, word)
        return SeenNodes(*view), keys

    def label_scores(self, keys: Keys) -> Floats:
        """The scores of all labels by these features."""
        return np.asarray(kernel.label_scores(self.graph, self.parser.weights, keys), np.float64)

    def labelled(self, heads: Ints, given: Mapping[int, str] | None = None) -> Parsed:
        """A tree with its labels, heads before their children, from left to right; given ones are taken as given."""
        names = self.parser.labels
        if self.parser.shape.labels == "joint":
            return Parsed(heads, self.scores.labels[heads, np.arange(1, self.size + 1)], names)
        number = {name: at for at, name in enumerate(names)}
        known = given or {}
        labels = np.array([number.get(known.get(word, ""), -1) for word in range(1, self.size + 1)], np.int32)
        offsets = np.array([0, self.size], np.int32)
        parsing.label(self.graph, self.parser.weights, offsets, np.ascontiguousarray(heads, np.int32), labels)
        return Parsed(heads, labels, names)


def siblings_in(heads: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """For each word of a tree: its head, the word, and the next child of the head on this side and nearer to it.

    Where there is no such child, the head stands for it.
    """
    for head in range(len(heads) + 1):
        children = [word for word, above in enumerate(heads, 1) if above == head]
        for side in ([word for word in reversed(children) if word < head], [word for word in children if word > head]):
            yield from ((head, word, before) for before, word in zip([head, *side], side, strict=False))


def scores(parser: GraphParser, batch: Batch) -> TreeScores:
    """The arcs of the one sentence of a batch, with siblings at order 2, and the labels of the tree that is found."""
    parser.assure_whole(batch)
    found, (arcs, siblings, _) = parser.found(batch), ScoredSentence(parser, batch).scores
    labels = parser.label_scores(batch, np.zeros(1, np.int32), found.heads, found.labels)
    with np.errstate(over="ignore"):
        return TreeScores(
            only_arcs(arcs * parser.scale),
            None if siblings is None else only_siblings(siblings * parser.scale),
            of_nodes(labels.astype(np.float64) * parser.scale),
            parser.labels,
            found.heads,
        )


def marginals(parser: GraphParser, batch: Batch) -> Floats:
    """How probable each arc [head, word] is among all trees that the decoder may find.

    A tree's probability grows with the exponential of `SHARP` times its score. Siblings count as they stand in the tree
    that is found; projective trees of long sentences are summed with all others. O(n³).
    """
    parser.assure_whole(batch)
    arcs, siblings, _ = ScoredSentence(parser, batch).scores
    if siblings is not None:
        arcs = evidence.beside(arcs, siblings, np.concatenate([np.zeros(1, np.int32), parser.found(batch).heads]))
    projective = DECODERS[parser.shape.decoder].projective and len(arcs) - 1 <= evidence.LONGEST_PROJECTIVE
    with np.errstate(over="ignore"):
        finite = summable(SHARP * parser.scale * arcs)
        return np.asarray(evidence.marginals(finite, parser.single_root, projective))
