"""Trees without labels: a local model of word pairs, or several that vote, and the decoder of the best links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, known
from headway.data.batch import Ints
from headway.features.encode import Encoded
from headway.features.pairs import PairTemplates
from headway.kernels.graph.decoding import TreeDecoder
from headway.kernels.graph.evidence import weigh
from headway.parsers.boosted.decoder import Logits, decode, scores_beside
from headway.parsers.boosted.estimators import EstimatorModel, Mixture
from headway.parsers.boosted.linear import Keys, LinearModel
from headway.parsers.boosted.pair_features import Nodes, PairExamples, StateKeys, all_state_keys, nodes_of
from headway.parsers.boosted.registry import FORMS
from headway.stages.calibration.evidence import Floats

CELLS = 1 << 18
"""Cells, the square of a sentence's nodes, of the sentences that are decoded in one call."""
TAGS = ("UPOS", "XPOS")
"""Columns of tags by which pairs may be divided into parts; the first that says something is taken."""
SHARP = 0.25
"""Scores are multiplied by this before they become probabilities of trees; chosen on development parts."""
CLEAR = 50.0
"""Where evidence of a member of a committee is cut off, so that one alone cannot settle it."""
EISNER = TreeDecoder("eisner")


@dataclass(frozen=True, eq=False)
class Committee:
    """Models of rounds, each with as many votes as its share in the ensemble."""

    models: tuple[LinearModel | EstimatorModel, ...]
    shares: tuple[float, ...]


LocalModel = LinearModel | EstimatorModel | Mixture | Committee


@dataclass(frozen=True, kw_only=True)
class LinkerShape:
    """How trees are found, and what pairs are scored by."""

    decoder: str = "split-head"
    """A name of `registry.FORMS`; both find the same trees."""
    single_root: bool = True
    partitioned: bool = True
    """Whether pairs with different tags have models of their own."""
    dynamic: bool = True
    """Whether links are scored by what both words have already."""
    tag: str = "UPOS"
    """The tags of parts and of dynamic features."""

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        if self.decoder not in FORMS:
            raise HeadwayError(f"unknown decoder {self.decoder!r}; {known(FORMS)}")
        if self.tag not in TAGS:
            raise HeadwayError(f"unknown column of tags {self.tag!r}; {known(TAGS)}")


class LinkKeys(NamedTuple):
    """The features of all links of some sentences, whatever the weights."""

    nodes: Nodes
    states: StateKeys | None


