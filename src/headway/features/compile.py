"""Features as the arrays that kernels walk through: addresses, slots, templates (`kernels/features/templates.pxd`).

Features that ask about one word and its neighbours in the sentence only make a group: whatever the parser has done,
they are the same whenever that word stands at that place. Kernels keep the scores of groups for each word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.features.encode import Encoded, KeyColumn, Keys, column_of, encode
from headway.features.language import Address, Feature, Term
from headway.features.vocabulary import ARC_ATTRIBUTES, ARC_PLACES, PAIR_PLACES, SEQUENCE_PLACES, STEPS
from headway.kernels.features import templates as kernel
from headway.kernels.features.templates import TemplateTable
from headway.kernels.text import encode as encoding
from headway.kernels.transition.setup import PLACES

FOREIGN = {
    "graph parsers": {*ARC_PLACES, *ARC_ATTRIBUTES},
    "pairs of words": PAIR_PLACES,
    "sequences": SEQUENCE_PLACES,
}
"""Whose the places and attributes are that a transition parser does not know."""
STEP_NUMBERS = {step: number for number, step in enumerate(STEPS)}
STILL = {"pw", "fw"}
"""Steps that do not depend on what the parser has done."""
CHANGING = {"DEP", "LEFT", "RIGHT", "DISTANCE"}
LEAST = 4
"""A group of fewer features is not worth a vector of scores for each word."""


@dataclass(frozen=True, eq=False)
class WordTemplates(PickledByFields):
    """A compiled feature model, and the columns of words that it looks at."""

    features: tuple[Feature, ...]
    columns: tuple[KeyColumn, ...]

    def encode(self, batch: Batch) -> Encoded:
        """The keys of a batch's words."""
        return encode(self.columns, self._each, batch)

    @cached_property
    def _each(self) -> bool:
        """Whether single morphological features are looked at."""
        return any(feature.has("FEAT") for feature in self.features)


@dataclass(frozen=True, eq=False)
class TransitionTemplates(WordTemplates):
    """A compiled feature model of a transition parser."""

    address: Ints
    slot: Ints
    start: Ints
    member: Ints
    seed: NDArray[np.uint64]
    part: Ints
    """Part p has the features part[p] : part[p + 1]; those of part 0 belong to no group."""
    base: Ints
    """The address that decides about a part, -1 for part 0."""

    @cached_property
    def kernel(self) -> TemplateTable:
        """The feature model for the kernels."""
        arrays = ("address", "slot", "start", "member", "seed", "part", "base")
        return TemplateTable(**{name: getattr(self, name) for name in arrays})


def compile_features(features: Sequence[Feature]) -> TransitionTemplates:
    """The arrays of a feature model."""
    if not features:
        raise HeadwayError("the feature model has no features; name at least one, such as POS(STACK0)")
    for feature in features:
        for term in feature.terms:
            for name in (term.attribute, *(address.place for address in term.addresses)):
                if owner := next((owner for owner, names in FOREIGN.items() if name in names), None):
                    raise HeadwayError(
                        f"{feature}: {name} belongs to {owner}; a transition parser looks at STACK0, QUEUE0"
                    )
    features, groups = grouped(features)
    compiler = Compiler(PLACES, {})
    base = np.array([-1, *(compiler.address(place) for place, _ in groups)], np.int32)
    arrays, counts = compiler.arrays(features), [count for _, count in groups]
    part = np.cumsum([0, len(features) - sum(counts), *counts], dtype=np.int32)
    return TransitionTemplates(tuple(features), tuple(compiler.columns), *arrays, part, base)


def grouped(features: Sequence[Feature]) -> tuple[list[Feature], list[tuple[Address, int]]]:
    r"""The features of no group, then those of each group; and the groups: a place and how many features.

    >>> from headway.features.language import parse
    >>> text = "POS(STACK0)\nPOS(QUEUE0) & DEP(STACK0)\nLEX(STACK0)\nLEMMA(STACK0)\nLEX(STACK0 fw)"
    >>> ordered, groups = grouped(parse(text))
    >>> str(ordered[0]), [(str(place), count) for place, count in groups]
    ('XPOS(QUEUE0) & DEP(STACK0)', [('STACK0', 4)])
    """
    by_place: dict[Address | None, list[Feature]] = {}
    for feature in features:
        places = {_place(term) for term in feature.terms}
        by_place.setdefault(places.pop() if len(places) == 1 else None, []).append(feature)
    groups = {place: found for place, found in by_place.items() if place is not None and len(found) >= LEAST}
    others = [feature for place, found in by_place.items() if place not in groups for feature in found]
    order = sorted(groups, key=str)
    ordered = others + [feature for place in order for feature in groups[place]]
    return ordered, [(place, len(groups[place])) for place in order]


