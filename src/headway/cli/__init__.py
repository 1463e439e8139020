"""The `headway` command: its commands, one thin file each, imported when used; their messages and how they end."""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from headway.base.errors import HeadwayError, counted
from headway.base.imports import IMPORTED, with_parts
from headway.base.version import __version__
from headway.cli.options import Grouped

if TYPE_CHECKING:
    from rich.console import Console

    from headway.data.formats.reading import Reader

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
Function = TypeVar("Function", bound=Callable[..., Any])
PARTIAL = ".partial"
"""What is added to the name of an output whose work was interrupted."""
BROKEN_PIPE = 141
"""The exit code if the reader of our output, such as `head`, has left."""
SECTIONS = {
    "From a treebank to trees": (
        "train",
        "parse",
        "evaluate",
        "compare",
        "crossvalidate",
        "calibrate",
        "show",
        "explain",
        "select",
    ),
    "Treebanks": ("info", "convert", "split", "sample"),
    "Experiments": ("discover", "experiment"),
    "Help": ("demo", "completion"),
}
"""The headings of help, and the commands below each."""
COMMANDS = tuple(name for names in SECTIONS.values() for name in names)
OTHER_NAMES = {"learn": "train", "fit": "train", "predict": "parse", "test": "evaluate", "score": "evaluate"}
"""What other programs call some commands."""
OF_OUTPUT = (errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC)
"""Failures to write; without the name of a file, writing to standard output has failed."""
WIDEST = 64
"""Characters of the sentence beside a command."""


class Notes(logging.Handler):
    """Log records as notes on standard error; a command that trains several times says the same thing once."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno < logging.WARNING or message not in self._said:
            self._said.add(message)
            click.secho(f"note: {message}", err=True, dim=True)


def set_verbosity(level: int) -> None:
    """-1: errors only, 0: also what the user should know, 1: also what is being done, 2: everything."""
    logger = logging.getLogger("headway")
    logger.handlers = [Notes()]
    logger.propagate = False
    logger.setLevel({-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}.get(level, logging.DEBUG))


def is_quiet() -> bool:
    """Whether nothing but errors and results is wanted."""
    return logging.getLogger("headway").level >= logging.ERROR


def say(message: str, out: Console | None = None) -> None:
    """Tell the user on standard error what was done, past a progress bar where there is one; not with -q."""
    if is_quiet():
        return
    if out is None:
        click.echo(message, err=True)
    else:
        out.print(message)


def _said(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    if value:
        set_verbosity(-1 if parameter.name == "quiet" else value)


def verbosity(function: Function) -> Function:
    """The options -q and -v."""
    quiet = click.option(
        "-q", "--quiet", is_flag=True, expose_value=False, callback=_said, help="Print errors and results only."
    )
    verbose = click.option(
        "-v",
        "--verbose",
        count=True,
        expose_value=False,
        callback=_said,
        help="Print more messages, -vv all of them.",
    )
    return quiet(verbose(function))


def headway_command(function: Callable[..., Any]) -> Grouped:
    """A command of headway, with the options that all have."""
    made = click.command(cls=Grouped, context_settings=HELP)(verbosity(function))
    made.params.sort(key=lambda parameter: parameter.name in ("quiet", "verbose"))
    return made


def interrupted(what: str) -> NoReturn:
    """Say what was done when the user interrupted a command, and end it."""
    click.echo(f"interrupted{what}", err=True)
    click.get_current_context().exit(130)


def say_skipped(reader: Reader) -> None:
    """Report how many sentences were left out, if any."""
    if reader.skipped:
        sentences, verb = counted(reader.skipped, "sentence"), "was" if reader.skipped == 1 else "were"
        logging.getLogger("headway").warning(
            "%s: %s could not be read and %s left out (-v says why)", reader.report.source, sentences, verb
        )


@contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """Treat a closed terminal and a request to terminate like Ctrl-C.

    Before and after, these signals end the process at once and silently: there is nothing to lose.
    """

    def interrupt(number: int, frame: object) -> NoReturn:
        raise KeyboardInterrupt

    wanted = (
        (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    )
    ours = [one for one in wanted if signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, interrupt)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


class Commands(click.Group):
    """A group whose members are the modules of this package; every failure is one sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with the first sentence of what each does."""
        for title, names in SECTIONS.items():
            commands = [(name, command) for name in names if (command := self.get_command(ctx, name))]
            with formatter.section(title):
                formatter.write_dl([(name, command.get_short_help_str(WIDEST)) for name, command in commands])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"headway.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = get_close_matches(args[0], COMMANDS, 1, 0.5)
            meant = OTHER_NAMES.get(args[0], near[0] if near else "")
            perhaps = f", perhaps {meant!r}" if meant else ""
            ctx.fail(f"no command {args[0]!r}{perhaps}; known are: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        set_verbosity(0)
        return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with ended_as_interrupted(), with_parts(ctx.params.get("imports", ())):
                return super().invoke(ctx)
        except (HeadwayError, OSError, MemoryError, KeyboardInterrupt) as error:
            ctx.exit(_failed(error))

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """As click does; a standard output that cannot take the last lines is one sentence and an exit code, too."""
        if not extra.get("standalone_mode", True):
            return super().main(*arguments, **extra)
        if isinstance(sys.stdout, TextIOWrapper):  # What it has no character for is written as a number.
            sys.stdout.reconfigure(errors="backslashreplace")
        code: Any = 0
        try:
            super().main(*arguments, **extra)
        except SystemExit as end:
            code = end.code
        except (HeadwayError, OSError) as error:
            code = _failed(error)
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError as error:
            _let_go_of_output()
            code = code or _failed(error)
        sys.exit(code)


def _failed(error: BaseException) -> int:
    """Say in a sentence what went wrong, if standard error is open; returns the exit code."""
    if isinstance(error, BrokenPipeError):
        _let_go_of_output()
        return BROKEN_PIPE
    what, code = str(error), 2
    if isinstance(error, KeyboardInterrupt):
        what, code = "interrupted", 130
    elif isinstance(error, MemoryError):
        what = "there is not enough memory for this; give fewer or shorter sentences, or close other programs"
    elif isinstance(error, OSError):
        what = _sentence(error)
    with suppress(OSError):
        click.secho(what, fg="red", err=True)
    return code


def _sentence(error: OSError) -> str:
    """What the system refused: a file, our output, or something else, such as another process."""
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror or error}; check the file and its folder"
    if error.errno in OF_OUTPUT:
        return f"<stdout>: {error.strerror or error}; make room, or write to another place"
    return f"{error.strerror or error}; give this process more of what it lacks, or close other programs"


def _let_go_of_output() -> None:
    """Send what is left for standard output nowhere, so that nothing fails when it is flushed at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.command(cls=Commands, context_settings=HELP)
@click.option(
    "--import",
    "imports",
    multiple=True,
    type=click.Path(),
    envvar=IMPORTED,
    help="Run this Python file first, which registers learners, decoders or other parts; may be repeated.",
)
@click.version_option(__version__, prog_name="headway")
@verbosity
def run(**_: object) -> None:
    """Train dependency parsers on your own treebank, and use them.

    `headway demo` shows what it does; `headway COMMAND --help` explains a command.
    """


def main() -> None:
    """The console script."""
    run(prog_name="headway")
