"""What an option may be: how a word of the command line is read, and the sentence that refuses a value."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from headway.base.errors import HeadwayError, known


@dataclass(frozen=True, kw_only=True)
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

    def read(self, word: str) -> Any:
        """The value that a word stands for; the word itself where it stands for none, to be refused as any value."""
        return word

    def error_for(self, what: str, value: Any) -> str | None:
        """The sentence that refuses a value, or None where it is a good one; `what` begins it."""
        return None

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


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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


def assure_whole(name: str, value: object, low: int = 1) -> None:
    """Refuse what is not a whole number from `low` on, for arguments that are no options."""
    refusal = Whole(help="", low=low).error_for(f"{name} = {value!r}", value)
    if refusal is not None:
        raise HeadwayError(refusal)


@dataclass(frozen=True, kw_only=True)
class Choice(OptionKind):
    """One of some names, or of some values; `what` is what they are called in messages."""

    what: str
    names: Iterable[Any]
    """Asked each time anew: a registry may know more by then."""
    things: bool = False
    """Whether a thing itself may stand for its name."""

    def read(self, word: str) -> Any:
        return next((name for name in self.names if str(name) == word), word if self.has_names else numeral(word))

    @property
    def has_names(self) -> bool:
        """Whether the values are words."""
        return all(isinstance(name, str) for name in self.names)

    def error_for(self, what: str, value: Any) -> str | None:
        if any(type(value) is type(name) and value == name for name in self.names):
            return None
        if self.things and not isinstance(value, (str, bool, int, float)) and value is not None:
            return None
        return f"unknown {self.what} {value!r}; {known(self.names)}"

    @property
    def metavar(self) -> str:
        return "|".join(map(str, self.names))


@dataclass(frozen=True, kw_only=True)
class YesNo(OptionKind):
    """Yes or no; `yes` and `no` are the words that say so on the command line."""

    yes: str = ""
    no: str = ""

    def read(self, word: str) -> Any:
        return {"yes": True, "no": False, "true": True, "false": False}.get(word.lower(), word)

    def error_for(self, what: str, value: Any) -> str | None:
        return None if isinstance(value, bool) else f"{what} is neither yes nor no; give one"


@dataclass(frozen=True, kw_only=True)
class Text(OptionKind):
    """Some text."""

    def error_for(self, what: str, value: Any) -> str | None:
        return None if isinstance(value, str) else f"{what} is not text; give some"


@dataclass(frozen=True, kw_only=True)
class Named(OptionKind):
    """A thing by its name or as it is, such as a feature model or a learner."""

    placeholder: str = "NAME"

    def normalized(self, value: Any) -> Any:
        return os.fspath(value) if isinstance(value, os.PathLike) else value

    def error_for(self, what: str, value: Any) -> str | None:
        known_type = not isinstance(value, (bool, int, float)) and value is not None
        return None if known_type else f"{what} is not a name; give a name, or the thing itself"


@dataclass(frozen=True, kw_only=True)
class NameList(OptionKind):
    """Several names, as a list or with commas between them."""

    placeholder: str = "NAME,NAME"

    def error_for(self, what: str, value: Any) -> str | None:
        listed = isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value)
        return (
            None if isinstance(value, str) or listed else f"{what} is not a list of names; write them as in 'C,decoder'"
        )


def listed(words: str | Sequence[str]) -> tuple[str, ...]:
    """The names that stand in a list, or between commas."""
    return tuple(word for word in (words.split(",") if isinstance(words, str) else words) if word)


@dataclass(frozen=True, kw_only=True)
class Pairs(OptionKind):
    """Further options, as a mapping or as words `NAME=VALUE`."""

    placeholder: str = "NAME=VALUE"

    def error_for(self, what: str, value: Any) -> str | None:
        return None if isinstance(value, Mapping) else f"{what} is not a mapping of options; write {{'phi': 0.5}}"
