"""A point: what a training came to at its end or after a pass, as the journal keeps it; and what can be tabulated.

A metric goes from the points of one cell of a table to a number.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.evaluation.metrics.ud import SHOWN
from headway.show.reports.page import NOTHING

Counts = NDArray[np.int64]
Shares = NDArray[np.float64]
COUNTS, SHARES = "<u2", "<f2"
"""What numbers are packed as."""
OF_RECORD = ("sentences", "words", "workers")
"""What all points of a task share; its record in the journal has it."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """Scores and costs; what a journal may lack is None."""

    at: int
    """After so many passes."""
    training: float
    """CPU seconds."""
    scores: Mapping[str, Sequence[int]]
    """By name, how many are right, of how many; from text, twice the words right, of the words of both files: F1."""
    wrong: Mapping[str, str] | None = None
    """By name, the words wrong in each sentence, as `packed` writes them; from text, words missed and too many."""
    parsed: str | None = None
    """A digest of all parses."""
    memory: int | None = None
    """MiB at most until the end of training; this and what follows is of the last point of a task."""
    parsing: Sequence[int] | None = None
    """Words a second in every run of the parser."""
    model: int | None = None
    """Bytes of the model file."""
    kept: bool | None = None
    """Whether the training was done before and its model taken; training time and memory are of then."""
    features: int | None = None
    weights: int | None = None
    confidence: Mapping[str, float] | None = None
    """Where confidences were asked for, how good those of heads are, by name, ..."""
    influence: str | None = None
    """... and by how much each sentence moves their AUC, as `packed` writes shares."""
    annotated: int | None = None
    """In a simulation of annotating, the words annotated so far; ..."""
    needed: float | None = None
    """... at its end, the words that it took to come near the LAS of the whole treebank."""
    sentences: int = 0
    words: int = 0
    """How much was learned from."""
    workers: int = 0
    """How many tasks ran at once."""

    @classmethod
    def of(cls, content: Mapping[str, Any], record: Mapping[str, Any]) -> Point:
        """A point of a task's record; an older journal has the fastest run of the parser alone."""
        runs = content.get("parsing")
        several = {"parsing": [runs]} if isinstance(runs, (int, float)) else {}
        return cls(**{**content, **several, **{name: record[name] for name in OF_RECORD}})

    @property
    def record(self) -> dict[str, Any]:
        """What goes into the points of the task's record."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in OF_RECORD}
        return {name: value for name, value in own.items() if value is not None}


def packed(numbers: Counts | Shares, kind: str = COUNTS) -> str:
    """Small counts as text, a byte or less each; shares, of about three figures, in two bytes or less."""
    return base64.b85encode(zlib.compress(numbers.astype(kind).tobytes(), 9)).decode()


def unpacked(text: str, kind: str = COUNTS) -> Any:
    """What `packed` made text of."""
    numbers = np.frombuffer(zlib.decompress(base64.b85decode(text)), kind)
    return numbers.astype(np.int64 if kind == COUNTS else np.float64)


MIB = 1 << 20
SCORES = {
    "LAS": "LAS",
    "UAS": "UAS",
    "LAS no punctuation": "LAS no punctuation",
    "UAS no punctuation": "UAS no punctuation",
    "DA": "UAS",
    "RA": "RA",
    "CM": "CM",
    **{name: name for name in SHOWN if name not in ("UAS", "LAS")},
}
"""Scores by name, and the counts of the journal that they are made of; DA, of all words, is UAS by its older name."""
TESTED = SHOWN
"""The counts that a journal has for each sentence, so that differences can be tested."""
BARE = " no punctuation"
OF_LABEL = "LAS:"
"""How the score of one label begins, `LAS:nsubj`, which parts measure that ask for the label."""
AUC, ECE, SUREST = "AUC", "ECE − chance", "surest 80 %"
"""What is said of the confidence of heads."""
NEEDED = "words for 95 %"


@dataclass(frozen=True)
class Metric:
    """How a number is found and shown."""

    find: Callable[[Sequence[Point]], float | None]
    digits: int = 2
    lower: bool = False
    """Whether less is better."""
    timed: bool = False
    """Whether it depends on what else the machine did."""

    def of(self, points: Sequence[Point] | None) -> float | None:
        """The number of some points; None where there are none."""
        return self.find(points) if points else None

    def shown(self, points: Sequence[Point] | None) -> str:
        """The number as text; a dash where there is none."""
        return self.text(self.of(points))

    def text(self, value: float | None) -> str:
        """A number with the digits that it is shown with."""
        return NOTHING if value is None else f"{value:,.{self.digits}f}"


def mean(values: Sequence[float | None]) -> float | None:
    """The mean; None where a value is missing, or all are."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def is_score(metric: str, *others: str) -> bool:
    """Whether a metric is a score, that of one label too, or one of some others."""
    return metric in SCORES or metric.startswith(OF_LABEL) or metric in others


