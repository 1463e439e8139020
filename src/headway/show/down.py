"""A tree as text, one word on each line: its arcs on the left, those of a second tree on the right.

Where that would take too many cells, heads are numbers beside the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headway.data.sentence import Sentence
from headway.show.arcs import LONGEST, WRONG, Arc, combs, legible, tags
from headway.show.canvas import ARROWS, FIRST, MOST_CELLS, QUIET, SECOND, Canvas, isolated, width_of

NARROWEST = 6
"""Cells that forms keep in a narrow terminal."""


def down(sentence: Sentence, first: Sequence[Arc], second: Sequence[Arc], width: int) -> Canvas:
    """One word on each line; arcs on the left, those of the second tree with another head on the right."""
    canvas = Canvas()
    moved = [b for a, b in zip(first, second, strict=False) if a.head != b.head]
    numbered = not (drawable(first) and drawable(moved))
    left, right = (0, -1) if numbered else (_extent(first), _extent(moved) - 1)
    columns = _columns(sentence, first, second, numbered)
    widths = [max(width_of(text) for text, _ in column) for column in columns]
    form = 2 if any(arc.differs for arc in second) else 1
    excess = max(0, left + sum(widths) + len(widths) + right - width)
    widths[form] = max(min(widths[form], NARROWEST), widths[form] - excess)
    start = left
    for column, cells in zip(columns, widths, strict=True):
        for row, (text, style) in enumerate(column):
            canvas.write(row, start, isolated(_cut(text, cells)), style)
        start += cells + 1
    if numbered:
        canvas.numbered = True
        return canvas
    _brackets(canvas, first, lambda distance: left - 2 - distance, FIRST)
    _brackets(canvas, moved, lambda distance: start + distance, SECOND)
    return canvas


def drawable(arcs: Sequence[Arc]) -> bool:
    """Whether the lines of these arcs take up no more cells than a picture may have."""
    if len(arcs) > LONGEST:
        return False
    lines = combs(arcs)
    inner = {word: 2 * level for word, (level, _, _) in lines.items()}
    inner[0] = max(inner.values(), default=0) + 2
    cells = sum(bottom - top + 2 * level for level, top, bottom in lines.values())
    return cells + sum(abs(inner.get(arc.dependent, 0) - inner[arc.head]) for arc in arcs) <= MOST_CELLS


def _columns(
    sentence: Sentence, first: Sequence[Arc], second: Sequence[Arc], numbered: bool
) -> list[list[tuple[str, str]]]:
    """What stands beside the arcs, column by column: a text and its style for each word; heads where `numbered`."""
    wrong = [arc.differs for arc in second] or [False] * len(sentence)
    brackets, surface = [""] * len(sentence), [""] * len(sentence)
    for span in sentence.multiwords:
        brackets[span.first - 1 : span.last] = "│" * (span.last - span.first + 1)
        brackets[span.last - 1], brackets[span.first - 1] = "╯", "╮"
        surface[span.first - 1] = legible(span.form)
    marks = [(WRONG if differs else "", SECOND) for differs in wrong]
    width = len(str(len(sentence)))
    numbers = [(f"{number:{width}}", QUIET) for number in range(1, len(sentence) + 1)]
    forms = [
        (legible(form), SECOND if differs else "bold") for form, differs in zip(sentence.forms, wrong, strict=True)
    ]
    more = [
        *([(text, QUIET) for text in texts] for texts in (brackets, surface, tags(sentence))),
        *([[(f"{arc.head:{width}} →", FIRST if arc.differs else "") for arc in first]] if numbered else []),
        [(arc.label, FIRST if arc.differs else "") for arc in first],
        *([[(f"{arc.head:{width}} →" if arc.differs else "", SECOND) for arc in second]] if numbered else []),
        [(arc.caption if arc.differs else "", SECOND) for arc in second],
    ]
    filled = [column for column in more if any(text for text, _ in column)]
    return [*([marks] if any(wrong) else []), numbers, forms, *filled]


def _extent(arcs: Sequence[Arc]) -> int:
    """The cells that the brackets of these arcs take up, with a space between them and the words."""
    return 2 * max((level for level, _, _ in combs(arcs).values()), default=0) + 4 if arcs else 0


def _brackets(canvas: Canvas, arcs: Sequence[Arc], at: Callable[[int], int], style: str) -> None:
    """Draw arcs beside the lines of their words; `at` is the column at a distance from the words."""
    lines = combs(arcs)
    inner = {word: 2 * level for word, (level, _, _) in lines.items()}
    inner[0] = max(inner.values(), default=0) + 2
    shared = {arc.head for arc in arcs if not arc.differs}
    for head, (level, top, bottom) in lines.items():
        canvas.vertical(at(2 * level), (top - 1, bottom - 1), "" if head in shared else style)
    for head, (level, _, _) in lines.items():
        canvas.horizontal(head - 1, (at(0), at(2 * level)), "" if head in shared else style)
    for arc in arcs:
        row, near, far = arc.dependent - 1, inner.get(arc.dependent, 0), inner[arc.head]
        colour = style if arc.differs else ""
        canvas.horizontal(row, (at(near), at(far)), colour, arc.crossing)
        if arc.head:
            canvas.write(row, at(far - 1), ARROWS[at(0) - at(1), 0][arc.crossing], colour)
        else:
            canvas.write(row, at(far), "●", colour)


def _cut(text: str, cells: int) -> str:
    """The text, its end left out where it is wider than that."""
    if width_of(text) <= cells:
        return text
    while width_of(text) >= cells:
        text = text[:-1]
    return f"{text}…"
