"""The scores of a transition parser as arrays: those of all legal transitions, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.parsers.transition.classes import Classes
from headway.parsers.transition.explaining import TraceStep, traced
from headway.stages.scoring import Floats, TransitionScores

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser


def scores(parser: TransitionParser, batch: Batch) -> TransitionScores:
    """The transitions of the one sentence of a batch; in two steps the action is one of them and its label the next."""
    classes, rows, chosen, words = parser.classes, [], [], []
    before: Sequence[int] = [-1] * len(batch.word_line)
    for step in traced(parser, batch)[0]:
        word = next((at for at, (old, new) in enumerate(zip(before, step.heads, strict=True), 1) if old < new), 0)
        before = step.heads
        for legal, taken in _choices(classes, step):
            row = np.full(len(classes), -np.inf)
            row[legal] = step.scores[legal]
            rows.append(row)
            chosen.append(taken)
            words.append(word)
    found, numbers = np.array(rows).reshape(-1, len(classes)), np.array(chosen, np.int32)
    return TransitionScores(found, _names(classes), numbers, _margins(found, numbers), np.array(words, np.int32))


def _choices(classes: Classes, step: TraceStep) -> Iterator[tuple[NDArray[Any], int]]:
    """What a step chose between, and what it took: a transition; in two steps the action, and then its label."""
    labelled = classes.number.reshape(len(ACTION_NAMES), -1)[step.action]
    legal = np.flatnonzero((classes.action >= 0) & (step.legal >> np.maximum(classes.action, 0) & 1))
    taken = int(labelled[step.label + 1])
    yield legal, step.action if classes.two_step else taken
    if classes.two_step and step.label >= 0:
        yield labelled[1:][labelled[1:] >= 0], taken


def _margins(scores: Floats, chosen: Ints) -> Floats:
    """How far each choice is above the best other one of its row."""
    steps, others = np.arange(len(chosen)), scores.copy()
    others[steps, chosen] = -np.inf
    found: Floats = scores[steps, chosen] - others.max(axis=1, initial=-np.inf)
    return found


def _names(classes: Classes) -> tuple[str, ...]:
    """All classes in words; in two steps the actions, then each with its labels."""
    pairs = classes.transitions
    if classes.two_step:
        pairs = (*((action, -1) for action in range(len(ACTION_NAMES))), *classes.labelled)
    return tuple(
        ACTION_NAMES[action] if label < 0 else f"{ACTION_NAMES[action]} {classes.labels[label]}"
        for action, label in pairs
    )
