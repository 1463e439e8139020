"""What boosting shows of each round: heads, roots, whole sentences, labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from headway.batch import Batch
from headway.batch_parser import Parsed


class Scores(NamedTuple):
    """In per cent: words with the right head, sentences with the right roots, sentences with all heads right; LAS.

    All words count.
    """

    da: float
    ra: float
    cm: float
    las: float


def scores_of(parsed: Iterable[tuple[Batch, Parsed]]) -> Scores:
    """The scores of parsed batches."""
    right = labelled = words = roots = whole = sentences = 0
    for batch, found in parsed:
        if not len(batch):
            continue
        same = found.heads == batch.heads
        names = np.array(found.names, object)[found.labels]
        right += int(same.sum())
        labelled += int((same & (names == np.array(batch.column("DEPREL"), object))).sum())
        words += len(same)
        same_root = (found.heads == 0) == (batch.heads == 0)
        first = batch.sentence_word[:-1]
        whole += int(np.logical_and.reduceat(same, first).sum())
        roots += int(np.logical_and.reduceat(same_root, first).sum())
        sentences += len(batch)
    shares = (right / max(1, words), roots / max(1, sentences), whole / max(1, sentences), labelled / max(1, words))
    return Scores(*(100 * share for share in shares))
