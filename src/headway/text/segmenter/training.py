"""Training a segmenter in passes over the text of a treebank."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.features.sequences import compile_characters
from headway.text.segmenter.aligned import SENTENCE, AlignedText, aligned
from headway.text.segmenter.characters import BOUND, CLASSES, SPACE, Stretches
from headway.text.segmenter.multiword_training import learned_splitter
from headway.text.segmenter.options import FEATURES, SegmenterOptions
from headway.text.segmenter.segmenter import CHOICES, Cuts, Segmenter, positions_of
from headway.text.sequence.deciding import SequenceWeights
from headway.text.sequence.training import SequenceLearning, SequenceTraining, features_of

logger = logging.getLogger("headway")
RARE = 0.001
"""Between two classes of characters text is not cut where it was cut less often than this."""


class SegmenterTraining(SequenceTraining):
    """A training of a segmenter; all places of the treebank are described once."""

    def __init__(self, options: SegmenterOptions, data: Sequence[Batch]) -> None:
        gold = aligned(data)
        if not gold.tokens:
            raise HeadwayError("the treebank has no sentences; give one to learn from")
        if gold.unfit:
            logger.info("%d sentences have no text of their own that fits; SpaceAfter says what it is", gold.unfit)
        text = Stretches.of(gold.codes, gold.begins, gold.ends)
        self.templates = compile_characters(features_of(options, FEATURES))
        self.cuts = learned_cuts(text, gold)
        self.splitter = learned_splitter(gold.tokens, gold.last, options.seed)
        start, places, sets = self.cuts.places(text)
        marks = gold.marks[text.ends(places)].astype(np.int32)
        # Paragraphs are learned sentence by sentence, so that shuffling has something to shuffle.
        stops = np.flatnonzero(marks == SENTENCE) + 1
        positions = positions_of(self.templates, text, start, places, sets)
        positions = positions._replace(offsets=np.concatenate([[0], stops]).astype(np.int32))
        learning = SequenceLearning(self.templates.sequence, CHOICES, positions, marks, options.chosen)
        counts = {"sentences": int((gold.marks == SENTENCE).sum()), "tokens": len(gold.tokens)}
        super().__init__(options, learning, digest_of(data), counts)

    def stage(self, weights: SequenceWeights, about: dict[str, Any]) -> Segmenter:
        """The segmenter with these weights."""
        return Segmenter(self.templates, weights, self.cuts, self.splitter, about)


def learned_cuts(text: Stretches, gold: AlignedText) -> Cuts:
    """Between which classes of characters the treebank ends tokens, and over which spaces they go on.

    What was never seen together may be cut, but not before an accent or a joiner, nor behind a joiner.
    """
    everywhere = np.ones((CLASSES, CLASSES), np.uint8)
    start, places, _ = Cuts(everywhere, everywhere).places(text)
    inside = np.ones(len(places), np.bool_)
    inside[start[1:] - 1] = False
    places = places[inside]
    spaced = text.classes[places] == SPACE
    ends = gold.marks[text.ends(places)] > 0
    seen, cut = (_counts(text, places[which], 0) for which in (~spaced, ~spaced & ends))
    joined = _counts(text, places[spaced & ~ends], 1)
    cuts = (cut >= RARE * seen) & ((seen > 0) | _open_pairs())
    return Cuts(cuts.astype(np.uint8), (joined > 0).astype(np.uint8))


def _counts(text: Stretches, places: Ints, skipped: int) -> Ints:
    """How often classes stand on both sides of places; so many characters are skipped at each."""
    found = np.zeros((CLASSES, CLASSES), np.int32)
    np.add.at(found, (text.classes[places - 1], text.classes[places + skipped]), 1)
    return found


def _open_pairs() -> Any:
    """Which classes may be cut between where nobody has seen them together."""
    pairs = np.ones((CLASSES, CLASSES), np.bool_)
    pairs[:, list(BOUND)] = False
    pairs[BOUND[1], :] = False
    return pairs
