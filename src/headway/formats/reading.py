"""Reading treebanks in any format."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain

from headway.batch import Batch
from headway.errors import FormatError, HeadwayError, known
from headway.files import CHUNK, chunks, name_of
from headway.formats import headrules, penn, registry, tabular
from headway.formats.report import ReadingReport
from headway.sentence import Sentence

ON_ERROR = ("stop", "skip")


class Reader:
    """The sentences of a file, one after the other, in constant memory.

    `format` is a name of `formats.registry.READABLE`, or None to find it from the content. `columns` chooses
    between the gold and predicted columns of CoNLL-2008 and -2009; `rules` are the head rules for Penn-style
    brackets, a name of `formats.headrules.BUILT_IN` or the path of a file. With `on_error="skip"` sentences
    that cannot be read are left out, and `skipped` counts them. Each iteration reads the file anew.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        columns: str = "gold",
        on_error: str = "stop",
        rules: str = "english",
    ) -> None:
        if on_error not in ON_ERROR:
            raise HeadwayError(f"unknown choice {on_error!r} for on_error; {known(ON_ERROR)}")
        self.path = os.fspath(path)
        self.format = format
        self.columns = columns
        self.rules = rules
        self.report = ReadingReport(name_of(path), on_error)

    @property
    def skipped(self) -> int:
        """Sentences left out so far."""
        return self.report.skipped

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences, in order."""
        for batch in self.batches():
            for index in range(len(batch)):
                yield Sentence.view(batch, index)

    def batches(self) -> Iterator[Batch]:
        """The sentences, some hundred at a time."""
        self.report = report = ReadingReport(self.report.source, self.report.on_error)
        pieces = chunks(self.path)
        start = b""
        for piece in pieces:
            start += piece
            if b"\n\n" in start.lstrip() or (len(start) >= CHUNK and b"\n" in start.strip()):
                break
        if self.format is None:
            self.format = registry.detect(start, report.source)
        elif not start.strip():
            raise FormatError(report.source, None, "the file is empty", "give a treebank")
        if self.format == registry.PENN:
            yield from penn.batches(chain([start], pieces), headrules.load(self.rules), report)
        else:
            form = registry.format_named(self.format, self.columns)
            yield from tabular.batches(chain([start], pieces), form, report)


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    columns: str = "gold",
    on_error: str = "stop",
    rules: str = "english",
) -> Reader:
    """The sentences of a treebank file, `.gz` and `.xz` too, `-` for standard input; see `Reader`."""
    return Reader(path, format=format, columns=columns, on_error=on_error, rules=rules)
