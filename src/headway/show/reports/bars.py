"""Bar charts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from headway.show.reports.axes import Axis, tick_text, ticks
from headway.show.reports.figure import WIDTH, Figure, Series, colour, legend, rule, text, widest

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
