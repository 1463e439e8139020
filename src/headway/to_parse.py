"""What a model is given: the sentences of treebanks, text that its segmenter cuts, words alone."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import StringIO
from typing import Any, NamedTuple, TypedDict, TypeVar

from headway.batch import Batch
from headway.data import Source, batches_of
from headway.errors import HeadwayError
from headway.formats.inputs import TREEBANK, InputReader
from headway.formats.reading import Reader, is_open
from headway.needed_columns import assure_suited
from headway.option_kinds import Whole
from headway.sentence import Sentence
from headway.stage_row import Keep, StageRow, columns_to_keep, filled

logger = logging.getLogger("headway")
Result = TypeVar("Result")
TREES = Whole(help="Trees of a sentence.", low=1, high=1000)
THREADS = Whole(help="Threads in parsing, each at another batch.", low=1)


class HowToParse(TypedDict, total=False):
    """How to parse, as keywords.

    force: Also parse words none of which has a tag that the model was trained on.
    keep: What the input has and the model is not to find anew: `tags` (or `upos`, `xpos`, `feats`), `lemmas`.
    keep_heads: Keep heads and labels that the input has, and fill in the rest; read it with `partial=True`.
    confidence: Say how probable each head is to be right, and head and label, as `confidence` of sentences and tokens.
    k_best: Give this many trees of each sentence, the best first; graph parsers only.
    input: What a file is: `text`, `sentences` (text with one a line), `tokens` (one sentence a line, spaces between its
        words), `vertical` (one word a line) or `conllu` (any treebank). By default its name and first line tell.
    """

    force: bool
    keep: Keep
    keep_heads: bool
    confidence: bool
    k_best: int | None
    input: str | None


class SuitedBatch(NamedTuple):
    """A batch, and the stages that are for it."""

    row: StageRow
    batch: Batch


def suited(source: Source | Sentence, row: StageRow, how: HowToParse, *, quiet: bool = False) -> Iterator[SuitedBatch]:
    """The batches of a source, with the stages that are for them; before the first, what the source lacks is said."""
    columns = columns_to_keep(how.get("keep", ()))
    for number, batch in enumerate(batches_to_parse(source, row, how.get("input"))):
        if number == 0:
            row = row.keeping(batch, columns)
            assure_suited(batch, row.needs, row.seen, force=how.get("force", False), quiet=quiet)
            if not quiet:
                say_replaced(row, batch)
        yield SuitedBatch(row, batch)


def way_to_parse(row: StageRow, how: HowToParse) -> Callable[[SuitedBatch], Batch]:
    """What is done to each batch; what cannot be done is refused before anything is read."""
    k = how.get("k_best")
    asked = [name for name in ("keep_heads", "confidence") if how.get(name)] + ["k_best"] * (k is not None)
    if len(asked) > 1:
        raise HeadwayError(f"{' and '.join(asked)} do not go together; ask for one of them")
    if k is not None:
        refusal = TREES.refusal(f"k_best = {k!r}", k)
        if refusal is not None:
            raise HeadwayError(refusal)
        row.assure_ranking()
        return lambda work: work.row.ranked(work.batch, k)
    if how.get("confidence"):
        row.assure_confident()
        return lambda work: work.row.annotate_surely(work.batch)
    if how.get("keep_heads"):
        return lambda work: work.row.annotate_within(work.batch)
    return lambda work: work.row.annotate(work.batch)


def named(name: str, text: str) -> StringIO:
    """A text as an open file; messages call it by the name."""
    file = StringIO(text)
    file.name = name
    return file


def batches_to_parse(source: Source | Sentence, row: StageRow, input: str | None = None) -> Iterable[Batch]:
    """The sentences of a source, some hundred at a time; `input` says what a file is, where its content does not."""
    if isinstance(source, InputReader):
        return source.batches(row.segmenter)
    if isinstance(source, (str, os.PathLike)) or is_open(source):
        return InputReader(source, input=input).batches(row.segmenter)
    if isinstance(source, Sequence) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return _several(source, row, input)
    if input not in (None, TREEBANK):
        what = "a reader reads a treebank" if isinstance(source, Reader) else "sentences are no file"
        raise HeadwayError(f"input = {input!r}: {what}; give the path of a file, or leave input out")
    return batches_of(source)


def _several(paths: Sequence[Any], row: StageRow, input: str | None) -> Iterator[Batch]:
    for path in paths:
        yield from InputReader(path, input=input).batches(row.segmenter)


def say_replaced(row: StageRow, batch: Batch) -> None:
    """Say which columns of an input the model finds anew, so that nobody takes them for those of the input."""
    given = frozenset().union(*(stage.gives for stage in row.running)) - row.kept - {"HEAD", "DEPREL"}
    if replaced := filled(batch, given):
        which = ", ".join(sorted(replaced))
        logger.warning(
            f"{batch.source}: the model finds {which} anew; keep what the input has with --keep tags,lemmas (in Python"
            " keep=…)"
        )


def in_order(
    function: Callable[[SuitedBatch], Result], batches: Iterable[SuitedBatch], threads: int
) -> Iterator[Result]:
    """What a function makes of batches, in order; with threads, of some of them at once."""
    refusal = THREADS.refusal(f"threads = {threads!r}", threads)
    if refusal is not None:
        raise HeadwayError(refusal)
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
