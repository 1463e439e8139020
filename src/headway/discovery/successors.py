"""The feature sets one step away from a set: neighbours of a node on the stack, in the queue, in the tree come next.

The rules are Table 2 of Nilsson and Nugues (2010). They leave out ways back to where a path came from, so that
no node is reached twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from headway.base.errors import HeadwayError, known
from headway.discovery.options import CUT, FAMILIES, PAPER, SETS, SearchedFamily
from headway.features.language import Address, Feature, Term, distinct
from headway.features.vocabulary import ALIASES, ARC_PLACES, ATTRIBUTE, ATTRIBUTES, SEQUENCE_ATTRIBUTES, SEQUENCE_PLACES
from headway.kernels.text.characters import ATTRIBUTE_KINDS

MOVES = {
    "add": "a feature next to one of the set (the paper's only step)",
    "join": "two features of the set that count together",
    "drop": "the set without one of its features",
}
"""The steps from a set to another."""
FOLLOWING = {
    "h": ("h", "ls", "rs", "pw", "fw"),
    "lc": ("lc", "rc", "ls", "rs", "pw", "fw"),
    "rc": ("lc", "rc", "ls", "rs", "pw", "fw"),
    "ls": ("lc", "rc", "ls", "pw", "fw"),
    "rs": ("lc", "rc", "rs", "pw", "fw"),
    "pw": ("h", "lc", "rc", "ls", "rs", "pw"),
    "fw": ("h", "lc", "rc", "ls", "rs", "fw"),
}
"""The steps that may follow a step."""
FIRST = {
    "STACK": ("h", "lc", "rc", "ls", "rs", "pw", "fw"),
    "QUEUE0": ("lc", "rc", "pw"),
    "QUEUE": (),
    "PARENT": ("pw", "fw"),
    "CHILD": ("pw", "fw"),
    "BETWEEN": (),
    "SIBLING": ("pw", "fw"),
}
"""The steps that may be the first, by place; those of arcs are ours, on the sentence's axis."""
OF_CHARACTERS = {
    place: {name for name, where in ATTRIBUTE_KINDS if where == place} | ({CUT} if place == "CHAR" else set())
    for place in ("CHAR", "CHUNK")
}
"""What is known of characters, and of what stands between two spaces."""
BESIDE = {"PARENT": ("CHILD", "BETWEEN"), "CHILD": ("PARENT", "BETWEEN"), "BETWEEN": (), "SIBLING": ("CHILD",)}
"""The places next to a place of an arc."""


def neighbours(address: Address) -> list[Address]:
    """The node itself and the nodes around it, as the column of Table 2 for its category has them."""
    place, index, path = address.place, address.index, address.path
    if place in SEQUENCE_PLACES:
        along = [Address(place, index + step) for step in (-1, 1) if index * step >= 0]
        return [address, *along, *([Address("CHUNK", 0)] if address == Address("CHAR", 0) else [])]
    if path:
        steps = FOLLOWING.get(path[-1], ())
        if place in ARC_PLACES:
            steps = tuple(step for step in steps if step == path[-1])
        return [address, *(Address(place, index, (*path, step)) for step in steps)]
    first = FIRST["QUEUE0" if (place, index) == ("QUEUE", 0) else place]
    found = [address, *(Address(place, index, (step,)) for step in first)]
    if place in ARC_PLACES:
        return found + [Address(other, 0) for other in BESIDE[place]]
    found.append(Address(place, index + 1))
    if index == 0:
        found.append(Address("QUEUE" if place == "STACK" else "STACK", 0))
    return found


def attributes_of(address: Address, attributes: Sequence[str], decided: Sequence[str] = ()) -> list[str]:
    """The attributes that a node may have: a word in the queue, or of an arc, has no head yet, so no label.

    What a stage is to decide is known of earlier words only.
    """
    if address.place in SEQUENCE_PLACES:
        known_here = OF_CHARACTERS.get(address.place, attributes)
        return [one for one in attributes if one in known_here and (address.index < 0 or one not in decided)]
    waiting = (not address.path and address.place != "STACK") or address.place in ARC_PLACES
    return [attribute for attribute in attributes if not (waiting and attribute == "DEP")]


