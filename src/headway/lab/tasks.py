"""From a recipe to independent tasks: train one configuration on one treebank, parse, evaluate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import product
from typing import Any, NamedTuple

from headway.base.options import default_of, kinds
from headway.evaluation.definitions import ALL, UD
from headway.lab.plans import Value
from headway.lab.recipe import PASSES, SENTENCES, Configuration, Recipe, Source
from headway.learners.registry import SCIKIT, kind_of
from headway.training.families import FAMILIES, PARSER

FOUND = "found"
"""The feature model that the search of a recipe has found; where there are several searches, `found:NAME`."""
PIPELINE = "-pipeline"
"""How the names of peers end that begin with text."""
DEV = "dev"
"""In options, in place of a file: the development part of the treebank."""
ANNOTATE, EVIDENCE = "annotate", "evidence"
"""In options, what an experiment does around a training: who chooses what is annotated, what confidences are from."""
AROUND = (DEV, ANNOTATE, EVIDENCE)
SAMPLED = ("tokens", "length", "labels", "nonprojective", "vocabulary")
"""Axes that are options of generated treebanks."""


@dataclass(frozen=True, kw_only=True)
class TrainingTask:
    """All that a measure depends on, but for the text of the treebank; ready for JSON.

    With `every_pass` one training is measured after each of its passes or rounds, a simulation after each step.
    """

    treebank: str
    source: Source
    options: Mapping[str, Any]
    on: str
    seed: int
    fold: int | None = None
    folds: int | None = None
    every_pass: bool = False
    sentences: int | None = None
    tested: int | None = None
    definition: str = UD.name
    punctuation: bool = True
    text: bool = False
    confidence: bool = False
    labels: Sequence[str] = ()
    minutes: float | None = None
    imports: Sequence[str] = ()
    """Digests of the files with parts that the recipe imports."""

    @property
    def key(self) -> str:
        """A name for the task that depends on nothing but what it measures."""
        content = {name: value for name, value in asdict(self).items() if name not in ("treebank", "minutes")}
        if self.source.first is None:  # so that journals from before there was such an entry go on
            del content["source"]["first"]
        if self.definition == ALL.name or self.text:  # of raw text the UD scorer's in any case
            del content["definition"]
        for name in ("text", "confidence", "labels", "imports"):
            if not content[name]:
                del content[name]
        return blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=12).hexdigest()

    @property
    def files(self) -> tuple[str, ...]:
        """The parts of the treebank that the task reads."""
        wanted = ["train", *([self.on] if self.on in ("test", "dev") else [])]
        if DEV in self.options:
            wanted.append("dev")
        return tuple(dict.fromkeys(wanted))


def tags_are_predicted(options: Mapping[str, Any]) -> bool:
    """Whether a training makes the tags itself that its parser sees."""
    return bool(options.get("pipeline") or options.get("stages")) or str(options.get("parser")).endswith(PIPELINE)


def found_by(options: Mapping[str, Any]) -> str | None:
    """The search that has to find the features of a training, by its name."""
    features = options.get("features")
    return features if isinstance(features, str) and features.split(":")[0] == FOUND else None


class Place(NamedTuple):
    """Where the measures of a task belong in a recipe; `at` is None where the task has one for each pass."""

    part: str
    treebank: str
    configuration: str
    at: Value | None


def expand(recipe: Recipe) -> Iterator[tuple[Place, TrainingTask]]:
    """All tasks of a recipe in its order. The same task may stand in several places."""
    for part in recipe.parts.values():
        values = part.values if part.axis not in (None, *PASSES) else (None,)
        folds = range(part.folds) if part.on == "folds" else (None,)
        for treebank, name, at in product(part.treebanks, part.configurations, values):
            configuration = recipe.configurations[name]
            if configuration.treebanks is not None and treebank not in configuration.treebanks:
                continue
            varied = _varied(recipe, part.axis, at, recipe.sources[treebank], configuration)
            for seed, fold in product(configuration.seeds or part.seeds, folds):
                task = TrainingTask(
                    treebank=treebank,
                    on=part.on,
                    seed=seed,
                    fold=fold,
                    folds=None if fold is None else part.folds,
                    every_pass=part.axis in PASSES or ANNOTATE in configuration.options,
                    text=part.text,
                    confidence=part.confidence,
                    labels=part.labels,
                    tested=recipe.tested,
                    definition=recipe.definition,
                    punctuation=recipe.punctuation,
                    minutes=configuration.minutes,
                    imports=(*recipe.imports.values(),),
                    **varied,
                )
                yield Place(part.name, treebank, name, at), task


def size_of(recipe: Recipe) -> int:
    """How many tasks a recipe has; each search counts as one."""
    return len({task.key for _, task in expand(recipe)}) + len(recipe.searches)


def training_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a task that `headway.train` knows, without what stands for files and what is done around it."""
    searched = ("features",) if found_by(options) else ()
    return {name: value for name, value in options.items() if name not in (*AROUND, *searched)}


def is_of_learner(axis: str, options: Mapping[str, Any]) -> bool:
    """Whether an axis is an option of the learner, not of the parser, such as `C` or `strength`."""
    family = options.get("parser", PARSER)
    if family not in FAMILIES or axis in (own := kinds(FAMILIES[family])):
        return False
    learner = options.get("learner", default_of(FAMILIES[family], "learner") if "learner" in own else None)
    return isinstance(learner, str) and not learner.startswith(SCIKIT) and axis in kinds(kind_of(learner))


def _varied(
    recipe: Recipe, axis: str | None, at: Value | None, source: Source, configuration: Configuration
) -> dict[str, Any]:
    """Source, options and number of training sentences at a value of the axis."""
    options, sentences = dict(configuration.options), recipe.sentences
    if axis == SENTENCES:
        sentences = int(at)  # type: ignore[arg-type]
    elif axis in SAMPLED and source.sample:
        source = Source(sample={**source.sample, axis: at})
    elif axis is not None and axis not in PASSES:
        own = is_of_learner(axis, options)
        options |= {"options": {**options.get("options", {}), axis: at}} if own else {axis: at}
    return {"source": source, "options": options, "sentences": sentences}
