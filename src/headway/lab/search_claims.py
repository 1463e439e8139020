"""What papers claim of searches for features, tested by the records of ours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from headway.base.errors import counted
from headway.discovery.history import History, beams_needed, best_within, full_measures, successors_of
from headway.evaluation.significance import p_of_counts
from headway.lab.claim import Claim, SearchClaim
from headway.lab.differences import NORMAL
from headway.lab.results import Results
from headway.lab.verdicts import CONFIRMED, LEVEL, OPEN, REFUTED, UNMEASURED, Verdict, explained

CHANCE = "the difference may be chance"


def searched(claim: Claim, said: SearchClaim, results: Results) -> Verdict:
    """Test a claim about a search."""
    histories = {name: History(record["records"]) for name, record in results.searches.items()}
    history = histories.get(said.search)
    if history is None or (said.cheaper_than and said.cheaper_than not in histories):
        return Verdict(claim.text, OPEN, UNMEASURED)
    if said.beam is not None:
        found = _by_beam(history, said.beam)
    elif said.best:
        found = _by_rank(history, said)
    elif said.falls:
        found = _falling(history)
    else:
        found = _cheaper(history, histories[said.cheaper_than])
    word, shown, p = found
    return Verdict(claim.text, word, shown if word == CONFIRMED else f"{shown}{explained(claim)}", p)


Found = tuple[str, str, float | None]


def _by_beam(history: History, beam: int) -> Found:
    """Whether the best set of every generation grew from the first places; if not, whether that made a difference."""
    if history.options.get("beam", 0) <= beam:
        return OPEN, f"the search had a beam of {history.options.get('beam')} only", None
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
        return CONFIRMED, f"in {counted(number, 'generation')} no best set needed a beam of more than {most}", None
    least = min((p for p, _ in wider if p is not None), default=None)
    certain = least is not None and least < LEVEL
    shown = f"of {number} best sets {len(wider)} needed more ({'; '.join(text for _, text in wider)})"
    return (REFUTED, shown, least) if certain else (OPEN, f"{shown}; {CHANCE}", least)


def _by_rank(history: History, said: SearchClaim) -> Found:
    """Whether a feature is the best successor of a set, and better than the next by more than chance."""
    metric, ranked = history.metric, successors_of(history, said.parent)
    if said.best not in ranked or len(ranked) < 2:
        return OPEN, UNMEASURED, None
    first, second = list(ranked)[:2]
    other = second if first == said.best else first
    mine, rival = ranked[said.best], ranked[other]
    p = _p(mine.right, rival.right)
    shown = f"{metric} {mine.score(metric):.2f}, next {other} {rival.score(metric):.2f}"
    if first != said.best:
        place = list(ranked).index(said.best) + 1
        shown = f"{metric} {mine.score(metric):.2f}, place {place}; {other} has {rival.score(metric):.2f}"
    if p is None or p >= LEVEL:
        return OPEN, f"{shown}; {CHANCE}", p
    return (CONFIRMED if first == said.best else REFUTED), shown, p


def _falling(history: History) -> Found:
    """Whether the last generation's best set does worse on the test part than an earlier one."""
    found = {one.number: history.tested[one.beam[0]] for one in history.finished if one.beam[0] in history.tested}
    tests = {number: measure.score(history.metric) for number, measure in found.items()}
    if len(tests) < 2:
        return OPEN, UNMEASURED, None
    last = max(tests)
    before = max((number for number in tests if number != last), key=tests.__getitem__)
    sets = {one.number: one.beam[0] for one in history.finished}
    p = _p(*(history.tested[sets[number]].right for number in (before, last)))
    shown = (
        f"{history.metric} {tests[before]:.2f} in generation {before}, {tests[last]:.2f} in generation {last}, the last"
    )
    if p is None or p >= LEVEL:
        return OPEN, f"{shown}; {CHANCE if p is not None else 'words right by sentence were not kept'}", p
    return (CONFIRMED if tests[before] > tests[last] else REFUTED), shown, p


def _cheaper(one: History, other: History) -> Found:
    """Whether sets that both measured take less time here: the mean ratio, and its interval over the sets."""
    mine, yours = full_measures(one), full_measures(other)
    both = [features for features in mine if features in yours and mine[features].seconds and yours[features].seconds]
    if len(both) < 2:
        return OPEN, UNMEASURED, None
    logs = np.log([mine[features].seconds / yours[features].seconds for features in both])
    spread = NORMAL * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    mean, low, high = (math.exp(float(logs.mean()) + by) for by in (0.0, -spread, spread))
    shown = (
        f"{mean:.2f} times as long for a set (95 %: {low:.2f} to {high:.2f}, over {len(both)} sets that both measured)"
    )
    return (CONFIRMED if high < 1 else REFUTED if low > 1 else OPEN), shown, None


def _p(first: Sequence[int], second: Sequence[int]) -> float | None:
    return p_of_counts(first, second) if first and len(first) == len(second) else None
