"""The report of a search from its journal, finished or under way: `report.md` and `report.html` in its folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from headway.base.errors import HeadwayError, counted
from headway.base.files import write_text
from headway.discovery.history import History
from headway.discovery.reports.racing import check_table, racing_table
from headway.discovery.reports.tables import (
    beam_table,
    curve,
    growth_table,
    ranking_tables,
    set_text,
    settings_table,
    time_table,
)
from headway.evaluation.significance import TRIALS
from headway.runs.journal import JOURNAL, records
from headway.show.reports.charts import lines
from headway.show.reports.figure import ACCURACY
from headway.show.reports.html import html
from headway.show.reports.page import Page, Section, duration, markdown


def write_report(folder: str | os.PathLike[str]) -> None:
    """Write the report of the search in a folder, from its journal as it is now."""
    place = Path(folder)
    if not (place / JOURNAL).is_file():
        raise HeadwayError(f"{place}: there is no {JOURNAL} in it; give the folder of a search, FEATURES.search")
    history = History(records(place / JOURNAL, "search"))
    page = search_page(history)
    for name, text in (("report.md", markdown(page)), ("report.html", html(page))):
        write_text(place / name, text)


def search_page(history: History) -> Page:
    """What is known of a search."""
    title = f"Feature discovery on {history.search.get('treebank', {}).get('train', 'a treebank')}"
    return Page(title, [], list(_sections(history)))


def _sections(history: History) -> Iterator[Section]:
    yield Section("What was found", state(history), tables=[settings_table(history)])
    yield _growth(history)
    for _, generation in sorted(history.generations.items()):
        tables = list(ranking_tables(history, generation))
        if tables:
            note = "Sets in bold go on to the next generation; None is the parent alone."
            under_way = "" if generation.beam else ", under way"
            yield Section(f"Generation {generation.number}{under_way}", [note], tables=tables)
    racing, check = racing_table(history), check_table(history)
    if racing.rows:
        notes = ["The rank correlation is Spearman's, of the scores of sets that were both looked at and measured."]
        if check.rows:
            notes.append(
                "The check takes the generations in which every set was measured: what would have come of measuring "
                "only those that looked best, at least as many as the beam holds. Losses are in points."
            )
        yield Section("Racing", notes, tables=[racing, *([check] if check.rows else [])])
    total = sum(generation.seconds or 0.0 for generation in history.generations.values())
    note = f"Finished generations took {duration(total)} in all; work is the time of all workers together."
    yield Section("Time", [note], tables=[time_table(history)])


def state(history: History) -> list[str]:
    """Where the search stands, and its set."""
    if history.end is not None:
        yet = f"The search has ended: {history.end['why']}."
    elif history.generations:
        last = history.generations[max(history.generations)]
        yet = f"The search is under way in generation {last.number}; {counted(len(last.full), 'set')} of it measured."
    else:
        yet = "The search has begun; nothing is measured yet."
    measure = history.measured(history.final)
    if measure is None:
        return [yet]
    scores = f"{measure.shown} on the development set"
    if history.final in history.tested:
        scores += f", {history.tested[history.final].shown} on the test set"
    return [yet, f"Best set: {set_text(history.final)}: {scores}."]


def _growth(history: History) -> Section:
    series = curve(history)
    generations = [generation.number for generation in history.finished]
    columns = (
        "Bold: the best score of each column. The second column is the step that led to the best set of a generation, "
        "the third the step of that generation that the final set contains; with a beam they may differ."
    )
    chance = (
        f"p: whether {history.metric} of the best set differs from that of the generation before by chance, two-sided "
        f"approximate randomisation over sentences, {TRIALS:,} trials."
    )
    title = "Scores of the best set by generation"
    drawn = []
    if series:
        drawn.append(lines(generations, series, title=title, x_title="generation", unit=" %", digits=2, scale=ACCURACY))
    tables = [growth_table(history), *([beam_table(history)] if history.options.get("beam", 1) > 1 else [])]
    return Section("Best set of each generation", [columns, chance], drawn, [one for one in tables if one.rows])
