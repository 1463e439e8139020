"""How a cost grows: the exponent of the power law that fits best."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np


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
