"""The scores of a transition parser as arrays: those of all legal transitions, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch, Ints
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.parsers.transition.classes import Classes
from headway.parsers.transition.explaining import traced
from headway.stages.scoring import TransitionScores

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser


def scores(parser: TransitionParser, batch: Batch) -> TransitionScores:
    """The transitions of the one sentence of a batch; in two steps the action is one of them and its label the next."""
    classes, steps = parser.classes, traced(parser, batch)[0]
    rows, chosen, words = [], [], []
    before = [-1] * len(batch.word_line)
    for step in steps:
        word = next((at for at, (old, new) in enumerate(zip(before, step.heads, strict=True), 1) if old < new), 0)
        before = list(step.heads)
        legal = np.flatnonzero((classes.action >= 0) & (step.legal >> np.maximum(classes.action, 0) & 1))
        labelled = _labelled(classes, step.action)
        with_label = int(classes.number.reshape(len(ACTION_NAMES), -1)[step.action, step.label + 1])
        choices = [(legal, step.action if classes.two_step else with_label)]
        if classes.two_step and step.label >= 0:
            choices.append((labelled, with_label))
        for some, taken in choices:
            row = np.full(len(classes), -np.inf)
            row[some] = step.scores[some]
            rows.append(row)
            chosen.append(taken)
            words.append(word)
    found = np.array(rows).reshape(-1, len(classes))
    taken = np.array(chosen, np.int32)
    return TransitionScores(found, _names(classes), taken, _margins(found, taken), np.array(words, np.int32))


def _labelled(classes: Classes, action: int) -> Ints:
    """The classes of labels that an action may have."""
    numbers = classes.number.reshape(len(ACTION_NAMES), -1)[action, 1:]
    return np.asarray(numbers[numbers >= 0], np.int32)


def _margins(scores: np.ndarray, chosen: Ints) -> np.ndarray:
    """How far each choice is above the best other one of its row."""
    steps, others = np.arange(len(chosen)), scores.copy()
    others[steps, chosen] = -np.inf
    best = others.max(axis=1, initial=-np.inf)
    own = scores[steps, chosen]
    return np.where(np.isneginf(best), np.inf, np.subtract(own, best, where=~np.isneginf(best), out=np.zeros(len(own))))


def _names(classes: Classes) -> tuple[str, ...]:
    """All classes in words; in two steps the actions, then each with its labels."""
    pairs = classes.transitions
    if classes.two_step:
        pairs = (*((action, -1) for action in range(len(ACTION_NAMES))), *classes.labelled)
    return tuple(
        ACTION_NAMES[action] if label < 0 else f"{ACTION_NAMES[action]} {classes.labels[label]}"
        for action, label in pairs
    )
