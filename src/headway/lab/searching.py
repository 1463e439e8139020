"""The search of a recipe; of the search's own journal, that of the recipe keeps what reports show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from headway.base.errors import HeadwayError
from headway.discovery.discover import discovery_from
from headway.discovery.history import Features, History, best_within
from headway.discovery.options import FAMILIES, DiscoveryOptions
from headway.discovery.report import IN_FULL, LISTED
from headway.discovery.search import GenerationDone
from headway.lab.canaries import canary_of_search, is_changed, made_by
from headway.lab.recipe import Recipe, SearchPlan
from headway.lab.results import RUN, SEARCH, asked_of, header_of, journal_of, results
from headway.lab.sources import TreebankMissing, file_of, sentences_of
from headway.runs.engines import Engine
from headway.runs.journal import JOURNAL, Journal, Record, records

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
