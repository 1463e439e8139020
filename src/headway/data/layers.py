"""What a stage found out about the words of a batch, laid over the cells that were read.

A layer is immutable and knows nothing of bytes: columns are numbers of names, heads are numbers. A batch carries any
number of layers (`Batch.with_layer`), and whoever asks it for a field gets the top one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError, is_cell, known, shown
from headway.base.short_repr import ShortRepr
from headway.data.formats.format import FIELDS, Format
from headway.kernels.text import scanning as kernel

if TYPE_CHECKING:
    from headway.data.batch import Batch

Ints = NDArray[np.int32]
Found = TypeVar("Found")
LOWEST, HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max
LAYERED = tuple(name for name in FIELDS if name not in ("ID", "FORM", "HEAD"))
"""The fields that a layer may have as columns."""
COMMENT = "# "
"""What a column of comments begins with: `# key`. The cell of a sentence's first word is its value."""


class Names(tuple[str, ...]):
    """The names of a column, with what is found out about them: once, however many columns have these names."""

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (list(self),)

    @cached_property
    def packed(self) -> tuple[bytes, Ints]:
        """The names as text, a line for each, and where they begin: name i is text[at[i] : at[i + 1] - 1]."""
        lines = "\n".join((*self, "")).encode()
        pieces = self if len(lines) == sum(map(len, self)) + len(self) else lines.split(b"\n")[:-1]
        at = np.zeros(len(self) + 1, np.int32)
        at[1:] = [*accumulate(len(piece) + 1 for piece in pieces)]
        return lines, at

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which names are `_` or nothing at all."""
        return np.array([name in ("_", "") for name in self], np.bool_)

    @cached_property
    def spaced(self) -> NDArray[np.bool_]:
        """Which names have a space inside."""
        return np.array([" " in name for name in self], np.bool_)

    @cached_property
    def are_cells(self) -> bool:
        """Whether all of them can be cells."""
        return is_cell("".join(self))

    def once(self, what: Hashable, find: Callable[[Names], Found]) -> Found:
        """What others find out about them, the first time."""
        kept: dict[Hashable, Any] = self.__dict__  # type: ignore[assignment]
        if what not in kept:
            kept[what] = find(self)
        return cast("Found", kept[what])


def named(names: Sequence[str]) -> Names:
    """Names with what is found out about them."""
    return names if isinstance(names, Names) else Names(names)


@dataclass(frozen=True, eq=False)
class Codes(PickledByFields, ShortRepr):
    """A column as numbers of names: word w has the cell `names[codes[w]]`."""

    codes: Ints
    names: tuple[str, ...]

    @cached_property
    def known(self) -> Names:
        """The names with what is found out about them."""
        return named(self.names)

    def taken(self, which: Ints) -> Codes:
        """The cells of some words, in their order."""
        return Codes(self.codes[which], self.known)

    def filled(self, first: int = 0, last: int | None = None) -> tuple[int, int]:
        """How many cells of words first to last are filled, and how many have a space inside."""
        count = np.bincount(self.codes[first:last], minlength=len(self.names))
        return int(count[~self.known.empty].sum()), int(count[self.known.spaced].sum())

    def strings(self, first: int = 0, last: int | None = None) -> list[str]:
        """The cells of words first to last."""
        return [self.names[code] for code in self.codes[first:last].tolist()]


@dataclass(frozen=True, eq=False)
class Layer(ShortRepr):
    """Columns by the names of their fields, and heads: one for each word, counted from 1 within its sentence.

    0 is the root; the words of a sentence without a tree have the head -1.
    """

    name: str
    columns: Mapping[str, Codes] = field(default_factory=dict)
    heads: Ints | None = None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled with the columns as a plain dictionary."""
        return _unpickled, (self.name, dict(self.columns), self.heads)

    @property
    def fields(self) -> tuple[str, ...]:
        """All that the layer speaks of."""
        return (*self.columns, *(() if self.heads is None else ("HEAD",)))

    def checked(self, batch: Batch) -> Layer:
        """The layer with read-only arrays; one that does not fit the batch is refused. Linear time."""
        offsets, words = batch.sentence_word, len(batch.word_line)
        columns = {name: self._checked_column(name, codes, words) for name, codes in self.columns.items()}
        heads = None if self.heads is None else self._frozen("heads", self.heads, words)
        if heads is not None:
            wrong = kernel.fault(heads, offsets)
            if wrong >= 0:
                raise HeadwayError(
                    f"{batch.source}:{batch.numbers[wrong]}: the heads of layer {self.name!r} are not a tree here; "
                    "give each word the number of its head, 0 for a root, or -1 to all words of the sentence"
                )
        return Layer(self.name, MappingProxyType(columns), heads)

    def _checked_column(self, name: str, column: Codes, words: int) -> Codes:
        if name not in LAYERED and not name.startswith(COMMENT):
            raise HeadwayError(f"layer {self.name!r} cannot have the column {name!r}; {known(LAYERED)}")
        codes, names = self._frozen(name, column.codes, words), column.known
        if kernel.beyond(codes, len(names)):
            raise HeadwayError(
                f"{name} of layer {self.name!r} has codes from {codes.min()} to {codes.max()} for "
                f"{len(names)} names; number the names from 0"
            )
        if not names.are_cells:
            bad = next(cell for cell in names if not is_cell(cell))
            raise HeadwayError(
                f"{shown(bad)} cannot be a cell of {name} in layer {self.name!r}; "
                "cells are UTF-8 text without tabs, line breaks and NUL"
            )
        if "" in names and not name.startswith(COMMENT):
            names = Names(cell or "_" for cell in names)
        return column if codes is column.codes and names is column.names else Codes(codes, names)

    def _frozen(self, what: str, numbers: Ints, words: int) -> Ints:
        given = np.asarray(numbers)
        if given.shape != (words,) or given.dtype.kind not in "iu":
            raise HeadwayError(
                f"{what} of layer {self.name!r} is an array of {given.dtype} and shape {given.shape}; "
                f"give one whole number for each word, {words} in all"
            )
        return frozen(given)


