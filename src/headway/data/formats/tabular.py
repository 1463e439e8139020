"""Reading any tab-separated format, or words and nothing else: bytes to batches, in constant memory.

Harmless problems are repaired with one note per file; others are errors, or with `on_error="skip"` a
sentence left out and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from headway.base.errors import FormatError, ReadingReport, not_utf8
from headway.data.batch import Batch, scan
from headway.data.formats.format import BOM, CONLLU, Format
from headway.data.formats.problems import explain

LONGEST = 1 << 26
"""Text without a blank line longer than this is no treebank (64 MiB)."""
AT_ONCE = 256
"""Sentences of words that make a batch."""
LONGEST_SENTENCE = 1 << 20
"""Words of a sentence in lists of words; more are no sentence."""
CARRIAGE_RETURNS = "carriage returns (CR) were read as line ends"
SPACED_BLANK_LINE = re.compile(rb"\n[ \t]+\n")
SENTENCE = re.compile(rb"(?:.+\n)+\n*")
SPACED_LINE = re.compile(rb"^[^\t\n#][^\t\n]*$", re.MULTILINE)


def batches(chunks: Iterable[bytes], form: Format, report: ReadingReport, *, partial: bool = False) -> Iterator[Batch]:
    """The sentences of a file, some hundred at a time; with `partial`, heads may be missing and are left alone."""
    line = 1
    for text in whole_sentences(tidy(chunks, report), report):
        yield from _scanned(_readable(text, report, line), form, report, line, partial)
        line += text.count(b"\n")


def tidy(chunks: Iterable[bytes], report: ReadingReport) -> Iterator[bytes]:
    """The chunks without byte-order mark and with plain line ends."""
    held = b""
    for number, piece in enumerate(chunks):
        chunk = held + piece
        if number == 0 and chunk.startswith(BOM):
            report.note("a byte-order mark at the start was left out")
            chunk = chunk.removeprefix(BOM)
        # CR and LF may fall into two chunks.
        held = b"\r" if chunk.endswith(b"\r") else b""
        chunk = chunk[: len(chunk) - len(held)]
        if b"\r\n" in chunk:
            report.note("Windows line ends (CR LF) were read as line ends")
            chunk = chunk.replace(b"\r\n", b"\n")
        if b"\r" in chunk:
            report.note(CARRIAGE_RETURNS)
            chunk = chunk.replace(b"\r", b"\n")
        yield chunk
    if held:
        report.note(CARRIAGE_RETURNS)
        yield b"\n"


def whole_sentences(chunks: Iterable[bytes], report: ReadingReport) -> Iterator[bytes]:
    """The same bytes cut after blank lines; each piece ends with one."""
    pending = bytearray()
    line = 1
    for chunk in chunks:
        # The two line ends of a blank line may fall into two chunks.
        seen = max(0, len(pending) - 1)
        pending += chunk
        end = pending.rfind(b"\n\n", seen)
        if end < 0:
            end = max((match.end() - 2 for match in SPACED_BLANK_LINE.finditer(pending, seen)), default=-1)
        if end >= 0:
            text = bytes(pending[: end + 2])
            del pending[: end + 2]
            yield text
            line += text.count(b"\n")
        elif len(pending) > LONGEST:
            raise FormatError(
                *(report.source, line, f"no blank line in the {len(pending) >> 20} MiB from here"),
                "separate sentences by blank lines",
            )
    if pending.strip():
        yield bytes(pending).rstrip(b"\n") + b"\n\n"
        if not pending.endswith(b"\n"):
            report.note("the last line has no line end; it was read all the same")
        else:
            report.note("no blank line follows the last sentence; it was read all the same")


def _scanned(text: bytes, form: Format, report: ReadingReport, line: int, partial: bool) -> Iterator[Batch]:
    batch, problems, untidy = scan(text, form, report.source, line, partial=partial)
    if any(problem.kind == "columns" and b"\t" not in problem.value for problem in problems):
        spaced = len(problems)
        text = SPACED_LINE.sub(lambda match: _tabbed(match.group(), form), text)
        batch, problems, untidy = scan(text, form, report.source, line, partial=partial)
        if len(problems) < spaced:
            report.note("columns separated by spaces were read as if by tabs")
    if untidy.blank_lines:
        report.note("blank lines beyond one between sentences were left out")
    if untidy.empty_cells:
        report.note("cells with nothing in them were read as '_'")
    for problem in problems:
        report.problem(explain(problem, report.source, form))
    if len(batch):
        yield batch


def _tabbed(line: bytes, form: Format) -> bytes:
    """The line with tabs between its columns, if spaces leave no doubt where they are."""
    cells = line.split()
    fits = len(cells) == len(form.columns) or (form.open_ended and len(cells) > len(form.columns))
    return b"\t".join(cells) if fits else line


def _readable(text: bytes, report: ReadingReport, line: int) -> bytes:
    """The text without the sentences that are not UTF-8 or hold NUL bytes, which are problems."""
    if fault(text) is None:
        return text
    pieces = []
    line += text.count(b"\n", 0, len(text) - len(text.lstrip(b"\n")))
    for match in SENTENCE.finditer(text):
        first, line = line, line + match.group().count(b"\n")
        found = fault(match.group())
        if found is None:
            pieces.append(match.group())
            continue
        at, what, remedy = found
        number = first + match.group().count(b"\n", 0, at)
        report.problem(FormatError(report.source, number, what, remedy))
        # Blank lines in its place keep the line numbers of what follows.
        pieces.append(b"\n" * match.group().count(b"\n"))
    return text[: len(text) - len(text.lstrip(b"\n"))] + b"".join(pieces)


def fault(text: bytes) -> tuple[int, str, str] | None:
    """The first byte that is no text: where, what, and what to do."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return (
            error.start,
            f"{not_utf8(text, error.start)} is not UTF-8",
            "convert the file to UTF-8, for example with iconv",
        )
    at = text.find(b"\0")
    return None if at < 0 else (at, "a NUL byte", "remove it, or convert the file to UTF-8 if it is UTF-16")


def word_batches(chunks: Iterable[bytes], report: ReadingReport, *, vertical: bool) -> Iterator[Batch]:
    """Sentences of words and nothing else as batches of CoNLL-U.

    Words stand between spaces on a line for each sentence, or on lines of their own, where what follows a tab is left
    out, with blank lines between sentences.
    """
    lines = _lines(chunks, report)
    sentences = map(_sentence, _stacked(lines, report) if vertical else filter(None, (row.split() for _, row in lines)))
    while text := b"".join(islice(sentences, AT_ONCE)):
        batch, problems, _ = scan(text, CONLLU, report.source)
        assert not problems, problems
        yield batch


def _lines(chunks: Iterable[bytes], report: ReadingReport) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; one that is no text is refused, or left out."""
    held, number = b"", 0
    for chunk in chain(chunks, [b"\n"]):
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            number += 1
            if (found := fault(line)) is None:
                yield number, line
            else:
                _, what, remedy = found
                remedy = f"{remedy}, or leave such lines out with --on-error skip"
                report.problem(FormatError(report.source, number, what, remedy))


def _stacked(lines: Iterable[tuple[int, bytes]], report: ReadingReport) -> Iterator[list[bytes]]:
    """A word on each line."""
    words: list[bytes] = []
    for number, line in lines:
        word = line.partition(b"\t")[0].strip()
        if word:
            words.append(word)
            if len(words) > LONGEST_SENTENCE:
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
