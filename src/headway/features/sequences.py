"""Features along a sequence as the arrays that kernels walk through (`kernels/sequence/templates.pxd`).

A term looks at a column of a position, such as the form of the next word, or at what was decided at an earlier one:
`UPOS(WORD-1)` for a stage that decides about UPOS.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError, known
from headway.data.batch import Ints
from headway.features.language import Feature, Term
from headway.kernels.sequence import templates as kernel
from headway.kernels.text.encode import key_of


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
    slots: dict[tuple[int, int, int], int] = {}
    compiled: list[tuple[bool, Feature, list[int]]] = []
    for feature in features:
        members, looks_back = [], False
        for term in feature.terms:
            offset = _checked(feature, term, place, attributes, gives)
            if _base(term.attribute) in gives and offset < 0:
                looks_back = True
                entry = (kernel.KINDS["decision"], offset, decided.setdefault(term.attribute, len(decided)))
            else:
                entry = (kernel.KINDS["column"], offset, columns.setdefault(term.attribute, len(columns)))
            members.append(slots.setdefault(entry, len(slots)))
        compiled.append((looks_back, feature, members))
    compiled.sort(key=lambda entry: entry[0])
    return SequenceTemplates(
        features=tuple(feature for _, feature, _ in compiled),
        columns=tuple(columns),
        decided=tuple(decided),
        slot=np.array([*slots], np.int32).reshape(-1, 3),
        start=np.cumsum([0, *(len(members) for _, _, members in compiled)], dtype=np.int32),
        member=np.array([slot for _, _, members in compiled for slot in members], np.int32),
        seed=np.array([key_of(str(feature).encode()) for _, feature, _ in compiled], np.uint64),
        fixed=sum(not looks_back for looks_back, _, _ in compiled),
    )


def _base(attribute: str) -> str:
    """The column that an attribute belongs to."""
    return attribute.partition(":")[0]


def _checked(feature: Feature, term: Term, place: str, attributes: Collection[str], gives: Collection[str]) -> int:
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