def _unpickled(name: str, columns: Mapping[str, Codes], heads: Ints | None) -> Layer:
    """The layer that was pickled; its arrays are read-only again."""
    read_only = {field_name: Codes(frozen(codes.codes), codes.names) for field_name, codes in columns.items()}
    return Layer(name, MappingProxyType(read_only), None if heads is None else frozen(heads))


def frozen(numbers: NDArray[Any]) -> Ints:
    """The numbers as an array that nobody can write to: a copy, unless they are one already."""
    if numbers.dtype == np.int32 and not numbers.flags.writeable and numbers.flags.c_contiguous:
        return numbers
    copy = (numbers if numbers.dtype == np.int32 else numbers.clip(LOWEST, HIGHEST)).astype(np.int32, order="C")
    copy.flags.writeable = False
    return copy


class Overlay(NamedTuple):
    """What all layers of a batch come to: the top column of each field, and the names of what is no longer true."""

    columns: Mapping[str, Codes]
    stale: frozenset[str]


def overlay(layers: Sequence[Layer], form: Format) -> Overlay:
    """The layers one on top of the other. A layer makes stale what lies beneath it, not what it says itself."""
    columns: dict[str, Codes] = {}
    stale: set[str] = set()
    for layer in layers:
        for name in chain.from_iterable(form.stale.get(name, ()) for name in layer.fields):
            columns.pop(name, None)
            stale.add(name)
        columns |= layer.columns
        stale -= {name for field_name in layer.columns for name in (field_name, *form.fields.get(field_name, ()))}
    return Overlay(columns, frozenset(stale))


def joined(stacks: Sequence[tuple[Sequence[Layer], slice]]) -> tuple[Layer, ...]:
    """The layers of some stretches of words, one after the other; all have layers of the same names and fields."""
    layers = []
    for depth, like in enumerate(stacks[0][0]):
        parts = [(stack[depth], words) for stack, words in stacks]
        columns = {name: joined_codes([(part.columns[name], words) for part, words in parts]) for name in like.columns}
        heads = [part.heads[words] for part, words in parts if part.heads is not None]
        layers.append(Layer(like.name, MappingProxyType(columns), frozen(np.concatenate(heads)) if heads else None))
    return tuple(layers)


def joined_codes(parts: Sequence[tuple[Codes, slice]]) -> Codes:
    """Some words of several columns one after the other, with the names of all."""
    number: dict[str, int] = {}
    renumbered: dict[int, Ints] = {}
    pieces = []
    for column, words in parts:
        if id(column) not in renumbered:
            numbers = (number.setdefault(name, len(number)) for name in column.names)
            renumbered[id(column)] = np.fromiter(numbers, np.int32, len(column.names))
        pieces.append(renumbered[id(column)][column.codes[words]])
    return Codes(frozen(np.concatenate(pieces)), tuple(number))
