"""The search for a feature set: generation by generation, each a step away from the best sets of the last.

Nilsson and Nugues (2010). Every measure is a job, and goes into the journal as soon as it is there. A search that is
started again takes the same way, and finds in the journal what has been measured before.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from headway.base.errors import HeadwayError, counted
from headway.base.files import assure_folder, write_text
from headway.base.options import listed
from headway.discovery.groups import GroupMoves
from headway.discovery.measure import FULL, LOOK, LOOK_AT_ONE_IN, LOOK_PASSES, Measure, MeasureSetting, model_text
from headway.discovery.measuring import Measuring
from headway.discovery.options import DiscoveryOptions
from headway.discovery.successors import Candidate, Moves
from headway.discovery.treebanks import SearchTreebanks
from headway.evaluation.significance import p_of_counts
from headway.features.language import Feature
from headway.learners.online import Online
from headway.learners.registry import name_of
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import ChosenSystem
from headway.runs.engines import Engine, Shared
from headway.runs.journal import JOURNAL, Journal, Record

VERSION = 1
"""Of what the journal of a search holds."""
SEARCH = "search"
"""What errors call the run that a journal belongs to."""


@dataclass(frozen=True)
class CandidatesMeasured:
    """How far a generation is: candidates measured, of how many."""

    generation: int
    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class GenerationDone:
    """What a generation came to: its best sets, best first."""

    number: int
    beam: tuple[Measure, ...]
    candidates: int
    seconds: float


Event = CandidatesMeasured | GenerationDone


@dataclass(kw_only=True)
class FeatureSearch:
    """A search, which leaves its traces in the folder `OUTPUT.search`: `run` does it, `best` is the best set so far."""

    chosen: DiscoveryOptions
    """What the user has chosen."""
    setting: MeasureSetting
    moves: Moves | GroupMoves
    treebanks: SearchTreebanks
    described: Record
    """What the treebanks are, for journal and reports."""
    output: Path
    start: tuple[Feature, ...] = ()
    best: Measure | None = None
    history: list[GenerationDone] = field(default_factory=list)
    why: str = ""
    """Why the search ended."""

    def options(self) -> Record:
        """All that decides about the result, as it goes into the journal, where their order counts, too."""
        chosen, setting = self.chosen, self.setting
        return {
            "family": setting.family,
            "learner": name_of(setting.learner),
            "pairs": setting.pairs,
            "two_step": getattr(setting.options, "two_step", chosen.two_step),
            "system": asdict(ChosenSystem.of(TransitionOptions(system=chosen.system, root=chosen.root))),
            "encoding": getattr(setting.options, "encoding", chosen.encoding),
            "prune": chosen.prune,
            "metric": setting.metric,
            "definition": setting.definition.brief,
            "folds": setting.folds,
            "seed": chosen.seed,
            "learner_options": asdict(setting.learner),
            "attributes": list(self.moves.attributes),
            "start": [str(feature) for feature in self.start],
            **self._limits(),
        }

    def _limits(self) -> Record:
        """What is true of this kind of search only."""
        own = ("beam", "generations", "threshold", "patience", "significance", "keep", "least", "check_racing")
        moves: Record = {
            "moves": list(listed(self.chosen.moves)),
            "largest": self.chosen.largest,
            "race": self.chosen.races,
        }
        return moves | {"look": LOOK_AT_ONE_IN, "look_passes": LOOK_PASSES} | {n: getattr(self.chosen, n) for n in own}

    @property
    def folder(self) -> Path:
        """Where the journal is."""
        return Path(f"{self.output}.search")

    def seconds_left(self) -> float | None:
        """How long the search may go on, where it has been given a time."""
        return None

    def run(self, workers: Engine) -> Iterator[Event]:
        """Search, from where an earlier run was stopped; yields after each measure and each generation."""
        assure_folder(self.folder)
        columns = self.folder.absolute() / "columns"
        self.setting = replace(self.setting, columns=os.fspath(columns))
        try:
            with Journal(self.folder / JOURNAL, SEARCH) as journal, workers as crew:
                columns.mkdir(exist_ok=True)
                yield from self._searched(crew, crew.share(self.treebanks.packed()), journal)
        finally:
            shutil.rmtree(columns, ignore_errors=True)

    def _searched(self, engine: Engine, shared: Shared, journal: Journal) -> Iterator[Event]:
        options = self.options()
        identity = blake2b(json.dumps([self.treebanks.digest, options]).encode(), digest_size=16).hexdigest()
        records = journal.begin(
            {"kind": "search", "version": VERSION, "treebank": self.described, "options": options, "digest": identity}
        )
        yield from self._walked(Measuring(engine, shared, self.setting, journal, records), records)
        assert self.best is not None
        if not any(record["kind"] == "end" for record in records):
            result = {"generation": self.best_generation, "best": list(self.best.features)}
            journal.append({"kind": "end", "why": self.why, **result})

    def _walked(self, measuring: Measuring, records: Sequence[Record]) -> Iterator[Event]:
        """Go from generation to generation."""
        done = {record["number"]: record["seconds"] for record in records if record["kind"] == "generation"}
        beam, tried, stale = [tuple[Feature, ...]()], {frozenset[Feature]()}, 0
        for number in range(1, self.chosen.generations + 1):
            began, before = time.perf_counter(), self.best
            candidates = self._candidates(beam, tried)
            if not candidates:
                self.why = "nothing was left to try"
                break
            ranking = yield from self._ranked(measuring, number, candidates)
            found = GenerationDone(number, ranking[: self.chosen.beam], len(candidates), time.perf_counter() - began)
            yield self._closed(found, measuring.journal, done)
            tried |= {measure.candidate.identity for measure in ranking}
            beam = [measure.candidate.features for measure in found.beam]
            if self.described.get("test"):
                measuring.later(number, found.beam[0].candidate)
            stale = 0 if before is None or self._is_gain(before, ranking[0]) else stale + 1
            if stale >= self.chosen.patience:
                self.why = f"{counted(stale, 'generation')} brought no gain"
                break
        else:
            self.why = f"generation {self.chosen.generations} was reached"
        for _ in measuring.run(len(self.history), []):
            pass

    def _candidates(self, beam: Sequence[tuple[Feature, ...]], tried: set[frozenset[Feature]]) -> list[Candidate]:
        """The sets one step away from those in the beam, each once, without those that have been measured before."""
        found: dict[frozenset[Feature], Candidate] = {}
        for place, features in enumerate(beam, 1):
            for candidate in self.moves.candidates(features):
                if candidate.identity not in tried:
                    first = found.get(candidate.identity, candidate)
                    found[candidate.identity] = replace(first, places=(*first.places, place))
        return list(found.values())

    def _ranked(
        self, measuring: Measuring, number: int, candidates: Sequence[Candidate]
    ) -> Generator[Event, None, tuple[Measure, ...]]:
        """The candidates that were measured in full, best first."""
        kept = max(self.chosen.least, math.ceil(self.chosen.keep * len(candidates)))
        if self.chosen.races and len(candidates) > kept:
            for done in measuring.run(number, candidates, LOOK):
                yield CandidatesMeasured(number, LOOK, done, len(candidates))
            if not self.chosen.check_racing:
                candidates = [look.candidate for look in self._best_first(measuring, candidates, LOOK)[:kept]]
        for done in measuring.run(number, candidates):
            yield CandidatesMeasured(number, FULL, done, len(candidates))
        return self._best_first(measuring, candidates, FULL)

    def _best_first(self, measuring: Measuring, candidates: Sequence[Candidate], stage: str) -> tuple[Measure, ...]:
        found = (measuring.measured(candidate, stage) for candidate in candidates)
        return tuple(sorted(found, key=self._rank))

    def _rank(self, measure: Measure) -> tuple[float, int, tuple[str, ...]]:
        return measure.rank(self.setting.metric)

    def _closed(self, found: GenerationDone, journal: Journal, done: dict[int, float]) -> GenerationDone:
        """Keep what a generation came to."""
        if found.number not in done:
            beam = [list(measure.features) for measure in found.beam]
            kept = {"number": found.number, "candidates": found.candidates, "beam": beam}
            journal.append({"kind": "generation", **kept, "seconds": round(found.seconds, 3)})
        self.history.append(found)
        if self.best is None or self._rank(found.beam[0]) < self._rank(self.best):
            self.best = found.beam[0]
        return found

    def _is_gain(self, before: Measure, after: Measure) -> bool:
        metric = self.setting.metric
        if after.score(metric) - before.score(metric) <= self.chosen.threshold:
            return False
        return self.chosen.significance is None or p_of_counts(before.right, after.right) < self.chosen.significance

    @property
    def best_generation(self) -> int:
        """The generation of the best set."""
        return next(one.number for one in self.history if self.best and one.beam[0].features == self.best.features)

    def save(self, path: Path | None = None) -> None:
        """Write the best set so far as a feature model, by default to `output`."""
        best = self.best
        if best is None:
            raise HeadwayError("no generation has been measured yet; nothing was written")
        write_text(path or self.output, model_text(self.setting, best.candidate.features, self._about()))

    def _about(self) -> list[str]:
        """How the feature model was found, for the head of its file."""
        setting = self.setting
        assert self.best is not None
        names = list(self.best.scores)
        passes = f", passes {setting.learner.passes}" if setting.learner.way == Online.way else ""  # type: ignore[union-attr]
        how = self.chosen.system if setting.family == "transition" else setting.family
        when = f"generation {self.best_generation} of {self.history[-1].number}"
        lines = [
            f"Found by headway discover on {self.described['train']}: {self.best.shown}",
            f"on {self.described['dev']} ({setting.definition.brief}).",
            f"{how}, {name_of(setting.learner)}{passes}, beam {self.chosen.beam}, by {setting.metric}; {when}.",
            "",
            f"generation {' '.join(f'{name:>6}' for name in names)}  best set: what entered",
        ]
        for one in self.history:
            best = one.beam[0]
            scores = " ".join(f"{best.score(name):{max(6, len(name))}.2f}" for name in names)
            lines.append(f"{one.number:10} {scores}  {best.candidate.step}")
        return lines
