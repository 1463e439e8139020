"""Reading treebanks in any format."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from typing import IO, NoReturn, TypeGuard, cast

from headway.base.errors import FormatError, HeadwayError, assure_yes_no, described, known, shown
from headway.base.files import CHUNK, assure_path, chunks, chunks_of_open, name_of
from headway.data.batch import Batch
from headway.data.formats import headrules, penn, registry, tabular
from headway.data.formats.problems import ReadingReport
from headway.data.sentence import Sentence
from headway.data.sentences import views

ON_ERROR = ("stop", "skip")
MOST_BLANK, FARTHEST = 1 << 22, 1 << 26
"""Bytes that are read at most before there is any text, and before there is a whole line that is no comment."""
COMMENT = ord("#")


class Reader:
    """The sentences of a file, one after the other, in constant memory.

    `path` may be an open file, in text or binary mode, which is read once, from where it stands. `format` is a name
    of `formats.registry.READABLE`, or None to find it from the content. `columns` chooses between the gold and
    predicted columns of CoNLL-2008 and -2009; `rules` are the head rules for Penn-style brackets, a name of
    `formats.headrules.BUILT_IN` or the path of a file. With `on_error="skip"` sentences that cannot be read are left
    out, and `skipped` counts them. With `partial` words may lack heads that others have: the heads are for
    `headway parse --keep-heads`, and the sentences count as not parsed. Each iteration reads the file at a path
    anew.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | IO[str] | IO[bytes],
        *,
        format: str | None = None,
        columns: str = "gold",
        on_error: str = "stop",
        rules: str = "english",
        partial: bool = False,
    ) -> None:
        if on_error not in ON_ERROR:
            raise HeadwayError(f"unknown choice {on_error!r} for on_error; {known(ON_ERROR)}")
        assure_yes_no("partial", partial)
        self._opened, self._is_read = None, False
        if is_open(path):
            self._opened = path
            name = getattr(path, "name", None)
            self.path = name if isinstance(name, str) else "<open file>"
        else:
            assure_path(path, "a file, or give an open one")
            self.path = os.fspath(cast(str, path))
        self.format = format
        self.columns = columns
        self.rules = rules
        self.partial = partial
        self.report = ReadingReport(name_of(self.path), on_error)

    @property
    def skipped(self) -> int:
        """Sentences left out so far."""
        return self.report.skipped

    def __repr__(self) -> str:
        return f"<Reader of {self.report.source}>"

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, in order."""
        return views(self.batches())

    def __next__(self) -> NoReturn:
        """Refused: where a reader stands depends on who goes through it."""
        raise HeadwayError(
            "a reader begins anew for whoever goes through it; take its first sentence with next(iter(reader))"
        )

    def batches(self) -> Iterator[Batch]:
        """The sentences, some hundred at a time."""
        self.report = ReadingReport(self.report.source, self.report.on_error)
        pieces = self._pieces()
        yield from self._treebank(beginning(pieces), pieces)

    def _treebank(self, start: bytes, pieces: Iterator[bytes]) -> Iterator[Batch]:
        """The sentences of a treebank whose first bytes have been read."""
        report = self.report
        if not start.removeprefix(registry.BOM).strip():
            what = f"the first {len(start) >> 20} MiB are blank" if len(start) >= MOST_BLANK else "the file is empty"
            raise FormatError(report.source, None, what, "give a treebank")
        if self.format is None:
            self.format = registry.detect(start, report.source)
        whole = replayed(start, pieces)
        if self.format == registry.PENN:
            yield from penn.batches(whole, headrules.read_rules(self.rules), report)
        else:
            yield from tabular.batches(
                whole, registry.format_named(self.format, self.columns), report, partial=self.partial
            )

    def _pieces(self) -> Iterator[bytes]:
        """The bytes of the file, piece by piece."""
        if self._opened is None:
            return chunks(self.path)
        if self._is_read:
            raise HeadwayError(f"{self.path}: an open file can be read once; give its path, or keep its sentences")
        self._is_read = True
        return chunks_of_open(self._opened, self.report.source)


def replayed(start: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What has been read already, and then the rest."""
    return chain((start[at : at + CHUNK] for at in range(0, len(start), CHUNK)), pieces)


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
            line = text + len(registry.BOM) * start.startswith(registry.BOM, text)
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
        if start[line:end].strip() and not registry.is_comment(start[line:end]):
            return line, True
        line = end + 1
    return line, False


def is_open(source: object) -> TypeGuard[IO[str] | IO[bytes]]:
    """Whether something can be read from as from an open file."""
    return hasattr(source, "read") and not isinstance(source, os.PathLike)


def from_conllu(text: str) -> list[Sentence]:
    """The sentences of a text in CoNLL-U.

    >>> import headway
    >>> sentence = headway.Sentence(forms=["Dogs", "bark"])
    >>> headway.from_conllu(str(sentence)) == [sentence]
    True
    """
    if not isinstance(text, str):
        raise HeadwayError(f"expected a string, got {described(text)}; read a file with headway.read")
    if text.strip() and not {"\t", "\n"} & set(text.strip()):
        raise HeadwayError(f"expected CoNLL-U, got {shown(text)}; read a file of this name with headway.read")
    file = StringIO(text)
    file.name = "<text>"
    return list(Reader(file, format="conllu"))


def read(
    path: str | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    format: str | None = None,
    columns: str = "gold",
    on_error: str = "stop",
    rules: str = "english",
    partial: bool = False,
) -> Reader:
    """The sentences of a treebank: of a path, `-` for standard input, or of an open file; see `Reader`."""
    return Reader(path, format=format, columns=columns, on_error=on_error, rules=rules, partial=partial)
