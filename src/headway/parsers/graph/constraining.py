"""The best tree of a graph parser under constraints: scores of forbidden arcs become -inf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch, Ints
from headway.kernels.graph.decoding import TreeDecoder, rearrange
from headway.parsers.graph.scoring import ScoredSentence
from headway.stages.constraints import Constraints, Decode, Floats, Mask, best_under, masked
from headway.stages.tree_stage import Parsed

if TYPE_CHECKING:
    from headway.parsers.graph.parser import GraphParser


def constrained(parser: GraphParser, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
    """The best tree of one sentence that obeys, or None; at order 2 a good one where trees need not be projective."""
    parser.assure_whole(batch, index)
    sentence = ScoredSentence(parser, batch, index)
    arcs, siblings, _ = sentence.scores
    decode = masked(parser.shape.kernel, arcs, siblings, parser.single_root)
    if siblings is not None and parser.shape.decoder == "chu-liu-edmonds":
        decode = rearranged(decode, arcs, siblings, parser.single_root)
    heads = best_under(constraints, sentence.size, decode)
    if heads is None:
        return None
    return parser.settled_within(batch, index, sentence.labelled(heads, constraints.labels), constraints)


def rearranged(decode: Decode, arcs: Floats, siblings: Floats, single: bool) -> Decode:
    """A good tree of any kind: where no projective one is allowed, the best by its arcs alone is rearranged."""
    spanning = masked(TreeDecoder("chu-liu-edmonds"), arcs, None, single)

    def found(mask: Mask) -> tuple[float, Ints] | None:
        best = decode(mask)
        start = spanning(mask) if best is None else None
        if start is None:
            return best
        nodes = np.concatenate([np.zeros(1, np.int32), start[1]])
        total = rearrange(np.where(mask, arcs, -np.inf), siblings, single, nodes)
        return total, nodes[1:]

    return found
