"""Which features cause errors: what they gave to wrong choices, added up over a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError, counted
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.stages.explanation.contract import Decision, FindsErrors
from headway.stages.explanation.explained import stage_number
from headway.stages.explanation.grouping import joined_features


@dataclass
class HarmfulFeature(ShortRepr):
    """A feature that spoke for wrong choices, with all that always stand together with it."""

    feature: str
    harm: float = 0.0
    """How much it gave to wrong choices more than to the right ones, in all."""
    errors: int = 0
    """In how many wrong decisions it took part."""
    examples: Counter[str] = field(default_factory=Counter)
    """What was chosen instead of what, without the words of the sentences."""
    ids: set[int] = field(default_factory=set)
    training_sentences_with: Counter[int] = field(default_factory=Counter)
    """The training sentences that have it, counted from 0, with how often; where they were asked for."""


@dataclass
class HarmfulGroup(ShortRepr):
    """All features that look at the same places and the same attribute there, whatever they find."""

    look: str
    """Such as `CHILD & PARENT: tags`."""
    harm: float = 0.0
    errors: int = 0
    examples: Counter[str] = field(default_factory=Counter)
    features: dict[str, HarmfulFeature] = field(default_factory=dict)
    """What they found, by name."""

    @property
    def worst(self) -> HarmfulFeature:
        """The most harmful of its features."""
        return max(self.features.values(), key=lambda one: one.harm)


@dataclass(frozen=True, eq=False)
class ErrorReport(ShortRepr):
    """The wrong decisions of a file by what caused them, the most harmful first."""

    sentences: int
    decisions: int
    features: Sequence[HarmfulFeature]
    groups: Sequence[HarmfulGroup] = ()
    """The features by what they look at."""
    examples: Counter[str] = field(default_factory=Counter)
    """What was chosen instead of what, without the words of the sentences."""

    def __str__(self) -> str:
        return f"{counted(self.decisions, 'wrong decision')} in {counted(self.sentences, 'sentence')}"


def error_report(
    stages: Sequence[Any],
    sentences: Iterable[Sentence],
    training: Sequence[Batch] = (),
    top: int | None = None,
    name: str | None = None,
) -> ErrorReport:
    """What made a stage decide wrongly: the last one, or `name`, where the sentences have what is right.

    The `top` most harmful features, or all, and the worst of as many groups also have the sentences in the batches of a
    `training` treebank that have them.
    """
    at = stage_number(stages, name)
    stage = stages[at]
    if not isinstance(stage, FindsErrors):
        what = f"a {stage.kind} does not tell wrong decisions from right ones"
        raise HeadwayError(f"{what}; taggers, lemmatizers, and transition, graph and boosted parsers do")
    found, groups = _Harm(HarmfulFeature), _Harm(HarmfulGroup)
    total = decisions = 0
    examples: Counter[str] = Counter()
    for sentence in sentences:
        total += 1
        batch = sentence.batch.alone(sentence.index)
        for before in stages[:at]:
            batch = before.annotate(batch)
        for decision in stage.wrong_decisions(batch):
            decisions += 1
            example = decision.typical or f"{decision.what} instead of {decision.over}"
            examples[example] += 1
            _add(decision, example, found, groups)
    harmful = _worst_first(found.values(), lambda one: one.feature)
    report = ErrorReport(total, decisions, harmful, _worst_first(groups.values(), lambda one: one.look), examples)
    if training:
        wanted = {id(one): one for one in (*harmful[:top], *(group.worst for group in report.groups[:top]))}
        ids = np.array(sorted({number for entry in wanted.values() for number in entry.ids}), np.uint64)
        counts = stage.training_sentences_with(training, ids)
        for entry in wanted.values():
            for number in entry.ids:
                entry.training_sentences_with.update(counts.get(number, {}))
    return report


class _Harm(dict[str, Any]):
    """Entries by name, made when they are first asked for."""

    def __init__(self, kind: Callable[[str], Any]) -> None:
        self.kind = kind

    def __missing__(self, name: str) -> Any:
        return self.setdefault(name, self.kind(name))


def _add(decision: Decision, example: str, features: _Harm, groups: _Harm) -> None:
    """Add what a wrong decision says of its features and their groups."""
    about = " (label)" if decision.kind == "label" else ""
    own: dict[str, float] = {}
    for (feature, chosen, rival), members in joined_features(decision):
        name = f"{feature}{about}"
        look = decision.look(members[0])
        entry, group = features[name], groups[f"{look.of_places}{about}"]
        group.features[name] = entry
        own[group.look] = own.get(group.look, 0.0) + chosen - rival
        if chosen != rival:
            entry.harm += chosen - rival
            entry.errors += 1
            entry.examples[example] += 1
            if decision.ids is not None:
                entry.ids.add(int(decision.ids[members[0]]))
    for of_places, harm in own.items():
        groups[of_places].harm += harm
        groups[of_places].errors += 1
        groups[of_places].examples[example] += 1


def _worst_first(entries: Iterable[Any], name: Callable[[Any], str]) -> list[Any]:
    """The entries that did harm."""
    return sorted((entry for entry in entries if entry.harm > 0), key=lambda entry: (-entry.harm, name(entry)))
