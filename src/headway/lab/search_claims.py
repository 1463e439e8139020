"""What papers claim of searches for features, tested by the records of ours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from headway.base.errors import counted
from headway.discovery.history import History, beams_needed, best_within, full_measures, successors_of
from headway.evaluation.significance import p_of_counts
from headway.lab.claim import CONFIRMED, LEVEL, OPEN, REFUTED, UNMEASURED, Finding, SearchClaim
from headway.lab.differences import NORMAL, Difference
from headway.lab.results import Results

CHANCE = "the difference may be chance"
RATIO = "{:.2f} times as long for a set (95 %: {:.2f} to {:.2f}"


def finding_of_search(said: SearchClaim, results: Results) -> Finding | None:
    """What comes of a claim about a search; None where it is not made yet."""
    histories = {name: History(record["records"]) for name, record in results.searches.items()}
    history, other = histories.get(said.search), histories.get(said.cheaper_than)
    if history is None or (said.cheaper_than and other is None):
        return None
    if said.beam is not None:
        return _by_beam(history, said.beam)
    if said.best:
        return _by_rank(history, said)
    return _cheaper(history, other) if other else _falling(history)


def _by_beam(history: History, beam: int) -> Finding:
    """Whether the best set of every generation grew from the first places; if not, whether that made a difference."""
    if history.options.get("beam", 0) <= beam:
        return Finding(OPEN, f"the search had a beam of {history.options.get('beam')} only")
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
        return Finding(CONFIRMED, f"in {counted(number, 'generation')} no best set needed a beam of more than {most}")
    least = min((p for p, _ in wider if p is not None), default=None)
    shown = f"of {number} best sets {len(wider)} needed more ({'; '.join(text for _, text in wider)})"
    if least is None or least >= LEVEL:
        return Finding(OPEN, shown, CHANCE, least)
    return Finding(REFUTED, shown, "", least)


def _by_rank(history: History, said: SearchClaim) -> Finding:
    """Whether a feature is the best successor of a set, and better than the next by more than chance."""
    metric, ranked = history.metric, successors_of(history, said.parent)
    if said.best not in ranked or len(ranked) < 2:
        return Finding(OPEN, UNMEASURED)
    place = list(ranked).index(said.best) + 1
    other = list(ranked)[1 if place == 1 else 0]
    mine, rival = (ranked[name].score(metric) for name in (said.best, other))
    p = _p(ranked[said.best].right, ranked[other].right)
    shown = f"{metric} {mine:.2f}, place {place}; {other} has {rival:.2f}"
    if place == 1:
        shown = f"{metric} {mine:.2f}, next {other} {rival:.2f}"
    if p is None or p >= LEVEL:
        return Finding(OPEN, shown, CHANCE, p)
    return Finding(CONFIRMED if place == 1 else REFUTED, shown, "", p)


def _falling(history: History) -> Finding:
    """Whether the last generation's best set does worse on the test part than an earlier one."""
    found = {one.number: history.tested[one.beam[0]] for one in history.finished if one.beam[0] in history.tested}
    tests = {number: measure.score(history.metric) for number, measure in found.items()}
    if len(tests) < 2:
        return Finding(OPEN, UNMEASURED)
    last = max(tests)
    before = max((number for number in tests if number != last), key=tests.__getitem__)
    p = _p(found[before].right, found[last].right)
    shown = (
        f"{history.metric} {tests[before]:.2f} in generation {before}, {tests[last]:.2f} in generation {last}, the last"
    )
    if p is None or p >= LEVEL:
        return Finding(OPEN, shown, CHANCE if p is not None else "words right by sentence were not kept", p)
    return Finding(CONFIRMED if tests[before] > tests[last] else REFUTED, shown, "", p)


def _cheaper(one: History, other: History) -> Finding:
    """Whether sets that both measured take less time here: the mean ratio, and its interval over the sets."""
    mine, yours = full_measures(one), full_measures(other)
    both = [features for features in mine if features in yours and mine[features].seconds and yours[features].seconds]
    if len(both) < 2:
        return Finding(OPEN, UNMEASURED)
    logs = np.log([mine[features].seconds / yours[features].seconds for features in both])
    spread = NORMAL * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    ratio = Difference(*(math.exp(float(logs.mean()) + by) for by in (0.0, -spread, spread)))
    word = CONFIRMED if ratio.high < 1 else REFUTED if ratio.low > 1 else OPEN
    return Finding(word, f"{ratio.shown(RATIO)}, over {len(both)} sets that both measured)")


def _p(first: Sequence[int], second: Sequence[int]) -> float | None:
    return p_of_counts(first, second) if first and len(first) == len(second) else None
