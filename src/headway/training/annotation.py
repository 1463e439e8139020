"""A session of annotation: a parser learns from each correction at once, and is trained again in the background."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from headway.base.errors import HeadwayError, assure_whole, described
from headway.base.files import assure_path
from headway.base.options import Number
from headway.base.stage_options import StageOptions
from headway.data.formats.format import CONLLU
from headway.data.formats.reading import read
from headway.data.formats.writing import write
from headway.data.sentence import Sentence, assure_sentence, views
from headway.data.sources import Source, batches_of
from headway.runs.process_engine import ProcessEngine
from headway.stages.contract import Confident
from headway.stages.parsing.loading import load
from headway.stages.parsing.parser import Parser
from headway.training.families import family_of
from headway.training.train import train

logger = logging.getLogger("headway")
Way = Literal["dev", "cross-validation", "none"]
EVERY = 20
"""Corrections between two trainings."""
WEIGHT = Number(help="How much a correction counts beside a sentence of the treebank.", low=0, above=True)


class Annotation:
    """A parser at work. Each correction acts at once; after some of them it is trained again in the background.

    >>> import headway
    >>> from headway.data.sample import generate
    >>> treebank = list(generate(60))
    >>> parser = headway.train(treebank, passes=2, features="malt-14")
    >>> with headway.Annotation(parser, treebank, every=5) as session:
    ...     for right in generate(10, seed=2):
    ...         guess = session.parse(right)
    ...         _ = session.correct(right)
    ...     better = session.wait()
    >>> session.trainings > 0, len(session.corrections)
    (True, 10)

    The training learns from the treebank and from all corrections, in a process of its own, with the options of the
    parser. Its result takes over as soon as it is there, and learns at once what was corrected meanwhile. `weight` says
    how much a correction counts beside a sentence of the treebank. Where the parser could say how sure it is, it can
    again: calibrated on `dev` if there is one, else by cross-validation.

    With a `journal`, each correction is in this file, as CoNLL-U, before anything is learned from it; a session with a
    journal that is there goes on from it. All methods may be called from several threads.
    """

    def __init__(
        self,
        parser: Parser,
        treebank: Source,
        *,
        dev: str | os.PathLike[str] | None = None,
        every: int = EVERY,
        weight: float = 1.0,
        journal: str | os.PathLike[str] | None = None,
    ) -> None:
        if not isinstance(parser, Parser):
            raise HeadwayError(f"expected a parser, got {described(parser)}; headway.load opens a model file")
        assure_whole("every", every)
        if refusal := WEIGHT.error_for(f"weight = {weight!r}", weight):
            raise HeadwayError(refusal)
        self._options = learned_with(parser)
        self._calibrate = _way_to_calibrate(parser, dev)
        self._dev = None if dev is None else str(Path(dev).resolve())
        self._every, self._weight = every, weight
        self._parser = Parser(parser.stages)
        self._lock = RLock()
        self._corrections: dict[object, Sentence] = {}
        self._waiting: list[Sentence] = []
        self._training: Future[str] | None = None
        self._engine: ProcessEngine | None = None
        self._journal = None if journal is None else _Journal(journal)
        self._folder = tempfile.TemporaryDirectory(prefix="headway-")
        self._treebank = self._path_of(treebank)
        self.trainings: int = 0
        """How many trainings in the background have been taken over."""
        for sentence in self._journal.sentences() if self._journal else ():
            self._learn(sentence)
        self._begin_training_if_due()

    @property
    def parser(self) -> Parser:
        """The parser as it is now."""
        with self._lock:
            self._take_over()
            return self._parser

    @property
    def corrections(self) -> list[Sentence]:
        """What was corrected, in order; of a sentence that was corrected again, the last correction."""
        with self._lock:
            return list(self._corrections.values())

    def parse(self, sentence: Sentence) -> Sentence:
        """A sentence as the parser finds it now; `session.parser` takes options and more than a sentence."""
        assure_sentence(sentence, "parse one sentence at a time; session.parser parses more")
        return self.parser.parse(sentence)

    def correct(self, sentence: Sentence) -> bool:
        """Learn from a corrected sentence; whether the parser gets it right now."""
        assure_sentence(sentence, "correct one sentence at a time")
        sentence.heads  # noqa: B018 (an error where there is no whole tree)
        with self._lock:
            self._take_over()
            if self._journal:
                self._journal.add(sentence)
            right = self._learn(sentence)
            self._begin_training_if_due()
            return right

    def wait(self) -> Parser:
        """Wait for the training under way, if there is one; the parser then. What went wrong in it is raised."""
        training = self._training
        if training is not None:
            training.exception()
            with self._lock:
                self._take_over(tolerant=False)
        return self.parser

    def close(self) -> None:
        """End the session; a training under way is given up."""
        with self._lock:
            if self._engine is not None:
                self._engine.__exit__(None, None, None)
            self._engine = self._training = None
            self._folder.cleanup()

    def __enter__(self) -> Annotation:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _path_of(self, treebank: Source) -> str:
        """The treebank as a file that another process can read."""
        if isinstance(treebank, (str, os.PathLike)):
            read(treebank)
            return str(Path(treebank).resolve())
        path = Path(self._folder.name) / "treebank.conllu"
        write(views(batches_of(treebank)), path)
        return str(path)

    def _learn(self, sentence: Sentence) -> bool:
        key = sentence.sent_id or tuple(sentence.forms)
        self._corrections[key] = sentence
        self._waiting.append(sentence)
        return self._parser.update(sentence)

    def _begin_training_if_due(self) -> None:
        if self._training is not None or len(self._waiting) < self._every:
            return
        if self._engine is None:
            self._engine = ProcessEngine(1).__enter__()
        text = "".join(f"{sentence}\n" for sentence in self._corrections.values())
        self._waiting = []
        self._training = self._engine.submit(
            _train_again, self._treebank, text, self._weight, self._options, self._dev, self._calibrate
        )

    def _take_over(self, *, tolerant: bool = True) -> None:
        """Go on with the parser of a training that is done; it learns what was corrected meanwhile."""
        if self._training is None or not self._training.done():
            return
        training, self._training = self._training, None
        error = training.exception()
        if error is None:
            self._parser = load(training.result(), mapped=False)
            self.trainings += 1
            for sentence in self._waiting:
                self._parser.update(sentence)
        elif tolerant and isinstance(error, HeadwayError):
            logger.warning("the training in the background failed, the session goes on without it: %s", error)
        else:
            raise error
        self._begin_training_if_due()


class _Journal:
    """A file of corrections, each written before anything is learned from it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        assure_path(path, "the journal of corrections")
        self._path = Path(path)

    def sentences(self) -> list[Sentence]:
        """The corrections of an earlier session. What was cut off in the middle of a sentence is removed."""
        if not self._path.exists():
            return []
        text = self._path.read_bytes()
        whole = text[: text.rfind(b"\n\n") + 2] if b"\n\n" in text else b""
        if len(whole) < len(text):
            os.truncate(self._path, len(whole))
        return list(read(self._path)) if whole else []

    def add(self, sentence: Sentence) -> None:
        with self._path.open("ab") as stream:
            stream.write(sentence.batch.render(CONLLU, sentence.index, sentence.index + 1))
            stream.flush()
            os.fsync(stream.fileno())


