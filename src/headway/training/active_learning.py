"""Active learning: which sentences to annotate next, so that the parser learns most for the work."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, assure_whole, described
from headway.base.options import built
from headway.data.batch import Batch
from headway.data.sentence import Sentence, views
from headway.data.sources import Source, batches_of
from headway.stages.parsing.keywords import ReadKeywords
from headway.stages.parsing.options import READING, ReadOptions
from headway.stages.parsing.parse_batches import read_input
from headway.stages.parsing.parser import Parser
from headway.stages.pipeline import Pipeline
from headway.stages.tree_stage import ConfidentTreeStage
from headway.training.familiar import warn_of_learned

if TYPE_CHECKING:
    from typing_extensions import Unpack

Floats = NDArray[np.float64]
MARGINS = ("least", "rival", "arc")
"""Evidence that stands in for confidences where a model has no calibrator: the smaller, the less sure."""
THINGS = 3
"""How many things can be learned from a word."""
START = 3.0
"""Words of work that every sentence costs beside its own."""


class ChosenToAnnotate(NamedTuple):
    """A sentence that is worth annotating, with the tree that the parser would give it."""

    number: int
    """Its number in the source, from 1."""
    sentence: Sentence
    errors: float
    """About how many words of it are wrong."""


def select(
    parser: Parser, source: Source, n: int = 50, *, known: Source | None = None, **keywords: Unpack[ReadKeywords]
) -> list[ChosenToAnnotate]:
    """The n sentences of a source whose correction teaches most per word of work, the best first. See `ranked`."""
    assure_whole("n", n)
    return list(islice(ranked(parser, source, known=known, **keywords), n))


def ranked(
    parser: Parser, source: Source, *, known: Source | None = None, **keywords: Unpack[ReadKeywords]
) -> Iterator[ChosenToAnnotate]:
    """The sentences of a source, those first whose correction teaches most per word of work.

    What a parser learns from a word are its form, the tags that its arc joins, and its tag between its neighbours'. If
    a thing that was seen c times in training makes 1 / (1 + c) of the errors that it makes unseen, then another sight
    of it takes away the share 1 / (1 + c) (2 + c) of the errors at that thing, in all of the source. A sentence is
    worth the sum over its things, divided by its words. `known` is the treebank that was annotated before, in which
    things count as seen; sentences that were ranked before count, too. Errors to be expected come from confidences
    where the model is calibrated, from margins where it is not. Linear time but for the choice, which looks at few
    sentences again for each one that it takes (lazy greedy, Minoux 1978).
    """
    if not isinstance(parser, Parser):
        raise HeadwayError(f"expected a parser, got {described(parser)}; headway.load opens a model file")
    sentences, doubts, batches = list[Sentence](), list[Floats](), list[Batch]()
    with parser.lent() as whole:
        stage = whole.last
        if not isinstance(stage, ConfidentTreeStage):
            raise HeadwayError(f"a {stage.kind} does not say how sure it is, so that nothing can be chosen by it")
        for row, batch in read_input(source, whole, built(ReadOptions, READING, keywords)):
            parsed, each = _doubts(row, stage, batch)
            batches.append(parsed)
            sentences += (Sentence.view(parsed, index) for index in range(len(batch)))
            doubts += np.split(each, batch.sentence_word[1:-1])
    warn_of_learned(parser.stages, batches, "so that it teaches less than new text would")
    before = () if known is None else views(batches_of(known))
    for at in _greedy(_Things(sentences, doubts, before)):
        yield ChosenToAnnotate(at + 1, sentences[at], float(doubts[at].sum()))


def _doubts(row: Pipeline, stage: ConfidentTreeStage, batch: Batch) -> tuple[Batch, Floats]:
    """The batch as it is parsed, and for each word how probable it is to be wrong."""
    for before in row.running[:-1]:
        batch = before.annotate(batch)
    annotated, evidence = stage.annotate_with_evidence(batch)
    if stage.calibrator is not None:
        chances = stage.calibrator.confidences(evidence, batch.sentence_word).words
        return annotated, 1 - np.asarray(chances["label" if "label" in chances else "arc"], np.float64)
    name = next(name for name in MARGINS if name in evidence.numbers)
    margins = np.fmax(np.asarray(evidence.numbers[name], np.float64), 0)  # NaN, of forged weights, is no margin
    finite = margins[np.isfinite(margins)]
    usual = (float(np.median(finite)) if len(finite) else 0.0) or 1.0
    return annotated, 1 / (1 + np.exp(np.minimum(4 * margins / usual, 50)))


def _things(sentence: Sentence) -> list[Hashable]:
    """What can be learned from each word, THINGS of them, one word after the other.

    They are its form, the tags that its arc joins, and its tag between those of its neighbours.
    """
    tags = sentence.upos if any(tag != "_" for tag in sentence.upos) else sentence.xpos
    around = ["", *tags, ""]
    found: list[Hashable] = []
    for at, (form, head) in enumerate(zip(sentence.forms, sentence.heads.tolist(), strict=True)):
        found += [form.lower(), (tags[at], "root" if head == 0 else tags[head - 1]), tuple(around[at : at + 3])]
    return found


class _Things:
    """The things of sentences as numbers, how often each was seen, and the errors at it in all sentences."""

    def __init__(self, sentences: Sequence[Sentence], doubts: Sequence[Floats], known: Iterable[Sentence]) -> None:
        numbers: dict[Hashable, int] = {}
        self.of = [
            np.array([numbers.setdefault(thing, len(numbers)) for thing in _things(sentence)], np.int64)
            for sentence in sentences
        ]
        self.again = [np.tril(things[:, None] == things, -1).sum(axis=1) for things in self.of]
        """For each thing of a sentence, how often it stands before in it."""
        every = np.concatenate([*self.of, np.zeros(0, np.int64)])
        weights = np.repeat(np.concatenate([*doubts, np.zeros(0)]), THINGS)
        self.errors = np.bincount(every, weights, len(numbers))
        self.seen = np.zeros(len(numbers))
        for sentence in known:
            for thing in _things(sentence):
                if thing in numbers:
                    self.seen[numbers[thing]] += 1

    def worth(self, at: int) -> float:
        """The errors that a sentence takes away, by its words; it falls as others are taken and never rises."""
        things = self.of[at]
        seen = self.seen[things] + self.again[at]
        return float((self.errors[things] / ((1 + seen) * (2 + seen))).sum()) / (len(things) / THINGS + START)

    def take(self, at: int) -> None:
        """From now on the things of a sentence are seen."""
        np.add.at(self.seen, self.of[at], 1)


def _greedy(things: _Things) -> Iterator[int]:
    """The best sentence, then the best beside it, and so on."""
    waiting = [(-things.worth(at), at) for at in range(len(things.of))]
    heapq.heapify(waiting)
    while waiting:
        before, at = waiting[0]
        now = -things.worth(at)
        if now > before + 1e-12:
            heapq.heapreplace(waiting, (now, at))
            continue
        heapq.heappop(waiting)
        things.take(at)
        yield at
