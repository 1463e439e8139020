"""A point: what a training came to at its end or after a pass. Tasks make it, the journal keeps it, tables read it."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Shares = NDArray[np.float64]
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
    """... and by how much each sentence moves their AUC, as `packed_shares` writes it."""
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

    def wrong_in(self, counts: str) -> Counts | None:
        """The words wrong in each sentence, where the journal has them."""
        return unpacked(self.wrong[counts]) if self.wrong and counts in self.wrong else None


def packed(counts: Counts) -> str:
    """Small numbers as text, a byte or less each."""
    return base64.b85encode(zlib.compress(counts.astype("<u2").tobytes(), 9)).decode()


def unpacked(text: str) -> Counts:
    """What `packed` made text of."""
    return np.frombuffer(zlib.decompress(base64.b85decode(text)), "<u2").astype(np.int64)


def packed_shares(shares: Shares) -> str:
    """Small numbers of about three figures as text, two bytes or less each."""
    return base64.b85encode(zlib.compress(shares.astype("<f2").tobytes(), 9)).decode()


def unpacked_shares(text: str) -> Shares:
    """What `packed_shares` made text of."""
    return np.frombuffer(zlib.decompress(base64.b85decode(text)), "<f2").astype(np.float64)
