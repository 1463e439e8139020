"""The search of a recipe; of the search's own journal, that of the recipe keeps what reports show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError
from headway.base.version import __version__
from headway.discovery.discover import discovery_from
from headway.discovery.history import Features, History, best_within
from headway.discovery.options import FOREIGN, DiscoveryOptions
from headway.discovery.reports.tables import IN_FULL, LISTED
from headway.discovery.search import GenerationDone
from headway.evaluation.metrics.definitions import ALL
from headway.lab.canaries import canary_of_search
from headway.lab.code import changed, code_of_search
from headway.lab.recipe import Recipe, SearchPlan
from headway.lab.running import RUN, VERSION, TreebankMissing, journal_of, known_records
from headway.lab.sources import file_of, sentences_of
from headway.lab.tasks import FOUND
from headway.runs.engines import Engine
from headway.runs.journal import JOURNAL, Journal, Record, records

SEARCH = "search"
RANKED, RIVALS = 3, 2
"""In the first generations the best successors of each parent are compared with each other: so many of each."""


def searches_in(found: Iterable[Record], recipe: Recipe) -> dict[str, Record]:
    """What the journal of a recipe keeps of its searches, as the recipe now has them."""
    kept = {record.get("name", FOUND): record for record in found if record["kind"] == SEARCH}
    return {
        name: kept[name]
        for name, search in recipe.searches.items()
        if name in kept and kept[name].get("asked", asked := _asked(recipe, search)) == asked
    }


def searched(
    recipe: Recipe, search: SearchPlan, folder: Path | None, output: Path, engine: Engine, again: bool = False
) -> Iterator[GenerationDone | TreebankMissing]:
    """Search, from where an earlier run was stopped; yields after each generation, or what is missing.

    With `again`, what other code has found is searched for again.
    """
    source = recipe.sources[search.treebank]
    try:
        files = {part: str(file_of(source, part, folder)) for part in ("train", "test") if source.treebank}
    except HeadwayError as error:
        yield TreebankMissing(search.treebank, str(error))
        return
    key = _key(files, recipe, search)
    known = searches_in(known_records(recipe, output), recipe).get(search.name)
    code = code_of_search(search.options)
    if known is not None and known["key"] == key and not (again and changed(known.get("code"), code)):
        return
    train, test = (list(sentences_of(source, part, files)) for part in ("train", "test"))
    train = train[: source.first]
    # Other code does not go on with a search that this one began.
    place = blake2b(f"{key} {sorted(code.items())}".encode(), digest_size=4).hexdigest()
    target = journal_of(recipe, output).with_suffix(f".{place}.features")
    counted = {"definition": recipe.definition, "punctuation": recipe.punctuation}
    family = search.options.get("parser", DiscoveryOptions.parser)
    how = {**{name: one for name, one in counted.items() if name not in FOREIGN[family]}, **search.options}
    discovery = discovery_from(train[: recipe.sentences], test=test[: recipe.tested], output=target, **how)
    for event in discovery.run(engine):
        if isinstance(event, GenerationDone):
            yield event
    discovery.save()
    kept = trimmed(records(discovery.folder / JOURNAL, SEARCH))
    with Journal(journal_of(recipe, output), RUN) as journal:
        journal.begin({"kind": "recipe", "version": VERSION, "digest": recipe.identity})
        record: Record = {"kind": SEARCH, "name": search.name, "key": key, "asked": _asked(recipe, search)}
        record |= {"found": target.read_text("utf-8"), "version": __version__, "code": dict(code)}
        record["canary"] = canary_of_search(search.options)
        journal.append({**record, "records": kept})


def _asked(recipe: Recipe, search: SearchPlan) -> list[Any]:
    """What a search depends on, but for the text of the treebank, as JSON has it."""
    source = asdict(recipe.sources[search.treebank])
    own = {name: value for name, value in source.items() if value and name != "treebank"}
    if recipe.definition != ALL.name:  # so that journals from before there was such an entry go on
        own |= {"definition": recipe.definition, "punctuation": recipe.punctuation}
    asked = [dict(search.options), recipe.sentences, recipe.tested, *([own] if own else [])]
    found: list[Any] = json.loads(json.dumps(asked))
    return found


def _key(files: dict[str, str], recipe: Recipe, search: SearchPlan) -> str:
    digest = blake2b(json.dumps(_asked(recipe, search)).encode(), digest_size=12)
    for path in files.values():
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def trimmed(found: list[Record]) -> list[Record]:
    """The records that tables show, and words right by sentence only where a p-value needs them."""
    history = History(found)
    shown, tested = _shown(history), _tested(history)
    kept: list[Record] = []
    for record in found:
        features = tuple(record.get("features", ()))
        if record["kind"] != "measure":
            kept.append(record)
        elif (record["generation"], record["stage"], features) in shown:
            right: dict[str, Any] = {} if features in tested and record["stage"] == "full" else {"right": []}
            kept.append({**record, **right})
    return kept


def _shown(history: History) -> set[tuple[int, str, Features]]:
    """Generation, stage and features of the measures in the rankings."""
    found: set[tuple[int, str, Features]] = set()
    for generation in history.generations.values():
        listed: dict[Features, int] = {}
        for measure in generation.ranked(history.metric):
            listed[measure.parent] = listed.get(measure.parent, 0) + 1
            kept = measure.features in generation.beam or listed[measure.parent] <= LISTED
            if generation.number <= IN_FULL or kept:
                found.add((generation.number, "full" if measure.full else "look", measure.features))
    return found


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
