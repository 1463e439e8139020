"""Training a segmenter in passes over the text of a treebank."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.schema import Layout
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.features.characters import compile_characters
from headway.features.registry import feature_model
from headway.kernels.text.characters import describe_places
from headway.learners.registry import described
from headway.stages.contract import Packed
from headway.text.segmenter.aligned import SENTENCE, AlignedText, aligned
from headway.text.segmenter.characters import BOUND, CLASSES, SPACE, Stretches, stretches
from headway.text.segmenter.multiword_training import learned
from headway.text.segmenter.options import SegmenterOptions
from headway.text.segmenter.segmenter import ATTRIBUTES, CHOICES, Cuts, Segmenter
from headway.text.sequence.training import Positions, SequenceLearning
from headway.training.contract import Progress
from headway.training.passes import PassTraining
from headway.training.weight_state import weights_state

logger = logging.getLogger("headway")
RARE = 0.001
"""Between two classes of characters text is not cut where it was cut less often than this."""


class SegmenterTraining(PassTraining):
    """A training of a segmenter; all places of the treebank are described once."""

    def __init__(self, options: SegmenterOptions, data: Sequence[Batch]) -> None:
        self.options, self.learner, self.digest = options, options.chosen, digest_of(data)
        gold = aligned(data)
        if not gold.tokens:
            raise HeadwayError("the treebank has no sentences; give one to learn from")
        if gold.unfit:
            logger.info("%d sentences have no text of their own that fits; SpaceAfter says what it is", gold.unfit)
        text = stretches(gold.codes, gold.begins, gold.ends)
        wanted = options.features
        self.templates = compile_characters(feature_model(wanted) if isinstance(wanted, str) else wanted)
        self.cuts = learned_cuts(text, gold)
        self.splitter = learned(gold.tokens, gold.last, options.seed)
        self.sentences, self.tokens = int((gold.marks == SENTENCE).sum()), len(gold.tokens)
        start, places, sets = self.cuts.places(text)
        keys = np.empty((len(places), len(self.templates.terms)), np.uint64)
        described_text = (text.codes, text.lower, text.classes, text.offsets, start, places)
        describe_places(*described_text, self.templates.columns, keys)
        marks = gold.marks[text.ends(places)].astype(np.int32)
        # Paragraphs are learned sentence by sentence, so that shuffling has something to shuffle.
        stops = np.flatnonzero(marks == SENTENCE) + 1
        offsets = np.concatenate([[0], stops]).astype(np.int32)
        self.learning = SequenceLearning(
            self.templates.sequence, CHOICES, Positions(keys, offsets, ATTRIBUTES, sets), marks, self.learner
        )

    def step(self, number: int, progress: Progress) -> Mapping[str, float]:
        """Learn from the whole text once."""
        random = self.random_of(number)
        order = self.order_of(len(self.learning.positions.offsets) - 1, random)
        told = self.learning.learn(number, order, random, progress, drop=self.options.drop)
        self.passes = number
        return told

    def candidates(self) -> Sequence[Segmenter]:
        """The segmenter as it is now."""
        weights, size = self.learning.frozen(self.options.prune)
        about: dict[str, Any] = {
            "family": self.options.family,
            "options": self.options.identity(),
            "learner": described(self.learner),
            "passes": self.passes,
            "sentences": self.sentences,
            "tokens": self.tokens,
            "features": len(self.learning.weights),
            "weights": size,
            "treebank_digest": self.digest,
        }
        return [Segmenter(self.templates, weights, self.cuts, self.splitter, about)]

    @property
    def state(self) -> Layout:
        """Weights of three classes."""
        return weights_state(CHOICES.classes, self.learner, self.counts)

    def pack(self) -> Packed:
        """What has been learned so far."""
        header, arrays = self.learning.pack()
        return Packed({**header, "passes": self.passes}, arrays)

    def restore(self, packed: Packed) -> None:
        """Take back what `pack` gave."""
        self.learning.restore(packed)
        self.passes = packed.header["passes"]


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
