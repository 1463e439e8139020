"""From options as data to options of a command: what click reads, and help in groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from headway.option_kinds import Choice, Kind, Pairs, YesNo
from headway.options import Checked, default_of, kinds

FLAG = "-O"


@dataclass(frozen=True)
class OptionGroup:
    """A heading of help, and the options below it."""

    title: str
    options: type[Checked]
    names: Sequence[str]


class WordParameter(click.ParamType[str]):
    """A word as the user wrote it, which the options check later; shells complete it from the names that are known."""

    name = "word"

    def __init__(self, choices: Iterable[Any] = ()) -> None:
        self.choices = choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(str(name)) for name in self.choices if str(name).startswith(incomplete)]


class Grouped(click.Command):
    """A command whose help shows derived options in groups, after its own."""

    groups: Sequence[OptionGroup] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, then each group."""
        derived = {name for group in self.groups for name in group.names}
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option) and p.name not in derived]
        own = [record for option in options if (record := option.get_help_record(ctx))]
        with formatter.section("Options"):
            formatter.write_dl(own)
        for group in self.groups:
            with formatter.section(group.title):
                formatter.write_dl([_record(group.options, name) for name in group.names])


def derive(command: Grouped, groups: Sequence[OptionGroup]) -> None:
    """Give a command the options of groups; one that stands in several is read as a word that may fit any of them."""
    found: dict[str, list[Kind]] = {}
    for group in groups:
        every = kinds(group.options)
        for name in group.names:
            found.setdefault(name, []).append(every[name])
    command.groups = groups
    command.params += [_parameter(name, some) for name, some in found.items()]


def said(context: click.Context, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the user has given; the words of click as they are."""
    default = click.core.ParameterSource.DEFAULT
    return {name: value for name, value in options.items() if context.get_parameter_source(name) is not default}


def read_as(options: type[Checked], given: Mapping[str, Any]) -> dict[str, Any]:
    """What the words given stand for in these options; names that they do not have stay as they are."""
    every = kinds(options)
    return {
        name: every[name].read(value) if name in every and isinstance(value, str) else value
        for name, value in given.items()
    }


def _parameter(name: str, some: Sequence[Kind]) -> click.Option:
    first = some[0]
    if isinstance(first, YesNo):
        return click.Option([_words(name, first), name], default=None, is_flag=True)
    if isinstance(first, Pairs):
        return click.Option([FLAG, "--option", name], multiple=True)
    choices = [one for kind in some if isinstance(kind, Choice) for one in kind.names]
    return click.Option([_words(name, first), name], default=None, type=WordParameter(choices))


def _words(name: str, kind: Kind) -> str:
    dashed = name.replace("_", "-")
    if not isinstance(kind, YesNo):
        return f"--{dashed}"
    return f"--{kind.yes}/--{kind.no}" if kind.yes else f"--{dashed}/--no-{dashed}"


def _record(options: type[Checked], name: str) -> tuple[str, str]:
    """The two columns of help."""
    kind, default = kinds(options)[name], default_of(options, name)
    if isinstance(kind, Pairs):
        return f"{FLAG}, --option {kind.metavar}", kind.help
    words = _words(name, kind).replace("/", " / ")
    if isinstance(kind, YesNo):
        shown = kind.unsaid or ("" if default is None else ("yes" if default else "no"))
        if kind.yes and default is not None:
            shown = kind.yes if default else kind.no
    else:
        words = f"{words} {kind.metavar}"
        shown = kind.unsaid or ("" if default in (None, "") else str(default))
    return words, f"{kind.help}  [default: {shown}]" if shown else kind.help
