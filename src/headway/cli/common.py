"""What all commands share: -q and -v, messages, interruptions, tables, JSON and the progress bar."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from headway.data.formats.reading import Reader

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
Function = TypeVar("Function", bound=Callable[..., Any])
Command = TypeVar("Command", bound=click.Command)
WIDEST = 1000
"""Columns enough for every table: nothing is cut."""
PARTIAL = ".partial"
"""What is added to the name of an output whose work was interrupted."""


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


def headway_command(function: Callable[..., Any]) -> click.Command:
    """A command of headway, with the options that all have."""
    return command_of(click.Command)(function)


def command_of(kind: type[Command]) -> Callable[[Callable[..., Any]], Command]:
    """The same for a command of another class of click."""

    def make(function: Callable[..., Any]) -> Command:
        made = click.command(cls=kind, context_settings=HELP)(verbosity(function))
        made.params.sort(key=lambda parameter: parameter.name in ("quiet", "verbose"))
        return made

    return make


def say_skipped(reader: Reader) -> None:
    """Report how many sentences were left out, if any."""
    if reader.skipped:
        from headway.base.errors import counted

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


def print_json(value: Any) -> None:
    """Print something as JSON, indented."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", names: int = 1) -> None:
    """A table as wide as it needs to be; the first `names` columns hold text, the others numbers."""
    from rich import box, table
    from rich.text import Text

    from headway.show.reports.page import Bold

    drawn = table.Table(box=box.SIMPLE_HEAD if any(header) else None, show_edge=False, pad_edge=False)
    drawn.show_header = any(header)
    for number, name in enumerate(header):
        drawn.add_column(name, justify="left" if number < names else "right", no_wrap=True)
    for row in rows:
        drawn.add_row(*(Text(cell, "bold") if isinstance(cell, Bold) else cell for cell in row))
    wide = console()
    wide.width = WIDEST
    if title:
        click.echo(title)
    wide.print(drawn)


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A bar on standard error that disappears at the end; none without a terminal, or with -q."""
    from rich.progress import Progress

    out = console(stderr=True)
    return Progress(*columns, console=out, transient=True, disable=is_quiet() or not out.is_terminal)


def console(stderr: bool = False) -> Console:
    """Where tables and trees go; plain text if it is not a terminal."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)
