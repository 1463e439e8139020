"""Recipes by name, or from a file: TOML to a `Recipe`, whole or quick."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Any

from headway.base.errors import FormatError, HeadwayError, known, shown
from headway.base.imports import import_parts
from headway.base.options import built, kinds
from headway.discovery.options import DiscoveryOptions
from headway.lab.entries import RecipeTable, entry, read
from headway.lab.peers import PEERS
from headway.lab.plans import NO_PART
from headway.lab.recipe import (
    MOST_TASKS,
    PASSES,
    SENTENCES,
    Configuration,
    Declared,
    MeasureGrid,
    Options,
    Product,
    Recipe,
    SearchPlan,
    Source,
)
from headway.lab.reports.search_tables import searched_titles
from headway.lab.tasks import ANNOTATE, EVIDENCE, FOUND, SAMPLED, found_by, is_of_learner, training_of
from headway.lab.tested_parsers import KINDS, STRATEGIES
from headway.training.families import FAMILIES, PARSER
from headway.training.train import row_from

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SUFFIX = ".toml"


def names() -> list[str]:
    """The recipes that come with headway."""
    folder = resources.files("headway.lab") / "recipes"
    return sorted(entry.name.removesuffix(SUFFIX) for entry in folder.iterdir() if entry.name.endswith(SUFFIX))


def recipe(name: str, quick: bool = False) -> Recipe:
    """The recipe of that name, or in that file."""
    if name in names():
        built_in = resources.files("headway.lab") / "recipes" / f"{name}{SUFFIX}"
        return recipe_from(built_in.read_text("utf-8"), name, f"{name}{SUFFIX}", quick)
    path = Path(name)
    if path.suffix != SUFFIX:
        raise HeadwayError(f"unknown recipe {shown(name)}; {known(names())}; or give a file that ends in {SUFFIX}")
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise HeadwayError(f"{path}: the file is not UTF-8; convert it, for example with iconv") from None
    except OSError as error:
        raise HeadwayError(f"{path}: {error.strerror}; give a recipe that can be read") from None
    return recipe_from(text, path.stem, str(path), quick)


def recipe_from(text: str, name: str, path: str, quick: bool = False) -> Recipe:
    """The recipe in a text; `path` is what errors call it."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(path, None, f"this is not TOML: {error}", "see docs/experiments.md") from None
    except RecursionError:
        raise FormatError(path, None, "lists or tables are nested too deeply", "see docs/experiments.md") from None
    return recipe_in(RecipeTable(content, path), name, quick)


@dataclass(frozen=True, kw_only=True)
class QuickForm:
    """What is other in the quick form of a recipe; options for those configurations that have them."""

    seeds: tuple[int, ...] = ()
    treebanks: tuple[str, ...] = ()
    options: Options = entry({})
    search: Options = entry({})
    sentences: int | None = None
    tested: int | None = None


def recipe_in(table: RecipeTable, name: str, quick: bool) -> Recipe:
    """The recipe in a file; names that were declared are there to check others against."""
    imports = _imported(table)
    form = table.take("quick", QuickForm, QuickForm())
    form = form if quick else None
    seeds = table.take("seeds", tuple[int, ...], ()) or (1,)
    every: Sequence[str] = table.take("treebanks", tuple[str, ...])
    sources: Mapping[str, Source] = table.take("sources", Mapping[str, Source], {})
    configurations = {one.name: _quick(one, form) for one in _configurations(table)}
    known_so_far = Declared({}, configurations, (form and form.treebanks) or every, True, quick=quick)
    searches = {search.name: search for search in _searches(table, known_so_far, form)}
    parts = {part.name: part for part in _parts(table, known_so_far, seeds, form)}
    measured = [treebank for part in parts.values() for treebank in part.treebanks]
    used = dict.fromkeys([*measured, *(search.treebank for search in searches.values())])
    punctuation = table.take("punctuation", bool, True)
    found = read(
        Recipe,
        table,
        Declared(parts, configurations, {*every, *measured}, punctuation, [*searches], quick),
        name=name,
        quick=quick,
        imports=imports,
        sources={one: sources.get(one) or Source(treebank=one) for one in used},
        configurations=configurations,
        parts=parts,
        punctuation=punctuation,
        searches=searches,
        sentences=form and form.sentences,
        tested=form and form.tested,
    )
    planned: list[Any] = [*found.tables, *found.plots, *found.heat_maps]
    titles = [one.title for one in planned] + searched_titles(found)
    for claim in found.claims:
        if claim.shown_in:
            table.one_of("shown_in", claim.shown_in, titles)
    # The quick form measures something else than what stands beside it from elsewhere.
    return replace(found, tables=tuple(replace(one, elsewhere=()) for one in found.tables)) if quick else found


