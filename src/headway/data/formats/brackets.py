"""Trees in brackets, as the Penn treebanks have them: bytes to the text of single trees, in constant memory.

Read are `( (S …) )` and `(TOP (S …))`, trees over several lines and several trees on a line, with nothing
needed between them. `balanced_texts` cuts the text where the brackets add up, which is cheap and mostly after
each tree; `trees` takes a piece apart token by token and says what is wrong with it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from headway.base.errors import FormatError, ReadingReport, shown

LONGEST, LONGEST_THEN = 1 << 20, 1 << 14
"""A tree of more bytes is taken for one that is not closed; the second number holds once one has been met."""
LONGEST_LINE = 1 << 14
"""A line of more bytes than this is read in parts."""
EMPTY = b"-NONE-"
"""The tag of elements that stand for no word."""
ROOT = re.compile(rb"\([ \t]*(?:[(\n]|(?:TOP|ROOT|S1)\b)")
"""How a line begins that can only be the beginning of a tree."""
BETWEEN_SIBLINGS = re.compile(rb"(?<=\))[ \t]*(?=\()")
TOKEN = re.compile(rb"[()]|[^\s()]+")
SPACED_OPENING = re.compile(rb"\(\s+")
TAG = re.compile(rb"\(\s*([^\s()]+)\s+[^\s()]+")
FAULT = re.compile(
    rb"\(\s*(?:[^\s()]+\s*)?\)"  # nothing in the brackets
    rb"|\(\s*[^\s()]+\s+[^\s()]+\s+(?P<second>[^\s()]+)"  # more words under a tag
    rb"|\(\s*[^\s()]+\s+(?P<beside>[^\s()]+)\s*\("  # a word, then a bracket
    rb"|\)\s*(?P<behind>[^\s()]+)"
)
"""What is wrong inside of a tree, up to the token at which one sees it."""
MARKUP = (b"<", b"*x*")
"""How lines between trees begin that are no trees: the Chinese treebank's SGML, the headers of Penn files."""


class TextAtLine(NamedTuple):
    """A piece of text, and its first line in the file."""

    line: int
    text: bytes


def balanced_texts(chunks: Iterable[bytes], report: ReadingReport) -> Iterator[TextAtLine]:
    """The text of a file cut where lines end and all brackets are closed.

    A tree that is never closed is a problem; reading goes on at the next line that begins like a tree.
    """
    source, again = _pieces(chunks), deque[bytes]()
    held: list[bytes] = []
    number = first = 1
    depth = size = 0
    longest = LONGEST
    indented = True  # no closed tree so far had a line inside that begins with a bracket
    while True:
        piece = again.popleft() if again else next(source, None)
        if held and (piece is None or size > longest or ROOT.match(piece)):
            keep = len(held)
            if piece is None or size > longest:
                where = f"after {size >> 10} KiB" if piece else "at the end of the file, which may be cut off"
                keep = next((i for i in range(1, keep) if indented and held[i].startswith(b"(")), keep)
            else:
                where = f"where the next one begins, on line {number}"
            brackets = "1 bracket is" if depth == 1 else f"{depth} brackets are"
            what = f"of the tree that begins here, {brackets} still open {where}"
            report.problem(FormatError(report.source, first, what, "add the missing ')'"))
            number = first + sum(line.count(b"\n") for line in held[:keep])
            again.extendleft(reversed([*held[keep:], *([piece] if piece else [])]))
            held, depth, size, longest = [], 0, 0, LONGEST_THEN
            continue
        if piece is None:
            return
        if not held:
            first = number
            start = piece.lstrip()
            if start.startswith(MARKUP):
                report.note("lines of markup between trees (<…> or *x*) were left out")
            if not start or start.startswith(MARKUP):
                number += piece.count(b"\n")
                continue
        number += piece.count(b"\n")
        held.append(piece)
        size += len(piece)
        depth += piece.count(b"(") - piece.count(b")")
        if depth <= 0:
            indented = indented and not any(line.startswith(b"(") for line in held[1:])
            yield TextAtLine(first, b"".join(held))
            held, depth, size = [], 0, 0


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a file with their ends; long ones are cut wherever brackets stand side by side."""
    held = b""
    for chunk in chunks:
        *lines, held = (held + chunk).split(b"\n")
        for line in lines:
            yield from _parts(line + b"\n")
        if len(held) > LONGEST:
            *parts, held = _parts(held)
            yield from parts
            if len(held) > LONGEST:
                yield held
                held = b""
    if held:
        yield from _parts(held)


def _parts(line: bytes) -> list[bytes]:
    return [line] if len(line) <= LONGEST_LINE else BETWEEN_SIBLINGS.split(line)


def trees(piece: TextAtLine, report: ReadingReport) -> Iterator[TextAtLine]:
    """The well-formed trees of a piece; the others are problems.

    Where a bracket closes nothing, no tree of the piece can be trusted.
    """
    good: list[TextAtLine] = []
    here, at, first, begin, depth, outside = piece.line, 0, 0, 0, 0, 0
    for found in TOKEN.finditer(piece.text):
        here += piece.text.count(b"\n", at, found.start())
        at, token = found.start(), found.group()
        if token == b"(":
            first, begin = (first, begin) if depth else (here, at)
            depth += 1
        elif depth:
            depth -= token == b")"
            if not depth:
                tree = TextAtLine(first, piece.text[begin : found.end()])
                if fault := _fault(tree, report.source):
                    report.problem(fault)
                else:
                    good.append(TextAtLine(first, SPACED_OPENING.sub(b"(", tree.text)))
        elif token == b")":
            remedy = "remove it, or add the missing '(' before it"
            report.problem(FormatError(report.source, here, "a ')' closes nothing", remedy))
            return
        elif outside != here:
            outside = here
            what = f"text outside of brackets: {shown(token)}"
            report.problem(FormatError(report.source, here, what, "put every tree into brackets"))
    yield from good


def _fault(tree: TextAtLine, source: str) -> FormatError | None:
    """The first thing wrong with a tree whose brackets add up; None where it is well-formed and has words."""
    remedy = "write words as (TAG word)"
    if found := FAULT.search(tree.text):
        line = tree.line + tree.text.count(b"\n", 0, found.end())
        if found.lastgroup:
            return FormatError(source, line, f"the token {shown(found[found.lastgroup])} has no tag", remedy)
        what = f"nothing stands in the brackets {shown(b'(' + b''.join(found.group().split())[1:])}"
        return FormatError(source, line, what, f"{remedy}, and leave out phrases without words")
    if all(tag == EMPTY for tag in TAG.findall(tree.text)):
        what = "the tree that begins here has no words, only empty elements"
        return FormatError(source, tree.line, what, "remove it or add its words")
    return None
