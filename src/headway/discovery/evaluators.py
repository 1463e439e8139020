"""Measuring a candidate: learn with its features, parse the other sentences, count what is right."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.folds import fold_of
from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.data.sources import batches_of, sentences_of
from headway.discovery.columns import ColumnStore
from headway.discovery.measure import FULL, HALF, LOOK, LOOK_AT_ONE_IN, QUARTER, TEST, Measure, MeasureSetting, model_of
from headway.discovery.options import FAMILIES
from headway.discovery.right_counts import RIGHT, Counts, GoldBatch
from headway.discovery.successors import Candidate
from headway.discovery.treebanks import SearchTreebanks, batches_from
from headway.evaluation.columns import Mask
from headway.evaluation.metrics.attachment import counted_words
from headway.features.compile import compile_features
from headway.features.language import Feature, Term
from headway.kernels.transition import examples as kernel
from headway.learners.kernel_svm import KernelSVM
from headway.learners.registry import Learner
from headway.parsers.transition.batch_training import template_to_split_by
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.parser import TransitionParser
from headway.parsers.transition.training import TreeData, training_with
from headway.runs.engines import Shared
from headway.stages.contract import Stage
from headway.training.contract import unheard
from headway.training.loop import TrainingLoop

_here = threading.local()


PARTS = {QUARTER: 4, HALF: 2, FULL: 4}
"""A whole model is measured on stretches of the training treebank, cut into so many parts."""
BLOCKS = 16
"""Its sentences are dealt to the parts in so many blocks, so that few texts are in two of them."""
LOOK_CUTOFF = 2
"""A short measure leaves out features seen less often: they are most of all, and tell little of a candidate."""


class Fold(NamedTuple):
    """Sentences to learn from, by number, and sentences to parse."""

    train: Ints
    dev: Sequence[GoldBatch]


class Evaluator:
    """Measures candidates on treebanks that were made ready once for all of them; each is trained by itself."""

    def __init__(self, setting: MeasureSetting, treebanks: SearchTreebanks) -> None:
        self.setting = setting
        self.batches = batches_from(treebanks.train, "train")
        self.test = self._gold(batches_from(treebanks.test, "test"))
        self.dev = self._gold(batches_from(treebanks.dev, "dev"))
        self.stretches: dict[str, list[Fold]] = {}

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences to learn from."""
        return sentences_of(self.batches)

    def folds(self, stage: str) -> list[Fold]:
        """What to learn from and what to parse for such a measure."""
        if stage not in self.stretches:
            self.stretches[stage] = self._folds(stage)
        return self.stretches[stage]

    def _folds(self, stage: str) -> list[Fold]:
        count = sum(map(len, self.batches))
        everything = np.arange(count, dtype=np.int32)
        folds = PARTS.get(stage, 0) if self.setting.whole else self.setting.folds
        if not folds:
            return [Fold(everything, self.test if stage == TEST else self.dev)]
        dealt = everything * BLOCKS // count % folds if self.setting.whole else fold_of(count, folds)
        if stage == TEST:
            return [Fold(everything[dealt != 0], self.test)]
        if stage == QUARTER:
            return [self._fold(dealt == 0)]
        return [self._fold(dealt != number) for number in range(folds)]

    def _fold(self, learned: Mask) -> Fold:
        """Learn from some sentences and parse the others."""
        others = [self.sentences[number] for number in np.flatnonzero(~learned)]
        return Fold(np.flatnonzero(learned).astype(np.int32), self._gold(batches_of(others)))

    def _gold(self, batches: Iterable[Batch]) -> list[GoldBatch]:
        definition = self.setting.definition
        return [GoldBatch(batch, counted_words(batch, definition), definition) for batch in batches]

    def trained(self, options: Any, sentences: Ints, cutoff: int = 1) -> Stage:
        """A stage with these options, which have a feature model, learned from the sentences with these numbers.

        Features seen less than `cutoff` times may be left out.
        """
        with unheard_notes():
            return TrainingLoop(options, list(batches_of([self.sentences[number] for number in sentences]))).run()

    def prepare(self, terms: Iterable[Term]) -> None:
        """Do what can be done once for all candidates with these terms: nothing, where each is trained by itself."""

    def measure(self, candidate: Candidate, stage: str = FULL, generation: int = 0) -> Measure:
        """The scores of a set of features: on the folds' sentences, or for TEST on the test treebank."""
        started = time.thread_time()
        found: dict[str, list[Counts]] = {name: [] for name in FAMILIES[self.setting.family].metrics}
        options = self.setting.options_for(model_of(self.setting, candidate.features), stage)
        words = 0
        for train, parsed in self.folds(stage):
            some, cutoff = (train[::LOOK_AT_ONE_IN], LOOK_CUTOFF) if stage == LOOK else (train, 1)
            trained = self.trained(options, some, cutoff)
            for gold in parsed:
                right = RIGHT[self.setting.family](trained, gold)
                for counts, of_batch in zip(found.values(), right.by_sentence, strict=True):
                    counts.append(of_batch)
                words += right.total
        by_sentence = {name: np.concatenate(counts) for name, counts in found.items()}
        return Measure(
            candidate=candidate,
            generation=generation,
            stage=stage,
            scores={name: 100 * int(counts.sum()) / max(1, words) for name, counts in by_sentence.items()},
            right=tuple(by_sentence[self.setting.metric].tolist()),
            seconds=time.thread_time() - started,
        )


