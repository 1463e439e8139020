"""What papers claim, tested: confirmed, not confirmed or not testable, with p."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from headway.evaluation.significance import mcnemar
from headway.experiments.metrics import METRICS, NOTHING, SCORES
from headway.experiments.recipe import Claim, Side
from headway.experiments.results import Cell, Results

LEVEL = 0.05
"""A difference counts where chance alone makes one as large less often."""
CONFIRMED, REFUTED, UNTESTABLE, OPEN = "confirmed", "not confirmed", "not testable", "not measured yet"


class Verdict(NamedTuple):
    """What came of a claim; `shown` are our figures."""

    claim: str
    verdict: str
    shown: str
    p: float | None = None


class Pair(NamedTuple):
    """Both sides of a claim on a treebank."""

    treebank: str
    better: Cell
    worse: Cell


def verdict(claim: Claim, results: Results) -> Verdict:
    """Test a claim."""
    if claim.untestable:
        return Verdict(claim.text, UNTESTABLE, claim.untestable)
    if claim.at_least is not None:
        return _floor(claim, claim.at_least, results)
    pairs = _pairs(claim, results)
    if not pairs:
        return Verdict(claim.text, OPEN, NOTHING)
    return _compared(claim, results, pairs)


def _treebanks(claim: Claim, results: Results, side: Side) -> Sequence[str]:
    possible = results.recipe.parts[side.part].treebanks
    return possible if claim.treebanks is None else [name for name in possible if name in claim.treebanks]


def _pairs(claim: Claim, results: Results) -> list[Pair]:
    better, worse = claim.better, claim.worse
    assert better is not None and worse is not None
    found = []
    for treebank in _treebanks(claim, results, better):
        cells = [results.cell(side.part, treebank, side.configuration, side.at) for side in (better, worse)]
        if cells[0] and cells[1]:
            found.append(Pair(treebank, cells[0], cells[1]))
    return found


def _compared(claim: Claim, results: Results, pairs: Sequence[Pair]) -> Verdict:
    metric = METRICS[claim.metric]
    values = [(metric.value(pair.better), metric.value(pair.worse)) for pair in pairs]
    numbers = [(one, other) for one, other in values if one is not None and other is not None]
    if not numbers:
        return Verdict(claim.text, OPEN, NOTHING)
    sign = -1 if metric.lower else 1
    wins = sum(sign * (one - other) > 0 for one, other in numbers)
    losses = sum(sign * (one - other) < 0 for one, other in numbers)
    means = [sum(column) / len(numbers) for column in zip(*numbers, strict=True)]
    ahead = sign * (means[0] - means[1]) > 0
    scored = claim.metric in SCORES
    p = (
        results.p_value([(pair.better, pair.worse) for pair in pairs], claim.metric)
        if scored
        else mcnemar(wins, losses)
    )
    certain = p is not None and p < LEVEL
    holds = (not certain or ahead) if claim.or_equal else (ahead and (certain or not scored))
    shown = f"{claim.metric} {means[0]:,.{metric.digits}f} against {means[1]:,.{metric.digits}f}"
    if len(numbers) > 1:
        shown += f", means of {len(numbers)} treebanks, ahead on {wins}"
    if not holds and certain and not ahead:
        shown += "; the opposite is the case"
    elif not holds:
        shown += "; the difference may be chance"
    return Verdict(claim.text, CONFIRMED if holds else REFUTED, shown, p)


def _floor(claim: Claim, floor: float, results: Results) -> Verdict:
    """Whether a score reaches a floor on every treebank."""
    metric, found = METRICS[claim.metric], []
    for treebank, side in _sides(claim, results):
        value = results.value(claim.metric, side.part, treebank, side.configuration, side.at)
        if value is not None:
            found.append((treebank, side.configuration, value))
    if not found:
        return Verdict(claim.text, OPEN, NOTHING)
    holds = all(value >= floor for _, _, value in found)
    shown = ", ".join(f"{name}: {value:.{metric.digits}f} by {who}" for name, who, value in found)
    return Verdict(claim.text, CONFIRMED if holds else REFUTED, shown)


def _sides(claim: Claim, results: Results) -> list[tuple[str, Side]]:
    if claim.better is not None:
        return [(name, claim.better) for name in _treebanks(claim, results, claim.better)]
    assert claim.choose is not None
    part = results.recipe.parts[claim.choose]
    names = claim.treebanks or part.treebanks
    best = {name: results.chosen(claim.choose, name, claim.metric) for name in names}
    return [(name, Side(configuration=who, part=claim.part)) for name, who in best.items() if who is not None]
