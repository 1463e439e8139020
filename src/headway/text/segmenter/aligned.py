"""A treebank as text with the places where its tokens and sentences end: what segmenters learn from.

The text of a sentence is its `# text` where its tokens are found in it one after the other, and else what SpaceAfter
says. Sentences of a paragraph are joined by a space, or by nothing where SpaceAfter=No stands at the last token of the
first one; newpar and newdoc begin paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.data.placing import ALL_SPACES, places_of
from headway.data.sentence import views
from headway.text.segmenter import SENTENCE, TOKEN
from headway.text.segmenter.characters import Codes, codes_of
from headway.text.segmenter.spaces import SurfaceToken, surface_tokens

NEW = ("# newpar", "# newdoc")
TEXT = "# text ="
FEWEST = 0.05
"""Paragraphs are joined where less than this share of all sentences ends before its paragraph does."""


class WrittenSentence(NamedTuple):
    """The tokens of a sentence, its text, where each token stands in it, and whether a paragraph begins with it."""

    tokens: list[SurfaceToken]
    text: str
    places: list[tuple[int, int]]
    is_new: bool
    fits: bool
    """Whether its own text has all its tokens."""


class AlignedText(NamedTuple):
    """The text of a treebank: where its paragraphs are, what each place is, and all tokens with where they end."""

    codes: Codes
    begins: list[int]
    ends: list[int]
    marks: NDArray[np.uint8]
    """For each place of the text, from 0 to its length, what it is."""
    tokens: list[SurfaceToken]
    last: list[bool]
    """Which tokens end a sentence."""
    unfit: int
    """Sentences whose own text lacks some of their tokens."""


def aligned(batches: Iterable[Batch]) -> AlignedText:
    """All sentences of some batches as one text.

    Where nearly every sentence is a paragraph of its own, there would be nothing to learn about the ends of sentences
    inside of paragraphs; all of them are then taken as one paragraph.
    """
    sentences = [sentence for batch in batches for sentence in written_sentences(batch)]
    new = [number == 0 or sentence.is_new for number, sentence in enumerate(sentences)]
    if len(sentences) - sum(new) < FEWEST * len(sentences):
        new = [number == 0 for number in range(len(sentences))]
    texts: list[str] = []
    begins, ends, stops, kinds = [], [], [], []
    tokens: list[SurfaceToken] = []
    size = 0
    for is_new, sentence in zip(new, sentences, strict=True):
        between = ("" if not tokens else "\n\n") if is_new else tokens[-1].spaces and " "
        if is_new:
            ends += [size] if tokens else []
            begins.append(size + len(between))
        size += len(between)
        stops += [size + end for _, end in sentence.places]
        kinds += [TOKEN] * (len(sentence.tokens) - 1) + [SENTENCE]
        texts += (between, sentence.text)
        tokens += sentence.tokens
        size += len(sentence.text)
    ends += [size] if tokens else []
    marks = np.zeros(size + 1, np.uint8)
    marks[stops] = kinds
    last, unfit = [kind == SENTENCE for kind in kinds], sum(not sentence.fits for sentence in sentences)
    return AlignedText(codes_of("".join(texts)), begins, ends, marks, tokens, last, unfit)


def written_sentences(batch: Batch) -> Iterator[WrittenSentence]:
    """The sentences of a batch as they are written; spaces around tokens belong to none."""
    for sentence in views([batch]):
        tokens = [token._replace(form=token.form.strip(ALL_SPACES)) for token in surface_tokens(sentence)]
        tokens = [token for token in tokens if token.form]
        if not tokens:
            continue
        comments = sentence.comments
        text = next((line.removeprefix(TEXT).strip() for line in reversed(comments) if line.startswith(TEXT)), "")
        places = list(places_of(text, (token.form for token in tokens)))
        fits = len(places) == len(tokens) and not text[places[-1][1] :].strip()
        if not fits:
            pieces = [token.form + token.spaces for token in tokens[:-1]]
            text = "".join((*pieces, tokens[-1].form))
            begins = np.cumsum([0, *map(len, pieces)]).tolist()
            places = [(begin, begin + len(token.form)) for begin, token in zip(begins, tokens, strict=True)]
        yield WrittenSentence(tokens, text, places, any(line.startswith(NEW) for line in comments), fits)
