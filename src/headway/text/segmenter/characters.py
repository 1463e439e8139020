"""What kind of character each one is, and text made ready for the kernels that look for places to cut it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.data.placing import is_space

Codes = NDArray[np.uint32]
CLASSES = 128
"""ASCII punctuation marks are classes of their own, with their own numbers; all else has smaller ones."""
SPACE, LOWER_CASE, UPPER_CASE, LETTER, IDEOGRAPH, HIRAGANA, KATAKANA, DIGIT, NUMBER, MARK, FORMAT = range(1, 12)
OTHER = 24
CATEGORIES = {"Ll": LOWER_CASE, "Lu": UPPER_CASE, "Lt": UPPER_CASE, "Lo": LETTER, "Lm": LETTER, "Nd": DIGIT}
CATEGORIES |= {"Nl": NUMBER, "No": NUMBER, "Mn": MARK, "Mc": MARK, "Me": MARK, "Cf": FORMAT}
CATEGORIES |= zip(
    ("Ps", "Pe", "Pi", "Pf", "Pd", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Cc"), range(12, OTHER), strict=True
)
"""The classes of Unicode's categories."""
SCRIPTS = {"CJK": IDEOGRAPH, "HIRAGANA": HIRAGANA, "KATAKANA": KATAKANA}
BOUND = (MARK, FORMAT)
"""Characters that belong to the one before them, such as accents and joiners."""
ALL_CODES = 0x110000


class Table:
    """A number for every character, found when it is first met."""

    def __init__(self, of: Callable[[str], int], kind: type[np.generic]) -> None:
        self._of, self._numbers = of, np.zeros(ALL_CODES, kind)
        self._known = np.zeros(ALL_CODES, np.bool_)

    def __getitem__(self, codes: Codes) -> NDArray[Any]:
        known = self._known[codes]
        if not known.all():
            for code in {*codes[~known].tolist()}:
                self._numbers[code] = self._of(chr(code))
                self._known[code] = True
        return self._numbers[codes]


def class_of(character: str) -> int:
    """The class of a character."""
    if is_space(character):
        return SPACE
    category = unicodedata.category(character)
    if character.isascii() and character.isprintable() and not character.isalnum():
        return ord(character)
    if category in ("Lo", "Lm"):
        return SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0], LETTER)
    return CATEGORIES.get(category, OTHER)


def lowered(text: str) -> str:
    """The text in lower case, character by character, as kernels have it."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(chr(_lower(character)) for character in text)


def _lower(character: str) -> int:
    small = character.lower()
    return ord(small) if len(small) == 1 else ord(character)


CLASS_TABLE = Table(class_of, np.uint8)
LOWER_TABLE = Table(_lower, np.uint32)


@cache
def compiled(pattern: str) -> Any:
    """A regular expression of the library `regex`, which is imported for the text that needs it."""
    import regex

    return regex.compile(pattern)


def codes_of(text: str) -> Codes:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of a text in which runs of spaces are one space; see `kernels/text/characters.pyx`."""

    codes: Codes
    classes: NDArray[np.uint8]
    offsets: Ints
    origin: Ints
    """Where each character stands in the text."""

    @classmethod
    def of(cls, codes: Codes, begins: Sequence[int], ends: Sequence[int]) -> Stretches:
        """Those of a text with these beginnings and ends, none of which begins or ends with a space."""
        classes = CLASS_TABLE[codes]
        spaces = classes == SPACE
        kept = np.zeros(len(codes), np.bool_)
        for begin, end in zip(begins, ends, strict=True):
            kept[begin:end] = True
        kept[1:] &= ~(spaces[1:] & spaces[:-1])
        counts = np.concatenate([[0], np.cumsum(kept)])
        offsets = np.concatenate([[0], counts[np.asarray(ends, np.int64)]]).astype(np.int32)
        origin = np.flatnonzero(kept).astype(np.int32)
        found, kinds = codes[origin], classes[origin]
        found[kinds == SPACE] = ord(" ")
        return cls(found, kinds, offsets, origin)

    @property
    def lower(self) -> Codes:
        """The same in lower case."""
        found: Codes = LOWER_TABLE[self.codes]
        return found

    def ends(self, places: Ints) -> Ints:
        """Where in the text a token ends that is cut at each of these places."""
        ends: Ints = self.origin[places - 1] + 1
        return ends
