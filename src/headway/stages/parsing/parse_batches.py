"""Parsing batch by batch: read a treebank, text or words, parse as options say in several threads, write files."""

from __future__ import annotations

import logging
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from headway.base.errors import HeadwayError, counted, described, shown
from headway.base.files import STANDARD, assure_apart, assure_folder, assure_one_standard, replacing
from headway.data.batch import Batch
from headway.data.formats.reading import InputReader, Reader, is_open
from headway.data.formats.recognition import TREEBANK
from headway.data.formats.writing import describe_losses, pieces
from headway.data.sentence import Sentence
from headway.data.sources import Source, batches_of
from headway.stages.calibration.confidences import assure_place
from headway.stages.contract import HasPatterns
from headway.stages.model_file import is_model
from headway.stages.needed_columns import check_input
from headway.stages.parsing.options import ParseOptions, ReadOptions
from headway.stages.pipeline import ConstrainedBatches, Pipeline, filled

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from headway.stages.parsing.keywords import ParseKeywords
    from headway.stages.parsing.parser import Parser

logger = logging.getLogger("headway")
Given = TypeVar("Given")
Result = TypeVar("Result")


class ReadyBatch(NamedTuple):
    """A batch, and the stages that are for it."""

    row: Pipeline
    batch: Batch


def read_input(
    source: Source | Sentence, row: Pipeline, how: ReadOptions, *, quiet: bool = False
) -> Iterator[ReadyBatch]:
    """The batches of a source and the stages that run on them; notes say what the first batch lacks."""
    for number, batch in enumerate(_batches(source, row, how)):
        if number == 0:
            row = made_ready(row, batch, how, quiet=quiet)
        yield ReadyBatch(row, batch)


def made_ready(row: Pipeline, batch: Batch, how: ReadOptions, *, quiet: bool = False) -> Pipeline:
    """The stages that run on an input which begins with this batch; notes say what it lacks."""
    row = row.keeping(batch, how.kept_columns)
    check_input(batch, row.records, force=how.force, quiet=quiet)
    if not quiet and (replaced := filled(batch, row.gives - {"FORM", "HEAD", "DEPREL"})):
        # Nobody is to take what the model finds for what the input has.
        logger.warning(
            f"{batch.source}: the model finds {', '.join(sorted(replaced))} anew; keep what the input has with"
            " --keep tags,lemmas (in Python keep=…)"
        )
    return row


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
                " parser.pipe(texts), for words with spaces parser.parse(Sentence(words))"
            )
    return found


def _batches(source: Source | Sentence, row: Pipeline, how: ReadOptions) -> Iterable[Batch]:
    """The sentences of a source, some hundred at a time; `input` says what a file is, where its content does not."""
    if isinstance(source, Sentence):
        return [source.batch.alone(source.index)]
    if isinstance(source, InputReader):
        segmenter = row.segmenter
        if not how.patterns and isinstance(segmenter, HasPatterns):
            segmenter = segmenter.without_patterns()
        return source.batches(segmenter, split=how.splits)
    if isinstance(source, (str, os.PathLike)) or is_open(source):
        return _batches_in_file(source, row, how)
    if isinstance(source, Sequence) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return chain.from_iterable(_batches_in_file(path, row, how) for path in source)
    if how.input not in (None, TREEBANK):
        what = "a reader reads a treebank" if isinstance(source, Reader) else "sentences are not a file"
        raise HeadwayError(f"input = {how.input!r}: {what}; give the path of a file, or leave input out")
    return batches_of(source)


def _batches_in_file(source: Any, row: Pipeline, how: ReadOptions) -> Iterable[Batch]:
    """The sentences of a path or an open file; a text in place of a path is refused."""
    reader = InputReader(source, input=how.input)
    if isinstance(source, str) and source != STANDARD and not os.path.lexists(source):
        raise HeadwayError(f"{shown(source)}: there is no such file; name one, or parse a text with parser(text)")
    return _batches(reader, row, how)


