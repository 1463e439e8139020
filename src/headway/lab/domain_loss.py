"""How much a parser loses from one treebank to another."""

from __future__ import annotations

from collections.abc import Sequence

from headway.lab.claim import Claim
from headway.lab.differences import NORMAL, wrong_of
from headway.lab.metrics import BARE, counts_of, metric_of, testable
from headway.lab.results import Cell, Results
from headway.lab.verdicts import CONFIRMED, OPEN, REFUTED, UNMEASURED, Verdict, explained


def dropped(claim: Claim, most: float, results: Results) -> Verdict:
    """Whether a score falls by no more than `most` points, by the interval of the difference.

    The treebanks have different sentences, so that the errors of both add up: that of the words wrong per sentence,
    long ones and short ones alike, which makes the interval rather too wide.
    """
    side, treebanks = claim.better, claim.treebanks or ()
    assert side is not None
    cells = [results.cell(side.part, name, side.configuration, side.at) for name in treebanks]
    found = [cell for cell in cells if cell]
    spread = _spread(found, claim.metric, results)
    if len(found) < len(cells) or spread is None:
        return Verdict(claim.text, OPEN, UNMEASURED)
    first, second = (metric_of(claim.metric).value(cell) or 0.0 for cell in found)
    low, high = first - second - NORMAL * spread, first - second + NORMAL * spread
    shown = f"{claim.metric} {first:.2f} on {treebanks[0]}, {second:.2f} on {treebanks[1]}: "
    shown += f"a loss of {first - second:.2f} points (95 % interval {low:.2f} to {high:.2f})"
    if high <= most:
        return Verdict(claim.text, CONFIRMED, shown)
    return Verdict(claim.text, REFUTED if low > most else OPEN, f"{shown}{explained(claim)}")


def _spread(cells: Sequence[Cell], metric: str, results: Results) -> float | None:
    """The standard error of the difference, in points."""
    if not testable(metric, results.recipe.punctuation):
        return None
    total = 0.0
    for cell in cells:
        wrong = wrong_of(cell, counts_of(metric).removesuffix(BARE))
        if wrong is None or len(wrong) < 2:
            return None
        words = sum(point.scores[counts_of(metric)][1] for point in cell)
        total += len(wrong) * float(wrong.var(ddof=1)) / words**2
    return 100 * float(total**0.5)
