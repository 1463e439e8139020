"""Explain the links and labels of a boosted parser: each beside the best other one of the same word.

The score of a link is the logarithm of its probability. A feature gives it what it adds to the logit of the link less
that of no link at all; what is left is the same for all features, the step from log odds to log probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.trees import labels_before
from headway.features.looks import FeatureName, Look, TermValue
from headway.features.naming import SeenNodes, SentenceCells, TemplateNames, arc_text
from headway.features.naming_arcs import pair_look, pair_name
from headway.kernels.graph.labels import EVERY_ARC, LabelTable
from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT
from headway.parsers.boosted.labels import Labeller, label_features
from headway.parsers.boosted.linear import Floats, Keys, LinearModel
from headway.parsers.boosted.linker import Committee
from headway.parsers.boosted.pair_features import CLASSES, COUNTS
from headway.stages.explanation.contract import Decision, Explanation
from headway.stages.explanation.trees import (
    HeadExplainer,
    LabelExplainer,
    ScoredChoices,
    ScoredFeatures,
    count_by_sentence,
    shown_arc,
    tree_explanation,
    wrong_in_tree,
)
from headway.stages.gold import encode_all, trees_of
from headway.stages.tree_stage import label_keys

if TYPE_CHECKING:
    from headway.parsers.boosted.linker import Linker
    from headway.parsers.boosted.parser import BoostedParser

STEP = "from log odds to log probability"
NO_WEIGHTS = (
    "the classifier of this boosted parser has no weights of single features to explain or to move; take a linear"
    " learner"
)


def explain(parser: BoostedParser, batch: Batch) -> Explanation:
    """The links and labels of the one sentence of a batch, with the features that decided."""
    return tree_explanation(parser, batch, *_explainers(parser, batch))


def wrong_decisions(parser: BoostedParser, batch: Batch) -> list[Decision]:
    """The wrong links of the one sentence of a batch, and wrong labels of right ones, beside the right ones.

    Of a committee, the link is that of the weightiest round that voted for it.
    """
    return wrong_in_tree(parser, batch, *_explainers(parser, batch))


def _explainers(parser: BoostedParser, batch: Batch) -> tuple[LinkExplainer | VoteExplainer, TreeLabelExplainer]:
    """What explains the links of one model, or those of a committee, and what explains the labels."""
    parser.assure_whole(batch)
    assure_linear(parser.linker)
    is_committee = isinstance(parser.linker.model, Committee)
    links = (VoteExplainer if is_committee else LinkExplainer)(parser.linker, batch)
    return links, TreeLabelExplainer(parser.labeller, batch, links.heads)


class LinkExplainer(HeadExplainer):
    """The links of one sentence under one linear model of pairs."""

    def __init__(self, linker: Linker, batch: Batch) -> None:
        assert isinstance(linker.model, LinearModel)
        self.linker, self.model, self.cells = linker, linker.model, SentenceCells(batch)
        encoded = linker.templates.encode(batch)
        self.heads = linker.heads(encoded, batch.sentence_word)
        self.nodes = linker.nodes(encoded, batch.sentence_word)
        self.pairs = linker.examples(self.nodes, self.heads)
        both = zip(self.pairs.first, self.pairs.second, strict=True)
        self.number = {(int(a), int(b)): at for at, (a, b) in enumerate(both)}
        self._looks: tuple[tuple[int, int], dict[int, Look]] = (-1, -1), {}
        self.dynamic = self.pairs.dynamic(np.arange(len(self.pairs), dtype=np.int32))
        """The keys of dynamic features [feature, pair], 0 where there is none."""

    @cached_property
    def scores(self) -> Floats:
        """The log probabilities [pair, class]."""
        width = self.cells.size + 1
        static = self.model.static(self.nodes)[self.pairs.first.astype(np.int64) * width + self.pairs.second]
        logits = static + self._rows(self.dynamic).sum(axis=0)
        above = logits - logits.max(axis=1, keepdims=True, initial=0)
        found: Floats = above - np.log(np.exp(above).sum(axis=1, keepdims=True))
        return found

    def _rows(self, keys: Keys) -> Floats:
        """The weights [key, class] of features; key 0 is no feature."""
        found: Floats = self.model.rows(keys, CLASSES) * (keys != 0)[..., None]
        return found

    def score(self, head: int, word: int) -> float:
        """The log probability of a link."""
        pair = self.number[min(head, word), max(head, word)]
        return float(self.scores[pair, RIGHT if head < word else LEFT])

    def arc_features(self, head: int, word: int) -> ScoredFeatures:
        """What each feature gives to the score of a link; the last is the step to log probability, with the key 0."""
        first, second = sorted((head, word))
        keys, origin = self.nodes.table.listed(first, second)
        at = self.number[first, second]
        shown = self.dynamic[:, at]
        weights = np.concatenate([self.model.rows(keys, CLASSES), self._rows(shown)])
        odds = weights[:, RIGHT if head == first else LEFT] - weights[:, NONE]

        def name(feature: int) -> str:
            if feature < len(keys):
                return self._pair_name(first, second, *origin[feature].tolist())
            if feature < len(odds):
                return self._dynamic_name(at, feature - len(keys))
            return STEP

        def look(feature: int) -> Look:
            if feature < len(keys):
                return self._pair_look(first, second, int(origin[feature, 0]))
            if feature < len(odds):
                number = (feature - len(keys)) // (len(self.dynamic) // 2)
                place = ("FIRST", "SECOND")[number]
                return Look((self.cells.shown((first, second)[number]),), "children", (place,))
            return Look((), STEP)

        given = np.append(odds, self.score(head, word) - float(odds.sum()))
        return ScoredFeatures(given, name, look, np.concatenate([keys, shown, np.zeros(1, np.uint64)]))

    def _pair_name(self, first: int, second: int, template: int, between: int) -> str:
        if template < 0:
            return f"every pair of {self._tag(first)} and {self._tag(second)}"
        return pair_name(self.linker.templates.features[template], first, second, between, self.cells)

    def _pair_look(self, first: int, second: int, template: int) -> Look:
        if self._looks[0] != (first, second):
            self._looks = (first, second), {}
        looks = self._looks[1]
        if template not in looks and template < 0:
            looks[template] = Look((self.cells.shown(first), self.cells.shown(second)), "tags", ("FIRST", "SECOND"))
        elif template not in looks:
            looks[template] = pair_look(self.linker.templates.features[template], first, second, self.cells)
        return looks[template]

    def _tag(self, node: int) -> str:
        return self.cells.text(self.linker.templates.columns[-2], node)

    def _dynamic_name(self, at: int, row: int) -> str:
        """The name of a row of `dynamic`: three for each of the two words, and two more with prepositions."""
        seen, tag = self.pairs.seen, self.linker.shape.tag
        assert seen is not None
        number, which = divmod(row, len(self.dynamic) // 2)
        count, nearest = int(seen.children[at, number]), int(seen.previous[at, number])
        shown, word = int(seen.first_child[at, number]), ("FIRST", "SECOND")[number]
        first = f"first child of {word}"
        many = TermValue(f"children of {word}", f"{COUNTS - 1} or more" if count >= COUNTS - 1 else f"{count}")
        outer = TermValue(f"{tag}(outermost child of {word})", self._tag(nearest))
        own = TermValue(f"{tag}({first})", self._tag(shown)), TermValue(f"FORM({first})", self.cells.word(shown))
        return FeatureName(((many,), (outer,), (many, outer), own[:1], own[1:])[which])


class VoteExplainer:
    """The votes of a committee's rounds, and for each word the links of the weightiest round on the winning side."""

    def __init__(self, linker: Linker, batch: Batch) -> None:
        assert isinstance(linker.model, Committee)
        self.shares, self.cells = linker.model.shares, SentenceCells(batch)
        self.rounds = [LinkExplainer(one, batch) for one in linker.members]
        self.heads = linker.elected([one.heads for one in self.rounds], batch.sentence_word)

    def of_head(self, word: int, right: int | None = None) -> list[Decision]:
        """The votes for a word's head, and the link of the round; that alone beside the right one."""
        return [*([self._votes(word)] if right is None else []), *self._of_round(word, right)]

    def _votes(self, word: int) -> Decision:
        """The votes for a word's head beside those for the head with most others."""
        chosen, votes = int(self.heads[word - 1]), np.array([one.heads[word - 1] for one in self.rounds])

        def given(head: int) -> Floats:
            return np.asarray(np.array(self.shares) * (votes == head))

        choices = ScoredChoices(
            np.array([given(head).sum() for head in range(self.cells.size + 1)]),
            given,
            lambda at: f"round {at + 1}: {arc_text(self.cells, int(votes[at]), word)}",
            lambda at: Look((self.cells.shown(word), self.cells.shown(int(votes[at]))), "votes", ("CHILD", "PARENT")),
        )
        others, situation = sorted({*votes.tolist()} - {chosen}), f"votes of {len(votes)} rounds"
        return choices.decision(
            "votes", word, chosen, others, lambda head: shown_arc(self.cells, head, word), situation=situation
        )

    def _of_round(self, word: int, right: int | None) -> list[Decision]:
        """The link of a word in the weightiest round that voted for it; none where no round did."""
        voters = [n for n, one in enumerate(self.rounds) if one.heads[word - 1] == self.heads[word - 1]]
        if not voters:
            return []
        best = max(voters, key=lambda number: self.shares[number])
        return [replace(one, situation=f"in round {best + 1}") for one in self.rounds[best].of_head(word, right)]


