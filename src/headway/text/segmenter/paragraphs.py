"""Paragraphs of a text that comes in chunks, in memory that does not grow with its length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from headway.base.errors import HeadwayError
from headway.text.segmenter.characters import stripped

SPACE = r"[\s\0\ufeff]"
SPACES = re.compile(f"{SPACE}*")
BREAK = re.compile(r"\n[^\S\n]*\n")
LINE = re.compile(r"\n")
WINDOW = 1 << 16
"""Characters of a paragraph that are looked at together."""
MOST_SPACES = 1 << 20
TRIM = 1 << 18


class Stretch(NamedTuple):
    """Some text without spaces around it, and the spaces after it."""

    text: str
    spaces: str
    is_new: bool
    """Whether a paragraph begins with it."""
    is_whole: bool
    """Whether it goes to the end of its paragraph; else only some of it is good to be taken."""


class Paragraphs:
    """The stretches of a text: whole paragraphs, and windows of long ones.

    Of a window, `keep` says how much was taken; the rest comes again. Blank lines end paragraphs; with `lines`, every
    line end does. What is found does not depend on how the text is cut into chunks.
    """

    def __init__(self, chunks: Iterable[str], *, lines: bool = False) -> None:
        self._chunks = iter(chunks)
        self._break = LINE if lines else BREAK
        self._text, self._at, self._ended = "", 0, False
        self._is_new = True
        self.before = ""
        """Spaces before the first stretch."""

    def __iter__(self) -> Iterator[Stretch]:
        self.before = self._spaces(0)
        self._at = len(self.before)
        while True:
            self._fill(WINDOW + 1)
            if self._at == len(self._text):
                return
            yield self._next()

    def keep(self, stretch: Stretch, size: int) -> str:
        """Only the first characters of the last stretch are taken; the spaces after them."""
        self._at -= len(stretch.text) - size
        spaces = self._spaces(self._at)
        self._at += len(spaces)
        self._is_new = False
        return spaces

    def _next(self) -> Stretch:
        found = self._break.search(self._text, self._at, self._at + WINDOW)
        end = self._at + WINDOW if found is None else found.start()
        text = stripped(self._text[self._at : end])
        spaces = self._spaces(self._at + len(text))
        after = self._at + len(text) + len(spaces)
        is_whole = found is not None or self._break.search(spaces) is not None or after == len(self._text)
        stretch = Stretch(text, spaces if is_whole else "", self._is_new, is_whole)
        self._at += len(stretch.text) + len(stretch.spaces)
        self._is_new = is_whole
        return stretch

    def _spaces(self, at: int) -> str:
        """All spaces from a place on, however many chunks they fill."""
        ahead = at - self._at
        while True:
            at = self._at + ahead
            found = SPACES.match(self._text, at)
            assert found is not None
            size = found.end() - at
            if size > MOST_SPACES:
                what = f"more than {MOST_SPACES:,} spaces and blank lines stand together"
                raise HeadwayError(f"{what}, which no cell can hold; remove some of them")
            if found.end() < len(self._text) or self._ended:
                return found.group()
            self._fill(ahead + size + 1)

    def _fill(self, size: int) -> None:
        """Read until there are so many characters ahead."""
        if len(self._text) - self._at >= size or self._ended:
            return
        pieces = [self._text[self._at :]]
        self._at = 0
        total = len(pieces[0])
        while total < max(size, TRIM):
            piece = next(self._chunks, None)
            if piece is None:
                self._ended = True
                break
            pieces.append(piece)
            total += len(piece)
        self._text = "".join(pieces)
