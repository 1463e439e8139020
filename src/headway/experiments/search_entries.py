"""What a recipe file says of searches for feature models, and of claims about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headway.experiments.entries import Entries
from headway.experiments.papers import paper_from
from headway.experiments.recipe import OfSearch, Options, Ranking, Search
from headway.experiments.tasks import FOUND
from headway.experiments.trainings import check_search


def searches_from(entries: Entries, quick: Entries, treebanks: Sequence[str], is_quick: bool) -> list[Search]:
    """The one `[search]`, whose set is called `found`, or several `[[search]]` by their names, `found:NAME`."""
    instead: Options = quick.take("search", dict, {})
    given = instead if is_quick else {}
    if not entries.has("search"):
        return []
    if entries.several("search"):
        found = [_search(one, f"{FOUND}:{one.take('name', str)}", given, treebanks) for one in entries.tables("search")]
    else:
        found = [_search(entries.table("search"), FOUND, given, treebanks)]
    names = [search.name for search in found]
    if len({*names}) < len(names):
        raise entries.wrong("two searches have the same name", "give each a name of its own")
    return found


def _search(entries: Entries, name: str, instead: Options, treebanks: Sequence[str]) -> Search:
    options: Options = entries.take("options", dict, {})
    found = Search(
        name=name,
        treebank=entries.choice("treebank", treebanks, treebanks[0]),
        options={**options, **instead},
        paper=paper_from(entries.table("paper")) if entries.has("paper") else None,
        rankings=tuple(map(_ranking, entries.tables("ranking"))),
    )
    with entries.at("search"):
        check_search(found.options)
    entries.end()
    return found


def _ranking(entries: Entries) -> Ranking:
    found = Ranking(
        title=entries.take("title", str), parent=entries.texts("parent"), paper=paper_from(entries.table("paper"))
    )
    entries.end()
    return found


def of_search_from(entries: Entries, searches: Sequence[str]) -> OfSearch | None:
    """`search = {…}` of a claim."""
    if not entries.has("search"):
        return None
    if not searches:
        raise entries.wrong("the recipe has no search", "add [search], or leave the claim out")
    said = entries.table("search")
    found = OfSearch(
        search=said.choice("name", searches, searches[0]),
        beam=said.take("beam", int, None),
        parent=said.texts("parent", []),
        best=said.take("best", str, ""),
        falls=said.take("falls", bool, False),
        cheaper_than=said.choice("cheaper_than", searches, None) or "",
    )
    said.end()
    ways: list[Any] = [found.beam, found.best, found.falls, found.cheaper_than]
    if sum(map(bool, ways)) != 1:
        raise entries.wrong("a claim says one thing of a search", "give beam, parent and best, falls, or cheaper_than")
    return found
