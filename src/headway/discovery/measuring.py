"""Measures as jobs of workers: what the journal has is not measured again, what is new goes into it."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from headway.discovery.evaluators import Evaluator, TransitionEvaluator
from headway.discovery.measure import FULL, TEST, Measure, MeasureSetting
from headway.discovery.moves import Candidate
from headway.discovery.treebanks import SearchTreebanks
from headway.features.language import Feature, Term
from headway.runs.engines import Engine, Shared, completed
from headway.runs.journal import Journal, Record

Key = tuple[str, tuple[Feature, ...]]
"""How a set was measured, and the set, in its order."""
_here = threading.local()


class Measuring:
    """Runs the measures of a search."""

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


def measure(setting: MeasureSetting, shared: Shared, candidate: Candidate, stage: str, generation: int) -> Measure:
    """A job: measure one candidate."""
    return evaluator_of(setting, shared).measure(candidate, stage, generation)


def prepare(setting: MeasureSetting, shared: Shared, terms: tuple[Term, ...]) -> None:
    """A job: find the columns of terms before many workers need them.

    No measure depends on it. A worker whose folder lacks a column, as on another machine, finds it itself.
    """
    evaluator_of(setting, shared).prepare(terms)


def evaluator_of(setting: MeasureSetting, shared: Shared) -> Evaluator:
    """The evaluator of a worker, made ready with its first job; each thread has its own."""
    if getattr(_here, "of", None) != (setting, shared):
        treebanks = SearchTreebanks.unpacked(shared.read())
        kind = _transition_evaluator if setting.family == "transition" else Evaluator
        _here.evaluator = kind(setting, treebanks)
        _here.of = setting, shared
    evaluator: Evaluator = _here.evaluator
    return evaluator


def _transition_evaluator(setting: MeasureSetting, treebanks: SearchTreebanks) -> TransitionEvaluator:
    """One on the columns that all workers of this machine share; on another machine, on a folder of its own."""
    if setting.columns is not None and os.access(setting.columns, os.W_OK):
        return TransitionEvaluator(setting, treebanks, setting.columns)
    own = tempfile.mkdtemp(prefix="headway-")
    evaluator = TransitionEvaluator(setting, treebanks, own)
    weakref.finalize(evaluator, shutil.rmtree, own, ignore_errors=True)
    return evaluator
