"""Help texts of all commands, and what else tells of the command line."""

from __future__ import annotations

from workplace import Cases

COMMANDS = (
    "",
    "calibrate",
    "compare",
    "completion",
    "convert",
    "crossvalidate",
    "demo",
    "discover",
    "evaluate",
    "experiment",
    "experiment list",
    "experiment report",
    "experiment run",
    "experiment status",
    "explain",
    "info",
    "parse",
    "sample",
    "select",
    "show",
    "split",
    "train",
)

CASES: Cases = {
    **{f"help {command}".strip(): (f"{command} --help",) for command in COMMANDS},
    "list of recipes": ("experiment list",),
    **{f"completion {shell}": (f"completion {shell}",) for shell in ("bash", "zsh", "fish")},
}
