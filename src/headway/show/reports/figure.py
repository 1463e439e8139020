"""A figure: a picture in SVG with its caption, and the pieces that plots are made of.

Pictures take the colours of the page, light or dark. Widths of texts are estimates for the widest common fonts, so that
no label is cut off.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

Series = Mapping[str, Sequence[float | None]]
"""Names of series, with a value or None for each place."""
WIDTH = 720.0
FONT_SIZE = 12
FONT = f"font: {FONT_SIZE}px system-ui, sans-serif; fill: var(--ink)"
COLOURS = ("good", "bad", "other", "warm", "calm", "soft")
DASHES = ("", "6 3", "2 3")
"""What tells lines of the same colour apart."""
MARKERS = (
    "M0-3.2A3.2 3.2 0 1 1-.01-3.2Z",
    "M-2.8-2.8H2.8V2.8H-2.8Z",
    "M0-3.6L3.4 2.6H-3.4Z",
    "M0-3.9L3.9 0L0 3.9L-3.9 0Z",
)
"""Points of lines: a disc, a square, a triangle, a diamond. They tell colours apart in print."""
ROW = 18
"""The height of a row of names."""


class Figure(NamedTuple):
    """A picture of that size, as elements of SVG, and what is written below it."""

    caption: str
    width: float
    height: float
    elements: Sequence[str]

    def html(self) -> str:
        """The figure as HTML."""
        size = f'width="{self.width:.0f}" height="{self.height:.0f}" viewBox="0 0 {self.width:.0f} {self.height:.0f}"'
        drawn = "\n".join(self.elements)
        return (
            f'<figure>\n<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(self.caption)}" {size}>'
            f"\n{drawn}\n</svg>\n<figcaption>{escape(self.caption)}</figcaption>\n</figure>"
        )


def text_width(text: str) -> float:
    """About how wide a text of a figure is, rather more than less."""
    narrow = sum(character in " .,:;|!'ijlI()[]" for character in text)
    broad = sum(character.isupper() or character in "mw%@—…+<>=" for character in text)
    broadest = sum(character in "mMW@%—…" for character in text)
    far_eastern = sum(character >= "\u1100" for character in text)
    ems = 0.66 * len(text) - 0.24 * narrow + 0.1 * broad + 0.25 * broadest + 0.4 * far_eastern
    return FONT_SIZE * ems


def widest(texts: Iterable[str]) -> float:
    """The width of the widest text; 0 without any."""
    return max(map(text_width, texts), default=0.0)


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    """Words that begin, have their middle or end at x."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{FONT}">{escape(words)}</text>'


def rule(x1: float, y1: float, x2: float, y2: float) -> str:
    """A thin line of a grid."""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" style="stroke: var(--line)"/>'


def colour(number: int) -> str:
    """The colour of a series."""
    return f"var(--{COLOURS[number % len(COLOURS)]})"


def stroke(number: int) -> str:
    """The line of a series."""
    dashes = DASHES[number // len(COLOURS) % len(DASHES)]
    return f"stroke: {colour(number)}; stroke-width: 1.5" + (f"; stroke-dasharray: {dashes}" if dashes else "")


def marker(x: float, y: float, number: int, hint: str = "") -> str:
    """A point of a series, with words that show when one points at it."""
    shape = MARKERS[number % len(MARKERS)]
    place = f'class="point" transform="translate({x:.1f} {y:.1f})"'
    title = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<path d="{shape}" {place} style="fill: {colour(number)}">{title}</path>'


class Legend(NamedTuple):
    """The names of series above a plot, as many in a row as there is room for; none for a single one."""

    elements: list[str]
    height: float
    width: float


def legend(names: Iterable[str], *, lines: bool) -> Legend:
    """Names beside their line and point, or beside a block of their colour."""
    listed = list(names)
    if len(listed) < 2:
        return Legend([], 4, 0)
    elements, x, y, width = [], 0.0, 0, 0.0
    for number, name in enumerate(listed):
        step = 38 + text_width(name)
        if x and x + step > WIDTH:
            x, y = 0.0, y + ROW
        if lines:
            elements.append(f'<path d="M{x:.1f} {y + 9}h20" style="{stroke(number)}"/>')
            elements.append(marker(x + 10, y + 9, number))
        else:
            elements.append(f'<path d="M{x:.1f} {y + 9}h14" style="stroke: {colour(number)}; stroke-width: 9"/>')
        elements.append(text(x + 24, y + 13, name))
        x += step
        width = max(width, x)
    return Legend(elements, y + 24, width)


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
