"""A bar chart."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from headway.show.reports.figure import WIDTH, Figure, Series, colour, legend, rule, text, widest
from headway.show.reports.ticks import tick_text, ticks

THICK, GAP = 14, 8
"""Of a bar, and between rows of them."""


def bars(labels: Sequence[str], series: Series, *, title: str, unit: str = "", digits: int = 1) -> Figure:
    """Horizontal bars from 0, one row for each label and in it one bar for each series; None leaves its bar out.

    Values are at least 0; they stand at their bars with that many digits.
    """
    shown = {
        name: [f"{one:,.{digits}f}{unit}" if one is not None else "" for one in values]
        for name, values in series.items()
    }
    scale = ticks(0.0, max((one for values in series.values() for one in values if one is not None), default=1.0))
    names = legend(series, lines=False)
    left = widest(labels) + 10
    room = max(
        widest(exact for row in shown.values() for exact in row) + 6, widest([f"{tick_text(scale[-1])}{unit}"]) / 2
    )
    right = max(WIDTH, left + 200 + room) - room
    row, top = THICK * len(series) + GAP, names.height
    bottom = top + row * len(labels)

    def x(value: float) -> float:
        return left + (right - left) * value / scale[-1]

    parts = [*names.elements]
    for tick in scale:
        parts += [rule(x(tick), top, x(tick), bottom), text(x(tick), bottom + 16, f"{tick_text(tick)}{unit}", "middle")]
    for at, label in enumerate(labels):
        y = top + row * at + GAP / 2
        parts.append(text(left - 6, y + (row - GAP) / 2 + 4, label, "end"))
        for number, (name, values) in enumerate(series.items()):
            value, exact = values[at], shown[name][at]
            if value is not None:
                size = f'width="{x(value) - left:.1f}" height="{THICK - 1}"'
                parts.append(
                    f'<rect x="{left:.1f}" y="{y + THICK * number:.1f}" {size} '
                    f'style="fill: {colour(number)}"><title>{escape(f"{label}, {name}: {exact}")}</title></rect>'
                )
                parts.append(text(x(value) + 4, y + THICK * number + 11, exact))
    return Figure(title, max(right + room, names.width), bottom + 24, parts)
