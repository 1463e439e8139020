"""Runs the measures of a search as jobs, and keeps them in its journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from headway.discovery.evaluators import measure, prepare
from headway.discovery.measure import FULL, TEST, Measure, MeasureSetting
from headway.discovery.successors import Candidate
from headway.features.language import Feature, Term
from headway.runs.engines import Engine, Shared, completed
from headway.runs.journal import Journal, Record

Key = tuple[str, tuple[Feature, ...]]
"""How a set was measured, and the set, in its order."""


class Measuring:
    """Runs the measures of a search: what the journal has is not measured again, what is new goes into it."""

    def __init__(
        self, engine: Engine, shared: Shared, setting: MeasureSetting, journal: Journal, records: Sequence[Record]
    ) -> None:
        self.engine, self.shared, self.setting, self.journal = engine, shared, setting, journal
        found = (Measure.of(record) for record in records if record["kind"] in ("measure", "test"))
        self.known: dict[Key, Measure] = {(one.stage, one.candidate.features): one for one in found}
        self.waiting: list[tuple[Candidate, str, int]] = []
        self.prepared: set[Term] = set()
        """Terms whose columns workers have found."""

    def later(self, generation: int, candidate: Candidate) -> None:
        """Measure a candidate on the test treebank together with what is measured next."""
        self.waiting.append((candidate, TEST, generation))

    def run(self, generation: int, candidates: Sequence[Candidate], stage: str = FULL) -> Iterator[int]:
        """Measure candidates; yields how many have been after each."""
        todo = [*self.waiting, *((candidate, stage, generation) for candidate in candidates)]
        self.waiting = []
        missing = [job for job in todo if (job[1], job[0].features) not in self.known]
        done = len(candidates) - sum(how == stage for _, how, _ in missing)
        if done:
            yield done
        self._prepare(candidate for candidate, _, _ in missing)
        calls = ((measure, (self.setting, self.shared, *job)) for job in missing)
        for _, found in completed(self.engine, calls):
            self.journal.append(found.record)
            self.known[found.stage, found.candidate.features] = found
            if found.stage == stage:
                done += 1
                yield done

    def _prepare(self, candidates: Iterable[Candidate]) -> None:
        """Let each worker find some of the columns that candidates need, before all of them need the same."""
        terms = (term for candidate in candidates for feature in candidate.features for term in feature.terms)
        new = [term for term in dict.fromkeys(terms) if term not in self.prepared]
        workers = max(1, self.engine.workers)
        shares = [tuple(new[first::workers]) for first in range(min(workers, len(new)))]
        for _ in completed(self.engine, ((prepare, (self.setting, self.shared, share)) for share in shares)):
            pass
        self.prepared.update(new)

    def measured(self, candidate: Candidate, stage: str = FULL) -> Measure:
        """What a candidate came to; an earlier generation may have met the same set on another way."""
        return replace(self.known[stage, candidate.features], candidate=candidate)
