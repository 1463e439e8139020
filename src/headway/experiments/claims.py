"""What papers claim, tested: confirmed, refuted, open or not testable, with p."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from headway.evaluation.significance import mcnemar
from headway.experiments.drops import dropped
from headway.experiments.metrics import METRICS, SCORES, Metric
from headway.experiments.recipe import Claim, Side
from headway.experiments.results import Cell, Results
from headway.experiments.search_claims import searched
from headway.experiments.verdicts import CONFIRMED, LEVEL, OPEN, REFUTED, UNMEASURED, UNTESTABLE, Verdict, explained


class Pair(NamedTuple):
    """Both sides of a claim on a treebank."""

    treebank: str
    better: Cell
    worse: Cell


def verdict(claim: Claim, results: Results) -> Verdict:
    """Test a claim."""
    if claim.untestable:
        return Verdict(claim.text, UNTESTABLE, claim.untestable)
    if claim.of_search is not None:
        return searched(claim, claim.of_search, results)
    if claim.drop is not None:
        return dropped(claim, claim.drop, results)
    if claim.at_least is not None:
        return _floor(claim, claim.at_least, results)
    pairs = _pairs(claim, results)
    return _compared(claim, results, pairs) if pairs else Verdict(claim.text, OPEN, UNMEASURED)


def _treebanks(claim: Claim, results: Results, *sides: Side) -> list[str]:
    """The treebanks that a claim is about: those on which all of its sides are to be measured."""
    recipe = results.recipe
    limits = [claim.treebanks, *(recipe.configurations[side.configuration].treebanks for side in sides)]
    possible = recipe.parts[sides[0].part].treebanks
    return [name for name in possible if all(some is None or name in some for some in limits)]


def _pairs(claim: Claim, results: Results) -> list[Pair]:
    better, worse = claim.better, claim.worse
    assert better is not None and worse is not None
    found = []
    for treebank in _treebanks(claim, results, better, worse):
        cells = [results.cell(side.part, treebank, side.configuration, side.at) for side in (better, worse)]
        if cells[0] and cells[1]:
            found.append(Pair(treebank, cells[0], cells[1]))
    return found


def _left_out(claim: Claim, results: Results, measured: Sequence[str]) -> str:
    """The treebanks of a claim on which a side is not measured, as words."""
    sides = [side for side in (claim.better, claim.worse) if side is not None]
    missing = [name for name in _treebanks(claim, results, *sides) if name not in measured]
    return f"; not measured on {', '.join(missing)}" if missing else ""


class Contest(NamedTuple):
    """How both sides do: means over treebanks, wins, who leads (1 the better, -1 the other), p of the difference."""

    means: tuple[float, float]
    treebanks: int
    wins: int
    lead: int
    p: float | None

    @property
    def certain(self) -> bool:
        return self.p is not None and self.p < LEVEL


def contest(metric: str, pairs: Sequence[Pair], results: Results) -> Contest | None:
    """Who leads: for scores, both by the mean over treebanks and over all words together; None without a number."""
    of = METRICS[metric]
    sides = [(of.value(pair.better), of.value(pair.worse)) for pair in pairs]
    numbers = [(one, other) for one, other in sides if one is not None and other is not None]
    if len(numbers) < len(pairs):
        return None
    signs = [_lead(of, *both) for both in numbers]
    means = sum(one for one, _ in numbers) / len(numbers), sum(other for _, other in numbers) / len(numbers)
    lead, wins = _lead(of, *means), signs.count(1)
    if metric not in SCORES:
        return Contest(means, len(numbers), wins, lead, mcnemar(wins, signs.count(-1)))
    cells = [(pair.better, pair.worse) for pair in pairs]
    one, other = (of.value([*chain.from_iterable(side)]) or 0.0 for side in zip(*cells, strict=True))
    p = results.p_value(cells, metric)
    return Contest(means, len(numbers), wins, lead if lead == _lead(of, one, other) else 0, p)


def _lead(metric: Metric, one: float, other: float) -> int:
    """1 where the first is better, -1 where the second is."""
    sign = -1 if metric.lower else 1
    return sign * ((one > other) - (one < other))


def _compared(claim: Claim, results: Results, pairs: Sequence[Pair]) -> Verdict:
    found = contest(claim.metric, pairs, results)
    if found is None:
        return Verdict(claim.text, OPEN, UNMEASURED)
    if claim.or_equal:
        holds = found.lead > 0 or not found.certain
    else:
        holds = found.lead > 0 and (found.certain or claim.metric not in SCORES)
    one, other = (f"{mean:,.{METRICS[claim.metric].digits}f}" for mean in found.means)
    shown = f"{claim.metric} {one} against {other}"
    if found.treebanks > 1:
        shown += f", means of {found.treebanks} treebanks, ahead on {found.wins}"
    shown += _left_out(claim, results, [pair.treebank for pair in pairs])
    if holds:
        return Verdict(claim.text, CONFIRMED, shown, found.p)
    certain = "the opposite is the case" if found.lead < 0 else "the treebanks disagree"
    shown += f"; {certain if found.certain else 'the difference may be chance'}{explained(claim)}"
    return Verdict(claim.text, REFUTED if found.lead < 0 and found.certain else OPEN, shown, found.p)


def _floor(claim: Claim, floor: float, results: Results) -> Verdict:
    """Whether a score reaches a floor on every treebank."""
    metric, found = METRICS[claim.metric], []
    for treebank, side in _sides(claim, results):
        value = results.value(claim.metric, side.part, treebank, side.configuration, side.at)
        if value is not None:
            found.append((treebank, side.configuration, value))
    if not found:
        return Verdict(claim.text, OPEN, UNMEASURED)
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
