"""Options that several commands have: of reading, parsing, scoring and training, of jobs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from headway.base.options import kinds
from headway.base.stage_options import StageOptions
from headway.cli.options import OptionGroup, WordParameter, entries, flag
from headway.training.families import EARLIER, FAMILIES, PARSER

Function = TypeVar("Function", bound=Callable[..., Any])
NEEDED = ("features", "seed")
"""Options of every parser that stand at the top of help."""
FIRST = ("pipeline", "resume")
"""Options of every training that stand there, too."""
FORMAT_NAMES = ("conllu", "conllx", "conll2008", "conll2009", "malttab")


def whole(*names: str, help: str, low: int = 1, high: int | None = None, **how: Any) -> Callable[[Function], Function]:
    """An option that takes a whole number; help shows its default, if it has one."""
    how = {"metavar": "N", "show_default": True, **how}
    return click.option(*names, type=click.IntRange(low, high), help=help, **how)


def one_of(*names: str, choices: Sequence[str], help: str, **how: Any) -> Callable[[Function], Function]:
    """An option that takes one of some words; help shows its default, if it has one."""
    return click.option(*names, type=click.Choice(choices), show_default=True, help=help, **how)


FORCE = click.option("--force", is_flag=True, help="Let the output overwrite an input file.")
FORCE_PARSING = click.option(
    "--force",
    is_flag=True,
    help="Parse even if the model knows none of the tags, and let the output overwrite an input file.",
)
INPUT = one_of(
    "--input",
    choices=("text", "sentences", "tokens", "vertical", "conllu"),
    help="What the files hold: running text, text with one sentence per line, sentences with spaces between the words,"
    " one word per line, or a treebank. By default a file is text if its name ends in .txt or its first line has no"
    " columns.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
DEFINITION = one_of(
    "--definition",
    choices=("ud", "conllx", "all"),
    help="What counts as right; by default ud for CoNLL-U, conllx for other gold formats.",
)
PUNCTUATION = click.option(
    "--punctuation/--no-punctuation",
    default=None,
    help="Whether to score punctuation; by default ud and all do, conllx does not.",
)
ENGINE = click.option("--engine", metavar="dask://HOST:PORT", help="Run on this Dask cluster, not on this machine.")
FILE_OR_STDOUT = click.option(
    "-o", "--output", default="-", metavar="FILE", help="File to write, .gz and .xz too; standard output by default."
)


PARSER_FAMILY = click.option(
    "--parser",
    type=WordParameter(FAMILIES),
    metavar="NAME",
    default=PARSER,
    show_default=True,
    help=f"Family of the parser: {', '.join(FAMILIES)}.",
)


def to(default: str) -> Callable[[Function], Function]:
    """The option --to; what the output is otherwise depends on the command."""
    help = (
        "Format of the output: that of a treebank, text for the text of the sentences, horizontal for the words of a"
        f" sentence on each line, vertical for a word on each line; by default {default}."
    )
    formats = click.Choice([*FORMAT_NAMES, "text", "horizontal", "vertical"])
    return click.option("--to", "target", type=formats, help=help)


def jobs(what: str) -> Callable[[Function], Function]:
    """The option --jobs, of a command that does several things at once."""
    return whole("--jobs", help=f"How many {what} at once, each in a process; by default as many as there are cores.")


def with_options(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one decorator, in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


reading = with_options(
    one_of(
        *("--from", "format"),
        choices=(*FORMAT_NAMES, "penn"),
        help="Format of the input; recognised by its content if not given.",
    ),
    one_of(
        "--columns",
        choices=("gold", "predicted-tags", "predicted"),
        default="gold",
        help="Which columns of CoNLL-2008 and CoNLL-2009 to read.",
    ),
    one_of(
        "--on-error",
        choices=("stop", "skip"),
        default="stop",
        help="What to do with a sentence that cannot be read: stop, or skip it.",
    ),
)
"""The options of commands that read treebanks, which `formats.reading.read` takes as keywords."""


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
