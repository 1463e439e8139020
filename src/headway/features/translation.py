"""Features of pairs of words as features of arcs or of configurations, so that parsers of all families see the same.

`local as arcs` is the model `local` for a graph parser, `local as configurations` for a transition parser. A local
model of pairs learns weights for each of its classes, the direction among them; a graph parser gets the direction as
a part of each feature. Transition parsers look at the top of the stack and the next word, and cannot see what stands
in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headway.base.errors import HeadwayError
from headway.features.language import LABEL, SIDE, Address, Feature, Term, distinct
from headway.features.vocabulary import PAIR_PLACES

Places = Mapping[str, tuple[str, int]]
HEAD_FIRST: Places = {"FIRST": ("PARENT", 0), "SECOND": ("CHILD", 0)}
HEAD_SECOND: Places = {"FIRST": ("CHILD", 0), "SECOND": ("PARENT", 0)}
CONFIGURATION: Places = {"FIRST": ("STACK", 0), "SECOND": ("QUEUE", 0)}
BETWEEN, DISTANCE = "BETWEEN", "DISTANCE"


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
