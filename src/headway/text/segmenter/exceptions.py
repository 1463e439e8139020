r"""Tokens that users know better: abbreviations that never end a sentence, and how tokens are cut.

    z.B.
    et al.
    gonna           gon na
    zum             zu dem
    don't           do n't          multiword
    [A-Z]+-\d+                      pattern

Each line has a token, as it stands in the text. It is one token, and no sentence ends with it inside of a paragraph.
Behind a tab stand its parts, with spaces between them: parts that put together are the token become tokens of their
own, others words of a multiword token; a third column `multiword` makes them words in any case. With `pattern` in the
third column and none in the second, all that a regular expression finds between two spaces is a token, and a sentence
may end with it. `#` begins a comment at the start of a line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import regex
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import FormatError, HeadwayError, shown
from headway.base.files import assure_path, name_of
from headway.data.batch import Ints
from headway.text.lexicon import numbered_lines
from headway.text.segmenter import ENDS, JOINED, STOP, TOKEN_ENDS
from headway.text.segmenter.characters import Codes, Stretches
from headway.text.segmenter.multiword_tokens import keys_of_tokens, side_by_side
from headway.text.sequence.deciding import EVERYTHING

if TYPE_CHECKING:
    from headway.text.segmenter.writer import Found

MULTIWORD, PATTERN = "multiword", "pattern"
WINDOW, PATIENCE = 1000, 0.1
"""How many characters without a space a pattern sees at most, and how many seconds it may take for them."""
CHUNK = re.compile(rf"[^ ]{{1,{WINDOW}}}")


@dataclass(frozen=True)
class ExceptionEntry:
    """How one token is to be cut."""

    tokens: tuple[str, ...] = ()
    """The tokens that it is cut into; empty if it is one token."""
    words: tuple[str, ...] = ()
    """The words of a multiword token."""


@dataclass(frozen=True, eq=False)
class Exceptions(PickledByFields):
    """Tokens that users know better, with how each is cut."""

    entries: Mapping[str, ExceptionEntry]
    patterns: tuple[str, ...] = ()
    """Regular expressions whose matches are tokens."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.patterns)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """A pattern of all tokens, the longest first; no letter or digit may stand right beside them."""
        ordered = sorted(self.entries, key=len, reverse=True)
        return re.compile("|".join(map(_bounded, ordered)))

    def restricted(
        self, text: Stretches, solid: NDArray[np.bool_], start: Ints, places: Ints, sets: Ints
    ) -> tuple[Ints, Ints, Ints]:
        """The places of stretches, with those that exceptions need added and the choices they forbid removed.

        What begins or ends at a place that is `solid` is no exception, but part of something else.
        """
        wanted: dict[int, int] = {}
        whole = text.codes.tobytes().decode("utf-32-le")
        for first, last in zip(text.offsets[:-1].tolist(), text.offsets[1:].tolist(), strict=True):
            for begin, end in self._matched(whole, first, last):
                if not (solid[begin] or solid[end]):
                    _join(wanted, whole, begin, end, first)
                    wanted[end] = _both(wanted.get(end, EVERYTHING), ENDS if end < last else STOP)
            for match in self._pattern.finditer(whole, first, last) if self.entries else ():
                if not (solid[match.start()] or solid[match.end()]):
                    self._ask(wanted, match, first, last)
        if not wanted:
            return start, places, sets
        known = dict(zip(places.tolist(), sets.tolist(), strict=True))
        for place, asked in wanted.items():
            known[place] = _both(known.get(place, EVERYTHING), asked)
        ordered = np.array(sorted(known), np.int32)
        begins = np.searchsorted(ordered, text.offsets, "right").astype(np.int32)
        begins[0] = 0
        return begins, ordered, np.array([known[place] for place in ordered.tolist()], np.int32)

    def _ask(self, wanted: dict[int, int], match: re.Match[str], first: int, last: int) -> None:
        entry = self.entries[match.group()]
        begin, end = match.span()
        _join(wanted, match.string, begin, end, first)
        at = begin
        for token in entry.tokens[:-1]:
            at += len(token)
            wanted[at] = TOKEN_ENDS
        wanted[end] = TOKEN_ENDS if end < last else STOP

    def _matched(self, text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Where patterns match in a stretch, between two spaces."""
        for chunk in CHUNK.finditer(text, first, last) if self.patterns else ():
            for number, pattern in enumerate(self._compiled):
                try:
                    for match in pattern.finditer(chunk.group(), timeout=PATIENCE):
                        if match.end() > match.start():
                            yield chunk.start() + match.start(), chunk.start() + match.end()
                except TimeoutError:
                    what = f"the pattern {shown(self.patterns[number])} takes too long in {shown(chunk.group())}"
                    raise HeadwayError(f"{what}; write it without repetitions inside of repetitions") from None

    @cached_property
    def _compiled(self) -> list[regex.Pattern[str]]:
        return [regex.compile(pattern) for pattern in self.patterns]

    def words(self, codes: Codes, found: Found) -> dict[int, list[str] | None]:
        """The words of tokens by their numbers, None for tokens that are one word."""
        given: dict[int, list[str] | None] = {}
        keys = keys_of_tokens(codes, found.begins, found.ends, 0)
        for token in np.flatnonzero(np.isin(keys, self._keys)).tolist():
            form = codes[found.begins[token] : found.ends[token]].tobytes().decode("utf-32-le")
            entry = self.entries.get(form)
            if entry is not None:
                given[token] = list(entry.words) or None
        return given

    @cached_property
    def _keys(self) -> NDArray[np.uint64]:
        """The keys of their tokens, so that few tokens of a text must be looked at."""
        return keys_of_tokens(*side_by_side(self.entries), 0)