def counts_of(metric: str) -> str:
    """The counts of the journal that a score is made of."""
    return SCORES.get(metric, metric)


def testable(metric: str, punctuation: bool) -> bool:
    """Whether differences in a metric can be tested, in a recipe that counts punctuation or not."""
    if metric == AUC:
        return punctuation
    counts = counts_of(metric)
    return (counts.removesuffix(BARE) in TESTED or counts.startswith(OF_LABEL)) and counts.endswith(BARE) != punctuation


def _score_of(name: str) -> Callable[[Sequence[Point]], float | None]:
    """The per cent right of all points together: folds and seeds count by their words. None where one lacks it."""

    def value(points: Sequence[Point]) -> float | None:
        if any(name not in point.scores for point in points):
            return None
        right, of = (sum(point.scores[name][place] for point in points) for place in (0, 1))
        return 100 * right / of if of else 0.0

    return value


def mean_of(of: str | Callable[[Point], float | None], unit: float = 1.0) -> Callable[[Sequence[Point]], float | None]:
    """The mean of a measure of points, named or computed; None where one of them lacks it."""
    measure: Callable[[Point], float | None] = attrgetter(of) if isinstance(of, str) else of

    def value(points: Sequence[Point]) -> float | None:
        found = mean([measure(point) for point in points])
        return None if found is None else found / unit

    return value


def _of_confidence(name: str, unit: float = 1.0) -> Callable[[Sequence[Point]], float | None]:
    return mean_of(lambda point: (point.confidence or {}).get(name), unit)


METRICS: dict[str, Metric] = {
    **{name: Metric(_score_of(counts)) for name, counts in SCORES.items()},
    "training CPU seconds": Metric(mean_of("training"), 1, lower=True, timed=True),
    "parsing words/s": Metric(mean_of(lambda point: max(point.parsing) if point.parsing else None), 0, timed=True),
    "memory MiB": Metric(mean_of("memory"), 0, lower=True),
    "model MiB": Metric(mean_of("model", MIB), 1, lower=True),
    "words in a sentence": Metric(
        lambda points: sum(one.words for one in points) / sum(one.sentences for one in points), 1
    ),
    "features": Metric(mean_of("features"), 0, lower=True),
    "training sentences": Metric(mean_of("sentences"), 0),
    "training words": Metric(mean_of("words"), 0),
    AUC: Metric(_of_confidence(AUC), 4),
    ECE: Metric(_of_confidence(ECE), 4, lower=True),
    SUREST: Metric(_of_confidence(SUREST, 0.01)),
    "annotated words": Metric(mean_of("annotated"), 0, lower=True),
    NEEDED: Metric(mean_of("needed"), 0, lower=True),
}


def metric_of(name: str) -> Metric:
    """The metric of that name, or of one label."""
    return Metric(_score_of(name)) if name.startswith(OF_LABEL) else METRICS[name]
