"""The report of a search from its journal, finished or under way: `report.md` and `report.html` in its folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from headway.discovery.history import History
from headway.discovery.reports.beam import beam_table
from headway.discovery.reports.racing import check_table, racing_table
from headway.discovery.reports.tables import (
    curve,
    duration,
    growth_table,
    named,
    ranking_tables,
    settings_table,
    time_table,
)
from headway.errors import HeadwayError
from headway.evaluation.significance import TRIALS
from headway.files import replacing
from headway.reports import html as page
from headway.reports import plots
from headway.reports.table import Table
from headway.runs.journal import JOURNAL, records

BOLD = re.compile(r"\*\*(.+?)\*\*")


class Part(NamedTuple):
    """A part of the report: heading, text, tables, and in HTML a plot."""

    title: str
    notes: list[str]
    tables: list[Table]
    plot: str = ""


def report(folder: str | os.PathLike[str]) -> None:
    """Write the report of the search in a folder, from its journal as it is now."""
    place = Path(folder)
    if not (place / JOURNAL).is_file():
        raise HeadwayError(f"{place}: there is no {JOURNAL} in it; give the folder of a search, FEATURES.search")
    history = History(records(place / JOURNAL, "search"))
    title = f"Feature discovery on {history.search.get('treebank', {}).get('train', 'a treebank')}"
    found = list(parts(history))
    for name, text in (("report.md", markdown(title, found)), ("report.html", html(title, found))):
        with replacing(place / name) as stream:
            stream.write(text.encode())


def parts(history: History) -> Iterator[Part]:
    """The report, part by part."""
    yield Part("What was found", state(history), [settings_table(history)])
    yield _growth(history)
    for _, generation in sorted(history.generations.items()):
        tables = list(ranking_tables(history, generation))
        if tables:
            note = "Sets in bold go on to the next generation; None is the parent alone."
            under_way = "" if generation.beam else ", under way"
            yield Part(f"Generation {generation.number}{under_way}", [note], tables)
    racing, check = racing_table(history), check_table(history)
    if racing.rows:
        notes = ["The rank correlation is Spearman's, of the scores of sets that were both looked at and measured."]
        if check.rows:
            notes.append(
                "The check takes the generations in which every set was measured: what would have come of measuring "
                "only those that looked best, at least as many as the beam holds. Losses are in points."
            )
        yield Part("Racing", notes, [racing, *([check] if check.rows else [])])
    total = sum(generation.seconds or 0.0 for generation in history.generations.values())
    note = f"Finished generations took {duration(total)} in all; work is the time of all workers together."
    yield Part("Time", [note], [time_table(history)])


def state(history: History) -> list[str]:
    """Where the search stands, and its set."""
    if history.end is not None:
        yet = f"The search has ended: {history.end['why']}."
    elif history.generations:
        last = history.generations[max(history.generations)]
        yet = f"The search is under way in generation {last.number}; {len(last.full)} sets of it are measured."
    else:
        yet = "The search has begun; nothing is measured yet."
    measure = history.measured(history.final)
    if measure is None:
        return [yet]
    scores = f"UAS {measure.uas:.2f}, LAS {measure.las:.2f} on the development set"
    if history.final in history.tests:
        scores += ", UAS {:.2f}, LAS {:.2f} on the test set".format(*history.tests[history.final])
    return [yet, f"Best set: {named(history.final)}: {scores}."]


def _growth(history: History) -> Part:
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
    plot = plots.lines(generations, series, title=title, unit=" %", digits=2, x_title="generation") if series else ""
    tables = [growth_table(history), *([beam_table(history)] if history.options.get("beam", 1) > 1 else [])]
    return Part("Best set of each generation", [columns, chance], [one for one in tables if one.rows], plot)


def markdown(title: str, found: list[Part]) -> str:
    """The report as Markdown."""
    lines = [f"# {title}"]
    for part in found:
        lines += [f"## {part.title}", *part.notes]
        for table in part.tables:
            lines += [*([] if table.title == part.title else [f"### {table.title}"]), markdown_table(table)]
    return "\n\n".join(lines) + "\n"


def markdown_table(table: Table) -> str:
    """A table as Markdown."""
    sides = [":--" if at < table.names else "--:" for at in range(len(table.header))]
    rows = (table.header, sides, *table.rows)
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def html(title: str, found: list[Part]) -> str:
    """The report as a page."""
    body = []
    for part in found:
        body += [f"<h2>{escape(part.title)}</h2>", *(f"<p>{escape(note)}</p>" for note in part.notes), part.plot]
        for table in part.tables:
            body.append("" if table.title == part.title else f"<h3>{escape(table.title)}</h3>")
            body.append(BOLD.sub(r"<b>\1</b>", page.table(table.header, table.rows, names=table.names)))
    return page.page(title, filter(None, body))