class TreeLabelExplainer(LabelExplainer):
    """The labels of one finished tree."""

    def __init__(self, labeller: Labeller, batch: Batch, heads: Ints) -> None:
        self.labeller, self.names, self.cells, self.heads = labeller, labeller.names, SentenceCells(batch), heads
        encoded = labeller.templates.encode(batch)
        self.labels = labeller.label(encoded, batch.sentence_word, heads)
        self.words, self.keys = encoded.kernel, label_keys(labeller.names)

    def label_choices(self, word: int) -> ScoredChoices:
        """All labels of a word's arc; the first feature is that of every arc."""
        known, head = labels_before(self.heads.tolist(), self.labels, word), int(self.heads[word - 1])
        table = self.labeller.templates.arrays.kernel
        *view, keys = LabelTable(table, self.words, self.keys).view(0, self.heads, known, head, word)
        seen, keys = SeenNodes(*view), np.concatenate([[np.uint64(EVERY_ARC)], keys])
        weights = self.labeller.model.rows(keys, len(self.names))
        return ScoredChoices(
            weights.sum(axis=0),
            lambda label: weights[:, label],
            lambda at: "every arc" if at == 0 else self._label_names.name_of(self.cells, seen, at - 1),
            lambda at: Look() if at == 0 else self._label_names.look_of(self.cells, seen, at - 1),
            keys,
        )

    @cached_property
    def _label_names(self) -> TemplateNames:
        templates = self.labeller.templates
        return TemplateNames(templates.features, templates.columns, templates.arrays._asdict(), self.names)


