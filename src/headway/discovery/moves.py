"""From a set of features to the sets that are one step away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headway.base.errors import HeadwayError, known
from headway.discovery.families import FAMILIES, SearchedFamily
from headway.discovery.successors import pairs_of, successors
from headway.features.language import Feature

MOVES = {
    "add": "a feature next to one of the set (the paper's only step)",
    "join": "two features of the set that count together",
    "drop": "the set without one of its features",
}


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
        return [candidate for move in self.moves for candidate in self._by(move, features)]

    def _by(self, move: str, features: tuple[Feature, ...]) -> Iterator[Candidate]:
        if move == "drop":
            for feature in features if len(features) > 1 else ():
                yield Candidate(tuple(other for other in features if other != feature), features, f"drop {feature}")
            return
        for feature in self._new(move, features):
            yield Candidate((*features, feature), features, f"{move} {feature}")

    def _new(self, move: str, features: Sequence[Feature]) -> list[Feature]:
        if move == "add":
            return successors(features, self.attributes, self.family)
        terms = {frozenset(feature.terms) for feature in features}
        joined = {frozenset(both.terms): both for both in pairs_of(features)}
        return [both for key, both in joined.items() if key not in terms and len(key) <= self.largest]
