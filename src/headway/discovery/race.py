"""The search that begins at a whole feature model: candidates race on growing stretches of the training treebank.

Each generation tries all groups of `groups` on the set so far. The first stretch is cheap, so all candidates run it;
the best run the longer ones (successive halving: Jamieson and Talwalkar 2016), and those far behind are tried again
only when nothing else helps. What wins on the training treebank must be better on the development treebank, too, or
the start is returned.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from headway.discovery.measure import DEV, FULL, HALF, QUARTER, TEST, Measure
from headway.discovery.measuring import Measuring
from headway.discovery.search import CandidatesMeasured, Event, FeatureSearch, GenerationDone
from headway.discovery.successors import Candidate
from headway.evaluation.significance import p_of_counts
from headway.features.language import distinct
from headway.runs.journal import Record
from headway.show.reports.page import p_text

STRETCHES = (QUARTER, HALF, FULL)
"""Learn from a quarter and parse the rest; from each half; from three quarters, four times."""
TRAININGS = 3
"""The longest stretch takes about so many trainings on the whole treebank."""
KEPT = {QUARTER: 0.2, HALF: 0.15}
"""The share of candidates that go on to the next stretch."""
LEAST = {QUARTER: 8, HALF: 3}
"""So many go on at least."""
AGAIN = 0.3
"""The share of a generation's steps that the next one tries first, beside those that it makes possible."""
BETTER = 1.5
"""So many standard errors of the difference a step must bring to be taken."""
P = 0.1
"""The p-value, two-sided, below which a set is surely better on the development treebank."""
SHARE = 0.5
"""The share of the time left that the first stretch of a generation may take."""


