"""What a model file may hold: each kind of stage declares its `Schema` beside `pack` and `unpack`.

Each training declares the `Layout` of its state in the same way, for checkpoints.

Right checksums say that nobody has changed a file since it was written, not that headway wrote it. A schema says what
each field of the header is, and the type, shape and range of each array; `model.py` checks it before a stage is made
of them. Weights that would take a pass over gigabytes are not looked through: the kernels that read them are safe
whatever they hold (`kernels/weights/frozen.pxd`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, half_in, is_cell, shown

Array = NDArray[Any]
Header = Mapping[str, Any]
Arrays = Mapping[str, Array]
Relation = tuple[bool, str]
"""Whether it holds, and what is wrong where it does not."""
LARGEST = np.iinfo(np.int32).max


class Fault(NamedTuple):
    """Where a header is wrong, and how: `labels[3]`, `is 'a b', not …`."""

    place: str
    what: str


class Kind(Protocol):
    """What a field of a header may be."""

    def faults(self, value: Any, place: str) -> Iterator[Fault]:
        """What is wrong with a value."""


class Single(NamedTuple):
    """A value that is what `fits` says."""

    what: str
    fits: Callable[[Any], bool]

    def faults(self, value: Any, place: str) -> Iterator[Fault]:
        """The value itself, where it does not fit."""
        if not self.fits(value):
            yield Fault(place, f"is {said(value)}, not {self.what}")


class Each(NamedTuple):
    """A list of values of one kind."""

    member: Kind
    fewest: int = 0

    def faults(self, value: Any, place: str) -> Iterator[Fault]:
        """Those of the list and of its members."""
        if not isinstance(value, list | tuple) or len(value) < self.fewest:
            few = f" of at least {self.fewest}" if self.fewest else ""
            yield Fault(place, f"is {said(value)}, not a list{few}")
            return
        for at, one in enumerate(value):
            yield from self.member.faults(one, f"{place}[{at}]")


class Record(NamedTuple):
    """Fields by their names. Missing ones have defaults, unless it must be `complete`; `others` may stand beside."""

    fields: Mapping[str, Kind]
    complete: bool = False
    others: bool = False

    def faults(self, value: Any, place: str) -> Iterator[Fault]:
        """Those of the record and of its fields."""
        if not isinstance(value, dict):
            yield Fault(place, f"is {said(value)}, not an object")
            return
        for name in self.fields if self.complete else ():
            if name not in value:
                yield Fault(place, f"lacks the field {name!r}")
        for name, one in value.items():
            if name in self.fields:
                yield from self.fields[name].faults(one, f"{place}.{name}")
            elif not self.others:
                yield Fault(place, f"has an unknown field {shown(name)}")


class Optional(NamedTuple):
    """A value of a kind, or null."""

    kind: Kind

    def faults(self, value: Any, place: str) -> Iterator[Fault]:
        """Those of the value, if it is there."""
        if value is not None:
            yield from self.kind.faults(value, place)


def whole(low: int, high: int = LARGEST) -> Single:
    """A whole number from `low` to `high`."""
    return Single(
        f"a whole number from {low} to {high}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high,
    )


def one_of(*values: str | bool) -> Single:
    """One of some values."""
    names = " or ".join(shown(value) if isinstance(value, str) else said(value) for value in values)
    return Single(names, lambda value: any(type(value) is type(one) and value == one for one in values))


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -math.inf < value < math.inf


TEXT = Single("a text", lambda value: isinstance(value, str))
CELL = Single("a text without tabs, line breaks and NUL", lambda value: isinstance(value, str) and is_cell(value))
FLAG = Single("true or false", lambda value: isinstance(value, bool))
OBJECT = Single("an object", lambda value: isinstance(value, dict))
POSITIVE = Single("a number above 0", lambda value: is_number(value) and value > 0)
SCORES = Single(
    "scores and their definition",
    lambda value: (
        isinstance(value, dict)
        and isinstance(value.get("definition"), str)
        and isinstance(value.get("tags", ""), str)
        and all(is_number(score) for name, score in value.items() if name not in ("definition", "tags"))
    ),
)
ABOUT = Record(
    {
        "family": TEXT,
        "options": OBJECT,
        "sentences": whole(0),
        "words": whole(0, 2**53),
        "treebank_digest": TEXT,
        "headway": TEXT,
        "dev": SCORES,
    },
    others=True,
)
"""What trainings say of every stage; each says more."""


class Numbers(NamedTuple):
    """An array: its type, its dimensions (None for any length), and the range of its numbers."""

    type: str
    shape: Sequence[int | None] = (None,)
    low: int | None = None
    high: int | None = None
    rising: bool = False
    """From 0, never falling."""
    finite: bool = False
    fewest: int = 0

    def fault(self, array: Array) -> str | None:
        """What is wrong with an array; one pass where its numbers count."""
        if array.dtype.str != self.type or array.ndim != len(self.shape):
            return f"has type {array.dtype.str} and {array.ndim} dimensions, not {self.type} and {len(self.shape)}"
        if any(wanted not in (None, size) for wanted, size in zip(self.shape, array.shape, strict=True)):
            wanted = tuple("any" if size is None else size for size in self.shape)
            return f"has the shape {array.shape}, not ({', '.join(map(str, wanted))})"
        if array.size < self.fewest:
            return f"has {array.size} numbers; {self.fewest} are the fewest"
        if not array.size:
            return None
        if self.low is not None and array.min() < self.low:
            return f"goes down to {array.min()}; {self.low} is the lowest number"
        if self.high is not None and array.max() > self.high:
            return f"goes up to {array.max()}; {self.high} is the highest number"
        if self.rising and ((array[0] != 0).any() or (array[1:] < array[:-1]).any()):
            return "does not rise from 0"
        return None if not self.finite or np.isfinite(array).all() else "holds what is no number"


@dataclass(frozen=True)
class Layout:
    """A header and arrays. Other fields and arrays may be there; nobody reads them."""

    header: Mapping[str, Kind]
    arrays: Callable[[Header], Mapping[str, Numbers]] = lambda header: {}
    """The arrays that a header asks for; it has been checked."""
    relations: Callable[[Header, Arrays], Iterator[Relation]] = lambda header, arrays: iter(())
    """What must hold between arrays, each of which has been checked."""
    later: Mapping[str, Kind] = field(default_factory=dict)
    """Fields that older files do not have."""

    def wrong(self, header: Header, arrays: Arrays) -> Iterator[str]:
        """What is wrong with a header and arrays; the first of these is worth saying."""
        for name in self.header:
            if name not in header:
                yield f"the field {name!r} of the header is missing"
        for name, kind in {**self.header, **self.later}.items():
            if name in header:
                yield from (f"{fault.place} in the header {fault.what}" for fault in kind.faults(header[name], name))
        for name, numbers in self.arrays(header).items():
            if name not in arrays:
                yield f"the array {name!r} is missing"
            elif fault := numbers.fault(arrays[name]):
                yield f"the array {name!r} {fault}"
        yield from (what for holds, what in self.relations(header, arrays) if not holds)


@dataclass(frozen=True)
class Schema(Layout):
    """The header and the arrays of one kind of stage; all stages have a kind, and say where they come from."""

    def check(self, header: Header, arrays: Arrays, source: str) -> None:
        """Refuse what is no such stage; `source` is what errors call the file."""
        for what in replace(self, header={"kind": TEXT, "about": ABOUT, **self.header}).wrong(header, arrays):
            raise HeadwayError(f"{source}: {what}; this is no model that headway wrote, so train it again")


def said(value: Any) -> str:
    """A value of a header for an error."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else json.dumps(value)


def as_json(content: object, what: str, remedy: str) -> bytes:
    """What a header says, as a file holds it; what no file can hold is refused, with `what` and `remedy`."""
    try:
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        fault = f"{what} is not what JSON can say ({error})"
    else:
        if not (half := half_in(text)):
            return text.encode()
        fault = f"{what} holds {half}, which no file can hold"
    raise HeadwayError(f"{fault}; {remedy}")


def assure_facts(facts: Mapping[str, Any]) -> None:
    """Refuse what no model may say of itself, before it is saved and cannot be opened."""
    for name, fact in facts.items():
        remedy = "say it in plain numbers, strings of whole characters, lists and dictionaries"
        as_json({name: fact}, f"the fact {shown(name)} about a model", remedy)
    for fault in ABOUT.faults(facts, "about"):
        raise HeadwayError(f"{fault.place} {fault.what}; give the fact another name, or a value of this kind")
