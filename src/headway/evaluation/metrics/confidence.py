"""How good confidences are: whether they come true, and whether errors are among the least sure words.

Expected calibration error after Naeini, Cooper and Hauskrecht (2015), in bins of equally many words. By chance a
perfectly calibrated parser has some error too; `ConfidenceScores.chance` is its expectation.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.evaluation.columns import Mask
from headway.evaluation.comparison import Comparison

Chances = NDArray[np.float64]
BINS = 15
DRAWS = 200
LEFT_OUT = (5, 10, 20, 50)
"""Per cent of the words, the least sure ones, that are left out."""


class ReliabilityBin(NamedTuple):
    """Words of about the same confidence: how many, how sure on the average, and the share that is right."""

    words: int
    confidence: float
    right: float


@dataclass(frozen=True)
class ConfidenceScores:
    """How good one kind of confidence is on the words that count."""

    name: str
    words: int
    confidence: float
    """The mean."""
    right: float
    error: float
    """Expected calibration error."""
    chance: float
    """What a perfectly calibrated parser with these confidences would have of it."""
    auc: float | None
    """How often a right word is surer than a wrong one; None where all are right, or all wrong."""
    surest: dict[int, float]
    """For per cent of the words that are left out, the share of right ones among the others."""
    bins: tuple[ReliabilityBin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {**vars(self), "bins": [one._asdict() for one in self.bins]}


def confidences_of(comparison: Comparison, seed: int = 1) -> list[ConfidenceScores]:
    """The scores of confidences in heads, heads with labels, UPOS and all tags, as far as the file has them.

    Labels are compared whole, whatever the definition; tags are scored on all words, punctuation too.
    """
    system, gold = comparison.system.columns, comparison.gold.columns
    if system.confidences is None:
        return []
    pairs = comparison.alignment.gold, comparison.alignment.system

    def same(name: str) -> Mask:
        equal = np.zeros(len(system), np.bool_)
        equal[pairs[1]] = getattr(gold, name)[pairs[0]] == getattr(system, name)[pairs[1]]
        return equal

    counted, heads, upos = comparison.system.counted, comparison.system.head_right, same("upos")
    every = np.ones(len(system), np.bool_)
    asked = {
        "ArcConf": (heads, counted),
        "LabelConf": (heads & same("deprels"), counted),
        "UposConf": (upos, every),
        "TagsConf": (upos & same("xpos") & same("feats"), every),
    }
    found = []
    for (name, (right, which)), chances in zip(asked.items(), system.confidences.T.astype(np.float64), strict=True):
        known = which & np.isfinite(chances)
        if known.any():
            found.append(scores_of_confidence(name, chances[known], right[known], seed))
    return found


def influences_on_auc(comparison: Comparison) -> Chances:
    """By how much each sentence moves the AUC of `ArcConf`, times the sentences; their mean is 0.

    The variance of an AUC whose words come in sentences is that of these, by the sentences (DeLong, DeLong and
    Clarke-Pearson 1988; for clusters Obuchowski 1997), and that of a difference is that of their differences.
    """
    system = comparison.system.columns
    assert system.confidences is not None
    chances, right = system.confidences[:, 0].astype(np.float64), comparison.system.head_right
    known = comparison.system.counted & np.isfinite(chances)
    moved = np.zeros(system.sentences)
    np.add.at(moved, system.sentence[known], _placements(chances[known], right[known]))
    return moved * len(moved)


def _placements(chances: Chances, right: Mask) -> Chances:
    """What each word adds to the AUC beside what is expected of it: right words by the wrong ones below them."""
    found = np.zeros(len(right))
    if right.all() or not right.any():
        return found
    for is_right in (True, False):
        share = _lower(chances[right != is_right], chances[right == is_right]) / (right != is_right).sum()
        share = share if is_right else 1 - share
        found[right == is_right] = (share - share.mean()) / len(share)
    return found


def _lower(others: Chances, chances: Chances) -> Chances:
    """How many of the others are below each chance, ties counting half."""
    others = np.sort(others)
    return (np.searchsorted(others, chances, "left") + np.searchsorted(others, chances, "right")) / 2


def scores_of_confidence(name: str, chances: Chances, right: Mask, seed: int = 1) -> ConfidenceScores:
    """All scores of confidences and whether their words were right. O(n log n + draws × n)."""
    if not len(chances) or len(chances) != len(right) or not ((chances >= 0) & (chances <= 1)).all():
        raise HeadwayError(f"{name}: confidences are numbers from 0 to 1, one for each word; give some")
    order = np.argsort(chances, kind="stable")
    sorted_chances, sorted_right = chances[order], right[order].astype(np.float64)
    bounds = np.linspace(0, len(order), min(BINS, len(order)) + 1).round().astype(np.int64)
    rng = np.random.default_rng(seed)
    drawn = [_error(sorted_chances, rng.random(len(order)) < sorted_chances, bounds) for _ in range(DRAWS)]
    bins = tuple(
        ReliabilityBin(end - begin, float(sorted_chances[begin:end].mean()), float(sorted_right[begin:end].mean()))
        for begin, end in pairwise(bounds.tolist())
    )
    return ConfidenceScores(
        name,
        len(order),
        float(chances.mean()),
        float(right.mean()),
        _error(sorted_chances, sorted_right, bounds),
        float(np.mean(drawn)),
        auc_of(chances, right),
        {share: float(sorted_right[round(len(order) * share / 100) :].mean()) for share in LEFT_OUT},
        bins,
    )


def auc_of(chances: Chances, right: Mask) -> float | None:
    """How often a right word has a higher confidence than a wrong one, ties counting half; Mann and Whitney (1947)."""
    if right.all() or not right.any():
        return None
    return float(_lower(chances[~right], chances[right]).sum() / (int(right.sum()) * int((~right).sum())))


def _error(chances: Chances, right: NDArray[Any], bounds: NDArray[np.int64]) -> float:
    """The mean distance of confidence and accuracy over bins of sorted words, by their sizes."""
    sums = np.add.reduceat(chances - right, bounds[:-1])
    return float(np.abs(sums).sum() / len(chances))
