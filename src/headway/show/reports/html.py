"""A page as self-contained HTML, and how all pages look: no script, font or picture from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from headway.show.reports.page import Bold, Page, Section, Table

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
