"""The tables of a recipe: ours, marks of significance, exponents of growth, and the paper's figures beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from headway.evaluation.significance import TRIALS
from headway.lab.differences import LEVEL, difference, wrong_of
from headway.lab.metrics import AUC, BARE, ECE, NEEDED, SUREST, counts_of, is_score, mean, metric_of, testable
from headway.lab.plans import DIMENSIONS, PaperFigures, TablePlan, Value
from headway.lab.recipe import MeasureGrid
from headway.lab.results import Cell, Results
from headway.show.reports.page import NOTHING, Table

MARK, TAKEN = "†", "‡"
LENGTH = "words in a sentence"
VARYING = (AUC, ECE, SUREST, NEEDED)
"""What is shown with its deviation over seeds, beside scores."""


class MetricColumn(NamedTuple):
    """A metric at values of the dimensions that make no rows."""

    title: str
    metric: str
    others: dict[str, Value | None]


def table_of(wanted: TablePlan, results: Results) -> Table:
    """The table that a recipe asks for."""
    found = _chosen(wanted, results) if wanted.choose else _grid(wanted, results)
    return found._replace(notes=[*found.notes, *_notes(wanted, results)])


def _notes(wanted: TablePlan, results: Results) -> Iterator[str]:
    if wanted.against:
        by_trials = f"approximate randomisation over sentences, {TRIALS:,} trials"
        tests = {"by what each sentence moves of the AUC" if name == AUC else by_trials for name in wanted.metrics}
        chance = f"p < {LEVEL}, {'; '.join(sorted(tests))}"
        yield f"{MARK} differs from {wanted.against} by more than chance ({chance})."
        scores = [name for name in wanted.metrics if is_score(name)]
        cells = [cell for place, cell in results.cells.items() if place.part == wanted.part]

        def is_tested(metric: str) -> bool:
            """Whether the journal has what a test of differences needs."""
            counts = counts_of(metric).removesuffix(BARE)
            kept = not cells or any(wrong_of(cell, counts) is not None for cell in cells)
            return kept and testable(metric, results.recipe.punctuation)

        untested = [name for name in scores if not is_tested(name)]
        if untested:
            yield f"Not tested: {', '.join(untested)}."
    part = results.recipe.parts[wanted.part]
    seeds = sorted({len(results.recipe.configurations[name].seeds or part.seeds) for name in part.configurations})
    if seeds[-1] > 1 and any(is_score(name, *VARYING) for name in wanted.metrics):
        yield f"± is the standard deviation over {' or '.join(str(count) for count in seeds if count > 1)} seeds."
    if wanted.mean:
        yield f"Means over {', '.join(results.recipe.parts[wanted.part].treebanks)}."
    yield from timed(wanted.metrics, results)
    if wanted.paper is not None:
        yield wanted.paper.data
    for source in dict.fromkeys(one.source for one in wanted.elsewhere):
        yield f"{TAKEN} {source}"
    if wanted.caution:
        yield f"Caution: {wanted.caution}"


def timed(metrics: Iterable[str], results: Results) -> Iterator[str]:
    """How many tasks ran at once, where some metric depends on it."""
    if any(metric_of(name).timed for name in metrics) and results.workers:
        counts = " and ".join(map(str, sorted(results.workers)))
        yield f"Times are those of the processor, measured with {counts} task{'s' * (counts != '1')} at once."


def _cells(part: MeasureGrid, place: dict[str, Value | None], results: Results) -> list[Cell]:
    """The cell of a place, or of each treebank where the place names none; nothing where some are missing."""
    treebanks = [str(place["treebank"])] if "treebank" in place else part.treebanks
    cells = [results.cell(part.name, name, str(place["configuration"]), place["at"]) for name in treebanks]
    known = [cell for cell in cells if cell]
    return known if len(known) == len(cells) else []


def _grid(wanted: TablePlan, results: Results) -> Table:
    part = results.recipe.parts[wanted.part]
    values = {"treebank": part.treebanks, "configuration": part.configurations, "at": results.axis(part)}
    columns = list(_columns(wanted, values))
    rows = [dict(zip(wanted.rows, names, strict=True)) for names in product(*(values[name] for name in wanted.rows))]
    cells = [[_cells(part, {**row, **column.others}, results) for column in columns] for row in rows]
    numbers = [
        [mean([metric_of(column.metric).of(cell) for cell in one]) for column, one in zip(columns, line, strict=True)]
        for line in cells
    ]
    groups = [(column.metric, column.others.get("at")) for column in columns]
    ranks = [ranked(line, groups) if wanted.ranks else [None] * len(line) for line in numbers]
    body = []
    for row, line, own in zip(rows, numbers, ranks, strict=True):
        texts = [
            f"{metric_of(column.metric).text(number)}{_spread(part, column.metric, {**row, **column.others}, results)}"
            + _mark(wanted, column, row, results)
            + ("" if rank is None else f" ({rank:g})")
            for column, number, rank in zip(columns, line, own, strict=True)
        ]
        if set(texts) != {NOTHING}:
            body.append((*map(str, row.values()), *texts))
    for one in wanted.elsewhere:
        figures = (metric_of(name).text(one.figures.get(name)) for name in wanted.metrics)
        body.append((f"{one.name} {TAKEN}", *figures))
    if wanted.rows == ("treebank",) and len(part.treebanks) > 1:  # Means of scores, where a column has them all.
        means = (mean(line) for line in zip(*numbers, strict=True))
        scores = (one if is_score(column.metric) else None for one, column in zip(means, columns, strict=True))
        body += last_row("mean", (NOTHING if one is None else f"{one:.2f}" for one in scores))
    # Over the treebanks on which all of a group are measured.
    known = ([rank for rank in column if rank is not None] for column in zip(*ranks, strict=True))
    body += last_row("mean rank", (f"{sum(one) / len(one):.2f}" if one else NOTHING for one in known))
    if wanted.fit:
        body += _growth(part, rows, columns, cells, numbers)
    named = (str(part.axis) if name == "at" else name for name in wanted.rows)
    notes = []
    if wanted.ranks:
        notes.append("In brackets the rank among the configurations, 1 for the best; the last row has the means.")
        left = [name for name, line in zip(part.treebanks, ranks, strict=True) if None in line]
        notes += [f"No ranks where not all are measured: {', '.join(left)}."] if left else []
    header = (*named, *(column.title for column in columns))
    return beside(Table(wanted.title, header, body, len(wanted.rows), notes), wanted.paper)


def _columns(wanted: TablePlan, values: dict[str, Sequence[Value | None]]) -> Iterator[MetricColumn]:
    """Every metric at every value of the dimensions that make no rows."""
    others = [name for name in DIMENSIONS if name not in wanted.rows and not (wanted.mean and name == "treebank")]
    for found in product(*(values[name] for name in others)):
        place = dict(zip(others, found, strict=True))
        words = [str(place[name]) for name in others if len(values[name]) > 1]
        for metric in wanted.metrics:
            named = [*words, *([metric] if len(wanted.metrics) > 1 or not words else [])]
            yield MetricColumn(", ".join(named), metric, place)


def _spread(part: MeasureGrid, metric: str, place: Mapping[str, Value | None], results: Results) -> str:
    """The standard deviation of a score over seeds, of the mean where the place names no treebank."""
    treebanks = [place["treebank"]] if "treebank" in place else part.treebanks
    where = place["configuration"], place["at"]
    found = deviation([results.of_seeds(metric, part.name, name, *where) for name in treebanks])
    return "" if found is None or not is_score(metric, *VARYING) else f" ± {metric_of(metric).text(found)}"


def deviation(of_seeds: Sequence[Sequence[float]]) -> float | None:
    """The standard deviation over seeds of the mean over treebanks; None where there are not as many seeds of all."""
    seeds = {len(values) for values in of_seeds}
    return stdev(map(fmean, zip(*of_seeds, strict=True))) if len(seeds) == 1 and min(seeds) > 1 else None


def _mark(wanted: TablePlan, column: MetricColumn, row: dict[str, Value | None], results: Results) -> str:
    """The mark of a score that differs from that of the configuration `against` by more than chance."""
    part, place = results.recipe.parts[wanted.part], {**row, **column.others}
    if wanted.against in (None, place["configuration"]) or not is_score(column.metric, AUC):
        return ""
    cells, others = (
        _cells(part, {**place, "configuration": name}, results) for name in (place["configuration"], wanted.against)
    )
    pairs = list(zip(cells, others, strict=True)) if cells and others else []
    found = difference(pairs, column.metric, results.recipe.punctuation) if pairs else None
    return MARK if found is not None and found.p < LEVEL else ""


def _growth(
    part: MeasureGrid,
    rows: Sequence[dict[str, Value | None]],
    columns: Sequence[MetricColumn],
    cells: Sequence[Sequence[Sequence[Cell]]],
    numbers: Sequence[Sequence[float | None]],
) -> list[tuple[str, ...]]:
    """The exponents with which columns grow along the axis; along sentence length, with the length that was met."""
    fitted = []
    for at, column in enumerate(columns):
        lengths = [
            mean([metric_of(LENGTH).of(cell) for cell in line[at]]) if part.axis == "length" else float(row["at"] or 0)
            for row, line in zip(rows, cells, strict=True)
        ]
        known = [(x, line[at]) for x, line in zip(lengths, numbers, strict=True)]
        law = growth([(x, y) for x, y in known if x is not None and y is not None])
        fitted.append(NOTHING if law is None or column.metric == LENGTH else str(law))
    return last_row("exponent", fitted)


def beside(table: Table, paper: PaperFigures | None) -> Table:
    """The table with the paper's figures beside its rows; those of the paper alone come last."""
    if paper is None:
        return table
    own = [row[0] for row in table.rows]
    nothing, blank = ("",) * len(paper.columns), (NOTHING,) * (len(table.header) - 1)
    figures = {
        name: tuple(f"{one:.2f}" if isinstance(one, float) else str(one) for one in row)
        for name, row in paper.rows.items()
    }
    rows = [(*row, *figures.get(row[0], nothing)) for row in table.rows]
    rows += [(name, *blank, *row) for name, row in figures.items() if name not in own]
    header = (*table.header, *(f"paper: {name}" for name in paper.columns))
    return table._replace(header=header, rows=rows)


