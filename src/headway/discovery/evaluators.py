"""Measuring a candidate: learn from the training sentences with its features, parse the others."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.folds import fold_of, parted
from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.data.sources import batches_of, sentences_of
from headway.discovery.columns import ColumnStore
from headway.discovery.correct_counts import RIGHT, Counts, GoldBatch
from headway.discovery.families import FAMILIES
from headway.discovery.measure import FULL, LOOK, LOOK_AT_ONE_IN, TEST, Measure, MeasureSetting
from headway.discovery.models import model_of
from headway.discovery.moves import Candidate
from headway.discovery.treebanks import SearchTreebanks, batches_from
from headway.evaluation.metrics.attachment import counted_words
from headway.features.compile import compile_features
from headway.features.language import Feature, Term
from headway.kernels.transition import columns as kernel
from headway.kernels.transition.examples import Examples
from headway.learners.kernel_svm import KernelSVM
from headway.learners.registry import Learner
from headway.parsers.transition.batch_training import template_to_split_by
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.parser import TransitionParser
from headway.parsers.transition.training import TreeData, training_with
from headway.stages.contract import Stage
from headway.training.contract import unheard
from headway.training.loop import TrainingLoop

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
        self.folds = self._folds(batches_from(treebanks.dev, "dev"))

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences to learn from."""
        return sentences_of(self.batches)

    def _folds(self, dev: Sequence[Batch]) -> list[Fold]:
        count, folds = sum(map(len, self.batches)), self.setting.folds
        if not folds:
            return [Fold(np.arange(count, dtype=np.int32), self._gold(dev))]
        dealt = fold_of(count, folds)
        others = (np.flatnonzero(dealt != number).astype(np.int32) for number in range(folds))
        own = (batches_of(parted(self.sentences, number, folds)[0]) for number in range(folds))
        return [Fold(train, self._gold(dev)) for train, dev in zip(others, own, strict=True)]

    def _gold(self, batches: Iterable[Batch]) -> list[GoldBatch]:
        definition = self.setting.definition
        return [GoldBatch(batch, counted_words(batch, definition), definition) for batch in batches]

    def trained(self, options: Any, sentences: Ints, cutoff: int = 1) -> Stage:
        """A stage with these options, which have a feature model, learned from the sentences with these numbers.

        Features seen less than `cutoff` times may be left out.
        """
        return TrainingLoop(options, list(batches_of([self.sentences[number] for number in sentences]))).run()

    def prepare(self, terms: Iterable[Term]) -> None:
        """Do what can be done once for all candidates with these terms: nothing, where each is trained by itself."""

    def measure(self, candidate: Candidate, stage: str = FULL, generation: int = 0) -> Measure:
        """The scores of a set of features: on the folds' sentences, or for TEST on the test treebank."""
        started = time.thread_time()
        found: dict[str, list[Counts]] = {name: [] for name in FAMILIES[self.setting.family].metrics}
        options = self.setting.options_for(model_of(self.setting, candidate.features), stage)
        words = 0
        for train, dev in self.folds[:1] if stage == TEST else self.folds:
            some, cutoff = (train[::LOOK_AT_ONE_IN], LOOK_CUTOFF) if stage == LOOK else (train, 1)
            trained = self.trained(options, some, cutoff)
            for gold in self.test if stage == TEST else dev:
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
    """Learns from columns: nothing is extracted twice."""

    def __init__(self, setting: MeasureSetting, treebanks: SearchTreebanks, folder: str) -> None:
        super().__init__(setting, treebanks)
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

    def _examples(self, model: Sequence[Feature], rows: Ints, cutoff: int = 1) -> tuple[Examples, NDArray[np.uint64]]:
        """The examples of some configurations, and the keys of their features."""
        several = tuple(f for f in model if f.has("FEAT"))
        single = [f for f in model if f not in several]
        self.columns.prepare(term for f in single for term in f.terms)
        found = [self.columns.feature(f) for f in single]
        start, more, more_keys = self.columns.lists(several)
        base = np.cumsum([0, *(len(keys) for _, keys in found)], dtype=np.int32)
        examples, (allowed, actions, labels, _) = Examples(), self.columns.configurations
        kernel.assemble(examples, [ids for ids, _ in found], base, rows, allowed, actions, labels, start, more)
        keys = np.concatenate([*(keys for _, keys in found), more_keys])
        if cutoff > 1:
            kept = np.bincount(examples.matrix()[0], minlength=len(keys)) >= cutoff
            examples.renumber(np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32))
            keys = keys[kept]
        return examples, keys


def unsplit(learner: Learner, features: Sequence[Feature]) -> Learner:
    """The learner without parts where the features lack the one that it splits by, as the first sets of a search do."""
    if isinstance(learner, KernelSVM) and learner.split and template_to_split_by(features, learner.split) is None:
        return replace(learner, split=None)
    return learner
