"""Reading a table of a recipe file into the dataclass that describes it: a field is an entry, its type says how.

| type | in the file |
|---|---|
| `str`, `int`, `float`, `bool` | such a value |
| `tuple[str, ...]`, `tuple[int, ...]`, `tuple[Value, ...]` | a list |
| a dataclass | a table, `[name]` |
| `tuple[dataclass, ...]` | tables, `[[name]]` |
| `Mapping[str, …]` | a table of such values by names of its own |

A field without default has to be there. What is read is then asked for its `problems`, each a sentence in two parts,
what is wrong and what to do, and where in the table if not at its top.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from headway.lab.recipe_table import RecipeTable

Value = TypeVar("Value")
Names = Collection[str] | Callable[[Any], Collection[str]]
"""Names that a value may have: always the same, or found in what has been declared before."""
Problems = Iterator[tuple[str, ...]]
"""What is wrong, what to do, and the place inside the table."""
SCALARS = (str, int, float, bool)


def entry(
    default: Any = MISSING, *, name: str = "", among: Names | None = None, first: tuple[str, str] | None = None
) -> Any:
    """A field whose entry has another name, or whose text or texts are `among` known names.

    With `first`, the first of them is taken where nothing is said; the two texts are the sentence where there are none.
    """
    about = {"name": name, "among": among, "first": first}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=about)
    return field(default=default, metadata=about)


def derived(default: Any) -> Any:
    """A field that is in no file."""
    return field(default=default, metadata={"derived": True})


def read(kind: type[Value], table: RecipeTable, declared: Any = None, **given: Any) -> Value:
    """The dataclass in a table of a file, but for what is `given`; `declared` is what names are checked against."""
    values, types = dict(given), get_type_hints(kind)
    for one in fields(kind):  # type: ignore[arg-type]
        if one.name not in given and not one.metadata.get("derived"):
            values[one.name] = _entry(one, types[one.name], table, declared)
    found: Any = kind(**values)
    for problem in found.problems(declared) if hasattr(found, "problems") else ():
        raise table.wrong(*problem)
    table.end()
    return found  # type: ignore[no-any-return]


def _entry(one: Field[Any], kind: Any, table: RecipeTable, declared: Any) -> Any:
    name, among, first = (one.metadata.get(key) for key in ("name", "among", "first"))
    possible = among(declared) if callable(among) else among
    default = one.default_factory() if one.default_factory is not MISSING else one.default
    if first and not possible:
        raise table.wrong(*first)
    if first and possible:
        default = next(iter(possible))
    if not table.has(name or one.name) and default is not MISSING:
        return default
    return _value(kind, table, name or one.name, possible, declared)


def _value(kind: Any, table: RecipeTable, name: str, possible: Collection[str] | None, declared: Any) -> Any:
    inner = [one for one in get_args(kind) if one is not type(None)]
    if get_origin(kind) in (Union, UnionType):
        return table.take(name, object) if len(inner) > 1 else _value(inner[0], table, name, possible, declared)
    if is_dataclass(kind):
        return read(kind, table.table(name), declared)  # type: ignore[arg-type]
    if get_origin(kind) is tuple:
        return _list(inner[0], table, name, possible, declared)
    if kind in SCALARS:
        found = table.take(name, kind)
        return found if possible is None else table.one_of(name, found, possible)
    if inner[1] is Any:
        return table.take(name, dict)
    return _mapping(inner[1], table, name, possible, declared)


def _list(kind: Any, table: RecipeTable, name: str, possible: Collection[str] | None, declared: Any) -> Any:
    if is_dataclass(kind):
        return tuple(read(kind, one, declared) for one in table.tables(name))  # type: ignore[arg-type]
    if kind is str:
        texts = table.texts(name)
        return texts if possible is None else tuple(table.one_of(name, text, possible) for text in texts)
    return table.whole_numbers(name) if kind is int else tuple(table.take(name, list))


def _mapping(kind: Any, table: RecipeTable, name: str, possible: Collection[str] | None, declared: Any) -> Any:
    inside: Mapping[str, Any] = table.take(name, dict)
    for own in inside:
        table.one_of(name, own, inside if possible is None else possible)
    values = table.inside(name, inside)
    return {own: _value(kind, values, own, None, declared) for own in inside}