def _join(wanted: dict[int, int], text: str, begin: int, end: int, first: int) -> None:
    """Ask for a token from `begin` to `end` in a stretch that begins at `first`."""
    for place in range(begin + 1, end):
        wanted[place] = JOINED
    if begin > first and text[begin - 1] != " ":
        wanted[begin] = _both(wanted.get(begin, EVERYTHING), ENDS)


def _bounded(token: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", token) else ""
    behind = r"(?!\w)" if re.search(r"\w\Z", token) else ""
    return f"{before}{re.escape(token)}{behind}"


def _both(one: int, other: int) -> int:
    """The set of what two sets allow."""
    if one == other or other == EVERYTHING:
        return one
    if one == EVERYTHING:
        return other
    return STOP if STOP in (one, other) else TOKEN_ENDS if TOKEN_ENDS in (one, other) else other


def exceptions_from(lines: Iterable[str], source: str = "<exceptions>") -> Exceptions:
    """Read exceptions from lines of text; `source` is what errors call them."""
    entries: dict[str, ExceptionEntry] = {}
    patterns: list[str] = []
    for number, line in enumerate(lines, 1):
        token, *columns = (column.strip() for column in line.rstrip("\n").split("\t"))
        if line.startswith("#") or not (token or columns):
            continue
        if token and columns == ["", PATTERN]:
            patterns.append(_assured(token, source, number))
            continue
        if not token or len(columns) > 2 or (len(columns) == 2 and columns[1] != MULTIWORD):
            what = f"expected a token, or a token, a tab and its parts, got {shown(line.strip())}"
            raise FormatError(source, number, what, f"a third column is {MULTIWORD!r}, or {PATTERN!r} beside no parts")
        if columns and len(columns[0].split()) < 2:
            what = f"{shown(token)} has {shown(columns[0])} as its only part"
            raise FormatError(source, number, what, "give two parts or more with spaces between them, or none")
        token, parts = " ".join(token.split()), tuple(columns[0].split()) if columns else ()
        are_tokens = len(columns) < 2 and "".join(parts) == token
        entry = ExceptionEntry(tokens=parts) if are_tokens else ExceptionEntry(words=parts)
        if entries.setdefault(token, entry) != entry:
            raise FormatError(source, number, f"{shown(token)} is cut in two ways", "keep one of the lines")
    return Exceptions(entries, tuple(patterns))


def _assured(pattern: str, source: str, number: int) -> str:
    """A regular expression; what is none is refused."""
    try:
        regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as error:
        what = f"{shown(pattern)} is no regular expression ({error})"
        raise FormatError(source, number, what, "write it as Python's module regex reads it") from None
    return pattern


def read_exceptions(path: str | os.PathLike[str]) -> Exceptions:
    """Read exceptions from a file."""
    assure_path(path, "a file of exceptions")
    return exceptions_from((line for _, line in numbered_lines(path, "the exceptions")), name_of(path))
