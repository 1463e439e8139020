"""Reading a table of a recipe file into the dataclass that describes it: a field is an entry, its type says how.

| type | in the file |
|---|---|
| `str`, `int`, `float`, `bool` | such a value |
| `tuple[str, ...]`, `tuple[int, ...]`, `tuple[Value, ...]` | a list |
| a dataclass | a table, `[name]` |
| `tuple[dataclass, ...]` | tables, `[[name]]` |
| `Mapping[str, …]` | a table of such values by names of its own |

A field without default is required. What is read is then asked for its `problems`, each a sentence in two parts, what
is wrong and what to do, and where in the table if not at its top.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, field, fields, is_dataclass
from datetime import date, time
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from headway.base.errors import FormatError, HeadwayError, known, shown

Described = TypeVar("Described")
Names = Collection[str] | Callable[[Any], Collection[str]]
"""Names that a value may have: always the same, or found in what has been declared before."""
Problems = Iterator[tuple[str, ...]]
"""What is wrong, what to do, and the place inside the table."""
WHAT = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a table"}


def entry(default: Any = MISSING, **about: Any) -> Any:
    """A field whose entry has another `name`, or none, or whose text or texts are `among` known names.

    With `first`, the first of them is the default; the two texts are the sentence where there are none.
    """
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=about)
    return field(default=default, metadata=about)


def read(kind: type[Described], table: RecipeTable, declared: Any = None, **given: Any) -> Described:
    """The dataclass in a table of a file, but for what is `given`; `declared` is what names are checked against."""
    values, types = dict(given), get_type_hints(kind)
    for one in fields(kind):  # type: ignore[arg-type]
        name, among, first = one.metadata.get("name", one.name), one.metadata.get("among"), one.metadata.get("first")
        if one.name in given or name is None:
            continue
        possible = among(declared) if callable(among) else among
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if first and not possible:
            raise table.wrong(*first)
        default = next(iter(possible)) if first and possible else default
        values[one.name] = table.take(name, types[one.name], default, possible, declared)
    found: Any = kind(**values)
    for problem in found.problems(declared) if hasattr(found, "problems") else ():
        raise table.wrong(*problem)
    table.end()
    return found  # type: ignore[no-any-return]


class RecipeTable:
    """A table of a recipe file; each entry is taken once, and `end` refuses those that nobody took."""

    def __init__(self, content: Mapping[str, Any], path: str, place: str = "") -> None:
        self._left = dict(content)
        self._seen: list[str] = []
        self.path, self.place = path, place

    def wrong(self, what: str, remedy: str, inside: str = "") -> FormatError:
        """The error that says what is wrong here, or at a place inside."""
        place = ", ".join(filter(None, (self.place, inside)))
        return FormatError(self.path, None, f"{place}: {what}" if place else what, remedy)

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Name the file and the place in errors that are raised inside."""
        try:
            yield
        except FormatError:
            raise
        except HeadwayError as error:
            what, _, remedy = str(error).partition("; ")
            raise FormatError(self.path, None, f"{place}: {what}", remedy) from None

    def holds(self, name: str, kind: type) -> bool:
        """Whether there is an entry of that name and kind."""
        return isinstance(self._left.get(name), kind)

    def take(
        self, name: str, kind: Any, default: Any = MISSING, possible: Names | None = None, declared: Any = None
    ) -> Any:
        """The entry of that name as its type has it; texts are among the `possible` ones."""
        self._seen.append(name)
        if name not in self._left and default is not MISSING:
            return default
        if name not in self._left:
            raise self.wrong(f"there is no {name}", f"add {name} = …, {WHAT[_plain(kind)]}")
        value = self._left.pop(name)
        if _holds_time(value):
            raise self.wrong(f"{name} holds a date or a time", 'write it as a text, as in "2026-05-01"')
        return self._value(name, value, kind, possible, declared)

    def one_of(self, name: str, value: str, possible: Any) -> str:
        """The value, if it is possible."""
        if possible is not None and value not in possible:
            raise self.wrong(f"unknown {name} {shown(value)}", known(possible))
        return value

    def end(self) -> None:
        """Refuse what nobody asked for."""
        for name in self._left:
            raise self.wrong(f"unknown entry {shown(name)}", known(set(self._seen)))

    def inside(self, place: str, content: Mapping[str, Any]) -> RecipeTable:
        """A table at a place inside this one."""
        return RecipeTable(content, self.path, f"{self.place}, {place}" if self.place else place)

    def _value(self, name: str, value: Any, kind: Any, possible: Any, declared: Any) -> Any:
        inner = [one for one in get_args(kind) if one is not type(None)]
        if get_origin(kind) in (Union, UnionType):
            return value if len(inner) > 1 else self._value(name, value, inner[0], possible, declared)
        plain = _plain(kind)
        if plain is float and type(value) is int:
            value = float(value)
        if not isinstance(value, plain) or (plain is int and isinstance(value, bool)):
            raise self.wrong(f"{name} = {shown(str(value))}", f"it must be {WHAT[plain]}")
        if plain is list:
            return self._list(name, value, inner[0], possible, declared)
        if is_dataclass(kind):
            return read(kind, self.inside(name, value), declared)  # type: ignore[arg-type]
        if plain is dict and inner and inner[1] is not Any:
            values = self.inside(name, value)
            return {self.one_of(name, own, possible): values.take(own, inner[1]) for own in value}
        return self.one_of(name, value, possible)

    def _list(self, name: str, values: list[Any], kind: Any, possible: Any, declared: Any) -> tuple[Any, ...]:
        if is_dataclass(kind):
            if not all(isinstance(one, dict) for one in values):
                raise self.wrong(f"{name} = {shown(str(values))}", f"write [[{name}]] over each")
            places = [self.inside(f"{name} {number}", one) for number, one in enumerate(values, 1)]
            return tuple(read(kind, place, declared) for place in places)  # type: ignore[arg-type]
        if kind in (str, int) and not all(type(one) is kind for one in values):
            wanted = "it must be a list of texts" if kind is str else f"give whole numbers, as {name} = [1, 2, 3]"
            raise self.wrong(f"{name} = {shown(str(values))}", wanted)
        return tuple(self.one_of(name, one, possible) for one in values)


def _plain(kind: Any) -> Any:
    """What TOML has for a type: a text, a number, a list or a table."""
    if get_origin(kind) in (Union, UnionType):
        return _plain(get_args(kind)[0])
    if kind in WHAT:
        return kind
    return list if get_origin(kind) is tuple else dict


def _holds_time(value: Any) -> bool:
    """Whether a date or a time stands somewhere in a value: TOML knows them, and no entry asks for one."""
    if isinstance(value, dict):
        return any(map(_holds_time, value.values()))
    return any(map(_holds_time, value)) if isinstance(value, list) else isinstance(value, date | time)
