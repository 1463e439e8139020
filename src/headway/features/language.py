"""The feature language: text to features, with errors that point to line and column.

A feature is one or more terms joined by `&`, a term an attribute of a node: `POS(STACK0)`, `LEX(STACK0 fw)`,
`DEP(QUEUE0 lc) & POS(STACK0)`. A node is a place on the stack or in the queue and a path from there; `vocabulary` has
the attributes and steps. `pairs(A, B, C)` stands for all pairs, `pairs(A, B; C, D)` for each of the first list with
each of the second. `name = A, B, C` gives a list a name, which then may stand wherever features are listed. `#` begins
a comment. Lines may go on after `,`, `;`, `&` and `=`, and between the parentheses of `pairs`.

Graph parsers look at arcs instead: a node is then PARENT, CHILD, SIBLING or BETWEEN. `directed(A, B)` stands for each
feature of the list with the direction of the arc, and with its direction and length; `labelled(A, B)` for each as a
feature of the arc's label. Local models of boosted parsers look at pairs of words, whose direction is what they are to
find: FIRST, SECOND and BETWEEN. Taggers and their like look along a sequence: WORD is the word to decide about, WORD-1
and WORD+1 are its neighbours; CHAR is a character in the same way.

The address language is that of Nilsson and Nugues (2010).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from headway.base.errors import known
from headway.features.tokens import SourceToken, SourceTokens
from headway.features.vocabulary import (
    ALIASES,
    ARC_ATTRIBUTES,
    ARC_PLACES,
    ATTRIBUTES,
    NAMED_PLACES,
    PAIR_PLACES,
    SEQUENCE_ATTRIBUTES,
    SEQUENCE_PLACES,
    STEPS,
)

NAME = re.compile(r"[^\W\d]\w*")
PLACE = re.compile(
    rf"(STACK|QUEUE)([0-9]{{1,2}})|({'|'.join(NAMED_PLACES)})|({'|'.join(SEQUENCE_PLACES)})([+-][0-9]{{1,2}})?"
)
ATTRIBUTE = re.compile(
    r"FORM|LOWER|LEMMA|UPOS|XPOS|FEATS(:[\w\[\]]+)?|FEAT|DEP|(PREFIX|SUFFIX)([1-9]|1[0-2])|LEFT|RIGHT|DISTANCE|SIDE|LABEL|"
    + "|".join(SEQUENCE_ATTRIBUTES)
)
PAIRS, DIRECTED, LABELLED = "pairs", "directed", "labelled"
LISTS = (PAIRS, DIRECTED, LABELLED)
DEEPEST = 10
"""How deep `pairs` and its like may stand inside each other."""
MOST_TERMS, MOST_JOINED = 200_000, 64
"""Terms that a text may stand for when all its lists are written out, and terms of one feature."""


@dataclass(frozen=True, order=True)
class Address:
    """A node: STACKn, QUEUEn or a place at an arc, and a path of steps from there; WORD or CHAR and how far from it."""

    place: str
    index: int
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.place in SEQUENCE_PLACES:
            return f"{self.place}{self.index:+}" if self.index else self.place
        return " ".join((self.place if self.place in NAMED_PLACES else f"{self.place}{self.index}", *self.path))


@dataclass(frozen=True, order=True)
class Term:
    """An attribute of a node, or of two for DISTANCE and SIDE."""

    attribute: str
    addresses: tuple[Address, ...]

    def __str__(self) -> str:
        return f"{self.attribute}({', '.join(map(str, self.addresses))})"


@dataclass(frozen=True, order=True)
class Feature:
    """Terms that count together."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return " & ".join(map(str, self.terms))

    def __repr__(self) -> str:
        return f"<Feature {self}>"

    @property
    def places(self) -> set[str]:
        """The places that its terms look at."""
        return {address.place for term in self.terms for address in term.addresses}

    def has(self, *attributes: str) -> bool:
        """Whether a term has one of these attributes."""
        return any(term.attribute in attributes for term in self.terms)

    def __and__(self, other: Feature) -> Feature:
        """The conjunction of two features."""
        return Feature(self.terms + tuple(term for term in other.terms if term not in self.terms))


PARENT, CHILD, SIBLING = (Address(place, 0) for place in ("PARENT", "CHILD", "SIBLING"))
SIDE = Feature((Term("SIDE", (PARENT, CHILD)),))
LABEL = Feature((Term("LABEL", (CHILD,)),))


def directed(feature: Feature) -> list[Feature]:
    """The feature with the direction of the arc, and with its direction and length.

    The length is that from the sibling to the child where the feature looks at a sibling.
    """
    start = SIBLING if SIBLING.place in feature.places else PARENT
    return [feature & SIDE, feature & SIDE & Feature((Term("DISTANCE", (start, CHILD)),))]


def parse(text: str, source: str = "features") -> list[Feature]:
    """The features of a model, each once, in the order of their first mention."""
    return distinct(_Parser(text, source).model())


def distinct(features: Iterable[Feature]) -> list[Feature]:
    """Each feature once; the order of its terms makes no difference."""
    first: dict[frozenset[Term], Feature] = {}
    for feature in features:
        first.setdefault(frozenset(feature.terms), feature)
    return list(first.values())


