"""The scores of a boosted parser as arrays: log probabilities of links, or votes, and how probable arcs are in all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch
from headway.kernels.graph import evidence
from headway.parsers.boosted.decoder import scores_beside
from headway.parsers.boosted.linker import SHARP, Committee
from headway.stages.scoring import Floats, TreeScores, of_nodes, only_arcs, summable

if TYPE_CHECKING:
    from headway.parsers.boosted.parser import BoostedParser


def scores(parser: BoostedParser, batch: Batch) -> TreeScores:
    """The links of the one sentence of a batch, beside the tree that is found, and its labels."""
    parser.assure_whole(batch)
    linker, offsets, found = parser.linker, batch.sentence_word, parser.found(batch)
    encoded = linker.templates.encode(batch)
    width = len(found.heads) + 1
    with np.errstate(over="ignore", invalid="ignore"):
        if isinstance(linker.model, Committee):
            trees = [one.heads(encoded, offsets) for one in linker.members]
            arcs = linker.votes(trees) / sum(linker.model.shares)
        else:
            logits = linker.logits(encoded, offsets)
            arcs = scores_beside(logits, found.heads, as_probabilities=True).reshape(width, width)
        labels = parser.label_scores(batch, np.zeros(1, np.int32), found.heads, found.labels)
        return TreeScores(only_arcs(arcs), None, of_nodes(labels), parser.names, found.heads)


def marginals(parser: BoostedParser, batch: Batch) -> Floats:
    """How probable each arc [head, word] is among all projective trees; of a committee the mean by shares of votes.

    A tree's probability grows with the exponential of `SHARP` times the log odds of its links. O(n³).
    """
    parser.assure_whole(batch)
    linker, offsets, heads = parser.linker, batch.sentence_word, parser.found(batch).heads
    encoded, width = linker.templates.encode(batch), len(heads) + 1
    shares = linker.model.shares if isinstance(linker.model, Committee) else (1.0,)
    total = np.zeros((width, width))
    with np.errstate(over="ignore", invalid="ignore"):
        for one, share in zip(linker.members, shares, strict=True):
            odds = scores_beside(one.logits(encoded, offsets), heads).reshape(width, width)
            total += share * evidence.marginals(
                summable(SHARP * odds), linker.shape.single_root, width - 1 <= evidence.LONGEST_PROJECTIVE
            )
        return total / sum(shares)
