"""Training a segmenter in passes over the text of a treebank, and learning how its multiword tokens are split."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.sources import digest_of
from headway.features.registry import feature_model, features_from
from headway.features.sequences import compile_characters, compile_sequence
from headway.kernels.weights.packing import packed
from headway.kernels.weights.table import Weights
from headway.learners.online import MIRA
from headway.text.segmenter import SENTENCE
from headway.text.segmenter.aligned import AlignedText, aligned
from headway.text.segmenter.characters import BOUND, CLASSES, LETTER, LOWER_TABLE, SPACE, Stretches, lowered
from headway.text.segmenter.multiword_tokens import (
    COLUMNS,
    LONGEST,
    WHOLE,
    Splitter,
    columns_of,
    keys_of_tokens,
    reach,
    side_by_side,
    split_script_for,
)
from headway.text.segmenter.options import FEATURES, SegmenterOptions
from headway.text.segmenter.patterns import learned_patterns
from headway.text.segmenter.segmenter import CHOICES, Cuts, Segmenter, positions_of
from headway.text.segmenter.spaces import SurfaceToken
from headway.text.sequence.deciding import KeyTable, SequenceWeights
from headway.text.sequence.training import SequenceLearning, SequenceTraining

logger = logging.getLogger("headway")
RARE = 0.001
"""Between two classes of characters text is not cut where it was cut less often than this."""
FEWEST = 2
"""Forms that an ending must have been seen in."""
SHARE = 0.05
"""What share of the forms with an ending a script must have split to be a choice for new ones."""
SPLITTER, PASSES, DROP = "splitter", 8, 0.2
"""The features, passes and dropped features of weights that choose between scripts."""
NO_WEIGHTS = SequenceWeights(packed(Weights(1, variance=False, average=False), 1.0)[0])
LEARNED = ("FORM", "LOWER")
"""What is not told of a form seen once, so that it is learned from like a new one."""
Counts = dict[str, Counter[int]]


class SegmenterTraining(SequenceTraining):
    """A training of a segmenter; all places of the treebank are described once."""

    def __init__(self, options: SegmenterOptions, data: Sequence[Batch]) -> None:
        gold = aligned(data)
        if not gold.tokens:
            raise HeadwayError("the treebank has no sentences; give one to learn from")
        if gold.unfit:
            logger.info("%d sentences have no text of their own that fits; SpaceAfter says what it is", gold.unfit)
        text = Stretches.of(gold.codes, gold.begins, gold.ends)
        self.templates = compile_characters(features_from(options.features, FEATURES))
        self.cuts = learned_cuts(text, gold)
        self.patterns = _learned_patterns(text, gold) if options.patterns else ()
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
        return Segmenter(self.templates, weights, self.cuts, self.splitter, about, self.patterns)


def _learned_patterns(text: Stretches, gold: AlignedText) -> tuple[str, ...]:
    """The patterns that hold in the treebank."""
    ends = np.concatenate([[0], gold.marks[text.origin + 1]])
    return learned_patterns(text, ends)


def learned_cuts(text: Stretches, gold: AlignedText) -> Cuts:
    """Between which classes of characters the treebank ends tokens, and over which spaces they go on.

    What was never seen together may be cut, but not before an accent or a joiner, nor behind a joiner, nor between
    letters of a script without upper case.
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
    cannot = np.zeros((CLASSES, CLASSES), np.bool_)
    cannot[:, list(BOUND)] = cannot[BOUND[1]] = cannot[LETTER, LETTER] = True
    cuts = (cut >= RARE * seen) & ((seen > 0) | ~cannot)
    return Cuts(cuts.astype(np.uint8), (joined > 0).astype(np.uint8))


def _counts(text: Stretches, places: Ints, skipped: int) -> Ints:
    """How often classes stand on both sides of places; so many characters are skipped at each."""
    found = np.zeros((CLASSES, CLASSES), np.int32)
    np.add.at(found, (text.classes[places - 1], text.classes[places + skipped]), 1)
    return found


