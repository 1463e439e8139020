"""A grid of cells for lines in box-drawing characters and texts.

Where a line meets `│` it passes under it; lines join in corners and branches only.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len
from rich.text import Text

from headway.show.arcs import is_right_to_left

ISOLATE, END_ISOLATE = "\u2068", "\u2069"
UP, DOWN, LEFT, RIGHT, SOLID = 1, 2, 4, 8, 16
GLYPHS = {
    **dict.fromkeys((UP, DOWN, UP | DOWN), "│"),
    **dict.fromkeys((LEFT, RIGHT, LEFT | RIGHT), "─"),
    DOWN | RIGHT: "╭",
    DOWN | LEFT: "╮",
    UP | RIGHT: "╰",
    UP | LEFT: "╯",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    LEFT | RIGHT | UP: "┴",
    LEFT | RIGHT | DOWN: "┬",
    UP | DOWN | LEFT | RIGHT: "┼",
}
DASHED = {"│": "╎", "─": "╌"}
ARROWS = {(1, 0): "►▻", (-1, 0): "◄◅", (0, 1): "▼▽", (0, -1): "▲△"}
"""Arrow heads by their direction (right, down): full, and hollow where the arc is not projective."""
MOST_CELLS = 300_000
"""Cells of lines that a picture may have; more would take hundreds of megabytes."""
FIRST, SECOND, QUIET = "green", "red", "dim"
"""Styles: what differs in the first tree, what differs in the second, what only explains."""


class Canvas:
    """A grid of cells for lines and texts. Draw vertical lines first: horizontal ones pass under them.

    A cell keeps the style of the first line drawn there.
    """

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[int, str]] = {}
        self.texts: dict[tuple[int, int], tuple[str, str]] = {}
        self.numbered = False
        """Whether heads are numbers instead of lines."""

    def vertical(self, column: int, ends: tuple[int, int], style: str = "", dashed: bool = False) -> None:
        """A line between two rows."""
        top, bottom = sorted(ends)
        for row in range(top, bottom + 1):
            self._add(row, column, (row > top) * UP | (row < bottom) * DOWN, style, dashed)

    def horizontal(self, row: int, ends: tuple[int, int], style: str = "", dashed: bool = False) -> None:
        """A line between two columns that joins what it meets at its ends only."""
        left, right = sorted(ends)
        for column in range(left, right + 1):
            if column in ends or self.is_free(row, column):
                self._add(row, column, (column > left) * LEFT | (column < right) * RIGHT, style, dashed)

    def write(self, row: int, column: int, text: str, style: str = "") -> None:
        """A text that begins in a cell and hides the lines there."""
        self.texts[row, column] = (text, style)

    def is_free(self, row: int, column: int) -> bool:
        """Whether no vertical line is in the cell."""
        return not self.cells.get((row, column), (0, ""))[0] & (UP | DOWN)

    @property
    def width(self) -> int:
        """Cells of the longest line."""
        ends = (column + width_of(text) for (_, column), (text, _) in self.texts.items())
        return max([*ends, *(column + 1 for _, column in self.cells)])

    def lines(self) -> list[Text]:
        """The rows from top to bottom, without spaces at their ends."""
        places = sorted(self.cells.keys() | self.texts.keys())
        rows = {row: [column for _, column in group] for row, group in groupby(places, itemgetter(0))}
        return [self._line(row, rows.get(row, [])) for row in range(max(rows) + 1)]

    def _line(self, row: int, columns: Sequence[int]) -> Text:
        pieces, end = [], 0
        for column in columns:
            if (row, column) in self.texts:
                text, style = self.texts[row, column]
            else:
                arms, style = self.cells[row, column]
                text = GLYPHS[arms & ~SOLID]
                text = text if arms & SOLID else DASHED.get(text, text)
            if column >= end and text:
                pieces += [(" " * (column - end), ""), (text, style)] if column > end else [(text, style)]
                end = column + width_of(text)
        runs = groupby(pieces, itemgetter(1))
        return Text.assemble(*(("".join(text for text, _ in run), style) for style, run in runs))

    def _add(self, row: int, column: int, arms: int, style: str, dashed: bool) -> None:
        before, style = self.cells.get((row, column), (0, style))
        self.cells[row, column] = (before | arms | (not dashed) * SOLID, style)


def isolated(text: str) -> str:
    """The text, kept from turning its surroundings where it is written from right to left."""
    return f"{ISOLATE}{text}{END_ISOLATE}" if is_right_to_left(text) else text


def width_of(text: str) -> int:
    """The cells that a text takes up; isolates take none, whatever a table of widths says."""
    return cell_len(text.replace(ISOLATE, "").replace(END_ISOLATE, ""))
