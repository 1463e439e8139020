"""What a model is given: the sentences of treebanks, text that its segmenter cuts, words alone."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import StringIO
from typing import Any, NamedTuple, TypeVar

from headway.base.errors import HeadwayError, described, shown
from headway.base.files import STANDARD
from headway.data.batch import Batch
from headway.data.formats.inputs import TREEBANK, InputReader
from headway.data.formats.reading import Reader, is_open
from headway.data.sentence import Sentence
from headway.data.sources import Source, batches_of
from headway.stages.needed_columns import check_input
from headway.stages.parsing.kept_heads import KeptHeads
from headway.stages.parsing.options import ParseOptions, ReadOptions
from headway.stages.pipeline import Pipeline, columns_to_keep, filled

logger = logging.getLogger("headway")
Result = TypeVar("Result")


class ReadyBatch(NamedTuple):
    """A batch, and the stages that are for it."""

    row: Pipeline
    batch: Batch


def suited(source: Source | Sentence, row: Pipeline, how: ReadOptions, *, quiet: bool = False) -> Iterator[ReadyBatch]:
    """The batches of a source, with the stages that are for them; before the first, what the source lacks is said."""
    columns = columns_to_keep(how.keep)
    for number, batch in enumerate(batches_to_parse(source, row, how.input)):
        if number == 0:
            row = row.keeping(batch, columns)
            check_input(batch, row.needs, row.seen, force=how.force, quiet=quiet)
            if not quiet:
                say_replaced(row, batch)
        yield ReadyBatch(row, batch)


class ParsePlan(NamedTuple):
    """What is done to each batch, and what is said at the end."""

    parse: Callable[[ReadyBatch], list[Batch]]
    say: Callable[[], None] | None = None


def plan_parsing(source: Source | Sentence, row: Pipeline, how: ParseOptions) -> ParsePlan:
    """How a source is parsed; what cannot be done is refused before anything is read."""
    if (k := how.k_best) is not None:
        row.assure_ranking()
        return ParsePlan(lambda work: [work.row.ranked(work.batch, k)])
    if how.confidence:
        row.assure_confident()
        return ParsePlan(lambda work: [work.row.annotate_with_evidence(work.batch)])
    if how.keep_heads:
        kept = KeptHeads(skip=isinstance(source, Reader) and source.report.on_error == "skip")
        return ParsePlan(lambda work: kept.annotate(work.row, work.batch), kept.say)
    return ParsePlan(lambda work: [work.row.annotate(work.batch)])


def named(name: str, text: str) -> StringIO:
    """A text as an open file; messages call it by the name."""
    file = StringIO(text)
    file.name = name
    return file


def words_from(words: object) -> list[Any]:
    """The words of one sentence; what is several sentences, or no list of words, is refused."""
    if isinstance(words, bytes):
        raise HeadwayError(f"{shown(words)} is no string; decode it first, as in parser(text.decode())")
    if isinstance(words, (Sentence, Reader, os.PathLike)) or is_open(words):
        raise HeadwayError(f"{described(words)} is no list of words; give it to parser.parse")
    if not isinstance(words, Iterable):
        raise HeadwayError(f"{described(words)} is no list of words and no text; write ['Dogs', 'bark']")
    found = list(words)
    for word in found:
        if isinstance(word, Sentence):
            raise HeadwayError("these are sentences and no words; give them to parser.parse")
        if isinstance(word, (list, tuple)):
            what = "this is a list of lists, and a list is the words of one sentence"
            raise HeadwayError(f"{what}; for several write [parser(words) for words in sentences]")
        if isinstance(word, str) and " " in word:
            raise HeadwayError(
                f"{shown(word)} has a space, and a list is the words of one sentence; for several texts write"
                " [parser(text) for text in texts], for words with spaces parser.parse(Sentence(words))"
            )
    return found


def batches_to_parse(source: Source | Sentence, row: Pipeline, input: str | None = None) -> Iterable[Batch]:
    """The sentences of a source, some hundred at a time; `input` says what a file is, where its content does not."""
    if isinstance(source, InputReader):
        return source.batches(row.segmenter)
    if isinstance(source, (str, os.PathLike)) or is_open(source):
        return _batches_of_file(source, row, input)
    if isinstance(source, Sequence) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return _several(source, row, input)
    if input not in (None, TREEBANK):
        what = "a reader reads a treebank" if isinstance(source, Reader) else "sentences are no file"
        raise HeadwayError(f"input = {input!r}: {what}; give the path of a file, or leave input out")
    return batches_of(source)


def _several(paths: Sequence[Any], row: Pipeline, input: str | None) -> Iterator[Batch]:
    for path in paths:
        yield from _batches_of_file(path, row, input)


def _batches_of_file(source: Any, row: Pipeline, input: str | None) -> Iterator[Batch]:
    """The sentences of a path or an open file; a text in place of a path is refused."""
    reader = InputReader(source, input=input)
    if isinstance(source, str) and source != STANDARD and not os.path.lexists(source):
        raise HeadwayError(f"{shown(source)}: there is no such file; name one, or parse a text with parser(text)")
    return reader.batches(row.segmenter)


def say_replaced(row: Pipeline, batch: Batch) -> None:
    """Say which columns of an input the model finds anew, so that nobody takes them for those of the input."""
    given = frozenset().union(*(stage.gives for stage in row.running)) - row.kept - {"HEAD", "DEPREL"}
    if replaced := filled(batch, given):
        which = ", ".join(sorted(replaced))
        logger.warning(
            f"{batch.source}: the model finds {which} anew; keep what the input has with --keep tags,lemmas (in Python"
            " keep=…)"
        )


def in_order(function: Callable[[ReadyBatch], Result], batches: Iterable[ReadyBatch], threads: int) -> Iterator[Result]:
    """What a function makes of batches, in order; with threads, of some of them at once."""
    if threads <= 1:
        yield from map(function, batches)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for batch in batches:
            waiting.append(pool.submit(function, batch))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
