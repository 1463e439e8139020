"""How all HTML pages look: colours for day and night, one style sheet, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

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


def _tone(name: str, colour: str, frame: str) -> str:
    return f".{name} {{ color: var(--{colour}); border: {frame} var(--{colour}); }}\n"


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
""" + "".join(_tone(name, *look) for name, look in TONES.items())
)
