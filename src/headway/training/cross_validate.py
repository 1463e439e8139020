"""How good a parser can be expected to be: each part of a treebank parsed by what was learned from the other parts."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from statistics import mean, stdev
from time import perf_counter
from typing import TYPE_CHECKING, Any

from headway.base.errors import HeadwayError, assure_whole, assure_yes_no
from headway.base.files import assure_apart, assure_one_standard, assure_path, assure_writable, replacing
from headway.base.stage_options import StageOptions
from headway.data.batch import scan
from headway.data.formats.format import Format
from headway.data.sentence import Sentence
from headway.data.sources import Source, assure_all_trees, assure_trees, batches_of, digest_of, flat, fold, sentences_of
from headway.evaluation.evaluate import SystemScores, evaluate
from headway.runs.engines import Engine, Shared, SharedInJob, completed, engine_from
from headway.runs.journal import JOURNAL, Journal
from headway.training.keywords import FoldKeywords
from headway.training.train import Row, read_by, row_from, train

if TYPE_CHECKING:
    from typing_extensions import Unpack

logger = logging.getLogger("headway")
FOLDS = 10
VERSION = 1
"""Of the journal."""
METRICS = ("LAS", "UAS", "LA", "CLAS", "UCM", "LCM")
KEYWORDS = ("definition", "dev", "folds", "force", "jobs", "output", "punctuation")
"""What can be said beside the options of a training."""


@dataclass(frozen=True)
class FoldScores:
    """What the parser that was trained without a fold gets right in it."""

    number: int
    sentences: int
    words: int
    scores: SystemScores


@dataclass(frozen=True, repr=False)
class CrossValidation:
    """The scores of all folds, those of all sentences together, and their parses in the order of the treebank."""

    folds: tuple[FoldScores, ...]
    together: SystemScores
    parses: Sequence[Sentence]

    @property
    def metrics(self) -> list[str]:
        """The scores that are shown, as far as the definition has them."""
        return [name for name in METRICS if name in self.together.metrics]

    def mean(self, metric: str = "LAS") -> float:
        """The mean of a score over the folds, in per cent."""
        return mean(100 * one.scores[metric].f1 for one in self.folds)

    def spread(self, metric: str = "LAS") -> float:
        """The standard deviation of a score over the folds, in points."""
        return stdev(100 * one.scores[metric].f1 for one in self.folds)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the parses, for JSON."""
        return {
            **{name: value for name, value in self.together.to_dict().items() if name not in ("gold", "system")},
            "mean": {name: self.mean(name) for name in self.metrics},
            "standard_deviation": {name: self.spread(name) for name in self.metrics},
            "folds": [
                {
                    "fold": one.number,
                    "sentences": one.sentences,
                    "words": one.words,
                    "scores": {name: score.to_dict() for name, score in one.scores.metrics.items()},
                }
                for one in self.folds
            ],
        }

    def __repr__(self) -> str:
        return f"<CrossValidation: {self}>"

    def __str__(self) -> str:
        """The mean LAS with its spread."""
        counted = self.together.definition.name
        return f"LAS {self.mean():.2f} ± {self.spread():.2f} over {len(self.folds)} folds ({counted})"


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
        """The folds as they are done, by an engine or here, each with its seconds; 0 for those done before."""
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
                    with replacing(self._kept(number)) as stream:
                        stream.write(text)
                    journal.append({"kind": "fold", "fold": number})
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
        folds = tuple(map(self._scored, sorted(self.parsed)))
        return CrossValidation(folds, evaluate(self.sentences, parses, **self.how), parses)

    def _scored(self, number: int) -> FoldScores:
        gold = fold(self.sentences, number, self.folds)[0]
        return FoldScores(number + 1, len(gold), sum(map(len, gold)), evaluate(gold, self.parsed[number], **self.how))

    def _journal(self, stack: ExitStack) -> Journal | None:
        """The journal of a run that is kept, after the folds that it has been through."""
        if self.output is None:
            return None
        self._folder.mkdir(exist_ok=True)
        journal = stack.enter_context(Journal(self._folder / JOURNAL, "cross-validation"))
        digest = blake2b(json.dumps(self._identity).encode(), digest_size=16).hexdigest()
        first = {"kind": "run", "version": VERSION, "digest": digest, "options": self._identity}
        for record in journal.begin(first):
            kept = self._kept(record["fold"])
            if kept.exists():
                self.parsed[record["fold"]] = self._read(kept.read_bytes())
        return journal

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