class BatchParser:
    """Parses the batches of one source as options say; its methods may run in several threads."""

    def __init__(self, row: Pipeline, source: Source | Sentence, options: ParseOptions) -> None:
        row = row.finding(options.columns_to_find)
        if options.k_best is not None:
            row.assure_ranking()
        if options.confidence:
            row.assure_confident()
        self.options = options
        self._skips = isinstance(source, Reader) and source.report.on_error == "skip"
        self._worth_noting: list[tuple[str, int, ConstrainedBatches]] = []

    def parse(self, ready: ReadyBatch) -> list[Batch]:
        """The sentences of a batch, in order, in as many batches as that takes."""
        row, batch = ready
        if self.options.k_best is not None:
            return [row.k_best(batch, self.options.k_best)]
        if not self.options.keep_heads:
            return [row.annotate(batch, confidence=self.options.confidence)]
        found = row.annotate_constrained(batch, skip=self._skips)
        if found.lifted or found.faults:
            self._worth_noting.append((batch.source, int(batch.numbers[0]), found))
        return found.batches

    def render(self, ready: ReadyBatch) -> bytes:
        """The same as bytes in the format of the batch."""
        if self.options.confidence or self.options.k_best is not None:
            assure_place(ready.batch)
        return b"".join(batch.render(ready.batch.format) for batch in self.parse(ready))

    def say_what_was_kept(self) -> None:
        """Note for each file in how many sentences given arcs were lifted, and how many were left as they are."""
        for source, group in groupby(sorted(self._worth_noting, key=itemgetter(0, 1)), itemgetter(0)):
            found = [one for _, _, one in group]
            if lifted := sum(one.lifted for one in found):
                logger.warning(
                    "%s: given heads cross in %s; the parser, which knows no such trees, found the others with these"
                    " lifted, and they were put back",
                    *(source, counted(lifted, "sentence")),
                )
            faults = [error for one in found for _, error in sorted(one.faults.items())]
            for error in faults:
                logger.info("left as it is: %s", error)
            if faults:
                logger.warning(
                    "%s: %s cannot be parsed with the heads that they give and stay as they are (-v says why)",
                    *(source, counted(len(faults), "sentence")),
                )


def in_threads(function: Callable[[Given], Result], batches: Iterable[Given], threads: int) -> Iterator[Result]:
    """What a function makes of batches, in order; `threads` batches are parsed at once."""
    if threads <= 1:
        yield from map(function, batches)
        return
    from concurrent.futures import Future, ThreadPoolExecutor  # One thread does without.

    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Result]] = deque()
        for batch in batches:
            waiting.append(pool.submit(function, batch))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def parse_files(
    parser: Parser, readers: Sequence[InputReader], output: str, to: str | None = None, **how: Unpack[ParseKeywords]
) -> None:
    """Parse files into one, or each into a file of its name in a folder (`output` ends in /).

    Text becomes CoNLL-U, `story.txt` the file `story.conllu`, or all becomes what `to` names. With `force` the output
    may replace an input or a model. All else is as in `Parser.parse`.
    """
    assure_one_standard(reader.path for reader in readers)
    targets: list[tuple[str | os.PathLike[str], Sequence[InputReader]]] = [(output, readers)]
    if output.endswith("/"):
        names = [reader.name_in(to) for reader in readers]
        if STANDARD in names or len(set(names)) < len(names):
            what = "files of the same name, or standard input, cannot share a folder"
            raise HeadwayError(f"{output}: {what}; name one file")
        folder = assure_folder(output)
        targets = [(folder / name, [reader]) for name, reader in zip(names, readers, strict=True)]
    force = how.get("force", False)
    for target, _ in targets:
        assure_apart(target, (reader.path for reader in readers), force=force)
        if not force and is_model(target):
            what = f"{os.fspath(target)}: the output would overwrite a model"
            raise HeadwayError(f"{what}; name another file, or overwrite it with --force")
    for target, some in targets:
        with replacing(target) as stream:
            for text in chain.from_iterable(_written(parser, reader, to, how) for reader in some):
                stream.write(text)
                if target == STANDARD:
                    stream.flush()


def _written(parser: Parser, reader: InputReader, to: str | None, how: ParseKeywords) -> Iterator[bytes]:
    """What is made of a file, in its own format or another one; a note says what that has no place for."""
    if to is None:
        yield from parser.parse_bytes(reader, **how)
        return
    losses: Counter[str] = Counter()
    yield from pieces(parser.parse_batches(reader, **how), to, losses)
    describe_losses(losses, reader)
