"""What the stages of all parsers have in common: a batch in, its trees as a layer out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.base.schema import CELL, TEXT, Arrays, Each, Header, Kind, Numbers, Optional, Record, one_of, whole
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch, Ints
from headway.data.encodings import ENCODINGS
from headway.data.layers import Codes, Names, named
from headway.data.pseudoprojective import DOWN, UP, deprojectivize
from headway.features.encode import KeyColumn
from headway.features.language import Feature
from headway.features.own_columns import taken_from
from headway.kernels.text.encode import key_of
from headway.stages.calibration.confidences import CALIBRATOR, Calibrator
from headway.stages.calibration.evidence import Evidence, tree_evidence
from headway.stages.contract import PREDICTED, Packed

Parser = TypeVar("Parser", bound="TreeStage")
Confident = TypeVar("Confident", bound="ConfidentTreeStage")
HEADER: dict[str, Kind] = {
    "features": Each(TEXT, fewest=1),
    "labels": Each(CELL, fewest=1),
    "encoding": Optional(one_of(*ENCODINGS)),
}
"""What the header of every parser holds."""
LATER: dict[str, Kind] = {"calibrator": CALIBRATOR, "single_labels": Each(CELL)}
"""What it may hold, too."""
PREFIX = "state_"
"""Of the names of a state's arrays in a model file."""
TOO_LONG = "cut it into several, or parse long sentences in windows with --longest 1000"


class Parsed(NamedTuple):
    """Trees for the words of a batch; labels are indices of names."""

    heads: Ints
    labels: Ints
    names: tuple[str, ...]


