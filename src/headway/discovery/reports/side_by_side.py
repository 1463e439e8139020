"""Several searches side by side: which features they take, how they rank the same sets, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from headway.discovery.history import Features, History
from headway.discovery.measure import Measure
from headway.discovery.reports.racing import rank_correlation
from headway.show.reports.table import NOTHING, Table, duration, number

TAKEN = "What each search took, generation by generation"
AGREEMENT = "How far the searches agree"
PAIR = 2
"""Sets of so many features are ranked: one generation, of which all searches measure most."""


def full_measures(history: History) -> dict[frozenset[str], Measure]:
    """All sets that were measured in full, whatever the order of their features."""
    every = (generation.full for generation in history.generations.values())
    return {frozenset(features): measure for found in every for features, measure in found.items()}


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
            cells += [
                step.successor if step else NOTHING,
                number(measure.score(history.metric)) if measure else NOTHING,
            ]
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
