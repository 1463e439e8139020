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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple, NoReturn

from headway.base.errors import FormatError, known, shown
from headway.features.vocabulary import ALIASES, ATTRIBUTE, NAMED_PLACES, NAMES, PLACE, PLACES, SEQUENCE_PLACES, STEPS

TOKEN = re.compile(r"(?P<word>[\w:\[\]]+(?:[+-][0-9]+)?)|(?P<mark>[&(),;=])|(?P<end>\n)|(?P<bad>\S)")
NAME = re.compile(r"[^\W\d]\w*")
PAIRS = "pairs"
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


VARIANTS: dict[str, Callable[[Feature], list[Feature]]] = {
    "directed": directed,
    "labelled": lambda feature: [feature & LABEL],
}
LISTS = (PAIRS, *VARIANTS)


def parse(text: str, source: str = "features") -> list[Feature]:
    """The features of a model, each once, in the order of their first mention."""
    return distinct(_Parser(text, source).model())


def distinct(features: Iterable[Feature]) -> list[Feature]:
    """Each feature once; the order of its terms makes no difference."""
    first: dict[frozenset[Term], Feature] = {}
    for feature in features:
        first.setdefault(frozenset(feature.terms), feature)
    return list(first.values())


class _Token(NamedTuple):
    """A word, a mark or the end of a line, and where it stands."""

    text: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return "the end of the line" if self.text == "\n" else shown(self.text)


class _Parser:
    """Recursive descent over tokens; one method for each thing of the language."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.names: dict[str, list[Feature]] = {}
        self.at = self.depth = self.terms = 0
        self.tokens = list(self._tokens(text))

    def _tokens(self, text: str) -> Iterator[_Token]:
        """Words, marks and the end of each line; the last token is the end of the last line."""
        for number, line in enumerate(text.split("\n"), 1):
            for match in TOKEN.finditer(line.partition("#")[0] + "\n"):
                token = _Token(match.group(), number, match.start() + 1)
                if match["bad"]:
                    self.refuse(token, f"{token} has no meaning here", "a feature looks like POS(STACK0) & LEX(QUEUE0)")
                yield token

    def refuse(self, token: _Token, what: str, remedy: str) -> NoReturn:
        """Say what is wrong with a token."""
        raise FormatError(self.source, token.line, f"column {token.column}: {what}", remedy)

    @property
    def token(self) -> _Token:
        """The next token."""
        return self.tokens[self.at]

    def take(self, wanted: str | None = None) -> _Token:
        """The next token, which is then behind us; another one than `wanted` is refused."""
        token = self.token
        if wanted is not None and token.text != wanted:
            self.refuse(token, f"{token} where {_Token(wanted)} should be", "check parentheses, commas and line ends")
        self.at += 1
        return token

    def word(self, wanted: str) -> _Token:
        """The next token, which must be a word."""
        if TOKEN.fullmatch(self.token.text)["word"] is None:  # type: ignore[index]
            self.refuse(self.token, f"{self.token} where {wanted} should be", "a feature looks like POS(STACK0)")
        return self.take()

    def skip_lines(self) -> None:
        """Go on after the ends of lines."""
        while self.at < len(self.tokens) - 1 and self.token.text == "\n":
            self.at += 1

    def written_out(self, token: _Token, features: Iterable[Feature]) -> Iterator[Feature]:
        """What a token stands for; too much is refused as soon as it is met."""
        for feature in features:
            self.terms += len(feature.terms)
            if self.terms > MOST_TERMS:
                self.refuse(token, f"{token} makes more than {MOST_TERMS:,} terms of this text", "join fewer features")
            if (joined := len(feature.terms)) > MOST_JOINED:
                self.refuse(token, f"{token} makes features of {joined} terms", f"at most {MOST_JOINED} are possible")
            yield feature

    def model(self) -> Iterator[Feature]:
        while self.at < len(self.tokens):
            if self.token.text != "\n":
                if self.tokens[self.at + 1].text == "=":
                    self.definition()
                else:
                    yield from self.listed()
            self.take("\n")

    def definition(self) -> None:
        """A name for a list."""
        token = self.take()
        is_attribute = ATTRIBUTE.fullmatch(ALIASES.get(token.text, token.text))
        if not NAME.fullmatch(token.text) or is_attribute or token.text in LISTS:
            self.refuse(token, f"{token} cannot be a name", "take letters, and no word of the language")
        if token.text in self.names:
            self.refuse(token, f"{token} has a meaning already", "give each list a name of its own")
        self.take("=")
        self.names[token.text] = self.listed()

    def listed(self) -> list[Feature]:
        """Features separated by commas, on as many lines as they need."""
        self.skip_lines()
        features = [*self.item()]
        while self.token.text == ",":
            self.take(",")
            self.skip_lines()
            features += self.item()
        return features

    def item(self) -> Iterator[Feature]:
        """A feature, a name, or a list that is made of others."""
        if self.token.text in LISTS:
            return self.made()
        token = self.token
        if token.text in self.names:
            return self.written_out(token, self.names[self.take().text])
        terms = [self.term()]
        while self.token.text == "&":
            self.take("&")
            self.skip_lines()
            terms.append(self.term())
        return self.written_out(token, [Feature(tuple(dict.fromkeys(terms)))])

    def made(self) -> Iterator[Feature]:
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
        if token.text != PAIRS:
            variants = VARIANTS[token.text]
            return self.written_out(token, (variant for feature in lists[0] for variant in variants(feature)))
        couples = combinations(lists[0], 2) if len(lists) == 1 else product(*lists)
        return self.written_out(token, (a & b for a, b in couples))

    def term(self) -> Term:
        token = self.word("a feature")
        attribute = ALIASES.get(token.text, token.text)
        if not ATTRIBUTE.fullmatch(attribute):
            names = {*NAMES, *(f"{name}(…)" for name in LISTS), *self.names}
            self.refuse(token, f"unknown attribute {token}", known(names))
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
            self.refuse(token, f"unknown place {token}", f"known are: {PLACES}")
        path = []
        while self.token.text not in ("(", ")", ",", ";", "&", "=", "\n"):
            step = self.take()
            if step.text not in STEPS:
                self.refuse(step, f"unknown step {step}", known(STEPS))
            path.append(step.text)
        return Address(place[1] or place[3] or place[4], int(place[2] or place[5] or 0), tuple(path))
