"""What features look at: words, and which of their attributes. Features of the same look belong together for a reader.

`XPOS(STACK0)=PRP & XPOS(QUEUE0)=VBD` looks at the `tag` of two words, whatever these are. A look is told without the
values, so that all features of a sentence can be put into groups in no time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from headway.features.language import Address, Term

NEIGHBOURS = {"pw", "fw"}
FAMILIES = {
    "FORM": "form",
    "LOWER": "form",
    "LEMMA": "lemma",
    "UPOS": "tag",
    "XPOS": "tag",
    "DEP": "label",
    "FEAT": "morphology",
    "FEATS": "morphology",
    "PREFIX": "beginning",
    "SUFFIX": "ending",
    "LEFT": "children",
    "RIGHT": "children",
    "DISTANCE": "distance",
    "SIDE": "direction",
    "SHAPE": "shape",
    **dict.fromkeys(("KNOWN", "LOWERKNOWN", "LIKELY", "ANALYSES", "AGREES", "LEXICON"), "dictionary"),
    "CASED": "case of the sentence",
    "RARE": "rareness",
    **dict.fromkeys(("LEFTLOWER", "RIGHTLOWER", "CORE", "CORELOWER"), "form"),
    **dict.fromkeys(("LEFTSHAPE", "RIGHTSHAPE", "CORESHAPE", "CASE"), "shape"),
    **dict.fromkeys(("LEAD", "TAIL", "DOTTED"), "marks"),
    "COREEND": "ending",
    "LENGTH": "length",
    "CUT": "cuts",
    "SPACE": "space",
    "INSIDE": "space",
}
"""What attributes are about, in the words of a reader."""
SPECIAL_FIRST = (
    *("rareness", "form", "lemma", "words between", "children", "head", "neighbours", "dictionary", "cuts"),
    *("case of the sentence", "ending", "beginning", "shape", "marks", "length", "morphology", "label", "distance"),
    *("tag", "direction", "space"),
)
"""A feature that looks at several attributes is told by the first of these."""
ORDER = {name: at for at, name in enumerate(SPECIAL_FIRST)}
BETWEEN = "BETWEEN"
PLURALS = {name: f"{name}s" for name in ("form", "lemma", "tag", "label", "beginning", "ending", "shape")}
"""What attributes are called where several words have them."""
EVERYTHING = "every case"
"""What a feature is about that looks at nothing."""
BESIDE = ("SIDE", "DISTANCE")
"""Attributes with which features are repeated: those that differ in nothing else stand together."""


class Look(NamedTuple):
    """What a feature looks at."""

    words: tuple[str, ...] = ()
    """The words as they are shown; none for features of every choice."""
    attribute: str = EVERYTHING
    """What of them, such as `tag`; of several the most special one."""
    places: tuple[str, ...] = ()
    """Where they stand, such as `STACK0` or `CHILD`, whatever the sentence."""

    @property
    def of_places(self) -> str:
        """The look whatever the sentence: `CHILD & PARENT: tags`."""
        attribute = plural(self.attribute, len(self.places))
        return f"{' & '.join(self.places)}: {attribute}" if self.places else attribute


def plural(attribute: str, words: int) -> str:
    """What an attribute is called of so many words."""
    return PLURALS.get(attribute, attribute) if words > 1 else attribute


class TermValue(NamedTuple):
    """A term of a feature with its value; None where it has none."""

    term: str
    value: str | None

    def __str__(self) -> str:
        return self.term if self.value is None else f"{self.term}={self.value}"


class FeatureName(str):
    """A feature with its values as one string that also knows its terms."""

    terms: tuple[TermValue, ...]
    __slots__ = ("terms",)

    def __new__(cls, terms: Iterable[TermValue], empty: str = "") -> FeatureName:
        """`empty` is the name of a feature without terms."""
        terms = tuple(terms)
        found = super().__new__(cls, " & ".join(map(str, terms)) or empty)
        found.terms = terms
        return found

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.terms, str(self)


def anchors_of(terms: Iterable[Term]) -> tuple[Address, ...]:
    """The places that terms start from, each once, in order: a child or a neighbour counts for the word it belongs to.

    >>> from headway.features.language import parse
    >>> [feature] = parse("POS(QUEUE0 lc) & POS(STACK0) & POS(QUEUE0)")
    >>> [str(anchor) for anchor in anchors_of(feature.terms)], attribute_of(feature.terms)
    (['QUEUE0', 'STACK0'], 'children')
    """
    found = {Address(one.place, one.index) for term in terms for one in term.addresses}
    return tuple(sorted(one for one in found if one.place != BETWEEN))


def attribute_of(terms: Iterable[Term]) -> str:
    """The most special attribute that terms look at, in words."""
    families = [family_of(term) for term in terms]
    if not families:
        return EVERYTHING
    return min(families, key=lambda one: ORDER.get(one, -1))


def family_of(term: Term) -> str:
    """What a term is about."""
    address = term.addresses[0]
    if address.place == BETWEEN:
        return "words between"
    if address.path:
        only = {*address.path} <= NEIGHBOURS
        return "neighbours" if only else "head" if address.path[-1] == "h" else "children"
    name, _, own = term.attribute.partition(":")
    if own and name != "FEATS":
        return own
    name = name.rstrip("0123456789")
    return FAMILIES.get(name, name.lower())
