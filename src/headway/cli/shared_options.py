"""Options that several commands have: of reading, parsing and scoring, of jobs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])
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
