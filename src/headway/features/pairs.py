"""Features of pairs of words as the arrays that the kernels walk through (see `kernels/features/pairs.pyx`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.features.arcs import assure_known_steps, slots_by_place
from headway.features.compile import Encoded, KeyColumn, column_of, encode, seeds_of
from headway.features.groups import words_known
from headway.features.language import Feature
from headway.features.vocabulary import PAIR_PLACES
from headway.kernels.features import pairs as layout


@dataclass(frozen=True, eq=False)
class PairTemplates(PickledByFields):
    """A compiled feature model of pairs. Its last two columns are the tag, which decides about parts, and the word."""

    features: tuple[Feature, ...]
    columns: tuple[KeyColumn, ...]
    start: Ints
    slot: Ints
    seed: NDArray[np.uint64]
    with_distance: Ints
    with_between: Ints

    @cached_property
    def words_known(self) -> Ints:
        """How many words each feature tells from most others."""
        return np.array([words_known(feature) for feature in self.features], np.int32)

    def encode(self, batch: Batch) -> Encoded:
        """The keys of a batch's words."""
        return encode(self.columns, False, batch)


def compile_pairs(features: Sequence[Feature], tag: str) -> PairTemplates:
    """The arrays of a feature model of pairs; `tag` is the attribute that parts and dynamic features go by."""
    if not features:
        raise HeadwayError("the feature model has no features; name at least one, such as POS(FIRST)")
    for feature in features:
        _check(feature)
    columns: dict[KeyColumn, int] = {}
    start, slot = slots_by_place(features, tuple(layout.ROLE_NUMBERS), columns)
    return PairTemplates(
        features=tuple(features),
        columns=(*columns, KeyColumn(tag), KeyColumn("FORM")),
        start=start,
        slot=slot,
        seed=seeds_of(features),
        with_distance=np.array([feature.has("DISTANCE") for feature in features], np.int32),
        with_between=np.array(["BETWEEN" in feature.places for feature in features], np.int32),
    )


def _check(feature: Feature) -> None:
    """Refuse what a pair of words does not have."""
    if others := feature.places - set(PAIR_PLACES):
        raise HeadwayError(f"{feature}: a pair of words has no {min(others)}; it has {', '.join(PAIR_PLACES)}")
    assure_known_steps(feature, "pairs")
    for term in feature.terms:
        if term.attribute == "DISTANCE":
            if str(term) != "DISTANCE(FIRST, SECOND)":
                raise HeadwayError(f"{feature}: the distance here is DISTANCE(FIRST, SECOND); write that")
        elif column_of(term.attribute) is None:
            raise HeadwayError(f"{feature}: {term.attribute} is not known of a pair of words; ask for words and tags")
