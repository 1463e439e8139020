"""Reading the entries of a recipe file with checks: whatever is wrong is one sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, time
from typing import Any, TypeVar

from headway.base.errors import FormatError, HeadwayError, known, shown

Value = TypeVar("Value")
NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
REQUIRED: Any = object()


def _holds_time(value: Any) -> bool:
    """Whether a date or a time stands somewhere in a value: TOML knows them, and no entry asks for one."""
    if isinstance(value, dict):
        return any(map(_holds_time, value.values()))
    return any(map(_holds_time, value)) if isinstance(value, list) else isinstance(value, date | time)


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
        """Say of what is refused inside in which file it is, and where."""
        try:
            yield
        except FormatError:
            raise
        except HeadwayError as error:
            what, _, remedy = str(error).partition("; ")
            raise FormatError(self.path, None, f"{place}: {what}", remedy) from None

    def take(self, name: str, kind: type[Value], default: Any = REQUIRED) -> Value:
        """The entry of that name and kind."""
        self._seen.append(name)
        if name not in self._left:
            if default is REQUIRED:
                raise self.wrong(f"there is no {name}", f"add {name} = …, {NAMES[kind]}")
            missing: Value = default
            return missing
        value = self._left.pop(name)
        if _holds_time(value):
            raise self.wrong(f"{name} holds a date or a time", 'write it as a text, as in "2026-05-01"')
        if kind is float and type(value) is int:
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.wrong(f"{name} = {shown(str(value))}", f"it must be {NAMES[kind]}")
        return value

    def has(self, name: str) -> bool:
        """Whether there is such an entry."""
        self._seen.append(name)
        return name in self._left

    def several(self, name: str) -> bool:
        """Whether an entry is a list, as `[[name]]` writes it."""
        return isinstance(self._left.get(name), list)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.take(name, list)
        if not all(isinstance(one, str) for one in found):
            raise self.wrong(f"{name} = {shown(str(found))}", "it must be a list of texts")
        return tuple(found)

    def whole_numbers(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers; none where it is missing."""
        found = self.take(name, list, [])
        if not all(type(number) is int for number in found):
            raise self.wrong(f"{name} = {shown(str(found))}", f"give whole numbers, as {name} = [1, 2, 3]")
        return tuple(found)

    def one_of(self, name: str, value: str, possible: Collection[str]) -> str:
        """The value, if it is possible."""
        if value not in possible:
            raise self.wrong(f"unknown {name} {shown(value)}", known(possible))
        return value

    def table(self, name: str, default: Any = REQUIRED) -> RecipeTable:
        """A table inside this one."""
        return self.inside(name, self.take(name, dict, default))

    def tables(self, name: str) -> list[RecipeTable]:
        """A list of tables inside this one, as `[[name]]` writes them."""
        found = self.take(name, list, [])
        if not all(isinstance(one, dict) for one in found):
            raise self.wrong(f"{name} = {shown(str(found))}", f"write [[{name}]] over each")
        return [self.inside(f"{name} {number}", one) for number, one in enumerate(found, 1)]

    def named(self, name: str) -> dict[str, RecipeTable]:
        """Tables by names of their own, as `[name.own]` writes them."""
        found = self.take(name, dict, {})
        inside = self.inside(name, found)
        return {own: inside.table(own) for own in found}

    def inside(self, place: str, content: Mapping[str, Any]) -> RecipeTable:
        """A table at a place inside this one."""
        return RecipeTable(content, self.path, f"{self.place}, {place}" if self.place else place)

    def end(self) -> None:
        """Refuse what nobody asked for."""
        for name in self._left:
            raise self.wrong(f"unknown entry {shown(name)}", known(set(self._seen)))
