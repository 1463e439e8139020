"""The plots and heat maps of a recipe for its HTML page, and heat maps as tables."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import stdev

from headway.lab.metrics import is_score, mean, metric_of
from headway.lab.plans import HeatMapPlan, PlotPlan
from headway.lab.results import Cell, Results
from headway.show.reports.charts import heat_map, lines
from headway.show.reports.figure import ACCURACY, ANY, Figure
from headway.show.reports.page import Table


def figures_of(wanted: PlotPlan, results: Results) -> Iterator[Figure]:
    """Lines along the axis of a part, a picture for each treebank."""
    part = results.recipe.parts[wanted.part]
    places = [at for at in results.axis(part) if isinstance(at, (int, float))]
    seeds = {name: len(results.recipe.configurations[name].seeds or part.seeds) for name in part.configurations}
    for treebank in part.treebanks:
        cells = {name: [results.cell(part.name, treebank, name, at) for at in places] for name in part.configurations}
        series = {name: [metric_of(wanted.metric).of(cell) for cell in along] for name, along in cells.items()}
        if wanted.level:  # What has no axis, as horizontal lines.
            for name in results.recipe.parts[wanted.level].configurations:
                level = results.value(wanted.metric, wanted.level, treebank, name)
                series[f"{name}, level"] = [level] * len(places)
        series = {name: values for name, values in series.items() if any(value is not None for value in values)}
        if series:
            accuracy, most = is_score(wanted.metric), max(seeds.values())
            title = f"{wanted.title}, {treebank}" if len(part.treebanks) > 1 else wanted.title
            yield lines(
                places,
                series,
                title=title + (f" (bars: standard deviation over {most} seeds)" if most > 1 else ""),
                unit=" %" if accuracy else "",
                digits=metric_of(wanted.metric).digits,
                x_title=str(part.axis),
                spread={
                    name: [_deviation(wanted, cell, seeds[name]) for cell in along] for name, along in cells.items()
                },
                scale=ACCURACY if accuracy else ANY,
                zero=not accuracy,
            )


def _deviation(wanted: PlotPlan, cell: Cell | None, seeds: int) -> float | None:
    """The standard deviation over seeds."""
    if not cell or seeds < 2:
        return None
    folds = len(cell) // seeds
    values = [metric_of(wanted.metric).of(cell[at : at + folds]) for at in range(0, len(cell), folds)]
    known = [value for value in values if value is not None]
    return stdev(known) if len(known) > 1 else None


def heat_map_of(wanted: HeatMapPlan, results: Results) -> tuple[Figure, Table] | None:
    """Decoders × learners as a picture and as a table: means over all treebanks; None where nothing is measured."""
    part = results.recipe.parts[wanted.part]
    found = [results.recipe.configurations[name] for name in part.configurations]
    names = {(one.decoder, one.learner): one.name for one in found if one.decoder}
    decoders, learners = (list(dict.fromkeys(pair[at] for pair in names)) for at in (0, 1))
    means = {
        pair: mean([results.value(wanted.metric, part.name, treebank, name) for treebank in part.treebanks])
        for pair, name in names.items()
    }
    values = [[means.get((decoder, learner)) for learner in learners] for decoder in decoders]
    if all(value is None for row in values for value in row):
        return None
    title = f"{wanted.title}, mean of {len(part.treebanks)} treebanks" if len(part.treebanks) > 1 else wanted.title
    metric = metric_of(wanted.metric)
    scale = ACCURACY if is_score(wanted.metric) else ANY
    figure = heat_map(decoders, learners, values, title=title, digits=metric.digits, scale=scale)
    rows = [(name, *map(metric.text, row)) for name, row in zip(decoders, values, strict=True)]
    return figure, Table(title, ("decoder", *learners), rows)
