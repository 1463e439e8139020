"""What papers claim of parsers and of searches, tested: confirmed, refuted, open or not testable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headway.base.errors import counted
from headway.discovery.history import History, beams_needed, best_within, full_measures, successors_of
from headway.evaluation.significance import p_of_counts
from headway.lab.differences import LEVEL, NORMAL, Difference, Pair, difference, domain_loss, ratios
from headway.lab.metrics import AUC, is_score, metric_of
from headway.lab.plans import Claim, ClaimSide, SearchClaim
from headway.lab.results import Cell, Results

VERDICTS = CONFIRMED, REFUTED, OPEN, UNTESTABLE = "confirmed", "refuted", "open", "not testable"
UNMEASURED = "not measured yet"
POINTS = "{:+.2f} points over all words (95 % interval {:+.2f} to {:+.2f})"
IN_AUC = "a mean difference of {:+.4f} (95 % interval {:+.4f} to {:+.4f})"
CHANCE = "the difference may be chance"
RATIO = "{:.2f} times as long for a set (95 %: {:.2f} to {:.2f}"
LOSS = "a loss of {:.2f} points (95 % interval {:.2f} to {:.2f})"


class Verdict(NamedTuple):
    """What came of a claim: a verdict, our figures, the reason where it is not confirmed, and p."""

    verdict: str
    shown: str
    reason: str = ""
    p: float | None = None


class Measured(NamedTuple):
    """A treebank on which all sides of a claim are measured."""

    treebank: str
    sides: Sequence[ClaimSide]
    cells: Sequence[Cell]


def verdict(claim: Claim, results: Results) -> Verdict:
    """Test a claim."""
    if claim.untestable:
        return Verdict(UNTESTABLE, claim.untestable)
    if claim.of_search is not None:
        found = finding_of_search(claim.of_search, results)
    elif claim.drop is not None:
        found = _by_loss(claim, claim.drop, results)
    else:
        found = _compared(claim, results)
    if found is None:
        return Verdict(OPEN, UNMEASURED)
    shown = f"{found.shown}; {found.reason}" if found.reason else found.shown
    if found.verdict != CONFIRMED:
        why = f". {claim.why} (See “{claim.shown_in}”.)" if claim.why else ""
        shown += f"{why}{'' if why else '.'} A guess: {claim.guess}" if claim.guess else why
    return found._replace(shown=shown, reason="")


def _compared(claim: Claim, results: Results) -> Verdict | None:
    """What comes of a claim about configurations; None where nothing is measured yet."""
    measured: list[Measured] = []
    failed: list[str] = []
    pending: list[str] = []
    tried = {(place.part, place.treebank, place.configuration) for place in results.failures}
    for name, sides in _treebanks(claim, results).items():
        cells = [results.cell(side.part, name, side.configuration, side.at) for side in sides]
        known = [cell for cell in cells if cell and metric_of(claim.metric).of(cell) is not None]
        if len(known) == len(cells):
            measured.append(Measured(name, sides, known))
        else:
            (failed if any((side.part, name, side.configuration) in tried for side in sides) else pending).append(name)
    if not measured:
        return Verdict(OPEN, f"not measured on {', '.join(failed)}") if failed else None
    found = _decided(claim, results, measured)
    if failed:
        found = found._replace(shown=f"{found.shown}; could not be measured on {', '.join(failed)}")
    if pending:
        reason = f"{UNMEASURED} on {', '.join(pending)}"
        found = found._replace(verdict=OPEN, reason=f"{found.reason}; {reason}" if found.verdict == OPEN else reason)
    return found


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


def _decided(claim: Claim, results: Results, measured: Sequence[Measured]) -> Verdict:
    if (claim.at_least, claim.at_most) != (None, None):
        return _within_bounds(claim, measured)
    metric = metric_of(claim.metric)
    sign = -1 if metric.lower else 1
    sides = [[metric.of(cell) or 0.0 for cell in one.cells] for one in measured]
    better, worse = (sum(side) / len(sides) for side in zip(*sides, strict=True))
    figures = f"{claim.metric} {metric.text(better)} against {metric.text(worse)}"
    if len(measured) > 1:
        wins = sum(sign * one > sign * other for one, other in sides)
        figures += f", means of {len(measured)} treebanks, ahead on {wins}"
    if is_score(claim.metric, AUC):
        return _by_scores(claim, results, [one.cells for one in measured], better - worse, figures)
    return _by_costs(claim, measured, figures)


def _by_scores(claim: Claim, results: Results, pairs: Sequence[Pair], ahead: float, figures: str) -> Verdict:
    """Who leads both in the mean over treebanks and over all words together, by how much, and whether by chance."""
    found = difference(pairs, claim.metric, results.recipe.punctuation)
    if found is None:
        return Verdict(OPEN, figures, "not tested: the journal has no counts by sentence")
    figures += f", {(IN_AUC if claim.metric == AUC else POINTS).format(*found)}"
    # Where a journal does not tell what was parsed, both sides made other parses.
    parses = [[point.parsed for point in cell] for pair in pairs for cell in pair]
    if parses[::2] == parses[1::2] and not any(None in one for one in parses):
        word, reason = CONFIRMED if claim.or_equal else OPEN, "both parse every sentence alike"
    elif claim.or_equal:
        word, reason = _not_behind(claim, found, ahead)
    elif found.p >= LEVEL:
        word, reason = OPEN, CHANCE
    elif ahead * found.value <= 0:
        word, reason = OPEN, "the treebanks disagree"
    else:
        word, reason = (CONFIRMED, "") if ahead > 0 else (REFUTED, "the opposite is the case")
    return Verdict(word, figures, reason, found.p)


def _not_behind(claim: Claim, found: Difference, ahead: float) -> tuple[str, str]:
    """Whether one side is behind by less than a margin, as sure as the interval makes it; and the reason."""
    margin = f"the margin of {claim.margin:g}{'' if claim.metric == AUC else ' points'}"
    is_certain = found.p < LEVEL
    if is_certain and ahead < 0 and found.value < 0:
        if found.value < -claim.margin:
            return REFUTED, f"it loses by more than {margin}"
        return OPEN, f"it loses by more than chance and by less than {margin}"
    if found.low <= -claim.margin:
        return OPEN, f"no difference was found, but one beyond {margin} is possible"
    if ahead <= -claim.margin:
        return OPEN, "the treebanks disagree"
    return CONFIRMED, "" if is_certain and ahead > 0 else f"no difference beyond {margin}"


def _by_costs(claim: Claim, measured: Sequence[Measured], figures: str) -> Verdict:
    """Whether one side is `ratio` times as good on every treebank, as sure as the spread of repeats makes it."""
    found = ratios(claim.metric, [one.cells for one in measured])
    if found is None:
        return Verdict(OPEN, figures, "no repeats, so that nothing says how much it varies")
    times = []
    for where, one in zip(measured, found, strict=True):  # With three figures or more.
        value, low, high = (f"{each:,.0f}" if each >= 100 else f"{each:.3g}" for each in one[:3])
        times.append(f"{where.treebank} {value} ({low} to {high})")
    figures += f"; times better: {', '.join(times)}"
    wanted = "better" if claim.times == 1 else f"{claim.times:g} times as good"
    above = [where.treebank for where, one in zip(measured, found, strict=True) if one.low > claim.times]
    below = sum(one.high < claim.times for one in found)
    if len(above) == len(found):
        return Verdict(CONFIRMED, figures)
    if below == len(found):
        return Verdict(REFUTED, figures, f"it is not {wanted}")
    if above and below:
        return Verdict(OPEN, figures, f"the treebanks disagree: {wanted} on {', '.join(above)} only")
    return Verdict(OPEN, figures, f"within the spread of repeats it may be {wanted} or not")


def _within_bounds(claim: Claim, measured: Sequence[Measured]) -> Verdict:
    """Whether a metric reaches a floor, or keeps below a ceiling, on every treebank."""
    metric = metric_of(claim.metric)
    values = [metric.of(one.cells[0]) or 0.0 for one in measured]
    shown = zip(measured, values, strict=True)
    figures = ", ".join(f"{one.treebank}: {metric.text(value)} by {one.sides[0].configuration}" for one, value in shown)
    if claim.at_least is not None and min(values) < claim.at_least:
        return Verdict(REFUTED, figures, f"below {claim.at_least:g}")
    if claim.at_most is not None and max(values) > claim.at_most:
        return Verdict(REFUTED, figures, f"above {claim.at_most:g}")
    return Verdict(CONFIRMED, figures)


def _by_loss(claim: Claim, most: float, results: Results) -> Verdict | None:
    """Whether a score falls by no more than `most` points between two treebanks; None where it is not measured."""
    side, names = claim.better, claim.treebanks or ()
    assert side is not None
    cells = [cell for name in names if (cell := results.cell(side.part, name, side.configuration, side.at))]
    found = domain_loss(cells, claim.metric, results.recipe.punctuation) if len(cells) == len(names) else None
    if found is None:
        return None
    scores = (f"{metric_of(claim.metric).of(cell):.2f} on {name}" for name, cell in zip(names, cells, strict=True))
    word = CONFIRMED if found.high <= most else REFUTED if found.low > most else OPEN
    return Verdict(word, f"{claim.metric} {', '.join(scores)}: {LOSS.format(*found)}")


def finding_of_search(said: SearchClaim, results: Results) -> Verdict | None:
    """What comes of a claim about a search; None where it is not made yet."""
    history, other = (results.histories.get(name) for name in (said.search, said.cheaper_than))
    if history is None or (said.cheaper_than and other is None):
        return None
    if said.beam is not None:
        return _by_beam(history, said.beam)
    if said.best:
        return _by_rank(history, said)
    return _cheaper(history, other) if other else _falling(history)


def _by_beam(history: History, beam: int) -> Verdict:
    """Whether the best set of every generation grew from the first places; if not, whether that made a difference."""
    if history.options.get("beam", 0) <= beam:
        return Verdict(OPEN, f"the search had a beam of {history.options.get('beam')} only")
    known, metric, wider = beams_needed(history), history.metric, []
    for generation in history.finished:
        best, rival = history.best(generation), best_within(history, generation, beam)
        if best is None or known[best.features] <= beam:
            continue
        p = _p(best.right, rival.right) if rival else None
        behind = f"{best.score(metric) - rival.score(metric):.2f} {metric}" if rival else "all"
        wider.append((p, f"generation {generation.number}, a beam of {known[best.features]}, {behind} better"))
    number = len(history.finished)
    if not wider:
        most = max((known[one.beam[0]] for one in history.finished), default=1)
        return Verdict(CONFIRMED, f"in {counted(number, 'generation')} no best set needed a beam of more than {most}")
    least = min((p for p, _ in wider if p is not None), default=None)
    return _tested(
        f"of {number} best sets {len(wider)} needed more ({'; '.join(text for _, text in wider)})", False, least
    )


def _by_rank(history: History, said: SearchClaim) -> Verdict:
    """Whether a feature is the best successor of a set, and better than the next by more than chance."""
    metric, ranked = history.metric, successors_of(history, said.parent)
    if said.best not in ranked or len(ranked) < 2:
        return Verdict(OPEN, UNMEASURED)
    place = list(ranked).index(said.best) + 1
    other = list(ranked)[1 if place == 1 else 0]
    mine, rival = (ranked[name].score(metric) for name in (said.best, other))
    p = _p(ranked[said.best].right, ranked[other].right)
    shown = f"{metric} {mine:.2f}, place {place}; {other} has {rival:.2f}"
    if place == 1:
        shown = f"{metric} {mine:.2f}, next {other} {rival:.2f}"
    return _tested(shown, place == 1, p)


def _falling(history: History) -> Verdict:
    """Whether the last generation's best set does worse on the test part than an earlier one."""
    found = {one.number: history.tested[one.beam[0]] for one in history.finished if one.beam[0] in history.tested}
    tests = {number: measure.score(history.metric) for number, measure in found.items()}
    if len(tests) < 2:
        return Verdict(OPEN, UNMEASURED)
    last = max(tests)
    before = max((number for number in tests if number != last), key=tests.__getitem__)
    p = _p(found[before].right, found[last].right)
    shown = f"{tests[before]:.2f} in generation {before}, {tests[last]:.2f} in generation {last}, the last"
    found_nothing = CHANCE if p is not None else "words right by sentence were not kept"
    return _tested(f"{history.metric} {shown}", tests[before] > tests[last], p, found_nothing)


