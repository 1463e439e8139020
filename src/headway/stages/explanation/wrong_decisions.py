"""Which features cause errors: what they gave to wrong choices, added up over a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError, counted
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.stages.explanation.contract import FindsErrors


@dataclass
class HarmfulFeature(ShortRepr):
    """A feature that spoke for wrong choices."""

    feature: str
    harm: float = 0.0
    """How much it gave to wrong choices more than to the right ones, in all."""
    errors: int = 0
    """In how many wrong decisions it took part."""
    examples: Counter[str] = field(default_factory=Counter)
    """What was chosen instead of what."""
    ids: set[int] = field(default_factory=set)
    training_sentences_with: Counter[int] = field(default_factory=Counter)
    """The training sentences that have it, counted from 0, with how often; where they were asked for."""


@dataclass(frozen=True, eq=False)
class ErrorReport(ShortRepr):
    """The wrong decisions of a file by the features that caused them, the most harmful first."""

    sentences: int
    decisions: int
    features: Sequence[HarmfulFeature]

    def __str__(self) -> str:
        return f"{counted(self.decisions, 'wrong decision')} in {counted(self.sentences, 'sentence')}"


def error_report(
    stages: Sequence[Any], sentences: Iterable[Sentence], training: Sequence[Batch] = (), top: int | None = None
) -> ErrorReport:
    """The features that made the last stage of a model decide wrongly, where the sentences have right trees.

    The `top` most harmful ones, or all, also have the sentences in the batches of a `training` treebank that have them.
    """
    stage = stages[-1]
    if not isinstance(stage, FindsErrors):
        what = f"a {stage.kind} does not tell wrong decisions from right ones"
        raise HeadwayError(f"{what}; transition, graph and boosted parsers do")
    found: dict[str, HarmfulFeature] = {}
    total = decisions = 0
    for sentence in sentences:
        total += 1
        batch = sentence.batch.alone(sentence.index)
        for before in stages[:-1]:
            batch = before.annotate(batch)
        for decision in stage.wrong_decisions(batch):
            decisions += 1
            differences = decision.given - decision.against
            for at in np.flatnonzero(differences).tolist():
                name = f"{decision.name(at)}{' (label)' if decision.kind == 'label' else ''}"
                if name not in found:
                    found[name] = HarmfulFeature(name)
                entry = found[name]
                entry.harm += float(differences[at])
                entry.errors += 1
                entry.examples[f"{decision.what} instead of {decision.over}"] += 1
                if decision.ids is not None:
                    entry.ids.add(int(decision.ids[at]))
    harmful = [entry for entry in found.values() if entry.harm > 0]
    harmful.sort(key=lambda entry: (-entry.harm, entry.feature))
    if training:
        ids = np.array(sorted({number for entry in harmful[:top] for number in entry.ids}), np.uint64)
        counts = stage.training_sentences_with(training, ids)
        for entry in harmful[:top]:
            for number in entry.ids:
                entry.training_sentences_with.update(counts.get(number, {}))
    return ErrorReport(total, decisions, harmful)
