"""A page: sections of text, figures and tables, which `markdown` and `html` write down."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from headway.show.reports.figure import Figure
from headway.show.reports.table import Table

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
        headings = [(self.title, False)]
        for section in self.sections:
            headings.append((section.title, True))
            headings += [(table.title, False) for table in section.tables if table.title != section.title]
        found = anchors(title for title, _ in headings)
        return [anchor for anchor, (_, is_section) in zip(found, headings, strict=True) if is_section]


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
