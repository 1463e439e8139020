"""The k best trees of sentences, each with its rank and score.

By arcs alone they are exact. With siblings, candidates are found by the scores of arcs beside the tree that parsing
finds, as if one word moved at a time, and ordered with it by their true scores. Where trees may be of any kind, parsing
finds a good one, and another may come before it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Codes, Ints, scan
from headway.features.compile import Encoded, chosen
from headway.kernels.graph import explaining as kernel
from headway.kernels.graph.evidence import beside
from headway.kernels.graph.parsing import LONGEST as LONGEST_SIBLINGS
from headway.parsers.graph.constraining import labels_of
from headway.parsers.graph.decoders import Floats, Tree
from headway.parsers.graph.registry import DECODERS
from headway.stages.constraints import Constraints
from headway.stages.contract import PREDICTED
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


def ranked(parser: GraphParser, batch: Batch, k: int) -> Batch:
    """As many copies of each sentence as it has trees, at most k, the best first."""
    if not hasattr(DECODERS[parser.shape.decoder], "k_best"):
        raise HeadwayError(
            f"decoder {parser.shape.decoder} finds the best tree only; {' and '.join(DECODERS.own)} find k"
        )
    best, encoded = parser.found(batch).heads, parser.templates.encode(batch)
    found = [trees_of(parser, batch, encoded, index, best, k) for index in range(len(batch))]
    pieces = [piece for index, trees in enumerate(found) for piece in (batch.raw(index) + b"\n",) * len(trees)]
    lines = [int(batch.numbers[index]) for index, trees in enumerate(found) for _ in trees]
    return _laid_over(batch, b"".join(pieces), lines, found)


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


def trees_of(parser: GraphParser, batch: Batch, words: Encoded, index: int, best: Ints, k: int) -> list[RankedTree]:
    """The k best trees of one sentence, of which `best` has the heads of the first; that alone of a long one.

    `words` are those of the whole batch, encoded.
    """
    first, last = map(int, batch.sentence_word[index : index + 2])
    size, own = last - first, best[first:last]
    encoded = chosen(words, np.arange(first, last, dtype=np.int32))
    graph = parser.graph(encoded, size)
    with_siblings = parser.shape.order == 2 and size <= LONGEST_SIBLINGS
    arcs, siblings = np.zeros((size + 1,) * 2), np.zeros((size + 1,) * 3 if with_siblings else (0, 1, 1))
    joint = np.zeros((size + 1,) * 2, np.int32)
    kernel.scores_of(graph, parser.weights, 0, arcs, siblings, joint)
    trees = _trees(parser, arcs, siblings if with_siblings else None, own, k)
    found = []
    for heads, score in trees:
        labels = np.array([joint[head, word] for word, head in enumerate(heads.tolist(), 1)], np.int32)
        if parser.shape.labels != "joint":
            labels = labels_of(parser, graph, encoded, heads, Constraints())
        parsed = Parsed(heads.copy(), labels, list(parser.labels))
        if parser.encoding is not None:
            parsed = restored(parsed, np.array([0, size], np.int32), parser.encoding)
        names = [parsed.names[label] for label in parsed.labels]
        found.append(RankedTree(parsed.heads, names, parser.scale * score))
    return found


def _trees(parser: GraphParser, arcs: Floats, siblings: Floats | None, best: Ints, k: int) -> list[Tree]:
    size, single = len(best), parser.shape.single_root
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
    words = range(1, len(heads) + 1)
    total = float(arcs[heads, list(words)].sum())
    for head in range(len(heads) + 1):
        children = [word for word in words if heads[word - 1] == head]
        sides = ([head, *(word for word in children[::-1] if word < head)], [head, *(w for w in children if w > head)])
        total += sum(float(siblings[head, child, before]) for side in sides for before, child in pairwise(side))
    return total
