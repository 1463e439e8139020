"""Features along a sequence as the arrays that kernels walk through (`kernels/sequence/model.pxd`).

A term looks at a column of a position, such as the form of the next word, or at what was decided at an earlier one:
`UPOS(WORD-1)` for a stage that decides about UPOS. Positions are words, or the places where text may be cut. What a
term says of a character or a chunk so far away is a column of its own (`kernels/text/characters.pyx`), so that only
decisions are looked for at other places.
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
from headway.features.own_columns import MY, taken_from
from headway.kernels.sequence import model as kernel
from headway.kernels.text.characters import ATTRIBUTE_KINDS

Slot = tuple[int, int, int]
DECISION, COLUMN = kernel.KINDS["decision"], kernel.KINDS["column"]
CUT, CHAR, WORD = "CUT", "CHAR", "WORD"


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
        arrays = {name: getattr(self, name) for name in ("slot", "start", "member", "seed", "fixed")}
        return kernel.SequenceTable(**arrays, columns=len(self.columns), attributes=len(self.decided))


@dataclass(frozen=True, eq=False)
class CharacterTemplates(PickledByFields):
    """A compiled feature model over places, and the columns that it looks at."""

    sequence: SequenceTemplates
    terms: tuple[tuple[str, str, int], ...]
    """For each column an attribute, a place and how far from it."""

    @cached_property
    def columns(self) -> Ints:
        """For each column its kind and how far away it looks, as the kernels know them."""
        return np.array([(ATTRIBUTE_KINDS[name, place], offset) for name, place, offset in self.terms], np.int32)


def compile_sequence(
    features: Sequence[Feature], attributes: Collection[str], gives: Collection[str] = ()
) -> SequenceTemplates:
    """The arrays of a feature model over words.

    `attributes` are known of every position, those that `gives` names of earlier ones, because they are decided there.
    An attribute may be both: `UPOS(WORD-1)` is then what was decided, `UPOS(WORD+1)` what a stage before has said.
    `FEATS:Name` is known where FEATS is.
    """
    columns: dict[str, int] = {}
    decided: dict[str, int] = {}

    def slot_of(feature: Feature, term: Term) -> Slot:
        address, base = term.addresses[0], term.attribute.partition(":")[0]
        if len(term.addresses) > 1 or address.place != WORD or address.path:
            raise HeadwayError(f"{feature}: {term} does not look along a sequence; write it as in FORM({WORD}-1)")
        if base in gives and address.index < 0:
            return DECISION, address.index, decided.setdefault(term.attribute, len(decided))
        if term.attribute.startswith(MY) and MY in attributes and {*taken_from(term.attribute)} - {"FORM"}:
            raise HeadwayError(f"{feature}: along a sequence, the function of {term.attribute} may ask for forms only")
        if not {term.attribute, base, f"{base}:"}.isdisjoint(attributes):
            return COLUMN, address.index, columns.setdefault(term.attribute, len(columns))
        if base in gives:
            raise _undecided(feature, term, WORD)
        raise HeadwayError(f"{feature}: {term.attribute} is not known here; {known({*attributes, *gives})}")

    arrays = _templates_with(features, WORD, slot_of)
    return SequenceTemplates(columns=tuple(columns), decided=tuple(decided), **arrays)


def compile_characters(features: Sequence[Feature]) -> CharacterTemplates:
    """The arrays of a feature model over the places where text may be cut; what is not known of them is refused."""
    columns: dict[tuple[str, str, int], int] = {}

    def slot_of(feature: Feature, term: Term) -> Slot:
        address = term.addresses[0]
        if len(term.addresses) > 1 or address.path:
            raise HeadwayError(f"{feature}: {term} is not known of a place in a text; write it as in FORM(CHAR+1)")
        if term.attribute == CUT and address.place == CHAR:
            if address.index >= 0:
                raise _undecided(feature, term, CHAR)
            return DECISION, address.index, 0
        if (term.attribute, address.place) not in ATTRIBUTE_KINDS:
            names = [f"{name}({place})" for name, place in (*ATTRIBUTE_KINDS, (CUT, f"{CHAR}-1"))]
            raise HeadwayError(f"{feature}: {term} is not known of a place in a text; {known(names)}")
        return COLUMN, 0, columns.setdefault((term.attribute, address.place, address.index), len(columns))

    arrays = _templates_with(features, CHAR, slot_of)
    names = tuple(f"{name}({place}{offset:+})" for name, place, offset in columns)
    return CharacterTemplates(SequenceTemplates(columns=names, decided=(CUT,), **arrays), tuple(columns))


def _templates_with(
    features: Sequence[Feature], place: str, slot_of: Callable[[Feature, Term], Slot]
) -> dict[str, Any]:
    """The fields of `SequenceTemplates` but the names: features, those that look at a decision last, and arrays.

    `slot_of` gives the kind of a term, how far it looks, and the number of what it looks at; or it refuses the term.
    """
    if not features:
        raise HeadwayError(f"the feature model has no features; name at least one, such as FORM({place})")
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


def _undecided(feature: Feature, term: Term, place: str) -> HeadwayError:
    earlier = f"{term.attribute}({place}-1)"
    return HeadwayError(f"{feature}: {term} is not decided yet; look at an earlier place, as in {earlier}")
