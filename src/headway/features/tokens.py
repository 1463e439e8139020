"""The words and marks of a text in the feature language, one after the other; errors point to line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from headway.base.errors import FormatError, shown

TOKEN = re.compile(r"(?P<word>[\w:\[\]]+(?:[+-][0-9]+)?)|(?P<mark>[&(),;=])|(?P<end>\n)|(?P<bad>\S)")


@dataclass(frozen=True)
class SourceToken:
    """A word, a mark or the end of a line, and where it stands."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return "the end of the line" if self.text == "\n" else shown(self.text)


class SourceTokens:
    """The tokens of a text and which of them comes next."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.tokens = list(self._tokens(text))
        self.at = 0

    def _tokens(self, text: str) -> Iterator[SourceToken]:
        """Words, marks and the end of each line; the last token is the end of the last line."""
        for number, line in enumerate(text.split("\n"), 1):
            for match in TOKEN.finditer(line.partition("#")[0] + "\n"):
                token = SourceToken(match.group(), number, match.start() + 1)
                if match["bad"]:
                    self.refuse(token, f"{token} has no meaning here", "a feature looks like POS(STACK0) & LEX(QUEUE0)")
                yield token

    def refuse(self, token: SourceToken, what: str, remedy: str) -> NoReturn:
        """Say what is wrong with a token."""
        raise FormatError(self.source, token.line, f"column {token.column}: {what}", remedy)

    @property
    def token(self) -> SourceToken:
        """The next token."""
        return self.tokens[self.at]

    def take(self, wanted: str | None = None) -> SourceToken:
        """The next token, which is then behind us; another one than `wanted` is refused."""
        token = self.token
        if wanted is not None and token.text != wanted:
            what = f"{token} where {SourceToken(wanted, 0, 0)} should be"
            self.refuse(token, what, "check parentheses, commas and line ends")
        self.at += 1
        return token

    def word(self, wanted: str) -> SourceToken:
        """The next token, which must be a word."""
        if TOKEN.fullmatch(self.token.text)["word"] is None:  # type: ignore[index]
            self.refuse(self.token, f"{self.token} where {wanted} should be", "a feature looks like POS(STACK0)")
        return self.take()

    def skip_lines(self) -> None:
        """Go on after the ends of lines."""
        while self.at < len(self.tokens) - 1 and self.token.text == "\n":
            self.at += 1
