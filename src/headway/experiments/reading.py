"""Recipes by name, or from a file: TOML to a `Recipe`, whole or quick."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from headway.errors import FormatError, HeadwayError, known, shown
from headway.experiments.entries import Entries
from headway.experiments.recipe import PASSES, SENTENCES, Configuration, Part, Recipe, Search, Source
from headway.experiments.search_entries import searches_from
from headway.experiments.showing import (
    Known,
    check_explanations,
    claim_from,
    difference_from,
    heat_map_from,
    plot_from,
    table_from,
)
from headway.experiments.tasks import SAMPLED, found_by
from headway.experiments.trainings import check_axis, check_training

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SUFFIX = ".toml"
MEASURED_ON = ("test", "dev", "held-out", "folds", "train")
FILES = ("train", "dev", "test")


def names() -> list[str]:
    """The recipes that come with headway."""
    folder = resources.files("headway.experiments") / "recipes"
    return sorted(entry.name.removesuffix(SUFFIX) for entry in folder.iterdir() if entry.name.endswith(SUFFIX))


def recipe(name: str, quick: bool = False) -> Recipe:
    """The recipe of that name, or in that file."""
    if name in names():
        built_in = resources.files("headway.experiments") / "recipes" / f"{name}{SUFFIX}"
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
        raise FormatError(path, None, f"this is no TOML: {error}", "see docs/experiments.md") from None
    return _Reading(Entries(content, path), quick).recipe(name)


class _Reading:
    """One reading of a file; names that were declared are there to check others against."""

    def __init__(self, entries: Entries, quick: bool) -> None:
        self.entries, self.is_quick = entries, quick
        self.quick = entries.table("quick", {})
        self.seeds = _seeds(entries) or (1,)
        self.fewer_seeds = _seeds(self.quick) or self.seeds
        self.treebanks = self.every = entries.texts("treebanks")
        self.own = {name: _source(found) for name, found in entries.named("sources").items()}
        fewer = self.quick.texts("treebanks", None)
        replaced: Mapping[str, Any] = self.quick.take("options", dict, {})
        self.configurations: dict[str, Configuration] = {}
        for one in self._configurations():
            if one.name in self.configurations:
                raise entries.wrong(f"two configurations are called {shown(one.name)}", "give each a name of its own")
            with entries.at(f"configuration {one.name}"):
                check_training(one.options)
            self.configurations[one.name] = one
        if quick:
            self.treebanks = fewer or self.treebanks
            self.configurations = {name: _quick(one, replaced) for name, one in self.configurations.items()}

    def recipe(self, name: str) -> Recipe:
        entries, quick = self.entries, self.quick
        limits = {key: quick.take(key, int, None) for key in ("sentences", "tested")}
        searches = self._searches()
        parts = {part.name: part for part in self._parts()}
        punctuation = entries.take("punctuation", bool, True)
        treebanks = {*self.every, *(name for part in parts.values() for name in part.treebanks)}
        names = [search.name for search in searches]
        declared = Known(parts, self.configurations, treebanks, punctuation, names, self.is_quick)
        found = Recipe(
            name=name,
            title=entries.take("title", str),
            paper=entries.take("paper", str, ""),
            about=entries.take("about", str, ""),
            differs=tuple(map(difference_from, entries.tables("differs"))),
            quick=self.is_quick,
            sources={one: self.own.get(one) or Source(treebank=one) for one in self._used(parts.values(), searches)},
            configurations=self.configurations,
            parts=parts,
            punctuation=punctuation,
            alone=entries.take("alone", bool, False),
            tables=tuple(table_from(one, declared) for one in entries.tables("table")),
            plots=tuple(plot_from(one, declared) for one in entries.tables("plot")),
            heat_maps=tuple(heat_map_from(one, declared) for one in entries.tables("heatmap")),
            claims=tuple(claim_from(one, declared) for one in entries.tables("claim")),
            searches={search.name: search for search in searches},
            **(limits if self.is_quick else {}),
        )
        entries.end()
        quick.end()
        check_explanations(found, entries)
        return found

    def _used(self, parts: Iterable[Part], searches: Iterable[Search]) -> list[str]:
        used = [name for part in parts for name in part.treebanks]
        return list(dict.fromkeys([*used, *(search.treebank for search in searches)]))

    def _configurations(self) -> Iterable[Configuration]:
        shared = self.entries.take("training", dict, {})
        for found in self.entries.tables("configuration"):
            yield Configuration(
                name=found.take("name", str),
                options={**shared, **found.take("options", dict, {})},
                treebanks=found.texts("treebanks", None),
                seeds=_seeds(found),
                minutes=found.take("minutes", float, None),
            )
            found.end()
        for found in self.entries.tables("product"):
            yield from _product(found, shared)

    def _parts(self) -> Iterable[Part]:
        found = self.entries.tables("part")
        if not found:
            raise self.entries.wrong("there is no part", "say under [[part]] what is measured")
        for entries in found:
            yield self._part(entries)

    def _part(self, entries: Entries) -> Part:
        axis = entries.take("axis", str, None)
        values, fewer = entries.take("values", list, []), entries.take("quick", list, None)
        treebanks, seeds = entries.texts("treebanks", None), _seeds(entries)
        part = Part(
            name=entries.take("name", str),
            on=entries.choice("on", MEASURED_ON, "test"),
            folds=entries.take("folds", int, 5),
            treebanks=self.treebanks if self.is_quick or treebanks is None else treebanks,
            configurations=entries.choices("configurations", self.configurations, None) or (*self.configurations,),
            seeds=self.fewer_seeds if self.is_quick else seeds or self.seeds,
            axis=axis,
            values=tuple(fewer if self.is_quick and fewer else values),
        )
        if axis not in (None, *PASSES) and not values:
            raise entries.wrong(f"the axis {shown(str(axis))} has no values", "add values = [1, 2, 3]")
        allowed = (int,) if axis == SENTENCES else (int, float, str)
        for value in (*values, *(fewer or ())):
            if not isinstance(value, allowed):
                raise entries.wrong(f"{axis} cannot be {shown(str(value))}", "give numbers, as values = [1, 2, 3]")
        if part.folds < 2:
            raise entries.wrong(f"{part.folds} folds are too few", "give 2 or more")
        if axis not in (None, SENTENCES, *PASSES, *SAMPLED):
            with entries.at(f"part {part.name}"):
                check_axis(str(axis), [self.configurations[name].options for name in part.configurations])
        entries.end()
        return part

    def _searches(self) -> list[Search]:
        found = searches_from(self.entries, self.quick, self.treebanks, self.is_quick)
        for configuration in self.configurations.values():
            name = found_by(configuration.options)
            self.entries.one_of("search", name, [search.name for search in found])
        return found


def _seeds(entries: Entries) -> tuple[int, ...]:
    found = entries.take("seeds", list, [])
    if not all(type(seed) is int for seed in found):
        raise entries.wrong(f"seeds = {shown(str(found))}", "give whole numbers, as seeds = [1, 2, 3]")
    return tuple(found)


def _source(entries: Entries) -> Source:
    given = entries.table("genres", {})
    genres = {part: given.texts(part) for part in FILES if given.has(part)}
    given.end()
    files: Mapping[str, str] = entries.take("files", dict, {})
    for part in files:
        entries.one_of("part", part, FILES)
    sample = entries.take("sample", dict, {})
    first: int | None = entries.take("first", int, None)
    if first is not None and first < 1:
        raise entries.wrong(f"first = {first}", "give a number of sentences from 1 on")
    found = Source(treebank=entries.take("treebank", str, ""), files=files, genres=genres, sample=sample, first=first)
    if bool(found.treebank) == bool(sample):
        raise entries.wrong("a source is a treebank or a sample", 'write treebank = "…" or sample = {…}, not both')
    entries.end()
    return found


def _product(entries: Entries, shared: Mapping[str, Any]) -> Iterable[Configuration]:
    """Every decoder with every learner."""
    treebanks, minutes = entries.texts("treebanks", None), entries.take("minutes", float, None)
    decoders, learners = entries.take("decoders", dict), entries.take("learners", dict)
    entries.end()
    for decoder, fixed in decoders.items():
        for learner, options in learners.items():
            yield Configuration(
                name=f"{decoder} × {learner}",
                options={**shared, **fixed, **options},
                treebanks=treebanks,
                minutes=minutes,
                decoder=decoder,
                learner=learner,
            )


def _quick(configuration: Configuration, replaced: Mapping[str, Any]) -> Configuration:
    """The configuration with other values for those of its options that have them in the quick form."""
    options = {name: replaced.get(name, value) for name, value in configuration.options.items()}
    return replace(configuration, options=options, treebanks=None, seeds=())
