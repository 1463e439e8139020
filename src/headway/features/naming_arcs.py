"""Features of arcs, and of pairs of words, in the words of a sentence."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from headway.features.arcs import DISTANCE, EACH, OFFSETS, SIDE
from headway.features.encode import KeyColumn, column_of
from headway.features.language import Address, Feature, Term
from headway.features.looks import FeatureName, Look, TermValue, anchors_of, attribute_of
from headway.features.naming import SentenceCells, length, look_at
from headway.kernels.graph.labels import KIND_NUMBERS

PARENT_CHILD = (Address("PARENT", 0), Address("CHILD", 0))


class AskedTerm(NamedTuple):
    """A term as text, how far from its place it looks, and into which column."""

    text: str
    offset: int
    column: KeyColumn | None


@cache
def _asked(term: Term) -> AskedTerm:
    """What a term asks of a word and its neighbours; kept, as the few terms of a model are asked for all the time."""
    offset = sum(OFFSETS.get(step, 0) for step in term.addresses[0].path)
    return AskedTerm(str(term), offset, column_of(term.attribute))


class ArcPlaces(NamedTuple):
    """The nodes of an arc's roles; a sibling that is not there is -1."""

    parent: int
    child: int
    sibling: int | None = None
    """None where the feature is of the arc alone."""
    between: int = -1
    of_parent: int = -1
    """Which single feature of the parent."""
    of_child: int = -1


def arc_terms(core: Feature, kind: int, second: bool, has_sibling: bool) -> tuple[Term, ...]:
    """The terms of a feature of arcs or of siblings, with direction and length as its kind has them."""
    terms = [*core.terms]
    if kind in (KIND_NUMBERS["side"], KIND_NUMBERS["both"], KIND_NUMBERS["directed"]):
        terms.append(Term(SIDE, PARENT_CHILD))
    if kind in (KIND_NUMBERS["distance"], KIND_NUMBERS["both"]) or (kind == KIND_NUMBERS["directed"] and second):
        terms.append(Term(DISTANCE, (Address("SIBLING" if has_sibling else "PARENT", 0), PARENT_CHILD[1])))
    return tuple(terms)


def arc_name(core: Feature, kind: int, second: bool, places: ArcPlaces, cells: SentenceCells) -> FeatureName:
    """A feature of an arc or of siblings with its values; direction and length as its kind has them."""
    terms = arc_terms(core, kind, second, places.sibling is not None)
    return FeatureName((TermValue(_asked(term).text, _arc_value(term, places, cells)) for term in terms), "every arc")


def arc_look(anchors: tuple[Address, ...], attribute: str, places: ArcPlaces, cells: SentenceCells) -> Look:
    """What a feature of an arc or of siblings looks at, by the anchors and the attribute of its terms."""
    nodes = {"PARENT": places.parent, "CHILD": places.child, "SIBLING": places.sibling}
    found = (nodes[anchor.place] for anchor in anchors)
    return look_at(cells, anchors, [-1 if node is None else node for node in found], attribute)


def _arc_value(term: Term, places: ArcPlaces, cells: SentenceCells) -> str:
    """A value of a node, or of a neighbour of it in the sentence."""
    address = term.addresses[0]
    if term.attribute == SIDE:
        return "right" if places.child > places.parent else "left"
    if term.attribute == DISTANCE:
        return length(places.parent if places.sibling is None else places.sibling, places.child)
    sibling = -1 if places.sibling is None else places.sibling
    nodes = {"PARENT": places.parent, "CHILD": places.child, "SIBLING": sibling, "BETWEEN": places.between}
    node = nodes[address.place]
    if term.attribute == EACH:
        return cells.single(node)[places.of_parent if address.place == "PARENT" else places.of_child]
    _, offset, column = _asked(term)  # the root has no neighbours
    place = node + offset if node > 0 else node if not offset else -1
    assert column is not None
    return cells.text(column, place if place <= cells.size and (place > 0 or not offset) else -1)


def pair_look(feature: Feature, first: int, second: int, cells: SentenceCells) -> Look:
    """What a feature of two words looks at."""
    anchors = anchors_of(feature.terms)
    nodes = {"FIRST": first, "SECOND": second}
    return look_at(cells, anchors, [nodes[anchor.place] for anchor in anchors], attribute_of(feature.terms))


def pair_name(feature: Feature, first: int, second: int, between: int, cells: SentenceCells) -> FeatureName:
    """A feature of two words, of which node `first` stands before node `second`, with its values."""
    parts = []
    for term in feature.terms:
        if term.attribute == DISTANCE:
            value = length(first, second)
        else:
            place = term.addresses[0].place
            node = {"FIRST": first, "SECOND": second, "BETWEEN": between}[place]
            _, offset, column = _asked(term)
            assert column is not None
            value = cells.text(column, node + offset if 0 <= node + offset <= cells.size else -1)
        parts.append(TermValue(_asked(term).text, value))
    return FeatureName(parts)
