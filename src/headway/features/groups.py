"""Features that ask about one word and its neighbours in the sentence only.

Whatever the parser has done, they are the same whenever that word stands at that place. The kernels therefore keep
their scores for each word instead of adding up the weights in every configuration.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from headway.features.language import Address, Feature, Term

STILL = {"pw", "fw"}
"""Steps that do not depend on what the parser has done."""
CHANGING = {"DEP", "LEFT", "RIGHT", "DISTANCE"}
LEAST = 4
"""A group of fewer features is not worth a vector of scores for each word."""

WORDS = ("FORM", "LEMMA")
"""Attributes that tell one word from most others."""


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
    if (
        term.attribute in CHANGING
        or others
        or not STILL.issuperset(first.path)
        or first.place not in ("STACK", "QUEUE")
    ):
        return None
    return Address(first.place, first.index if first.place == "STACK" else 0)


def words_known(feature: Feature, empty: Collection[str] = ()) -> int:
    """How many words a feature tells from most others, by form or lemma; there is no word at places that are `empty`.

    >>> from headway.features.language import parse
    >>> (couple,) = parse("LEX(SIBLING) & LEMMA(CHILD) & POS(PARENT)")
    >>> words_known(couple), words_known(couple, empty={"SIBLING"})
    (2, 1)
    """
    places = {term.addresses[0] for term in feature.terms if term.attribute in WORDS}
    return sum(address.place not in empty for address in places)
