"""Read what a model is to parse: treebanks, text that its segmenter cuts, the words of one sentence."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError, described, shown
from headway.base.files import STANDARD
from headway.data.batch import Batch
from headway.data.formats.reading import InputReader, Reader, is_open
from headway.data.formats.recognition import TREEBANK
from headway.data.sentence import Sentence
from headway.data.sources import Source, batches_of
from headway.stages.needed_columns import check_input
from headway.stages.parsing.options import ReadOptions
from headway.stages.pipeline import Pipeline, filled

logger = logging.getLogger("headway")


class ReadyBatch(NamedTuple):
    """A batch, and the stages that are for it."""

    row: Pipeline
    batch: Batch


def read_input(
    source: Source | Sentence, row: Pipeline, how: ReadOptions, *, quiet: bool = False
) -> Iterator[ReadyBatch]:
    """The batches of a source and the stages that run on them; notes say what the first batch lacks."""
    for number, batch in enumerate(_batches(source, row, how.input)):
        if number == 0:
            row = row.keeping(batch, how.kept_columns)
            check_input(batch, row.needs, row.seen, force=how.force, quiet=quiet)
            if not quiet:
                _say_replaced(row, batch)
        yield ReadyBatch(row, batch)


def words_from(words: object) -> list[Any]:
    """The words of one sentence; what is several sentences, or no list of words, is refused."""
    if isinstance(words, bytes):
        raise HeadwayError(f"expected a string, got {shown(words)}; decode it first, as in parser(text.decode())")
    if isinstance(words, (Sentence, Reader, os.PathLike)) or is_open(words):
        raise HeadwayError(f"expected a list of words, got {described(words)}; give it to parser.parse")
    if not isinstance(words, Iterable):
        raise HeadwayError(f"expected a text or a list of words, got {described(words)}; write ['Dogs', 'bark']")
    found = list(words)
    for word in found:
        if isinstance(word, Sentence):
            raise HeadwayError("expected words, got sentences; give them to parser.parse")
        if isinstance(word, (list, tuple)):
            what = "this is a list of lists, and a list is the words of one sentence"
            raise HeadwayError(f"{what}; for several write [parser(words) for words in sentences]")
        if isinstance(word, str) and " " in word:
            raise HeadwayError(
                f"{shown(word)} has a space, and a list is the words of one sentence; for several texts write"
                " [parser(text) for text in texts], for words with spaces parser.parse(Sentence(words))"
            )
    return found


def _batches(source: Source | Sentence, row: Pipeline, input: str | None) -> Iterable[Batch]:
    """The sentences of a source, some hundred at a time; `input` says what a file is, where its content does not."""
    if isinstance(source, InputReader):
        return source.batches(row.segmenter)
    if isinstance(source, (str, os.PathLike)) or is_open(source):
        return _batches_in_file(source, row, input)
    if isinstance(source, Sequence) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return chain.from_iterable(_batches_in_file(path, row, input) for path in source)
    if input not in (None, TREEBANK):
        what = "a reader reads a treebank" if isinstance(source, Reader) else "sentences are not a file"
        raise HeadwayError(f"input = {input!r}: {what}; give the path of a file, or leave input out")
    return batches_of(source)


def _batches_in_file(source: Any, row: Pipeline, input: str | None) -> Iterator[Batch]:
    """The sentences of a path or an open file; a text in place of a path is refused."""
    reader = InputReader(source, input=input)
    if isinstance(source, str) and source != STANDARD and not os.path.lexists(source):
        raise HeadwayError(f"{shown(source)}: there is no such file; name one, or parse a text with parser(text)")
    return reader.batches(row.segmenter)


def _say_replaced(row: Pipeline, batch: Batch) -> None:
    """Say which columns of an input the model finds anew, so that nobody takes them for those of the input."""
    given = frozenset().union(*(stage.gives for stage in row.running)) - row.kept - {"HEAD", "DEPREL"}
    if replaced := filled(batch, given):
        which = ", ".join(sorted(replaced))
        logger.warning(
            f"{batch.source}: the model finds {which} anew; keep what the input has with --keep tags,lemmas (in Python"
            " keep=…)"
        )
