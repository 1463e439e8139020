"""Learn from a corrected document: where its text is cut, and which tokens are split into which words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, ReadingReport, shown
from headway.data.batch import Batch, Ints
from headway.data.document import Document
from headway.data.sentence import views
from headway.data.sources import rebatched
from headway.stages.updating import MOST_ROUNDS, Learned
from headway.text.segmenter import INSIDE, SENTENCE, TOKEN
from headway.text.segmenter.aligned import aligned
from headway.text.segmenter.characters import LOWER_TABLE, Stretches, codes_of
from headway.text.segmenter.clusters import Clusters
from headway.text.segmenter.multiword_tokens import (
    Splitter,
    columns_of,
    keys_of_tokens,
    side_by_side,
    split_script_for,
    split_words,
)
from headway.text.segmenter.paragraphs import WINDOW
from headway.text.segmenter.segmenter import CHOICES, Segmenter
from headway.text.segmenter.several_texts import joined_texts
from headway.text.segmenter.spaces import SurfaceToken, surface_tokens
from headway.text.sequence import continuing as going_on
from headway.text.sequence.continuing import Passes
from headway.text.sequence.deciding import EVERYTHING, Keys
from headway.text.sequence.updating import MARGIN, apart_from, learning_weights
from headway.training.passes import COUNTED

TOGETHER = 10
"""Sentences of a treebank that are learned from at once."""
COUNTS = {name: kind for name, kind in COUNTED.items() if name != "words"} | {"tokens": COUNTED["words"]}
"""What segmenters count."""


class CutText(NamedTuple):
    """The text of a document, with what each of its places is, and its tokens."""

    text: Stretches
    marks: NDArray[np.uint8]
    """For each place of the stretches, from 0 to their end: INSIDE, TOKEN or SENTENCE."""
    tokens: list[SurfaceToken]
    last: NDArray[np.bool_]
    """Which tokens end a sentence."""

    @classmethod
    def of(cls, document: Document) -> CutText:
        """That of a document; refused where its cuts are such as no segmenter makes."""
        batches = document.placed_batches()
        joined = joined_texts([document.text], ReadingReport("<text>"), lines=False)
        if any(end - begin > WINDOW // 2 for begin, end in zip(joined.begins, joined.ends, strict=True)):
            raise HeadwayError(
                f"a paragraph of the document has more than {WINDOW // 2:,} characters; learn from less at a time"
            )
        text = Stretches.of(codes_of(joined.texts[0]), joined.begins, joined.ends)
        tokens: list[SurfaceToken] = []
        ends: list[int] = []
        stops: list[int] = []
        for sentence in views(batches):
            spans, word = sentence.spans, 0
            assert spans is not None
            for token in surface_tokens(sentence):
                tokens.append(token)
                ends.append(int(spans.ends[word]) - int(joined.marks[0]))
                word += len(token.words) or 1
            stops.append(len(tokens) - 1)
        place_of = np.zeros(len(joined.texts[0]) + 1, np.int32)
        place_of[text.origin + 1] = np.arange(1, len(text.origin) + 1)
        marks = np.zeros(len(text.codes) + 1, np.uint8)
        marks[place_of[ends]] = TOKEN
        marks[place_of[np.array(ends)[stops]]] = SENTENCE
        last = np.zeros(len(tokens), np.bool_)
        last[stops] = True
        found = cls(text, marks, tokens, last)
        for place in text.offsets[1:-1].tolist():
            if marks[place] != SENTENCE:
                what = f"a sentence goes on behind {shown(found.around(place))}, where the text has a blank line"
                raise HeadwayError(f"{what}; end the sentence there, or take the blank line out of the text")
        return found

    @classmethod
    def of_treebank(cls, batches: Iterable[Batch]) -> CutText:
        """That of sentences that follow each other."""
        gold = aligned(batches)
        text = Stretches.of(gold.codes, gold.begins, gold.ends)
        marks = np.concatenate([np.zeros(1, np.uint8), gold.marks[text.origin + 1]])
        return cls(text, marks, gold.tokens, np.array(gold.last, np.bool_))

    def around(self, place: int) -> str:
        """The characters before a place."""
        return self.text.codes[max(0, place - 12) : place].tobytes().decode("utf-32-le")


def recut(segmenter: Segmenter, document: Document, *, in_place: bool = False) -> Learned:
    """The segmenter after at most ten rounds of steps towards the cuts of a document, and ten towards its words."""
    if not len(document):
        return Learned(segmenter, True)
    cut = CutText.of(document)
    parted = np.flatnonzero((cut.marks > 0) & Clusters.of(cut.text).inside)
    if segmenter.patterns is not None and len(parted):
        what = f"a token ends inside of the last character of {shown(cut.around(int(parted[0]) + 1))}"
        raise HeadwayError(f"{what}, and no text is cut inside of a character and what belongs to it; move the cut")
    return _recut(segmenter, cut, in_place)


def continued(segmenter: Segmenter, batches: Sequence[Batch], how: Passes) -> Segmenter:
    """The segmenter after it was corrected, some sentences at a time, wherever it cuts a treebank otherwise."""
    sentences = [sentence for batch in batches for sentence in views([batch.bare])]
    parts = (rebatched(sentences[first : first + TOGETHER]) for first in range(0, len(sentences), TOGETHER))
    lessons = [CutText.of_treebank(part) for part in parts]
    found = going_on.continued(segmenter, lessons, _recut, batches, how, COUNTS)
    return found.with_about(tokens=found.about["tokens"] + sum(len(lesson.tokens) for lesson in lessons))


def _recut(segmenter: Segmenter, cut: CutText, in_place: bool) -> Learned:
    found, are_cut = _with_cuts(segmenter, cut, in_place)
    splitter, are_split = _with_words(segmenter.splitter, cut.tokens, cut.last, in_place)
    if splitter is not segmenter.splitter:
        found = replace(found, splitter=splitter)
    if found is not segmenter and not in_place:
        # Whoever has the segmenter as it was has these weights, too.
        found = replace(
            found,
            weights=apart_from(segmenter.weights, found.weights),
            splitter=replace(found.splitter, weights=apart_from(segmenter.splitter.weights, found.splitter.weights)),
        )
    return Learned(found, are_cut and are_split)


def _with_cuts(segmenter: Segmenter, cut: CutText, in_place: bool) -> Learned:
    """The segmenter that has learned where tokens and sentences end."""
    stage = segmenter
    places, positions = stage.positions(cut.text)
    found = _marks(cut, places, stage.weights.decide(stage.templates.sequence, CHOICES, positions))
    if np.array_equal(found, cut.marks):
        return Learned(segmenter, True)
    stage = _with_places(stage, cut, places, positions.sets)
    if stage is not segmenter:
        places, positions = stage.positions(cut.text)
    size = CHOICES.classes
    weights = learning_weights(stage.weights, size, size, in_place=in_place)
    stage = replace(stage, weights=weights)
    gold, mask = cut.marks[places].astype(np.int32), np.zeros(len(places), np.bool_)
    for rounds in range(1, MOST_ROUNDS + 1):
        mask |= weights.decide(stage.templates.sequence, CHOICES, positions) != gold
        weights.step(stage.templates.sequence, CHOICES, positions, gold, mask, MARGIN * rounds)
        chosen = weights.decide(stage.templates.sequence, CHOICES, positions)
        if np.array_equal(chosen, gold):
            return Learned(stage, True)
    return Learned(stage, False)


def _marks(cut: CutText, places: Ints, chosen: Ints) -> NDArray[np.uint8]:
    marks = np.zeros_like(cut.marks)
    marks[places] = chosen
    return marks


def _with_places(segmenter: Segmenter, cut: CutText, places: Ints, sets: Ints) -> Segmenter:
    """The segmenter that may decide as the text is cut, but inside of characters."""
    allowed = np.zeros((len(cut.marks), 3), np.bool_)
    allowed[:, INSIDE] = True
    for number in np.unique(sets).tolist():
        own = places[sets == number]
        allowed[own] = number == EVERYTHING
        allowed[own[:, None], CHOICES.sets[number] if number != EVERYTHING else [INSIDE]] = True
    wrong = np.flatnonzero(~allowed[np.arange(len(cut.marks)), cut.marks])
    if not len(wrong):
        return segmenter
    return replace(segmenter, learned=segmenter.learned.with_places(cut.text, wrong))


def _with_words(
    splitter: Splitter, tokens: Sequence[SurfaceToken], last: NDArray[np.bool_], in_place: bool
) -> tuple[Splitter, bool]:
    """The splitter that has learned which tokens are split into which words, and whether it splits all of them so."""
    codes, begins, ends = side_by_side([token.form for token in tokens])
    chosen = splitter.chosen(codes, begins, ends, last)
    wrong = _wrong(splitter, tokens, chosen)
    if not wrong:
        return splitter, True
    number_of = {script: number for number, script in enumerate(("", *splitter.scripts))}
    gold = chosen.copy()
    for at in wrong:
        form, words = tokens[at].form, tokens[at].words
        script = split_script_for(form, words) if len(words) > 1 else ""
        if script and split_words(script, form) != [*words]:
            return splitter, False  # No script makes such words.
        gold[at] = number_of.setdefault(script, len(number_of))
    scripts = tuple(number_of)[1:]
    lower = LOWER_TABLE[codes]
    before = splitter.choices.classes
    allowed = splitter.possible(lower, begins, ends)[wrong]
    splitter = _allowing(splitter, scripts, allowed, gold[wrong], keys_of_tokens(lower, begins[wrong], ends[wrong], 0))
    weights = learning_weights(splitter.weights, before, splitter.choices.classes, in_place=in_place)
    splitter = replace(splitter, weights=weights)
    keys = columns_of(splitter.templates, codes, lower, begins, ends)
    positions = splitter.positions(keys, last, splitter.possible(lower, begins, ends))
    mask = np.zeros(len(tokens), np.bool_)
    for rounds in range(1, MOST_ROUNDS + 1):
        mask[wrong] = True
        weights.step(splitter.templates, splitter.choices, positions, gold, mask, MARGIN * rounds)
        wrong = _wrong(splitter, tokens, weights.decide(splitter.templates, splitter.choices, positions))
        if not wrong:
            return splitter, True
    return splitter, False


def _wrong(splitter: Splitter, tokens: Sequence[SurfaceToken], chosen: Ints) -> list[int]:
    """The tokens that are split otherwise."""
    made = (splitter.words(choice, token.form) or () for choice, token in zip(chosen.tolist(), tokens, strict=True))
    wanted = (token.words if len(token.words) > 1 else () for token in tokens)
    return [at for at, (one, other) in enumerate(zip(made, wanted, strict=True)) if tuple(one) != other]


def _allowing(splitter: Splitter, scripts: tuple[str, ...], before: Ints, choices: Ints, keys: Keys) -> Splitter:
    """The splitter with more scripts behind its own, where forms may have these choices beside those `before`."""
    sets, forms = list(splitter.sets), splitter.forms
    for number, choice, key in zip(before.tolist(), choices.tolist(), keys.tolist(), strict=True):
        known = int(forms.look_up(np.array([key], np.uint64))[0])
        own = tuple(sorted({*sets[known if known >= 0 else number], choice}))
        if own not in sets:
            sets.append(own)
        forms = forms.replaced(key, sets.index(own))
    return replace(splitter, scripts=scripts, sets=tuple(sets), forms=forms)
