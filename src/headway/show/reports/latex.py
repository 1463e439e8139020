r"""Tables of a page for a paper in LaTeX: each a `table` with `booktabs`, to be cut and pasted.

Text that LaTeX would read as commands is escaped; what is not ASCII needs UTF-8, which LaTeX reads since 2018.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headway.show.reports.page import NOTHING, Bold, Page, Table

SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "−": "$-$",
    "±": r"$\pm$",
    "→": r"$\to$",
    "…": r"\dots{}",
    NOTHING: "--",
}
TABLE = str.maketrans(SPECIAL)
CODE = re.compile(r"`([^`]*)`")
SIGNED = re.compile(r"(?<![\w.-])-(?=\d)")
"""A minus sign before a number, which LaTeX would set as a hyphen."""


def latex(page: Page) -> str:
    """All tables of a page; figures and notes of sections are left out, the introduction is a comment."""
    comments = [f"% {line}" for text in (page.title, *page.introduction) for line in text.splitlines()]
    tables = [line for section in page.sections for table in section.tables for line in _lines(table)]
    return "\n".join([*comments, r"% \usepackage{booktabs}", *tables, ""])


def _lines(table: Table) -> Iterator[str]:
    """One table with its notes below."""
    yield from ("", r"\begin{table}[t]", r"\centering")
    if table.title:
        yield rf"\caption{{{_text(table.title)}}}"
    yield rf"\begin{{tabular}}{{{'l' * table.names}{'r' * (len(table.header) - table.names)}}}"
    yield r"\toprule"
    yield _row(table.header)
    yield r"\midrule"
    yield from map(_row, table.rows)
    yield from (r"\bottomrule", r"\end{tabular}")
    yield from (rf"\par\footnotesize {_text(note)}" for note in table.notes)
    yield r"\end{table}"


def _row(cells: tuple[str, ...]) -> str:
    return rf"{' & '.join(map(_cell, cells))} \\"


def _cell(text: str) -> str:
    found = SIGNED.sub("$-$", _text(text))
    return rf"\textbf{{{found}}}" if isinstance(text, Bold) else found


def _text(text: str) -> str:
    r"""The text with `code` as `\texttt`, and what LaTeX would take for commands escaped."""
    pieces = CODE.split(" ".join(text.split()))
    return "".join(
        rf"\texttt{{{piece.translate(TABLE)}}}" if at % 2 else piece.translate(TABLE) for at, piece in enumerate(pieces)
    )
