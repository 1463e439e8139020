"""How good a parser is: all scores of a system's file against a gold file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError, known
from headway.evaluation.columns import Source
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.definitions import Definition
from headway.evaluation.metrics.attachment import attachment, sentence_scores
from headway.evaluation.metrics.ud import ud_scores
from headway.evaluation.scores import Accuracy, CountedItems, Score, words

MAIN = ("LAS", "UAS")
"""The scores that are named first."""
OF_LABELS = "LAS"
"""The score that can be had for one label."""


@dataclass(frozen=True)
class SystemScores(Mapping[str, Score]):
    """The scores of a system, by their names in the literature, under one definition.

    >>> from headway import Sentence, evaluate
    >>> gold = Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> scores = evaluate(gold, gold.replace(deprels=["obj", "root"]))
    >>> scores
    <SystemScores: LAS 50.00, UAS 100.00, 15 more (ud)>
    >>> float(scores["LAS"]), scores["LAS"].correct
    (50.0, 1)

    `for name in scores` goes through all of them, and `print(scores)` says the definition too.
    """

    comparison: Comparison = field(repr=False, compare=False)
    """Which words are right; `headway.significance` compares two systems by it."""
    metrics: Mapping[str, Score]

    @property
    def definition(self) -> Definition:
        """What counts as right."""
        return self.comparison.definition

    @property
    def gold(self) -> str:
        """The name of the gold file."""
        return self.comparison.gold.columns.source

    @property
    def system(self) -> str:
        """The name of the system's file."""
        return self.comparison.system.columns.source

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.metrics:
            raise HeadwayError(
                f"no score {metric!r} with the definition {self.definition.name!r}; {known(self.metrics)}"
            )
        return self.metrics[metric]

    def __iter__(self) -> Iterator[str]:
        """The names of the scores."""
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __contains__(self, metric: object) -> bool:
        return metric in self.metrics

    def __repr__(self) -> str:
        main = ", ".join(f"{name} {self.metrics[name]}" for name in MAIN)
        return f"<SystemScores: {main}, {len(self) - len(MAIN)} more ({self.definition.name})>"

    def __str__(self) -> str:
        return f"{', '.join(f'{name} {score}' for name, score in self.metrics.items())} [{self.definition}]"

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "definition": self.definition.name,
            "description": str(self.definition),
            "punctuation": self.definition.punctuation,
            "gold": self.gold,
            "system": self.system,
            "scores": {name: score.to_dict() for name, score in self.metrics.items()},
        }


def evaluate(
    gold: Source, system: Source, *, definition: str | None = None, punctuation: bool | None = None
) -> SystemScores:
    """The scores of a system against gold trees: paths, open files, readers, sentences or one Sentence each.

    `definition` is `ud`, `conllx` or `all`, by default the one that suits the gold format; `punctuation` says whether
    punctuation counts, where the definition leaves it open.
    """
    return scores_of(compare(gold, system, definition=definition, punctuation=punctuation))


def scores_of(comparison: Comparison) -> SystemScores:
    """The scores of files already compared."""
    found = {name: items.score for name, items in counted_items(comparison).items()}
    if comparison.definition.same_words:
        found = {name: Accuracy(score.correct, score.gold, score.system) for name, score in found.items()}
    return SystemScores(comparison, found)


def counted_items(comparison: Comparison) -> dict[str, CountedItems]:
    """What each score counts, by its name."""
    of_words = attachment if comparison.definition.same_words else ud_scores
    return {**of_words(comparison), **sentence_scores(comparison)}


def items_of(comparison: Comparison, metric: str) -> CountedItems:
    """What a score counts; `LAS:nsubj` counts the words with that label, as the definition compares labels.

    Of the latter gold items are words with the label in the gold tree, items of the system those with it in its own.
    """
    known_items = counted_items(comparison)
    if metric in known_items:
        return known_items[metric]
    gold, (name, _, label) = comparison.gold, metric.partition(":")
    found = items_of_label(comparison, label)
    if name != OF_LABELS or not len(found.home):
        labels = known(gold.columns.names.strings(np.unique(gold.labels[gold.counted])))
        raise HeadwayError(
            f"no score {metric!r} with the definition {comparison.definition.name!r}; {known(known_items)}; or "
            f"{OF_LABELS}:LABEL, of whose labels {labels}"
        )
    return found


def items_of_label(comparison: Comparison, label: str) -> CountedItems:
    """The words with a label, which may be none."""
    gold, system = comparison.gold, comparison.system
    places = (side.counted & side.columns.names.test(side.labels, label.__eq__) for side in (gold, system))
    return words(comparison, {OF_LABELS: gold.right}, *places)[OF_LABELS]
