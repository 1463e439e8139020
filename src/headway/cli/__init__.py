"""The `headway` command: one thin file per command, imported when it is used."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from headway.cli.common import HELP, set_verbosity, verbosity
from headway.version import __version__

COMMANDS = ("completion", "convert", "demo", "evaluate", "info", "sample", "show", "split")


class Commands(click.Group):
    """A group whose members are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"headway.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            ctx.fail(f"no command {args[0]!r}; known are: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings=HELP)
@click.version_option(__version__, prog_name="headway")
@verbosity
def headway(**_: object) -> None:
    """Dependency parsers from your own treebank.

    `headway demo` shows what it does; `headway COMMAND --help` explains a command.
    """


def main() -> None:
    """Run the command line; every failure is one sentence on standard error and a non-zero exit."""
    from headway.errors import HeadwayError

    set_verbosity(0)
    try:
        sys.exit(headway.main(prog_name="headway", standalone_mode=False) or 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted; nothing was written", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output, `head` for one, has gone. Nothing is left to flush to.
        sys.stderr.close()
        sys.exit(141)
    except HeadwayError as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(2)