def learned_splitter(tokens: Sequence[SurfaceToken], last: Sequence[bool], seed: int) -> Splitter:
    """A splitter for a treebank; `last` says which tokens end a sentence."""
    texts = [split_script_for(token.form, token.words) if len(token.words) > 1 else "" for token in tokens]
    scripts = tuple(sorted(set(texts) - {""}))
    number = {"": WHOLE, **{script: place for place, script in enumerate(scripts, 1)}}
    gold = np.array([number[text] for text in texts], np.int32)
    small = [lowered(token.form) for token in tokens]
    counts: Counts = defaultdict(Counter)
    for form, choice in zip(small, gold.tolist(), strict=True):
        counts[form][choice] += 1
    sets: dict[tuple[int, ...], int] = {(WHOLE,): 0}
    endings = {ending: sets.setdefault(found, len(sets)) for ending, found in _endings(counts, scripts).items()}
    forms = {
        form: sets.setdefault(tuple(sorted(some)), len(sets))
        for form, some in counts.items()
        if any(some.keys() - {WHOLE}) or _of_ending(endings, form)
    }
    once = {at: _of_ending(endings, form) for at, form in enumerate(small) if counts[form].total() == 1}
    templates = compile_sequence(feature_model(SPLITTER), COLUMNS)
    splitter = Splitter(scripts, tuple(sets), _table(forms), _table(endings, ends=True), templates, NO_WEIGHTS)
    return replace(splitter, weights=_weights(splitter, tokens, gold, np.array(last), once, seed))


def _weights(
    splitter: Splitter,
    tokens: Sequence[SurfaceToken],
    gold: Ints,
    last: NDArray[np.bool_],
    once: dict[int, int],
    seed: int,
) -> SequenceWeights:
    """Weights that choose between scripts; tokens seen `once` are learned from like new ones, with these sets."""
    codes, begins, ends = side_by_side([token.form for token in tokens])
    lower = LOWER_TABLE[codes]
    keys = columns_of(splitter.templates, codes, lower, begins, ends)
    sets = splitter.possible(lower, begins, ends)
    for column, name in enumerate(splitter.templates.columns):
        if name in LEARNED:
            keys[list(once), column] = 0
    sets[list(once)] = list(once.values())
    positions = splitter.positions(keys, last, sets)
    learning = SequenceLearning(splitter.templates, splitter.choices, positions, gold, MIRA(passes=PASSES))
    has_choice = splitter.choices.sets.sizes[sets] > 1
    order = np.flatnonzero(np.add.reduceat(has_choice, positions.offsets[:-1]) > 0)
    for number in range(1, PASSES + 1):
        random = np.random.Generator(np.random.PCG64([seed, number]))
        learning.learn(number, random.permutation(order).astype(np.int32), random, lambda share: None, drop=DROP)
    return learning.packed(0.0)[0]


def _endings(counts: Counts, scripts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """For endings of tokens that are split, the choices that they leave for new tokens.

    An ending that is shorter than what a script looks at says nothing about it.
    """
    found: Counts = defaultdict(Counter)
    sizes = [0.0, *map(reach, scripts)]
    for form, some in counts.items():
        best = max(sorted(some), key=lambda choice: some[choice])
        for size in range(1, min(LONGEST, len(form) - 1) + 1):
            found[form[-size:]][best if size >= sizes[best] else WHOLE] += 1
    return {
        ending: tuple(sorted({WHOLE, *(one for one, count in some.items() if count >= SHARE * some.total())}))
        for ending, some in found.items()
        if any(some.keys() - {WHOLE}) and some.total() >= FEWEST
    }


def _of_ending(endings: dict[str, int], form: str) -> int:
    """The set of choices that endings leave for a form."""
    sizes = range(min(LONGEST, len(form) - 1), 0, -1)
    return next((endings[form[-size:]] for size in sizes if form[-size:] in endings), 0)


def _table(numbers: dict[str, int], *, ends: bool = False) -> KeyTable:
    """The numbers of whole forms, or of the ends of longer ones."""
    found: dict[int, int] = {}
    for size in {len(text) for text in numbers} if ends else {0}:
        some = {f"_{text}": numbers[text] for text in numbers if len(text) == size} if ends else numbers
        found |= zip(keys_of_tokens(*side_by_side(some), size).tolist(), some.values(), strict=True)
    return KeyTable.of(found)
