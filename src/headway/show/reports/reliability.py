"""A reliability diagram: how often what was said with some confidence came true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headway.show.reports.figure import WIDTH, Figure, legend, marker, rule, stroke, text, widest

SIZE = 360.0
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
CAPTION = (
    "How often words are right, by how sure the parser was of them, in bins of as many words each; where confidences"
    " come true, the points lie on the diagonal"
)


def reliability_diagram(series: Mapping[str, Sequence[tuple[float, float]]], title: str = CAPTION) -> Figure:
    """Points (confidence, share that is right) of each series, in ascending order, beside the diagonal."""
    labels = [f"{100 * tick:.0f} %" for tick in TICKS]
    names = legend(series, lines=True)
    left, top = widest(labels) + 10, names.height + 8

    def x(value: float) -> float:
        return left + SIZE * value

    def y(value: float) -> float:
        return top + SIZE * (1 - value)

    parts = [*names.elements, text(x(0.5), y(0) + 34, "confidence", "middle")]
    for tick, label in zip(TICKS, labels, strict=True):
        parts += [rule(x(0), y(tick), x(1), y(tick)), text(left - 6, y(tick) + 4, label, "end")]
        parts += [rule(x(tick), y(0), x(tick), y(0) + 4), text(x(tick), y(0) + 18, label, "middle")]
    parts.append(rule(x(0), y(0), x(1), y(1)))
    for number, (name, points) in enumerate(series.items()):
        line = " ".join(f"{x(said):.1f},{y(right):.1f}" for said, right in points)
        parts.append(f'<polyline points="{line}" style="fill: none; {stroke(number)}"/>')
        parts += [
            marker(x(said), y(right), number, f"{name} {100 * said:.1f} %: {100 * right:.1f} % right")
            for said, right in points
        ]
    return Figure(title, max(WIDTH, names.width), y(0) + 44, parts)
