"""How good a parser can be expected to be: each part of a treebank parsed by what was learned from the other parts."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError, assure_whole, assure_yes_no
from headway.base.files import assure_apart, assure_one_standard, assure_path, assure_writable, replacing
from headway.base.stage_options import StageOptions
from headway.data.batch import scan
from headway.data.formats.format import Format
from headway.data.sentence import Sentence
from headway.data.sources import Source, assure_all_trees, assure_trees, batches_of, digest_of, flat, fold, sentences_of
from headway.evaluation.evaluate import evaluate
from headway.runs.engines import Engine, Shared, SharedInJob, completed, engine_from
from headway.runs.journal import JOURNAL, Journal
from headway.training.fold_scores import CrossValidation, FoldScores
from headway.training.keywords import FoldKeywords
from headway.training.train import Row, read_by, row_from, train

if TYPE_CHECKING:
    from typing_extensions import Unpack

logger = logging.getLogger("headway")
FOLDS = 10
OF = "cross-validation"
VERSION = 1
"""Of the journal."""
KEYWORDS = ("definition", "dev", "folds", "force", "jobs", "output", "punctuation")
"""What can be said beside the options of a training."""


def cross_validate(
    source: Source,
    options: StageOptions | Row | None = None,
    /,
    *,
    folds: int = FOLDS,
    dev: Source | None = None,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    definition: str | None = None,
    punctuation: bool | None = None,
    jobs: int | None = 1,
    **keywords: Unpack[FoldKeywords],
) -> CrossValidation:
    """Train and parse in turn: each of `folds` parts by a parser that has learned from the others.

    `keywords` are those of `headway.train`, the others those of `Folds`. `jobs` folds are trained at once, each by
    a process of its own where they are more than 1; None for as many as cores.

    >>> from headway.data.sample import generate
    >>> found = cross_validate(generate(40), folds=2, passes=1)
    >>> len(found.folds), len(found.parses)
    (2, 40)
    """
    engine = None if jobs == 1 else engine_from(None, jobs)
    how: dict[str, Any] = {"definition": definition, "punctuation": punctuation, **keywords}
    run = Folds(source, options, folds=folds, dev=dev, output=output, force=force, **how)
    for _ in run.run(engine):
        pass
    return run.result()


class Folds:
    """A cross-validation under way. Sentences are dealt out to the folds one after the other, as `headway split` does.

    With `output`, a file for the parses, finished folds are kept in a folder beside it until all are there, and an
    interrupted run goes on from them.
    """

    def __init__(
        self,
        source: Source,
        options: StageOptions | Row | None = None,
        /,
        *,
        folds: int = FOLDS,
        dev: Source | None = None,
        output: str | os.PathLike[str] | None = None,
        force: bool = False,
        definition: str | None = None,
        punctuation: bool | None = None,
        **given: Any,
    ) -> None:
        """Read the treebank, and refuse what cannot be trained, or would be overwritten without `force`."""
        how, row = row_from(options, given, KEYWORDS)
        for one in row:
            one.ready()
        assure_whole("folds", folds, 2)
        assure_yes_no("force", force)
        self.folds, self.options, self.given = folds, options, given
        self.how: dict[str, Any] = {"definition": definition, "punctuation": punctuation}
        if output is not None:
            assure_path(output, "a file for the parses")
        self.output = None if output is None else Path(output)
        inputs = read_by(row, source, dev)
        assure_one_standard(inputs)
        if self.output is not None:
            assure_apart(self.output, inputs, force=force)
            assure_writable(self.output)
            if not how.resume:
                self._discard()
        self.batches = flat(batches_of(source))
        assure_all_trees(self.batches)  # here they have the places that workers would not know
        self.dev = None if dev is None else flat(batches_of(dev))
        if self.dev is not None:
            assure_trees(self.dev, "the development treebank")
        self.sentences = sentences_of(self.batches)
        fold(self.sentences, 0, folds)  # raises where there are too few sentences
        if len({batch.format.name for batch in self.batches}) > 1:
            raise HeadwayError("the treebank is in several formats; convert it to one first")
        self.parsed: dict[int, list[Sentence]] = {}
        self._identity = {
            "treebank": digest_of(self.batches),
            "dev": None if self.dev is None else digest_of(self.dev),
            "folds": folds,
            "patience": how.patience,
            "tune": ",".join(how.tuned),
            **{f"{one.family} {name}": value for one in row for name, value in one.identity().items()},
        }

    @property
    def _folder(self) -> Path:
        assert self.output is not None
        return self.output.with_name(f"{self.output.name}.folds")

    def run(self, engine: Engine | None = None) -> Iterator[tuple[FoldScores, float]]:
        """The folds as they are done, each with the seconds it took; 0 for those that an earlier run has done.

        Without an engine, in this process.
        """
        with ExitStack() as stack:
            journal = self._journal(stack)
            for number in self.parsed:
                yield self._scored(number), 0.0
            if engine is not None:
                stack.enter_context(engine)
            share = SharedInJob if engine is None else engine.share
            shared = [
                (share(b"".join(batch.render(batch.format) for batch in some)), some[0].format)
                for some in (self.batches, self.dev)
                if some
            ]
            left = [number for number in range(self.folds) if number not in self.parsed]
            calls = [(parsed_fold, (shared, number, self.folds, self.options, self.given)) for number in left]
            here = ((index, job(*arguments)) for index, (job, arguments) in enumerate(calls))
            said: set[str] = set()
            for index, (text, notes, seconds) in here if engine is None else completed(engine, calls):
                number = left[index]
                for note in [note for note in dict.fromkeys(notes) if note not in said]:
                    logger.warning("%s", note)
                said.update(notes)
                self.parsed[number] = self._read(text)
                if journal is not None:
                    self._keep(number, text, journal)
                yield self._scored(number), seconds

    def result(self) -> CrossValidation:
        """The scores of all folds; writes the parses where they are wanted."""
        parses: list[Sentence] = [*self.sentences]
        for number, found in self.parsed.items():
            parses[number :: self.folds] = found
        if self.output is not None:
            with replacing(self.output) as stream:
                for sentence in parses:
                    stream.write(sentence.batch.render(sentence.batch.format, sentence.index, sentence.index + 1))
            self._discard()
        scored = tuple(map(self._scored, sorted(self.parsed)))
        return CrossValidation(scored, evaluate(self.sentences, parses, **self.how), parses)

    def _scored(self, number: int) -> FoldScores:
        gold, _ = fold(self.sentences, number, self.folds)
        scores = evaluate(gold, self.parsed[number], **self.how)
        return FoldScores(number + 1, len(gold), sum(map(len, gold)), scores)

    def _journal(self, stack: ExitStack) -> Journal | None:
        """The journal of a run that is kept, after the folds that it has been through."""
        if self.output is None:
            return None
        self._folder.mkdir(exist_ok=True)
        journal = stack.enter_context(Journal(self._folder / JOURNAL, OF))
        digest = blake2b(json.dumps(self._identity).encode(), digest_size=16).hexdigest()
        first = {"kind": "run", "version": VERSION, "digest": digest, "options": self._identity}
        for record in journal.begin(first):
            kept = self._kept(record["fold"])
            if kept.exists():
                self.parsed[record["fold"]] = self._read(kept.read_bytes())
        return journal

    def _keep(self, number: int, text: bytes, journal: Journal) -> None:
        with replacing(self._kept(number)) as stream:
            stream.write(text)
        journal.append({"kind": "fold", "fold": number})

    def _discard(self) -> None:
        """Remove what was kept of folds, and nothing else."""
        if (self._folder / JOURNAL).exists():
            for path in (*self._folder.glob("parses[0-9]*"), self._folder / JOURNAL):
                path.unlink()
        with suppress(OSError):
            self._folder.rmdir()

    def _kept(self, number: int) -> Path:
        return self._folder / f"parses{number + 1}"

    def _read(self, text: bytes) -> list[Sentence]:
        return sentences_of([scan(text, self.batches[0].format, str(self.output or "parses"))[0]])


def parsed_fold(
    shared: Sequence[tuple[Shared, Format]],
    number: int,
    folds: int,
    options: StageOptions | Row | None,
    given: dict[str, Any],
) -> tuple[bytes, list[str], float]:
    """The sentences of a fold as a parser of the others parses them, notes, and the seconds that took. A job."""
    started = perf_counter()
    treebank, *dev = (sentences_of([scan(text.read(), form, "treebank")[0]]) for text, form in shared)
    held_out, others = fold(treebank, number, folds)
    with _heard() as notes:
        parser = train(others, options, dev=dev[0] if dev else None, **given)
        text = b"".join(parser.parse_bytes(held_out))
    return text, notes, perf_counter() - started


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Notes that would be made here, for somebody who makes those of all folds once."""
    notes: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: notes.append(record.getMessage())  # type: ignore[method-assign]
    before = logger.handlers, logger.propagate
    logger.handlers, logger.propagate = [handler], False
    try:
        yield notes
    finally:
        logger.handlers, logger.propagate = before
