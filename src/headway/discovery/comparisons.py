"""Searches beside a paper's and beside each other: ranks of the same sets, features taken, and what they cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from headway.base.errors import counted
from headway.discovery.history import Features, History, full_measures, successors_of
from headway.discovery.racing import rank_correlation
from headway.show.reports.page import NOTHING, Table, duration, number

TAKEN = "What each search took, generation by generation"
AGREEMENT = "How far the searches agree"
PAIR = 2
"""Sets of so many features are ranked: one generation, of which all searches measure most."""


def ranking_beside(
    history: History, title: str, parent: Sequence[str], columns: Sequence[str], figures: Mapping[str, Sequence[object]]
) -> Table:
    """The paper's successors of a set in its order with our ranks; then ours that are as good and not in its list."""
    ours = successors_of(history, parent)
    rank = {feature: place for place, feature in enumerate(ours, 1)}
    theirs = {feature: place for place, feature in enumerate(figures, 1)}
    others = [feature for feature in ours if feature not in theirs and rank[feature] <= len(theirs)]
    rows = []
    for feature in (*theirs, *others):
        measure, said = ours.get(feature), figures.get(feature, ())
        cells = [number(measure.score(name)) if measure else NOTHING for name in history.metrics]
        paper = [f"{one:.2f}" if isinstance(one, float) else str(one) for one in said] or [NOTHING] * len(columns)
        places = (str(theirs.get(feature, NOTHING)), str(rank.get(feature, NOTHING)))
        look = "" if measure is None or measure.full else " (a short look)"
        rows.append((f"{feature}{look}", *places, *cells, *paper))
    scores = (f"dev {name}" for name in history.metrics)
    header = ("successor", "paper's rank", "our rank", *scores, *(f"paper: {one}" for one in columns))
    return Table(title, header, rows, notes=_agreement(theirs, rank, len(ours)))


def _agreement(theirs: Mapping[str, int], ours: Mapping[str, int], tried: int) -> list[str]:
    both = [feature for feature in theirs if feature in ours]
    correlation = rank_correlation([theirs[one] for one in both], [ours[one] for one in both])
    if correlation is None:
        return []
    top = min(len(theirs), 8)
    same = sum(ours.get(feature, math.inf) <= top for feature, place in theirs.items() if place <= top)
    found = f"Rank correlation {correlation:.2f} (Spearman's) over {counted(len(both), 'feature')}"
    return [f"{found}; of the paper's first {top}, {same} are among our first {top}, of {tried} that were tried."]


def entries_beside(history: History, title: str, theirs: Mapping[int, str]) -> Table:
    """In which generation each feature of the final set entered, here and in the paper."""
    ours = {one.successor: generation for generation, one in sorted(history.lineage().items())}
    paper = {feature: generation for generation, feature in theirs.items()}
    last = max(ours.values(), default=0)
    rows = [
        (feature, str(paper.get(feature, NOTHING)), str(ours.get(feature, NOTHING)))
        for feature in dict.fromkeys((*(one for one in paper if paper[one] <= last), *ours))
    ]
    early = {feature for feature, generation in paper.items() if generation <= last}
    shared = len(early & {*ours})
    taken = f"{counted(len(early), 'feature')} that the paper's set takes in {counted(last, 'generation')}"
    note = f"Of the {taken}, ours has {shared}."
    return Table(title, ("feature", "paper: generation", "generation"), rows, notes=[note])


def taken_table(searches: Mapping[str, History]) -> Table:
    """The feature of each generation that the final set has, and the best score, for each search."""
    ways = {name: history.lineage() for name, history in searches.items()}
    best = {name: {one.number: history.best(one) for one in history.finished} for name, history in searches.items()}
    last = max((number for way in best.values() for number in way), default=0)
    rows = []
    for generation in range(1, last + 1):
        cells: list[str] = []
        for name, history in searches.items():
            step, measure = ways[name].get(generation), best[name].get(generation)
            cells.append(step.successor if step else NOTHING)
            cells.append(number(measure.score(history.metric)) if measure else NOTHING)
        rows.append((str(generation), *cells))
    header = [f"{name}: {what}" for name, one in searches.items() for what in ("feature", f"best {one.metric}")]
    return Table(TAKEN, ("generation", *header), rows)


def agreement_table(searches: Mapping[str, History]) -> Table:
    """For each two searches: how they rank the sets that both measured, which features both took, what a set costs."""
    rows = []
    for (one, first), (other, second) in combinations(searches.items(), 2):
        mine, yours = full_measures(first), full_measures(second)
        both = [features for features in mine if features in yours]
        pairs = [features for features in both if len(features) == PAIR]
        scores = ([mine[a].score(first.metric) for a in pairs], [yours[a].score(second.metric) for a in pairs])
        shared = {*first.final} & {*second.final}
        costs = [duration(sum(of[features].seconds for features in both)) for of in (mine, yours)]
        common = f"{len(shared)} of {_sizes(first.final, second.final)}"
        rows.append((f"{one}, {other}", f"{len(both):,}", number(rank_correlation(*scores)), common, *costs))
    header = ("searches", "sets that both measured", "rank correlation of those of two", "features in both final sets")
    return Table(AGREEMENT, (*header, "time of these sets, first", "second"), rows)


def _sizes(first: Features, second: Features) -> str:
    return str(len(first)) if len(first) == len(second) else f"{len(first)} and {len(second)}"
