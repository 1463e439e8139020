"""Where in the beam the best sets came from: how narrow a beam would have found them, too."""

from __future__ import annotations

from headway.discovery.history import Features, Generation, History
from headway.discovery.measure import Measure
from headway.show.reports.table import Table, number

BEAM = "Where in the beam the best sets came from"


def needs(history: History) -> dict[Features, int]:
    """For each set that was measured in full, the narrowest beam that keeps one of the sets it is a step away from,
    one of those that this is a step away from, and so on.

    A search with such a beam, where every candidate is measured in full, meets the set, too: its candidates are some
    of those here, so that no set stands further down in its beam. O(sets × beam).
    """
    found: dict[Features, int] = {}
    for _, generation in sorted(history.generations.items()):
        before = history.generations.get(generation.number - 1)
        beam = before.beam if before else ()
        for features, measure in generation.full.items():
            own = tuple(place for place, parent in enumerate(beam, 1) if parent == measure.parent)
            ways = (
                max(place, found.get(beam[place - 1], 1))
                for place in measure.candidate.places or own
                if place <= len(beam)
            )
            found[features] = min(ways, default=1)
    return found


def best_within(history: History, generation: Generation, beam: int) -> Measure | None:
    """The best set of a generation that needs no wider beam."""
    known = needs(history)
    found = (one for features, one in generation.full.items() if known[features] <= beam)
    return min(found, key=lambda one: one.rank(history.metric), default=None)


def beam_table(history: History) -> Table:
    """For each generation the place of its best set's parent, and the beam that this set needed all in all."""
    rows, known = [], needs(history)
    for generation in history.finished:
        best, before = history.best(generation), history.generations.get(generation.number - 1)
        if best is None or before is None or not before.beam:
            continue
        greedy = best_within(history, generation, 1)
        behind = best.score(history.metric) - greedy.score(history.metric) if greedy is not None else None
        place = before.beam.index(best.parent) + 1 if best.parent in before.beam else None
        rows.append((str(generation.number), str(place or ""), str(known[best.features]), number(behind)))
    header = ("generation", "parent's place in the beam", "beam needed", f"{history.metric} more than with a beam of 1")
    return Table(BEAM, header, rows)
