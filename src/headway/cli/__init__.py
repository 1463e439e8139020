"""The `headway` command: one thin file per command, imported when it is used."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from headway.base.version import __version__
from headway.cli.common import HELP, ended_as_interrupted, set_verbosity, verbosity

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
        from headway.base.errors import HeadwayError

        try:
            with ended_as_interrupted():
                return super().invoke(ctx)
        except HeadwayError as error:
            _complain(str(error))
            ctx.exit(2)
        except MemoryError:
            what = "there is not enough memory for this; give fewer or shorter sentences, or close other programs"
            click.secho(what, fg="red", err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            click.secho("interrupted", fg="red", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            _let_go_of_output()
            ctx.exit(BROKEN_PIPE)
        except OSError as error:
            _complain(_sentence(error))
            ctx.exit(2)

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """As click does; a standard output that cannot take the last lines is one sentence and an exit code, too."""
        from headway.base.errors import HeadwayError

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
            _complain(_sentence(error) if isinstance(error, OSError) else str(error))
            code = 2
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError as error:
            _let_go_of_output()
            if not code and isinstance(error, BrokenPipeError):
                code = BROKEN_PIPE
            elif not code:
                _complain(_sentence(error))
                code = 2
        sys.exit(code)


def _complain(sentence: str) -> None:
    """Print what went wrong, if standard error is open."""
    with suppress(OSError):
        click.secho(sentence, fg="red", err=True)


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
@click.version_option(__version__, prog_name="headway")
@verbosity
def run(**_: object) -> None:
    """Train dependency parsers on your own treebank, and use them.

    `headway demo` shows what it does; `headway COMMAND --help` explains a command.
    """


def main() -> None:
    """The console script."""
    run(prog_name="headway")
