"""Measuring a candidate: learn from the training sentences with its features, parse the others."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Ints
from headway.data import batches_of
from headway.discovery.columns import Columns
from headway.discovery.material import Material, batches_from
from headway.discovery.models import model_of
from headway.evaluation.definitions import is_punctuation
from headway.features.compile import compile_features
from headway.features.language import Feature, Term, parse
from headway.graph.options import GraphOptions
from headway.kernels.transition import columns as kernel
from headway.kernels.transition.examples import Examples
from headway.learners.kernel_svm import KernelSVM
from headway.learners.online import Online
from headway.learners.perceptron import Perceptron
from headway.learners.registry import Learner
from headway.runs.engines import Shared, opened
from headway.sentence import Sentence
from headway.stage import Stage
from headway.training.contract import unheard
from headway.training.loop import TrainingLoop
from headway.transition.batch_training import template_to_split_by
from headway.transition.options import TransitionOptions
from headway.transition.oracle_data import OracleData
from headway.transition.parser import TransitionParser
from headway.transition.system import System
from headway.transition.training import training_with

LOOK, FULL, TEST = "look", "full", "test"
"""How a candidate is measured: shortly, in full, or in full on the test treebank."""

LOOK_CUTOFF = 2
"""A short measure leaves out features seen less often: they are most of all, and tell little of a candidate."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How candidates are measured; the same for all of a search."""

    family: str = "transition"
    learner: Learner = field(default_factory=Perceptron)
    pairs: bool = True
    """Whether all pairs of the features count too."""
    two_step: bool = True
    """Choose the action first, then the label (Nilsson and Nugues 2010)."""
    system: System = field(default_factory=System)
    encoding: str = "none"
    """How lifted arcs are marked in labels: not at all, as in the paper."""
    prune: float | None = None
    """Weights smaller than this share of their root mean square are left out; None for as many as in training."""
    metric: str = "LAS"
    punctuation: bool = True
    """Whether punctuation counts."""
    folds: int = 0
    """Cross-validation with so many folds, instead of a development treebank."""
    look: int = 4
    """A short measure learns from one in so many sentences."""
    look_passes: int = 2
    seed: int = 1
    columns: str | None = None
    """The folder of columns on this machine."""

    def learner_for(self, stage: str) -> Learner:
        """The learner, with fewer passes for a short measure."""
        learner: Any = self.learner
        if stage == LOOK and learner.way == Online.way:
            learner = replace(learner, passes=min(self.look_passes, learner.passes))
        return cast(Learner, learner)


class Measured(NamedTuple):
    """The scores of a candidate, and for each sentence the words that are right by the metric of the search."""

    uas: float
    las: float
    right: list[int]
    seconds: float
    """Of the processor, so that what else the machine does makes no difference."""


class Counted(NamedTuple):
    """Sentences to parse, and which of their words count."""

    batch: Batch
    words: NDArray[np.bool_]


class Trial(NamedTuple):
    """Sentences to learn from, by number, and sentences to parse."""

    train: Ints
    dev: Sequence[Counted]


class Bench(ABC):
    """Treebanks made ready for measuring many candidates."""

    def __init__(self, setting: Setting, material: Material) -> None:
        self.setting = setting
        self.batches = batches_from(material.train, "train")
        self.test = self._counted(batches_from(material.test, "test"))
        self.trials = self._trials(batches_from(material.dev, "dev"))

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences to learn from."""
        return [Sentence.view(batch, index) for batch in self.batches for index in range(len(batch))]

    def _trials(self, dev: Sequence[Batch]) -> list[Trial]:
        numbers = np.arange(sum(map(len, self.batches)), dtype=np.int32)
        folds = self.setting.folds
        if not folds:
            return [Trial(numbers, self._counted(dev))]
        return [
            Trial(numbers[numbers % folds != fold], self._counted(batches_of(self.sentences[fold::folds])))
            for fold in range(folds)
        ]

    @abstractmethod
    def parser(self, model: Sequence[Feature], train: Ints, learner: Learner, cutoff: int = 1) -> Stage:
        """A parser with that feature model, learned from the sentences with these numbers.

        Features seen less than `cutoff` times may be left out.
        """

    @abstractmethod
    def prepare(self, terms: Iterable[Term]) -> None:
        """Do what can be done once for all candidates with these terms."""

    def measure(self, features: Sequence[Feature], stage: str = FULL) -> Measured:
        """The scores of a set of features: on the trials' sentences, or for TEST on the test treebank."""
        started = time.thread_time()
        heads: list[NDArray[np.int64]] = []
        labelled: list[NDArray[np.int64]] = []
        words = 0
        for train, dev in self.trials[:1] if stage == TEST else self.trials:
            short, learner = stage == LOOK, self.setting.learner_for(stage)
            some = train[:: self.setting.look] if short else train
            parser = self.parser(model_of(self.setting, features), some, learner, LOOK_CUTOFF if short else 1)
            for batch, counted in self.test if stage == TEST else dev:
                for found, right in zip((heads, labelled), right_words(parser, batch), strict=True):
                    found.append(np.add.reduceat(right & counted, batch.sentence_word[:-1], dtype=np.int64))
                words += int(counted.sum())
        uas, las = (100 * sum(int(part.sum()) for part in found) / max(1, words) for found in (heads, labelled))
        right = np.concatenate(labelled if self.setting.metric == "LAS" else heads)
        return Measured(uas, las, right.tolist(), time.thread_time() - started)

    def _counted(self, some: Iterable[Batch]) -> list[Counted]:
        batches = list(some)
        if self.setting.punctuation:
            return [Counted(batch, np.ones(len(batch.heads), np.bool_)) for batch in batches]
        is_word = [np.array([not is_punctuation(form) for form in batch.column("FORM")]) for batch in batches]
        return list(map(Counted, batches, is_word))


