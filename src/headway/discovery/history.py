"""What the records of a journal say: measures by generation, the best set of each, and how the final one grew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from headway.discovery.measure import TEST, Measure
from headway.discovery.options import FAMILIES
from headway.runs.journal import Record

Features = tuple[str, ...]
DEV = "dev"
"""What columns call the sentences that sets are measured on."""


@dataclass
class Generation:
    """The candidates of a generation, by features; the beam is empty while it is under way."""

    number: int
    looks: dict[Features, Measure] = field(default_factory=dict)
    full: dict[Features, Measure] = field(default_factory=dict)
    beam: tuple[Features, ...] = ()
    seconds: float | None = None

    def ranked(self, metric: str) -> list[Measure]:
        """All candidates, best first: those of the beam, then those measured in full, then those looked at only."""
        places = {features: place for place, features in enumerate(self.beam)}
        only = (look for features, look in self.looks.items() if features not in self.full)
        return sorted(
            (*self.full.values(), *only),
            key=lambda one: (places.get(one.features, len(places)), not one.full, one.rank(metric)),
        )


class History:
    """A search as far as its journal tells it."""

    def __init__(self, records: Iterable[Record]) -> None:
        """The last of two records about the same thing counts."""
        self.search: Record = {}
        self.end: Record | None = None
        self.tested: dict[Features, Measure] = {}
        """On the test treebank."""
        self.generations: dict[int, Generation] = {}
        for record in records:
            self._take(record)

    def _take(self, record: Record) -> None:
        if record["kind"] == "search":
            self.search = record
        elif record["kind"] in ("measure", "test"):
            measure = Measure.of(record)
            if measure.stage == TEST:
                self.tested[measure.features] = measure
                return
            generation = self.generations.setdefault(measure.generation, Generation(measure.generation))
            (generation.full if measure.full else generation.looks)[measure.features] = measure
        elif record["kind"] == "generation":
            generation = self.generations.setdefault(record["number"], Generation(record["number"]))
            generation.beam = tuple(map(tuple, record["beam"]))
            generation.seconds = record.get("seconds")
        elif record["kind"] == "end":
            self.end = record

    @property
    def options(self) -> dict[str, Any]:
        """The options of the search."""
        return dict(self.search.get("options", {}))

    @property
    def metric(self) -> str:
        """What the search optimises, such as LAS."""
        return str(self.options.get("metric", "LAS"))

    @property
    def held_out(self) -> str:
        """What sets are measured on: a search from a whole model measures by cross-validation."""
        return "folds" if "minutes" in self.options else DEV

    @property
    def metrics(self) -> tuple[str, ...]:
        """The scores that its measures have."""
        return FAMILIES[self.options.get("family", "transition")].metrics

    @property
    def finished(self) -> list[Generation]:
        """The generations that have a best set, in order."""
        return [generation for _, generation in sorted(self.generations.items()) if generation.beam]

    def measured(self, features: Features) -> Measure | None:
        """The full measure of a set, in whichever generation it was made."""
        found = (generation.full.get(features) for generation in self.generations.values())
        return next((measure for measure in found if measure is not None), None)

    def best(self, generation: Generation) -> Measure | None:
        """The measure of a generation's best set."""
        return self.measured(generation.beam[0])

    @property
    def final(self) -> Features:
        """The set that the search found, or the best one so far."""
        if self.end is not None and self.end.get("best"):
            return tuple(self.end["best"])
        best = [one for one in map(self.best, self.finished) if one is not None]
        return max(best, key=lambda one: one.score(self.metric)).features if best else ()

    def lineage(self) -> dict[int, Measure]:
        """By generation: the set from which the final one grew, up to the final one itself."""
        steps: dict[int, Measure] = {}
        measure = self.measured(self.final)
        while measure is not None and measure.generation not in steps:
            steps[measure.generation] = measure
            measure = self.measured(measure.parent)
        return steps


def beams_needed(history: History) -> dict[Features, int]:
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
            places = (place for place in measure.candidate.places or own if place <= len(beam))
            found[features] = min((max(place, found.get(beam[place - 1], 1)) for place in places), default=1)
    return found


def best_within(history: History, generation: Generation, beam: int) -> Measure | None:
    """The best set of a generation that needs no wider beam."""
    known = beams_needed(history)
    found = (one for features, one in generation.full.items() if known[features] <= beam)
    return min(found, key=lambda one: one.rank(history.metric), default=None)


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


def full_measures(history: History) -> dict[frozenset[str], Measure]:
    """All sets that were measured in full, whatever the order of their features."""
    every = (generation.full for generation in history.generations.values())
    return {frozenset(features): measure for found in every for features, measure in found.items()}
