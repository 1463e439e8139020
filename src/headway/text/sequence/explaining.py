"""What each feature gave to a choice along a sequence, and to the best other one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.features.language import Term
from headway.features.naming import NOTHING, SentenceCells
from headway.features.sequences import COLUMN, SequenceTemplates
from headway.kernels.features.templates import mix_all
from headway.kernels.sequence.model import OUTSIDE
from headway.kernels.weights import freezing
from headway.stages.explanation.contract import Decision, Explanation, Floats
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
    def term_text(self, at: int, term: Term) -> str:
        """A term of a feature with its value."""

    def decisions(self, first: int, last: int) -> list[Decision]:
        """The decisions at the positions from `first` to before `last`."""
        keys, is_there = self.features(first, last)
        return [self.decision(at, keys[at - first], is_there[at - first]) for at in range(first, last)]

    def decision(self, at: int, keys: Keys, is_there: NDArray[np.bool_]) -> Decision:
        """What was chosen at a position beside the best other choice."""
        chosen, rival = int(self.found.chosen[at]), int(self.found.rivals[at, 0])
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
            name=lambda own: " & ".join(self.term_text(at, term) for term in features[templates[own]].terms),
        )

    def features(self, first: int, last: int) -> tuple[Keys, NDArray[np.bool_]]:
        """The keys [position, template] that kernels/sequence/model.pxd makes, and which features are there."""
        model, size = self.templates, last - first
        values = [self._values(first, last, *slot) for slot in model.slot.tolist()]
        keys, is_there = np.empty((size, len(model.seed)), np.uint64), np.ones((size, len(model.seed)), np.bool_)
        for template, seed in enumerate(model.seed):
            mixed = np.full(size, seed, np.uint64)
            for slot in model.member[model.start[template] : model.start[template + 1]]:
                mix_all(mixed, values[slot], mixed)
                is_there[:, template] &= values[slot] != 0
            keys[:, template] = mixed
        return keys, is_there

    def _values(self, first: int, last: int, kind: int, offset: int, argument: int) -> Keys:
        """What a slot finds at each position; beyond the ends of its sequence stand values of their own."""
        here = np.arange(first, last)
        keys, offsets, attributes, _ = self.positions
        sequence = np.searchsorted(offsets, here, side="right")
        begin, end = offsets[sequence - 1], offsets[sequence]
        place = np.clip(here + offset, begin, end - 1)
        values = keys[place, argument] if kind == COLUMN else attributes[self.found.chosen[place], argument]
        values[here + offset < begin] = OUTSIDE["before"]
        values[here + offset >= end] = OUTSIDE["after"]
        return np.ascontiguousarray(values)

    def _weights(self, keys: Keys, choice: int) -> Floats:
        """What each feature gives to a choice: the sum over its parts."""
        parts = np.array(self.choices.parts[choice], np.int32)
        found = freezing.weights_of(self.weights.slots, self.weights.rows, self.choices.classes, keys, parts)
        return np.asarray(found.sum(axis=1, dtype=np.float64))


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

    def term_text(self, at: int, term: Term) -> str:
        """A term with its value; beyond the ends of the sentence there is none."""
        place = at + 1 + term.addresses[0].index
        return f"{term}={self.value(at + 1, place, term) if 1 <= place <= self.cells.size else NOTHING}"

    @abstractmethod
    def value(self, word: int, place: int, term: Term) -> str:
        """What a feature of a word sees at a place in the sentence, the word itself or another one."""
