"""A self-contained HTML page: no script, no font and no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

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


def _variables(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


COLOURS = f""":root {{ color-scheme: light dark; {_variables(DAY)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(NIGHT)} }} }}
"""
STYLE = """body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .15rem .7rem; text-align: right; }
.name { text-align: left; } th { color: var(--soft); font-weight: 600; }
svg { max-width: 100%; height: auto; } figure { margin: 1rem 0; overflow-x: auto; }
figcaption, .note { color: var(--soft); font-size: .9rem; }
"""


def page(title: str, body: Iterable[str], *, style: str = "") -> str:
    """The whole page; `body` is HTML already, `style` is CSS beyond that of all pages."""
    parts, css = "\n".join(body), f"{COLOURS}{STYLE}{style}"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{css}</style>\n'
        f"</head>\n<body>\n<h1>{escape(title)}</h1>\n{parts}\n</body>\n</html>\n"
    )


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, names: int = 1) -> str:
    """An HTML table of plain values; so many first columns hold names, the others numbers."""
    head = _cells("th", header, names)
    body = "\n".join(f"<tr>{_cells('td', row, names)}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _cells(tag: str, values: Sequence[object], names: int) -> str:
    aligned = ((' class="name"' if at < names else "", value) for at, value in enumerate(values))
    return "".join(f"<{tag}{side}>{escape(str(value))}</{tag}>" for side, value in aligned)