def successors(
    features: Sequence[Feature], attributes: Sequence[str] = PAPER, family: SearchedFamily = FAMILIES["transition"]
) -> list[Feature]:
    """The features next to those given, without these, in the order in which they are met.

    Without any feature, what is next is where the family begins: the first word of the queue, both ends of an arc.
    """
    names = resolved(attributes)
    nodes = [address for feature in features for term in feature.terms for address in term.addresses]
    around: Iterable[Address] = dict.fromkeys(near for node in nodes for near in neighbours(node)) or family.first
    found = [Feature((Term(name, (node,)),)) for node in around for name in attributes_of(node, names, family.decided)]
    given = set(features)
    return [feature for feature in distinct(found) if feature not in given]


def resolved(attributes: Sequence[str]) -> list[str]:
    """The attributes by their names in features; a name of a set stands for all of it."""
    names = [name for attribute in attributes for name in SETS.get(attribute, (attribute,))]
    for name in names:
        if not ATTRIBUTE.fullmatch(ALIASES.get(name, name)) or name in ("DISTANCE", "SIDE", "LABEL", "FEAT"):
            others = known([*SETS, *ALIASES, *ATTRIBUTES, *SEQUENCE_ATTRIBUTES])
            raise HeadwayError(f"cannot search over {name!r}; {others}")
    return list(dict.fromkeys(ALIASES.get(name, name) for name in names))


def in_pairs(features: Sequence[Feature]) -> list[Feature]:
    """The features and all their pairs."""
    return distinct([*features, *pairs_of(features)])


def pairs_of(features: Sequence[Feature]) -> list[Feature]:
    """All pairs."""
    return [a & b for a, b in combinations(features, 2)]


@dataclass(frozen=True)
class Candidate:
    """A set of features in the order in which they entered, and the step that led to it from another."""

    features: tuple[Feature, ...]
    parent: tuple[Feature, ...]
    step: str
    places: tuple[int, ...] = ()
    """The places in the beam, from 1 on, of all sets that are one step away from it; its parent is the first."""

    @property
    def identity(self) -> frozenset[Feature]:
        """What makes two sets the same: the order does not count."""
        return frozenset(self.features)


@dataclass(frozen=True, kw_only=True)
class Moves:
    """The steps that a search may take."""

    attributes: tuple[str, ...]
    moves: tuple[str, ...] = ("add",)
    largest: int = 3
    """Terms of a feature, at most, where features are joined."""
    family: SearchedFamily = FAMILIES["transition"]

    def __post_init__(self) -> None:
        """Refuse unknown steps."""
        for move in self.moves:
            if move not in MOVES:
                raise HeadwayError(f"unknown step {move!r} of a search; {known(MOVES)}")

    def candidates(self, features: tuple[Feature, ...]) -> list[Candidate]:
        """The sets one step away, in the order of the moves."""
        found: list[Candidate] = []
        for move in self.moves:
            if move != "drop":
                found += [Candidate((*features, one), features, f"{move} {one}") for one in self._new(move, features)]
            elif len(features) > 1:
                without = ((one, tuple(other for other in features if other != one)) for one in features)
                found += [Candidate(others, features, f"drop {one}") for one, others in without]
        return found

    def _new(self, move: str, features: Sequence[Feature]) -> list[Feature]:
        if move == "add":
            return successors(features, self.attributes, self.family)
        terms = {frozenset(feature.terms) for feature in features}
        joined = {frozenset(both.terms): both for both in pairs_of(features)}
        return [both for key, both in joined.items() if key not in terms and len(key) <= self.largest]
