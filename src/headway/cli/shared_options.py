"""Options that several commands have: of reading, parsing and scoring, of jobs and outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from headway.cli.options import WordParameter
from headway.training.families import FAMILIES, PARSER

Function = TypeVar("Function", bound=Callable[..., Any])
FORMAT_NAMES = ("conllu", "conllx", "conll2008", "conll2009", "malttab")
FORCE = click.option("--force", is_flag=True, help="Let the output overwrite an input file.")
FORCE_PARSING = click.option(
    "--force",
    is_flag=True,
    help="Parse even if the model knows none of the tags, and let the output overwrite an input file.",
)
INPUT = click.option(
    "--input",
    type=click.Choice(["text", "sentences", "tokens", "vertical", "conllu"]),
    help="What the files hold: running text, text with one sentence per line, sentences with spaces between the words,"
    " one word per line, or a treebank. By default a file is text if its name ends in .txt or its first line has no"
    " columns.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
DEFINITION = click.option(
    "--definition",
    type=click.Choice(["ud", "conllx", "all"]),
    help="What counts as right; by default ud for CoNLL-U, conllx for other gold formats.",
)
PUNCTUATION = click.option(
    "--punctuation/--no-punctuation",
    default=None,
    help="Count words made only of punctuation, or not; by default conllx does not, ud and all do.",
)
ENGINE = click.option("--engine", metavar="dask://HOST:PORT", help="Run on this Dask cluster, not on this machine.")
FILE_OR_STDOUT = click.option(
    "-o", "--output", default="-", metavar="FILE", help="File to write, .gz and .xz too; standard output by default."
)


def jobs(what: str) -> Callable[[Function], Function]:
    """The option --jobs, of a command that does several things at once."""
    help = f"How many {what} at once, each in a process; by default as many as there are cores."
    return click.option("--jobs", type=click.IntRange(min=1), metavar="N", help=help)


def parser_family(function: Function) -> Function:
    """The option --parser."""
    help = f"Family of the parser: {', '.join(FAMILIES)}."
    kind = WordParameter(FAMILIES)
    return click.option("--parser", type=kind, metavar="NAME", default=PARSER, show_default=True, help=help)(function)


def with_options(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one decorator, in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


reading = with_options(
    click.option(
        *("--from", "format"),
        type=click.Choice([*FORMAT_NAMES, "penn"]),
        help="Format of the input; recognised by its content if not given.",
    ),
    click.option(
        "--columns",
        type=click.Choice(["gold", "predicted-tags", "predicted"]),
        default="gold",
        show_default=True,
        help="Which columns of CoNLL-2008 and CoNLL-2009 to read.",
    ),
    click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="What to do with a sentence that cannot be read: stop, or skip it.",
    ),
)
"""The options of commands that read treebanks, which `formats.reading.read` takes as keywords."""
