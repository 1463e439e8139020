"""Why a graph parser took the arcs that it took: each beside the best other head of the same word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.data.trees import labels_before
from headway.features.naming import ArcPlaces, SeenNodes, SentenceCells, TemplateNames, arc_name, arc_text
from headway.kernels.graph import explaining as kernel
from headway.kernels.graph.parsing import LONGEST as LONGEST_SIBLINGS
from headway.kernels.text import encode as encoding
from headway.stages.explanation.contract import Decision, Explanation, Floats, moved
from headway.stages.gold import Trees

if TYPE_CHECKING:
    from headway.kernels.graph.parsing import Graph
    from headway.parsers.graph.parser import GraphParser
    from headway.stages.tree_stage import Parsed

Name = Callable[[int], str]


class Parts(NamedTuple):
    """The features of one side of a decision: what each gives, and its name."""

    given: Floats
    name: Name
    ids: NDArray[np.int64]


class ArcScores(NamedTuple):
    """The scores of all arcs of a sentence, [head, word], beside siblings, [head, word, sibling], and best labels."""

    arcs: Floats
    siblings: Floats
    labels: NDArray[np.int32]


class GraphExplainer:
    """One sentence with the scores of all its arcs."""

    def __init__(self, parser: GraphParser, graph: Graph, batch: Batch, parsed: Parsed | None = None) -> None:
        """Explain the tree that the parser finds, or another one."""
        self.parser, self.batch, self.graph = parser, batch, graph
        self.cells = SentenceCells(batch)
        self.size = self.cells.size
        self.heads, self.labels, _ = parser.found(batch) if parsed is None else parsed
        self.with_siblings = with_siblings(parser, self.size)

    @cached_property
    def scores(self) -> ArcScores:
        """The scores of all arcs. O(n³) at order 2."""
        width = self.size + 1
        siblings = np.zeros((width,) * 3 if self.with_siblings else (0, 1, 1))
        found = ArcScores(np.zeros((width, width)), siblings, np.zeros((width, width), np.int32))
        kernel.scores_of(self.graph, self.parser.weights, 0, *found)
        return found

    def explanation(self) -> Explanation:
        """Two decisions for each word: its head, and its label."""
        decisions = [one for word in range(1, self.size + 1) for one in (self.head(word), self.label(word))]
        found = Sentence.view(self.parser.annotate(self.batch), 0)
        names = [self.parser.labels[at] for at in self.labels]
        return Explanation(found, decisions, moved(found, self.heads.tolist(), names))

    def wrong(self, heads: Sequence[int], labels: Sequence[int]) -> Iterator[Decision]:
        """The wrong arcs, and the wrong labels of right arcs; a label that is not known is -1."""
        for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
            if self.heads[word - 1] != head:
                yield self.head(word, head)
            elif label not in (-1, self.labels[word - 1]):
                yield self.label(word, label)

    def head(self, word: int, right: int | None = None) -> Decision:
        """The arc of a word beside the best other one, or the right one; with the sibling it would stand beside."""
        scores = {head: self._score(head, word) for head in range(self.size + 1) if head != word}
        chosen = int(self.heads[word - 1])
        rivals = [head for head in scores if head != chosen]
        rival = max(rivals, key=lambda head: scores[head]) if rivals else None
        rival = rival if right is None else right
        mine = self._features(chosen, word)
        other = Parts(np.empty(0), str, np.empty(0, np.int64)) if rival is None else self._features(rival, word)
        split = len(mine.given)
        none = np.zeros(split), np.zeros(len(other.given))
        return Decision(
            kind="head",
            word=word,
            what=self._arc(chosen, word),
            over=None if rival is None else self._arc(rival, word),
            score=scores[chosen],
            rival_score=None if rival is None else scores[rival],
            given=np.concatenate([mine.given, none[1]]),
            against=np.concatenate([none[0], other.given]),
            name=lambda at: mine.name(at) if at < split else other.name(at - split),
            ids=np.concatenate([mine.ids, other.ids]),
        )

    def label(self, word: int, right: int | None = None) -> Decision:
        """The label of a word beside the best other one, or the right one."""
        head, chosen, names = int(self.heads[word - 1]), int(self.labels[word - 1]), self.parser.labels
        view, keys = self.label_view(head, word)
        scores = kernel.label_scores(self.graph, self.parser.weights, keys).astype(np.float64) * self.parser.scale
        rivals = [at for at in range(len(names)) if at != chosen]
        rival = max(rivals, key=lambda at: scores[at]) if rivals else None
        rival = rival if right is None else right
        return Decision(
            kind="label",
            word=word,
            what=f"label {names[chosen]}",
            over=None if rival is None else f"label {names[rival]}",
            score=float(scores[chosen]),
            rival_score=None if rival is None else float(scores[rival]),
            given=self._label_weights(keys, chosen),
            against=np.zeros(len(keys)) if rival is None else self._label_weights(keys, rival),
            name=lambda at: self.label_names.name_of(self.cells, view, at),
        )

    def _arc(self, head: int, word: int) -> str:
        joint = f", {self.parser.labels[self.scores.labels[head, word]]}" if self.parser.shape.labels == "joint" else ""
        beside = self.beside(head, word) if self.with_siblings else head
        sibling = f", beside {self.cells.word(beside)} ({beside})" if beside != head else ""
        return f"{arc_text(self.cells, head, word)}{sibling}{joint}"

    def beside(self, head: int, word: int) -> int:
        """The child of a head, on a word's side and next to the word, that is nearer to the head; else the head."""
        inner = range(head + 1, word) if head < word else range(word + 1, head)
        own = [child for child in inner if self.heads[child - 1] == head]
        return (max(own) if head < word else min(own)) if own else head

    def _score(self, head: int, word: int) -> float:
        total = self.scores.arcs[head, word]
        if self.with_siblings:
            total += self.scores.siblings[head, word, self.beside(head, word)]
        return float(total) * self.parser.scale

    def _features(self, head: int, word: int) -> Parts:
        """The features of an arc, of its sibling at order 2, and of its label where labels are joint."""
        beside = self.beside(head, word) if self.with_siblings else -1
        parts = [(head, word, -1), *([(head, word, beside)] if self.with_siblings else [])]
        start, numbers = kernel.features_of(self.graph, 0, self.size, np.array(parts, np.int32))
        given = self.parser.weights[numbers[:, 4]].astype(np.float64) * self.parser.scale
        templates, cells = self.parser.templates, self.cells
        places = numbers[:, 4].astype(np.int64)

        def name(at: int) -> str:
            template, first, second, is_second, _ = map(int, numbers[at])
            sibling = None if at < start[1] else -1 if beside == head else beside
            # A word in between, or the single feature of the parent: no template looks at both.
            where = ArcPlaces(head, word, sibling, between=first, of_parent=first, of_child=second)
            return arc_name(templates.cores[template], int(templates.kind[template]), bool(is_second), where, cells)

        if self.parser.shape.labels != "joint":
            return Parts(given, name, places)
        label = int(self.scores.labels[head, word])
        view, keys = self.label_view(head, word)

        def joint_name(at: int) -> str:
            if at < len(given):
                return name(at)
            return self.label_names.name_of(cells, view, at - len(given), self.parser.labels[label])

        of_label = kernel.places_of(self.graph, keys, label)
        both = np.concatenate([given, self._label_weights(keys, label)])
        return Parts(both, joint_name, np.concatenate([places, of_label]))

    @cached_property
    def label_names(self) -> TemplateNames:
        """The names of the features of labels."""
        arrays, features = self.parser.templates.labels, self.parser.templates.features
        own = [feature for feature in features if any(term.attribute == "LABEL" for term in feature.terms)]
        return TemplateNames(own, self.parser.templates.columns, arrays._asdict(), self.parser.labels)

    @cached_property
    def _encoded(self) -> tuple[object, NDArray[np.uint64]]:
        keys = [encoding.key_of(name.encode()) for name in self.parser.labels]
        return self.parser.templates.encode(self.batch).kernel, np.array(keys, np.uint64)

    def label_view(self, head: int, word: int) -> tuple[SeenNodes, NDArray[np.uint64]]:
        """What the features of a label see: joint labels no tree, others the labels that were chosen before."""
        words, names = self._encoded
        if self.parser.shape.labels == "joint":
            heads = labels = np.full(self.size, -1, np.int32)
        else:
            heads, labels = self.heads, self._before(word)
        table = self.parser.templates.labels.kernel
        *view, keys = kernel.label_view(table, words, names, 0, heads, labels, head, word)  # type: ignore[arg-type]
        return SeenNodes(*view), keys

    def _before(self, word: int) -> NDArray[np.int32]:
        return labels_before(self.heads.tolist(), self.labels, word)

    def _label_weights(self, keys: NDArray[np.uint64], label: int) -> Floats:
        places = kernel.places_of(self.graph, keys, label)
        found: Floats = self.parser.weights[places].astype(np.float64) * self.parser.scale
        return found


def with_siblings(parser: GraphParser, words: int) -> bool:
    """Whether arcs of a sentence of so many words are scored beside their siblings."""
    return parser.shape.order == 2 and words <= LONGEST_SIBLINGS


def training_sentences_with(graph: Graph, trees: Trees, ids: NDArray[np.int64]) -> dict[int, dict[int, int]]:
    """How often features, by the places of their weights, stand at the arcs of which trees."""
    found: dict[int, dict[int, int]] = {int(place): {} for place in ids}
    for sentence, (begin, end) in enumerate(pairwise(trees.offsets.tolist())):
        heads = trees.heads[begin:end]
        parts = np.stack([heads, np.arange(1, end - begin + 1), np.full(end - begin, -1)], axis=1).astype(np.int32)
        _, numbers = kernel.features_of(graph, begin, end - begin, np.ascontiguousarray(parts))
        seen = numbers[np.isin(numbers[:, 4], ids), 4]
        for place, count in zip(*np.unique(seen, return_counts=True), strict=True):
            found[int(place)][sentence] = int(count)
    return found
