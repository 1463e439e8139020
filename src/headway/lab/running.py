"""Running the tasks of a recipe on an engine, each journaled as it comes, from where an earlier run was stopped."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.version import __version__
from headway.lab.canaries import canary_of, is_changed
from headway.lab.child import TOO_LONG
from headway.lab.jobs import run_task
from headway.lab.recipe import Recipe
from headway.lab.sources import file_of
from headway.lab.tasks import FOUND, TrainingTask, expand, found_by
from headway.runs.engines import Call, Engine, Shared, completed
from headway.runs.journal import Journal, Record, records

VERSION = 1
RUN = "run"
"""What errors call the run of a recipe."""
Files = dict[str, tuple[str, Shared]]


@dataclass(frozen=True)
class TaskDone:
    """A task that has ended: how many have, of how many, why it failed where it did, and about how long is left."""

    task: TrainingTask
    number: int
    total: int
    left: float
    why: str = ""


@dataclass(frozen=True)
class TreebankMissing:
    """A treebank that is not there, and what to do."""

    treebank: str
    why: str


Event = TaskDone | TreebankMissing


def journal_of(recipe: Recipe, output: Path) -> Path:
    """Where a recipe's journal is: NAME.jsonl, in its quick form NAME.quick.jsonl."""
    return output / f"{recipe.identity}.jsonl"


def known_records(recipe: Recipe, output: Path) -> list[Record]:
    """What the journal of a recipe holds so far."""
    path = journal_of(recipe, output)
    return records(path, RUN) if path.exists() else []


def outcomes(found: Iterable[Record]) -> dict[str, Record]:
    """The tasks of a journal by their keys; the last record of a task counts."""
    return {record["key"]: record for record in found if record["kind"] in ("task", "failure")}


@dataclass
class RecipeRun:
    """One run of a recipe."""

    recipe: Recipe
    folder: Path | None
    output: Path
    found: Mapping[str, str] = field(default_factory=dict)
    """The texts of the feature models that searches have found, by their names."""
    again: bool = False
    """Whether results with another canary, or none, are measured again."""
    _shared: dict[Path, tuple[str, Shared]] = field(default_factory=dict)
    _digests: dict[Path, bytes] = field(default_factory=dict)

    def run(self, engine: Engine) -> Iterator[Event]:
        """Run what is still to be done. Yields what is missing, then each task as it ends."""
        every = {task.key: task for _, task in expand(self.recipe)}
        lacking = self._lacking(every.values())
        for treebank, why in sorted({(every[key].treebank, why) for key, why in lacking.items()}):
            yield TreebankMissing(treebank, why)
        tasks = [task for key, task in every.items() if key not in lacking]
        with Journal(journal_of(self.recipe, self.output), RUN) as journal:
            before = journal.begin({"kind": "recipe", "version": VERSION, "digest": self.recipe.identity})
            with engine as crew:
                yield from self._work(crew, journal, tasks, outcomes(before))

    def _work(
        self, engine: Engine, journal: Journal, tasks: Sequence[TrainingTask], known: dict[str, Record]
    ) -> Iterator[TaskDone]:
        digests = {task.key: self._digest(task) for task in tasks}
        todo = [task for task in tasks if not self._settled(task, known.get(task.key), digests[task.key])]
        done, started = len(tasks) - len(todo), time.monotonic()
        weights = {task.key: self._weight(task) for task in todo}
        ended, work = 0.0, sum(weights.values())
        calls = ((run_task, (task, self._files(task, engine))) for task in todo)
        workers = 1 if self.recipe.alone else engine.workers
        for number, outcome in _one_by_one(engine, calls) if self.recipe.alone else completed(engine, calls):
            task = todo[number]
            journal.append({**self._described(task, digests[task.key], workers), **outcome, **_kind(outcome)})
            done, ended = done + 1, ended + weights[task.key]
            left = (time.monotonic() - started) * (work - ended) / ended
            yield TaskDone(task, done, len(tasks), left, outcome.get("why", ""))

    def _lacking(self, tasks: Iterable[TrainingTask]) -> dict[str, str]:
        """The tasks that need a file which is not there, by their keys, and what is said of it."""
        found: dict[str, str] = {}
        for task in tasks:
            try:
                self._paths(task)
            except HeadwayError as error:
                found[task.key] = str(error)
        return found

    def _paths(self, task: TrainingTask) -> dict[str, Path]:
        return {part: file_of(task.source, part, self.folder) for part in task.files} if task.source.treebank else {}

    def _digest(self, task: TrainingTask) -> str:
        """Of all bytes that the task reads."""
        digest = blake2b(digest_size=12)
        for path in self._paths(task).values():
            if path not in self._digests:
                self._digests[path] = blake2b(path.read_bytes()).digest()
            digest.update(self._digests[path])
        digest.update((self._needed(task) or "").encode())
        return digest.hexdigest()

    def _weight(self, task: TrainingTask) -> float:
        """About how long the task takes in proportion to others: the size of its training file."""
        return 1.0 + self._paths(task)["train"].stat().st_size if task.source.treebank else 1e5

    def _needed(self, task: TrainingTask) -> str | None:
        name = found_by(task.options)
        return None if name is None else self.found[name]

    def _files(self, task: TrainingTask, engine: Engine) -> Files:
        files: Files = {}
        for part, path in self._paths(task).items():
            if path not in self._shared:
                self._shared[path] = f"{part}-{path.name}", engine.share(path.read_bytes())
            files[part] = self._shared[path]
        found = self._needed(task)
        return files if found is None else {**files, FOUND: ("found.features", engine.share(found.encode()))}

    @staticmethod
    def _described(task: TrainingTask, digest: str, workers: int) -> Record:
        content = {name: value for name, value in asdict(task).items() if value is not None}
        del content["source"]
        for name in ("text", "confidence"):
            if not content[name]:
                del content[name]
        return {"kind": "", "key": task.key, **content, "digest": digest, "workers": workers, "version": __version__}

    def _settled(self, task: TrainingTask, record: Record | None, digest: str) -> bool:
        """Whether nothing is to be measured again: what took too long is, where it has more time now."""
        if record is None or record["digest"] != digest:
            return False
        if self.again and is_changed(record, canary_of(task)):
            return False
        given_up = bool(record.get(TOO_LONG)) and task.minutes is not None and record["minutes"] >= task.minutes
        return record["kind"] == "task" or given_up


def _kind(outcome: Record) -> Record:
    return {"kind": "failure" if "why" in outcome else "task"}


def _one_by_one(engine: Engine, calls: Iterable[Call]) -> Iterator[tuple[int, Any]]:
    """As `completed`, with never more than one call at work."""
    for number, call in enumerate(calls):
        for _, result in completed(engine, [call]):
            yield number, result
