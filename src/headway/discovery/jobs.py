"""What workers do for a search: measure candidates, and find columns for many of them."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref

from headway.discovery.evaluators import TRAINED, Evaluator, TrainingEvaluator, TransitionEvaluator
from headway.discovery.measure import Measure
from headway.discovery.moves import Candidate
from headway.discovery.setting import MeasureSetting
from headway.discovery.treebanks import SearchTreebanks
from headway.features.language import Term
from headway.runs.engines import Shared, opened

_here = threading.local()


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
        treebanks = SearchTreebanks.load(opened(shared))
        if setting.family in TRAINED:
            _here.evaluator = TrainingEvaluator(setting, treebanks)
        else:
            _here.evaluator = _transition_evaluator(setting, treebanks)
        _here.of = setting, shared
    evaluator: Evaluator = _here.evaluator
    return evaluator


def _transition_evaluator(setting: MeasureSetting, treebanks: SearchTreebanks) -> TransitionEvaluator:
    """One on the columns that all workers of this machine share; on another machine, on a folder of its own."""
    if setting.columns is not None and os.access(setting.columns, os.W_OK):
        return TransitionEvaluator(setting, treebanks, setting.columns)
    own = tempfile.mkdtemp(prefix="headway-")
    evaluator = TransitionEvaluator(setting, treebanks, own)
    weakref.finalize(evaluator, shutil.rmtree, own, ignore_errors=True)
    return evaluator
