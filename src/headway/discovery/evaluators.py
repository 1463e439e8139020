"""Measuring a candidate: learn with its features, parse the other sentences, count what is right."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from headway.base.folds import fold_of, parted
from headway.data.batch import Batch, Ints
from headway.data.formats.writing import running_text
from headway.data.sentence import Sentence
from headway.data.sources import batches_of, sentences_of
from headway.discovery.columns import ColumnStore
from headway.discovery.measure import FULL, LOOK, LOOK_AT_ONE_IN, TEST, Measure, MeasureSetting, model_of
from headway.discovery.options import DECIDED, FAMILIES
from headway.discovery.successors import Candidate
from headway.discovery.treebanks import SearchTreebanks, batches_from
from headway.evaluation.columns import Mask
from headway.evaluation.definitions import Definition
from headway.evaluation.metrics.attachment import counted_words, right_words, same_cells
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
from headway.text.segmenter import SENTENCE, TOKEN
from headway.text.segmenter.aligned import AlignedText, aligned
from headway.text.segmenter.characters import is_space
from headway.training.contract import unheard
from headway.training.loop import TrainingLoop

_here = threading.local()
Counts: TypeAlias = NDArray[np.int64]


class GoldBatch(NamedTuple):
    """Sentences as they should be, which of their words count, and which labels are the same."""

    batch: Batch
    counted: Mask
    definition: Definition


class RightCounts(NamedTuple):
    """For each metric how many words or tokens of each sentence are right, and how many there are in all."""

    by_sentence: tuple[Counts, ...]
    total: int


def of_words(masks: Callable[[Batch, Batch, Definition], tuple[Mask, ...]], stage: Any, gold: GoldBatch) -> RightCounts:
    """Counts of the words that count and are right."""
    batch, counted, definition = gold
    found = masks(batch, stage.annotate(batch), definition)
    starts = batch.sentence_word[:-1]
    return RightCounts(
        tuple(np.add.reduceat(right & counted, starts, dtype=np.int64) for right in found), int(counted.sum())
    )


def right_tags(gold: Batch, found: Batch, definition: Definition) -> tuple[Mask, Mask]:
    """Which words have the right UPOS, and which the right UPOS, XPOS and FEATS."""
    columns = [same_cells(gold.column(name), found.column(name)) for name in DECIDED]
    return columns[0], np.logical_and.reduce(columns)


def right_lemmas(gold: Batch, found: Batch, definition: Definition) -> tuple[Mask]:
    """Which words have the right lemma."""
    return (same_cells(gold.column("LEMMA"), found.column("LEMMA")),)


def of_segments(segmenter: Any, gold: GoldBatch) -> RightCounts:
    """Counts of the tokens that a segmenter finds in the raw text, and of those whose sentence it finds, too."""
    batch = gold.batch
    text = "".join(running_text(Sentence.view(batch, number) for number in range(len(batch))))
    wanted, found = _marks(aligned([batch])), _marks(aligned(segmenter.segment([text])))
    tokens = _spans_found(wanted >= TOKEN, found >= TOKEN)
    sentences = _spans_found(wanted == SENTENCE, found == SENTENCE)
    ends = np.flatnonzero(wanted[wanted >= TOKEN] == SENTENCE) + 1
    of_token = np.repeat(sentences, np.diff(ends, prepend=0))
    starts = np.concatenate([[0], ends[:-1]])
    return RightCounts(
        tuple(np.add.reduceat(right, starts, dtype=np.int64) for right in (tokens, tokens & of_token)), len(tokens)
    )


def _marks(text: AlignedText) -> NDArray[np.uint8]:
    """What stands behind each character that is no space: the same characters, however text is cut."""
    solid = np.array([not is_space(chr(code)) for code in text.codes], np.bool_)
    return np.asarray(text.marks[1:][solid])


def _spans_found(wanted: Mask, found: Mask) -> Mask:
    """Of the stretches between two ends that are wanted, which are found: both ends, and none between them."""
    ends = np.flatnonzero(wanted)
    starts = np.concatenate([[-1], ends[:-1]])
    reached = np.concatenate([[0], np.cumsum(found)])
    both = found[ends] & ((starts < 0) | found[starts])
    return np.asarray(both & (reached[ends + 1] - reached[starts + 1] == 1), np.bool_)


RIGHT: Mapping[str, Callable[[Any, GoldBatch], RightCounts]] = {
    "transition": partial(of_words, right_words),
    "graph": partial(of_words, right_words),
    "tagger": partial(of_words, right_tags),
    "lemmatizer": partial(of_words, right_lemmas),
    "segmenter": of_segments,
}
"""How candidates of each family are scored."""


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
        several = tuple(f for f in model if f.has("FEAT"))
        single = [f for f in model if f not in several]
        self.columns.prepare(term for f in single for term in f.terms)
        found = [self.columns.feature(f) for f in single]
        start, more, more_keys = self.columns.lists(several)
        base = np.cumsum([0, *(len(keys) for _, keys in found)], dtype=np.int32)
        examples, (allowed, actions, labels, _) = kernel.Examples(), self.columns.configurations
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
        kind = TransitionEvaluator if setting.family == "transition" else Evaluator
        _here.evaluator = kind(setting, treebanks)
        _here.of = setting, shared
    evaluator: Evaluator = _here.evaluator
    return evaluator