def training_sentences_with(parser: BoostedParser, batches: Sequence[Batch], ids: Keys) -> dict[int, dict[int, int]]:
    """How often features, by key, stand at the links and labels of which training sentences."""
    linker, trees = parser.linker, trees_of(batches, parser.encoding)
    nodes = linker.nodes(encode_all(linker.templates, batches), trees.offsets)
    pairs = linker.examples(nodes, trees.heads)
    linked = np.flatnonzero(pairs.target != NONE).astype(np.int32)
    lengths = np.diff(trees.offsets).astype(np.int64)
    sentence_of_node = np.repeat(np.arange(len(lengths)), lengths + 1)
    start, keys = pairs.keys(linked)
    found: dict[int, dict[int, int]] = {}
    count_by_sentence(found, keys, np.repeat(sentence_of_node[pairs.first[linked]], np.diff(start)), ids)
    of_words = encode_all(parser.labeller.templates, batches)
    start, keys = label_features(parser.labeller.templates, of_words, trees)
    count_by_sentence(found, keys, np.repeat(np.repeat(np.arange(len(lengths)), lengths), np.diff(start)), ids)
    return found


def assure_linear(linker: Linker) -> None:
    """Refuse classifiers without weights of features."""
    if not linker.is_linear:
        raise HeadwayError(NO_WEIGHTS)
