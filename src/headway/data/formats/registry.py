"""The formats by name, and which of them a file is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from headway.base.errors import FormatError, HeadwayError, known, shown
from headway.base.files import COMPRESSED
from headway.data.formats.format import (
    CONLL2008,
    CONLL2008_PREDICTED,
    CONLL2009,
    CONLL2009_PREDICTED,
    CONLL2009_PREDICTED_TAGS,
    CONLLU,
    CONLLX,
    MALTTAB,
    Format,
)

FORMATS = {form.name: form for form in (CONLLU, CONLLX, CONLL2008, CONLL2009, MALTTAB)}
PENN = "penn"
TEXT_SUFFIX = ".txt"
READABLE = (*FORMATS, PENN)
COLUMNS = {
    "gold": {},
    "predicted-tags": {"conll2008": CONLL2008_PREDICTED, "conll2009": CONLL2009_PREDICTED_TAGS},
    "predicted": {"conll2008": CONLL2008_PREDICTED, "conll2009": CONLL2009_PREDICTED},
}
"""For a choice of columns, the formats that it changes."""
UD_TAGS = frozenset(b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X CONJ".split())
BOM = b"\xef\xbb\xbf"
BRACKETS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[^>\n]*>[^(<\n]*(?:\n\s*)?)*\(")
"""A bracket, perhaps after the SGML lines of the Chinese treebank."""
RAW = (
    "give a treebank, which has a line for each word; text is for headway parse, with a model that was trained with"
    " --pipeline"
)
ENHANCED = re.compile(rb"\d+(\.\d+)?:")
ONLY_IN_MISC = re.compile(rb"=No|[A-Z][a-z]+Conf=0\.\d")
"""Spaces and confidences: in CoNLL-X the last column is a label."""


def format_named(name: str, columns: str = "gold") -> Format:
    """The tab-separated format of that name, with gold or predicted columns."""
    if name not in tuple(FORMATS):
        raise HeadwayError(f"unknown format {name!r}; {known(FORMATS)}")
    if columns not in tuple(COLUMNS):
        raise HeadwayError(f"unknown choice of columns {columns!r}; {known(COLUMNS)}")
    return COLUMNS[columns].get(name, FORMATS[name])


def by_suffix(path: str) -> str | None:
    """The format that a file's name speaks of, if any."""
    return next((name for name, form in FORMATS.items() if _suffix(path) in form.suffixes), None)


def is_text(path: str) -> bool:
    """Whether a file's name says that it is text."""
    return _suffix(path) == TEXT_SUFFIX


def _suffix(path: str) -> str:
    """The end of a file's name, before that of a compressed one."""
    plain = Path(path)
    return Path(plain.stem).suffix if plain.suffix in COMPRESSED else plain.suffix


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
