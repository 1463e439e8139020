"""What recipes measured as rows of numbers, for CSV: whole and not rounded, with their deviation over seeds."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from headway.lab.metrics import METRICS, OF_LABEL
from headway.lab.reports.tables import deviation
from headway.lab.results import Results

HEADER = (
    *("recipe", "part", "treebank", "configuration", "at", "metric"),
    *("value", "standard deviation", "seeds"),
)


def numbers(found: Results) -> Iterator[tuple[Any, ...]]:
    """All numbers of a recipe, a row for each metric of each place; a deviation where there are several seeds."""
    for place in found.cells:
        labels = (f"{OF_LABEL}{label}" for label in found.recipe.parts[place.part].labels)
        for metric in (*METRICS, *labels):
            value, seeds = found.value(metric, *place), found.of_seeds(metric, *place)
            if value is not None:
                yield found.recipe.identity, *place, metric, value, deviation([seeds]), len(seeds) or 1


def as_csv(found: Iterable[Results]) -> str:
    """Those of several recipes as CSV with a header."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for one in found:
        writer.writerows(numbers(one))
    return text.getvalue()
