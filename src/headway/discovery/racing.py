"""Racing: how well a short look foretells the full measure, and what it would have cost where all were measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.discovery.history import Generation, History
from headway.show.reports.page import Table, number

SHARES = (5, 10, 20, 30, 50)
"""Per cent of a generation's candidates that are measured in full."""
FEWEST = 3
"""So many candidates a rank correlation needs."""


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The ranks from 1 on; equal values share the mean of theirs. O(n log n)."""
    _, inverse, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse])


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's: the correlation of the ranks; None for few values or where all of them are equal."""
    if len(first) < FEWEST or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def racing_table(history: History) -> Table:
    """How many candidates each generation looked at and measured, and whether looks and measures agree."""
    rows = []
    for _, generation in sorted(history.generations.items()):
        both = [features for features in generation.looks if features in generation.full]
        looks = [generation.looks[features].score(history.metric) for features in both]
        full = [generation.full[features].score(history.metric) for features in both]
        counts = (generation.looks, generation.full)
        cells = (str(generation.number), *(f"{len(one):,}" for one in counts), number(rank_correlation(looks, full)))
        if generation.looks:
            rows.append(cells)
    header = ("generation", "looked at", "measured in full", "rank correlation")
    return Table("Racing: a look at all, a full measure of the best", header, rows)


class Race(NamedTuple):
    """A generation as racing would have run it; `loss` is what its best set is worse by, in points."""

    best_changed: bool
    beam_changed: bool
    loss: float
    saved: float
    """Seconds of work."""


def raced(generation: Generation, metric: str, keep: int) -> Race:
    """What would have come of measuring only the `keep` best-looking candidates of a generation in full."""
    looks, full = generation.looks, generation.full
    hopeful = [look.features for look in sorted(looks.values(), key=lambda look: look.rank(metric))]
    ranking = sorted(full.values(), key=lambda measure: measure.rank(metric))
    left = [measure for measure in ranking if measure.features in hopeful[:keep]]
    beam = slice(len(generation.beam))
    saved = sum(full[features].seconds for features in hopeful[keep:]) - sum(look.seconds for look in looks.values())
    loss = ranking[0].score(metric) - left[0].score(metric)
    return Race(ranking[0] != left[0], ranking[beam] != left[beam], loss, saved)


def check_table(history: History) -> Table:
    """What racing would have changed, by how many candidates it measures, where all were measured in full."""
    whole = [one for one in history.finished if one.full and one.full.keys() == one.looks.keys()]
    work = sum(measure.seconds for one in whole for measure in one.full.values())
    rows = []
    for name, counts in _choices(history, whole) if whole else ():
        races = [raced(one, history.metric, keep) for one, keep in zip(whole, counts, strict=True)]
        best, beams, losses, saved = zip(*races, strict=True)
        changed = [f"{sum(one)} of {len(races)}" for one in (best, beams)]
        mean, largest = number(sum(losses) / len(races)), number(max(losses))
        rows.append((name, *changed, mean, largest, f"{100 * sum(saved) / work:.0f} %" if work else ""))
    header = ("measured in full", "best set changed", "beam changed", "mean loss", "largest loss", "work saved")
    return Table(f"Check of racing ({history.metric})", header, rows)


def _choices(history: History, whole: Sequence[Generation]) -> list[tuple[str, list[int]]]:
    """Names of ways to race, and how many candidates each keeps in each generation: at least the beam."""
    sizes = [len(one.full) for one in whole]
    ways = [(f"{share} %", share / 100, 1) for share in SHARES]
    keep, least = (history.options.get(name) for name in ("keep", "least"))
    if keep is not None and least is not None:
        ways.insert(0, (f"{100 * keep:g} %, at least {least} (as set)", keep, least))
    return [
        (name, [max(least, math.ceil(share * size), len(one.beam)) for size, one in zip(sizes, whole, strict=True)])
        for name, share, least in ways
    ]
