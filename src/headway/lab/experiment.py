"""Running recipes, each task journaled as it comes, from where an earlier run was stopped; and where they stand.

Of the own journal of a search, that of the recipe keeps what reports show.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError
from headway.base.files import assure_folder
from headway.base.imports import parts_to_import, with_parts
from headway.base.version import __version__
from headway.discovery.discover import discovery_from
from headway.discovery.history import Features, History, best_within
from headway.discovery.options import FAMILIES, DiscoveryOptions
from headway.discovery.report import IN_FULL, LISTED
from headway.discovery.search import GenerationDone
from headway.lab.canaries import canary_of, canary_of_search, is_changed, made_by
from headway.lab.jobs import TOO_LONG, run_task
from headway.lab.recipe import Recipe, SearchPlan
from headway.lab.results import RUN, SEARCH, asked_of, header_of, journal_of, outcomes, results
from headway.lab.sources import TreebankMissing, file_of, sentences_of, treebanks_in
from headway.lab.tasks import FOUND, TrainingTask, expand, found_by, size_of
from headway.runs.engines import CommandEngine, Engine, completed, engine_from
from headway.runs.journal import JOURNAL, Journal, Record, records

OUTPUT = "experiments"
"""The folder of journals where none is named."""


@dataclass(frozen=True)
class TaskDone:
    """A task that has ended: how many have, of how many, why it failed where it did, and about how long is left."""

    task: TrainingTask
    number: int
    total: int
    left: float
    why: str = ""


Event = TaskDone | TreebankMissing | GenerationDone


def run(
    recipe: Recipe,
    *,
    treebanks: str | None = None,
    output: str | os.PathLike[str] = OUTPUT,
    engine: str | Executor | None = None,
    jobs: int | None = None,
    stale: bool = False,
) -> Iterator[Event]:
    """Run a recipe, from where an earlier run was stopped; yields what is missing and what has been done.

    `engine` is `dask://HOST:PORT` or an executor, by default this machine, with as many processes as cores or `jobs`.
    With `stale`, results with another canary, or none, are measured again.
    """
    with with_parts([*parts_to_import(), *recipe.imports]):
        yield from _run(recipe, treebanks, output, engine, jobs, stale)


def _run(
    recipe: Recipe,
    treebanks: str | None,
    output: str | os.PathLike[str],
    engine: str | Executor | None,
    jobs: int | None,
    stale: bool,
) -> Iterator[Event]:
    folder, place = treebanks_in(treebanks), assure_folder(output)
    for search in recipe.searches.values():
        for event in searched(recipe, search, folder, place, engine_from(engine, jobs), stale):
            yield event
            if isinstance(event, TreebankMissing):
                return
    found = {name: record["found"] for name, record in results(recipe, place).searches.items()}
    ready: list[ReadyTask] = []
    missing: set[tuple[str, str]] = set()
    for task in {task.key: task for _, task in expand(recipe)}.values():
        try:
            ready.append(_ready(task, folder, found))
        except HeadwayError as error:
            missing.add((task.treebank, str(error)))
    yield from (TreebankMissing(*one) for one in sorted(missing))
    with Journal(journal_of(recipe, place), RUN) as journal:
        known = outcomes(journal.begin(header_of(recipe)))
        todo = [one for one in ready if not _is_settled(one, known.get(one.task.key), stale)]
        with engine_from(engine, jobs, CommandEngine) as crew:
            yield from _work(recipe, crew, journal, todo, len(ready))


class ReadyTask(NamedTuple):
    """A task with its files, the feature model that a search has found for it, and a digest of all of that."""

    task: TrainingTask
    paths: Mapping[str, Path]
    features: str | None
    digest: str

    @property
    def weight(self) -> float:
        """About how long it takes in proportion to others: the size of its training file."""
        return 1.0 + self.paths["train"].stat().st_size if self.paths else 1e5


def _ready(task: TrainingTask, folder: Path | None, found: Mapping[str, str]) -> ReadyTask:
    source, name = task.source, found_by(task.options)
    paths = {part: file_of(source, part, folder) for part in task.files} if source.treebank else {}
    features = None if name is None else found[name]
    content = b"".join(_digest(path, path.stat().st_mtime_ns) for path in paths.values())
    digest = blake2b(content + (features or "").encode(), digest_size=12)
    return ReadyTask(task, paths, features, digest.hexdigest())


@cache
def _digest(path: Path, changed: int) -> bytes:
    return blake2b(path.read_bytes()).digest()


def _is_settled(ready: ReadyTask, record: Record | None, again: bool) -> bool:
    """Whether nothing is to be measured again: what took too long is, where it has more time now."""
    if record is None or record["digest"] != ready.digest:
        return False
    if record["kind"] == "task":
        return not (again and is_changed(record, canary_of(ready.task)))
    minutes = ready.task.minutes
    return bool(record.get(TOO_LONG)) and minutes is not None and record["minutes"] >= minutes


def _work(recipe: Recipe, engine: Engine, journal: Journal, todo: list[ReadyTask], total: int) -> Iterator[TaskDone]:
    shared = cache(lambda path: engine.share(path.read_bytes()))

    def files(ready: ReadyTask) -> dict[str, tuple[str, Any]]:
        given = {part: (f"{part}-{path.name}", shared(path)) for part, path in ready.paths.items()}
        if ready.features is not None:
            given[FOUND] = "found.features", engine.share(ready.features.encode())
        return given

    calls = ((run_task, (one.task, files(one), parts_to_import())) for one in todo)
    workers = 1 if recipe.alone else engine.workers
    weights = [one.weight for one in todo]
    done, ended, started = total - len(todo), 0.0, time.monotonic()
    found: Iterable[tuple[int, Any]] = completed(engine, calls)
    if recipe.alone:  # Never more than one call is at work.
        found = ((number, result) for number, call in enumerate(calls) for _, result in completed(engine, [call]))
    for number, outcome in found:
        task = todo[number].task
        kind = "failure" if "why" in outcome else "task"
        of_run = {"digest": todo[number].digest, "workers": workers, "version": __version__}
        said = {name: value for name, value in asdict(task).items() if value is not None and name != "source"}
        content = {
            name: value for name, value in said.items() if value or name not in ("text", "confidence", "imports")
        }
        journal.append({"kind": kind, "key": task.key, **content, **of_run, **outcome})
        done, ended = done + 1, ended + weights[number]
        left = (time.monotonic() - started) * (sum(weights) - ended) / ended
        yield TaskDone(task, done, total, left, outcome.get("why", ""))


class Status(NamedTuple):
    """How far a recipe is. If asked for: of what is done, how much has another canary today, and how much has none."""

    done: int
    failed: int
    total: int
    stale: int | None = None
    unchecked: int | None = None


def status(recipe: Recipe, output: str | os.PathLike[str] = OUTPUT, *, stale: bool = False) -> Status:
    """How many of a recipe's tasks its journal holds; each search counts as one.

    With `stale`, results are checked: one short training for each set of options.
    """
    found = results(recipe, Path(output))
    count = len(found.done)
    known = Status(count, len(found.tasks) + len(found.searches) - count, size_of(recipe))
    if not stale:
        return known
    canaries = [(record, canary_of(task)) for task, record in found.tasks.values() if record["kind"] == "task"]
    canaries += [(one, canary_of_search(recipe.searches[name].options)) for name, one in found.searches.items()]
    changed = [record for record, canary in canaries if is_changed(record, canary)]
    unchecked = sum("canary" not in record for record in changed)
    return known._replace(stale=len(changed) - unchecked, unchecked=unchecked)


RANKED, RIVALS = 3, 2
"""In the first generations the best successors of each parent are compared with each other: so many of each."""


def searched(
    recipe: Recipe, search: SearchPlan, folder: Path | None, output: Path, engine: Engine, again: bool = False
) -> Iterator[GenerationDone | TreebankMissing]:
    """Search, from where an earlier run was stopped; yields after each generation, or what is missing.

    With `again`, a search with another canary, or none, is made again.
    """
    source, asked = recipe.sources[search.treebank], asked_of(recipe, search)
    try:
        files = {part: str(file_of(source, part, folder)) for part in ("train", "test") if source.treebank}
    except HeadwayError as error:
        yield TreebankMissing(search.treebank, str(error))
        return
    digest = blake2b(json.dumps(asked).encode(), digest_size=12)
    for path in files.values():
        digest.update(Path(path).read_bytes())
    key = digest.hexdigest()
    known = results(recipe, output).searches.get(search.name)
    is_known = known is not None and known["key"] == key
    if is_known and not again:
        return
    canary = canary_of_search(search.options)
    if known is not None and is_known and not is_changed(known, canary):
        return
    train, test = (list(sentences_of(source, part, files)) for part in ("train", "test"))
    train = train[: source.first]
    # Code that searches differently does not go on with a search that this one began.
    place = blake2b(f"{key} {canary}".encode(), digest_size=4).hexdigest()
    target = journal_of(recipe, output).with_suffix(f".{place}.features")
    counted = {"definition": recipe.definition, "punctuation": recipe.punctuation}
    family = search.options.get("parser", DiscoveryOptions.parser)
    how = {**{name: one for name, one in counted.items() if name not in FAMILIES[family].foreign}, **search.options}
    discovery = discovery_from(train[: recipe.sentences], test=test[: recipe.tested], output=target, **how)
    for event in discovery.run(engine):
        if isinstance(event, GenerationDone):
            yield event
    discovery.save()
    record: Record = {"kind": SEARCH, "name": search.name, "key": key, "asked": asked}
    record |= {"found": target.read_text("utf-8"), "canary": canary, **made_by()}
    with Journal(journal_of(recipe, output), RUN) as journal:
        journal.begin(header_of(recipe))
        journal.append({**record, "records": trimmed(records(discovery.folder / JOURNAL, SEARCH))})


def trimmed(found: list[Record]) -> list[Record]:
    """The records that tables show, and words right by sentence only where a p-value needs them."""
    history = History(found)
    tested, kept = _tested(history), list[Record]()
    shown: set[tuple[int, str, Features]] = set()
    for generation in history.generations.values():
        listed: dict[Features, int] = {}
        for measure in generation.ranked(history.metric):
            listed[measure.parent] = listed.get(measure.parent, 0) + 1
            in_ranking = measure.features in generation.beam or listed[measure.parent] <= LISTED
            if generation.number <= IN_FULL or in_ranking:
                shown.add((generation.number, "full" if measure.full else "look", measure.features))
    for record in found:
        features = tuple(record.get("features", ()))
        if record["kind"] != "measure":
            kept.append(record)
        elif (record["generation"], record["stage"], features) in shown:
            right: dict[str, Any] = {} if features in tested and record["stage"] == "full" else {"right": []}
            kept.append({**record, **right})
    return kept


def _tested(history: History) -> set[Features]:
    """The sets that p-values are about: the best of each generation, with narrower beams too, and the first rivals."""
    found: set[Features] = set()
    for generation in history.finished:
        within = (best_within(history, generation, beam) for beam in range(1, len(generation.beam) + 1))
        found |= {generation.beam[0], *(one.features for one in within if one is not None)}
        rivals: dict[Features, list[Features]] = {}
        for measure in generation.ranked(history.metric) if generation.number <= RANKED else ():
            rivals.setdefault(measure.parent, []).append(measure.features)
        found |= {features for several in rivals.values() for features in several[:RIVALS]}
    return found
