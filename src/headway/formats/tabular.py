"""Reading any tab-separated format: bytes to batches, in constant memory.

What is harmless is put right and said once per file; what is not is an error, or with `on_error="skip"` a
sentence left out and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from headway.batch import Batch, Problem, scan
from headway.errors import FormatError, shown
from headway.formats.format import Format
from headway.formats.problems import explain
from headway.formats.report import Report

LONGEST = 1 << 28
"""A stretch without a blank line longer than this is no treebank (256 MiB)."""
BLANK_LINE = re.compile(rb"\n[ \t]*\n")
SPACED_LINE = re.compile(rb"^[^\t\n#][^\t\n]*$", re.MULTILINE)


def batches(chunks: Iterable[bytes], form: Format, report: Report) -> Iterator[Batch]:
    """The sentences of a file, some hundred at a time."""
    line = 1
    for text in stretches(tidy(chunks, report), report):
        yield from _scanned(text, form, report, line)
        line += text.count(b"\n")


def tidy(chunks: Iterable[bytes], report: Report) -> Iterator[bytes]:
    """The chunks without byte-order mark and with plain line ends."""
    held = b""
    for number, piece in enumerate(chunks):
        chunk = held + piece
        if number == 0 and chunk.startswith(b"\xef\xbb\xbf"):
            report.note("a byte-order mark at the start was left out")
            chunk = chunk[3:]
        held = b"\r" if chunk.endswith(b"\r") else b""
        if held:
            chunk = chunk[:-1]
        if b"\r" in chunk:
            if b"\r\n" in chunk:
                report.note("Windows line ends (CR LF) were read as line ends")
            else:
                report.note("carriage returns (CR) were read as line ends")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield chunk
    if held:
        yield b"\n"


def stretches(chunks: Iterable[bytes], report: Report) -> Iterator[bytes]:
    """The same bytes cut after blank lines; each stretch ends with one."""
    pending: list[bytes] = []
    size = line = 0
    for chunk in chunks:
        # A blank line may be split between two chunks: look at the last line again.
        tail = pending.pop() if pending else b""
        joined = tail + chunk
        size += len(chunk)
        end = joined.rfind(b"\n\n")
        if end < 0 and size > len(joined):
            pending += [tail, chunk] if len(chunk) > 2 else [joined]
        elif end < 0:
            pending.append(joined)
        else:
            yield b"".join([*pending, joined[: end + 2]])
            pending = [joined[end + 2 :]]
            size = len(pending[0])
        if size > LONGEST:
            raise FormatError(
                *(report.source, line + 1, f"no blank line in {LONGEST >> 20} MiB"),
                "separate sentences by blank lines",
            )
    rest = b"".join(pending)
    if rest.strip(b"\n"):
        if not rest.endswith(b"\n"):
            report.note("the last line has no line end; it was read all the same")
        elif not rest.endswith(b"\n\n"):
            report.note("no blank line follows the last sentence; it was read all the same")
        yield rest.rstrip(b"\n") + b"\n\n"


def _scanned(text: bytes, form: Format, report: Report, line: int) -> Iterator[Batch]:
    text = _readable(text, report, line)
    batch, problems, untidy = scan(text, form, report.source, line)
    if any(problem.kind == "columns" and b"\t" not in problem.value for problem in problems):
        text = SPACED_LINE.sub(lambda match: _tabbed(match.group(), form), text)
        before = problems
        batch, problems, untidy = scan(text, form, report.source, line)
        if len(problems) < len(before):
            report.note("columns separated by spaces were read as if by tabs")
    if untidy.blank_lines:
        report.note("blank lines beyond one between sentences were left out")
    if untidy.empty_cells:
        report.note("cells with nothing in them were read; the format writes '_' there")
    for problem in problems:
        report.problem(explain(problem, report.source, form))
    if len(batch):
        yield batch


def _tabbed(line: bytes, form: Format) -> bytes:
    """The line with tabs between its columns, if spaces leave no doubt where they are."""
    cells = line.split()
    fits = len(cells) == len(form.columns) or (form.open_ended and len(cells) > len(form.columns))
    return b"\t".join(cells) if fits else line


def _readable(text: bytes, report: Report, line: int) -> bytes:
    """The text without the sentences that are not UTF-8 or hold NUL bytes, which are problems."""
    while True:
        try:
            text.decode()
            at = text.find(b"\0")
            if at < 0:
                return text
            what, remedy = "a NUL byte", "this is no text, or it is UTF-16: convert it to UTF-8"
        except UnicodeDecodeError as error:
            at = error.start
            what = f"the byte {shown(text[at : at + 1])} is not UTF-8"
            remedy = "convert the file to UTF-8, for example with iconv"
        report.problem(FormatError(report.source, line + text.count(b"\n", 0, at), what, remedy))
        begin = max((match.end() for match in BLANK_LINE.finditer(text, 0, at)), default=0)
        after = BLANK_LINE.search(text, at)
        end = after.end() if after else len(text)
        # Blank lines in its place keep the line numbers of what follows.
        text = text[:begin] + b"\n" * text.count(b"\n", begin, end) + text[end:]


__all__ = ["Problem", "batches", "stretches", "tidy"]
