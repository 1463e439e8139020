"""Options of commands that train: what everybody needs, then one group for each family of parsers."""

from __future__ import annotations

from collections.abc import Sequence

from headway.base.options import Options, kinds
from headway.base.stage_options import StageOptions
from headway.cli.options import OptionGroup, flag
from headway.training.families import EARLIER, FAMILIES, PARSER
from headway.training.parser_options import ParserOptions
from headway.training.run_options import RunOptions

NEEDED = ("features", "seed")
"""Options of every parser that stand at the top of help."""
FIRST = ("pipeline", "resume")
"""Options of every training that stand there, too."""
Entry = tuple[type[Options], str]


def groups(own: Sequence[str], without: Sequence[str] = ()) -> list[OptionGroup]:
    """The groups of a command with these options of its own, `without` some of `RunOptions`."""
    families = [FAMILIES[name] for name in (PARSER, *(name for name in FAMILIES if name != PARSER))]
    default = families[0]
    parsers = [family for family in families if issubclass(family, ParserOptions)]
    shared = [name for name, kind in kinds(default).items() if all(kinds(one).get(name) is kind for one in parsers)]
    first = [*_entries(default, NEEDED), *_entries(RunOptions, [name for name in FIRST if name not in without])]
    others = [name for name in shared if name not in NEEDED]
    return [
        OptionGroup("What everybody needs", first, own=own),
        *(_of_family(family, families[:number], shared) for number, family in enumerate(families)),
        OptionGroup("Every parser", _entries(default, others)),
        OptionGroup(
            "The training",
            _entries(RunOptions, [name for name in kinds(RunOptions) if name not in (*FIRST, *without)]),
        ),
        *([] if "pipeline" in without else [_earlier()]),
    ]


def _earlier() -> OptionGroup:
    """The options of the stages before a parser, which have no words of their own."""
    named = (f"{name}: {', '.join(kinds(EARLIER[name]))}" for name in EARLIER)
    text = f"Set their options with -O STAGE.NAME=VALUE, as in -O tagger.drop=0.1. {'; '.join(named)}."
    return OptionGroup("Stages of a pipeline before the parser", [], text=text)


def _of_family(family: type[StageOptions], before: Sequence[type[StageOptions]], shared: Sequence[str]) -> OptionGroup:
    """The options that only this family has, or that it has in a way of its own."""
    explained = [
        name for name, kind in kinds(family).items() if any(kinds(other).get(name) is kind for other in before)
    ]
    default = ", the default" if family.family == PARSER else ""
    return OptionGroup(
        f"{family.title.capitalize()}s (--parser {family.family}{default})",
        _entries(family, [name for name in kinds(family) if name not in (*shared, *explained)]),
        text=_sentence(family),
        example=family.example,
        before=[flag(family, name) for name in explained if name not in shared],
    )


def _sentence(family: type[StageOptions]) -> str:
    """The first paragraph of its docstring; nothing where it has only the one that dataclasses make up."""
    text = " ".join((family.__doc__ or "").partition("\n\n")[0].split())
    return "" if text.startswith(f"{family.__name__}(") else text


def _entries(options: type[Options], names: Sequence[str]) -> list[Entry]:
    return [(options, name) for name in names]
