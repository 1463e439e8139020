"""The sets one step away from a feature model: a group of its features read in another way, joined, moved, dropped.

A group is what one sentence can say of features: all over an attribute, all of a node, all that look at a node alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from headway.data.batch import Batch
from headway.discovery.successors import Candidate, neighbours
from headway.features.language import Address, Feature, Term, distinct

SEVERAL = "FEAT"
"""The attribute that a word may have several values of."""
TAGS = ("UPOS", "XPOS")
WORDS = ("FORM", "LEMMA", "LOWER", "SUFFIX2", "SUFFIX3", "PREFIX3")
ACROSS = (*TAGS, "LEMMA", "FORM", "FEATS", SEVERAL, "DEP")
"""The attributes that are joined across two words."""
SINGLE = ("FEATS:", "MISC:")
"""How attributes begin that are joined with a tag to a finer one."""
LARGEST = 3
"""Features of at least so many terms are a group of their own, which may be too special for a small treebank."""
NAMES, SHARE = 6, 0.01
"""So many morphological features are searched, the most frequent first, each of at least this share of the words."""
Group = tuple[str, list[Feature]]
"""What is done, and the features that come or go."""


def morphology(batches: Iterable[Batch]) -> list[str]:
    """The attributes `FEATS:Name` of the features that are frequent in a treebank."""
    cells = Counter(cell for batch in batches for cell in batch.column("FEATS"))
    counts: Counter[str] = Counter()
    for cell, times in cells.items():
        for name, equals, _ in (pair.partition("=") for pair in cell.split("|")):
            counts[f"FEATS:{name}"] += times if equals else 0
    frequent = sorted((-count, name) for name, count in counts.items() if count >= SHARE * cells.total())
    return [name for _, name in frequent[:NAMES]]


@dataclass(frozen=True, kw_only=True)
class GroupMoves:
    """The steps from a feature model to others."""

    attributes: tuple[str, ...]
    """What features may look at; those of the model may anyway."""

    def candidates(self, features: tuple[Feature, ...]) -> list[Candidate]:
        """The sets one step away: first those that grow, then those that shrink, each once."""
        known, found = {frozenset(feature.terms) for feature in features}, dict[frozenset[Feature], Candidate]()
        for step, group in self._additions(features):
            new = [one for one in distinct(group) if frozenset(one.terms) not in known and _is_single(one)]
            candidate = Candidate((*features, *new), features, step)
            found.setdefault(candidate.identity, candidate)
        for step, group in dropped(features):
            gone = set(group)
            if left := tuple(one for one in features if one not in gone):
                found.setdefault(frozenset(left), Candidate(left, features, step))
        found.pop(frozenset(features), None)
        return list(found.values())

    def _additions(self, features: Sequence[Feature]) -> Iterator[Group]:
        used = dict.fromkeys(term.attribute for feature in features for term in feature.terms)
        for attribute in used:
            yield from self._readings(attribute, features)
        yield from self._joined(features, [*used])
        nodes = dict.fromkeys(address for feature in features for term in feature.terms for address in term.addresses)
        for node in (node for node in nodes if not node.path):
            alone = [one for one in features if all(term.addresses == (node,) for term in one.terms)]
            for near in neighbours(node):
                if near not in nodes:
                    yield f"see {near} as {node}", [_moved(one, near) for one in alone]

    def _readings(self, attribute: str, features: Sequence[Feature]) -> Iterator[Group]:
        """The features over an attribute once more, with something else of the same words in its place."""
        having = [one for one in features if one.has(attribute)]
        if attribute in TAGS:
            of_tags = [one for one in having if {term.attribute for term in one.terms} == {attribute}]
            tag = next((name for name in TAGS if name in self.attributes), attribute)
            finer = [(tag, name) for name in self.attributes if name.startswith(SINGLE)]
            for reading in (*finer, *((one,) for one in (*TAGS, "LEMMA") if one in self.attributes)):
                yield f"read {attribute} as {' & '.join(reading)}", [_read(one, attribute, reading) for one in having]
                if 0 < len(of_tags) < len(having):
                    what = f"read {attribute} as {' & '.join(reading)} where it stands alone"
                    yield what, [_read(one, attribute, reading) for one in of_tags]
        elif attribute in WORDS:
            for other in self.attributes:
                if other in WORDS and other != attribute:
                    yield f"read {attribute} as {other}", [_read(one, attribute, (other,)) for one in having]

    def _joined(self, features: Sequence[Feature], used: Sequence[str]) -> Iterator[Group]:
        """Two attributes of the two words that the model joins most often, and each with their distance."""
        if (both := ends(features)) is None:
            return
        tag = next((name for name in TAGS if name in used), None)
        tags = Feature(tuple(Term(tag, (node,)) for node in both if tag))
        distances = {term for feature in features for term in feature.terms if term.attribute == "DISTANCE"}
        names = [*dict.fromkeys(one for one in (*ACROSS, *self.attributes) if one in used or one in self.attributes)]
        names = [one for one in names if one in ACROSS or one.startswith(SINGLE)]
        for one, other in combinations_with_replacement(names, 2):
            pairs = [Feature((Term(a, both[:1]), Term(b, both[1:]))) for a, b in ((one, other), (other, one))]
            if one == other or (one in ACROSS and other in ACROSS) or one == "LEMMA":
                yield f"join {one} and {other}", [*pairs, *(pair & tags for pair in pairs if tag)]
        for name in names:
            for term in sorted(distances):
                step = f"join {name} and {term}"
                yield step, [Feature((Term(name, (node,)),)) & Feature((term,)) for node in term.addresses]


def dropped(features: Sequence[Feature]) -> Iterator[Group]:
    """The groups that a model may do without."""
    attributes = dict.fromkeys(term.attribute for feature in features for term in feature.terms)
    nodes = dict.fromkeys(address for feature in features for term in feature.terms for address in term.addresses)
    for name in attributes:
        having = [one for one in features if one.has(name)]
        yield f"drop {name}", having
        yield f"drop {name} with two others or more", [one for one in having if len(one.terms) >= LARGEST]
        yield f"drop {name} alone", [one for one in having if len(one.terms) == 1]
    for node in nodes:
        yield f"drop {node}", [one for one in features if any(node in term.addresses for term in one.terms)]


def ends(features: Sequence[Feature]) -> tuple[Address, Address] | None:
    """The two nodes that stand together in most features: those that the next arc may join."""
    counts: Counter[tuple[Address, ...]] = Counter()
    for feature in features:
        counts[tuple(sorted({address for term in feature.terms for address in term.addresses}))] += 1
    pairs = [(-count, nodes) for nodes, count in counts.items() if len(nodes) == 2]
    if not pairs:
        return None
    first, second = min(pairs)[1]
    return (second, first) if first.place < second.place else (first, second)  # STACK0 before QUEUE0


def _read(feature: Feature, attribute: str, reading: Sequence[str]) -> Feature:
    terms = (
        [Term(name, term.addresses) for name in reading] if term.attribute == attribute else [term]
        for term in feature.terms
    )
    return Feature(tuple(dict.fromkeys(term for some in terms for term in some)))


def _moved(feature: Feature, node: Address) -> Feature:
    return Feature(tuple(Term(term.attribute, (node,)) for term in feature.terms))


def _is_single(feature: Feature) -> bool:
    """Whether it asks for at most one thing that a word may have several of."""
    return sum(term.attribute == SEVERAL for term in feature.terms) <= 1
