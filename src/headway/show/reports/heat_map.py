"""A heat map."""

from __future__ import annotations

from collections.abc import Sequence

from headway.show.reports.axes import ANY, Scale
from headway.show.reports.figure import Figure, text, widest

HEIGHT = 30
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
        y = top + HEIGHT * number
        parts.append(text(left - 6, y + HEIGHT / 2 + 4, name, "end"))
        for at, value in enumerate(values[number]):
            if value is not None:
                depth = DEEPEST - (DEEPEST - PALEST) * (max(present) - value) / span
                x = left + width * at
                parts.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{width - 2:.1f}" height="{HEIGHT - 2}" '
                    f'style="fill: var(--good); fill-opacity: {depth:.2f}"/>'
                )
                parts.append(text(x + width / 2, y + HEIGHT / 2 + 4, shown[number][at], "middle"))
    pale, deep = (f"{value:,.{digits}f}" for value in (max(present) - span, max(present)))
    caption = f"{title}; from pale ({pale}) to deep ({deep})" if any(map(any, shown)) else title
    return Figure(caption, left + width * len(columns), top + HEIGHT * len(rows) + 6, parts)
