"""Recipes by name, or from a file: TOML to a `Recipe`, whole or quick."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from headway.base.errors import FormatError, HeadwayError, known, shown
from headway.base.options import built, kinds
from headway.discovery.options import DiscoveryOptions
from headway.lab.annotating import check_strategy
from headway.lab.entries import RecipeTable, read
from headway.lab.peers import PEERS
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
from headway.lab.variances import check_evidence
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
    return _Reading(RecipeTable(content, path), quick).recipe(name)


class _Reading:
    """One reading of a file; names that were declared are there to check others against."""

    def __init__(self, table: RecipeTable, quick: bool) -> None:
        self.table, self.is_quick = table, quick
        self.quick = table.inside("quick", table.take("quick", dict, {}))
        self.seeds = table.take("seeds", tuple[int, ...], ()) or (1,)
        self.fewer_seeds = self.quick.take("seeds", tuple[int, ...], ()) or self.seeds
        self.treebanks = self.every = table.take("treebanks", tuple[str, ...])
        self.own: Mapping[str, Source] = table.take("sources", Mapping[str, Source], {})
        fewer = self.quick.take("treebanks", tuple[str, ...], ())
        replaced: Options = self.quick.take("options", dict, {})
        self.configurations: dict[str, Configuration] = {}
        for one in self._configurations():
            if one.name in self.configurations:
                raise table.wrong(f"two configurations are called {shown(one.name)}", "give each a name of its own")
            with table.at(f"configuration {one.name}"):
                check_training(one.options)
            self.configurations[one.name] = one
        if quick:
            self.treebanks = fewer or self.treebanks
            self.configurations = {name: _quick(one, replaced) for name, one in self.configurations.items()}

    def recipe(self, name: str) -> Recipe:
        table, quick = self.table, self.quick
        limits = {key: quick.take(key, int, None) for key in ("sentences", "tested")}
        searches = {search.name: search for search in self._searches()}
        parts = {part.name: part for part in self._parts()}
        punctuation = table.take("punctuation", bool, True)
        measured = [name for part in parts.values() for name in part.treebanks]
        used = dict.fromkeys([*measured, *(search.treebank for search in searches.values())])
        treebanks = {*self.every, *measured}
        found = read(
            Recipe,
            table,
            Declared(parts, self.configurations, treebanks, punctuation, [*searches], self.is_quick),
            name=name,
            quick=self.is_quick,
            sources={one: self.own.get(one) or Source(treebank=one) for one in used},
            configurations=self.configurations,
            parts=parts,
            punctuation=punctuation,
            searches=searches,
            **(limits if self.is_quick else dict.fromkeys(limits)),
        )
        quick.end()
        planned: list[Any] = [*found.tables, *found.plots, *found.heat_maps]
        titles = [one.title for one in planned] + searched_titles(found)
        for claim in found.claims:
            if claim.shown_in:
                table.one_of("shown_in", claim.shown_in, titles)
        if not self.is_quick:
            return found
        # The quick form measures something else than what stands beside it from elsewhere.
        return replace(found, tables=tuple(replace(one, elsewhere=()) for one in found.tables))

    def _configurations(self) -> Iterable[Configuration]:
        shared: Options = self.table.take("training", dict, {})
        own = self.table.take("configuration", tuple[Configuration, ...], ())
        products = self.table.take("product", tuple[Product, ...], ())
        for one in (*own, *(one for product in products for one in product.configurations())):
            yield replace(one, options={**shared, **one.options})

    def _parts(self) -> Iterable[MeasureGrid]:
        declared = Declared({}, self.configurations, self.treebanks, True)
        parts = self.table.take("part", tuple[MeasureGrid, ...], (), declared=declared)
        if not parts:
            raise self.table.wrong("there is no part", "say under [[part]] what is measured")
        for number, given in enumerate(parts, 1):
            part = replace(
                given,
                treebanks=self.treebanks if self.is_quick else given.treebanks or self.treebanks,
                configurations=given.configurations or (*self.configurations,),
                seeds=self.fewer_seeds if self.is_quick else given.seeds or self.seeds,
                values=given.quick if self.is_quick and given.quick else given.values,
            )
            seeds = sum(len(self.configurations[name].seeds or part.seeds) for name in part.configurations)
            folds = part.folds if part.on == "folds" else 1
            count = len(part.treebanks) * seeds * max(1, len(part.values)) * folds
            if count > MOST_TASKS:
                remedy = f"at most {MOST_TASKS:,} are possible, so measure less"
                raise self.table.wrong(f"{count:,} tasks", remedy, f"part {number}")
            if part.axis not in (None, SENTENCES, *PASSES, *SAMPLED):
                with self.table.at(f"part {part.name}"):
                    check_axis(str(part.axis), [self.configurations[name].options for name in part.configurations])
            yield part

    def _searches(self) -> Iterable[SearchPlan]:
        """The one `[search]`, whose set is called `found`, or several `[[search]]` by their names, `found:NAME`."""
        given: Options = self.quick.take("search", dict, {})
        declared = Declared({}, self.configurations, self.treebanks, True)
        plans: list[SearchPlan] = []
        if self.table.holds("search", list):
            several = self.table.take("search", tuple[SearchPlan, ...], declared=declared)
            plans = [replace(one, name=f"{FOUND}:{one.name}") for one in several]
        else:
            alone = self.table.take("search", dict, None)
            if alone is not None:
                plans = [read(SearchPlan, self.table.inside("search", alone), declared, name=FOUND)]
        names = [plan.name for plan in plans]
        if len({*names}) < len(names):
            raise self.table.wrong("two searches have the same name", "give each a name of its own")
        for configuration in self.configurations.values():
            if (name := found_by(configuration.options)) is not None:
                self.table.one_of("search", name, names)
        for plan in plans:
            found = replace(plan, options={**plan.options, **(given if self.is_quick else {})})
            with self.table.at("search"):
                check_search(found.options)
            yield found


def _quick(configuration: Configuration, replaced: Options) -> Configuration:
    """The configuration with other values for those of its options that have them in the quick form."""
    options = {name: replaced.get(name, value) for name, value in configuration.options.items()}
    return replace(configuration, options=options, treebanks=None, seeds=())


def check_training(options: Mapping[str, Any]) -> None:
    """Refuse options that `headway.train` would refuse; a peer checks its own."""
    family = options.get("parser", PARSER)
    if not isinstance(family, str) or family not in [*FAMILIES, *PEERS]:
        raise HeadwayError(f"unknown family of parsers {shown(str(family))}; {known([*FAMILIES, *PEERS])}")
    if family in PEERS:
        return
    row_from(None, training_of(options))
    for name, check in ((ANNOTATE, check_strategy), (EVIDENCE, check_evidence)):
        if name in options:
            check(str(options[name]))


def check_axis(axis: str, trainings: Iterable[Mapping[str, Any]]) -> None:
    """Refuse an axis that is neither an option of the trainings that it varies nor of their learners."""
    for options in trainings:
        family = options.get("parser", PARSER)
        if family not in PEERS and axis not in kinds(FAMILIES[family]) and not is_of_learner(axis, options):
            raise HeadwayError(f"a {FAMILIES[family].title} has no option {axis}; {known(kinds(FAMILIES[family]))}")


def check_search(options: Mapping[str, Any]) -> None:
    """Refuse options that `headway.discover` would refuse."""
    built(DiscoveryOptions, "a search", options)
