"""A page as Markdown."""

from __future__ import annotations

from headway.show.reports.page import Page
from headway.show.reports.table import Bold, Table


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
