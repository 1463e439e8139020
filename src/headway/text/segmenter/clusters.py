"""Grapheme clusters: what a reader takes for one character, such as a letter with its accents, or a flag.

`regex` knows them (Unicode Standard Annex 29). It only sees characters that may stick to their neighbours, with one
more on either side; all others are clusters of their own, so that most text costs one look into a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from headway.text.segmenter.characters import SPACE, Codes, Stretches, Table, compiled

FIRST = 0x300
"""All characters before this one are clusters of their own, but for line ends, which are spaces."""
STICKY = r"[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}\p{GCB=PP}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=RI}]"
"""Characters one of which stands in every pair that is one cluster."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """The grapheme clusters of some stretches of text."""

    inside: NDArray[np.bool_]
    """Whether each place, from 0 to the end of the text, is inside of one."""
    classes: NDArray[np.uint8]
    """For each character the class of the first one of its cluster."""

    @classmethod
    def of(cls, text: Stretches) -> Clusters:
        """Those of stretches; none goes beyond the end of a stretch. Linear time."""
        inside = np.zeros(len(text.codes) + 1, np.bool_)
        near = _near(text.codes)
        if near is None:
            return cls(inside, text.classes)
        picked = np.flatnonzero(near)
        inside[picked] = ~_begins(text.codes[picked], np.searchsorted(picked, text.offsets[1:-1]))
        inside[text.offsets] = False
        first = np.maximum.accumulate(np.where(inside[:-1], 0, np.arange(len(text.codes))))
        # An accent on a space is a token, and no space.
        classes = text.classes[first]
        return cls(inside, np.where(classes == SPACE, text.classes, classes))


def _near(codes: Codes) -> NDArray[np.bool_] | None:
    """Which characters may be in a cluster with others, or stand beside one that may; None where none may."""
    if not len(codes) or codes.max() < FIRST:
        return None
    sticky: NDArray[np.bool_] = _sticky()[codes]
    if not sticky.any():
        return None
    near = sticky.copy()
    near[:-1] |= sticky[1:]
    near[1:] |= sticky[:-1]
    return near


def _begins(codes: Codes, stops: Sequence[int] | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which characters begin a cluster where a line ends before each of the `stops`."""
    parted = np.insert(codes, stops, ord("\n")).tobytes().decode("utf-32-le")
    sizes = np.fromiter(map(len, compiled(r"\X").findall(parted)), np.int64)
    begins = np.zeros(len(parted), np.bool_)
    begins[np.cumsum(sizes) - sizes] = True
    kept = np.ones(len(parted), np.bool_)
    kept[np.asarray(stops, np.int64) + np.arange(len(stops))] = False
    return begins[kept]


@cache
def _sticky() -> Table:
    sticks = compiled(STICKY).match
    return Table(lambda character: sticks(character) is not None, np.bool_)
