"""What the stages of all parsers have in common: a batch in, its trees as a layer out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from headway.batch import Batch, Codes, Ints
from headway.features.compile import KeyColumn
from headway.pseudoprojective import DOWN, UP, deprojectivize
from headway.stage import PREDICTED

Parser = TypeVar("Parser", bound="TreeStage")


class Parsed(NamedTuple):
    """Trees for the words of a batch; labels are indices of names."""

    heads: Ints
    labels: Ints
    names: list[str]


class TreeStage(ABC):
    """A stage that finds the trees of a whole batch at once; a frozen dataclass with a field `about`."""

    gives: ClassVar[frozenset[str]] = frozenset(("HEAD", "DEPREL"))
    about: dict[str, Any]

    @property
    @abstractmethod
    def needs(self) -> frozenset[str]:
        """The columns that its features look at."""

    @abstractmethod
    def trees(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch."""

    def annotate(self, batch: Batch) -> Batch:
        """The batch with a layer of trees."""
        heads, labels, names = self.trees(batch)
        return batch.with_layer(PREDICTED, heads=heads, columns={"DEPREL": Codes(labels, tuple(names))})

    def with_about(self: Parser, **facts: Any) -> Parser:
        """The same parser with more said about it."""
        return replace(self, about={**self.about, **facts})  # type: ignore[type-var]


def fields_of(columns: Iterable[KeyColumn]) -> frozenset[str]:
    """The fields of a sentence that these columns of features are taken from."""
    return frozenset(column.field for column in columns)


def restored(parsed: Parsed, offsets: Ints, encoding: str) -> Parsed:
    """Trees with lifted arcs put back where marks on labels ask for it."""
    heads, labels, names = parsed.heads, parsed.labels, list(parsed.names)
    marked = np.array([UP in name or DOWN in name or "\\" in name for name in names])
    if not marked.any() or not len(heads):
        return parsed
    number = {name: index for index, name in enumerate(names)}
    for s in np.flatnonzero(np.add.reduceat(marked[labels], offsets[:-1])):
        span = slice(offsets[s], offsets[s + 1])
        tree, clean = deprojectivize(heads[span], [names[label] for label in labels[span]], encoding)
        heads[span] = tree
        for name in clean:
            if name not in number:
                number[name] = len(names)
                names.append(name)
        labels[span] = [number[name] for name in clean]
    return Parsed(heads, labels, names)
