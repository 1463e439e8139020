"""What a file is, as its name and its first bytes tell: a treebank in one of the formats, or text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from headway.base.errors import FormatError, known, shown
from headway.base.files import CHUNK
from headway.data.formats.format import (
    BOM,
    CONLL2008,
    CONLL2009,
    CONLLU,
    CONLLX,
    MALTTAB,
    PENN,
    READABLE,
    by_suffix,
    is_text,
)

TEXT, SENTENCES, TOKENS, VERTICAL, TREEBANK = INPUTS = ("text", "sentences", "tokens", "vertical", "conllu")
FIRST = 1 << 20
"""Bytes from which one can tell what a file is, also where it is all one line."""
MOST_BLANK, FARTHEST = 1 << 22, 1 << 26
"""Bytes that are read at most before there is any text, and before there is a whole line that is no comment."""
COMMENT = ord("#")
UD_TAGS = frozenset(b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X CONJ".split())
SGML = rb"(?:\xef\xbb\xbf)?\s*(?:<[^>\n]*>[^(<\n]*(?:\n\s*)?)*"
"""How files of the Chinese treebank begin."""
BRACKETS = re.compile(SGML + rb"\(")
RAW = (
    "give a treebank, which has a line for each word; text is for headway parse, with a model that was trained with"
    " --pipeline"
)
ENHANCED = re.compile(rb"\d+(\.\d+)?:")
ONLY_IN_MISC = re.compile(rb"=No|[A-Z][a-z]+Conf=0\.\d")
"""Spaces and confidences: in CoNLL-X the last column is a label."""
TREE = re.compile(SGML + rb"\(\s*(?:\(|[^\s()]+\s*\()")
"""A tree in brackets, not a remark in parentheses at the beginning of a text."""


def detect(start: bytes, source: str) -> str:
    """The name of the format that a file's first bytes are in; the file's own name decides where both fit."""
    lines = lines_of(start)
    if _is_binary(start):
        raise FormatError(source, None, "this is not a text file", "give a treebank as UTF-8 text, .gz or .xz")
    words = [line for line in lines if line.strip() and not is_comment(line)]
    rows = [row for row in map(_cells, words[:-1] or words) if row]
    width = len(rows[0]) if rows else 1
    if BRACKETS.match(start) and not (rows and _is_malttab(rows[0])):
        return PENN
    if not words:
        return CONLLU.name if by_suffix(source) is None else str(by_suffix(source))
    commented = any(line.startswith(b"# ") for line in lines) and rows and rows[0][0][:1].isdigit()
    if width == len(CONLLU.columns):
        return CONLLU.name if commented or _looks_like_ud(rows, source) else CONLLX.name
    if width >= len(CONLL2009.columns) and all(_number_or_none(row[9]) for row in rows if len(row) > 9):
        return CONLL2009.name
    if width >= len(CONLL2008.columns):
        return CONLL2008.name
    if rows and (_is_malttab(rows[0]) or width == MALTTAB.fewest):
        return MALTTAB.name
    number = next(i for i, line in enumerate(lines, 1) if line == words[0])
    if not rows and not words[0][:1].isdigit():
        raise FormatError(source, number, f"{shown(words[0])} has no columns, as if it were raw text", RAW)
    named = by_suffix(source)
    if named:
        return named
    raise FormatError(
        *(source, number, f"no known format has a line like {shown(words[0])}"),
        f"name the format with --from; {known(READABLE)}",
    )


def _is_binary(start: bytes) -> bool:
    """Many NUL bytes, or a few in what is not even UTF-8; one alone may be a slip in a text."""
    nulls = start.count(b"\0")
    return nulls > len(start) // 100 or (nulls > 0 and "\ufffd" in start.decode("utf-8", "replace"))


def lines_of(start: bytes) -> list[bytes]:
    """The lines of a file's first bytes, whatever they end in, without a byte-order mark."""
    return start.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")


def is_comment(line: bytes | bytearray) -> bool:
    """Whether a line is a comment; in MaltTab it may be a word that begins with `#`."""
    return line.startswith(b"#") and (b" " in line or not _is_malttab(line.split(b"\t")))


def _is_malttab(cells: Sequence[bytes | bytearray]) -> bool:
    return len(cells) == len(MALTTAB.columns) and _number_or_none(cells[2])


