"""A page: sections of text, figures and tables; as Markdown, and as self-contained HTML with the look of all pages.

HTML has no script, font or picture from elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
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
    """For a word in bold, the name of its look in HTML: one of `TONES`."""

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


CODE = re.compile(r"`([^`]+)`")
LONG_TEXT = 40
"""Columns of names with longer texts keep a width at which they can be read."""


def html(page: Page) -> str:
    """The whole page."""
    anchors = page.anchors()
    body = [f"<p>{_inline(text)}</p>" for text in page.introduction]
    if page.is_long:
        listed = zip(page.sections, anchors, strict=True)
        links = (f'<li><a href="#{escape(anchor)}">{_inline(section.title)}</a></li>' for section, anchor in listed)
        body += ['<nav aria-label="Contents">', "<ul>", *links, "</ul>", "</nav>"]
    for section, anchor in zip(page.sections, anchors, strict=True):
        body += _section(section, anchor, page.tones)
    return document(page.title, body)


def document(title: str, body: Iterable[str], *, style: str = "") -> str:
    """A page of HTML parts; `style` is CSS beyond that of all pages."""
    parts = "\n".join(body)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{STYLE}{style}</style>\n'
        f"</head>\n<body>\n<h1>{escape(title)}</h1>\n{parts}\n</body>\n</html>\n"
    )


def html_table(table: Table, tones: Mapping[str, str]) -> str:
    """A table in a box of its own, which scrolls where the table is too wide."""
    long = [any(len(row[at]) > LONG_TEXT for row in table.rows) for at in range(table.names)]
    looks = [' class="name long"' if one else ' class="name"' for one in long]
    looks += [""] * (len(table.header) - table.names)  # Numbers.
    head = _cells("th", table.header, looks, tones)
    body = "\n".join(f"<tr>{_cells('td', row, looks, tones)}</tr>" for row in table.rows)
    box = f'<div class="wide" role="region" tabindex="0" aria-label="{escape(table.title)}">'
    return f"{box}\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>"


def _section(section: Section, anchor: str, tones: Mapping[str, str]) -> list[str]:
    parts = [f'<h2 id="{escape(anchor)}">{_inline(section.title)}</h2>']
    parts += [f"<p>{_inline(note)}</p>" for note in section.notes]
    parts += [figure.html() for figure in section.figures]
    for table in section.tables:
        parts += [] if table.title == section.title else [f"<h3>{_inline(table.title)}</h3>"]
        parts += [html_table(table, tones), *(f'<p class="note">{_inline(note)}</p>' for note in table.notes)]
    return parts


def _cells(tag: str, texts: Sequence[str], looks: Sequence[str], tones: Mapping[str, str]) -> str:
    cells = []
    for text, look in zip(texts, looks, strict=True):
        tone = f' class="tone {tones[text]}"' if text in tones else ""
        shown = f"<b{tone}>{escape(text)}</b>" if isinstance(text, Bold) else _inline(text)
        cells.append(f"<{tag}{look}>{shown}</{tag}>")
    return "".join(cells)


def _inline(text: str) -> str:
    """Text with `code` in it."""
    return CODE.sub(r"<code>\1</code>", escape(text))


DAY = {
    "ink": "#1f2328",
    "paper": "#ffffff",
    "line": "#d0d7de",
    "soft": "#57606a",
    "good": "#2f6fde",
    "bad": "#c4372b",
    "other": "#8250df",
    "warm": "#b35900",
    "calm": "#1b7f79",
}
NIGHT = {
    "ink": "#e6edf3",
    "paper": "#0d1117",
    "line": "#30363d",
    "soft": "#9198a1",
    "good": "#6ea8fe",
    "bad": "#ff7b72",
    "other": "#d2a8ff",
    "warm": "#f0a04b",
    "calm": "#56c4bc",
}
TONES = {
    "yes": ("good", "1px solid"),
    "no": ("bad", "3px double"),
    "unsure": ("warm", "1px dashed"),
    "none": ("soft", "1px dotted"),
}
"""Looks of words: a colour, and a frame that tells them apart in print and for those who see no colours."""


def _variables(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


STYLE = (
    f""":root {{ color-scheme: light dark; {_variables(DAY)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(NIGHT)} }} }}
@media print {{ :root {{ {_variables(DAY)} }} .wide, figure {{ overflow: visible; }} }}
"""
    """body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
a { color: var(--good); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem; }
.wide { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .7rem; text-align: right; vertical-align: top; }
.name { text-align: left; } .long { min-width: 16rem; } th { color: var(--soft); font-weight: 600; }
.tone { border-radius: .3rem; padding: 0 .3rem; white-space: nowrap; }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { display: block; }
figcaption, .note { color: var(--soft); font-size: .9rem; }
"""
    + "".join(
        f".{name} {{ color: var(--{colour}); border: {frame} var(--{colour}); }}\n"
        for name, (colour, frame) in TONES.items()
    )
)
