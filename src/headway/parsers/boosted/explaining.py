"""Why a boosted parser took the links that it took: each beside the best other head of the same word.

The score of a link is the logarithm of its probability. A feature gives it what it adds to the logit of the link less
that of no link at all; what is left is the same for all features, the step from log odds to log probability.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.features.naming import SentenceCells, arc_text, pair_name
from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT
from headway.parsers.boosted.dynamic import CLASSES, COUNTS
from headway.parsers.boosted.examples import PairExamples
from headway.parsers.boosted.label_explaining import TreeLabelExplainer
from headway.parsers.boosted.linear import Floats, Keys, LinearModel
from headway.parsers.boosted.nodes import nodes_of
from headway.parsers.boosted.voting import Committee
from headway.stages.explanation.contract import Decision, Explanation, moved

if TYPE_CHECKING:
    from headway.parsers.boosted.linker import Linker
    from headway.parsers.boosted.parser import BoostedParser

STEP = "from log odds to log probability"
NO_WEIGHTS = (
    "the classifier of this boosted parser has no weights of single features to explain or to move; take a linear"
    " learner"
)


class LinkFeatures(NamedTuple):
    """The features of a link: what each gives to its score, its name, and its key, 0 where it has none."""

    given: Floats
    name: Callable[[int], str]
    keys: Keys


class LinkExplainer:
    """The links of one sentence under one linear model of pairs."""

    def __init__(self, linker: Linker, batch: Batch, heads: Ints | None = None) -> None:
        """Explain the tree that the model finds, or the one with other heads."""
        assert isinstance(linker.model, LinearModel)
        self.linker, self.model, self.cells = linker, linker.model, SentenceCells(batch)
        encoded = linker.templates.encode(batch)
        self.heads = linker.heads(encoded, batch.sentence_word) if heads is None else heads
        self.nodes = nodes_of(linker.templates, encoded, batch.sentence_word, linker.shape.partitioned)
        shown = linker.prepositions if linker.shape.dynamic else None
        self.pairs = PairExamples(self.nodes, self.heads, shown)
        both = zip(self.pairs.first, self.pairs.second, strict=True)
        self.number = {(int(a), int(b)): at for at, (a, b) in enumerate(both)}
        every = np.arange(len(self.pairs), dtype=np.int32)
        seen = self.pairs.seen
        self.dynamic = np.empty((0, len(every)), np.uint64) if seen is None else self.pairs.dynamic(every, seen)
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

    def head(self, word: int, right: int | None = None) -> Decision:
        """The link of a word beside the best other one, or the right one."""
        chosen = int(self.heads[word - 1])
        rivals = [head for head in range(self.cells.size + 1) if head not in (word, chosen)]
        rival = max(rivals, key=lambda head: self.score(head, word)) if rivals else None
        rival = rival if right is None else right
        mine = self.link(chosen, word)
        other = LinkFeatures(np.empty(0), str, np.empty(0, np.uint64)) if rival is None else self.link(rival, word)
        split = len(mine.given)
        return Decision(
            kind="head",
            word=word,
            what=arc_text(self.cells, chosen, word),
            over=None if rival is None else arc_text(self.cells, rival, word),
            score=self.score(chosen, word),
            rival_score=None if rival is None else self.score(rival, word),
            given=np.concatenate([mine.given, np.zeros(len(other.given))]),
            against=np.concatenate([np.zeros(split), other.given]),
            name=lambda at: mine.name(at) if at < split else other.name(at - split),
            ids=np.concatenate([mine.keys, other.keys]),
        )

    def keys(self, head: int, word: int) -> Keys:
        """The keys of the features of a link, those of dynamic ones at the end, 0 where there is none."""
        first, second = sorted((head, word))
        listed, _ = self.nodes.table.listed(first, second)
        return np.concatenate([listed, self.dynamic[:, self.number[first, second]]])

    def link(self, head: int, word: int) -> LinkFeatures:
        """What each feature gives to the score of a link; the last is the step to log probability."""
        first, second = sorted((head, word))
        keys, origin = self.nodes.table.listed(first, second)
        at = self.number[first, second]
        weights = np.concatenate([self.model.rows(keys, CLASSES), self._rows(self.dynamic[:, at])])
        odds = weights[:, RIGHT if head == first else LEFT] - weights[:, NONE]

        def name(feature: int) -> str:
            if feature < len(keys):
                return self._pair_name(first, second, *origin[feature].tolist())
            if feature < len(odds):
                return self._dynamic_name(at, feature - len(keys))
            return STEP

        given = np.append(odds, self.score(head, word) - float(odds.sum()))
        return LinkFeatures(given, name, np.append(self.keys(head, word), np.uint64(0)))

    def _pair_name(self, first: int, second: int, template: int, between: int) -> str:
        if template < 0:
            return f"every pair of {self._tag(first)} and {self._tag(second)}"
        return pair_name(self.linker.templates.features[template], first, second, between, self.cells)

    def _tag(self, node: int) -> str:
        return self.cells.text(self.linker.templates.columns[-2], node)

    def _dynamic_name(self, at: int, row: int) -> str:
        """The name of a row of `dynamic`: three for each of the two words, and two more with prepositions."""
        seen, tag = self.pairs.seen, self.linker.shape.tag
        assert seen is not None
        number, which = divmod(row, len(self.dynamic) // 2)
        count, nearest = int(seen.children[at, number]), int(seen.previous[at, number])
        shown, word = int(seen.first_child[at, number]), ("FIRST", "SECOND")[number]
        many = f"children of {word}={f'{COUNTS - 1} or more' if count >= COUNTS - 1 else count}"
        outer = f"{tag}(outermost child of {word})={self._tag(nearest)}"
        first = f"first child of {word}"
        return (
            *(many, outer, f"{many} & {outer}"),
            *(f"{tag}({first})={self._tag(shown)}", f"FORM({first})={self.cells.word(shown)}"),
        )[which]


class VoteExplainer:
    """The votes of a committee's rounds, and for each word the links of the weightiest round on the winning side."""

    def __init__(self, linker: Linker, batch: Batch) -> None:
        assert isinstance(linker.model, Committee)
        self.shares, self.cells = linker.model.shares, SentenceCells(batch)
        self.heads = linker.heads(linker.templates.encode(batch), batch.sentence_word)
        self.rounds = [LinkExplainer(replace(linker, model=model), batch) for model in linker.model.models]

    def head(self, word: int) -> Decision:
        """The votes for a word's head beside those for the head with most others."""
        chosen = int(self.heads[word - 1])
        votes = [int(one.heads[word - 1]) for one in self.rounds]
        others = {
            head: sum(s for s, v in zip(self.shares, votes, strict=True) if v == head) for head in {*votes} - {chosen}
        }
        rival = max(others, key=lambda head: others[head]) if others else None
        given = np.array([share * (vote == chosen) for share, vote in zip(self.shares, votes, strict=True)])
        against = np.array([share * (vote == rival) for share, vote in zip(self.shares, votes, strict=True)])
        arcs = [f"round {number}: {arc_text(self.cells, vote, word)}" for number, vote in enumerate(votes, 1)]
        return Decision(
            kind="votes",
            word=word,
            what=arc_text(self.cells, chosen, word),
            over=None if rival is None else arc_text(self.cells, rival, word),
            score=float(given.sum()),
            rival_score=None if rival is None else float(against.sum()),
            given=given,
            against=against,
            name=arcs.__getitem__,
            situation=f"votes of {len(votes)} rounds",
        )

    def of_round(self, word: int, right: int | None = None) -> list[Decision]:
        """The link of a word in the weightiest round that voted for it; none where no round did."""
        voters = [n for n, one in enumerate(self.rounds) if one.heads[word - 1] == self.heads[word - 1]]
        if not voters:
            return []
        best = max(voters, key=lambda number: self.shares[number])
        return [replace(self.rounds[best].head(word, right), situation=f"in round {best + 1}")]


