"""Explain the transitions of a transition parser: each beside the best other one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from headway.data.batch import Batch, Ints
from headway.features.naming import NOTHING, SeenNodes, SentenceCells, TemplateNames
from headway.kernels.transition.derivations import derive, replay
from headway.kernels.transition.examples import Examples, collect
from headway.kernels.transition.parsing import trace
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.weights.table import Weights
from headway.parsers.transition.classes import Classes
from headway.stages.explanation.contract import Decision, Explanation, Floats, Shown
from headway.stages.explanation.trees import ScoredChoices, explanation, marked, right_tree
from headway.stages.gold import encode_all, trees_of
from headway.stages.tree_stage import Parsed

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser

AHEAD = 4
"""How many nodes of the stack and of the queue are shown."""


WITHOUT_ARCS = {
    "SHIFT": ("{front} waits", "on the stack"),
    "REDUCE": ("{top} has", "all its dependents"),
    "SWAP": ("{top} changes places", "with the word before it"),
}
"""Transitions without an arc in words, by the top of the stack and the front of the queue."""


class TraceStep(NamedTuple):
    """One transition as `kernels/transition/parsing.pyx` tells it."""

    legal: int
    action: int
    label: int
    arcs: Mapping[int, tuple[int, int]]
    """Child and head of what each legal arc action would make."""
    heads: Sequence[int]
    stack: Sequence[int]
    queue: Sequence[int]
    nodes: Ints
    labels: Ints
    values: Any
    keys: Any
    scores: Any


def traced(parser: TransitionParser, batch: Batch) -> tuple[list[TraceStep], Ints, Ints]:
    """The transitions of the one sentence of a batch, and the heads and labels that they make."""
    words = len(batch.word_line)
    heads, labels = np.empty(words, np.int32), np.empty(words, np.int32)
    ready = parser.setup(parser.templates.encode(batch), max(1, words))
    found = trace(ready, parser.weights, 0, words, parser.root_label, heads, labels)
    return [TraceStep(*step) for step in found], heads, labels


class _Tracer:
    """The transitions of the one sentence of a batch, with what names their features."""

    def __init__(self, parser: TransitionParser, batch: Batch) -> None:
        self.parser, self.cells = parser, SentenceCells(batch)
        self.numbers = parser.classes.number.reshape(len(ACTION_NAMES), -1)
        self.steps, self.heads, self.labels = traced(parser, batch)
        self.names = TemplateNames(
            parser.templates.features,
            parser.templates.columns,
            {name: getattr(parser.templates, name) for name in ("address", "slot", "start", "member")},
            parser.classes.labels,
        )

    def decisions(self, step: TraceStep, word: int, right: tuple[int, int] | None = None) -> Iterator[Decision]:
        """The choice of a transition; in two steps that of the action, and then that of the label.

        Where the `right` action and label are given, they are the runners-up of wrong choices.
        """
        classes, seen = self.parser.classes, SeenNodes(step.nodes, step.labels, step.values)
        choices = ScoredChoices(
            step.scores,
            lambda chosen: self._weights(step, chosen),
            lambda at: self.names.name_of(self.cells, seen, at),
            lambda at: self.names.look_of(self.cells, seen, at),
            step.keys,
        )

        def decision(kind: str, chosen: int, others: Ints, wanted: int | None) -> Decision:
            shown = partial(self._shown, step, kind)
            return choices.decision(
                kind, word, chosen, others[others != chosen], shown, wanted, situation(self.cells, step)
            )

        legal = np.flatnonzero((classes.action >= 0) & (step.legal >> np.maximum(classes.action, 0) & 1))
        chosen = step.action if classes.two_step else int(self.numbers[step.action, step.label + 1])
        wanted = None if right is None else right[0] if classes.two_step else int(self.numbers[right[0], right[1] + 1])
        yield decision("transition", chosen, legal.astype(np.int32), wanted)
        if classes.two_step and step.label >= 0:
            labelled = self.numbers[step.action, 1:]
            wanted = None if right is None else int(self.numbers[step.action, right[1] + 1])
            chosen = int(self.numbers[step.action, step.label + 1])
            yield decision("label", chosen, labelled[labelled >= 0], None if wanted == -1 else wanted)

    def _shown(self, step: TraceStep, kind: str, number: int) -> Shown:
        """A transition or a label as text, where both ends of its arc are known in words, too."""
        classes = self.parser.classes
        what = _transition(classes, number, kind)
        action, label = int(classes.action[number]), int(classes.label[number])
        action = step.action if kind == "label" else action
        if action in step.arcs:
            child, head = (marked(self.cells, node) for node in step.arcs[action])
            return Shown(
                what, f"{child} is", f"{classes.labels[label] if label >= 0 else 'a dependent'} of {head}", what
            )
        top, front = (
            marked(self.cells, some[at]) if some else "nothing" for some, at in ((step.stack, -1), (step.queue, 0))
        )
        about, said = WITHOUT_ARCS[ACTION_NAMES[action]]
        return Shown(what, about.format(top=top, front=front), said, what)

    def _weights(self, step: TraceStep, chosen: int) -> Floats:
        """What each feature gives to a class."""
        which = np.array([chosen], np.int32)
        found = self.parser.weights.of(step.keys, which)
        return np.asarray(found[:, 0], np.float64)

    def words(self, actions: Sequence[int], gold: Sequence[int]) -> list[int]:
        """The word that each of these actions gives its head, 0 where none does."""
        arcs, none = [], np.full(len(gold), -1, np.int32)
        kernel, right = self.parser.with_free_roots().system.kernel, np.array(gold, np.int32)
        before = none.tolist()
        for at in range(len(actions)):
            after = none.copy()
            replay(kernel, np.array(actions[: at + 1], np.int32), right, after)
            arcs.append(next((w for w, (a, b) in enumerate(zip(before, after.tolist(), strict=True), 1) if a != b), 0))
            before = after.tolist()
        return arcs


def explain(parser: TransitionParser, batch: Batch) -> Explanation:
    """The transitions of the one sentence of a batch, each beside the best other one."""
    tracer = _Tracer(parser, batch)
    decisions: list[Decision] = []
    before: Sequence[int] = [-1] * len(tracer.heads)
    for step in tracer.steps:
        word = next((w for w, (old, new) in enumerate(zip(before, step.heads, strict=True), 1) if old < new), 0)
        decisions += tracer.decisions(step, word)
        before = step.heads
    found = Parsed(tracer.heads, tracer.labels, parser.classes.names)
    return explanation(parser, batch, _last_arcs(decisions), found)


def _last_arcs(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions; where a word got a head a second time, only the last is about its arc."""
    last = {decision.word: at for at, decision in enumerate(decisions) if decision.kind == "transition"}
    return [
        decision
        if not decision.word or decision.kind != "transition" or last[decision.word] == at
        else replace(decision, word=0)
        for at, decision in enumerate(decisions)
    ]


