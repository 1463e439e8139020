"""What papers claim, tested: confirmed, refuted, open or not testable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from headway.lab.claim import Claim, ClaimSide
from headway.lab.coincidence import alike
from headway.lab.differences import Pair, ScoreDifference, difference
from headway.lab.domain_loss import dropped
from headway.lab.metrics import AUC, Metric, is_score, metric_of
from headway.lab.ratios import Ratio, ratios
from headway.lab.results import Results
from headway.lab.search_claims import searched
from headway.lab.tasks import Place
from headway.lab.verdicts import CONFIRMED, LEVEL, OPEN, REFUTED, UNMEASURED, UNTESTABLE, Verdict, explained


class Finding(NamedTuple):
    """A verdict, our figures, and the reason where it is not confirmed."""

    verdict: str
    figures: str
    reason: str = ""
    p: float | None = None


def verdict(claim: Claim, results: Results) -> Verdict:
    """Test a claim."""
    if claim.untestable:
        return Verdict(claim.text, UNTESTABLE, claim.untestable)
    if claim.of_search is not None:
        return searched(claim, claim.of_search, results)
    if claim.drop is not None:
        return dropped(claim, claim.drop, results)
    measured = _sides(claim, results)
    pending, failed = _missing(claim, results, [name for name, _ in measured])
    if not measured:
        return Verdict(claim.text, OPEN, f"not measured on {', '.join(failed)}" if failed else UNMEASURED)
    found = _decided(claim, results, measured)
    if pending and found.verdict != OPEN:
        found = found._replace(verdict=OPEN, reason=f"{UNMEASURED} on {', '.join(pending)}")
    elif pending:
        found = found._replace(reason=f"{found.reason}; {UNMEASURED} on {', '.join(pending)}")
    shown = found.figures
    shown += f"; could not be measured on {', '.join(failed)}" if failed else ""
    shown += f"; {found.reason}" if found.reason else ""
    shown += explained(claim) if found.verdict != CONFIRMED else ""
    return Verdict(claim.text, found.verdict, shown, found.p)


def _decided(claim: Claim, results: Results, measured: Sequence[tuple[str, tuple[ClaimSide, ...]]]) -> Finding:
    if (claim.at_least, claim.at_most) != (None, None):
        return _within_bounds(claim, results, measured)
    pairs = [Pair(name, *(results.cells[_place(side, name)] for side in sides)) for name, sides in measured]
    return (_by_scores if is_score(claim.metric, AUC) else _by_costs)(claim, results, pairs)


def _place(side: ClaimSide, treebank: str) -> Place:
    return Place(side.part, treebank, side.configuration, side.at)


def _treebanks(claim: Claim, results: Results) -> dict[str, tuple[ClaimSide, ...]]:
    """The treebanks that a claim is about: those on which all of its sides are to be measured; with the sides there."""
    recipe = results.recipe
    if claim.better is None:
        assert claim.choose is not None
        names = claim.treebanks or recipe.parts[claim.choose].treebanks
        best = {name: results.chosen(claim.choose, name, claim.metric) for name in names}
        return {name: (ClaimSide(configuration=who or "", part=claim.part),) for name, who in best.items()}
    sides = tuple(side for side in (claim.better, claim.worse) if side is not None)
    limits = [claim.treebanks, *(recipe.configurations[side.configuration].treebanks for side in sides)]
    possible = recipe.parts[sides[0].part].treebanks
    return {name: sides for name in possible if all(some is None or name in some for some in limits)}


def _sides(claim: Claim, results: Results) -> list[tuple[str, tuple[ClaimSide, ...]]]:
    """The treebanks on which all sides are measured, with the sides there."""
    value = metric_of(claim.metric).value
    found = []
    for name, sides in _treebanks(claim, results).items():
        cells = [results.cells.get(_place(side, name)) for side in sides]
        if all(cell and value(cell) is not None for cell in cells):
            found.append((name, sides))
    return found


def _missing(claim: Claim, results: Results, measured: Sequence[str]) -> tuple[list[str], list[str]]:
    """The treebanks that are still to be measured, and those on which a side failed."""
    failed: list[str] = []
    pending: list[str] = []
    places = {(place.part, place.treebank, place.configuration) for place in results.failures}
    for name, sides in _treebanks(claim, results).items():
        if name not in measured:
            tried = any((side.part, name, side.configuration) in places for side in sides)
            (failed if tried else pending).append(name)
    return pending, failed


def _by_scores(claim: Claim, results: Results, pairs: Sequence[Pair]) -> Finding:
    """Who leads both in the mean over treebanks and over all words together, by how much, and whether by chance."""
    figures, means, lead = _means(claim, pairs)
    found = difference(pairs, claim.metric, results.recipe.punctuation)
    if found is None:
        return Finding(OPEN, figures, "not tested: the journal has no counts by sentence")
    figures += f", {found}"
    if all(alike(pair.better, pair.worse) for pair in pairs):
        return Finding(CONFIRMED if claim.or_equal else OPEN, figures, "both parse every sentence alike", found.p)
    if claim.or_equal:
        return _not_behind(claim, found, means[0] - means[1], lead, figures)
    if found.p >= LEVEL:
        return Finding(OPEN, figures, "the difference may be chance", found.p)
    if lead * found.points <= 0:
        return Finding(OPEN, figures, "the treebanks disagree", found.p)
    return Finding(CONFIRMED if lead > 0 else REFUTED, figures, "" if lead > 0 else "the opposite is the case", found.p)


def _not_behind(claim: Claim, found: ScoreDifference, ahead: float, lead: int, figures: str) -> Finding:
    """Whether one side is behind by less than a margin, as sure as the interval makes it."""
    margin = f"the margin of {claim.margin:g}{'' if claim.metric == AUC else ' points'}"
    loses = found.p < LEVEL and lead < 0 and found.points < 0
    if loses and found.points < -claim.margin:
        return Finding(REFUTED, figures, f"it loses by more than {margin}", found.p)
    if loses:
        return Finding(OPEN, figures, f"it loses by more than chance and by less than {margin}", found.p)
    if found.low <= -claim.margin:
        return Finding(OPEN, figures, f"no difference was found, but one beyond {margin} is possible", found.p)
    if ahead <= -claim.margin:
        return Finding(OPEN, figures, "the treebanks disagree", found.p)
    certain = found.p < LEVEL and lead > 0
    return Finding(CONFIRMED, figures, "" if certain else f"no difference beyond {margin}", found.p)


def _by_costs(claim: Claim, results: Results, pairs: Sequence[Pair]) -> Finding:
    """Whether one side is `ratio` times as good on every treebank, as sure as the spread of repeats makes it."""
    figures, _, _ = _means(claim, pairs)
    found = ratios(claim.metric, pairs)
    if found is None:
        return Finding(OPEN, figures, "no repeats, so that nothing says how much it varies")
    figures += f"; times better: {', '.join(map(str, found))}"
    wanted = "better" if claim.times == 1 else f"{claim.times:g} times as good"
    return _all_agree(claim, found, figures, wanted)


def _all_agree(claim: Claim, found: Sequence[Ratio], figures: str, wanted: str) -> Finding:
    above = [one.treebank for one in found if one.low > claim.times]
    below = [one.treebank for one in found if one.high < claim.times]
    if len(above) == len(found):
        return Finding(CONFIRMED, figures)
    if len(below) == len(found):
        return Finding(REFUTED, figures, f"it is not {wanted}")
    if above and below:
        return Finding(OPEN, figures, f"the treebanks disagree: {wanted} on {', '.join(above)} only")
    return Finding(OPEN, figures, f"within the spread of repeats it may be {wanted} or not")


def _means(claim: Claim, pairs: Sequence[Pair]) -> tuple[str, tuple[float, float], int]:
    """The means over treebanks as text and as numbers, and who leads by them: 1 the better side, -1 the other."""
    metric = metric_of(claim.metric)
    sides = [(metric.value(pair.better) or 0.0, metric.value(pair.worse) or 0.0) for pair in pairs]
    one, other = (sum(side) / len(sides) for side in zip(*sides, strict=True))
    text = f"{claim.metric} {metric.text(one)} against {metric.text(other)}"
    if len(pairs) > 1:
        wins = sum(_lead(metric, *both) > 0 for both in sides)
        text += f", means of {len(pairs)} treebanks, ahead on {wins}"
    return text, (one, other), _lead(metric, one, other)


def _lead(metric: Metric, one: float, other: float) -> int:
    """1 where the first is better, -1 where the second is."""
    sign = -1 if metric.lower else 1
    return sign * ((one > other) - (one < other))


def _within_bounds(claim: Claim, results: Results, measured: Sequence[tuple[str, tuple[ClaimSide, ...]]]) -> Finding:
    """Whether a metric reaches a floor, or keeps below a ceiling, on every treebank."""
    metric = metric_of(claim.metric)
    values = [(name, sides[0], metric.value(results.cells[_place(sides[0], name)])) for name, sides in measured]
    figures = ", ".join(f"{name}: {metric.text(value)} by {side.configuration}" for name, side, value in values)
    known = [value for _, _, value in values if value is not None]
    if claim.at_least is not None and min(known) < claim.at_least:
        return Finding(REFUTED, figures, f"below {claim.at_least:g}")
    if claim.at_most is not None and max(known) > claim.at_most:
        return Finding(REFUTED, figures, f"above {claim.at_most:g}")
    return Finding(CONFIRMED, figures)
