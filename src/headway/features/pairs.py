"""Features of pairs of words as the arrays that the kernels walk through (see `kernels/features/pairs.pyx`).

They are also translated to features of arcs or of configurations, so that parsers of all families see the same:
`local as arcs` is the model `local` for a graph parser, `local as configurations` for a transition parser. A local
model of pairs learns weights for each of its classes, the direction among them; a graph parser gets the direction as
a part of each feature. Transition parsers look at the top of the stack and the next word, and cannot see what stands
in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Ints
from headway.features.arcs import assure_known_steps, slots_by_place, words_known
from headway.features.compile import WordTemplates, seeds_of
from headway.features.encode import KeyColumn, column_of
from headway.features.language import LABEL, SIDE, Address, Feature, Term, distinct
from headway.features.vocabulary import PAIR_PLACES
from headway.kernels.features import pairs as layout

Places = Mapping[str, tuple[str, int]]
HEAD_FIRST: Places = {"FIRST": ("PARENT", 0), "SECOND": ("CHILD", 0)}
HEAD_SECOND: Places = {"FIRST": ("CHILD", 0), "SECOND": ("PARENT", 0)}
CONFIGURATION: Places = {"FIRST": ("STACK", 0), "SECOND": ("QUEUE", 0)}
BETWEEN, DISTANCE = "BETWEEN", "DISTANCE"


@dataclass(frozen=True, eq=False)
class PairTemplates(WordTemplates):
    """A compiled feature model of pairs. Its last two columns are the tag, which decides about parts, and the word."""

    start: Ints
    slot: Ints
    seed: NDArray[np.uint64]
    with_distance: Ints
    with_between: Ints

    @cached_property
    def words_known(self) -> Ints:
        """How many words each feature tells from most others."""
        return np.array([words_known(feature) for feature in self.features], np.int32)


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
        with_distance=np.array([feature.has(DISTANCE) for feature in features], np.int32),
        with_between=np.array([BETWEEN in feature.places for feature in features], np.int32),
    )


def _check(feature: Feature) -> None:
    """Refuse what a pair of words does not have."""
    if others := feature.places - set(PAIR_PLACES):
        raise HeadwayError(f"{feature}: a pair of words has no {min(others)}; it has {', '.join(PAIR_PLACES)}")
    assure_known_steps(feature, "pairs")
    for term in feature.terms:
        if term.attribute == DISTANCE:
            if str(term) != "DISTANCE(FIRST, SECOND)":
                raise HeadwayError(f"{feature}: the distance here is DISTANCE(FIRST, SECOND); write that")
        elif column_of(term.attribute) is None:
            raise HeadwayError(f"{feature}: {term.attribute} is not known of a pair of words; ask for words and tags")


def as_arcs(features: Sequence[Feature]) -> list[Feature]:
    """The same features for both directions of an arc, each with its direction; for labels those of the words alone.

    A list that names the same for the first word as for the second one, as all of ours do, is no longer for that.
    """
    arcs = distinct(
        _moved(feature, places) & SIDE for feature in _of_pairs(features) for places in (HEAD_FIRST, HEAD_SECOND)
    )
    labels = [arc & LABEL for arc in arcs if not (BETWEEN in arc.places or arc.has(DISTANCE))]
    return [*arcs, *labels]


def as_configurations(features: Sequence[Feature]) -> list[Feature]:
    """The same features of the top of the stack and the next word; those of words in between are left out."""
    return [_moved(feature, CONFIGURATION) for feature in _of_pairs(features) if BETWEEN not in feature.places]


WAYS = {"arcs": as_arcs, "configurations": as_configurations}


def _of_pairs(features: Sequence[Feature]) -> Sequence[Feature]:
    for feature in features:
        if others := feature.places - set(PAIR_PLACES):
            raise HeadwayError(f"{feature}: expected FIRST and SECOND, got {min(others)}; name a model of pairs")
    return features


def _moved(feature: Feature, places: Places) -> Feature:
    """A feature with other places; the two nodes of a distance are named in the order that the parser expects."""
    terms = []
    for term in feature.terms:
        addresses = tuple(Address(*places.get(one.place, (one.place, 0)), one.path) for one in term.addresses)
        if term.attribute == DISTANCE and addresses[0].place == "CHILD":
            addresses = addresses[::-1]
        terms.append(Term(term.attribute, addresses))
    return Feature(tuple(terms))