def wrong_decisions(parser: TransitionParser, batch: Batch) -> list[Decision]:
    """The first transition that leaves the way to the right tree: what follows may be its consequence.

    Empty where there is none, and where the parser has never seen the transition that would have been right.
    """
    heads, labels = right_tree(parser, batch, parser.classes.labels)
    actions = derive(parser.with_free_roots().system.kernel, np.array(heads, np.int32))
    tracer = _Tracer(parser, batch)
    for step, action, word in zip(tracer.steps, actions, tracer.words(actions, heads), strict=False):
        right = action, labels[word - 1] if word else -1
        if right == (step.action, step.label):
            continue
        if tracer.numbers[right[0], right[1] + 1] < 0:
            return []
        found = list(tracer.decisions(step, word, right))
        return found[:1] if step.action != action or len(found) == 1 else found[1:]
    return []


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


def training_sentences_with(parser: TransitionParser, batches: Sequence[Batch], ids: Any) -> dict[int, dict[int, int]]:
    """How often each feature, by key, stands in configurations on the way to the trees of which sentences."""
    trees = trees_of(batches, parser.encoding)
    encoded = encode_all(parser.templates, batches)
    number = {name: at for at, name in enumerate(parser.classes.labels)}
    labels = np.array([number.get(name, -1) for name in trees.names], np.int32)[trees.labels]
    ready = parser.with_free_roots().setup(encoded, trees.longest)
    wanted = Weights(len(parser.classes), variance=False, average=False, room=max(16, len(ids)))
    wanted.extend(ids)
    wanted.close()
    found: dict[int, dict[int, int]] = {int(key): {} for key in ids}
    keys = wanted.keys().tolist()
    for sentence in range(len(trees.offsets) - 1):
        examples = Examples()
        collect(ready, wanted, examples, trees.offsets[sentence : sentence + 2], trees.heads, labels)
        if not examples.features:
            continue
        for number, count in zip(*np.unique(examples.matrix()[0], return_counts=True), strict=True):
            found[keys[number]][sentence] = int(count)
    return found
