"""What a stage of each family gets right: words with their heads, tags or lemmas, tokens and sentences of a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.data.formats.writing import running_text
from headway.data.placing import is_space
from headway.data.sentence import Sentence
from headway.discovery.options import DECIDED
from headway.evaluation.columns import Mask
from headway.evaluation.definitions import Definition
from headway.evaluation.metrics.attachment import right_words, same_cells
from headway.text.segmenter import SENTENCE, TOKEN
from headway.text.segmenter.aligned import AlignedText, aligned

Counts: TypeAlias = NDArray[np.int64]


class GoldBatch(NamedTuple):
    """Sentences as they should be, which of their words count, and which labels are the same."""

    batch: Batch
    counted: Mask
    definition: Definition


class RightCounts(NamedTuple):
    """For each metric how many words or tokens of each sentence are right, and how many there are in all."""

    by_sentence: tuple[Counts, ...]
    total: int


def of_words(masks: Callable[[Batch, Batch, Definition], tuple[Mask, ...]], stage: Any, gold: GoldBatch) -> RightCounts:
    """Counts of the words that count and are right."""
    batch, counted, definition = gold
    found = masks(batch, stage.annotate(batch), definition)
    starts = batch.sentence_word[:-1]
    return RightCounts(
        tuple(np.add.reduceat(right & counted, starts, dtype=np.int64) for right in found), int(counted.sum())
    )


def right_tags(gold: Batch, found: Batch, definition: Definition) -> tuple[Mask, Mask]:
    """Which words have the right UPOS, and which the right UPOS, XPOS and FEATS."""
    columns = [same_cells(gold.column(name), found.column(name)) for name in DECIDED]
    return columns[0], np.logical_and.reduce(columns)


def right_lemmas(gold: Batch, found: Batch, definition: Definition) -> tuple[Mask]:
    """Which words have the right lemma."""
    return (same_cells(gold.column("LEMMA"), found.column("LEMMA")),)


def of_segments(segmenter: Any, gold: GoldBatch) -> RightCounts:
    """Counts of the tokens that a segmenter finds in the raw text, and of those whose sentence it finds, too."""
    batch = gold.batch
    text = "".join(running_text(Sentence.view(batch, number) for number in range(len(batch))))
    wanted, found = _marks(aligned([batch])), _marks(aligned(segmenter.segment([text])))
    tokens = _spans_found(wanted >= TOKEN, found >= TOKEN)
    sentences = _spans_found(wanted == SENTENCE, found == SENTENCE)
    ends = np.flatnonzero(wanted[wanted >= TOKEN] == SENTENCE) + 1
    of_token = np.repeat(sentences, np.diff(ends, prepend=0))
    starts = np.concatenate([[0], ends[:-1]])
    return RightCounts(
        tuple(np.add.reduceat(right, starts, dtype=np.int64) for right in (tokens, tokens & of_token)), len(tokens)
    )


def _marks(text: AlignedText) -> NDArray[np.uint8]:
    """What stands behind each character that is no space: the same characters, however text is cut."""
    solid = np.array([not is_space(chr(code)) for code in text.codes], np.bool_)
    return np.asarray(text.marks[1:][solid])


def _spans_found(wanted: Mask, found: Mask) -> Mask:
    """Of the stretches between two ends that are wanted, which are found: both ends, and none between them."""
    ends = np.flatnonzero(wanted)
    starts = np.concatenate([[-1], ends[:-1]])
    reached = np.concatenate([[0], np.cumsum(found)])
    both = found[ends] & ((starts < 0) | found[starts])
    return np.asarray(both & (reached[ends + 1] - reached[starts + 1] == 1), np.bool_)


RIGHT: Mapping[str, Callable[[Any, GoldBatch], RightCounts]] = {
    "transition": partial(of_words, right_words),
    "graph": partial(of_words, right_words),
    "tagger": partial(of_words, right_tags),
    "lemmatizer": partial(of_words, right_lemmas),
    "segmenter": of_segments,
}
"""How candidates of each family are scored."""
