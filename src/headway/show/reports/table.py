"""A table of text, for the terminal and for pages alike, and the text of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NOTHING = "–"
"""What stands for a number that is not there."""

SMALLEST_P = 1e-10
"""P-values below this are all shown alike."""


class Bold(str):
    """A cell in bold; on a page, words with a tone have its colour too."""

    __slots__ = ()


class Table(NamedTuple):
    """A table of text; the first columns, as many as `names` says, hold names, the others numbers.

    Cells and notes may hold `code` in backticks.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    names: int = 1
    notes: Sequence[str] = ()
    """Paragraphs below the table."""


def bold_if(text: str, condition: bool) -> str:
    """The text, in bold if the condition holds."""
    return Bold(text) if condition and text else text


def number(value: float | None) -> str:
    """Two decimals."""
    return "" if value is None else f"{value:.2f}"


def p_text(p: float, digits: int) -> str:
    """A p-value; small ones by their order of magnitude, those below `SMALLEST_P` as that.

    >>> p_text(0.04321, 3), p_text(0.0000321, 3), p_text(1e-300, 3)
    ('0.043', '3.2e-05', '< 1e-10')
    """
    if p < SMALLEST_P:
        return f"< {SMALLEST_P:g}"
    return f"{p:.2g}" if p < 0.001 else f"{p:.{digits}f}"


def duration(seconds: float) -> str:
    """`0.8 s`, `12 min 3 s`, `2 h 5 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
