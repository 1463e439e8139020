"""Options said once: a field of a frozen dataclass with its help, its range and what tuning tries.

    @dataclass(frozen=True, kw_only=True)
    class GraphOptions(StageOptions):
        bits: int = whole(24, "Arcs have 2 to this power weights.", low=8, high=29)

The command line, the sentences about mistakes, recipes, the identity of a checkpoint and `headway info` are derived
from such fields. This module and those with options import the standard library only, so that help is fast.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, TypeVar

from headway.base.errors import HeadwayError, known
from headway.base.short_repr import ShortRepr

KIND = "kind"
Given = TypeVar("Given", bound="Options")


@dataclass(frozen=True, eq=False, kw_only=True)
class OptionKind:
    """What an option may be, and what help says about it."""

    help: str
    optional: bool = False
    """Whether None, which leaves the choice to the treebank or to other options, is a value."""
    default_text: str = ""
    """For help: what happens where the option is not given."""
    tried: tuple[Any, ...] = ()
    """The values that tuning tries."""
    decides: bool = True
    """Whether the result depends on it."""
    placeholder: str = "TEXT"
    """What help shows for a value."""
    types: ClassVar[tuple[type, ...]] = ()
    refusal: ClassVar[str] = ""
    """What is said of values of other types."""

    def read(self, word: str) -> Any:
        """The value that a word stands for; the word itself where it stands for none, to be refused as any value."""
        return word

    def error_for(self, what: str, value: Any) -> str | None:
        """The sentence that refuses a value, or None where it is a good one; `what` begins it."""
        return None if isinstance(value, self.types) else f"{what} {self.refusal}"

    def normalized(self, value: Any) -> Any:
        """A good value in its one form: 1 is the same probability as 1.0."""
        return value

    @property
    def metavar(self) -> str:
        """How help shows the values."""
        return self.placeholder


def numeral(word: str) -> Any:
    """The number that a word stands for, or the word."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


@dataclass(frozen=True, eq=False, kw_only=True)
class Number(OptionKind):
    """A number from `low` to `high`, or `above` a number."""

    low: float = -math.inf
    high: float = math.inf
    above: bool = False

    def read(self, word: str) -> Any:
        return numeral(word)

    def normalized(self, value: Any) -> Any:
        return float(value)

    def error_for(self, what: str, value: Any) -> str | None:
        try:
            real = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
        except OverflowError:
            real = math.inf
        if not math.isfinite(real):
            return f"{what} is not a number; give a number {self._range}"
        if not (self.low < real if self.above else self.low <= real) or real > self.high:
            positive = self.above and self.low == 0 and self.high == math.inf
            return f"{what} is {'not positive' if positive else 'out of range'}; give a number {self._range}"
        return None

    @property
    def _range(self) -> str:
        start = "above" if self.above else "from"
        if self.high < math.inf:
            return f"{start} {self.low:g} to {self.high:g}"
        return f"{start} {self.low:g}{'' if self.above else ' on'}"

    @property
    def metavar(self) -> str:
        return "NUMBER" if self.high == math.inf else f"{self.low:g}…{self.high:g}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Whole(Number):
    """A whole number, or one of some words."""

    low: float = 1
    words: tuple[str, ...] = ()

    def normalized(self, value: Any) -> Any:
        return value if value in self.words else int(value)

    def error_for(self, what: str, value: Any) -> str | None:
        if value in self.words and isinstance(value, str):
            return None
        others = "".join(f", or {word!r}" for word in self.words)
        if isinstance(value, bool) or not isinstance(value, Integral):
            return f"{what} is not a whole number; give one {self._range}{others}"
        if not self.low <= int(value) <= self.high:
            return f"{what} is out of range; give a number {self._range}{others}"
        return None

    @property
    def metavar(self) -> str:
        return "|".join([super().metavar.replace("NUMBER", "N"), *self.words])


@dataclass(frozen=True, eq=False, kw_only=True)
class Choice(OptionKind):
    """One of some names, or of some values; `what` is what they are called in messages."""

    what: str
    names: Iterable[Any]
    """Asked each time anew: a registry may know more by then."""
    things: bool = False
    """Whether a thing itself may stand for its name."""

    def read(self, word: str) -> Any:
        names = list(self.names)
        are_words = all(isinstance(name, str) for name in names)
        return next((name for name in names if str(name) == word), word if are_words else numeral(word))

    def error_for(self, what: str, value: Any) -> str | None:
        if any(type(value) is type(name) and value == name for name in self.names):
            return None
        if self.things and not isinstance(value, (str, bool, int, float)) and value is not None:
            return None
        return f"unknown {self.what} {value!r}; {known(self.names)}"

    @property
    def metavar(self) -> str:
        return "|".join(map(str, self.names))


@dataclass(frozen=True, eq=False, kw_only=True)
class YesNo(OptionKind):
    """Yes or no; `yes` and `no` are the words that say so on the command line."""

    yes: str = ""
    no: str = ""
    types, refusal = (bool,), "is neither yes nor no; give one"

    def read(self, word: str) -> Any:
        return {"yes": True, "no": False, "true": True, "false": False}.get(word.lower(), word)


@dataclass(frozen=True, eq=False, kw_only=True)
class Text(OptionKind):
    """Some text."""

    types, refusal = (str,), "is not text; give some"


@dataclass(frozen=True, eq=False, kw_only=True)
class Named(OptionKind):
    """A thing by its name or as it is, such as a feature model or a learner."""

    placeholder: str = "NAME"

    def normalized(self, value: Any) -> Any:
        return os.fspath(value) if isinstance(value, os.PathLike) else value

    def error_for(self, what: str, value: Any) -> str | None:
        known_type = not isinstance(value, (bool, int, float)) and value is not None
        return None if known_type else f"{what} is not a name; give a name, or the thing itself"


@dataclass(frozen=True, eq=False, kw_only=True)
class NameList(OptionKind):
    """Several names, as a list or with commas between them."""

    placeholder: str = "NAME,NAME"
    refusal = "is not a list of names; write them as in 'C,decoder'"

    def error_for(self, what: str, value: Any) -> str | None:
        listed = isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value)
        return None if listed or isinstance(value, str) else f"{what} {self.refusal}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs(OptionKind):
    """Further options, as a mapping or as words `NAME=VALUE`."""

    placeholder: str = "NAME=VALUE"
    types, refusal = (Mapping,), "is not a mapping of options; write {'phi': 0.5}"


def listed(words: str | Sequence[str]) -> tuple[str, ...]:
    """The names that stand in a list, or between commas."""
    return tuple(word for word in (words.split(",") if isinstance(words, str) else words) if word)


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
            if kind.error_for("", value) is not None:
                raise HeadwayError(kind.error_for(f"{name} = {value!r}{of}", value))
            object.__setattr__(self, name, kind.normalized(value))


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