def _imported(table: RecipeTable) -> dict[str, str]:
    """Run the files that register parts, relative to the recipe; each with a digest of what it holds."""
    found = {}
    for file in table.take("imports", tuple[str, ...], ()):
        path = Path(table.path).parent.absolute() / file
        if not path.is_file():
            remedy = "imports are relative to the recipe; correct the name, or put the file there"
            raise table.wrong(f"imports {shown(file)}, and there is no file {path}", remedy)
        with table.at("imports"):
            import_parts([str(path)])
        found[str(path)] = blake2b(path.read_bytes(), digest_size=12).hexdigest()
    return found


def _configurations(table: RecipeTable) -> Iterator[Configuration]:
    shared: Options = table.take("training", dict, {})
    own = table.take("configuration", tuple[Configuration, ...], ())
    products = table.take("product", tuple[Product, ...], ())
    seen = set[str]()
    for one in (*own, *(one for product in products for one in product.configurations())):
        if one.name in seen:
            raise table.wrong(f"two configurations are called {shown(one.name)}", "give each a name of its own")
        seen.add(one.name)
        found = replace(one, options={**shared, **one.options})
        with table.at(f"configuration {one.name}"):
            check_training(found.options)
        yield found


def _quick(configuration: Configuration, form: QuickForm | None) -> Configuration:
    """The configuration with other values for those of its options that have them in the quick form."""
    if form is None:
        return configuration
    options = {name: form.options.get(name, value) for name, value in configuration.options.items()}
    return replace(configuration, options=options, treebanks=None, seeds=())


def _parts(
    table: RecipeTable, declared: Declared, seeds: Sequence[int], form: QuickForm | None
) -> Iterator[MeasureGrid]:
    parts = table.take("part", tuple[MeasureGrid, ...], (), declared=declared)
    if not parts:
        raise table.wrong(*NO_PART)
    for number, given in enumerate(parts, 1):
        part = replace(
            given,
            treebanks=declared.treebanks if form else given.treebanks or declared.treebanks,
            configurations=given.configurations or (*declared.configurations,),
            seeds=form.seeds or seeds if form else given.seeds or seeds,
            values=(form and given.quick) or given.values,
        )
        count = sum(len(declared.configurations[name].seeds or part.seeds) for name in part.configurations)
        count *= len(part.treebanks) * max(1, len(part.values)) * (part.folds if part.on == "folds" else 1)
        if count > MOST_TASKS:
            remedy = f"at most {MOST_TASKS:,} are possible, so measure less"
            raise table.wrong(f"{count:,} tasks", remedy, f"part {number}")
        if part.axis not in (None, SENTENCES, *PASSES, *SAMPLED):
            with table.at(f"part {part.name}"):
                check_axis(str(part.axis), [declared.configurations[name].options for name in part.configurations])
        yield part


def _searches(table: RecipeTable, declared: Declared, form: QuickForm | None) -> Iterator[SearchPlan]:
    """The one `[search]`, whose set is called `found`, or several `[[search]]` by their names, `found:NAME`."""
    if table.holds("search", list):
        several = table.take("search", tuple[SearchPlan, ...], declared=declared)
        plans = [replace(one, name=f"{FOUND}:{one.name}") for one in several]
    else:
        alone = table.take("search", dict, None)
        own = table.inside("search", alone or {})
        plans = [] if alone is None else [read(SearchPlan, own, declared, name=FOUND)]
    names = [plan.name for plan in plans]
    if len({*names}) < len(names):
        raise table.wrong("two searches have the same name", "give each a name of its own")
    for configuration in declared.configurations.values():
        if (name := found_by(configuration.options)) is not None:
            table.one_of("search", name, names)
    for plan in plans:
        found = replace(plan, options={**plan.options, **(form.search if form else {})})
        with table.at("search"):
            built(DiscoveryOptions, "a search", found.options)
        yield found


def check_training(options: Mapping[str, Any]) -> None:
    """Refuse options that `headway.train` would refuse; a peer checks its own."""
    family = options.get("parser", PARSER)
    if not isinstance(family, str) or family not in [*FAMILIES, *PEERS]:
        raise HeadwayError(f"unknown family of parsers {shown(str(family))}; {known([*FAMILIES, *PEERS])}")
    if family in PEERS:
        return
    row_from(None, training_of(options))
    for name, what, possible in ((ANNOTATE, "strategy annotate =", STRATEGIES), (EVIDENCE, "evidence", KINDS)):
        if options.get(name, possible[0]) not in possible:
            raise HeadwayError(f"unknown {what} {str(options[name])!r}; {known(possible)}")


def check_axis(axis: str, trainings: Iterable[Mapping[str, Any]]) -> None:
    """Refuse an axis that is neither an option of the trainings that it varies nor of their learners."""
    for options in trainings:
        family = options.get("parser", PARSER)
        if family not in PEERS and axis not in kinds(FAMILIES[family]) and not is_of_learner(axis, options):
            raise HeadwayError(f"a {FAMILIES[family].title} has no option {axis}; {known(kinds(FAMILIES[family]))}")
