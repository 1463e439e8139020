"""The families whose features can be searched for: their scores, where a search begins, what features look at."""

from __future__ import annotations

from typing import NamedTuple

from headway.features.language import Address

PAPER = ("POS", "LEX", "DEP")
"""The attributes of Nilsson and Nugues (2010)."""
EXTENDED = (*PAPER, "UPOS", "LEMMA", "FEATS", "SUFFIX2", "SUFFIX3")
DECIDED = ("UPOS", "XPOS", "FEATS")
"""What taggers decide, and so know of earlier words only."""
WORDS = (
    *("FORM", "LOWER", "SHAPE", "PREFIX1", "PREFIX2", "PREFIX3", "SUFFIX1", "SUFFIX2", "SUFFIX3", "SUFFIX4"),
    *("KNOWN", "LOWERKNOWN", "LIKELY", "ANALYSES", "AGREES"),
    *DECIDED,
)
FORMS = (
    *("SHAPE", "LOWER", "PREFIX1", "PREFIX2", "PREFIX3", "SUFFIX1", "SUFFIX2", "SUFFIX3", "SUFFIX4", "SUFFIX5"),
    *DECIDED,
)
CUT = "CUT"
"""What segmenters decide."""
CHARACTERS = (
    *("FORM", "SHAPE", "SPACE", "INSIDE", "LEFT", "RIGHT", "LEFTLOWER", "RIGHTLOWER", "LEFTSHAPE", "RIGHTSHAPE", CUT),
    *("LOWER", "LEAD", "TAIL", "CORE", "CORELOWER", "CORESHAPE", "COREEND", "LENGTH", "CASE", "DOTTED"),
)
SETS = {"paper": PAPER, "extended": EXTENDED, "words": WORDS, "forms": FORMS, "characters": CHARACTERS}
"""Names for several attributes."""


class SearchedFamily(NamedTuple):
    """What a search must know of a family."""

    metrics: tuple[str, ...]
    """The scores of a candidate; the last one is improved where nothing else is asked for."""
    attributes: str
    """The set of attributes that is searched by default."""
    first: tuple[Address, ...]
    """The places at which a search without any feature begins."""
    decided: tuple[str, ...] = ()
    """Attributes that the stage decides about: features may look at those of earlier words."""


TREES = ("UAS", "LAS")
WORD = (Address("WORD", 0),)
FAMILIES = {
    "transition": SearchedFamily(TREES, "paper", (Address("QUEUE", 0),)),
    "graph": SearchedFamily(TREES, "paper", (Address("CHILD", 0), Address("PARENT", 0))),
    "tagger": SearchedFamily(("UPOS", "AllTags"), "words", WORD, DECIDED),
    "lemmatizer": SearchedFamily(("Lemmas",), "forms", WORD),
    "segmenter": SearchedFamily(("Tokens", "Segments"), "characters", (Address("CHAR", 0),), (CUT,)),
}
METRICS = tuple(dict.fromkeys(name for family in FAMILIES.values() for name in reversed(family.metrics)))
"""All scores that a search can improve."""