def _cells(line: bytes) -> list[bytes]:
    """The columns of a line, also with spaces for tabs where there are as many as in some format; none of text."""
    cells = line.split(b"\t")
    if len(cells) > 1:
        # Paragraphs of a text may be indented by tabs, or have one inside.
        indented = not cells[0].strip() and len(cells) < len(CONLLU.columns)
        return [] if indented or (len(cells) == MALTTAB.fewest and b" " in line.strip()) else cells
    cells = line.split()
    # A line of text may have as many words.
    numbered = len(cells) >= len(CONLLU.columns) and cells[0][:1].isdigit() and any(map(_number_or_none, cells[6:9]))
    return cells if numbered or (len(cells) == len(MALTTAB.columns) and cells[2].isdigit()) else []


def has_columns(line: bytes) -> bool:
    """Whether a line looks like one of a treebank: tabs, or as many columns as some format has, numbers first."""
    return bool(_cells(line)) and (b"\t" in line or line.split()[0].isdigit())


def _number_or_none(cell: bytes | bytearray) -> bool:
    return cell.isdigit() or cell == b"_"


def _looks_like_ud(rows: list[list[bytes]], source: str) -> bool:
    full = [row for row in rows if len(row) == len(CONLLU.columns)]
    if any(not row[0].isdigit() or ENHANCED.match(row[8]) or ONLY_IN_MISC.search(row[9]) for row in full):
        return True
    if by_suffix(source) in (CONLLU.name, CONLLX.name):
        return by_suffix(source) == CONLLU.name
    return all(row[3] in UD_TAGS for row in full)


def beginning(pieces: Iterator[bytes], longest: int = FARTHEST) -> bytes:
    """What a format is known by: all up to the first blank line behind some text, or some lines. Linear time.

    These are comments and a whole line at least, but for a line without tabs, of which `longest` bytes are enough, and
    for `FARTHEST` bytes without any such line.
    """
    start, text, line = bytearray(), -1, 0
    for piece in pieces:
        seen = max(0, len(start) - 1)
        start += piece
        if text < 0 and (rest := piece.lstrip()):
            text = len(start) - len(rest)
            line = text + len(BOM) * start.startswith(BOM, text)
        if text >= 0:
            line, is_whole = _behind_comments(start, line, seen)
            if start.find(b"\n\n", max(text, seen)) >= 0 or (is_whole and len(start) >= CHUNK):
                break
            if len(start) - line >= longest and start[line] != COMMENT and start.find(b"\t", line) < 0:
                break
        if len(start) >= (MOST_BLANK if text < 0 else FARTHEST):
            break
    return bytes(start)


def _behind_comments(start: bytearray, line: int, seen: int) -> tuple[int, bool]:
    """Where the first line begins that is neither blank nor a comment, looked for from `line` on, and if it ends.

    The first `seen` bytes of all have been looked at before.
    """
    while (end := start.find(b"\n", max(line, seen))) >= 0:
        if start[line:end].strip() and not is_comment(start[line:end]):
            return line, True
        line = end + 1
    return line, False


def input_of(start: bytes, source: str) -> str:
    """What a file is by its name and its first bytes: `TEXT` or `TREEBANK`.

    A file whose name ends in `.txt` is text; so is one whose first line that is neither blank nor a comment has no
    columns and no brackets of trees. Everything else is a treebank.
    """
    if is_text(source):
        return TEXT
    if by_suffix(source) or TREE.match(start):
        return TREEBANK
    _, line = first_line(start)
    return TREEBANK if has_columns(line) else TEXT


def input_of_string(text: str) -> Literal["conllu", "text"]:
    """What a string is: a treebank where its first line has a number and the columns of CoNLL-U, else text."""
    pieces = (text[at : at + CHUNK].encode(errors="replace") for at in range(0, len(text), CHUNK))
    cells = first_line(beginning(pieces, FIRST))[1].split(b"\t")
    return "conllu" if len(cells) == len(CONLLU.columns) and cells[0][:1].isdigit() else "text"


def first_line(start: bytes) -> tuple[int, bytes]:
    """The first line that is neither blank nor a comment, and its number; the first of all where there is none."""
    lines = lines_of(start)
    found = ((number, line) for number, line in enumerate(lines, 1) if line.strip() and not is_comment(line))
    return next(found, (1, lines[0]))
