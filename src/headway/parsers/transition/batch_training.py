"""Training with batch learners: the examples of the static oracle as a sparse matrix, and what is learned from them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, shown
from headway.data.batch import Ints
from headway.features.compile import CHANGING
from headway.features.language import Feature
from headway.features.language import parse as parse_features
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.kernels.weights.table import Weights
from headway.learners.batch import Linear, library
from headway.learners.kernel_svm import KernelSVM, Keys, Machines, joined
from headway.parsers.transition.lockstep import KernelParser
from headway.parsers.transition.parser import TransitionParser
from headway.parsers.transition.training import TransitionTraining, template_keys
from headway.training.contract import Progress, unheard

logger = logging.getLogger("headway")


class Problem(NamedTuple):
    """One classification problem: its examples, and the class that is right in each."""

    examples: NDArray[np.bool_]
    targets: Ints


class LinearTraining(TransitionTraining):
    """A training with a linear batch learner: all is learned in one step."""

    learner: Linear
    learned: TransitionParser

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole treebank at once."""
        if not len(self.examples):
            self.collect()
        self.passes = number
        self.learned = self.learn(progress)
        return {}

    def learn(self, progress: Progress) -> TransitionParser:
        """The parser that the learner makes of the collected examples."""
        self.weights = linear_weights(self, self.learner, progress=progress)
        return super().parser()

    def parser(self) -> TransitionParser:
        """The parser that was learned."""
        return self.learned


class KernelTraining(LinearTraining):
    """A training with kernel machines."""

    learner: KernelSVM  # type: ignore[assignment]

    def learn(self, progress: Progress) -> TransitionParser:
        """The parser that asks the machines in lockstep."""
        machines = kernel_machines(self, self.learner, progress=progress)
        return self.parser_with(machines, len(machines.coefficients), KernelParser)


def matrix_of(training: TransitionTraining) -> Any:
    """The examples as a sparse matrix [example, feature] of ones."""
    ids, start, *_ = training.examples.matrix()
    if len(ids) > np.iinfo(np.int32).max:
        raise HeadwayError(f"the examples have {len(ids):,} features, more than LIBLINEAR can count; raise the cutoff")
    shape = (len(start) - 1, len(training.weights))
    matrix = library("scipy.sparse").csr_matrix(
        (np.ones(len(ids), np.float32), ids.copy(), start.astype(np.int32)), shape
    )
    matrix.sum_duplicates()
    return matrix


def problems_of(training: TransitionTraining) -> list[Problem]:
    """What is to be decided in the examples: the class, or in two steps the action, then the label given the action."""
    _, _, _, action, label = training.examples.matrix()
    every, numbers = np.ones(len(action), bool), training.classes.number.reshape(len(ACTION_NAMES), -1)
    if not training.classes.two_step:
        return [Problem(every, numbers[action, label + 1])]
    arcs = [(label >= 0) & (action == kind) for kind in sorted({kind for kind, _ in training.classes.labelled})]
    return [
        Problem(every, action.astype(np.int32)),
        *(Problem(where, numbers[action[where], label[where] + 1]) for where in arcs),
    ]


def linear_weights(training: TransitionTraining, learner: Linear, progress: Progress = unheard) -> Weights:
    """The weights of a linear learner in the table that online learners use."""
    matrix, problems = matrix_of(training), problems_of(training)
    learned: Any = 0
    for number, (examples, targets) in enumerate(problems):
        learned += learner.fit(
            matrix if examples.all() else matrix[examples],
            targets,
            len(training.classes),
            seed=training.options.seed,
            progress=lambda share, before=number: progress((before + share) / len(problems)),  # type: ignore[misc]
        )
    table = Weights(len(training.classes), variance=False, average=False)
    sizes = np.diff(learned.indptr).astype(np.uint16)
    table.restore(training.weights.keys(), sizes, learned.indices.astype(np.uint16), learned.data[None])
    return table


def kernel_machines(training: TransitionTraining, learner: KernelSVM, progress: Progress = unheard) -> Machines:
    """A machine for each part of the examples and each problem."""
    matrix = matrix_of(training)
    matrix.data[:] = 1
    keys, problems = training.weights.keys(), problems_of(training)
    template, values = 0, np.zeros(len(training.examples), np.uint64)
    if learner.split:
        template = template_named(training.templates.features, learner.split)
        values = template_keys(training.setup, training.templates, training.trees, template)
        values = values if training.rows is None else values[training.rows]
    parts, part = parts_of(values, learner.minimum)
    machines = []
    for problem in problems:
        where = np.flatnonzero(problem.examples)
        for number in range(len(parts) + 1):
            mine = part[where] == number
            machines.append(learner.fit(matrix[where[mine]], problem.targets[mine], keys))
            progress(len(machines) / (len(problems) * (len(parts) + 1)))
    targets = np.concatenate([problem.targets for problem in problems])
    return joined(
        machines,
        template=template,
        parts=parts,
        machine_of=np.arange(len(machines), dtype=np.int32).reshape(len(problems), -1),
        prior=np.bincount(targets, minlength=len(training.classes)) / (1 + len(values)) - 1,
        power=learner.power(int(np.diff(matrix.indptr).max())),
    )


def template_to_split_by(features: Sequence[Feature], split: str) -> int | None:
    """The number of the feature `split`; the other column of tags stands in where one was left out. None without."""
    other = {"UPOS": "XPOS", "XPOS": "UPOS"}
    for wanted in parse_features(split, "split"):
        swapped = Feature(tuple(replace(t, attribute=other.get(t.attribute, t.attribute)) for t in wanted.terms))
        for feature in (wanted, swapped):
            if feature in features and all(term.attribute != "FEAT" for term in feature.terms):
                return features.index(feature)
    return None


def template_named(features: Sequence[Feature], split: str) -> int:
    """As `template_to_split_by`; another feature of the next word stands in for the default one, else it is refused."""
    found = template_to_split_by(features, split)
    if found is None and split == KernelSVM.split:
        found = next((place for place, one in enumerate(features) if _is_of_next_word(one)), None)
        if found is not None:
            logger.warning("there is no %s to split the examples by; %s takes its place", split, features[found])
    if found is None:
        raise HeadwayError(f"examples cannot be split by {shown(split)}; give a feature of the model, as {features[0]}")
    return found


def _is_of_next_word(feature: Feature) -> bool:
    """Whether a feature has one value for each configuration, which the next word decides alone."""
    term = feature.terms[0]
    return len(feature.terms) == 1 and str(term).endswith("(QUEUE0)") and term.attribute not in {"FEAT", *CHANGING}


def parts_of(values: Keys, minimum: int) -> tuple[Keys, Ints]:
    """The values that make a part of their own, in ascending order, and for each example the number of its part.

    The last part is that of all other values: those with fewer than `minimum` examples, and the rarest of the rest
    where these alone are fewer.
    """
    found, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    rarest_first = np.argsort(counts, kind="stable")
    enough = int(np.searchsorted(np.cumsum(counts[rarest_first]), minimum)) + 1
    own = np.sort(rarest_first[max(enough, int((counts < minimum).sum())) :])
    number = np.full(len(found), len(own), np.int32)
    number[own] = np.arange(len(own))
    return found[own], number[which]
