"""What somebody wants to have parsed: a treebank in any format, text, or words without anything else.

| input | what it is |
|---|---|
| `text` | running text; blank lines end paragraphs |
| `sentences` | text with one sentence on each line |
| `tokens` | one sentence on each line, its words with spaces between them |
| `vertical` | one word on each line, a blank line after each sentence |
| `conllu` | a treebank: CoNLL-U, or any other format that has columns or brackets |

The rule where nobody says which: a file whose name ends in `.txt` is text; so is one whose first line that is neither
blank nor a comment has no columns and no brackets of trees. Everything else is a treebank.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from headway.base.errors import FormatError, HeadwayError, known, shown
from headway.base.files import CHUNK, COMPRESSED
from headway.data.batch import Batch, scan
from headway.data.formats import registry, tabular
from headway.data.formats.format import CONLLU
from headway.data.formats.problems import ReadingReport
from headway.data.formats.reading import MOST_BLANK, Reader, beginning, replayed

TEXT, SENTENCES, TOKENS, VERTICAL, TREEBANK = INPUTS = ("text", "sentences", "tokens", "vertical", "conllu")
FIRST = 1 << 20
"""Bytes from which one can tell what a file is, also where it is all one line."""
AT_ONCE = 256
"""Sentences of a batch."""
LONGEST = 1 << 20
"""Words of a sentence in lists of words; more are no sentence."""
TREE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[^>\n]*>[^(<\n]*(?:\n\s*)?)*\(\s*(?:\(|[^\s()]+\s*\()")
"""A tree in brackets, not a remark in parentheses at the beginning of a text."""
NO_SEGMENTER = (
    "the model does not cut text into words: take one that was trained with --pipeline, or give one sentence a line"
    " with spaces between all words and --input tokens"
)


class Segments(Protocol):
    """The stage that text needs."""

    def segment(
        self,
        text: Iterable[bytes],
        *,
        ranges: bool = False,
        lines: bool = False,
        exceptions: Any = None,
        report: ReadingReport | None = None,
    ) -> Iterator[Batch]:
        """The sentences of a text, some hundred at a time."""


class InputReader(Reader):
    """A file to parse; see `Reader`. `input` is a name of `INPUTS`, or None for the rule above.

    With `ranges`, tokens of a text say in MISC where they stand in it. `exceptions` are tokens that the user knows
    better than the segmenter.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | IO[str] | IO[bytes],
        *,
        input: str | None = None,
        ranges: bool = False,
        exceptions: Any = None,
        **how: Any,
    ) -> None:
        super().__init__(path, **how)
        if input is not None and input not in INPUTS:
            raise HeadwayError(f"unknown kind of input {input!r}; {known(INPUTS)}")
        if input not in (None, TREEBANK) and how.get("format") is not None:
            raise HeadwayError(f"input {input!r} has no format {how['format']!r}; leave one of them out")
        self.input, self.ranges, self.exceptions = input, ranges, exceptions

    @property
    def writes(self) -> str:
        """The name that what is made of the file has in a folder: `story.conllu` for `story.txt`."""
        path = Path(self.path)
        packed = path.suffix if path.suffix in COMPRESSED else ""
        plain = Path(path.name.removesuffix(packed))
        is_text = registry.is_text(path.name)
        if is_text or self.input in (TEXT, SENTENCES, TOKENS, VERTICAL):
            return f"{plain.stem if is_text else plain.name}{CONLLU.suffixes[0]}{packed}"
        return path.name

    def batches(self, segmenter: Segments | None = None) -> Iterator[Batch]:
        """The sentences, some hundred at a time; text is cut by the segmenter."""
        kind, start, pieces = self._begun()
        report = self.report
        if not start.removeprefix(registry.BOM).strip() and len(start) < MOST_BLANK:
            report.note("the file is empty, so there is nothing to parse")
            return
        if kind == TREEBANK:
            yield from self._treebank(start, pieces)
            return
        whole = replayed(start, pieces)
        if kind in (TOKENS, VERTICAL):
            yield from word_batches(tabular.tidy(whole, report), report, vertical=kind == VERTICAL)
        elif segmenter is None:
            number, line = _first_line(start)
            raise FormatError(report.source, number, f"{shown(line)} is text, and it has to be cut first", NO_SEGMENTER)
        else:
            how = {"ranges": self.ranges, "exceptions": self.exceptions, "report": report}
            yield from segmenter.segment(whole, lines=kind == SENTENCES, **how)

    def text(self) -> Iterator[bytes]:
        """The bytes of a text, piece by piece; all else is refused."""
        kind, start, pieces = self._begun()
        if kind != TEXT:
            remedy = "give text, as `headway convert --to text` makes it of a treebank"
            raise FormatError(self.report.source, None, "these are sentences whose tokens are known", remedy)
        return replayed(start, pieces)

    def _begun(self) -> tuple[str, bytes, Iterator[bytes]]:
        """What the file is, its first bytes, and the rest."""
        self.report = ReadingReport(self.report.source, self.report.on_error)
        pieces = self._pieces()
        start = beginning(pieces, FIRST)
        kind = self.input or (TREEBANK if self.format else input_of(start, self.report.source))
        return kind, start, pieces


