"""What is in a model file, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from headway.families import FAMILIES
from headway.options import kinds
from headway.stage import Packed


def facts(packed: Packed) -> Iterator[tuple[str, str]]:
    """The header of a stage as lines of a table: what, and its value."""
    header = packed.header
    yield "kind", str(header["kind"])
    for part in ("system", "shape", "form"):
        yield from ((f"{part}: {_words(name)}", _shown(value)) for name, value in header.get(part, {}).items())
    for name in ("encoding", "two_step"):
        if name in header:
            yield _words(name), _shown(header[name])
    for name in ("labels", "transitions", "features"):
        if name in header:
            yield name, f"{len(header[name]):,}"
    for name, array in packed.arrays.items():
        yield f"array {name}", f"{array.nbytes / 2**20:.1f} MiB"
    about = dict(header.get("about", {}))
    yield from _options(about.pop("family", None), about.pop("options", {}))
    for name, value in about.items():
        if isinstance(value, dict):
            yield from ((f"{_words(name)}: {_words(key)}", _shown(one)) for key, one in value.items())
        else:
            yield _words(name), _shown(value)


def _options(family: str | None, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The options of a training in the order in which its family declares them, and what was left open."""
    if family not in FAMILIES:
        yield from ((f"option: {_words(name)}", _shown(value)) for name, value in given.items())
        return
    yield "family", str(family)
    for name, kind in kinds(FAMILIES[str(family)]).items():
        if name in given and given[name] != {}:
            open_ = given[name] is None and kind.unsaid
            yield f"option: {_words(name)}", str(open_ or _shown(given[name]))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if isinstance(value, float) else "–" if value is None else str(value)
