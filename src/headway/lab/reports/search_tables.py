"""The tables of a recipe's searches: ours beside the paper's, and several searches beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from headway.discovery.comparisons import (
    AGREEMENT,
    TAKEN,
    agreement_table,
    entries_beside,
    ranking_beside,
    taken_table,
)
from headway.discovery.history import History
from headway.discovery.report import BEAM, beam_table, growth_table, ranking_tables, set_text
from headway.lab.plans import PaperFigures
from headway.lab.recipe import Recipe, SearchPlan
from headway.lab.reports.tables import beside
from headway.lab.results import Results
from headway.lab.tasks import FOUND
from headway.show.reports.page import Table, duration

GROWTH = "Best set of each generation"
ENTERED = "In which generation features entered"
FEATURE = "feature of the final set"
"""The column of a paper's figures that says which feature each generation brought."""
RANKED = {1: (1, 16), 2: (2, 16), 3: (1, 9)}
"""For the first generations of a search, how many parents are listed, and with how many successors each."""


def titled(search: SearchPlan, title: str) -> str:
    """The title of a table of a search, which has the search's name where there are several."""
    return title if search.name == FOUND else f"{search.name.removeprefix(f'{FOUND}:')}: {title}"


def searched_titles(recipe: Recipe) -> list[str]:
    """The titles of the tables that searches have."""
    found = [TAKEN, AGREEMENT] if len(recipe.searches) > 1 else []
    for search in recipe.searches.values():
        own = [GROWTH, BEAM, *([ENTERED] if _features(search.paper) else []), *(one.title for one in search.rankings)]
        found += [titled(search, title) for title in own]
    return found


def histories(found: Results) -> dict[str, History]:
    """The searches that have been made, by their names."""
    return {name: History(record["records"]) for name, record in found.searches.items()}


def search_notes(found: Results) -> Iterator[str]:
    """How long each search took, and what it found."""
    for name, history in histories(found).items():
        seconds = sum(generation.seconds or 0.0 for generation in history.generations.values())
        ended = f", ended as {history.end['why']}" if history.end else ""
        which = titled(found.recipe.searches[name], "the search took")
        yield f"{which[0].upper()}{which[1:]} {duration(seconds)}{ended}. Best set: {set_text(history.final)}."


def search_tables(found: Results) -> Iterator[Table]:
    """The tables of each search, then those that compare them."""
    every = histories(found)
    for name, history in every.items():
        search = found.recipe.searches[name]
        for table in _tables(search, history):
            yield table._replace(title=titled(search, table.title))
        alone = len(found.recipe.searches) == 1 and not search.rankings
        for number, generation in sorted(history.generations.items()) if alone else ():
            parents, most = RANKED.get(number, (0, 0))
            for table in islice(ranking_tables(history, generation), parents):
                title = titled(search, f"Generation {number}: {table.title}")
                yield table._replace(title=title, rows=table.rows[:most])
    if len(every) > 1:
        short = {name.removeprefix(f"{FOUND}:"): history for name, history in every.items()}
        yield taken_table(short)._replace(notes=["The features are those of the final sets."])
        note = (
            "The rank correlation is Spearman's, of the scores of the sets of two features that both searches "
            "measured in full. Times are those of the processor."
        )
        yield agreement_table(short)._replace(notes=[note])


def _tables(search: SearchPlan, history: History) -> Iterator[Table]:
    paper = search.paper
    yield beside(growth_table(history), paper)._replace(notes=[paper.data] if paper else [])
    if features := _features(paper):
        yield entries_beside(history, ENTERED, features)
    for wanted in search.rankings:
        figures = wanted.paper
        found = ranking_beside(history, wanted.title, wanted.parent, figures.columns, figures.rows)
        yield found._replace(notes=[*found.notes, figures.data])
    if history.options.get("beam", 1) > 1:
        note = (
            "A beam of the needed width meets the same best set, where it measures the same sets in full. In the last "
            "column nothing stands where no set that a beam of 1 leads to was measured in full."
        )
        yield beam_table(history)._replace(notes=[note])


def _features(paper: PaperFigures | None) -> Mapping[int, str]:
    """Which feature each generation of the paper brought, where its figures say so."""
    if paper is None or FEATURE not in paper.columns:
        return {}
    at = paper.columns.index(FEATURE)
    return {int(generation): str(figures[at]) for generation, figures in paper.rows.items()}