class TransitionBench(Bench):
    """Learns from columns: nothing is extracted twice."""

    def __init__(self, setting: Setting, material: Material, folder: str) -> None:
        super().__init__(setting, material)
        self.options = TransitionOptions(
            system=setting.system.name,
            root=setting.system.root,
            single_root=setting.system.single_root,
            learner=setting.learner,
            two_step=setting.two_step,
            explore=0.0,
            encoding=setting.encoding,
            prune=setting.prune,
            seed=setting.seed,
        )
        self.data = OracleData(self.options, self.batches)
        self.columns = Columns(self.data, folder)

    def prepare(self, terms: Iterable[Term]) -> None:
        """Find their columns."""
        self.columns.prepare(terms)

    def parser(self, model: Sequence[Feature], train: Ints, learner: Learner, cutoff: int = 1) -> TransitionParser:
        """A parser learned from the columns of its features."""
        rows = np.flatnonzero(np.isin(self.columns.configurations.sentences, train)).astype(np.int32)
        templates = compile_features(model)
        training = training_with(self.options, unsplit(learner, templates.features), self.data, templates)
        training.adopt(*self._examples(training.templates.features, rows, cutoff), rows)
        for number in range(1, training.planned + 1):
            training.step(number, unheard)
        return training.parser()

    def _examples(self, model: Sequence[Feature], rows: Ints, cutoff: int = 1) -> tuple[Examples, NDArray[np.uint64]]:
        """The examples of some configurations, and the keys of their features."""
        several = tuple(f for f in model if any(term.attribute == "FEAT" for term in f.terms))
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


class GraphBench(Bench):
    """Learns a graph parser; its weights are hashed, so that there is nothing to share."""

    def prepare(self, terms: Iterable[Term]) -> None:
        """Nothing."""

    def parser(self, model: Sequence[Feature], train: Ints, learner: Learner, cutoff: int = 1) -> Stage:
        """A graph parser."""
        options = GraphOptions(
            features=model,
            learner=learner,
            decoder="eisner",
            order=1,
            encoding=self.setting.encoding,
            seed=self.setting.seed,
        )
        return TrainingLoop(options, list(batches_of([self.sentences[number] for number in train]))).run()


def unsplit(learner: Learner, features: Sequence[Feature]) -> Learner:
    """The learner without parts where the features lack the one that it splits by, as the first sets of a search do."""
    if isinstance(learner, KernelSVM) and learner.split and template_to_split_by(features, learner.split) is None:
        return replace(learner, split=None)
    return learner


def right_words(parser: Stage, batch: Batch) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which words of a batch get the right head, and which of these the right label, in full."""
    found = parser.annotate(batch)
    right = found.heads == batch.heads
    labels = np.array(found.column("DEPREL"), object) == np.array(batch.column("DEPREL"), object)
    return right, right & labels


_here = threading.local()


def bench_of(setting: Setting, shared: Shared) -> Bench:
    """The bench of a worker, made ready with its first job; each thread has its own."""
    if getattr(_here, "of", None) != (setting, shared):
        material = Material.load(opened(shared))
        if setting.family == "graph":
            _here.bench = GraphBench(setting, material)
        else:
            _here.bench = _transition_bench(setting, material)
        _here.of = setting, shared
    bench: Bench = _here.bench
    return bench


def _transition_bench(setting: Setting, material: Material) -> TransitionBench:
    """A bench on the columns that all workers of this machine share; on another machine, on a folder of its own."""
    if setting.columns is not None and os.access(setting.columns, os.W_OK):
        return TransitionBench(setting, material, setting.columns)
    own = tempfile.mkdtemp(prefix="headway-")
    bench = TransitionBench(setting, material, own)
    weakref.finalize(bench, shutil.rmtree, own, ignore_errors=True)
    return bench


def measure(setting: Setting, shared: Shared, features: tuple[str, ...], stage: str) -> Measured:
    """A job: measure one candidate."""
    return bench_of(setting, shared).measure(parse("\n".join(features)), stage)


def prepare(setting: Setting, shared: Shared, terms: tuple[str, ...]) -> None:
    """A job: find the columns of terms before many workers need them.

    No measure depends on it. A worker whose folder lacks a column, as on another machine, finds it itself.
    """
    bench_of(setting, shared).prepare(term for feature in parse("\n".join(terms)) for term in feature.terms)
