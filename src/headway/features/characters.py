"""Features of places in a text as the arrays that kernels walk through (`kernels/text/characters.pyx`).

They are features of a sequence whose positions are the places where text may be cut. What a term says of a character or
a chunk so far away is a column of its own, so that only decisions are looked for at other positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError, known
from headway.data.batch import Ints
from headway.features.language import Feature, Term
from headway.features.sequences import DECISION, SequenceTemplates, Slot, templates_with
from headway.kernels.sequence.model import KINDS
from headway.kernels.text.characters import ATTRIBUTE_KINDS

CUT = "CUT"
CHAR = "CHAR"


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


def compile_characters(features: Sequence[Feature]) -> CharacterTemplates:
    """The arrays of a feature model over places."""
    if not features:
        raise HeadwayError("the feature model has no features; name at least one, such as FORM(CHAR)")
    columns: dict[tuple[str, str, int], int] = {}

    def slot_of(feature: Feature, term: Term) -> Slot:
        name, _, offset = found = _what_it_looks_at(feature, term)
        return (DECISION, offset, 0) if name == CUT else (KINDS["column"], 0, columns.setdefault(found, len(columns)))

    arrays = templates_with(features, slot_of)
    names = tuple(f"{name}({place}{offset:+})" for name, place, offset in columns)
    return CharacterTemplates(SequenceTemplates(columns=names, decided=(CUT,), **arrays), tuple(columns))


def _what_it_looks_at(feature: Feature, term: Term) -> tuple[str, str, int]:
    """What a term looks at; what is not known of a place is refused."""
    address = term.addresses[0]
    if len(term.addresses) > 1 or address.path:
        raise HeadwayError(f"{feature}: {term} is not known of a place in a text; write it as in FORM(CHAR+1)")
    if term.attribute == CUT and address.place == CHAR:
        if address.index >= 0:
            raise HeadwayError(f"{feature}: {term} is not decided yet; look at an earlier place, as in CUT(CHAR-1)")
    elif (term.attribute, address.place) not in ATTRIBUTE_KINDS:
        names = [f"{name}({place})" for name, place in (*ATTRIBUTE_KINDS, (CUT, f"{CHAR}-1"))]
        raise HeadwayError(f"{feature}: {term} is not known of a place in a text; {known(names)}")
    return term.attribute, address.place, address.index
