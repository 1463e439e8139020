"""How candidates are measured, and what they came to: workers make measures, the journal keeps them.

Also the feature model that chosen features stand for, and its file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from headway.base.stage_options import StageOptions
from headway.discovery.options import METRICS
from headway.discovery.successors import Candidate, in_pairs
from headway.evaluation.definitions import UD, Definition
from headway.features.arcs import LABEL
from headway.features.language import Feature, directed, distinct, parse
from headway.features.registry import feature_model
from headway.learners.online import Online
from headway.learners.registry import Learner
from headway.runs.journal import Record

LOOK, FULL, TEST = "look", "full", "test"
"""How a candidate is measured: shortly, in full, or in full on the test treebank."""
QUARTER, HALF = "quarter", "half"
"""A whole model is also learned from a quarter of the sentences, parsing the rest, and from each half."""
DEV = ("dev 1", "dev 2", "dev 3")
"""A whole model on the development treebank, with as many seeds."""
LOOK_AT_ONE_IN, LOOK_PASSES = 4, 2
"""A short measure learns from one in so many sentences, in at most so many passes."""


@dataclass(frozen=True, kw_only=True)
class MeasureSetting:
    """How candidates are measured; the same for all of a search."""

    options: StageOptions
    """Of the stages that are trained, but for their features."""
    pairs: bool = True
    """Whether all pairs of the features count too."""
    metric: str = "LAS"
    definition: Definition = UD
    """Which words count, and which labels are the same."""
    folds: int = 0
    """Cross-validation with so many folds, instead of a development treebank."""
    columns: str | None = None
    """The folder of columns on this machine."""
    whole: bool = False
    """Whether candidates are whole feature models, learned as `headway train` does it."""

    @property
    def family(self) -> str:
        """The family of the stages."""
        return self.options.family

    @property
    def learner(self) -> Learner:
        """The learner of full measures."""
        options: Any = self.options
        learner: Learner = options.chosen if self.whole else options.learner
        return learner

    def options_for(self, features: Sequence[Feature], measured: str) -> Any:
        """Options of a stage with that feature model; for a short measure it learns in fewer passes."""
        options: Any = self.options
        if self.whole:
            return replace(
                options, features=features, seed=options.seed + (DEV.index(measured) if measured in DEV else 0)
            )
        learner: Any = self.learner
        if measured == LOOK and learner.way == Online.way:
            learner = replace(learner, passes=min(LOOK_PASSES, learner.passes))
        own = {"passes": learner.passes} if self.family == "segmenter" else {}
        return replace(options, features=features, learner=learner, **own)


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A candidate and its scores."""

    candidate: Candidate
    generation: int
    stage: str
    scores: Mapping[str, float]
    """In points, by the names of the metrics, in the order in which they are shown."""
    right: tuple[int, ...]
    """For each sentence the words that are right by the metric of the search; journals may leave them out."""
    seconds: float = field(compare=False)
    """Of the processor, so that what else the machine does makes no difference."""

    @classmethod
    def of(cls, record: Record) -> Measure:
        """The measure that a record of the journal holds; older ones have only the parent, and no places."""
        features, parent = (tuple(map(_feature, record.get(name) or ())) for name in ("features", "parent"))
        return cls(
            candidate=Candidate(features, parent, record.get("step", ""), tuple(record.get("places") or ())),
            generation=record["generation"],
            stage=record.get("stage", TEST),
            scores={name: record[name.lower()] for name in reversed(METRICS) if name.lower() in record},
            right=tuple(record.get("right") or ()),
            seconds=record.get("seconds", 0.0),
        )

    @property
    def record(self) -> Record:
        """What goes into the journal."""
        scores = {**{name.lower(): score for name, score in self.scores.items()}, "right": list(self.right)}
        if self.stage == TEST:
            return {"kind": "test", "generation": self.generation, "features": list(self.features), **scores}
        step = {"step": self.step, "parent": list(self.parent), "places": list(self.candidate.places)}
        own = {"generation": self.generation, "stage": self.stage, "features": list(self.features)}
        return {"kind": "measure", **own, **step, **scores, "seconds": round(self.seconds, 3)}

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The features as texts."""
        return tuple(map(str, self.candidate.features))

    @cached_property
    def parent(self) -> tuple[str, ...]:
        """The set that is a step away, as texts."""
        return tuple(map(str, self.candidate.parent))

    @property
    def step(self) -> str:
        """What led from the parent to the set."""
        return self.candidate.step

    @property
    def full(self) -> bool:
        """Whether it was measured in full on the development data."""
        return self.stage == FULL

    @property
    def successor(self) -> str:
        """The step: the feature alone where it was added."""
        return self.step.removeprefix("add ")

    @property
    def shown(self) -> str:
        """All scores as a text."""
        return ", ".join(f"{name} {score:.2f}" for name, score in self.scores.items())

    def score(self, metric: str) -> float:
        """The score of that name."""
        return self.scores[metric]

    def rank(self, metric: str) -> tuple[float, int, tuple[str, ...]]:
        """The best come first; of equals the smaller set, then the first in the alphabet."""
        return -self.score(metric), len(self.features), self.features


@cache
def _feature(text: str) -> Feature:
    (found,) = parse(text)
    return found


LABELS = "mst"
"""The model whose features of labels graph parsers use while those of arcs are searched."""


@cache
def label_features() -> tuple[Feature, ...]:
    """Features of labels for graph parsers."""
    return tuple(feature for feature in feature_model(LABELS) if feature.has(LABEL))


def model_of(setting: MeasureSetting, features: Sequence[Feature]) -> list[Feature]:
    """The feature model that the chosen features stand for."""
    if setting.whole:
        return list(features)
    chosen = in_pairs(features) if setting.pairs else list(features)
    if setting.family == "graph":
        return distinct([*(variant for feature in chosen for variant in directed(feature)), *label_features()])
    return chosen


def model_text(setting: MeasureSetting, features: Sequence[Feature], about: Sequence[str]) -> str:
    """The feature model as a file: comments about where it comes from, then the features by name."""
    if setting.whole:
        return "\n".join([*(f"# {line}".rstrip() for line in about), "", *map(str, features), ""])
    lines = [*(f"# {line}".rstrip() for line in about), "", "found = " + ",\n    ".join(map(str, features)), ""]
    lists = ["found", *(["pairs(found)"] if setting.pairs and len(features) > 1 else [])]
    if setting.family == "graph":
        lines += [f"directed({one})" for one in lists]
        lines += ["", f"# The labels' features are those of {LABELS}.", *map(str, label_features())]
    else:
        lines += lists
    return "\n".join(lines) + "\n"
