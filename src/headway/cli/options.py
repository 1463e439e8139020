"""From options as data to options of a command: what click reads, and help in groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from headway.base.options import Choice, OptionKind, Options, Pairs, YesNo, default_of, kinds

FLAG = "-O"
WIDEST = 34
"""Characters that an option and its values may have beside each other in help; longer lists of values go below."""
REST = "Files and messages"
"""The heading of options that no group names."""


@dataclass(frozen=True)
class OptionGroup:
    """A heading of help with a sentence and an example, and the options below it."""

    title: str
    entries: Sequence[tuple[type[Options], str]]
    """Derived options, each with the class that declares it."""
    own: Sequence[str] = ()
    """Options that the command itself declares; they come first."""
    text: str = ""
    example: str = ""
    before: Sequence[str] = ()
    """Options that also belong here and have been explained in a group before."""


class WordParameter(click.ParamType[str]):
    """A word as the user wrote it, which the options check later; shells complete it from the names that are known."""

    name = "word"

    def __init__(self, choices: Iterable[Any] = ()) -> None:
        self.choices = choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(str(name)) for name in self.choices if str(name).startswith(incomplete)]


class Grouped(click.Command):
    """A command whose help shows options in groups, if it has any."""

    groups: Sequence[OptionGroup] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each group, then the command's own options that stand in none."""
        derived = {name for group in self.groups for _, name in group.entries}
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option) and one.name not in derived]
        own = {str(one.name): record for one in options if (record := one.get_help_record(ctx))}
        for group in self.groups:
            with formatter.section(group.title):
                if group.text:
                    formatter.write_text(group.text)
                if group.example:
                    formatter.write(f"{' ' * formatter.current_indent}Example: {group.example}\n")
                if group.text or group.example:
                    formatter.write_paragraph()
                records = [own.pop(name) for name in group.own]
                records += (_record(options, name) for options, name in group.entries)
                if records:
                    formatter.write_dl(records)
                if group.before:
                    formatter.write_paragraph()
                    formatter.write_text(f"Also, as explained above: {', '.join(group.before)}.")
        with formatter.section(REST if self.groups else "Options"):
            formatter.write_dl(list(own.values()))


def entries(options: type[Options], names: Iterable[str]) -> list[tuple[type[Options], str]]:
    """Options by their names, for `OptionGroup.entries`."""
    return [(options, name) for name in names]


def derive(command: Grouped, groups: Sequence[OptionGroup]) -> None:
    """Give a command the options of groups; one that stands in several is read as a word that may fit any of them."""
    found: dict[str, list[OptionKind]] = {}
    for group in groups:
        for options, name in group.entries:
            found.setdefault(name, []).append(kinds(options)[name])
    command.groups = groups
    command.params += [_parameter(name, some) for name, some in found.items()]


def given_options(options: Mapping[str, Any], *kinds_of_options: type[Options]) -> dict[str, Any]:
    """The options that the user gave to the current command, read as these classes say; others stay as they are."""
    context, default = click.get_current_context(), click.core.ParameterSource.DEFAULT
    given = {name: value for name, value in options.items() if context.get_parameter_source(name) is not default}
    for one in kinds_of_options:
        for name, kind in kinds(one).items():
            if isinstance(given.get(name), str):
                given[name] = kind.read(given[name])
    return given


def _parameter(name: str, some: Sequence[OptionKind]) -> click.Option:
    first = some[0]
    if isinstance(first, YesNo):
        return click.Option([_words(name, first), name], default=None, is_flag=True)
    if isinstance(first, Pairs):
        return click.Option([FLAG, "--option", name], multiple=True)
    choices = [one for kind in some if isinstance(kind, Choice) for one in kind.names]
    return click.Option([_words(name, first), name], default=None, type=WordParameter(choices))


def _words(name: str, kind: OptionKind) -> str:
    dashed = name.replace("_", "-")
    if not isinstance(kind, YesNo):
        return f"--{dashed}"
    return f"--{kind.yes}/--{kind.no}" if kind.yes else f"--{dashed}/--no-{dashed}"


def flag(options: type[Options], name: str) -> str:
    """How an option is written on the command line, without its value."""
    kind = kinds(options)[name]
    return FLAG if isinstance(kind, Pairs) else _words(name, kind).replace("/", " / ")


def _record(options: type[Options], name: str) -> tuple[str, str]:
    """The two columns of help."""
    kind, default = kinds(options)[name], default_of(options, name)
    words, help = flag(options, name), kind.help
    shown = kind.default_text or ("" if default in (None, "") else str(default))
    if isinstance(kind, Pairs):
        return f"{FLAG}, --option {kind.metavar}", help
    if isinstance(kind, YesNo):
        shown = kind.default_text or {None: "", True: kind.yes or "yes", False: kind.no or "no"}[default]
    elif len(words) + len(kind.metavar) < WIDEST:
        words = f"{words} {kind.metavar}"
    else:
        words, help = f"{words} NAME", f"{help} One of: {kind.metavar.replace('|', ', ')}."
    return words, f"{help}  [default: {shown}]" if shown else help
