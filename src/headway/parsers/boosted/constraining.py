"""The best trees of a boosted parser under constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.features.encode import Encoded, chosen
from headway.parsers.boosted.decoder import decode
from headway.parsers.boosted.linker import EISNER, Committee
from headway.stages.constraints import Constraints, Mask, best_under, masked
from headway.stages.tree_stage import Parsed

if TYPE_CHECKING:
    from headway.parsers.boosted.linker import Linker
    from headway.parsers.boosted.parser import BoostedParser


def constrained(parser: BoostedParser, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
    """The best tree of one sentence that obeys; None where no projective one does."""
    first, last = map(int, batch.sentence_word[index : index + 2])
    parser.assure_whole(batch, index)
    linker, labeller = parser.linker, parser.labeller
    words, offsets = np.arange(first, last, dtype=np.int32), np.array([0, last - first], np.int32)
    pairs = chosen(linker.templates.encode(batch), words)
    heads = best_under(constraints, last - first, lambda mask: within(linker, pairs, offsets, mask))
    if heads is None:
        return None
    labels = labeller.label(chosen(labeller.templates.encode(batch), words), offsets, heads)
    return parser.settled_within(batch, index, Parsed(heads, labels, parser.names), constraints)


def within(linker: Linker, encoded: Encoded, offsets: Ints, mask: Mask) -> tuple[float, Ints] | None:
    """The best tree of one sentence in which only some arcs [head, word] may be, and its score; None without one."""
    single = linker.shape.single_root
    if isinstance(linker.model, Committee):
        votes, words = np.zeros(mask.shape), np.arange(1, len(mask))
        for one, share in zip(linker.members, linker.model.shares, strict=True):
            found = within(one, encoded, offsets, mask)
            if found is None:
                return None
            votes[found[1], words] += share
        return masked(EISNER, votes, None, single)(mask)
    logits = linker.logits(encoded, offsets, (~mask).reshape(-1).astype(np.uint8))
    try:
        decoded = decode(logits, form=linker.shape.decoder, single_root=single)
    except HeadwayError:
        return None
    return float(decoded.totals[0]), decoded.heads