@dataclass(kw_only=True)
class GroupSearch(FeatureSearch):
    """A search by whole groups of features from `start`, which it returns where nothing is surely better."""

    hopeless: set[str] = field(default_factory=set)
    """Steps that were among the worse ones."""
    ended: float = math.inf
    """When the time is over."""
    cuts: set[tuple[int, str]] = field(default_factory=set)
    """Generations and stretches in which the time was over, in this run or an earlier one."""

    def seconds_left(self) -> float:
        """Until the time is over."""
        return max(0.0, min(60 * self.chosen.minutes, self.ended - time.perf_counter()))

    def _limits(self) -> Record:
        """What decides about this kind of search only."""
        return {name: getattr(self.chosen, name) for name in ("minutes", "generations", "significance")}

    def _walked(self, measuring: Measuring, records: Sequence[Record]) -> Iterator[Event]:
        """Go from generation to generation, then compare with the start."""
        began = time.perf_counter()
        self.cuts = {(record["generation"], record["stage"]) for record in records if record["kind"] == "cut"}
        done = {record["number"]: record["seconds"] for record in records if record["kind"] == "generation"}
        found, tried = Candidate(self.start, (), "start"), {frozenset(self.start)}
        yield from self._prepared(measuring, 0, found)
        start = measuring.measured(found)
        yield self._closed(GenerationDone(0, (start,), 1, time.perf_counter() - began), measuring.journal, done)
        check = 2 * len(DEV) * start.seconds / TRAININGS / max(1, measuring.engine.workers)
        self.ended = (
            began + 60 * self.chosen.minutes - check - sum(seconds for number, seconds in done.items() if number)
        )
        for number in range(1, self.chosen.generations + 1):
            began = time.perf_counter()
            candidates, best = self._candidates([found.features], tried), None
            promising = [one for one in candidates if one.step not in self.hopeless]
            for some in (promising, [one for one in candidates if one not in promising]):
                if best is None:
                    tried |= {one.identity for one in some}
                    best = yield from self._raced(measuring, number, found, some)
            if best is None:
                over = any((number, stage) in self.cuts for stage in STRETCHES)
                self.why = f"{self.chosen.minutes:g} minutes were over" if over else "nothing else helped"
                break
            found, took = best.candidate, time.perf_counter() - began
            yield self._closed(GenerationDone(number, (best,), len(candidates), took), measuring.journal, done)
        else:
            self.why = f"generation {self.chosen.generations} was reached"
        yield from self._confirmed(measuring, start, found)

    def _prepared(self, measuring: Measuring, number: int, base: Candidate) -> Iterator[Event]:
        """Measure on all stretches what candidates are compared with."""
        for at, stage in enumerate(STRETCHES, 1):
            for _ in measuring.run(number, [base], stage):
                yield CandidatesMeasured(number, stage, at, len(STRETCHES))

    def _raced(
        self, measuring: Measuring, number: int, base: Candidate, candidates: Sequence[Candidate]
    ) -> Generator[Event, None, Measure | None]:
        """The best candidate if it is better than the base; None too where the time is over before."""
        yield from self._prepared(measuring, number, base)
        racing, gains = list(candidates), dict[Candidate, tuple[int, float]]()
        for at, stage in enumerate(STRETCHES, 1):
            yield from self._measured(measuring, number, racing, stage)
            racing = [one for one in racing if (stage, one.features) in measuring.known]
            gains |= {one: _gain(measuring, base, one, STRETCHES[:at]) for one in racing}
            racing.sort(key=lambda one: (-gains[one][0], len(one.features), one.step))
            if stage == QUARTER:
                self.hopeless |= {one.step for one in racing[math.ceil(AGAIN * len(racing)) :]}
            if stage != FULL:
                kept = max(LEAST[stage], math.ceil(KEPT[stage] * len(racing)))
                racing = [one for one in racing[:kept] if gains[one][0] > 0]
            if stage == HALF:
                both = _together(base, racing[:3])
                for before in (QUARTER, HALF):
                    yield from self._measured(measuring, number, both, before)
                racing += [
                    one for one in both if all((each, one.features) in measuring.known for each in (QUARTER, HALF))
                ]
        if not racing or gains[racing[0]][1] < BETTER:
            return None
        return measuring.measured(racing[0])

    def _measured(
        self, measuring: Measuring, number: int, candidates: Sequence[Candidate], stage: str
    ) -> Iterator[CandidatesMeasured]:
        """Measure candidates until the time is over; those that are not measured by then leave the race.

        The journal says where it was over, so that a search that is run again does not measure more.
        """
        if (number, stage) in self.cuts:
            return
        now = time.perf_counter()
        until = now + SHARE * (self.ended - now) if stage == QUARTER else self.ended
        for done in measuring.run(number, candidates, stage):
            yield CandidatesMeasured(number, stage, done, len(candidates))
            if done < len(candidates) and time.perf_counter() > until:
                self.cuts.add((number, stage))
                measuring.journal.append({"kind": "cut", "generation": number, "stage": stage})
                return

    def _confirmed(self, measuring: Measuring, start: Measure, found: Candidate) -> Iterator[Event]:
        """Return what was found only if it is surely better on the development treebank, with several seeds."""
        if found.features == start.candidate.features:
            self.why = f"{self.why}; nothing is better than the start, which is returned"
            return
        number, both = self.history[-1].number, [start.candidate, found]
        for at, stage in enumerate(DEV, 1):
            for _ in measuring.run(number, both, stage):
                yield CandidatesMeasured(number, stage, at, len(DEV))
        if self.described.get("test"):
            for _ in measuring.run(number, both, TEST):
                pass
        had, new = (_mean([measuring.measured(one, stage) for stage in DEV]) for one in both)
        p = p_of_counts(had.right, new.right)
        limit = P if self.chosen.significance is None else self.chosen.significance
        is_better = sum(new.right) > sum(had.right) and p <= limit
        metric = self.setting.metric
        compared = f"{metric} {new.score(metric):.2f} against {had.score(metric):.2f}, p = {p_text(p, 3)}"
        verdict = "" if is_better else "; that is not surely better than the start, which is returned"
        self.why = f"{self.why}; on {self.described['dev']}: {compared}{verdict}"
        self.best = replace(new if is_better else had, generation=number if is_better else 0)

    def _about(self) -> list[str]:
        """How the feature model was found, for the head of its file."""
        assert self.best is not None
        steps = [f"{one.number:4} {one.beam[0].shown}: {one.beam[0].step}" for one in self.history]
        lines = [
            f"Found by headway discover on {self.described['train']} from a set of {len(self.start)} features.",
            self.why,
        ]
        return [*lines, "", "Scores by cross-validation on the training treebank, generation by generation:", *steps]


def _gain(measuring: Measuring, base: Candidate, one: Candidate, stages: Sequence[str]) -> tuple[int, float]:
    """How many words more are right than with the base, and that in standard errors, by sentence."""
    pairs = [(measuring.measured(one, stage).right, measuring.measured(base, stage).right) for stage in stages]
    differences = np.concatenate([np.subtract(*pair) for pair in pairs])
    total = int(differences.sum())
    return total, total / max(1.0, math.sqrt(int((differences**2).sum())))


def _together(base: Candidate, best: Sequence[Candidate]) -> list[Candidate]:
    """The changes of two candidates, or of all, at once, where that makes a set that is none of theirs."""
    had, found = set(base.features), {one.identity: one for one in best}
    for some in [*combinations(best, 2), *([tuple(best)] if len(best) > 2 else [])]:
        kept = [one for one in base.features if all(one in other.features for other in some)]
        new = distinct(one for other in some for one in other.features if one not in had)
        both = Candidate((*kept, *new), base.features, " and ".join(one.step for one in some))
        found.setdefault(both.identity, both)
    return list(found.values())[len(best) :]


def _mean(measures: Sequence[Measure]) -> Measure:
    """Several measures of the same set as one: mean scores, words right in all."""
    scores = {name: sum(one.score(name) for one in measures) / len(measures) for name in measures[0].scores}
    right = np.sum([one.right for one in measures], axis=0)
    return replace(measures[0], scores=scores, right=tuple(right.tolist()))
