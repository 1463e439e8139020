"""Rankings of a search beside those of a paper: our rank of each feature and the paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from headway.base.errors import counted
from headway.discovery.history import History
from headway.discovery.measure import Measure
from headway.discovery.reports.racing import rank_correlation
from headway.show.reports.table import NOTHING, Table, number


def successors_of(history: History, parent: Sequence[str]) -> dict[str, Measure]:
    """The sets with one feature more than `parent`, by that feature, best first; full measures before looks.

    A set that two parents lead to is measured once, and counts for both.
    """
    wanted, found = frozenset(parent), {}
    for generation in history.generations.values():
        for measure in generation.ranked(history.metric):
            own = frozenset(measure.features)
            if wanted < own and len(own) == len(wanted) + 1:
                (feature,) = own - wanted
                found[feature] = measure
    ranked = sorted(found.items(), key=lambda item: (not item[1].full, item[1].rank(history.metric)))
    return dict(ranked)


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
