"""The plots and heat maps of a recipe for its HTML page, and heat maps as tables."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import stdev
from typing import NamedTuple

from headway.lab.metrics import is_score, metric_of
from headway.lab.plans import HeatMapPlan, PlotPlan
from headway.lab.recipe import MeasureGrid
from headway.lab.results import Cell, Results
from headway.show.reports.axes import ACCURACY, ANY
from headway.show.reports.figure import Figure
from headway.show.reports.heat_map import heat_map
from headway.show.reports.lines import lines
from headway.show.reports.table import NOTHING, Table


def figures_of(wanted: PlotPlan, results: Results) -> Iterator[Figure]:
    """Lines along the axis of a part, a picture for each treebank."""
    part = results.recipe.parts[wanted.part]
    places = [at for at in results.axis(part) if isinstance(at, (int, float))]
    seeds = {name: len(results.recipe.configurations[name].seeds or part.seeds) for name in part.configurations}
    for treebank in part.treebanks:
        cells = {name: [results.cell(part.name, treebank, name, at) for at in places] for name in part.configurations}
        series = {name: [metric_of(wanted.metric).of(cell) for cell in along] for name, along in cells.items()}
        series |= _levels(wanted, treebank, len(places), results)
        series = {name: values for name, values in series.items() if any(value is not None for value in values)}
        if series:
            accuracy = is_score(wanted.metric)
            yield lines(
                places,
                series,
                title=_title(wanted, treebank, part, max(seeds.values())),
                unit=" %" if accuracy else "",
                digits=metric_of(wanted.metric).digits,
                x_title=str(part.axis),
                spread={
                    name: [_deviation(wanted, cell, seeds[name]) for cell in along] for name, along in cells.items()
                },
                scale=ACCURACY if accuracy else ANY,
                zero=not accuracy,
            )


def _title(wanted: PlotPlan, treebank: str, part: MeasureGrid, seeds: int) -> str:
    title = f"{wanted.title}, {treebank}" if len(part.treebanks) > 1 else wanted.title
    return f"{title} (bars: standard deviation over {seeds} seeds)" if seeds > 1 else title


def _deviation(wanted: PlotPlan, cell: Cell | None, seeds: int) -> float | None:
    """The standard deviation over seeds."""
    if not cell or seeds < 2:
        return None
    folds = len(cell) // seeds
    values = [metric_of(wanted.metric).of(cell[at : at + folds]) for at in range(0, len(cell), folds)]
    known = [value for value in values if value is not None]
    return stdev(known) if len(known) > 1 else None


def _levels(wanted: PlotPlan, treebank: str, length: int, results: Results) -> dict[str, list[float | None]]:
    """What has no axis, as horizontal lines."""
    if wanted.level is None:
        return {}
    level = results.recipe.parts[wanted.level]
    return {
        f"{name}, level": [results.value(wanted.metric, level.name, treebank, name)] * length
        for name in level.configurations
    }


class Matrix(NamedTuple):
    """Decoders × learners: values[decoder][learner] is the mean over all treebanks, None where one is missing."""

    title: str
    decoders: list[str]
    learners: list[str]
    values: list[list[float | None]]


def matrix_of(wanted: HeatMapPlan, results: Results) -> Matrix | None:
    """What a heat map shows; None where nothing is measured."""
    part = results.recipe.parts[wanted.part]
    found = [results.recipe.configurations[name] for name in part.configurations]
    products = [one for one in found if one.decoder]
    decoders = list(dict.fromkeys(one.decoder for one in products))
    learners = list(dict.fromkeys(one.learner for one in products))
    names = {(one.decoder, one.learner): one.name for one in products}
    values = [[_mean(wanted, names.get((decoder, learner)), results) for learner in learners] for decoder in decoders]
    if all(value is None for row in values for value in row):
        return None
    title = f"{wanted.title}, mean of {len(part.treebanks)} treebanks" if len(part.treebanks) > 1 else wanted.title
    return Matrix(title, decoders, learners, values)


def matrix_figure(wanted: HeatMapPlan, matrix: Matrix) -> Figure:
    """The matrix as a picture."""
    return heat_map(
        matrix.decoders,
        matrix.learners,
        matrix.values,
        title=matrix.title,
        digits=metric_of(wanted.metric).digits,
        scale=ACCURACY if is_score(wanted.metric) else ANY,
    )


def matrix_table(wanted: HeatMapPlan, matrix: Matrix) -> Table:
    """The matrix as a table."""
    digits = metric_of(wanted.metric).digits
    rows = [
        (name, *(NOTHING if value is None else f"{value:,.{digits}f}" for value in values))
        for name, values in zip(matrix.decoders, matrix.values, strict=True)
    ]
    return Table(matrix.title, ("decoder", *matrix.learners), rows)


def _mean(wanted: HeatMapPlan, name: str | None, results: Results) -> float | None:
    if name is None:
        return None
    treebanks = results.recipe.parts[wanted.part].treebanks
    values = [results.value(wanted.metric, wanted.part, treebank, name) for treebank in treebanks]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None
