"""Features along a sequence as the arrays that kernels walk through (`kernels/sequence/model.pxd`).

A term looks at a column of a position, such as the form of the next word, or at what was decided at an earlier one:
`UPOS(WORD-1)` for a stage that decides about UPOS.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError, known
from headway.data.batch import Ints
from headway.features.compile import member_arrays
from headway.features.language import Feature, Term
from headway.kernels.sequence import model as kernel

Slot = tuple[int, int, int]
DECISION = kernel.KINDS["decision"]


@dataclass(frozen=True, eq=False)
class SequenceTemplates(PickledByFields):
    """A compiled feature model over sequences."""

    features: tuple[Feature, ...]
    columns: tuple[str, ...]
    """The attributes of positions that the features look at."""
    decided: tuple[str, ...]
    """The attributes of earlier decisions that they look at."""
    slot: Ints
    start: Ints
    member: Ints
    seed: NDArray[np.uint64]
    fixed: int
    """So many features, the first ones, look at no decision."""

    @cached_property
    def kernel(self) -> kernel.SequenceTable:
        """The feature model for the kernels."""
        return kernel.SequenceTable(
            slot=self.slot,
            start=self.start,
            member=self.member,
            seed=self.seed,
            fixed=self.fixed,
            columns=len(self.columns),
            attributes=len(self.decided),
        )


def compile_sequence(
    features: Sequence[Feature], place: str, attributes: Collection[str], gives: Collection[str] = ()
) -> SequenceTemplates:
    """The arrays of a feature model over sequences of `place`: WORD or CHAR.

    `attributes` are known of every position, those that `gives` names of earlier ones, because they are decided there.
    An attribute may be both: `UPOS(WORD-1)` is then what was decided, `UPOS(WORD+1)` what a stage before has said.
    `FEATS:Name` is known where FEATS is.
    """
    if not features:
        raise HeadwayError(f"the feature model has no features; name at least one, such as FORM({place})")
    columns: dict[str, int] = {}
    decided: dict[str, int] = {}

    def slot_of(feature: Feature, term: Term) -> Slot:
        offset = _offset(feature, term, place, attributes, gives)
        if _base(term.attribute) in gives and offset < 0:
            return DECISION, offset, decided.setdefault(term.attribute, len(decided))
        return kernel.KINDS["column"], offset, columns.setdefault(term.attribute, len(columns))

    arrays = templates_with(features, slot_of)
    return SequenceTemplates(columns=tuple(columns), decided=tuple(decided), **arrays)


def templates_with(features: Sequence[Feature], slot_of: Callable[[Feature, Term], Slot]) -> dict[str, Any]:
    """The fields of `SequenceTemplates` but the names: features, those that look at a decision last, and arrays.

    `slot_of` gives the kind of a term, how far it looks, and the number of what it looks at; or it refuses the term.
    """
    found = [(feature, [slot_of(feature, term) for term in feature.terms]) for feature in features]
    slots = list(dict.fromkeys(slot for _, own in found for slot in own))
    number = {slot: at for at, slot in enumerate(slots)}
    found.sort(key=lambda entry: _looks_back(entry[1]))
    ordered = [feature for feature, _ in found]
    return {
        "features": tuple(ordered),
        "slot": np.array(slots, np.int32).reshape(-1, 3),
        **member_arrays(ordered, [[number[slot] for slot in own] for _, own in found]),
        "fixed": sum(not _looks_back(own) for _, own in found),
    }


def _looks_back(slots: Sequence[Slot]) -> bool:
    return any(kind == DECISION for kind, _, _ in slots)


def _base(attribute: str) -> str:
    """The column that an attribute belongs to."""
    return attribute.partition(":")[0]


def _offset(feature: Feature, term: Term, place: str, attributes: Collection[str], gives: Collection[str]) -> int:
    """How far away the term looks; what a sequence of this kind does not have is refused."""
    address = term.addresses[0]
    if len(term.addresses) > 1 or address.place != place or address.path:
        raise HeadwayError(f"{feature}: {term} does not look along a sequence; write it as in FORM({place}-1)")
    if term.attribute in attributes or _base(term.attribute) in attributes:
        return address.index
    if _base(term.attribute) in gives:
        if address.index >= 0:
            raise HeadwayError(
                f"{feature}: {term} is not decided yet; look at an earlier place, as in {term.attribute}({place}-1)"
            )
        return address.index
    raise HeadwayError(f"{feature}: {term.attribute} is not known here; {known({*attributes, *gives})}")
