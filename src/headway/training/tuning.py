"""Choose options: passes by cross-validation, others on dev; an interrupted search goes on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError, known
from headway.base.options import Options, kinds
from headway.base.stage_options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import digest_of, fold, rebatched, sentences_of
from headway.learners.registry import SCIKIT, kind_of
from headway.stages.contract import Packed
from headway.training.checkpoint import CHOICES, identity_of, kept_in, write_kept
from headway.training.dev_scores import Judgement
from headway.training.loop import TrainingLoop

logger = logging.getLogger("headway")


class Curve(NamedTuple):
    """The scores of a training after each pass, in per cent."""

    metric: str
    definition: str
    scores: list[float]

    def said(self, score: float) -> str:
        """One of the scores, or a mean of several, with its name and definition."""
        return f"{self.metric} {score:.2f}, {self.definition}"


def curve_of(judgements: Iterable[Judgement | None]) -> Curve:
    """The scores that count, as judged after each pass."""
    known = [one for one in judgements if one is not None]
    return Curve(next(iter(known[0].scores)), known[0].definition, [one.main for one in known])


class Choices:
    """Scores by what they were measured with; without a file they are measured every time."""

    def __init__(self, path: Path | None, data: Sequence[Batch] = (), dev: Sequence[Batch] | None = None) -> None:
        self.path = path
        self._known = kept_in(path, CHOICES, "a search measures", _curves)
        if path is not None:
            self._on = [digest_of(data), None if dev is None else digest_of(dev)]
        if self._known:
            logger.warning("%s: going on with what an interrupted search has measured", path)

    def measured(self, options: StageOptions, measure: Callable[[], Curve], **how: Any) -> Curve:
        """What `measure` finds, or has found in an earlier run of the same search."""
        if self.path is None:
            return measure()
        content = [identity_of(options), self._on, how]
        key = blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=12).hexdigest()
        if key not in self._known:
            self._known[key] = measure()
            loss = "the search goes on, but would start over after an interruption"
            write_kept(self.path, {"kind": CHOICES, "scores": self._known}, {}, loss)
        return self._known[key]


def _curves(found: Packed) -> dict[str, Curve]:
    """The scores in a file."""
    return {
        key: Curve(str(metric), str(definition), list(map(float, points)))
        for key, (metric, definition, points) in found.header["scores"].items()
    }


UNKNOWN = Choices(None)
"""Nothing is known, and nothing kept."""


MOST_PASSES = 15
"""Passes tried at most where their number is to be found."""


def tuned(
    options: StageOptions,
    data: Sequence[Batch],
    dev: Sequence[Batch],
    names: Iterable[str],
    patience: int,
    choices: Choices = UNKNOWN,
) -> StageOptions:
    """The options with those values of the named ones that score best on dev, each found in its turn.

    What is tried is said where an option is declared, in its family or in its learner.
    """
    best = options

    def curve(attempt: StageOptions) -> Curve:
        return curve_of(step.dev for step in TrainingLoop(attempt, data, dev=dev, patience=patience))

    for name in names:
        tried = attempts(best, name)
        found = [(choices.measured(one, partial(curve, one), patience=patience), one) for one in tried]
        curve_of_best, best = max(found, key=lambda pair: max(pair[0].scores))
        said = curve_of_best.said(max(curve_of_best.scores))
        logger.warning("%s = %s is best on dev (%s)", name, value_of(best, name), said)
    return best


def best_passes(options: StageOptions, data: Sequence[Batch], folds: int, choices: Choices = UNKNOWN) -> int:
    """The number of passes with the best mean score when each fold is judged by what was learned from the others."""
    sentences = sentences_of(data)
    wanted: Any = options
    attempt = replace(wanted, passes=MOST_PASSES)

    def curve(number: int) -> Curve:
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        return curve_of(step.dev for step in TrainingLoop(attempt, others, dev=held_out, patience=MOST_PASSES))

    curves = []
    for number in range(folds):
        curves.append(choices.measured(attempt, partial(curve, number), fold=number, folds=folds))
        logger.info("fold %d of %d: %s", number + 1, folds, " ".join(f"{score:.2f}" for score in curves[-1].scores))
    means = [sum(column) / folds for column in zip(*(one.scores for one in curves), strict=True)]
    best = means.index(max(means)) + 1
    logger.warning("cross-validation: passes = %d is best (%s)", best, curves[0].said(max(means)))
    return best


def attempts(options: StageOptions, name: str) -> list[StageOptions]:
    """The options with each value of a name that is tried."""
    own = {one: kind.tried for one, kind in kinds(type(options)).items() if kind.tried}
    learners = {one: kind.tried for one, kind in kinds(_learner_of(options)).items() if kind.tried}
    if name in own:
        return [replace(options, **{name: value}) for value in own[name]]
    if name not in learners:
        every = [*own, *learners]
        could = known(every) if every else f"a {options.title} has nothing that could"
        raise HeadwayError(f"{name!r} cannot be chosen on dev; {could}")
    before: Any = options
    return [replace(before, options={**before.options, name: value}) for value in learners[name]]


def value_of(options: StageOptions, name: str) -> Any:
    """The value that was chosen."""
    return getattr(options, name) if name in kinds(type(options)) else getattr(options, "options", {})[name]


def _learner_of(options: StageOptions) -> type[Options]:
    wanted: Any = getattr(options, "learner", None)
    if isinstance(wanted, str) and not wanted.startswith(SCIKIT):
        return kind_of(wanted)
    return type(wanted) if isinstance(wanted, Options) else Options
