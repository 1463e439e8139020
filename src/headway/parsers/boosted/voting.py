"""Several models that vote: each finds its trees, and the tree whose arcs have most votes is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headway.data.batch import Ints
from headway.kernels.graph.decoding import TreeDecoder
from headway.parsers.boosted.estimators import EstimatorModel
from headway.parsers.boosted.linear import LinearModel

EISNER = TreeDecoder("eisner")


@dataclass(frozen=True, eq=False)
class Committee:
    """Models of rounds, each with as many votes as its share in the ensemble."""

    models: tuple[LinearModel | EstimatorModel, ...]
    shares: tuple[float, ...]


def elected(trees: Sequence[Ints], shares: Sequence[float], offsets: Ints, single_root: bool) -> Ints:
    """The projective trees whose arcs have most votes, where `trees` are the heads that each voter gives all words.

    O(n³) for a sentence of n words, beside the voters. Sagae and Lavie (2006), with the shares of rounds as weights.
    """
    found = np.empty(int(offsets[-1]), np.int32)
    for begin, end in pairwise(offsets.tolist()):
        words = np.arange(1, end - begin + 1)
        votes = np.zeros((len(words) + 1, len(words) + 1))
        for heads, share in zip(trees, shares, strict=True):
            votes[heads[begin:end], words] += share
        best = np.zeros(len(words) + 1, np.int32)
        if len(words):
            EISNER.decode(votes, None, single_root, best)
        found[begin:end] = best[1:]
    return found