@dataclass(frozen=True, eq=False)
class Linker:
    """Finds trees without labels."""

    shape: LinkerShape
    templates: PairTemplates
    prepositions: Keys
    """Tags of words whose first child counts when they are linked."""
    model: LocalModel

    @property
    def members(self) -> list[Linker]:
        """A linker for each model of a committee, or this one."""
        if not isinstance(self.model, Committee):
            return [self]
        return [replace(self, model=model) for model in self.model.models]

    @property
    def is_linear(self) -> bool:
        """Whether all its models have weights of features."""
        return all(isinstance(one.model, LinearModel) for one in self.members)

    def with_models(self, models: Sequence[Any]) -> Linker:
        """The linker with other models for those of its members."""
        if not isinstance(self.model, Committee):
            return replace(self, model=models[0])
        return replace(self, model=Committee(tuple(models), self.model.shares))

    def elected(self, trees: Sequence[Ints], offsets: Ints) -> Ints:
        """The projective trees whose arcs have most votes, where its members find `trees`, heads of all words.

        O(n³) for a sentence of n words. Sagae and Lavie (2006), with the shares of rounds as weights.
        """
        if not isinstance(self.model, Committee):
            return trees[0]
        found = np.empty(int(offsets[-1]), np.int32)
        for begin, end in pairwise(offsets.tolist()):
            best = np.zeros(end - begin + 1, np.int32)
            if end > begin:
                votes = self.votes([heads[begin:end] for heads in trees])
                EISNER.decode(votes, None, self.shape.single_root, best)
            found[begin:end] = best[1:]
        return found

    def votes(self, trees: Sequence[Ints]) -> NDArray[np.float64]:
        """The votes [head, word] of a committee for the arcs of one sentence, where its members find `trees`."""
        assert isinstance(self.model, Committee)
        found = np.zeros((len(trees[0]) + 1,) * 2)
        for heads, share in zip(trees, self.model.shares, strict=True):
            found[heads, np.arange(1, len(found))] += share
        return found

    def heads(self, encoded: Encoded, offsets: Ints, evidence: Floats | None = None) -> Ints:
        """Heads of the words of some sentences. Mostly runs without the interpreter's lock.

        The first columns of evidence say how sure they are: of a committee the mean of its members.
        """
        if isinstance(self.model, Committee):
            found = self.elected([one.heads(encoded, offsets) for one in self.members], offsets)
            if evidence is None:
                return found
            for one, share in zip(self.members, self.model.shares, strict=True):
                own = np.zeros_like(evidence)
                for words, logits in one._pieces(encoded, offsets):
                    one._weigh(logits, found[words], own[words])
                evidence += np.float32(share / sum(self.model.shares)) * np.clip(own, -CLEAR, CLEAR)
            return found
        found = np.empty(int(offsets[-1]), np.int32)
        for words, logits in self._pieces(encoded, offsets):
            found[words] = self.heads_under(logits)
            if evidence is not None:
                self._weigh(logits, found[words], evidence[words])
        return found

    def _weigh(self, logits: Logits, heads: Ints, evidence: Floats) -> None:
        """Write how sure some heads are, whoever found them."""
        scores = scores_beside(logits, heads)
        weigh(logits.offsets, scores, heads, SHARP, self.shape.single_root, True, evidence)

    def _pieces(self, encoded: Encoded, offsets: Ints) -> Iterator[tuple[slice, Logits]]:
        """Words of as many sentences as are decoded at once, and their logits."""
        sizes = (np.diff(offsets).astype(np.int64) + 1) ** 2
        piece = (np.cumsum(sizes) - sizes) // CELLS
        bounds = sorted({0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(sizes)})
        for first, last in pairwise(bounds):
            words = slice(offsets[first], offsets[last])
            some = offsets[first : last + 1] - offsets[first]
            yield words, self.logits(Encoded(encoded.keys[words], encoded.start, encoded.features), some)

    def logits(self, encoded: Encoded, offsets: Ints, forbidden: NDArray[np.uint8] | None = None) -> Logits:
        """What the decoder looks at, with cells of links that must not be."""
        return self.logits_of(self.keys(encoded, offsets), forbidden)

    def nodes(self, encoded: Encoded, offsets: Ints) -> Nodes:
        """The words of some sentences as nodes."""
        return nodes_of(self.templates, encoded, offsets, self.shape.partitioned)

    def examples(self, nodes: Nodes, heads: Ints) -> PairExamples:
        """The pairs of nodes as examples, seen in trees with these heads."""
        return PairExamples(nodes, heads, self.prepositions if self.shape.dynamic else None)

    def keys(self, encoded: Encoded, offsets: Ints) -> LinkKeys:
        """What is looked up for some sentences, for who asks again with other weights."""
        nodes = self.nodes(encoded, offsets)
        asked = self.shape.dynamic and any(isinstance(one.model, LinearModel) for one in self.members)
        return LinkKeys(nodes, all_state_keys(nodes, self.prepositions) if asked else None)

    def heads_under(self, logits: Logits) -> Ints:
        """Heads of the words of some sentences, all decoded in one call."""
        return decode(logits, form=self.shape.decoder, single_root=self.shape.single_root).heads

    def logits_of(self, keys: LinkKeys, forbidden: NDArray[np.uint8] | None = None) -> Logits:
        """The same, of features that are known already."""
        assert not isinstance(self.model, Committee)
        offsets, static = keys.nodes.offsets, self.model.static(keys.nodes)
        if keys.states is None or not isinstance(self.model, LinearModel):
            return Logits(offsets, static, forbidden=forbidden)
        return Logits(offsets, static, **keys.states.under(self.model), forbidden=forbidden)
