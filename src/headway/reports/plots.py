"""Bar and line charts and heat maps as SVG for the pages of `show.page`, whose colours they take, light or dark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH = 720
HEIGHT = 300
COLOURS = ("--good", "--bad", "--other", "--warm", "--calm", "--soft")
DASHES = ("", "6 3", "2 3")
"""What tells lines of the same colour apart."""
FONT = "font: 12px system-ui, sans-serif; fill: var(--ink)"
LEGEND = 18
"""The height of a row of names."""
CHARACTER = 7
"""Roughly the width of a character, for margins."""
Series = Mapping[str, Sequence[float | None]]


def bars(labels: Sequence[str], series: Series, *, title: str, unit: str = "", digits: int = 1) -> str:
    """Horizontal bars, one row for each label and in it one bar for each series; None leaves its bar out.

    Values are at least 0; they stand at their bars with that many digits.
    """
    thick, gap, top = 14, 8, _legend_height(series)
    row = thick * len(series) + gap
    left = CHARACTER * max(map(len, labels), default=0) + 10
    bottom = top + row * len(labels)
    scale = ticks(0.0, max(_present(series), default=1.0))
    right = WIDTH - CHARACTER * 8

    def x(value: float) -> float:
        return left + (right - left) * value / scale[-1]

    parts = [_legend(series)]
    for tick in scale:
        parts.append(_line(x(tick), top, x(tick), bottom))
        parts.append(_text(x(tick), bottom + 16, f"{tick:g}{unit}", "middle"))
    for at, label in enumerate(labels):
        y = top + row * at + gap / 2
        parts.append(_text(left - 6, y + (row - gap) / 2 + 4, label, "end"))
        for number, (name, values) in enumerate(series.items()):
            value = values[at]
            if value is not None:
                exact = f"{value:.{digits}f}{unit}"
                hint = escape(f"{label}, {name}: {exact}")
                parts.append(
                    f'<rect x="{left}" y="{y + thick * number:.1f}" width="{x(value) - left:.1f}" '
                    f'height="{thick - 1}" style="fill: var({_colour(number)})"><title>{hint}</title></rect>'
                )
                parts.append(_text(x(value) + 4, y + thick * number + 11, exact))
    return _figure(parts, bottom + 24, title)


def lines(
    xs: Sequence[float],
    series: Series,
    *,
    title: str,
    unit: str = "",
    digits: int = 1,
    x_title: str = "",
    spread: Series | None = None,
    least: float = 0.0,
    zero: bool = False,
) -> str:
    """A line for each series over the numbers `xs`, which increase; None breaks a line.

    `spread` has for each value how far its error bar reaches to both sides. The y-axis spans `least` or more, and
    begins at 0 or below with `zero`.
    """
    bars = {name: _reach(values, (spread or {}).get(name)) for name, values in series.items()}
    ends = [end for several in bars.values() for pair in several if pair for end in pair]
    across, up = _whole_ticks(xs), _enclosing(ends, least, zero)
    labels = [_number(tick) + unit for tick in up]
    top, left = _legend_height(series) + 8, CHARACTER * max(map(len, labels)) + 10
    right, bottom = WIDTH - CHARACTER * len(_number(across[-1])) / 2 - 9, top + HEIGHT
    low, high = (min(xs), max(xs)) if xs else (0.0, 1.0)

    def x(value: float) -> float:
        return left + (right - left) * (value - low) / ((high - low) or 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - up[0]) / (up[-1] - up[0])

    parts = [_legend(series), _text((left + right) / 2, bottom + 34, x_title, "middle")]
    for tick, label in zip(up, labels, strict=True):
        parts += [_line(left, y(tick), right, y(tick)), _text(left - 6, y(tick) + 4, label, "end")]
    parts += [_text(x(tick), bottom + 18, _number(tick), "middle") for tick in across if low <= tick <= high]
    for number, (name, ys) in enumerate(series.items()):
        for piece in _unbroken(xs, ys):
            points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in piece)
            parts.append(f'<polyline points="{points}" style="fill: none; {_stroke(number)}"/>')
            parts += [
                f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.5" style="fill: var({_colour(number)})">'
                f"<title>{escape(f'{a:g}, {name}: {b:.{digits}f}{unit}')}</title></circle>"
                for a, b in piece
            ]
        for a, pair in zip(xs, bars[name], strict=True):
            if pair and pair[0] < pair[1]:
                aside = 2 * (number - (len(series) - 1) / 2)  # so that bars at one place can be told apart
                parts.append(_error_bar(x(a) + aside, y(pair[0]), y(pair[1]), number))
    return _figure(parts, bottom + 44, title)


def _reach(values: Sequence[float | None], spread: Sequence[float | None] | None) -> list[tuple[float, float] | None]:
    """From where to where the error bar of each value reaches."""
    widths = spread or [None] * len(values)
    pairs = zip(values, widths, strict=True)
    return [None if value is None else (value - (by or 0.0), value + (by or 0.0)) for value, by in pairs]


def _enclosing(values: Sequence[float], least: float, zero: bool) -> list[float]:
    """Ticks of a y-axis around the values: `least` or more from the first to the last."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    low = min(low, 0.0) if zero else low
    missing = max(0.0, least - (high - low))
    return ticks(low - missing / 2, high + missing / 2)