def _terms(features: Sequence[Feature]) -> int:
    return sum(len(feature.terms) for feature in features)


def _is_attribute(word: str) -> bool:
    return ATTRIBUTE.fullmatch(ALIASES.get(word, word)) is not None


class _Parser(SourceTokens):
    """Recursive descent over tokens; one method for each thing of the language."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text, source)
        self.depth = 0
        self.terms = 0
        self.names: dict[str, list[Feature]] = {}

    def _count(self, token: SourceToken, terms: int, joined: int = 1) -> None:
        """Refuse lists that stand for too much, before they are written out."""
        self.terms += terms
        if self.terms > MOST_TERMS:
            self.refuse(token, f"{token} makes more than {MOST_TERMS:,} terms of this text", "join fewer features")
        if joined > MOST_JOINED:
            self.refuse(token, f"{token} makes features of {joined} terms", f"at most {MOST_JOINED} are possible")

    def model(self) -> Iterator[Feature]:
        while self.at < len(self.tokens):
            if self.token.text == "\n":
                self.at += 1
                continue
            if self.tokens[self.at + 1].text == "=":
                self.definition()
            else:
                yield from self.listed()
            self.take("\n")

    def definition(self) -> None:
        """A name for a list."""
        token = self.take()
        if not NAME.fullmatch(token.text) or _is_attribute(token.text) or token.text in LISTS:
            self.refuse(token, f"{token} cannot be a name", "take letters, and no word of the language")
        if token.text in self.names:
            self.refuse(token, f"{token} has a meaning already", "give each list a name of its own")
        self.take("=")
        self.names[token.text] = self.listed()

    def listed(self) -> list[Feature]:
        """Features separated by commas, on as many lines as they need."""
        self.skip_lines()
        features = list(self.item())
        while self.token.text == ",":
            self.take(",")
            self.skip_lines()
            features += self.item()
        return features

    def item(self) -> list[Feature]:
        """A feature, a name, or a list that is made of others."""
        if self.token.text in LISTS:
            return self.made()
        token = self.token
        if token.text in self.names:
            self._count(token, _terms(self.names[token.text]))
            return self.names[self.take().text]
        feature = Feature((self.term(),))
        while self.token.text == "&":
            self.take("&")
            self.skip_lines()
            feature &= Feature((self.term(),))
            self._count(token, 1, len(feature.terms))
        return [feature]

    def made(self) -> list[Feature]:
        """All pairs of a list, or those of two lists; or each feature of a list with what is known of the arc."""
        token = self.take()
        self.take("(")
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(token, f"{token.text} of {token.text}, {self.depth} deep", f"at most {DEEPEST} are possible")
        lists = [self.listed()]
        self.skip_lines()
        if token.text == PAIRS and self.token.text == ";":
            self.take(";")
            lists.append(self.listed())
            self.skip_lines()
        self.take(")")
        self.depth -= 1
        sizes, terms = [len(each) for each in lists], [_terms(each) for each in lists]
        longest = sum(max((len(feature.terms) for feature in each), default=0) for each in lists)
        if token.text == PAIRS and len(lists) > 1:
            self._count(token, sizes[0] * terms[1] + sizes[1] * terms[0], longest)
        elif token.text == PAIRS:
            self._count(token, (sizes[0] - 1) * terms[0], 2 * longest)
        else:
            self._count(token, 2 * terms[0] + 3 * sizes[0], longest)
        if token.text == DIRECTED:
            return [variant for feature in lists[0] for variant in directed(feature)]
        if token.text == LABELLED:
            return [feature & LABEL for feature in lists[0]]
        return [a & b for a, b in (product(*lists) if len(lists) > 1 else combinations(lists[0], 2))]

    def term(self) -> Term:
        token = self.word("a feature")
        attribute = ALIASES.get(token.text, token.text)
        if not _is_attribute(token.text):
            names = (*ATTRIBUTES, *ARC_ATTRIBUTES, *SEQUENCE_ATTRIBUTES, *ALIASES, *(f"{name}(…)" for name in LISTS))
            self.refuse(token, f"unknown attribute {token}", known({*names, *self.names}))
        self.take("(")
        addresses = [self.address()]
        if attribute in ("DISTANCE", "SIDE"):
            self.take(",")
            addresses.append(self.address())
        self.take(")")
        return Term(attribute, tuple(addresses))

    def address(self) -> Address:
        token = self.word("a place")
        place = PLACE.fullmatch(token.text)
        if not place:
            remedy = "known are: STACK0 to STACK99, QUEUE0 to QUEUE99, for graph parsers"
            others = f"{', '.join(ARC_PLACES)}, for pairs of words {', '.join(PAIR_PLACES)}"
            along = ", ".join(f"{name}-99 to {name}+99" for name in SEQUENCE_PLACES)
            self.refuse(token, f"unknown place {token}", f"{remedy} {others}, for sequences {along}")
        path = []
        while self.token.text not in ("(", ")", ",", ";", "&", "=", "\n"):
            step = self.take()
            if step.text not in STEPS:
                self.refuse(step, f"unknown step {step}", known(STEPS))
            path.append(step.text)
        return Address(place[1] or place[3] or place[4], int(place[2] or place[5] or 0), tuple(path))
