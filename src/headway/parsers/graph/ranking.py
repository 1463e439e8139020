"""The k best trees of sentences, each with its rank and score.

By arcs alone they are exact. With siblings, candidates are found by the scores of arcs beside the tree that parsing
finds, as if one word moved at a time, and ordered with it by their true scores. Where trees may be of any kind, parsing
finds a good one, and another may come before it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints, scan
from headway.data.layers import Codes
from headway.kernels.graph.evidence import beside
from headway.parsers.graph.decoders import Floats, Tree
from headway.parsers.graph.registry import DECODERS
from headway.parsers.graph.scoring import ScoredSentence, siblings_in
from headway.stages.contract import PREDICTED
from headway.stages.single_labels import settled
from headway.stages.tree_stage import Parsed, restored

if TYPE_CHECKING:
    from headway.parsers.graph.parser import GraphParser

CANDIDATES = 4
"""How many times k candidates are looked at where siblings count."""
RANK, SCORE = "# parse_rank", "# parse_score"


class RankedTree(NamedTuple):
    """A tree with the names of its labels, and its score."""

    heads: Ints
    labels: list[str]
    score: float


def k_best(parser: GraphParser, batch: Batch, k: int) -> Batch:
    """As many copies of each sentence as it has trees, at most k, the best first."""
    if not hasattr(DECODERS[parser.shape.decoder], "k_best"):
        raise HeadwayError(
            f"decoder {parser.shape.decoder} finds the best tree only; {' and '.join(DECODERS.own)} find k"
        )
    best, encoded = parser.found(batch).heads, parser.templates.encode(batch)
    found = [
        ranked(parser, ScoredSentence(parser, batch, index, encoded), best[slice(*batch.sentence_word[index:][:2])], k)
        for index in range(len(batch))
    ]
    pieces = [piece for index, trees in enumerate(found) for piece in (batch.raw(index) + b"\n",) * len(trees)]
    lines = [int(batch.numbers[index]) for index, trees in enumerate(found) for _ in trees]
    copies = _laid_over(batch, b"".join(pieces), lines, found)
    if batch.spans is None or not len(batch):
        return copies
    words = [np.tile(np.arange(*batch.sentence_word[i : i + 2]), len(trees)) for i, trees in enumerate(found)]
    return replace(copies, spans=batch.spans.of(np.concatenate(words)))


def _laid_over(batch: Batch, text: bytes, lines: list[int], found: list[list[RankedTree]]) -> Batch:
    copies = scan(text, batch.format, batch.source, lines[0] if lines else 1)[0]
    trees = [tree for several in found for tree in several]
    sizes = [len(tree.heads) for tree in trees]
    names, codes = np.unique([name for tree in trees for name in tree.labels], return_inverse=True)
    columns = {"DEPREL": Codes(codes.astype(np.int32), tuple(map(str, names)))}
    values = {
        RANK: [str(rank) for several in found for rank in range(1, len(several) + 1)],
        SCORE: [f"{tree.score:.4f}" for tree in trees],
    }
    for key, texts in values.items():
        columns[key] = Codes(np.repeat(np.arange(len(texts)), sizes).astype(np.int32), tuple(texts))
    heads = np.concatenate([np.zeros(0, np.int32), *(tree.heads for tree in trees)]).astype(np.int32)
    return copies.with_layer(PREDICTED, heads=heads, columns=columns)


def ranked(parser: GraphParser, sentence: ScoredSentence, best: Ints, k: int) -> list[RankedTree]:
    """The k best trees of one sentence, of which `best` has the heads of the first; that alone of a long one."""
    arcs, siblings, _ = sentence.scores
    found = []
    for heads, score in trees_by_score(parser, arcs, siblings, best, k):
        raw, offsets = sentence.labelled(heads.copy()), np.array([0, sentence.size], np.int32)
        parsed = settled(
            restored(raw, offsets, parser.encoding),
            raw,
            offsets,
            parser.single_labels,
            partial(_label_scores, sentence, raw),
            longest=parser.longest,
        ).parsed
        names = [parsed.names[label] for label in parsed.labels]
        found.append(RankedTree(parsed.heads, names, parser.scale * score))
    return found


def _label_scores(sentence: ScoredSentence, raw: Parsed, _: Ints) -> NDArray[np.float32]:
    heads, labels = (np.ascontiguousarray(one, np.int32) for one in raw[:2])
    return sentence.parser.label_scores(sentence.batch, np.array([sentence.index], np.int32), heads, labels)


def trees_by_score(parser: GraphParser, arcs: Floats, siblings: Floats | None, best: Ints, k: int) -> list[Tree]:
    """The k best trees without labels, the best first."""
    size, single = len(best), parser.single_root
    if size > parser.longest:
        return [(best, float(arcs[best, np.arange(1, size + 1)].sum()))]
    decoder = DECODERS[parser.shape.decoder]
    if siblings is None:
        trees: list[Tree] = decoder.k_best(arcs, k, single_root=single)  # type: ignore[attr-defined]
        return trees
    nodes = np.concatenate([np.zeros(1, np.int32), best]).astype(np.int32)
    candidates = decoder.k_best(  # type: ignore[attr-defined]
        beside(arcs, siblings, nodes), CANDIDATES * k, single_root=single
    )
    others = [heads for heads, _ in candidates if not np.array_equal(heads, best)]
    scored = [(heads, total_of(heads, arcs, siblings)) for heads in (best, *others)]
    return sorted(scored, key=lambda tree: -tree[1])[:k]


def total_of(heads: Ints, arcs: Floats, siblings: Floats) -> float:
    """The score of a tree: its arcs, and each child beside the one before it, from the head outwards."""
    total = float(arcs[heads, np.arange(1, len(heads) + 1)].sum())
    return total + sum(float(siblings[part]) for part in siblings_in(heads.tolist()))