def _whole_ticks(xs: Sequence[float]) -> list[float]:
    """Ticks of an x-axis; where all values are whole numbers, so are they."""
    low, high = (min(xs), max(xs)) if xs else (0.0, 1.0)
    whole = all(float(one).is_integer() for one in xs) and high > low
    return ticks(low, high, min(10, int(high - low)) if whole else 10)


def _number(tick: float) -> str:
    return f"{tick:,.10g}"


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    title: str,
    digits: int = 2,
) -> str:
    """A field for each value[row][column], the deeper coloured the higher; None leaves its field empty."""
    left, top, height = CHARACTER * max(map(len, rows), default=0) + 12, 24, 30
    width = max(CHARACTER * max(map(len, columns), default=0) + 10, 56)
    present = [value for row in values for value in row if value is not None] or [0.0]
    low, span = min(present), (max(present) - min(present)) or 1.0
    parts = [_text(left + width * (at + 0.5), 14, name, "middle") for at, name in enumerate(columns)]
    for number, name in enumerate(rows):
        y = top + height * number
        parts.append(_text(left - 6, y + height / 2 + 4, name, "end"))
        for at, value in enumerate(values[number]):
            if value is not None:
                depth = 0.08 + 0.62 * (value - low) / span
                x = left + width * at
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{width - 2:.1f}" height="{height - 2}" '
                    f'style="fill: var(--good); fill-opacity: {depth:.2f}"/>'
                )
                parts.append(_text(x + width / 2, y + height / 2 + 4, f"{value:.{digits}f}", "middle"))
    return _figure(parts, top + height * len(rows) + 6, title, left + width * len(columns))


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers, about `count` steps of 1, 2 or 5 times a power of ten, that enclose low and high."""
    if high <= low:
        high = low + 1.0
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def _present(series: Series) -> Iterator[float]:
    return (value for values in series.values() for value in values if value is not None)


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


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _stroke(number: int) -> str:
    dashes = DASHES[number // len(COLOURS) % len(DASHES)]
    return f"stroke: var({_colour(number)}); stroke-width: 1.5" + (f"; stroke-dasharray: {dashes}" if dashes else "")


def _error_bar(x: float, low: float, high: float, number: int) -> str:
    ends = f"M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6"
    return f'<path d="M{x:.1f} {low:.1f}V{high:.1f}{ends}" style="fill: none; stroke: var({_colour(number)})"/>'


def _places(series: Series) -> list[tuple[int, int]]:
    """Where each name of a legend stands: as many in a row as there is room for."""
    found, x, row = [], 0, 0
    for name in series:
        width = 34 + CHARACTER * len(name)
        if x and x + width > WIDTH:
            x, row = 0, row + 1
        found.append((x, LEGEND * row))
        x += width
    return found


def _legend_height(series: Series) -> int:
    return _places(series)[-1][1] + 24 if len(series) > 1 else 4


def _legend(series: Series) -> str:
    if len(series) < 2:
        return ""
    parts = []
    for number, (name, (x, y)) in enumerate(zip(series, _places(series), strict=True)):
        parts.append(f'<path d="M{x} {y + 9}h14" style="{_stroke(number)}; stroke-width: 6"/>')
        parts.append(_text(x + 19, y + 13, name))
    return "".join(parts)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" style="stroke: var(--line)"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{FONT}">{escape(text)}</text>'


def _figure(parts: Sequence[str], height: float, title: str, width: float = WIDTH) -> str:
    body = "\n".join(part for part in parts if part)
    return (
        f'<figure>\n<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">\n{body}\n</svg>\n'
        f"<figcaption>{escape(title)}</figcaption>\n</figure>"
    )
