"""A self-contained HTML page: no script, no font and no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --line: #d0d7de; --soft: #57606a;
  --good: #2f6fde; --bad: #c4372b; --other: #8250df; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #30363d;
  --soft: #9198a1; --good: #6ea8fe; --bad: #ff7b72; --other: #d2a8ff; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .7rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 600; }
svg { max-width: 100%; height: auto; } figure { margin: 1rem 0; overflow-x: auto; }
figcaption, .note { color: var(--soft); font-size: .9rem; }
"""


def page(title: str, body: Iterable[str]) -> str:
    """The whole page; `body` is HTML already."""
    parts = "\n".join(body)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n<h1>{escape(title)}</h1>\n{parts}\n</body>\n</html>\n"
    )


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """An HTML table of plain values."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(str(value))}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
