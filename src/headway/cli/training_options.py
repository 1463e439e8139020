"""Options of the commands that train: all that options of families, of every parser and of trainings say, in groups."""

from __future__ import annotations

from collections.abc import Sequence

import click

from headway.base.options import kinds
from headway.base.stage_options import StageOptions
from headway.cli.options import OptionGroup, WordParameter, entries, flag
from headway.training.families import EARLIER, FAMILIES, PARSER

NEEDED = ("features", "seed")
"""Options of every parser that stand at the top of help."""
FIRST = ("pipeline", "resume")
"""Options of every training that stand there, too."""
PARSER_FAMILY = click.option(
    "--parser",
    type=WordParameter(FAMILIES),
    metavar="NAME",
    default=PARSER,
    show_default=True,
    help=f"Family of the parser: {', '.join(FAMILIES)}.",
)


def training_groups(own: Sequence[str], without: Sequence[str] = ()) -> list[OptionGroup]:
    """The groups of a command with these options of its own, `without` some of `RunOptions`."""
    from headway.training.options import ParserOptions, RunOptions

    families = [FAMILIES[name] for name in (PARSER, *(name for name in FAMILIES if name != PARSER))]
    default = families[0]
    parsers = [family for family in families if issubclass(family, ParserOptions)]
    shared = [name for name, kind in kinds(default).items() if all(kinds(one).get(name) is kind for one in parsers)]
    first = [*entries(default, NEEDED), *entries(RunOptions, [name for name in FIRST if name not in without])]
    others = [name for name in shared if name not in NEEDED]
    of_training = [name for name in kinds(RunOptions) if name not in (*FIRST, *without)]
    # The stages before a parser have no options of their own on the command line.
    stages = "; ".join(f"{name}: {', '.join(kinds(EARLIER[name]))}" for name in EARLIER)
    text = f"Set their options with -O STAGE.NAME=VALUE, as in -O tagger.drop=0.1. {stages}."
    earlier = OptionGroup("Stages of a pipeline before the parser", [], text=text)
    return [
        OptionGroup("What everybody needs", first, own=own),
        *(_of_family(family, families[:number], shared) for number, family in enumerate(families)),
        OptionGroup("Every parser", entries(default, others)),
        OptionGroup("The training", entries(RunOptions, of_training)),
        *([] if "pipeline" in without else [earlier]),
    ]


def _of_family(family: type[StageOptions], before: Sequence[type[StageOptions]], shared: Sequence[str]) -> OptionGroup:
    """The options that only this family has, or that it has in a way of its own."""
    explained = [
        name for name, kind in kinds(family).items() if any(kinds(other).get(name) is kind for other in before)
    ]
    # Nothing is said where dataclasses made the docstring up.
    text = " ".join((family.__doc__ or "").partition("\n\n")[0].split())
    default = ", the default" if family.family == PARSER else ""
    return OptionGroup(
        f"{family.title.capitalize()}s (--parser {family.family}{default})",
        entries(family, [name for name in kinds(family) if name not in (*shared, *explained)]),
        text="" if text.startswith(f"{family.__name__}(") else text,
        example=family.example,
        before=[flag(family, name) for name in explained if name not in shared],
    )
