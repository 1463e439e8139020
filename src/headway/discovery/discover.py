"""A feature model for a treebank that nobody has tuned one for."""

from __future__ import annotations

import os
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError, assure_yes_no
from headway.base.files import assure_apart, assure_one_standard, assure_path, assure_writable
from headway.base.folds import HELD_OUT
from headway.base.options import built, kinds, listed
from headway.data.formats.reading import Reader
from headway.data.sources import Source, paths_of
from headway.discovery.groups import GroupMoves, morphology
from headway.discovery.keywords import DiscoverKeywords
from headway.discovery.measure import MeasureSetting
from headway.discovery.options import FAMILIES, TREES, DiscoveryOptions
from headway.discovery.race import GroupSearch
from headway.discovery.search import FeatureSearch
from headway.discovery.successors import Moves, resolved
from headway.discovery.treebanks import SearchTreebanks, Texts, batches_from, search_treebanks
from headway.evaluation.definitions import definition_for
from headway.features.language import Address, Feature, Term
from headway.features.reduce import reduce_features
from headway.features.registry import features_from
from headway.parsers.graph.training import DEFAULT as GRAPH_DEFAULT
from headway.parsers.transition.registry import SYSTEMS
from headway.runs.engines import engine_from
from headway.runs.journal import Record
from headway.training.options import paragraph

if TYPE_CHECKING:
    from typing_extensions import Unpack

OTHERS = ("dev", "engine", "force", "jobs", "output", "test")
"""What can be said of a search beside its options."""


def discovery_from(
    train: Source,
    *,
    output: str | os.PathLike[str],
    dev: Source | None = None,
    test: Source | None = None,
    force: bool = False,
    **options: Any,
) -> FeatureSearch:
    """A search that is ready to run, with options by their names.

    Without dev and without folds every tenth sentence of `train` is held out. With `start` it is another search, which
    changes this feature model group by group. A file that is read is not overwritten, unless `force` says so.
    """
    assure_path(output, "the feature model to write")
    assure_yes_no("force", force)
    chosen = built(DiscoveryOptions, "a search", options, OTHERS)
    inputs = [path for source in (train, dev, test) for path in paths_of(source)]
    assure_one_standard(inputs)
    assure_apart(output, [*inputs, *([chosen.start] if isinstance(chosen.start, str) else [])], force=force)
    folds = chosen.folds or 0
    if folds and dev is not None:
        raise HeadwayError(f"{folds} folds and a development treebank: candidates can be measured on one of them only")
    assure_writable(output)
    treebanks = search_treebanks(train, dev, test, folds, parsed=FAMILIES[chosen.parser].metrics == TREES)
    searched = _fitting(chosen, treebanks)
    definition = definition_for(treebanks.train[0][0].name, chosen.definition)
    if chosen.punctuation is not None:
        definition = replace(definition, punctuation=chosen.punctuation)
    setting = MeasureSetting(
        options=chosen.measured,
        metric=chosen.improved,
        pairs=not chosen.start and chosen.pairs_count,
        folds=folds,
        definition=definition,
        whole=bool(chosen.start),
    )
    about = _described(treebanks, train, dev, test, folds)
    found: dict[str, Any] = {"chosen": chosen, "setting": setting, "treebanks": treebanks, "described": about}
    if chosen.start:
        default = SYSTEMS[chosen.system].features if chosen.parser == "transition" else GRAPH_DEFAULT
        start = tuple(features_from(chosen.start, default))
        return GroupSearch(**found, output=Path(output), moves=GroupMoves(attributes=searched), start=start)
    moves = Moves(attributes=searched, moves=listed(chosen.moves), largest=chosen.largest, family=chosen.searched)
    return FeatureSearch(**found, output=Path(output), moves=moves)


def discover(
    train: Source,
    *,
    output: str | os.PathLike[str],
    dev: Source | None = None,
    test: Source | None = None,
    force: bool = False,
    engine: str | Executor | None = None,
    jobs: int | None = None,
    **keywords: Unpack[DiscoverKeywords],
) -> list[Feature]:
    """Search for the feature set that parses best, write it to `output`, and return it.

    The folder `OUTPUT.search` keeps the journal, from which the same call goes on after an interruption. Feature sets
    are compared on `dev`; without it, every tenth sentence is held out. Reports score them on `test`, too. A file that
    is read is overwritten with `force` only. `engine` is `dask://HOST:PORT` or an executor, by default `jobs`
    processes. They import your script again, so call this below `if __name__ == "__main__":` in a script.
    """
    found = discovery_from(train, output=output, dev=dev, test=test, force=force, **keywords)
    for _ in found.run(engine_from(engine, jobs)):
        pass
    found.save()
    assert found.best is not None
    return list(found.best.candidate.features)


_keywords = (paragraph(DiscoveryOptions, name) for name in kinds(DiscoveryOptions))
discover.__doc__ = "\n".join([f"{discover.__doc__}\nOptions of `headway.discover`.\n", *_keywords, "    "])


def _fitting(chosen: DiscoveryOptions, treebanks: SearchTreebanks) -> tuple[str, ...]:
    """The attributes that can tell something on this treebank."""
    batches = batches_from(treebanks.train, "train")
    somewhere = (Address("STACK", 0),)
    asked = [Feature((Term(name, somewhere),)) for name in resolved(chosen.looks_at)]
    names = [feature.terms[0].attribute for feature in reduce_features(asked, batches)[0]]
    return tuple(
        dict.fromkeys([*names, *(morphology(batches) if chosen.start and not listed(chosen.attributes) else [])])
    )


def _described(
    treebanks: SearchTreebanks, train: Source, dev: Source | None, test: Source | None, folds: int
) -> Record:
    """What the treebanks are, for journal and reports."""
    (sentences, words), (dev_sentences, dev_words) = _size(treebanks.train), _size(treebanks.dev)
    held_out = f"every {HELD_OUT}th sentence of {_name(train)}, held out"
    on = _name(dev) if dev is not None else f"{folds} folds of {_name(train)}" if folds else held_out
    return {
        "train": _name(train),
        "sentences": sentences,
        "words": words,
        "dev": on,
        "dev_sentences": dev_sentences or sentences,
        "dev_words": dev_words or words,
        "test": None if test is None else _name(test),
    }


def _size(part: Texts) -> tuple[int, int]:
    batches = batches_from(part, "")
    return sum(map(len, batches)), sum(len(batch.heads) for batch in batches)


def _name(source: Source) -> str:
    path = source.path if isinstance(source, Reader) else source
    return Path(path).name if isinstance(path, (str, os.PathLike)) else "sentences"
