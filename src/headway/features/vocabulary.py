"""The words of the feature language: steps, attributes, places, and what they mean."""

from __future__ import annotations

import re

STEPS = {
    "h": "head",
    "lc": "leftmost child",
    "rc": "rightmost child",
    "ls": "next sibling to the left",
    "rs": "next sibling to the right",
    "pw": "previous word",
    "fw": "following word",
    "ld": "leftmost of the children to the left",
    "rd": "rightmost of the children to the right",
    "ld2": "second leftmost of the children to the left",
    "rd2": "second rightmost of the children to the right",
}
ALIASES = {"LEX": "FORM", "CPOS": "UPOS", "POS": "XPOS"}
ATTRIBUTES = {
    "FORM": "the word (also LEX)",
    "LOWER": "the word in lower case",
    "LEMMA": "its lemma",
    "UPOS": "universal or coarse tag (also CPOS)",
    "XPOS": "the treebank's own tag (also POS)",
    "FEATS": "all morphological features as one value",
    "FEATS:Name": "the value of one feature, as in FEATS:Case",
    "MISC:Name": "the value of a column of your own, as in MISC:Domain for Domain=news in MISC",
    "MY:name": "what a Python function of your own gives the word, registered under that name",
    "FEAT": "each morphological feature as a feature of its own",
    "DEP": "label of the arc to the head that has been found",
    "PREFIXn": "first n characters of the word",
    "SUFFIXn": "last n characters of the word",
    "LEFT": "number of children to the left (valency)",
    "RIGHT": "number of children to the right (valency)",
    "DISTANCE": "distance between two nodes: DISTANCE(STACK0, QUEUE0)",
}
ARC_ATTRIBUTES = {
    "SIDE": "whether the child stands before or after its parent: SIDE(PARENT, CHILD)",
    "LABEL": "the label that the arc may get: LABEL(CHILD)",
}
"""What only graph parsers know."""
ARC_PLACES = {
    "PARENT": "the head of the arc",
    "CHILD": "its dependent",
    "SIBLING": "the child of the same head, on the same side, next to the child and nearer to the head",
    "BETWEEN": "each word between parent and child",
}
PAIR_PLACES = {
    "FIRST": "the one of two words that stands before the other",
    "SECOND": "the other",
    "BETWEEN": "each word between them",
}
NAMED_PLACES = {**ARC_PLACES, **PAIR_PLACES}
SEQUENCE_PLACES = {
    "WORD": "the word to decide about; WORD-1 is the one before it, WORD+2 the second after it",
    "CHAR": "the character to decide about, and its neighbours in the same way",
    "CHUNK": "what stands between two spaces around the character, and its neighbours",
}
CHARACTER_ATTRIBUTES = {
    "SPACE": "nothing but that a space follows the character; a feature with it is left out where none does",
    "INSIDE": "nothing but that no space follows the character",
    "LEFTSHAPE": "the shape of what the chunk has up to the character; LEFT(CHAR) is that itself",
    "RIGHTSHAPE": "the shape of what it has behind the character; RIGHT(CHAR) is that itself",
    "LEFTLOWER": "what the chunk has up to the character, in lower case",
    "RIGHTLOWER": "what it has behind the character, in lower case",
    "LEAD": "the marks before the first letter or digit of a chunk",
    "TAIL": "the marks behind its last letter or digit",
    "CORE": "what is between these marks",
    "CORELOWER": "the core in lower case",
    "CORESHAPE": "the shape of the core",
    "COREEND": "the last three characters of the core",
    "LENGTH": "how many characters the core has, up to six",
    "CASE": "how the core begins: the first parts of its shape",
    "DOTTED": "whether there are full stops in the core",
    "CUT": "what was decided: inside of a token, end of a token, end of a sentence",
}
"""What only segmenters know."""
WORD_ATTRIBUTES = {
    "SHAPE": "upper and lower case, digits and other characters of the word",
    "KNOWN": "the tags that the word had in the treebank, written as it is here",
    "LOWERKNOWN": "the tags that it had, in whatever case",
    "LIKELY": "its most frequent tag, and how sure that is",
    "ANALYSES": "all analyses that it had, with their morphological features",
    "AGREES": "the case, number and gender that it may have, by itself or, if it is new, by its end",
    "LEXICON": "the tags that a lexicon gives it",
    "CASED": "how long its sentence is, and how much of it is written in upper case",
    "RARE": "nothing but that the word is rare; a feature with it is left out for frequent words",
}
SEQUENCE_ATTRIBUTES = {**WORD_ATTRIBUTES, **CHARACTER_ATTRIBUTES}
"""What only taggers and their like know, beside words, their pieces and what was decided before."""
NAMES = (*ATTRIBUTES, *ARC_ATTRIBUTES, *SEQUENCE_ATTRIBUTES, *ALIASES)
PLACES = (
    f"STACK0 to STACK99, QUEUE0 to QUEUE99, for graph parsers {', '.join(ARC_PLACES)}, "
    f"for pairs of words {', '.join(PAIR_PLACES)}, "
    f"for sequences {', '.join(f'{name}-99 to {name}+99' for name in SEQUENCE_PLACES)}"
)
"""Where features may look, for errors."""
PLACE = re.compile(
    rf"(STACK|QUEUE)([0-9]{{1,2}})|({'|'.join(NAMED_PLACES)})|({'|'.join(SEQUENCE_PLACES)})([+-][0-9]{{1,2}})?"
)
ATTRIBUTE = re.compile(
    r"FORM|LOWER|LEMMA|UPOS|XPOS|FEATS(:[\w\[\]]+)?|(MISC|MY):[\w\[\]]+|FEAT|DEP|(PREFIX|SUFFIX)([1-9]|1[0-2])|LEFT|RIGHT|DISTANCE|SIDE|LABEL|"
    + "|".join(SEQUENCE_ATTRIBUTES)
)
