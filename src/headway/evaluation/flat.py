"""A report as rows of numbers, for CSV: one number on each line, with what it is."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from headway.evaluation.report import EvaluationReport

HEADER = ("part", "system", "item", "measure", "value")
Row = tuple[str, str, str, str, float]


def flat(report: EvaluationReport, parts: Sequence[str] = ()) -> Iterator[Row]:
    """All numbers of a report, those of its breakdowns named too, whole and not rounded."""
    facts = report.to_dict(parts)
    for system in facts["systems"]:
        name = system["file"]
        for metric, score in system["scores"].items():
            yield from _numbers("scores", name, metric, score)
        for part in ("confidence", *parts):
            for row in system.get(part, ()):
                yield from _numbers(part, name, _item(row), row)
    for test in facts["significance"]:
        first, second = test["systems"]
        yield from _numbers("significance", f"{first} − {second}", test["metric"], test)


def as_csv(report: EvaluationReport, parts: Sequence[str] = ()) -> str:
    """The same as CSV with a header."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(flat(report, parts))
    return text.getvalue()


def _item(row: Mapping[str, Any]) -> str:
    """What the row of a breakdown or list is about: its words."""
    return " ".join(value for value in row.values() if isinstance(value, str))


def _numbers(part: str, system: str, item: str, row: Mapping[str, Any]) -> Iterator[Row]:
    """The numbers of a row by their names; those of lists and dictionaries are numbered, or have two names."""
    for name, value in row.items():
        listed = enumerate(value, 1) if isinstance(value, (list, tuple)) else ()
        for key, number in value.items() if isinstance(value, Mapping) else listed:
            if _is_number(number):
                yield part, system, item, f"{name} {key}", number
        if _is_number(value):
            yield part, system, item, name, value


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
