"""Why a segmenter cut a text where it did: each place where it could beside the best other decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from headway.data.sentence import Sentence
from headway.features.characters import CUT
from headway.features.language import Term
from headway.features.naming import NOTHING
from headway.stages.explanation.contract import Decision, Explanation
from headway.text.segmenter.aligned import INSIDE, SENTENCE, TOKEN
from headway.text.segmenter.characters import stretches
from headway.text.segmenter.place_names import PLAIN, PlaceNames
from headway.text.segmenter.writer import WrittenText
from headway.text.sequence.explaining import SequenceExplainer, WeighedPosition

if TYPE_CHECKING:
    from headway.text.segmenter.segmenter import Segmenter

NAMES = {INSIDE: "the token goes on", TOKEN: "the token ends", SENTENCE: "the sentence ends"}
CLOSEST = 3
"""How many of the closest decisions of a sentence are told of, whatever they are about."""
SHOWN = 15
"""How many characters are shown on either side of a place."""


class SegmentExplainer:
    """Some text with the sentences that were made of it."""

    def __init__(self, segmenter: Segmenter, written: WrittenText) -> None:
        self.segmenter, self.batch = segmenter, written.batch
        text = stretches(written.codes, written.begins, written.ends)
        self.names = PlaceNames(text)
        self.places, self.positions = segmenter.positions(text)
        found = self.found = segmenter.margins(self.positions)
        self.explainer = SequenceExplainer(
            segmenter.templates.sequence, segmenter.choices, segmenter.weights, self.positions, found
        )
        # A place belongs to the token and to the sentence that go on up to it at least.
        ends, stops = found.chosen != INSIDE, found.chosen == SENTENCE
        self.sentences, tokens = np.cumsum(stops) - stops, np.cumsum(ends) - ends
        first_words = np.cumsum(written.words) - written.words
        self.words = first_words[tokens] - self.batch.sentence_word[self.sentences] + 1

    def explanation(self, index: int) -> Explanation:
        """The places of a sentence, in their order."""
        first, last = map(int, np.searchsorted(self.sentences, [index, index + 1]))
        margins = self.found.margins[first:last, 0]
        close = set((first + np.argsort(margins, kind="stable")[:CLOSEST]).tolist())
        decisions = [self.decision(one, one.at in close) for one in self.explainer.weighed(first, last)]
        return Explanation(Sentence.view(self.batch, index), decisions)

    def decision(self, weighed: WeighedPosition, is_close: bool) -> Decision:
        """A place; that a token ends before a space, or that it goes on elsewhere, is usual."""
        place = int(self.places[weighed.at])
        at_space = self.names.is_end_of_chunk(place)
        usual = weighed.rival < 0 or weighed.chosen == (TOKEN if at_space else INSIDE)
        return weighed.decision(
            kind="cut",
            word=int(self.words[weighed.at]),
            what=self.names.around(place, SHOWN),
            shown=NAMES.__getitem__,
            name=lambda template: self.name(weighed.at, template),
            is_usual=usual and not (is_close and weighed.rival >= 0),
        )

    def name(self, at: int, template: int) -> str:
        """A feature with its values."""
        return " & ".join(self._text(term, at) for term in self.segmenter.templates.sequence.features[template].terms)

    def _text(self, term: Term, at: int) -> str:
        if term.attribute in PLAIN:
            return str(term)
        if term.attribute != CUT:
            return f"{term}={self.names.value(term, int(self.places[at]))}"
        begin = self.positions.offsets[np.searchsorted(self.positions.offsets, at, side="right") - 1]
        before = at + term.addresses[0].index
        return f"{term}={NAMES[int(self.found.chosen[before])] if before >= begin else NOTHING}"
