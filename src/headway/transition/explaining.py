"""Why a transition parser took the transitions that it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from headway.batch import Batch, Ints
from headway.explanation.contract import Decision, Explanation, moved
from headway.features.naming import NOTHING, SeenNodes, SentenceCells, TemplateNames
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.transition.tracing import trace
from headway.kernels.weights import freezing
from headway.sentence import Sentence
from headway.transition.classes import Classes

if TYPE_CHECKING:
    from headway.transition.parser import TransitionParser

AHEAD = 4
"""How many nodes of the stack and of the queue are shown."""


class TraceStep(NamedTuple):
    """One transition as `kernels/transition/tracing.pyx` tells it."""

    legal: int
    action: int
    label: int
    heads: Sequence[int]
    stack: Sequence[int]
    queue: Sequence[int]
    nodes: Ints
    labels: Ints
    values: Any
    keys: Any
    scores: Any


def explain(parser: TransitionParser, batch: Batch) -> Explanation:
    """The transitions of the one sentence of a batch, each beside the best other one."""
    words = len(batch.word_line)
    heads, labels = np.empty(words, np.int32), np.empty(words, np.int32)
    ready = parser.setup(parser.templates.encode(batch), max(1, words))
    steps = [TraceStep(*step) for step in trace(ready, *parser.weights, 0, words, parser.root_label, heads, labels)]
    cells = SentenceCells(batch)
    names = TemplateNames(
        parser.templates.features,
        parser.templates.columns,
        {name: getattr(parser.templates, name) for name in ("slot", "start", "member")},
        parser.classes.labels,
    )
    decisions: list[Decision] = []
    before: Sequence[int] = [-1] * words
    for step in steps:
        word = next((w for w, (old, new) in enumerate(zip(before, step.heads, strict=True), 1) if old < new), 0)
        decisions += _decisions(parser, names, cells, step, word)
        before = step.heads
    found = Sentence.view(parser.annotate(batch), 0)
    final = _last_arcs(decisions)
    return Explanation(found, final, moved(found, heads.tolist(), [parser.classes.labels[at] for at in labels]))


def _last_arcs(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions; where a word got a head a second time, only the last is about its arc."""
    last = {decision.word: at for at, decision in enumerate(decisions) if decision.kind == "transition"}
    return [
        decision
        if not decision.word or decision.kind != "transition" or last[decision.word] == at
        else replace(decision, word=0)
        for at, decision in enumerate(decisions)
    ]


def _decisions(
    parser: TransitionParser, names: TemplateNames, cells: SentenceCells, step: TraceStep, word: int
) -> Iterator[Decision]:
    """The choice of a transition; in two steps that of the action, and then that of the label."""
    classes = parser.classes
    numbers = classes.number.reshape(len(ACTION_NAMES), -1)
    seen = SeenNodes(step.nodes, step.labels, step.values)

    def name(at: int) -> str:
        return names.name_of(cells, seen, at)

    def decision(kind: str, chosen: int, others: Ints) -> Decision:
        rivals = others[others != chosen]
        rival = int(rivals[np.argmax(step.scores[rivals])]) if len(rivals) else None
        which = np.array([chosen] if rival is None else [chosen, rival], np.int32)
        weights = freezing.weights_of(*parser.weights, len(classes), step.keys, which).astype(np.float64)
        return Decision(
            kind=kind,
            word=word,
            what=_transition(classes, chosen, kind),
            over=None if rival is None else _transition(classes, rival, kind),
            score=float(step.scores[chosen]),
            rival_score=None if rival is None else float(step.scores[rival]),
            given=weights[:, 0],
            against=np.zeros(len(weights)) if rival is None else weights[:, 1],
            name=name,
            situation=situation(cells, step),
        )

    legal = np.flatnonzero((classes.action >= 0) & (step.legal >> np.maximum(classes.action, 0) & 1))
    chosen = step.action if classes.two_step else int(numbers[step.action, step.label + 1])
    yield decision("transition", chosen, legal.astype(np.int32))
    if classes.two_step and step.label >= 0:
        labelled = numbers[step.action, 1:]
        yield decision("label", int(numbers[step.action, step.label + 1]), labelled[labelled >= 0])


def _transition(classes: Classes, number: int, kind: str) -> str:
    """A class in words: `LEFT-ARC nsubj`, `SHIFT`; a label alone is the label."""
    action, label = int(classes.action[number]), int(classes.label[number])
    name = f"label {classes.labels[label]}" if kind == "label" else ACTION_NAMES[action]
    return name if kind == "label" or label < 0 else f"{name} {classes.labels[label]}"


def situation(cells: SentenceCells, step: TraceStep) -> str:
    """The top of the stack, with the front of the queue behind the bar."""
    stack, queue = [*map(cells.word, step.stack)], [*map(cells.word, step.queue)]
    left = ["…"] * (len(stack) > AHEAD) + stack[-AHEAD:]
    right = queue[:AHEAD] + ["…"] * (len(queue) > AHEAD)
    return f"{' '.join(left) or NOTHING} | {' '.join(right) or NOTHING}"
