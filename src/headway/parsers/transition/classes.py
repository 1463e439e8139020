"""What a transition parser chooses between: actions with labels, at once or in two steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.data.batch import Ints
from headway.data.layers import Names
from headway.kernels.transition.examples import count_transitions
from headway.kernels.transition.setup import ClassTable
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.weights.table import CLASSES as MOST_CLASSES
from headway.parsers.transition.registry import ChosenSystem
from headway.stages.tree_stage import label_keys

if TYPE_CHECKING:
    from headway.stages.gold import Trees

ARCS = tuple(map(ACTION_NAMES.index, ("LEFT-ARC", "RIGHT-ARC")))


@dataclass(frozen=True, eq=False)
class Classes(PickledByFields):
    """The transitions seen in training. `transitions` are pairs of an action and a label, -1 for no label.

    One step: each pair is a class. Two steps: the classes are all actions, then the labels of each arc action. The
    label is chosen given the action (Nilsson and Nugues 2010): "nsubj" to the left and "nsubj" to the right are two.
    """

    labels: tuple[str, ...]
    transitions: tuple[tuple[int, int], ...]
    two_step: bool = False

    def __post_init__(self) -> None:
        """Refuse transitions that are none, or not in the order of their actions: the kernels rely on both."""
        actions = [action for action, _ in self.transitions]
        known = all(0 <= action < len(ACTION_NAMES) for action in actions)
        if not known or actions != sorted(actions):
            raise HeadwayError("the transitions are not actions in their order; train the parser again")
        if not all(-(action not in ARCS) <= label < len(self.labels) for action, label in self.transitions):
            raise HeadwayError(f"a transition has none of the {len(self.labels)} labels; train the parser again")

    def __len__(self) -> int:
        """Number of classes."""
        return len(self.action)

    @property
    def labelled(self) -> tuple[tuple[int, int], ...]:
        """The transitions that have a label."""
        return tuple(pair for pair in self.transitions if pair[1] >= 0)

    @cached_property
    def names(self) -> Names:
        """The labels with what is found out about them."""
        return Names(self.labels)

    @cached_property
    def action(self) -> Ints:
        """The action of each class, -1 for a label of two steps."""
        actions, labels = [action for action, _ in self.transitions], [-1] * len(self.labelled)
        return np.array([*range(len(ACTION_NAMES)), *labels] if self.two_step else actions, np.int32)

    @cached_property
    def label(self) -> Ints:
        """The label of each class, -1 where there is none."""
        pairs = [*[(0, -1)] * len(ACTION_NAMES), *self.labelled] if self.two_step else self.transitions
        return np.array([label for _, label in pairs], np.int32)

    @cached_property
    def number(self) -> Ints:
        """The class of each action and label; -1 for pairs that were not seen.

        In two steps that of the label given the action; without a label, that of the action.
        """
        numbers = np.full((len(ACTION_NAMES), len(self.labels) + 1), -1, np.int32)
        for number, (action, label) in enumerate(self.transitions):
            numbers[action, label + 1] = action if self.two_step else number
        if self.two_step:
            for number, (action, label) in enumerate(self.labelled, start=len(ACTION_NAMES)):
                numbers[action, label + 1] = number
        return numbers.reshape(-1)

    def enlarged(self, labels: tuple[str, ...], counts: NDArray[np.int64]) -> Classes:
        """The same with more labels, and with the transitions that were counted; itself where nothing is new."""
        transitions = tuple(sorted({*self.transitions, *_counted(counts)}))
        if transitions == self.transitions and labels == self.labels:
            return self
        larger = Classes(labels, transitions, self.two_step)
        if len(larger) > MOST_CLASSES:
            what = f"the model has no room for the new label {labels[-1]!r}"
            raise HeadwayError(f"{what}; train it again with this label")
        return larger

    @cached_property
    def kernel(self) -> ClassTable:
        """The classes for the kernels."""
        return ClassTable(
            action=self.action,
            label=self.label,
            number=self.number,
            label_keys=label_keys(self.labels),
            two_step=self.two_step,
        )


def transition_counts(system: ChosenSystem, trees: Trees) -> NDArray[np.int64]:
    """How often the static oracle takes each transition on its way to some trees, [action, label + 1]."""
    counts = np.zeros((len(ACTION_NAMES), len(trees.names) + 1), np.int64)
    count_transitions(system.free.kernel, trees.offsets, trees.heads, trees.labels, trees.longest, counts)
    return counts


def _counted(counts: NDArray[np.int64]) -> set[tuple[int, int]]:
    return {(int(action), int(label) - 1) for action, label in np.argwhere(counts)}


def classes_from_counts(
    counts: NDArray[np.int64], labels: Sequence[str], two_step: bool, actions: Iterable[int] = ChosenSystem().actions
) -> Classes:
    """The transitions that were counted at least once: `counts[action, label + 1]`.

    Each of the system's `actions` is one of them in any case, with the most frequent label where it makes an arc, since
    a parser may come to a configuration in which no other is legal.
    """
    frequent = int(counts[:, 1:].sum(axis=0).argmax()) if len(labels) else -1
    seen = _counted(counts)
    seen |= {(action, frequent if action in ARCS else -1) for action in actions if not counts[action].any()}
    classes = Classes(tuple(labels), tuple(sorted(seen)), two_step)
    if len(classes) > MOST_CLASSES:
        raise HeadwayError(
            f"the treebank has {len(labels)} labels, which make {len(classes)} classes of transitions; "
            f"at most {MOST_CLASSES} are possible, so check that the label's column holds labels"
        )
    return classes
