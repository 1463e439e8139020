"""Things by their names: learners, decoders and whatever else can be chosen, ours and other people's."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from headway.base.errors import HeadwayError, known

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

logger = logging.getLogger("headway")
Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Named things of one kind: ours by `module:name`, others' by entry points of a group.

    A thing is imported when it is first asked for. Entry points are looked up once, when the first name is asked for.
    """

    def __init__(self, kind: str, group: str, own: Mapping[str, str], *, needs: Sequence[str] = ()) -> None:
        """`own` says where ours are, as `module` or `module:attribute`; all things have the attributes `needs`."""
        self.kind, self.group, self.own, self.needs = kind, group, dict(own), needs
        self._imported: dict[str, Thing] = {}
        self._registered: dict[str, Thing] = {}

    @cached_property
    def _others(self) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for entry in _entry_points(tuple(sys.path)).select(group=self.group):
            if entry.name in self.own or entry.name in found:
                first = _distribution(found[entry.name]) if entry.name in found else "headway"
                logger.warning(
                    "%s %r of %s is left out, since %s has one of that name",
                    *(self.kind, entry.name, _distribution(entry), first),
                )
            else:
                found[entry.name] = entry
        return found

    def names(self) -> list[str]:
        """Ours in their order, then the others sorted; none of them is imported."""
        return [*self.own, *sorted({*self._others, *self._registered})]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        """Whether something has this name."""
        return isinstance(name, str) and (name in self.own or name in self._registered or name in self._others)

    def __getitem__(self, name: str) -> Thing:
        """The thing of that name."""
        if name not in self:
            raise HeadwayError(f"unknown {self.kind} {name!r}; {known(self)}")
        if name in self._registered:
            return self._registered[name]
        if name not in self._imported:
            self._imported[name] = self._ours(name) if name in self.own else self._loaded(self._others[name])
        return self._imported[name]

    def name_of(self, thing: Thing) -> str:
        """The name under which exactly this object is known."""
        for name in self:
            if self._present(name) is thing:
                return name
        raise HeadwayError(f"{thing!r} is no {self.kind} with a name; register it first")

    def register(self, name: str, thing: Thing) -> None:
        """Give something a name for as long as the program runs."""
        if name in self:
            raise HeadwayError(f"there is a {self.kind} {name!r} already; take another name")
        self._check(name, thing, ", which is to be registered,")
        self._registered[name] = thing

    def unregister(self, name: str) -> None:
        """Take a name back that was given by `register`."""
        if name not in self._registered:
            raise HeadwayError(f"no {self.kind} {name!r} was registered; {known(self._registered)}")
        del self._registered[name]

    def _loaded(self, entry: EntryPoint) -> Thing:
        """What an entry point stands for."""
        try:
            thing: Thing = entry.load()
        except Exception as error:
            raise HeadwayError(
                f"{self.kind} {entry.name!r} of {_distribution(entry)} cannot be imported"
                f" ({type(error).__name__}: {error}); repair that distribution or remove it"
            ) from error
        self._check(entry.name, thing, f" of {_distribution(entry)}")
        return thing

    def _check(self, name: str, thing: Thing, whose: str) -> None:
        """Refuse what lacks something."""
        for attribute in self.needs:
            if not hasattr(thing, attribute):
                raise HeadwayError(f"{self.kind} {name!r}{whose} has no attribute {attribute!r}; give it one")

    def _present(self, name: str) -> object:
        """The thing of that name; None where nobody has imported it yet."""
        if name in self._registered or name in self._imported:
            return self[name]
        place = self.own[name] if name in self.own else self._others[name].value
        module, _, attribute = place.partition(":")
        found: object = sys.modules.get(module.strip())
        for part in filter(None, attribute.strip().split(".")):
            found = getattr(found, part, None)
        return found

    def _ours(self, name: str) -> Any:
        return _imported(self.own[name])


def method(place: str) -> Callable[..., Any]:
    """A method that few need: a function `module:name`, which is imported when it is first called."""

    def call(*given: Any, **named: Any) -> Any:
        return _imported(place)(*given, **named)

    return call


def _imported(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)


@cache
def _entry_points(path: tuple[str, ...]) -> Any:
    """What all distributions on a path bring: looked up once, not once for each registry."""
    # A third of the time that it takes to open a model; parsing with parts of ours never asks.
    from importlib.metadata import entry_points

    return entry_points()


def _distribution(entry: EntryPoint) -> str:
    """Who brings an entry point."""
    return entry.dist.name if entry.dist is not None else entry.value
