"""A tree as text, all words on one line: its arcs above, those of a second tree below."""

from __future__ import annotations

from collections.abc import Sequence

from headway.data.sentence import Sentence
from headway.show.arcs import LONGEST, WRONG, Arc, Arch, WordRow, arches, legible, middles, places, tags
from headway.show.canvas import ARROWS, FIRST, MOST_CELLS, QUIET, SECOND, Canvas, isolated, width_of


def across(sentence: Sentence, first: Sequence[Arc], second: Sequence[Arc]) -> Canvas | None:
    """All words on one line, the arcs above, those of the second tree that differ below; None for too many cells."""
    if len(sentence) > LONGEST:
        return None
    canvas, place, lines = Canvas(), places(sentence.forms), _lines(sentence, first)
    above, below = arches(first, place), arches([arc for arc in second if arc.differs], place)
    row = _row(sentence, place, lines, (above, below))
    if sum(_cells(arch, row) for arch in (*above, *below)) > MOST_CELLS:
        return None
    y = max(arch.level for arch in above)
    _arcade(canvas, above, row, y, -1)
    for texts in lines:
        y += 1
        for word, (text, style) in enumerate(texts, 1):
            canvas.write(y, _centred(text, row.middle[place[word]]), text, style)
    for span in sentence.multiwords:
        left, right = map(int, row.edges(span.first, span.last))
        form = isolated(legible(span.form))
        canvas.horizontal(y + 1, (left, right), QUIET)
        for column, text in ((left, "╰"), (_centred(form, (left + right) // 2), form), (right, "╯")):
            canvas.write(y + 1, column, text, QUIET)
    _arcade(canvas, below, row, y + 1 + bool(sentence.multiwords), 1)
    return canvas


def _lines(sentence: Sentence, first: Sequence[Arc]) -> list[list[tuple[str, str]]]:
    """What stands below the arcs, line by line: a text and its style for each word."""
    forms = [
        (f"{WRONG} {form}", SECOND) if arc.differs else (form, "bold")
        for form, arc in zip(map(isolated, map(legible, sentence.forms)), first, strict=True)
    ]
    shown = [(isolated(tag), QUIET) for tag in tags(sentence)]
    return [forms, shown] if any(tags(sentence)) else [forms]


def _row(
    sentence: Sentence,
    place: dict[int, int],
    lines: Sequence[Sequence[tuple[str, str]]],
    sides: Sequence[Sequence[Arch]],
) -> WordRow:
    """Words so far apart that every label has room on its arc, their middles in whole cells."""
    half, demands = [1] * len(place), []
    for word, texts in enumerate(zip(*lines, strict=True), 1):
        half[place[word]] = max(1, *(width_of(text) // 2 for text, _ in texts))
    for arch in (arch for side in sides for arch in side if not arch.arc.head):
        half[arch.head] = max(half[arch.head], width_of(arch.arc.caption) // 2)
    reach = [min(2, cells) for cells in half]
    for side in sides:
        demands += [(a.left, a.right, reach[a.head] + _room(a, side)) for a in side if a.arc.head]
    for span in sentence.multiwords:
        left, right = sorted((place[span.first], place[span.last]))
        demands.append((left, right, width_of(legible(span.form))))
    return WordRow(place, middles(half, 2, demands), [*half], [*reach])


def _cells(arch: Arch, row: WordRow) -> float:
    """How many cells the lines of an arch take."""
    start, end = row.ends(arch)
    return 2 * arch.level + abs(end - start)


def _room(arch: Arch, side: Sequence[Arch]) -> int:
    """Cells between the ends of an arch so that its label fits somewhere between the lines that cross it."""
    crossing = sum(
        arch.level < other.level
        and (
            arch.left < other.left < arch.right
            or arch.left < other.right < arch.right
            # Dependents of its dependent that lie beyond its head: their line rises beside its own end.
            or (other.head == arch.dependent and (other.left == arch.left or other.right == arch.right))
        )
        for other in side
    )
    return (crossing + 1) * (width_of(arch.arc.caption) + 3)


def _arcade(canvas: Canvas, side: Sequence[Arch], row: WordRow, base: int, step: int) -> None:
    """Draw arches from their arrow heads on line `base` upwards (step -1) or downwards (step 1)."""
    colour = FIRST if step < 0 else SECOND
    drawn = sorted(side, key=lambda arch: arch.arc.differs)  # shared lines look like those that agree
    for arch in drawn:
        for column in row.ends(arch):
            top = base + step * (arch.level - (not arch.arc.head))
            canvas.vertical(int(column), (base, top), colour if arch.arc.differs else "", arch.arc.crossing)
    for arch in drawn:
        (start, end), y = map(int, row.ends(arch)), base + step * arch.level
        style, column = colour if arch.arc.differs else "", _centred(arch.arc.caption, end)
        if arch.arc.head:
            canvas.horizontal(y, (start, end), style, arch.arc.crossing)
            column = _gap(canvas, y, (start, end), width_of(arch.arc.caption))
        canvas.write(y, column, isolated(arch.arc.caption), style or QUIET)
        canvas.write(base, end, ARROWS[0, -step][arch.arc.crossing], style)


def _centred(text: str, middle: float) -> int:
    """Where a text begins that has its middle in that cell."""
    return int(middle) - width_of(text) // 2


def _gap(canvas: Canvas, row: int, ends: tuple[int, int], cells: int) -> int:
    """The column nearest to the middle of a line where a text of so many cells hides no crossing line."""
    left, right = sorted(ends)
    free = [
        column
        for column in range(left + 2, right - cells)
        if all(canvas.is_free(row, cell) for cell in range(column - 1, column + cells + 1))
    ]
    return min(free, key=lambda column: abs(2 * column + cells - left - right - 1))