def _chosen(wanted: TablePlan, results: Results) -> Table:
    """For each treebank what was best in one part, and what it comes to in another."""
    assert wanted.choose is not None
    rows = [row for treebank in results.recipe.parts[wanted.part].treebanks for row in _best(wanted, treebank, results)]
    named = ("treebank", *(["configuration"] if wanted.over == "at" else []), f"best {wanted.over}")
    note = f"What is best by {wanted.by} is chosen without a look at what is parsed here."
    table = Table(wanted.title, (*named, f"{wanted.by} there", *wanted.metrics), rows, len(named), [note])
    return beside(table, wanted.paper)


def _best(wanted: TablePlan, treebank: str, results: Results) -> Iterator[tuple[str, ...]]:
    """The best configuration, or for each configuration its best value on the axis, with what they come to."""
    where = results.recipe.parts[str(wanted.choose)]
    best: list[tuple[str, Value | None]] = []
    if wanted.over == "at":
        for name in where.configurations:
            values = {at: results.value(wanted.by, where.name, treebank, name, at) for at in results.axis(where)}
            known = {at: value for at, value in values.items() if value is not None}
            best += [(name, max(known, key=known.__getitem__))] if known else []
    elif chosen := results.chosen(where.name, treebank, wanted.by):
        best = [(chosen, None)]
    for name, at in best:
        there, here = (results.cell(part, treebank, name, at) for part in (where.name, wanted.part))
        named = (name, str(at)) if wanted.over == "at" else (name,)
        place = {"treebank": treebank, "configuration": name, "at": at}
        part = results.recipe.parts[wanted.part]
        shown = (f"{metric_of(one).shown(here)}{_spread(part, one, place, results)}" for one in wanted.metrics)
        yield (treebank, *named, metric_of(wanted.by).shown(there), *shown)


