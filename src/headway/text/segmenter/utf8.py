"""Text from strings, bytes and chunks of either, checked: what is not text is refused with its place, or replaced."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from headway.base.errors import FormatError, HeadwayError, ReadingReport, described, half, not_utf8

Text = str | bytes | Iterable[str] | Iterable[bytes]
"""A text as a whole or in chunks."""
AT_ONCE = 1 << 16
MARK = "\ufeff"
REPLACED = "bytes that are not UTF-8 were replaced by U+FFFD"
FEWEST, BINARY = 4, 0.1
"""How many NUL bytes, and what share of them, make a chunk something else than text."""


def decoded(text: Text, report: ReadingReport) -> Iterator[str]:
    """The characters of a text, some thousands at a time, without a byte-order mark at the start.

    What is not UTF-8 is refused; with `on_error="skip"` it is replaced by U+FFFD, and a note says so.
    """
    is_first = True
    for piece in _pieces(text, _Decoder(report)):
        if is_first and piece.startswith(MARK):
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
            if not self.skips:
                line = self.line + chunk.count(b"\n", 0, error.start)
                what = f"{not_utf8(chunk, error.start)} (byte {self.offset + error.start + 1:,}) is not UTF-8"
                remedy = "convert the text, for example with iconv, or have such bytes replaced with --on-error skip"
                raise FormatError(self.report.source, line, what, remedy) from None
            self.report.note(REPLACED)
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
            if not self.skips:
                line = self.line + chunk.count("\n", 0, error.start)
                what = f"{half(chunk[error.start])} is not UTF-8"
                remedy = "decode the text anew, or have it replaced with on_error='skip'"
                raise FormatError(self.report.source, line, what, remedy) from None
            self.report.note("halves of characters (lone surrogates) were replaced by U+FFFD")
            return chunk.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        return chunk
