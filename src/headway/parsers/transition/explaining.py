"""Why a transition parser took the transitions that it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.features.naming import NOTHING, SeenNodes, SentenceCells, TemplateNames
from headway.kernels.transition.derivations import derive, replay
from headway.kernels.transition.examples import Examples, collect
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.transition.tracing import trace
from headway.kernels.weights import freezing
from headway.kernels.weights.table import Weights
from headway.parsers.transition.classes import Classes
from headway.stages.explanation.contract import Decision, Explanation, moved
from headway.stages.gold import encode_all, trees_of

if TYPE_CHECKING:
    from headway.parsers.transition.parser import TransitionParser

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


class _Tracer:
    """The transitions of the one sentence of a batch, with what names their features."""

    def __init__(self, parser: TransitionParser, batch: Batch) -> None:
        words = len(batch.word_line)
        self.parser, self.cells = parser, SentenceCells(batch)
        self.heads, self.labels = np.empty(words, np.int32), np.empty(words, np.int32)
        ready = parser.setup(parser.templates.encode(batch), max(1, words))
        found = trace(ready, *parser.frozen, 0, words, parser.root_label, self.heads, self.labels)
        self.steps = [TraceStep(*step) for step in found]
        self.names = TemplateNames(
            parser.templates.features,
            parser.templates.columns,
            {name: getattr(parser.templates, name) for name in ("slot", "start", "member")},
            parser.classes.labels,
        )

    def words(self, actions: Sequence[int], gold: Sequence[int]) -> list[int]:
        """The word that each of these actions gives its head, 0 where none does."""
        arcs, none = [], np.full(len(gold), -1, np.int32)
        kernel, right = replace(self.parser.system, single_root=False).kernel, np.array(gold, np.int32)
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
    names, cells, heads, labels = tracer.names, tracer.cells, tracer.heads, tracer.labels
    decisions: list[Decision] = []
    before: Sequence[int] = [-1] * len(heads)
    for step in tracer.steps:
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
    parser: TransitionParser,
    names: TemplateNames,
    cells: SentenceCells,
    step: TraceStep,
    word: int,
    right: tuple[int, int] | None = None,
) -> Iterator[Decision]:
    """The choice of a transition; in two steps that of the action, and then that of the label.

    Where the `right` action and label are given, they are the runners-up of wrong choices.
    """
    classes = parser.classes
    numbers = classes.number.reshape(len(ACTION_NAMES), -1)
    seen = SeenNodes(step.nodes, step.labels, step.values)

    def name(at: int) -> str:
        return names.name_of(cells, seen, at)

    def decision(kind: str, chosen: int, others: Ints, best: int = -1) -> Decision:
        rivals = others[others != chosen] if best < 0 else np.array([best], np.int32)
        rival = int(rivals[np.argmax(step.scores[rivals])]) if len(rivals) else None
        which = np.array([chosen] if rival is None else [chosen, rival], np.int32)
        weights = freezing.weights_of(*parser.frozen, len(classes), step.keys, which).astype(np.float64)
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
            ids=step.keys,
        )

    legal = np.flatnonzero((classes.action >= 0) & (step.legal >> np.maximum(classes.action, 0) & 1))
    chosen = step.action if classes.two_step else int(numbers[step.action, step.label + 1])
    wanted = -1 if right is None else right[0] if classes.two_step else int(numbers[right[0], right[1] + 1])
    yield decision("transition", chosen, legal.astype(np.int32), wanted)
    if classes.two_step and step.label >= 0:
        labelled = numbers[step.action, 1:]
        wanted = -1 if right is None else int(numbers[step.action, right[1] + 1])
        yield decision("label", int(numbers[step.action, step.label + 1]), labelled[labelled >= 0], wanted)


def wrong_decisions(parser: TransitionParser, batch: Batch) -> list[Decision]:
    """The first transition that leaves the way to the right tree: what follows may be its consequence.

    Empty where there is none, and where the parser has never seen the transition that would have been right.
    """
    trees = trees_of([batch], parser.encoding)
    number = {name: at for at, name in enumerate(parser.classes.labels)}
    labels = [number.get(trees.names[at], -1) for at in trees.labels]
    actions = derive(replace(parser.system, single_root=False).kernel, trees.heads)
    tracer = _Tracer(parser, batch)
    for step, action, word in zip(tracer.steps, actions, tracer.words(actions, trees.heads.tolist()), strict=False):
        right = action, labels[word - 1] if word else -1
        if right == (step.action, step.label):
            continue
        if parser.classes.number.reshape(len(ACTION_NAMES), -1)[right[0], right[1] + 1] < 0:
            return []
        found = list(_decisions(parser, tracer.names, tracer.cells, step, word, right))
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
    ready = replace(parser, system=replace(parser.system, single_root=False)).setup(encoded, trees.longest)
    wanted = Weights(len(parser.classes), variance=False, average=False, room=max(16, len(ids)))
    wanted.extend(ids)
    wanted.close()
    found: dict[int, dict[int, int]] = {int(key): {} for key in ids}
    keys = wanted.keys().tolist()
    for sentence in range(len(trees.offsets) - 1):
        examples = Examples()
        collect(ready, wanted, examples, trees.offsets[sentence : sentence + 2], trees.heads, trees.labels * 0)
        if not examples.features:
            continue
        for number, count in zip(*np.unique(examples.matrix()[0], return_counts=True), strict=True):
            found[keys[number]][sentence] = int(count)
    return found
