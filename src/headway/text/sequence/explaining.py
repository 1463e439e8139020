"""What each feature gave to a choice along a sequence, and to the best other one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.features.language import Address, Term
from headway.features.looks import FeatureName, Look, TermValue, anchors_of, attribute_of
from headway.features.naming import NOTHING, SentenceCells
from headway.features.sequences import COLUMN, SequenceTemplates
from headway.kernels.features.templates import mix_all
from headway.kernels.sequence.model import OUTSIDE
from headway.stages.explanation.contract import Decision, Explanation, Floats, Shown
from headway.stages.explanation.trees import count_by_sentence
from headway.text.sequence.deciding import Choices, Keys, Margins, Positions, SequenceWeights


class SequenceExplainer(ABC):
    """The decisions along sequences; subclasses say what places, choices and features are called."""

    kind: ClassVar[str]
    """What its decisions are about."""

    def __init__(
        self,
        templates: SequenceTemplates,
        choices: Choices,
        weights: SequenceWeights,
        positions: Positions,
        found: Margins,
    ) -> None:
        self.templates, self.choices, self.weights = templates, choices, weights
        self.positions, self.found = positions, found

    @abstractmethod
    def word_of(self, at: int) -> int:
        """The word that a position belongs to, counted from 1."""

    @abstractmethod
    def place_text(self, at: int) -> str:
        """What is decided about."""

    @abstractmethod
    def choice_text(self, at: int, choice: int) -> str:
        """A choice as text."""

    @abstractmethod
    def said(self, at: int, choice: int) -> tuple[str, str]:
        """A choice in words: the beginning of the sentence, and the rest."""

    @abstractmethod
    def term_value(self, at: int, term: Term) -> TermValue:
        """A term of a feature with its value."""

    @abstractmethod
    def looks_at(self, at: int, address: Address) -> tuple[int, str]:
        """Where the text is that an address means, for its order, and what is shown of it; -1 where there is none."""

    def typical(self, choice: int, at: int) -> str:
        """A choice without the words of the sentence."""
        return self.choice_text(at, choice)

    def decisions(self, first: int, last: int) -> list[Decision]:
        """The decisions at the positions from `first` to before `last`."""
        keys, is_there = self.features(first, last)
        return [self.decision(at, keys[at - first], is_there[at - first]) for at in range(first, last)]

    def decision(self, at: int, keys: Keys, is_there: NDArray[np.bool_], right: int | None = None) -> Decision:
        """What was chosen at a position beside the best other choice, or the right one."""
        chosen, rival = int(self.found.chosen[at]), int(self.found.rivals[at, 0]) if right is None else right
        templates, features = np.flatnonzero(is_there).tolist(), self.templates.features
        own = np.ascontiguousarray(keys[templates])
        given = self._weights(own, chosen)
        against = self._weights(own, rival) if rival >= 0 else np.zeros(len(own))
        return Decision(
            kind=self.kind,
            word=self.word_of(at),
            what=f"{self.place_text(at)}: {self.choice_text(at, chosen)}",
            over=self.choice_text(at, rival) if rival >= 0 else None,
            score=float(given.sum()),
            rival_score=float(against.sum()) if rival >= 0 else None,
            given=given,
            against=against,
            name=lambda own: FeatureName(self.term_value(at, term) for term in features[templates[own]].terms),
            look=lambda own: self._look(at, templates[own]),
            ids=own,
            **self._shown(at, chosen).beside(self._shown(at, rival) if rival >= 0 else None),  # type: ignore[arg-type]
        )

    def _shown(self, at: int, choice: int) -> Shown:
        return Shown("", *self.said(at, choice), self.typical(choice, at))

    @cached_property
    def _static_looks(self) -> list[tuple[tuple[Address, ...], str]]:
        return [(anchors_of(feature.terms), attribute_of(feature.terms)) for feature in self.templates.features]

    def _look(self, at: int, template: int) -> Look:
        """What a feature looks at."""
        anchors, attribute = self._static_looks[template]
        seen = [self.looks_at(at, anchor) for anchor in anchors]
        missing = next((text for place, text in seen if place < 0), None)
        words = dict.fromkeys(text for place, text in sorted(seen) if place >= 0)
        return Look(tuple(words), attribute if missing is None else missing, tuple(map(str, anchors)))

    def wrong(self, right: Sequence[int]) -> list[Decision]:
        """The wrong decisions beside the right choices, -1 where there is none that can be compared."""
        places = [at for at, one in enumerate(right) if one not in (-1, self.found.chosen[at])]
        if not places:
            return []
        keys, is_there = self.features(0, len(right))
        return [self.decision(at, keys[at], is_there[at], right[at]) for at in places]

    def features(self, first: int, last: int) -> tuple[Keys, NDArray[np.bool_]]:
        """The keys of the features at some positions, [position, template], and which of them are there."""
        return features_at(self.templates, self.positions, self.found.chosen, first, last)

    def _weights(self, keys: Keys, choice: int) -> Floats:
        """What each feature gives to a choice: the sum over its parts."""
        parts = np.array(self.choices.parts[choice], np.int32)
        found = self.weights.packed.of(keys, parts)
        return np.asarray(found.sum(axis=1, dtype=np.float64))


def features_at(
    model: SequenceTemplates, positions: Positions, chosen: Ints, first: int, last: int
) -> tuple[Keys, NDArray[np.bool_]]:
    """The keys [position, template] that kernels/sequence/model.pxd makes, and which features are there.

    `chosen` is what was decided at each position; what looks at a decision -1 is not there.
    """
    size = last - first
    values = [_values(positions, chosen, first, last, *slot) for slot in model.slot.tolist()]
    keys, is_there = np.empty((size, len(model.seed)), np.uint64), np.ones((size, len(model.seed)), np.bool_)
    for template, seed in enumerate(model.seed):
        mixed = np.full(size, seed, np.uint64)
        for slot in model.member[model.start[template] : model.start[template + 1]]:
            mix_all(mixed, values[slot], mixed)
            is_there[:, template] &= values[slot] != 0
        keys[:, template] = mixed
    return keys, is_there


def _values(positions: Positions, chosen: Ints, first: int, last: int, kind: int, offset: int, argument: int) -> Keys:
    """What a slot finds at each position; beyond the ends of its sequence stand values of their own."""
    here = np.arange(first, last)
    keys, offsets, attributes, _ = positions
    sequence = np.searchsorted(offsets, here, side="right")
    begin, end = offsets[sequence - 1], offsets[sequence]
    place = np.clip(here + offset, begin, end - 1)
    if kind == COLUMN:
        values = keys[place, argument]
    else:
        values = np.where(chosen[place] < 0, np.uint64(0), attributes[chosen[place], argument])
    values[here + offset < begin] = OUTSIDE["before"]
    values[here + offset >= end] = OUTSIDE["after"]
    return np.ascontiguousarray(values)


def sentences_with(
    model: SequenceTemplates,
    positions: Positions,
    chosen: Ints,
    ids: Keys,
    first: int,
    found: dict[int, dict[int, int]],
) -> None:
    """Add to `found` how often each feature, by key, stands in which sentence; these are counted from `first`."""
    size = len(positions.keys)
    keys, is_there = features_at(model, positions, chosen, 0, size)
    sentence = first + np.searchsorted(positions.offsets, np.arange(size), side="right") - 1
    count_by_sentence(found, keys[is_there], np.broadcast_to(sentence[:, None], keys.shape)[is_there], ids)


class WordExplainer(SequenceExplainer):
    """The decisions about the words of the one sentence of a batch."""

    def __init__(self, batch: Batch, *decided: Any) -> None:
        """`decided` is what `SequenceExplainer` takes."""
        super().__init__(*decided)
        self.batch, self.cells = batch, SentenceCells(batch)

    def explanation(self, annotated: Batch) -> Explanation:
        """A decision for each word; `annotated` is the batch with what was decided."""
        return Explanation(Sentence.view(annotated, 0), self.decisions(0, self.cells.size))

    def word_of(self, at: int) -> int:
        """Positions are words."""
        return at + 1

    def place_text(self, at: int) -> str:
        """The word with its number."""
        return f"{self.cells.word(at + 1)} ({at + 1})"

    def looks_at(self, at: int, address: Address) -> tuple[int, str]:
        """A word of the sentence, or one of its ends."""
        place = at + 1 + address.index
        if 1 <= place <= self.cells.size:
            return place, self.cells.shown(place)
        return -1, "beginning of the sentence" if place < 1 else "end of the sentence"

    def term_value(self, at: int, term: Term) -> TermValue:
        """A term with its value; beyond the ends of the sentence there is none."""
        place = at + 1 + term.addresses[0].index
        return TermValue(str(term), self.value(at + 1, place, term) if 1 <= place <= self.cells.size else NOTHING)

    @abstractmethod
    def value(self, word: int, place: int, term: Term) -> str:
        """What a feature of a word sees at a place in the sentence, the word itself or another one."""
