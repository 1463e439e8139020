"""Active learning: which sentences to annotate next, so that the parser learns most for the work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch
from headway.data import Source, batches_of
from headway.errors import HeadwayError, described
from headway.parser import Parser
from headway.sentence import Sentence
from headway.tree_stage import ConfidentTreeStage

Floats = NDArray[np.float64]
MARGINS = ("least", "rival", "arc")
"""Evidence that stands in for confidences where a model has no calibrator: the smaller, the less sure."""
START = 3.0
"""Words of work that every sentence costs beside its own."""
POWER = 0.3
"""How much the work counts, chosen on the development part of UD Hungarian. With 1, short sentences are chosen; but
words of long ones teach more, since their arcs are long.
"""


class ChosenToAnnotate(NamedTuple):
    """A sentence that is worth annotating, with the tree that the parser would give it."""

    number: int
    """Its number in the source, from 1."""
    sentence: Sentence
    errors: float
    """About how many words of it are wrong."""


def select(parser: Parser, source: Source, n: int = 50) -> list[ChosenToAnnotate]:
    """The n sentences of a source whose correction teaches most per word of work, the best first.

    A sentence is worth the errors that are to be expected in it, each the less the more often its word or the pair of
    tags of its arc stands in sentences chosen before, divided by a power of its length. With a calibrated model the
    errors come from confidences, with any other from margins. Linear time but for the choice, which looks at few
    sentences again for each one that it takes (lazy greedy, Minoux 1978).
    """
    if not isinstance(parser, Parser):
        raise HeadwayError(f"{described(parser)} is no parser; headway.load opens a model file")
    if n < 1:
        raise HeadwayError(f"n = {n} sentences cannot be chosen; choose one at least")
    stage = parser.row.running[-1]
    if not isinstance(stage, ConfidentTreeStage):
        raise HeadwayError(f"a {stage.kind} does not say how sure it is, so that nothing can be chosen by it")
    sentences, unsure = [], []
    for batch in batches_of(source):
        annotated, doubts = _doubts(parser, stage, batch)
        for index in range(len(batch)):
            first, last = map(int, batch.sentence_word[index : index + 2])
            sentences.append(Sentence.view(annotated, index))
            unsure.append(doubts[first:last])
    return _greedy(sentences, unsure, n)


def _doubts(parser: Parser, stage: ConfidentTreeStage, batch: Batch) -> tuple[Batch, Floats]:
    """The batch as it is parsed, and for each word how probable it is to be wrong."""
    for before in parser.row.running[:-1]:
        batch = before.annotate(batch)
    annotated, evidence = stage.annotate_surely(batch)
    if stage.calibrator is not None:
        chances = stage.calibrator.confidences(evidence, batch.sentence_word).words
        return annotated, 1 - np.asarray(chances["label" if "label" in chances else "arc"], np.float64)
    name = next(name for name in MARGINS if name in evidence.numbers)
    margins = np.maximum(np.asarray(evidence.numbers[name], np.float64), 0)
    usual = float(np.median(margins)) or 1.0
    return annotated, 1 / (1 + np.exp(np.minimum(4 * margins / usual, 50)))


def _things(sentence: Sentence) -> list[tuple[str, tuple[str, str]]]:
    """What may be new about each word: its form, and the tags of its arc."""
    tags = sentence.upos if any(tag != "_" for tag in sentence.upos) else sentence.xpos
    pairs = (
        (tag, "root" if head == 0 else tags[head - 1]) for tag, head in zip(tags, sentence.heads.tolist(), strict=True)
    )
    return list(zip(sentence.forms, pairs, strict=True))


def _greedy(sentences: Sequence[Sentence], unsure: Sequence[Floats], n: int) -> list[ChosenToAnnotate]:
    """The best sentence, then the best beside it, and so on: a sentence loses value and never gains any."""
    things = [_things(sentence) for sentence in sentences]
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()

    def worth(at: int) -> float:
        new = [1 / (1 + words[form]) + 1 / np.sqrt(1 + pairs[pair]) for form, pair in things[at]]
        work: float = (len(new) + START) ** POWER
        return float(unsure[at] @ np.array(new)) / (2 * work)

    values = np.array([worth(at) for at in range(len(sentences))])
    left, chosen = set(range(len(sentences))), list[ChosenToAnnotate]()
    while left and len(chosen) < n:
        while True:
            at = max(left, key=lambda one: (values[one], -one))
            before, values[at] = values[at], worth(at)
            if values[at] >= before - 1e-12:
                break
        left.remove(at)
        chosen.append(ChosenToAnnotate(at + 1, sentences[at], float(unsure[at].sum())))
        for form, pair in things[at]:
            words[form] += 1
            pairs[pair] += 1
    return chosen
