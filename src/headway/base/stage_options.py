"""Options of a stage, which begin its training; their values as JSON has them, and as words NAME=VALUE."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from headway.base.errors import HeadwayError
from headway.base.options import Options, kinds

if TYPE_CHECKING:
    from headway.data.batch import Batch
    from headway.training.contract import Training

Staged = TypeVar("Staged", bound="StageOptions")


@dataclass(frozen=True, kw_only=True)
class StageOptions(Options):
    """Options of a stage: data, no trainer. `begin` starts a training with them."""

    family: ClassVar[str]
    """The name that users choose it by."""
    title: ClassVar[str]
    """What messages call it, as in "a graph parser"."""
    example: ClassVar[str] = ""
    """For help: a command that trains one."""
    cost: ClassVar[float] = 4.0
    """About how long its training takes beside that of other stages, for the time that is left."""

    def identity(self) -> dict[str, Any]:
        """All that the result depends on, as JSON has it."""
        return {name: plain(getattr(self, name)) for name, kind in kinds(type(self)).items() if kind.decides}

    def ready(self) -> None:
        """Refuse what cannot be told from the options alone, before a treebank is read."""

    def begin(self, data: Sequence[Batch]) -> Training:
        """A training on these batches that is ready for its first step."""
        raise NotImplementedError

    def lack(self, data: Sequence[Batch]) -> str | None:
        """What a treebank lacks to learn this stage of a pipeline from, in words; None where it has enough."""
        return None

    def with_dev(self: Staged) -> Staged:
        """The same options where a development treebank decides what they leave open, such as when to stop."""
        return self


def pairs_from(words: Mapping[str, Any] | Iterable[str]) -> dict[str, Any]:
    """Options by name, from a mapping or from words like `phi=0.5` and `average=no`."""
    if isinstance(words, Mapping):
        for name in words:
            if not isinstance(name, str):
                raise HeadwayError(f"options = {words!r}: {name!r} is not the name of an option; write {{'phi': 0.5}}")
        return dict(words)
    if not isinstance(words, Iterable):
        raise HeadwayError(f"options = {words!r} is not a mapping of options; write {{'phi': 0.5}}")
    found = {}
    for word in [words] if isinstance(words, str) else words:
        name, equals, value = str(word).partition("=")
        if not equals:
            raise HeadwayError(f"{word!r} is not an option; write NAME=VALUE, as in phi=0.5")
        found[name] = value_from(value)
    return found


def value_from(word: str) -> Any:
    """The value that a word stands for: a number, yes, no, None, or the text that it is."""
    try:
        return ast.literal_eval({"yes": "True", "no": "False"}.get(word, word))
    except (SyntaxError, ValueError):
        return word


def plain(value: Any) -> Any:
    """A value as JSON has it: things by their options, features by their text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        named = {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.init}
        return {"name": type(value).__name__, **named} if isinstance(value, Options) else str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [plain(one) for one in value]
    if hasattr(value, "get_params"):
        return {"name": type(value).__name__, **{name: repr(one) for name, one in value.get_params().items()}}
    return repr(value)