def input_of(start: bytes, source: str) -> str:
    """What a file is by its name and its first bytes: `TEXT` or `TREEBANK`."""
    if registry.is_text(source):
        return TEXT
    if registry.by_suffix(source) or TREE.match(start):
        return TREEBANK
    _, line = _first_line(start)
    return TREEBANK if registry.has_columns(line) else TEXT


def input_of_string(text: str) -> Literal["conllu", "text"]:
    """What a string is: a treebank where its first line has a number and the columns of CoNLL-U, else text."""
    pieces = (text[at : at + CHUNK].encode(errors="replace") for at in range(0, len(text), CHUNK))
    cells = _first_line(beginning(pieces, FIRST))[1].split(b"\t")
    return "conllu" if len(cells) == len(CONLLU.columns) and cells[0][:1].isdigit() else "text"


def _first_line(start: bytes) -> tuple[int, bytes]:
    """The first line that is neither blank nor a comment, and its number; the first of all where there is none."""
    lines = registry.lines_of(start)
    found = ((number, line) for number, line in enumerate(lines, 1) if line.strip() and not registry.is_comment(line))
    return next(found, (1, lines[0]))


def word_batches(chunks: Iterable[bytes], report: ReadingReport, *, vertical: bool) -> Iterator[Batch]:
    """Sentences of words and nothing else as batches of CoNLL-U.

    Words stand between spaces on a line for each sentence, or on lines of their own, where what follows a tab is left
    out, with blank lines between sentences.
    """
    lines = _lines(chunks, report)
    pending: list[bytes] = []
    for words in _stacked(lines, report) if vertical else _spread(lines):
        pending.append(_sentence(words))
        if len(pending) == AT_ONCE:
            yield _scanned(pending, report)
            pending = []
    if pending:
        yield _scanned(pending, report)


def _lines(chunks: Iterable[bytes], report: ReadingReport) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; one that is no text is refused, or left out."""
    held, number = b"", 0
    for chunk in chunks:
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            number += 1
            if _is_text(line, number, report):
                yield number, line
    if held and _is_text(held, number + 1, report):
        yield number + 1, held


def _is_text(line: bytes, number: int, report: ReadingReport) -> bool:
    fault = tabular.fault(line)
    if fault is not None:
        _, what, remedy = fault
        remedy = f"{remedy}, or leave such lines out with --on-error skip"
        report.problem(FormatError(report.source, number, what, remedy))
    return fault is None


def _spread(lines: Iterable[tuple[int, bytes]]) -> Iterator[list[bytes]]:
    """A sentence on each line."""
    for _, line in lines:
        if words := line.split():
            yield words


def _stacked(lines: Iterable[tuple[int, bytes]], report: ReadingReport) -> Iterator[list[bytes]]:
    """A word on each line."""
    words: list[bytes] = []
    for number, line in lines:
        word = line.partition(b"\t")[0].strip()
        if word:
            words.append(word)
            if len(words) > LONGEST:
                what = f"no blank line in the {len(words):,} words before"
                raise FormatError(report.source, number, what, "put one after each sentence")
        elif words:
            yield words
            words = []
    if words:
        yield words


def _sentence(words: list[bytes]) -> bytes:
    rows = [b"%d\t%b\t_\t_\t_\t_\t_\t_\t_\t_\n" % (number, word) for number, word in enumerate(words, 1)]
    return b"".join((b"# text = ", b" ".join(words), b"\n", *rows, b"\n"))


def _scanned(sentences: list[bytes], report: ReadingReport) -> Batch:
    batch, problems, _ = scan(b"".join(sentences), CONLLU, report.source)
    assert not problems, problems
    return batch
