"""Why a segmenter cut a text where it did: each place where it could beside the best other decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.data.sentence import Sentence
from headway.features.language import Term
from headway.features.naming import NOTHING
from headway.features.sequences import CUT
from headway.stages.explanation.contract import Decision, Explanation
from headway.text.segmenter.aligned import INSIDE, SENTENCE, TOKEN
from headway.text.segmenter.characters import Stretches
from headway.text.segmenter.feature_names import PLAIN, PlaceNames
from headway.text.segmenter.writer import WrittenText
from headway.text.sequence.deciding import Keys
from headway.text.sequence.explaining import SequenceExplainer

if TYPE_CHECKING:
    from headway.text.segmenter.segmenter import Segmenter

NAMES = {INSIDE: "the token goes on", TOKEN: "the token ends", SENTENCE: "the sentence ends"}
CLOSEST = 3
"""How many of the closest decisions of a sentence are shown, whatever they are about."""
SHOWN = 15
"""How many characters are shown on either side of a place."""


class SegmentExplainer(SequenceExplainer):
    """Explains the cuts of one piece of text."""

    kind = "cut"

    def __init__(self, segmenter: Segmenter, written: WrittenText) -> None:
        self.batch = written.batch
        text = Stretches.of(written.codes, written.begins, written.ends)
        self.names = PlaceNames(text)
        self.places, positions = segmenter.positions(text)
        found = segmenter.margins(positions)
        super().__init__(segmenter.templates.sequence, segmenter.choices, segmenter.weights, positions, found)
        # A place belongs to the token and to the sentence that go on up to it at least.
        ends, stops = found.chosen != INSIDE, found.chosen == SENTENCE
        self.sentences, tokens = np.cumsum(stops) - stops, np.cumsum(ends) - ends
        first_words = np.cumsum(written.words) - written.words
        self.words = first_words[tokens] - self.batch.sentence_word[self.sentences] + 1

    def explanation(self, index: int) -> Explanation:
        """The places of a sentence, in their order; the closest decisions are never usual."""
        first, last = map(int, np.searchsorted(self.sentences, [index, index + 1]))
        decisions = self.decisions(first, last)
        for place in np.argsort(self.found.margins[first:last, 0], kind="stable")[:CLOSEST].tolist():
            if decisions[place].over is not None:
                decisions[place] = replace(decisions[place], is_usual=False)
        return Explanation(Sentence.view(self.batch, index), decisions)

    def decision(self, at: int, keys: Keys, is_there: NDArray[np.bool_]) -> Decision:
        """A place; that a token ends before a space, or that it goes on elsewhere, is usual."""
        made = super().decision(at, keys, is_there)
        usual = TOKEN if self.names.is_end_of_chunk(int(self.places[at])) else INSIDE
        return replace(made, is_usual=made.over is None or bool(self.found.chosen[at] == usual))

    def word_of(self, at: int) -> int:
        """The word that begins the token of a place."""
        return int(self.words[at])

    def place_text(self, at: int) -> str:
        """The text around."""
        return self.names.around(int(self.places[at]), SHOWN)

    def choice_text(self, at: int, choice: int) -> str:
        """What happens at a place."""
        return NAMES[choice]

    def term_text(self, at: int, term: Term) -> str:
        """A term with what it sees in the text, or of earlier decisions."""
        if term.attribute in PLAIN:
            return str(term)
        if term.attribute != CUT:
            return f"{term}={self.names.value(term, int(self.places[at]))}"
        begin = self.positions.offsets[np.searchsorted(self.positions.offsets, at, side="right") - 1]
        before = at + term.addresses[0].index
        return f"{term}={NAMES[int(self.found.chosen[before])] if before >= begin else NOTHING}"
