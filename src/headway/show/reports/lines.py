"""A line chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headway.show.reports.figure import (
    WIDTH,
    Figure,
    Series,
    colour,
    legend,
    marker,
    rule,
    stroke,
    text,
    text_width,
    widest,
)
from headway.show.reports.ticks import ANY, Scale, enclosing, tick_text, whole_ticks

HEIGHT = 300


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
    reach = {name: _reach(values, (spread or {}).get(name)) for name, values in series.items()}
    ends = [end for several in reach.values() for pair in several if pair for end in pair]
    across, up = whole_ticks(xs), enclosing(ends, scale, zero)
    labels = [tick_text(tick) + unit for tick in up]
    names = legend(series, lines=True)
    top, left = names.height + 8, widest(labels) + 10
    right, bottom = WIDTH - text_width(tick_text(across[-1])) / 2 - 9, names.height + 8 + HEIGHT
    low, high = (min(xs), max(xs)) if xs else (0.0, 1.0)

    def x(value: float) -> float:
        return left + (right - left) * ((value - low) / (high - low) if high > low else 0.5)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - up[0]) / (up[-1] - up[0])

    parts = [*names.elements, text((left + right) / 2, bottom + 34, x_title, "middle")]
    for tick, label in zip(up, labels, strict=True):
        parts += [rule(left, y(tick), right, y(tick)), text(left - 6, y(tick) + 4, label, "end")]
    for tick in across:
        parts += [rule(x(tick), bottom, x(tick), bottom + 4), text(x(tick), bottom + 18, tick_text(tick), "middle")]
    for number, (name, ys) in enumerate(series.items()):
        for piece in _unbroken(xs, ys):
            points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in piece)
            parts.append(f'<polyline points="{points}" style="fill: none; {stroke(number)}"/>')
            parts += [marker(x(a), y(b), number, f"{a:g}, {name}: {b:.{digits}f}{unit}") for a, b in piece]
        for a, pair in zip(xs, reach[name], strict=True):
            if pair and pair[0] < pair[1]:
                aside = 2 * (number - (len(series) - 1) / 2)  # so that bars at one place can be told apart
                parts.append(_error_bar(x(a) + aside, y(pair[0]), y(pair[1]), number))
    begins = f"; the scale begins at {labels[0]}" if up[0] > 0 else ""
    return Figure(f"{title}{begins}", max(WIDTH, names.width), bottom + 44, parts)


def _reach(values: Sequence[float | None], spread: Sequence[float | None] | None) -> list[tuple[float, float] | None]:
    """From where to where the error bar of each value reaches."""
    widths = spread or [None] * len(values)
    pairs = zip(values, widths, strict=True)
    return [None if value is None else (value - (by or 0.0), value + (by or 0.0)) for value, by in pairs]


def _unbroken(xs: Sequence[float], ys: Sequence[float | None]) -> Iterator[list[tuple[float, float]]]:
    """The points in stretches without None."""
    piece: list[tuple[float, float]] = []
    for a, b in zip(xs, ys, strict=True):
        if b is not None:
            piece.append((a, b))
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _error_bar(x: float, low: float, high: float, number: int) -> str:
    ends = f"M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6"
    return f'<path d="M{x:.1f} {low:.1f}V{high:.1f}{ends}" style="fill: none; stroke: {colour(number)}"/>'