def _place(term: Term) -> Address | None:
    """The place that alone decides about a term. The queue moves as one, so that QUEUE0 stands for all of it."""
    first, *others = term.addresses
    is_still = term.attribute not in CHANGING and STILL.issuperset(first.path) and not others
    if not is_still or first.place not in ("STACK", "QUEUE"):
        return None
    return Address(first.place, first.index if first.place == "STACK" else 0)


class TemplateArrays(NamedTuple):
    """Features as `kernels/features/templates.pxd` describes them."""

    address: Ints
    slot: Ints
    start: Ints
    member: Ints
    seed: NDArray[np.uint64]

    @property
    def kernel(self) -> TemplateTable:
        """The features for the kernels."""
        return TemplateTable(**self._asdict())


def member_arrays(features: Sequence[Feature], members: Sequence[Sequence[int]]) -> dict[str, NDArray[Any]]:
    """The slots of feature f as member[start[f] : start[f + 1]], and the seed of its keys."""
    return {
        "start": np.cumsum([0, *map(len, members)], dtype=np.int32),
        "member": np.array([slot for slots in members for slot in slots], np.int32),
        "seed": seeds_of(features),
    }


def seeds_of(names: Sequence[object]) -> Keys:
    """The keys of features' names, from which the keys of their values are made."""
    return np.array([encoding.key_of(str(name).encode()) for name in names], np.uint64)


Entry = tuple[int, int, int]


class Compiler:
    """Numbers nodes, values and columns in the order in which they are met; `places` are those of the kernel."""

    def __init__(self, places: Mapping[str, int], columns: dict[KeyColumn, int]) -> None:
        self.places, self.columns = places, columns
        self.addresses: dict[Entry, int] = {}
        self.slots: dict[Entry, int] = {}

    def arrays(self, features: Sequence[Feature]) -> TemplateArrays:
        """The arrays of these features; what needs more than the kernels have room for is refused."""
        members = [self.members(feature) for feature in features]
        if len(self.addresses) > kernel.MOST["addresses"] or len(self.slots) > kernel.MOST["slots"]:
            raise HeadwayError(
                f"the features have {len(self.addresses)} nodes and {len(self.slots)} values; "
                f"at most {kernel.MOST['addresses']} and {kernel.MOST['slots']} are possible"
            )
        return TemplateArrays(
            address=np.array([*self.addresses], np.int32).reshape(-1, 3),
            slot=np.array([*self.slots], np.int32).reshape(-1, 3),
            **member_arrays(features, members),
        )

    def members(self, feature: Feature) -> list[int]:
        """The slots of a feature. The label that an arc may get is none: each has weights of its own."""
        if sum(term.attribute == "FEAT" for term in feature.terms) > 1:
            raise HeadwayError(f"{feature}: FEAT stands twice in a feature; join it with FEATS or FEATS:Name instead")
        return [self.slot(term) for term in feature.terms if term.attribute != "LABEL"]

    def address(self, address: Address) -> int:
        """The number of a node."""
        entry = (self.places[address.place], address.index, 0)
        number = self.addresses.setdefault(entry, len(self.addresses))
        for step in address.path:
            entry = (kernel.TAKE_STEP, STEP_NUMBERS[step], number)
            number = self.addresses.setdefault(entry, len(self.addresses))
        return number

    def slot(self, term: Term) -> int:
        """The number of a value."""
        first, second = (*map(self.address, term.addresses), 0)[:2]
        kind = term.attribute
        if column := column_of(term.attribute):
            kind, second = "column", self.columns.setdefault(column, len(self.columns))
        return self.slots.setdefault((kernel.SLOTS[kind], first, second), len(self.slots))