Numbers = Sequence[float | None]


def ranked(numbers: Numbers, groups: Sequence[tuple[str, object]]) -> list[float | None]:
    """The rank of each number among those of its group, 1 for the best; the same number has the mean of its ranks.

    A group is a metric and a place on the axis. None for all of a group where one of its numbers is missing.
    """
    found: list[float | None] = [None] * len(numbers)
    for group in dict.fromkeys(groups):
        places = [at for at, other in enumerate(groups) if other == group]
        values = [number for at in places if (number := numbers[at]) is not None]
        if len(values) == len(places):
            sign = 1 if metric_of(group[0]).lower else -1
            ordered = sorted(sign * value for value in values)
            for at, value in zip(places, values, strict=True):
                found[at] = ordered.index(sign * value) + (1 + ordered.count(sign * value)) / 2
    return found


def last_row(name: str, texts: Iterable[str]) -> list[tuple[str, ...]]:
    """A row below a table, unless nothing is in it."""
    row = (name, *texts)
    return [row] if {*row[1:]} - {NOTHING} else []


class Growth(NamedTuple):
    """y grows as x^exponent; with the standard error of the exponent."""

    exponent: float
    error: float

    def __str__(self) -> str:
        return f"{self.exponent:.2f} ± {self.error:.2f}"


def growth(points: Iterable[tuple[float, float]]) -> Growth | None:
    """Least squares over the logarithms; None for fewer than three points above 0, or where all x are the same.

    >>> print(growth([(1, 3), (2, 12), (4, 48)]))
    2.00 ± 0.00
    """
    pairs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(pairs) < 3 or len({x for x, _ in pairs}) == 1:
        return None
    x, y = np.array(pairs).T
    centred = x - x.mean()
    spread = float(centred @ centred)
    exponent = float(centred @ y) / spread
    residuals = y - (y.mean() - exponent * x.mean()) - exponent * x
    return Growth(exponent, math.sqrt(float(residuals @ residuals) / max(1, len(pairs) - 2) / spread))