def explain(parser: BoostedParser, batch: Batch) -> Explanation:
    """The links and labels of the one sentence of a batch."""
    explainer = links_of(parser.linker, batch)
    labels, decisions = TreeLabelExplainer(parser.labeller, batch, explainer.heads), list[Decision]()
    for word in range(1, len(explainer.heads) + 1):
        if isinstance(explainer, VoteExplainer):
            decisions += [explainer.head(word), *explainer.of_round(word)]
        else:
            decisions.append(explainer.head(word))
        decisions.append(labels.label(word))
    found = Sentence.view(parser.annotate(batch), 0)
    names = [parser.names[at] for at in labels.labels]
    return Explanation(found, decisions, moved(found, explainer.heads.tolist(), names))


def links_of(linker: Linker, batch: Batch) -> LinkExplainer | VoteExplainer:
    """What explains the links of one model, or those of a committee."""
    assure_linear(linker)
    return (VoteExplainer if isinstance(linker.model, Committee) else LinkExplainer)(linker, batch)


def assure_linear(linker: Linker) -> None:
    """Refuse classifiers without weights of features."""
    models = linker.model.models if isinstance(linker.model, Committee) else [linker.model]
    if not all(isinstance(model, LinearModel) for model in models):
        raise HeadwayError(NO_WEIGHTS)
