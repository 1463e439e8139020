"""The search of a recipe; of the search's own journal, that of the recipe keeps what reports show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from headway.discovery.discover import discovery_from
from headway.discovery.engines import Engine
from headway.discovery.journal import JOURNAL, Journal, Record, records
from headway.discovery.report_history import Features, History
from headway.discovery.report_tables import IN_FULL, LISTED
from headway.discovery.search import Generation
from headway.errors import HeadwayError
from headway.experiments.recipe import Recipe, Search
from headway.experiments.running import RUN, VERSION, Missing, journal_of, known_records
from headway.experiments.sources import file_of, sentences_of

SEARCH = "search"


def search_in(found: Iterable[Record]) -> Record | None:
    """What the journal of a recipe keeps of its search."""
    return next((record for record in reversed(list(found)) if record["kind"] == SEARCH), None)


def searched(recipe: Recipe, folder: Path | None, output: Path, engine: Engine) -> Iterator[Generation | Missing]:
    """Search, from where an earlier run was stopped; yields after each generation, or what is missing."""
    search = recipe.search
    assert search is not None
    source = recipe.sources[search.treebank]
    try:
        files = {part: str(file_of(source, part, folder)) for part in ("train", "test") if source.treebank}
    except HeadwayError as error:
        yield Missing(search.treebank, str(error), 1)
        return
    key = _key(search, files, recipe)
    known = search_in(known_records(recipe, output))
    if known is not None and known["key"] == key:
        return
    train, test = (list(sentences_of(source, part, files)) for part in ("train", "test"))
    target = journal_of(recipe, output).with_suffix(".features")
    discovery = discovery_from(train[: recipe.sentences], test=test[: recipe.tested], output=target, **search.options)
    for event in discovery.run(engine):
        if isinstance(event, Generation):
            yield event
    discovery.save()
    kept = trimmed(records(discovery.folder / JOURNAL))
    with Journal(journal_of(recipe, output), RUN) as journal:
        journal.begin({"kind": "recipe", "version": VERSION, "digest": recipe.identity})
        journal.append({"kind": SEARCH, "key": key, "found": target.read_text("utf-8"), "records": kept})


def _key(search: Search, files: dict[str, str], recipe: Recipe) -> str:
    digest = blake2b(json.dumps([dict(search.options), recipe.sentences, recipe.tested]).encode(), digest_size=12)
    for path in files.values():
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def trimmed(found: list[Record]) -> list[Record]:
    """The records that tables show, and words right by sentence only where a p-value needs them."""
    history = History(found)
    best = {generation.beam[0] for generation in history.finished}
    shown = _shown(history)
    kept: list[Record] = []
    for record in found:
        features = tuple(record.get("features", ()))
        if record["kind"] != "measure":
            kept.append(record)
        elif (record["generation"], record["stage"], features) in shown:
            right: dict[str, Any] = {} if features in best and record["stage"] == "full" else {"right": []}
            kept.append({**record, **right})
    return kept


def _shown(history: History) -> set[tuple[int, str, Features]]:
    """Generation, stage and features of the measures in the rankings."""
    found: set[tuple[int, str, Features]] = set()
    for generation in history.generations.values():
        listed: dict[Features, int] = {}
        for measure in generation.ranked(history.metric):
            listed[measure.parent] = listed.get(measure.parent, 0) + 1
            if generation.number <= IN_FULL or listed[measure.parent] <= LISTED:
                found.add((generation.number, "full" if measure.full else "look", measure.features))
    return found