def _cheaper(one: History, other: History) -> Verdict:
    """Whether sets that both measured take less time here: the mean ratio, and its interval over the sets."""
    mine, yours = full_measures(one), full_measures(other)
    both = [features for features in mine if features in yours and mine[features].seconds and yours[features].seconds]
    if len(both) < 2:
        return Verdict(OPEN, UNMEASURED)
    logs = np.log([mine[features].seconds / yours[features].seconds for features in both])
    spread = NORMAL * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    ratio = Difference(*(math.exp(float(logs.mean()) + by) for by in (0.0, -spread, spread)))
    word = CONFIRMED if ratio.high < 1 else REFUTED if ratio.low > 1 else OPEN
    return Verdict(word, f"{RATIO.format(*ratio)}, over {len(both)} sets that both measured)")


def _tested(shown: str, holds: bool, p: float | None, open_because: str = CHANCE) -> Verdict:
    """The verdict of a test; open where chance alone may have done it, or nothing could be tested."""
    if p is None or p >= LEVEL:
        return Verdict(OPEN, shown, open_because, p)
    return Verdict(CONFIRMED if holds else REFUTED, shown, "", p)


def _p(first: Sequence[int], second: Sequence[int]) -> float | None:
    return p_of_counts(first, second) if first and len(first) == len(second) else None
