"""Trees as text in box-drawing characters: arcs above the words where there is room, or beside them.

Arcs that are not projective are dashed and have hollow heads. A second tree has its arcs below the words, or on their
right. Where arcs would take too many cells, heads are numbers beside the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from headway.base.errors import HeadwayError, assure_whole, known
from headway.data.sentence import Sentence
from headway.show.arcs import (
    LONGEST,
    WRONG,
    Arc,
    Arch,
    WordRow,
    arches,
    combs,
    legible,
    middles,
    notes,
    places,
    tags,
    trees,
)
from headway.show.canvas import ARROWS, FIRST, MOST_CELLS, QUIET, SECOND, Canvas, isolated, width_of

LAYOUTS = ("auto", "across", "down")
WIDTH = 100


def draw(sentence: Sentence, other: Sentence | None = None, *, layout: str = "auto", width: int = WIDTH) -> str:
    """The tree as lines of text; with another sentence of the same words, also its arcs that differ.

    >>> from headway import Sentence
    >>> print(draw(Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])))
    Dogs bark
    <BLANKLINE>
              root
      ╭─nsubj─╮ │
      ▼       │ ▼
    Dogs      bark

    `layout` puts arcs above the words ("across"), or beside them with one word on each line ("down"); "auto"
    takes the first if it fits into `width` cells. Heads are numbers if the arcs would take more than
    `canvas.MOST_CELLS` cells, or if there are more than `arcs.LONGEST` words.
    """
    return picture(sentence, other, layout=layout, width=width).plain


def picture(
    sentence: Sentence,
    other: Sentence | None = None,
    *,
    layout: str = "auto",
    width: int = WIDTH,
    caption: str = "",
) -> Text:
    """What `draw` draws, with colours for a terminal and a caption on top."""
    if layout not in LAYOUTS:
        raise HeadwayError(f"unknown layout {layout!r}; {known(LAYOUTS)}")
    assure_whole("width", width)
    first, second = trees(sentence, other)
    narrow = layout == "auto" and width < 4 * len(sentence) - 1  # no word takes less across
    canvas = across(sentence, first, second) if first and layout != "down" and not narrow else None
    where = "below"
    if canvas is None or (layout == "auto" and canvas.width > width):
        canvas, where = down(sentence, first, second, width), "on the right"
    below = [Text(isolated(note), QUIET) for note in notes(sentence, first, second, where)]
    if canvas.numbered:
        below.append(Text("the arcs would take too much room; the numbers are those of the heads", QUIET))
    names = [isolated(legible(name)) for name in (caption, sentence.sent_id) if name]
    heading = [Text(", ".join(names), QUIET)] if names else []
    heading += [Text(isolated(legible(sentence.text)), "bold"), Text()]
    return Text("\n").join([*heading, *canvas.lines(), *([Text(), *below] if below else [])])


def across(sentence: Sentence, first: Sequence[Arc], second: Sequence[Arc]) -> Canvas | None:
    """All words on one line, the arcs above, those of the second tree that differ below; None for too many cells."""
    if len(sentence) > LONGEST:
        return None
    canvas, place, lines = Canvas(), places(sentence.forms), _lines(sentence, first)
    above, below = arches(first, place), arches([arc for arc in second if arc.differs], place)
    row = _row(sentence, place, lines, (above, below))
    ends = ((arch.level, *row.ends(arch)) for arch in (*above, *below))
    if sum(2 * level + abs(end - start) for level, start, end in ends) > MOST_CELLS:
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


NARROWEST = 6
"""Cells that forms keep in a narrow terminal."""


def down(sentence: Sentence, first: Sequence[Arc], second: Sequence[Arc], width: int) -> Canvas:
    """One word on each line; arcs on the left, those of the second tree with another head on the right."""
    canvas = Canvas()
    moved = [b for a, b in zip(first, second, strict=False) if a.head != b.head]
    numbered = not (drawable(first) and drawable(moved))
    # Brackets leave a space between them and the words.
    extents = [_distances(arcs)[1][0] + 2 if arcs and not numbered else 0 for arcs in (first, moved)]
    left, right = extents[0], extents[1] - 1
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
    lines, inner = _distances(arcs)
    cells = sum(bottom - top + 2 * level for level, top, bottom in lines.values())
    return cells + sum(abs(inner.get(arc.dependent, 0) - inner[arc.head]) for arc in arcs) <= MOST_CELLS


def _distances(arcs: Sequence[Arc]) -> tuple[dict[int, tuple[int, int, int]], dict[int, int]]:
    """The lines of `combs`, and how far from the words that of each head is, of the root farthest."""
    lines = combs(arcs)
    inner = {word: 2 * level for word, (level, _, _) in lines.items()}
    return lines, {**inner, 0: max(inner.values(), default=0) + 2}


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


def _brackets(canvas: Canvas, arcs: Sequence[Arc], at: Callable[[int], int], style: str) -> None:
    """Draw arcs beside the lines of their words; `at` is the column at a distance from the words."""
    lines, inner = _distances(arcs)
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
