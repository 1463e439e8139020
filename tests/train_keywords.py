"""Writes the keywords of `headway.train` and `headway.discover`: `python tests/train_keywords.py`."""

import textwrap
from dataclasses import fields
from pathlib import Path

from headway.discovery.options import DiscoveryOptions
from headway.families import FAMILIES, PARSER
from headway.how_to_train import HowToTrain
from headway.options import KIND, default_of, kinds

PACKAGE = Path(__file__).parents[1] / "src" / "headway"
IN_PYTHON = {
    "options": "Options of the learner by their names, as in {'phi': 0.5}. A wrong name lists the right ones.",
    "stages": "Stages to learn before the parser; their options are keywords, too: **{'tagger.rare': 2}.",
}
"""Help where that of the command line speaks of words that only a shell has."""
HEAD = '''"""The options of `headway.{function}` as keywords that type checkers know.

Written by `python tests/train_keywords.py` from {source}; a test keeps it in step with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from headway.features.language import Feature
    from headway.learners.registry import Learner


class {name}(TypedDict, total=False):
    """Options of `headway.{function}`.

'''


def groups():
    """Titles with the options under them: (class, name)."""
    families = [FAMILIES[name] for name in FAMILIES.own]
    first = families[0]
    shared = [name for name, kind in kinds(first).items() if all(kinds(other).get(name) is kind for other in families)]
    yield "Every parser", [(first, name) for name in shared]
    for family in families:
        own = [(family, name) for name in kinds(family) if name not in shared]
        yield f'{family.title.capitalize()}s, parser="{family.family}"', own
    yield "Training", [(HowToTrain, name) for name in kinds(HowToTrain)]


def line(options, name):
    """An option with its help, its values and its default, as a paragraph."""
    kind, default = kinds(options)[name], default_of(options, name)
    names = [repr(value) for value in getattr(kind, "names", ())]
    values = f" One of {', '.join(names)}." if names else ""
    unsaid = kind.unsaid.replace("--", "") or repr(default)
    help = IN_PYTHON.get(name, kind.help)
    text = f"{name}: {help}{values} Default: {unsaid}."
    return textwrap.fill(text, 112, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False)


def types(*classes):
    """The type of each option; where families differ, all that one of them takes."""
    found = {}
    for options in classes:
        for one in fields(options):
            if KIND in one.metadata:
                known = found.setdefault(one.name, [])
                known.extend(part for part in one.type.split(" | ") if part not in known)
    for name, parts in found.items():
        last = [part for part in parts if part == "None"]
        yield name, " | ".join([part for part in parts if part != "None"] + last)


def train_text():
    """The keywords of `headway.train`."""
    head = HEAD.format(name="TrainKeywords", function="train", source="the options of all families")
    parts = [head.rstrip("\n"), "", f"    parser: Family of parsers. One of {', '.join(map(repr, FAMILIES.own))}."]
    parts[-1] += f" Default: {PARSER!r}."
    for title, options in groups():
        parts += ["", f"    {title}:", *(textwrap.indent(line(*one), "  ") for one in options)]
    every = (*map(FAMILIES.__getitem__, FAMILIES.own), HowToTrain)
    parts += ['    """', "", "    parser: str", *(f"    {name}: {kind}" for name, kind in types(*every))]
    return "\n".join(parts) + "\n"


def discover_text():
    """The keywords of `headway.discover`."""
    head = HEAD.format(name="DiscoverKeywords", function="discover", source="the options of searches")
    parts = [head.rstrip("\n"), "", *(line(DiscoveryOptions, name) for name in kinds(DiscoveryOptions))]
    parts += ['    """', "", *(f"    {name}: {kind}" for name, kind in types(DiscoveryOptions))]
    return "\n".join(parts) + "\n"


FILES = {PACKAGE / "train_keywords.py": train_text, PACKAGE / "discovery" / "keywords.py": discover_text}

if __name__ == "__main__":
    for path, made in FILES.items():
        path.write_text(made(), "utf-8")
