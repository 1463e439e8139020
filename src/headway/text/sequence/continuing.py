"""Training that goes on, for stages that keep no state of it: they are corrected, one piece of a treebank at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from headway.base.schema import Kind
from headway.data.batch import Batch
from headway.stages.constraints import Constraints
from headway.stages.updating import Learned, correction_of
from headway.training.passes import COUNTED, continued_about

Stage = TypeVar("Stage", bound=Any)
Lesson = TypeVar("Lesson")


class Passes(NamedTuple):
    """How to go through the pieces."""

    passes: int
    shuffle: bool
    seed: int


def continued(
    stage: Stage,
    lessons: Sequence[Lesson],
    learn: Callable[[Stage, Lesson, bool], Learned],
    batches: Sequence[Batch],
    how: Passes,
    counted: dict[str, Kind] = COUNTED,
) -> Stage:
    """A stage after passes over lessons; `learn(stage, lesson, in_place)` is a correction.

    The lessons are those of some batches; the stage says then how much it has learned from.
    """
    about = continued_about(stage.about, batches, how.passes, counted)
    found, is_own = stage, False
    for number in range(1, how.passes + 1):
        random = np.random.Generator(np.random.PCG64([how.seed, number]))
        order = random.permutation(len(lessons)) if how.shuffle else np.arange(len(lessons))
        for at in order.tolist():
            learned = learn(found, lessons[at], is_own).stage
            is_own = is_own or learned is not found
            found = learned
    told: Stage = found.with_about(**about)
    return told


def continued_by_sentences(stage: Stage, batches: Sequence[Batch], how: Passes) -> Stage:
    """A stage that was corrected wherever the cells of a treebank are others than it finds; layers are its input."""
    alone = (batch.alone(index) for batch in batches for index in range(len(batch)))
    lessons = [(one, correction_of(one.bare, Constraints(), [stage], None).cells) for one in alone]
    return continued(
        stage,
        [lesson for lesson in lessons if lesson[1]],
        lambda found, lesson, is_own: found.corrected(*lesson, in_place=is_own),
        batches,
        how,
    )
