"""A page: sections of text, figures and tables, the text of their cells, and the page as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from headway.show.reports.figure import Figure

LONG = 6
"""A page with so many sections begins with a list of them."""


class Section(NamedTuple):
    """A section of a page; a table with the section's own title needs no heading."""

    title: str
    notes: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    """For HTML alone."""
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class Page:
    """A title, paragraphs and sections. Paragraphs and notes may hold `code` in backticks."""

    title: str
    introduction: Sequence[str]
    sections: Sequence[Section]
    tones: Mapping[str, str] = field(default_factory=dict)
    """For a word in bold, the name of its look in HTML: one of `style.TONES`."""

    @property
    def is_long(self) -> bool:
        """Whether a reader needs a list of its sections."""
        return len(self.sections) >= LONG

    def anchors(self) -> list[str]:
        """The name by which a link finds each section: that of GitHub's pages, so that both forms share links."""
        titles, at = [self.title], []
        for section in self.sections:
            at.append(len(titles))
            titles += [section.title, *(table.title for table in section.tables if table.title != section.title)]
        found = anchors(titles)
        return [found[place] for place in at]


def anchors(titles: Iterable[str]) -> list[str]:
    """Names for headings, no two the same: small letters, hyphens for spaces, no punctuation.

    >>> anchors(["By label", "cw-table-2: CW, p < 0.05", "By label"])
    ['by-label', 'cw-table-2-cw-p--005', 'by-label-1']
    """
    found, seen = [], Counter[str]()
    for title in titles:
        name = re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
        found.append(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


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


def markdown(page: Page) -> str:
    """The whole page; figures are left out."""
    lines = [f"# {page.title}", *page.introduction]
    if page.is_long:
        listed = zip(page.sections, page.anchors(), strict=True)
        lines.append("\n".join(f"- [{section.title}](#{anchor})" for section, anchor in listed))
    for section in page.sections:
        lines += [f"## {section.title}", *section.notes]
        for table in section.tables:
            heading = [] if table.title == section.title else [f"### {table.title}"]
            lines += [*heading, markdown_table(table), *table.notes]
    return "\n\n".join(lines) + "\n"


def markdown_table(table: Table) -> str:
    """A table with its columns of names on the left, numbers on the right."""
    sides = [":--" if at < table.names else "--:" for at in range(len(table.header))]
    rows = (table.header, sides, *table.rows)
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    escaped = text.replace("|", "\\|")
    return f"**{escaped}**" if isinstance(text, Bold) else escaped