def learned_with(parser: Parser) -> list[StageOptions]:
    """The options that the stages of a parser were trained with."""
    found = []
    for stage in parser.stages:
        family, options = stage.about.get("family"), stage.about.get("options")
        if not isinstance(family, str) or not isinstance(options, dict):
            raise HeadwayError(f"the model does not say how its {stage.kind} was trained; train it again")
        found.append(family_of(family)(**options))
    return found


def _way_to_calibrate(parser: Parser, dev: object) -> Way:
    last = parser.stages[-1]
    if not isinstance(last, Confident) or last.calibrator is None:
        return "none"
    return "cross-validation" if dev is None else "dev"


def _train_again(
    treebank: str, corrections: str, weight: float, options: Sequence[StageOptions], dev: str | None, calibrate: Way
) -> str:
    """Train on a treebank and corrections of it; the path of the model. Runs in a process of its own."""
    logging.getLogger("headway").setLevel(logging.ERROR)
    folder = Path(tempfile.mkdtemp())
    (folder / "corrections.conllu").write_text(corrections, encoding="utf-8")
    sources: dict[Any, float] = {treebank: 1.0, str(folder / "corrections.conllu"): weight}
    parser = train(sources, list(options), dev=dev, calibrate=calibrate, workers=1)
    parser.save(folder / "parser.headway")
    return str(folder / "parser.headway")