class TransitionEvaluator(Evaluator):
    """Learns from columns, which all workers of a machine share in a folder: nothing is extracted twice."""

    def __init__(
        self, setting: MeasureSetting, treebanks: SearchTreebanks, folder: str | os.PathLike[str] | None = None
    ) -> None:
        """Without a folder, that of the setting; on another machine, one of its own."""
        super().__init__(setting, treebanks)
        folder = folder or setting.columns
        if folder is None or not os.access(folder, os.W_OK):
            folder = tempfile.mkdtemp(prefix="headway-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.data = TreeData.of(cast(TransitionOptions, setting.options), self.batches)
        self.columns = ColumnStore(self.data, folder)

    def prepare(self, terms: Iterable[Term]) -> None:
        """Find their columns."""
        self.columns.prepare(terms)

    def trained(self, options: TransitionOptions, sentences: Ints, cutoff: int = 1) -> TransitionParser:
        """A parser learned from the columns of its features."""
        rows = np.flatnonzero(np.isin(self.columns.configurations.sentences, sentences)).astype(np.int32)
        templates = compile_features(cast(Sequence[Feature], options.features))
        learner = unsplit(cast(Learner, options.learner), templates.features)
        training = training_with(options, learner, self.data, templates)
        training.adopt(*self._examples(training.templates.features, rows, cutoff), rows)
        for number in range(1, training.planned + 1):
            training.step(number, unheard)
        return training.parser()

    def _examples(
        self, model: Sequence[Feature], rows: Ints, cutoff: int = 1
    ) -> tuple[kernel.Examples, NDArray[np.uint64]]:
        """The examples of some configurations, and the keys of their features."""
        self.columns.prepare(term for f in model for term in f.terms)
        found = [self.columns.feature(f) for f in model]
        base = np.cumsum([0, *(len(keys) for _, keys in found)], dtype=np.int32)
        examples, (allowed, actions, labels, _) = kernel.Examples(), self.columns.configurations
        kernel.assemble(examples, [ids for ids, _ in found], base, rows, allowed, actions, labels)
        keys = np.concatenate([keys for _, keys in found])
        if cutoff > 1:
            kept = np.bincount(examples.matrix()[0], minlength=len(keys)) >= cutoff
            examples.renumber(np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32))
            keys = keys[kept]
        return examples, keys


@contextmanager
def unheard_notes() -> Iterator[None]:
    """Keep what trainings of this thread say of their features, a hundred times, from the user."""
    here, logger = threading.get_ident(), logging.getLogger("headway")

    def is_elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != here

    logger.addFilter(is_elsewhere)
    try:
        yield
    finally:
        logger.removeFilter(is_elsewhere)


def unsplit(learner: Learner, features: Sequence[Feature]) -> Learner:
    """The learner without parts where the features lack the one that it splits by, as the first sets of a search do."""
    if isinstance(learner, KernelSVM) and learner.split and template_to_split_by(features, learner.split) is None:
        return replace(learner, split=None)
    return learner


def measure(setting: MeasureSetting, shared: Shared, candidate: Candidate, stage: str, generation: int) -> Measure:
    """A job: measure one candidate."""
    return evaluator_of(setting, shared).measure(candidate, stage, generation)


def prepare(setting: MeasureSetting, shared: Shared, terms: tuple[Term, ...]) -> None:
    """A job: find the columns of terms before many workers need them.

    No measure depends on it. A worker whose folder lacks a column, as on another machine, finds it itself.
    """
    evaluator_of(setting, shared).prepare(terms)


def evaluator_of(setting: MeasureSetting, shared: Shared) -> Evaluator:
    """The evaluator of a worker, made ready with its first job; each thread has its own."""
    if getattr(_here, "of", None) != (setting, shared):
        treebanks = SearchTreebanks.unpacked(shared.read())
        kind = TransitionEvaluator if setting.family == "transition" and not setting.whole else Evaluator
        _here.evaluator = kind(setting, treebanks)
        _here.of = setting, shared
    evaluator: Evaluator = _here.evaluator
    return evaluator
