"""Options said once: a field of a frozen dataclass with its help, its range and what tuning tries.

    @dataclass(frozen=True, kw_only=True)
    class GraphOptions(StageOptions):
        bits: int = whole(24, "Arcs have 2 to this power weights.", low=8, high=29)

The command line, the sentences about mistakes, recipes, the identity of a checkpoint and `headway info` are derived
from such fields. This module and those with options import the standard library only, so that help is fast.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from headway.base.errors import HeadwayError, known
from headway.base.option_kinds import Choice, Named, NameList, Number, OptionKind, Pairs, Text, Whole, YesNo
from headway.base.short_repr import ShortRepr

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.training.contract import Training

KIND = "kind"
Given = TypeVar("Given", bound="Options")
Staged = TypeVar("Staged", bound="StageOptions")


def _field(kind: type[OptionKind], default: Any, help: str, **how: Any) -> Any:
    return field(default=default, metadata={KIND: kind(**{"help": help, "optional": default is None, **how})})


# Fields that hold a value of a kind, each with a default, help and whatever else the kind takes.
whole = partial(_field, Whole)
number = partial(_field, Number)
positive = partial(_field, Number, low=0, above=True)
yes_no = partial(_field, YesNo)
named = partial(_field, Named)
text = partial(_field, Text)
words = partial(_field, NameList)


def choice(default: Any, what: str, names: Iterable[Any], help: str, **how: Any) -> Any:
    """A field that holds one of some names."""
    return _field(Choice, default, help, what=what, names=names, **how)


def pairs(help: str) -> Any:
    """A field that holds further options by their names."""
    return field(default_factory=dict, metadata={KIND: Pairs(help=help)})


@dataclass(frozen=True, kw_only=True)
class Options(ShortRepr):
    """A dataclass whose fields refuse what has no meaning, with one sentence each."""

    titled: ClassVar[bool] = False
    """Whether messages name the class, as those about learners do."""

    def __repr__(self) -> str:
        """The options that are not as they are by default: `GraphOptions(order=1)`."""
        said = {one.name: getattr(self, one.name) for one in fields(self) if one.repr and one.init}
        own = (f"{name}={value!r}" for name, value in said.items() if value != default_of(type(self), name))
        return f"{type(self).__name__}({', '.join(own)})"

    def __post_init__(self) -> None:
        """Check every field."""
        of = f" of {type(self).__name__}" if self.titled else ""
        for name, kind in kinds(type(self)).items():
            value = getattr(self, name)
            if value is None and kind.optional:
                continue
            refusal = kind.error_for(f"{name} = {value!r}{of}", value)
            if refusal is not None:
                raise HeadwayError(refusal)
            object.__setattr__(self, name, kind.normalized(value))

    def identity(self) -> dict[str, Any]:
        """All that the result depends on, as JSON has it."""
        return {name: plain(getattr(self, name)) for name, kind in kinds(type(self)).items() if kind.decides}


def kinds(options: type[Options]) -> dict[str, OptionKind]:
    """For each option its kind, in their order."""
    return {one.name: one.metadata[KIND] for one in fields(options) if KIND in one.metadata}


def default_of(options: type[Options], name: str) -> Any:
    """The value of an option where it is not given."""
    one: Field[Any] = next(one for one in fields(options) if one.name == name)
    return one.default_factory() if one.default_factory is not MISSING else one.default


def built(options: type[Given], what: str, given: Mapping[str, Any], others: Iterable[str] = ()) -> Given:
    """Options from their names and values; unknown names get a sentence with the known ones.

    `others` are known too: what can be said beside the options.
    """
    possible = {one.name for one in fields(options) if one.init}
    for name in given:
        if name not in possible:
            raise unknown_option(what, name, {*possible, *others})
    return options(**given)


def unknown_option(what: str, name: str, possible: Collection[str]) -> HeadwayError:
    """The sentence about an option that a thing does not have: the nearest name, and all of them."""
    near = get_close_matches(name, sorted(possible), 1)
    perhaps = f", perhaps {near[0]!r}" if near else ""
    return HeadwayError(f"{what} has no option {name!r}{perhaps}; {known(possible) if possible else 'it has none'}")


def plain(value: Any) -> Any:
    """A value as JSON has it: things by their options, features by their text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        named = {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.init}
        return {"name": type(value).__name__, **named} if isinstance(value, Options) else str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [plain(one) for one in value]
    if hasattr(value, "get_params"):
        return {"name": type(value).__name__, **{name: repr(one) for name, one in value.get_params().items()}}
    return repr(value)


def pairs_from(words: Mapping[str, Any] | Iterable[str]) -> dict[str, Any]:
    """Options by name, from a mapping or from words like `phi=0.5` and `average=no`."""
    if isinstance(words, Mapping):
        for name in words:
            if not isinstance(name, str):
                raise HeadwayError(f"options = {words!r}: {name!r} is not the name of an option; write {{'phi': 0.5}}")
        return dict(words)
    if not isinstance(words, Iterable):
        raise HeadwayError(f"options = {words!r} is not a mapping of options; write {{'phi': 0.5}}")
    found = {}
    for word in [words] if isinstance(words, str) else words:
        name, equals, value = str(word).partition("=")
        if not equals:
            raise HeadwayError(f"{word!r} is not an option; write NAME=VALUE, as in phi=0.5")
        found[name] = value_from(value)
    return found


def value_from(word: str) -> Any:
    """The value that a word stands for: a number, yes, no, None, or the text that it is."""
    try:
        return ast.literal_eval({"yes": "True", "no": "False"}.get(word, word))
    except (SyntaxError, ValueError):
        return word


@dataclass(frozen=True, kw_only=True)
class StageOptions(Options):
    """Options of a stage: data, no trainer. `begin` starts a training with them."""

    family: ClassVar[str]
    """The name that users choose it by."""
    title: ClassVar[str]
    """What messages call it, as in "a graph parser"."""
    example: ClassVar[str] = ""
    """For help: a command that trains one."""
    cost: ClassVar[float] = 4.0
    """About how long its training takes beside that of other stages, for the time that is left."""

    def ready(self) -> None:
        """Refuse what cannot be told from the options alone, before a treebank is read."""

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches that is ready for its first step."""
        raise NotImplementedError

    def lack(self, data: Sequence[Batch]) -> str | None:
        """What a treebank lacks to learn this stage of a pipeline from, in words; None where it has enough."""
        return None

    def with_dev(self: Staged) -> Staged:
        """The same options where a development treebank decides what they leave open, such as when to stop."""
        return self
