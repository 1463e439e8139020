"""Reading treebanks in any format, and whatever else somebody wants to have parsed.

| input | what it is |
|---|---|
| `text` | running text; blank lines end paragraphs |
| `sentences` | text with one sentence on each line |
| `tokens` | one sentence on each line, its words with spaces between them |
| `vertical` | one word on each line, a blank line after each sentence |
| `conllu` | a treebank: CoNLL-U, or any other format that has columns or brackets |
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, NoReturn, TypeGuard, cast

from headway.base.errors import FormatError, HeadwayError, ReadingReport, assure_yes_no, described, known, shown
from headway.base.files import CHUNK, COMPRESSED, assure_path, chunks, chunks_of_open, name_of
from headway.data.batch import Batch
from headway.data.formats import recognition, tabular
from headway.data.formats.format import BOM, CONLLU, PENN, format_named, is_text, suffix_of
from headway.data.formats.recognition import INPUTS, SENTENCES, TEXT, TOKENS, TREEBANK, VERTICAL
from headway.data.sentence import Sentence, views

ON_ERROR = ("stop", "skip")
NO_SEGMENTER = (
    "the model does not cut text into words: take one that was trained with --pipeline, or give one sentence a line"
    " with spaces between all words and --input tokens"
)


class Reader:
    """The sentences of a file, one after the other, in constant memory.

    `path` may be an open file, in text or binary mode, which is read once, from where it stands. `format` is a name
    of `formats.format.READABLE`, or None to find it from the content. `columns` chooses between the gold and
    predicted columns of CoNLL-2008 and -2009; `rules` are the head rules for Penn-style brackets, a name of
    `formats.headrules.BUILT_IN` or the path of a file. With `on_error="skip"` sentences that cannot be read are left
    out, and `skipped` counts them. With `partial` words may lack heads that others have: the heads are for
    `headway parse --keep-heads`, and the sentences count as not parsed. Each iteration reads the file at a path
    anew.
    """

    path: str
    columns: str
    rules: str
    partial: bool
    report: ReadingReport

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
        self.format, self.columns, self.rules, self.partial = format, columns, rules, partial
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
        yield from self._treebank(*self._begun())

    def _begun(self, longest: int = recognition.FARTHEST) -> tuple[bytes, Iterator[bytes]]:
        """The first bytes of the file, by which its format is known, and all of it piece by piece."""
        self.report = ReadingReport(self.report.source, self.report.on_error)
        if self._opened is None:
            pieces = chunks(self.path)
        elif self._is_read:
            raise HeadwayError(f"{self.path}: an open file can be read once; give its path, or keep its sentences")
        else:
            self._is_read = True
            pieces = chunks_of_open(self._opened, self.report.source)
        start = recognition.beginning(pieces, longest)
        return start, chain((start[at : at + CHUNK] for at in range(0, len(start), CHUNK)), pieces)

    def _treebank(self, start: bytes, pieces: Iterator[bytes]) -> Iterator[Batch]:
        """The sentences of a treebank with these first bytes."""
        report = self.report
        if not start.removeprefix(BOM).strip():
            is_long = len(start) >= recognition.MOST_BLANK
            what = f"the first {len(start) >> 20} MiB are blank" if is_long else "the file is empty"
            raise FormatError(report.source, None, what, "give a treebank")
        if self.format is None:
            self.format = recognition.detect(start, report.source)
        if self.format == PENN:
            from headway.data.formats import headrules, penn  # Few treebanks are trees in brackets.

            yield from penn.batches(pieces, headrules.read_rules(self.rules), report)
        else:
            yield from tabular.batches(pieces, format_named(self.format, self.columns), report, partial=self.partial)


class InputReader(Reader):
    """A file to parse; see `Reader`. `input` is a name of `INPUTS`, or None to find it as `input_of` does.

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
        if input not in (None, TREEBANK) and self.format is not None:
            raise HeadwayError(f"input {input!r} has no format {self.format!r}; leave one of them out")
        self.input, self.ranges, self.exceptions = input, ranges, exceptions

    def name_in(self, to: str | None = None) -> str:
        """The name that what is made of the file has in a folder: `story.conllu` for `story.txt`; `to` is a format."""
        path = Path(self.path)
        packed = path.suffix if path.suffix in COMPRESSED else ""
        plain = Path(path.name.removesuffix(packed))
        if to is not None:
            return f"{plain.stem}{suffix_of(to)}{packed}"
        if is_text(path.name) or self.input not in (None, TREEBANK):
            return f"{plain.stem if is_text(path.name) else plain.name}{CONLLU.suffixes[0]}{packed}"
        return path.name

    def batches(self, segmenter: Any = None, *, split: bool = True) -> Iterator[Batch]:
        """The sentences, some hundred at a time; text is cut by the segmenter, a stage that can `segment`.

        With `split`, multiword tokens among given tokens get their words, where it knows how to `split` them.
        """
        start, pieces = self._begun(recognition.FIRST)
        kind, report = self._kind(start), self.report
        if not start.removeprefix(BOM).strip() and len(start) < recognition.MOST_BLANK:
            report.note("the file is empty, so there is nothing to parse")
        elif kind == TREEBANK:
            yield from self._treebank(start, pieces)
        elif kind in (TOKENS, VERTICAL):
            batches = tabular.word_batches(tabular.tidy(pieces, report), report, vertical=kind == VERTICAL)
            split = split and kind == TOKENS and hasattr(segmenter, "split")
            yield from (segmenter.split(batch, exceptions=self.exceptions) for batch in batches) if split else batches
        elif segmenter is None:
            number, line = recognition.first_line(start)
            raise FormatError(report.source, number, f"{shown(line)} is text, and it has to be cut first", NO_SEGMENTER)
        else:
            how = {"ranges": self.ranges, "exceptions": self.exceptions, "report": report}
            yield from segmenter.segment(pieces, lines=kind == SENTENCES, **how)

    def text(self) -> Iterator[bytes]:
        """The bytes of a text, piece by piece; all else is refused."""
        start, pieces = self._begun(recognition.FIRST)
        if self._kind(start) != TEXT:
            remedy = "give text, as `headway convert --to text` makes it of a treebank"
            raise FormatError(self.report.source, None, "these are sentences whose tokens are known", remedy)
        return pieces

    def _kind(self, start: bytes) -> str:
        """What the file is, one of `INPUTS`."""
        return self.input or (TREEBANK if self.format else recognition.input_of(start, self.report.source))


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


read = Reader
"""How everybody calls it: `headway.read(path)`."""
