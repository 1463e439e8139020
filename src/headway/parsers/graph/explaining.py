"""Explain the arcs and labels of a graph parser: each beside the best other one of the same word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.trees import labels_before
from headway.features.encode import Keys
from headway.features.language import Address
from headway.features.looks import Look, anchors_of, attribute_of
from headway.features.naming import SeenNodes, SentenceCells, TemplateNames
from headway.features.naming_arcs import ArcPlaces, arc_look, arc_name, arc_terms
from headway.kernels.graph import explaining as kernel
from headway.parsers.graph.scoring import ScoredSentence
from headway.stages.explanation.contract import Decision, Explanation, Floats, Shown
from headway.stages.explanation.trees import (
    HeadExplainer,
    LabelExplainer,
    ScoredChoices,
    ScoredFeatures,
    count_by_sentence,
    tree_explanation,
    wrong_in_tree,
)
from headway.stages.gold import encode_all, trees_of

if TYPE_CHECKING:
    from headway.parsers.graph.parser import GraphParser


def explain(parser: GraphParser, batch: Batch) -> Explanation:
    """The arcs and labels of the one sentence of a batch, with the features that decided."""
    explainer = GraphExplainer(parser, batch)
    return tree_explanation(parser, batch, explainer, explainer)


def wrong_decisions(parser: GraphParser, batch: Batch) -> list[Decision]:
    """The wrong arcs of the one sentence of a batch, and wrong labels of right ones, beside the right ones."""
    explainer = GraphExplainer(parser, batch)
    return wrong_in_tree(parser, batch, explainer, explainer)


class GraphExplainer(HeadExplainer, LabelExplainer):
    """One sentence with the tree that a parser finds."""

    def __init__(self, parser: GraphParser, batch: Batch) -> None:
        parser.assure_whole(batch)
        self.parser, self.names, self.cells = parser, parser.labels, SentenceCells(batch)
        self.heads, self.labels, _ = parser.found(batch)
        self.sentence = ScoredSentence(parser, batch)
        self._known_looks: dict[tuple[int, int, bool], tuple[tuple[Address, ...], str]] = {}
        self.is_joint = parser.shape.labels == "joint"

    def score(self, head: int, word: int) -> float:
        """The score of an arc, at order 2 with the sibling that it would stand beside."""
        arcs, siblings, _ = self.sentence.scores
        total = arcs[head, word]
        if siblings is not None:
            total += siblings[head, word, self.beside(head, word)]
        return float(total) * self.parser.scale

    def shown(self, head: int, word: int) -> Shown:
        """An arc as text, with its sibling, and its label where labels are joint."""
        joint = f", {self.names[self.sentence.scores.labels[head, word]]}" if self.is_joint else ""
        beside = self.beside(head, word) if self.sentence.with_siblings else head
        sibling = f", beside {self.cells.word(beside)} ({beside})" if beside != head else ""
        found, as_label = super().shown(head, word), joint.replace(",", " as")
        return found._replace(
            what=f"{found.what}{sibling}{joint}", said=found.said + as_label, typical=found.typical + as_label
        )

    def beside(self, head: int, word: int) -> int:
        """The child of a head, on a word's side and next to the word, that is nearer to the head; else the head."""
        inner = range(head + 1, word) if head < word else range(word + 1, head)
        own = [child for child in inner if self.heads[child - 1] == head]
        return (max(own) if head < word else min(own)) if own else head

    def arc_features(self, head: int, word: int) -> ScoredFeatures:
        """The features of an arc, of its sibling at order 2, and of its label where labels are joint."""
        with_siblings = self.sentence.with_siblings
        beside = self.beside(head, word) if with_siblings else -1
        parts = [(head, word, -1), *([(head, word, beside)] if with_siblings else [])]
        looks: dict[tuple[int, int, bool], Look] = {}
        start, numbers = kernel.features_of(self.sentence.graph, 0, self.cells.size, np.array(parts, np.int32))
        given, places = self._weights(numbers[:, 4]), numbers[:, 4].astype(np.int64)
        templates, cells = self.parser.templates, self.cells

        def look(at: int) -> Look:
            template, _, _, is_second, _ = numbers[at].tolist()
            key = template, is_second, at >= start[1]
            if key not in looks:
                sibling = None if not key[2] else -1 if beside == head else beside
                looks[key] = arc_look(*self._looks_at(*key), ArcPlaces(head, word, sibling), cells)
            return looks[key]

        def name(at: int) -> str:
            template, first, second, is_second, _ = map(int, numbers[at])
            sibling = None if at < start[1] else -1 if beside == head else beside
            # A word in between, or the single feature of the parent: no template looks at both.
            where = ArcPlaces(head, word, sibling, between=first, of_parent=first, of_child=second)
            return arc_name(templates.cores[template], int(templates.kind[template]), bool(is_second), where, cells)

        if not self.is_joint:
            return ScoredFeatures(given, name, look, places)
        label = int(self.sentence.scores.labels[head, word])
        view, keys = self._label_view(head, word)
        of_label = kernel.places_of(self.sentence.graph, keys, label)

        def joint_name(at: int) -> str:
            own = at < len(given)
            return name(at) if own else self._label_names.name_of(cells, view, at - len(given), self.names[label])

        def joint_look(at: int) -> Look:
            return look(at) if at < len(given) else self._label_names.look_of(self.cells, view, at - len(given))

        both = np.concatenate([given, self._weights(of_label)])
        return ScoredFeatures(both, joint_name, joint_look, np.concatenate([places, of_label]))

    def _looks_at(self, template: int, second: int, has_sibling: bool) -> tuple[tuple[Address, ...], str]:
        """What features of a template look at in any sentence."""
        key, templates = (template, second, has_sibling), self.parser.templates
        if key not in self._known_looks:
            terms = arc_terms(templates.cores[template], int(templates.kind[template]), bool(second), has_sibling)
            self._known_looks[key] = anchors_of(terms), attribute_of(terms)
        return self._known_looks[key]

    def label_choices(self, word: int) -> ScoredChoices:
        """All labels of a word's arc."""
        view, keys = self._label_view(int(self.heads[word - 1]), word)
        return ScoredChoices(
            self.sentence.label_scores(keys) * self.parser.scale,
            lambda label: self._weights(kernel.places_of(self.sentence.graph, keys, label)),
            lambda at: self._label_names.name_of(self.cells, view, at),
            lambda at: self._label_names.look_of(self.cells, view, at),
        )

    def _weights(self, places: NDArray[Any]) -> Floats:
        found: Floats = self.parser.weights[places].astype(np.float64) * self.parser.scale
        return found

    @cached_property
    def _label_names(self) -> TemplateNames:
        arrays, features = self.parser.templates.labels, self.parser.templates.features
        own = [feature for feature in features if any(term.attribute == "LABEL" for term in feature.terms)]
        return TemplateNames(own, self.parser.templates.columns, arrays._asdict(), self.names)

    def _label_view(self, head: int, word: int) -> tuple[SeenNodes, Keys]:
        """What the features of a label see: joint labels no tree, others the labels that were chosen before."""
        if self.is_joint:
            nothing = np.full(self.cells.size, -1, np.int32)
            return self.sentence.label_view(nothing, nothing, head, word)
        known: Ints = labels_before(self.heads.tolist(), self.labels, word)
        return self.sentence.label_view(self.heads, known, head, word)


def training_sentences_with(
    parser: GraphParser, batches: Sequence[Batch], ids: NDArray[np.uint64]
) -> dict[int, dict[int, int]]:
    """How often features, by the places of their weights, stand at the arcs of which training sentences."""
    trees = trees_of(batches, parser.encoding)
    graph = parser.graph(encode_all(parser.templates, batches), trees.longest)
    found: dict[int, dict[int, int]] = {}
    for sentence, (begin, end) in enumerate(pairwise(trees.offsets.tolist())):
        heads = trees.heads[begin:end]
        parts = np.stack([heads, np.arange(1, end - begin + 1), np.full(end - begin, -1)], axis=1).astype(np.int32)
        _, numbers = kernel.features_of(graph, begin, end - begin, np.ascontiguousarray(parts))
        count_by_sentence(found, numbers[:, 4].astype(np.uint64), np.full(len(numbers), sentence), ids)
    return found