class TreeStage(ShortRepr, ABC):
    """A stage that finds the trees of a whole batch at once; a frozen dataclass with a field `about`."""

    kind: ClassVar[str]
    gives: ClassVar[frozenset[str]] = frozenset(("HEAD", "DEPREL"))
    about: dict[str, Any]
    encoding: str | None
    """How labels record arcs that were lifted; None where none were."""

    @property
    @abstractmethod
    def needs(self) -> frozenset[str]:
        """The columns that its features look at."""

    @abstractmethod
    def trees(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch."""

    def annotate(self, batch: Batch) -> Batch:
        """The batch with a layer of trees."""
        with memory_for([batch], TOO_LONG):
            parsed = self.trees(batch)
        return self._layered(batch, parsed)

    def with_about(self: Parser, **facts: Any) -> Parser:
        """The same parser with more said about it."""
        return replace(self, about={**self.about, **facts})  # type: ignore[type-var]

    def with_trees(self, batch: Batch, found: Parsed) -> Batch:
        """The batch with trees that were found for it, in which lifted arcs are put back."""
        return self._layered(batch, restored(found, batch.sentence_word, self.encoding))

    def _layered(self, batch: Batch, parsed: Parsed) -> Batch:
        columns = {"DEPREL": Codes(parsed.labels, named(parsed.names))}
        return batch.with_layer(PREDICTED, heads=parsed.heads, columns=columns)


class ConfidentTreeStage(TreeStage):
    """One that can say how sure it is; a frozen dataclass with fields `calibrator` and `single_labels`."""

    calibrator: Calibrator | None
    single_labels: tuple[str, ...]
    """Those that stand at most once under a head."""

    def packed_header(self, features: Sequence[Feature], labels: Sequence[str], **own: Any) -> dict[str, Any]:
        """The header of a model file: what all parsers have, and the parser's own."""
        common = {
            "features": list(map(str, features)),
            "labels": labels,
            "encoding": self.encoding,
            "about": self.about,
        }
        later: dict[str, Any] = {} if self.calibrator is None else {"calibrator": self.calibrator.pack()}
        if self.single_labels:
            later["single_labels"] = self.single_labels
        return {"kind": self.kind, **common, **later, **own}

    @staticmethod
    def unpacked(header: Header) -> dict[str, Any]:
        """The fields that all parsers have, of the header of a model file."""
        return {
            "encoding": header["encoding"],
            "about": header["about"],
            "calibrator": Calibrator.unpack(header.get("calibrator")),
            "single_labels": tuple(header.get("single_labels", ())),
        }

    @abstractmethod
    def trees_with_evidence(self, batch: Batch) -> tuple[Parsed, Evidence]:
        """The same trees, and what speaks for the arc of each word."""

    def annotate_with_evidence(self, batch: Batch) -> tuple[Batch, Evidence]:
        """The batch with a layer of trees, and what speaks for each word of them."""
        with memory_for([batch], TOO_LONG):
            parsed, own = self.trees_with_evidence(batch)
        annotated = self._layered(batch, parsed)
        return annotated, tree_evidence(annotated, own)

    def with_calibrator(self: Confident, calibrator: Calibrator | None) -> Confident:
        """The same parser with another calibrator."""
        return replace(self, calibrator=calibrator)  # type: ignore[type-var]


@contextmanager
def memory_for(batches: Sequence[Batch], remedy: str) -> Iterator[None]:
    """Where memory does not suffice for some batches, say which sentence is the longest: it asks for most."""
    try:
        yield
    except MemoryError:
        words, batch, at = max(
            ((int(length), batch, at) for batch in batches for at, length in enumerate(np.diff(batch.sentence_word))),
            key=lambda found: found[0],
        )
        place = f"{batch.source}:{batch.numbers[at]}"
        raise HeadwayError(f"{place}: memory does not suffice for a sentence of {words:,} words; {remedy}") from None


def label_keys(labels: Iterable[str]) -> NDArray[np.uint64]:
    """The keys of labels as values of features."""
    return np.array([key_of(label.encode()) for label in labels], np.uint64)


def fields_of(columns: Iterable[KeyColumn]) -> frozenset[str]:
    """The fields of a sentence that these columns of features are taken from."""
    return frozenset(chain.from_iterable(taken_from(column.field) for column in columns))


def restored(parsed: Parsed, offsets: Ints, encoding: str | None) -> Parsed:
    """Trees with lifted arcs put back where marks on labels ask for it; without an encoding there are none."""
    marked = named(parsed.names).once("marked", _marked)
    if encoding is None or marked is None or not marked[parsed.labels].any():
        return parsed
    heads, labels, names = parsed.heads.copy(), parsed.labels.copy(), list(parsed.names)
    number = {name: index for index, name in enumerate(names)}
    for s in np.flatnonzero(np.add.reduceat(marked[labels], offsets[:-1])):
        span = slice(offsets[s], offsets[s + 1])
        heads[span], clean = deprojectivize(heads[span], [names[label] for label in labels[span]], encoding)
        for name in clean:
            if name not in number:
                number[name] = len(names)
                names.append(name)
        labels[span] = [number[name] for name in clean]
    return Parsed(heads, labels, tuple(names))


def _marked(names: Names) -> NDArray[np.bool_] | None:
    """Which labels have marks; None where none has."""
    marked = np.array([UP in name or DOWN in name or "\\" in name for name in names])
    return marked if marked.any() else None


class StateLayout:
    """What the states of a family look like in a model file; further training checks how their arrays go together."""

    def __init__(self, options: Mapping[str, Kind], arrays: Mapping[str, Numbers]) -> None:
        """`options` are those of learning that the parser itself does not tell."""
        self.header: Kind = Record({"steps": whole(0), "passes": whole(0), **options}, complete=True)
        self.options, self.arrays = tuple(options), arrays

    def in_file(self, header: Header) -> dict[str, Numbers]:
        """The arrays as a model file names them, where it has a state."""
        return {} if header.get("state") is None else {f"{PREFIX}{name}": kind for name, kind in self.arrays.items()}

    def unpack(self, header: Header, arrays: Arrays) -> Packed | None:
        """The state in a model file, examples seen, passes done and weights; None where there is none."""
        if header.get("state") is None:
            return None
        return Packed(dict(header["state"]), {name: arrays[f"{PREFIX}{name}"] for name in self.arrays})


def with_state(packed: Packed, state: Packed | None) -> Packed:
    """A packed parser with its state, where it has one."""
    if state is None:
        return packed
    arrays = {f"{PREFIX}{name}": array for name, array in state.arrays.items()}
    return Packed({**packed.header, "state": state.header}, {**packed.arrays, **arrays})
