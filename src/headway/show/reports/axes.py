"""The axes of plots: round numbers along them, where a value lies, and the grid between two of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from headway.show.reports.figure import rule, text


class Scale(NamedTuple):
    """What a scale spans at least, and where it ends at most."""

    least: float = 0.0
    low: float = -math.inf
    high: float = math.inf


ANY = Scale()
ACCURACY = Scale(least=5.0, low=0.0, high=100.0)
"""For scores in per cent: a tenth of a point does not look large."""


class Axis(NamedTuple):
    """Where values from `low` to `high` lie between two places of a picture, and the texts of some of them."""

    low: float
    high: float
    begin: float
    end: float
    texts: Mapping[float, str]

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.begin + (self.end - self.begin) * share


def grid(x: Axis, y: Axis, title: str) -> list[str]:
    """The lines and texts of two axes, `title` below the horizontal one."""
    parts = [text((x.begin + x.end) / 2, y.begin + 34, title, "middle")]
    for tick, label in y.texts.items():
        parts += [rule(x.begin, y(tick), x.end, y(tick)), text(x.begin - 6, y(tick) + 4, label, "end")]
    for tick, label in x.texts.items():
        parts += [rule(x(tick), y.begin, x(tick), y.begin + 4), text(x(tick), y.begin + 18, label, "middle")]
    return parts


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers, about `count` steps of 1, 2 or 5 times a power of ten, that enclose low and high."""
    if high <= low:
        high = low + 1.0
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def enclosing(values: Sequence[float], scale: Scale, zero: bool) -> list[float]:
    """Ticks around the values, as a scale wants them; from 0 or below with `zero`."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    low = min(low, 0.0) if zero else low
    missing = max(0.0, scale.least - (high - low))
    above = min(max(missing / 2, missing - (low - scale.low)), max(0.0, scale.high - high))
    below = min(missing - above, max(0.0, low - scale.low))
    return ticks(low - below, high + above)


def whole_ticks(xs: Sequence[float]) -> list[float]:
    """Ticks among the values; where all of these are whole numbers, so are they."""
    low, high = (min(xs), max(xs)) if xs else (0.0, 1.0)
    whole = all(float(one).is_integer() for one in xs) and high > low
    found = ticks(low, high, min(10, int(high - low)) if whole else 10)
    return [tick for tick in found if low <= tick <= high] or [low]


def tick_text(tick: float) -> str:
    """A number of an axis.

    >>> tick_text(12000.0), tick_text(0.5)
    ('12,000', '0.5')
    """
    return f"{tick:,.10g}"
