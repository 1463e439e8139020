"""Text that comes as a whole or in chunks, strings or bytes: decoded, checked, and cut into paragraphs.

What is not text is refused with its place, or replaced. Memory does not grow with the length of the text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from headway.base.errors import FormatError, HeadwayError, ReadingReport, described, half, not_utf8
from headway.data.placing import ALL_SPACES

Text = str | bytes | Iterable[str] | Iterable[bytes]
"""A text as a whole or in chunks."""
AT_ONCE = 1 << 16
MARK = "\ufeff"
FEWEST, BINARY = 4, 0.1
"""How many NUL bytes, and what share of them, make a chunk something else than text."""
SPACE = r"[\s\0\ufeff]"
SPACES = re.compile(f"{SPACE}*")
BREAK = re.compile(r"\n[^\S\n]*\n")
LINE = re.compile(r"\n")
WINDOW = 1 << 16
"""Characters of a paragraph that are looked at together."""
MOST_SPACES = 1 << 20
TRIM = 1 << 18


def decoded(text: Text, report: ReadingReport) -> Iterator[str]:
    """The characters of a text, some thousands at a time, without a byte-order mark at the start.

    What is not UTF-8 is refused; with `on_error="skip"` it is replaced by U+FFFD, and a note says so.
    """
    is_first = True
    for piece in _pieces(text, _Decoder(report)):
        if is_first and piece.startswith(MARK):
            report.is_marked = True
            report.note("a byte-order mark at the start was left out")
        yield piece.removeprefix(MARK) if is_first else piece
        is_first = is_first and not piece


def _pieces(text: Text, decoder: _Decoder) -> Iterator[str]:
    for chunk in [text] if isinstance(text, (str, bytes)) or not isinstance(text, Iterable) else text:
        if not isinstance(chunk, (str, bytes)):
            raise HeadwayError(f"expected text, got {described(chunk)}; give a string, bytes, or chunks of either")
        for at in range(0, len(chunk), AT_ONCE):
            yield decoder.decoded(chunk[at : at + AT_ONCE])
    yield decoder.rest()


class _Decoder:
    """Decodes chunk by chunk, and knows where it is."""

    def __init__(self, report: ReadingReport) -> None:
        self.report = report
        self.skips = report.on_error == "skip"
        self.line, self.offset = 1, 0
        self.held = b""

    def decoded(self, chunk: str | bytes) -> str:
        """The characters of a chunk; the bytes of an unfinished one wait for the next chunk."""
        found = self._string(chunk) if isinstance(chunk, str) else self._bytes(self.held + chunk, final=False)
        self.line += found.count("\n")
        return found

    def rest(self) -> str:
        """What an unfinished character at the end comes to."""
        return self._bytes(self.held, final=True) if self.held else ""

    def _bytes(self, chunk: bytes, *, final: bool) -> str:
        nulls = chunk.count(0)
        if nulls >= FEWEST and nulls > BINARY * len(chunk) and not self.skips:
            what = f"{nulls:,} NUL bytes from byte {self.offset + 1:,} on are not text"
            remedy = "give text in UTF-8; convert UTF-16, for example with iconv"
            raise FormatError(self.report.source, self.line, what, remedy)
        try:
            text, used = codecs.utf_8_decode(chunk, "strict", final)
        except UnicodeDecodeError as error:
            what = f"{not_utf8(chunk, error.start)} (byte {self.offset + error.start + 1:,}) is not UTF-8"
            remedy = "convert the text, for example with iconv, or have such bytes replaced with --on-error skip"
            note = "bytes that are not UTF-8 were replaced by U+FFFD"
            self._refuse(chunk.count(b"\n", 0, error.start), what, remedy, note)
            text, used = codecs.utf_8_decode(chunk, "replace", final)
        self.held = chunk[used:]
        self.offset += used
        return text

    def _string(self, chunk: str) -> str:
        if self.held:
            raise HeadwayError("a chunk of bytes ends inside a character and a string follows; give all as one kind")
        try:
            chunk.encode()
        except UnicodeEncodeError as error:
            remedy = "decode the text anew, or have it replaced with on_error='skip'"
            note = "halves of characters (lone surrogates) were replaced by U+FFFD"
            self._refuse(chunk.count("\n", 0, error.start), f"{half(chunk[error.start])} is not UTF-8", remedy, note)
            return chunk.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        return chunk

    def _refuse(self, lines: int, what: str, remedy: str, note: str) -> None:
        """Refuse what stands so many lines on, or note that it was replaced."""
        if not self.skips:
            raise FormatError(self.report.source, self.line + lines, what, remedy) from None
        self.report.note(note)


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
        text = self._text[self._at : end].rstrip(ALL_SPACES)
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
