"""The charts: bars, lines with reliability diagrams (how often words of a confidence are right), heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

from headway.show.reports.figure import (
    ANY,
    WIDTH,
    Axis,
    Figure,
    Scale,
    Series,
    colour,
    enclosing,
    grid,
    legend,
    marker,
    rule,
    stroke,
    text,
    text_width,
    tick_text,
    ticks,
    whole_ticks,
    widest,
)

THICK, GAP = 14, 8
"""Of a bar, and between rows of them."""


def bars(labels: Sequence[str], series: Series, *, title: str, unit: str = "", digits: int = 1) -> Figure:
    """Horizontal bars from 0, one row for each label and in it one bar for each series; None leaves its bar out.

    Values are at least 0; they stand at their bars with that many digits.
    """
    shown = [(f"{value:,.{digits}f}{unit}" if value is not None else "") for row in series.values() for value in row]
    scale = ticks(0.0, max((value for row in series.values() for value in row if value is not None), default=1.0))
    texts = {tick: f"{tick_text(tick)}{unit}" for tick in scale}
    names = legend(series, lines=False)
    left, room = widest(labels) + 10, max(widest(shown) + 6, widest([texts[scale[-1]]]) / 2)
    right = max(WIDTH, left + 200 + room) - room
    height, top = THICK * len(series) + GAP, names.height
    bottom = top + height * len(labels)
    x = Axis(0.0, scale[-1], left, right, texts)
    parts = [*names.elements]
    for tick, words in texts.items():
        parts += [rule(x(tick), top, x(tick), bottom), text(x(tick), bottom + 16, words, "middle")]
    for at, label in enumerate(labels):
        y = top + height * at + GAP / 2
        parts.append(text(left - 6, y + (height - GAP) / 2 + 4, label, "end"))
        for number, (name, values) in enumerate(series.items()):
            value, exact = values[at], shown[number * len(labels) + at]
            if value is not None:
                size = f'width="{x(value) - left:.1f}" height="{THICK - 1}"'
                parts.append(
                    f'<rect x="{left:.1f}" y="{y + THICK * number:.1f}" {size} '
                    f'style="fill: {colour(number)}"><title>{escape(f"{label}, {name}: {exact}")}</title></rect>'
                )
                parts.append(text(x(value) + 4, y + THICK * number + 11, exact))
    return Figure(title, max(right + room, names.width), bottom + 24, parts)


HEIGHT = 300
SIZE = 360.0
SHARES = {share / 100: f"{share} %" for share in range(0, 101, 20)}
RELIABILITY = (
    "How often words are right, by how sure the parser was of them, in bins of as many words each; where confidences"
    " come true, the points lie on the diagonal"
)
Point = tuple[float, float, str]
"""Two numbers, and words that show when one points there."""


def lines(
    xs: Sequence[float],
    series: Series,
    *,
    title: str,
    unit: str = "",
    digits: int = 1,
    x_title: str = "",
    spread: Series | None = None,
    scale: Scale = ANY,
    zero: bool = False,
) -> Figure:
    """A line for each series over the numbers `xs`, which increase; None breaks a line.

    `spread` has for each value how far its error bar reaches to both sides. The y-axis spans what `scale` says or more,
    and begins at 0 or below with `zero`; where it begins higher, the caption says so.
    """
    reach: dict[str, list[tuple[float, float] | None]] = {}  # From where to where the error bar of each value goes.
    for name, values in series.items():
        pairs = zip(values, (spread or {}).get(name) or [None] * len(values), strict=True)
        reach[name] = [None if value is None else (value - (by or 0.0), value + (by or 0.0)) for value, by in pairs]
    reached = [end for several in reach.values() for pair in several if pair for end in pair]
    across, up = whole_ticks(xs), enclosing(reached, scale, zero)
    labels = [tick_text(tick) + unit for tick in up]
    names = legend(series, lines=True)
    right = WIDTH - text_width(tick_text(across[-1])) / 2 - 9
    span = (min(xs), max(xs)) if xs else (0.0, 1.0)
    x = Axis(*span, widest(labels) + 10, right, {tick: tick_text(tick) for tick in across})
    top = names.height + 8
    y = Axis(up[0], up[-1], top + HEIGHT, top, dict(zip(up, labels, strict=True)))
    parts = [*names.elements, *grid(x, y, x_title)]
    for number, (name, values) in enumerate(series.items()):
        for known, run in groupby(zip(xs, values, strict=True), lambda point: point[1] is not None):
            points = [(a, b, f"{a:g}, {name}: {b:.{digits}f}{unit}") for a, b in run if b is not None]
            parts += _line(number, points, x, y) if known else []
        for a, pair in zip(xs, reach[name], strict=True):
            if pair and pair[0] < pair[1]:
                aside = 2 * (number - (len(series) - 1) / 2)  # so that bars at one place can be told apart
                middle, low, high = x(a) + aside, y(pair[0]), y(pair[1])
                ends = f"M{middle - 3:.1f} {low:.1f}h6M{middle - 3:.1f} {high:.1f}h6"
                style = f"fill: none; stroke: {colour(number)}"
                parts.append(f'<path d="M{middle:.1f} {low:.1f}V{high:.1f}{ends}" style="{style}"/>')
    begins = f"; the scale begins at {labels[0]}" if up[0] > 0 else ""
    return Figure(f"{title}{begins}", max(WIDTH, names.width), y.begin + 44, parts)


def reliability_diagram(series: Mapping[str, Sequence[tuple[float, float]]], title: str = RELIABILITY) -> Figure:
    """Points (confidence, share that is right) of each series, in ascending order, beside the diagonal."""
    names = legend(series, lines=True)
    left, top = widest(SHARES.values()) + 10, names.height + 8
    x, y = Axis(0, 1, left, left + SIZE, SHARES), Axis(0, 1, top + SIZE, top, SHARES)
    parts = [*names.elements, *grid(x, y, "confidence"), rule(x(0), y(0), x(1), y(1))]
    for number, (name, points) in enumerate(series.items()):
        hinted = [(a, b, f"{name} {100 * a:.1f} %: {100 * b:.1f} % right") for a, b in points]
        parts += _line(number, hinted, x, y)
    return Figure(title, max(WIDTH, names.width), y(0) + 44, parts)


def _line(number: int, points: Sequence[Point], x: Axis, y: Axis) -> list[str]:
    places = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b, _ in points)
    line = f'<polyline points="{places}" style="fill: none; {stroke(number)}"/>'
    return [line, *(marker(x(a), y(b), number, hint) for a, b, hint in points)]


FIELD = 30
PALEST, DEEPEST = 0.08, 0.6
"""How opaque the colour of the lowest and the highest value is: text stays legible on both."""


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    title: str,
    digits: int = 2,
    scale: Scale = ANY,
) -> Figure:
    """A field for each value[row][column], the deeper coloured the higher; None leaves its field empty.

    The colours span what `scale` says or more, so that small differences look small; the caption says what they span.
    """
    shown = [["" if value is None else f"{value:,.{digits}f}" for value in row] for row in values]
    left, top = widest(rows) + 12, 24
    width = max(widest([*columns, *(one for row in shown for one in row)]) + 10, 56)
    present = [value for row in values for value in row if value is not None] or [0.0]
    span = max(max(present) - min(present), scale.least) or 1.0
    parts = [text(left + width * (at + 0.5), 14, name, "middle") for at, name in enumerate(columns)]
    for number, name in enumerate(rows):
        y = top + FIELD * number
        parts.append(text(left - 6, y + FIELD / 2 + 4, name, "end"))
        for at, value in enumerate(values[number]):
            if value is not None:
                depth = DEEPEST - (DEEPEST - PALEST) * (max(present) - value) / span
                x = left + width * at
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{width - 2:.1f}" height="{FIELD - 2}" '
                    f'style="fill: var(--good); fill-opacity: {depth:.2f}"/>'
                )
                parts.append(text(x + width / 2, y + FIELD / 2 + 4, shown[number][at], "middle"))
    pale, deep = (f"{value:,.{digits}f}" for value in (max(present) - span, max(present)))
    caption = f"{title}; from pale ({pale}) to deep ({deep})" if any(map(any, shown)) else title
    return Figure(caption, left + width * len(columns), top + FIELD * len(rows) + 6, parts)
