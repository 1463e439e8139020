"""Reading the entries of a recipe file with checks: whatever is wrong is one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from headway.errors import FormatError, HeadwayError, known, shown

Kind = TypeVar("Kind")
NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
REQUIRED: Any = object()


class Entries:
    """A table of a recipe file; each entry is taken once, and `end` refuses those that nobody took."""

    def __init__(self, content: Mapping[str, Any], path: str, place: str = "") -> None:
        self._left = dict(content)
        self._seen: list[str] = []
        self.path, self.place = path, place

    def wrong(self, what: str, remedy: str) -> FormatError:
        """The error that says what is wrong here."""
        return FormatError(self.path, None, f"{self.place}: {what}" if self.place else what, remedy)

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

    def take(self, name: str, kind: type[Kind], default: Any = REQUIRED) -> Kind:
        """The entry of that name and kind."""
        self._seen.append(name)
        if name not in self._left:
            if default is REQUIRED:
                raise self.wrong(f"there is no {name}", f"add {name} = …, {NAMES[kind]}")
            missing: Kind = default
            return missing
        value = self._left.pop(name)
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

    def texts(self, name: str, default: Any = REQUIRED) -> Any:
        """A list of texts, as a tuple; None where that is the default."""
        found: list[Any] | None = self.take(name, list, default)
        if found is None:
            return None
        if not all(isinstance(one, str) for one in found):
            raise self.wrong(f"{name} = {shown(str(found))}", "it must be a list of texts")
        return tuple(found)

    def choice(self, name: str, possible: Any, default: Any = REQUIRED) -> Any:
        """A text that is one of those possible."""
        return self.one_of(name, self.take(name, str, default), possible)

    def choices(self, name: str, possible: Any, default: Any = REQUIRED) -> Any:
        """A list of texts, each of which is possible."""
        found = self.texts(name, default)
        for one in found or ():
            self.one_of(name, one, possible)
        return found

    def one_of(self, name: str, value: Any, possible: Any) -> Any:
        """The value, if it is possible; None always is."""
        if value is not None and value not in possible:
            raise self.wrong(f"unknown {name} {shown(str(value))}", known(possible))
        return value

    def table(self, name: str, default: Any = REQUIRED) -> Entries:
        """A table inside this one."""
        return Entries(self.take(name, dict, default), self.path, self._inside(name))

    def tables(self, name: str) -> list[Entries]:
        """A list of tables inside this one, as `[[name]]` writes them."""
        found = self.take(name, list, [])
        if not all(isinstance(one, dict) for one in found):
            raise self.wrong(f"{name} = {shown(str(found))}", f"write [[{name}]] over each")
        return [Entries(one, self.path, self._inside(f"{name} {number}")) for number, one in enumerate(found, 1)]

    def named(self, name: str) -> dict[str, Entries]:
        """Tables by names of their own, as `[name.own]` writes them."""
        found = self.take(name, dict, {})
        inside = Entries(found, self.path, self._inside(name))
        return {own: inside.table(own) for own in found}

    def _inside(self, name: str) -> str:
        return f"{self.place}, {name}" if self.place else name

    def end(self) -> None:
        """Refuse what nobody asked for."""
        for name in self._left:
            raise self.wrong(f"unknown entry {shown(name)}", known(set(self._seen)))
