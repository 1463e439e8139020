"""Measures as jobs: what the journal has is not measured again, what is new goes into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from headway.discovery.bench import FULL, TEST, Setting, measure, prepare
from headway.discovery.moves import Candidate
from headway.runs.engines import Engine, Shared, completed
from headway.runs.journal import Journal, Record


@dataclass(frozen=True)
class Scored:
    """A candidate with its scores, and for each sentence the words that are right by the metric of the search."""

    candidate: Candidate
    uas: float
    las: float
    right: tuple[int, ...]

    @property
    def rank(self) -> tuple[int, int, tuple[str, ...]]:
        """The best come first; of equals the smaller set, then the first in the alphabet."""
        features = self.candidate.features
        return -sum(self.right), len(features), tuple(map(str, features))


class Measuring:
    """Runs the measures of a search."""

    def __init__(
        self, engine: Engine, shared: Shared, setting: Setting, journal: Journal, records: Sequence[Record]
    ) -> None:
        self.engine, self.shared, self.setting, self.journal = engine, shared, setting, journal
        self.known: dict[tuple[str, tuple[str, ...]], Record] = {}
        for record in records:
            if record["kind"] in ("measure", "test"):
                self.known[record.get("stage", TEST), tuple(record["features"])] = record
        self.waiting: list[tuple[int, Candidate]] = []
        self.prepared: set[str] = set()
        """Terms whose columns workers have found."""

    def later(self, generation: int, candidate: Candidate) -> None:
        """Measure a candidate on the test treebank together with what is measured next."""
        self.waiting.append((generation, candidate))

    def run(self, generation: int, candidates: Sequence[Candidate], stage: str = FULL) -> Iterator[int]:
        """Measure candidates; yields how many have been after each."""
        todo = [(generation, candidate, stage) for candidate in candidates]
        tests = [(number, candidate, TEST) for number, candidate in self.waiting]
        self.waiting = []
        missing = [job for job in (*tests, *todo) if _key(*job[1:]) not in self.known]
        done = len(todo) - sum(job[2] == stage for job in missing)
        if done:
            yield done
        self._prepare(candidate for _, candidate, _ in missing)
        calls = ((measure, (self.setting, self.shared, *reversed(_key(*job[1:])))) for job in missing)
        for number, result in completed(self.engine, calls):
            which, candidate, how = missing[number]
            features = [str(feature) for feature in candidate.features]
            scores = {"uas": result.uas, "las": result.las, "right": result.right}
            if how == TEST:
                record = {"kind": "test", "generation": which, "features": features, **scores}
            else:
                record = {
                    "kind": "measure",
                    "generation": which,
                    "stage": how,
                    "features": features,
                    "step": candidate.step,
                    "parent": [str(feature) for feature in candidate.parent],
                    "places": list(candidate.places),
                    **scores,
                    "seconds": round(result.seconds, 3),
                }
            self.journal.append(record)
            self.known[how, tuple(features)] = record
            if how == stage:
                done += 1
                yield done

    def _prepare(self, candidates: Iterable[Candidate]) -> None:
        """Let each worker find some of the columns that candidates need, before all of them need the same."""
        terms = (str(term) for candidate in candidates for feature in candidate.features for term in feature.terms)
        new = [term for term in dict.fromkeys(terms) if term not in self.prepared]
        workers = max(1, self.engine.workers)
        shares = [tuple(new[first::workers]) for first in range(min(workers, len(new)))]
        for _ in completed(self.engine, ((prepare, (self.setting, self.shared, share)) for share in shares)):
            pass
        self.prepared.update(new)

    def scored(self, candidate: Candidate, stage: str = FULL) -> Scored:
        """A candidate that has been measured, with its scores."""
        record = self.known[_key(candidate, stage)]
        return Scored(candidate, record["uas"], record["las"], tuple(record["right"]))


def _key(candidate: Candidate, stage: str) -> tuple[str, tuple[str, ...]]:
    return stage, tuple(map(str, candidate.features))
