"""How good a stage is on a development treebank, by the scores that fit what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headway.data.batch import Batch
from headway.data.formats.format import TAGS
from headway.data.formats.writing import running_text
from headway.data.sentence import views
from headway.evaluation.comparison import compare
from headway.evaluation.definitions import definition_for
from headway.evaluation.metrics.attachment import counted_words, right_words, same_cells
from headway.evaluation.metrics.ud import ud_scores
from headway.stages.contract import SegmentingStage, Stage


@dataclass(frozen=True)
class Judgement:
    """Scores in per cent by their names; the first is the one that training raises."""

    definition: str
    """Which words count, and which labels are the same: a name of `evaluation.definitions`."""
    scores: dict[str, float]
    tags: str = ""
    """Which tags the stage was given, where it looks at tags: `gold tags` or `predicted tags`."""

    @property
    def described(self) -> str:
        """What the scores are about."""
        return f"{self.definition}, {self.tags}" if self.tags else self.definition

    @property
    def facts(self) -> dict[str, Any]:
        """What a model says of itself."""
        return {"definition": self.definition, **({"tags": self.tags} if self.tags else {}), **self.scores}

    @property
    def main(self) -> float:
        """The score that counts."""
        return next(iter(self.scores.values()))

    def __str__(self) -> str:
        """For the line of a step."""
        return "  ".join(f"{name} {score:5.2f}" for name, score in self.scores.items()) + f" ({self.described})"


def judged(stage: Stage, dev: Sequence[Batch], threads: int = 1) -> Judgement:
    """The scores of a stage on batches: what was read is right, layers are what stages before have predicted.

    `threads` of them are annotated at once.

    For trees LAS and UAS, root accuracy (RA) and whole trees (CM), by the definition that `headway evaluate` takes by
    default for the batches' format. For other columns the share of words that are right in all of them, and in each.
    """
    some = [batch for batch in dev if len(batch)]
    if isinstance(stage, SegmentingStage):
        return _segments(stage, some)
    with ThreadPoolExecutor(threads) as pool:
        pairs = list(zip((batch.bare for batch in some), pool.map(stage.annotate, some), strict=True))
    if "HEAD" in stage.gives:
        return replace(_trees(pairs), tags=tags_of(stage, some))
    columns = sorted(stage.gives)
    right = [{name: same_cells(gold.column(name), found.column(name)) for name in columns} for gold, found in pairs]
    words = max(1, sum(len(gold.heads) for gold, _ in pairs))
    scores = {name: 100 * sum(int(one[name].sum()) for one in right) / words for name in columns}
    if len(columns) > 1:
        together = sum(int(np.logical_and.reduce(list(one.values())).sum()) for one in right)
        scores = {"all": 100 * together / words, **scores}
    return Judgement("all", scores, tags_of(stage, some))


def tags_of(stage: Stage, batches: Sequence[Batch]) -> str:
    """Which tags a stage is given: those that were read, or those that a stage before it has predicted."""
    looked_at = stage.needs & set(TAGS)
    if not looked_at:
        return ""
    predicted = any(looked_at & set(batch.overlay.columns) for batch in batches)
    return "predicted tags" if predicted else "gold tags"


def _segments(stage: SegmentingStage, dev: Sequence[Batch]) -> Judgement:
    """The scores of a segmenter: how many sentences, tokens and words it finds in the raw text, as F1.

    What counts is the mean of words and sentences: whoever finds words but joins sentences has gained little.
    """
    text = "".join(running_text(views(batch.bare for batch in dev)))
    found = (_chained(batch) for batch in stage.segment(text))
    scores = ud_scores(compare(list(views(_chained(batch.bare) for batch in dev)), list(views(found)), definition="ud"))
    shown = {name: float(scores[name].score) for name in ("Sentences", "Tokens", "Words")}
    return Judgement("ud", {"mean": (shown["Sentences"] + shown["Words"]) / 2, **shown})


def _chained(batch: Batch) -> Batch:
    """The batch with some tree for each sentence, since only words are compared."""
    heads = np.arange(len(batch.word_line), dtype=np.int32)
    heads -= np.repeat(batch.sentence_word[:-1], np.diff(batch.sentence_word)).astype(np.int32)
    return batch.with_layer("chain", heads=heads)


def _trees(pairs: Sequence[tuple[Batch, Batch]]) -> Judgement:
    heads = labelled = roots = whole = words = sentences = 0
    definition = definition_for(pairs[0][0].format.name if pairs else "conllu")
    for gold, found in pairs:
        counted = counted_words(gold, definition)
        same, same_labels = right_words(gold, found, definition)
        first = gold.sentence_word[:-1]
        heads += int((same & counted).sum())
        labelled += int((same_labels & counted).sum())
        roots += int(np.logical_and.reduceat((gold.heads == 0) == (found.heads == 0), first).sum())
        whole += int(np.logical_and.reduceat(same | ~counted, first).sum())
        words += int(counted.sum())
        sentences += len(gold)
    counts = {"LAS": (labelled, words), "UAS": (heads, words), "RA": (roots, sentences), "CM": (whole, sentences)}
    return Judgement(definition.name, {name: 100 * right / max(1, all_) for name, (right, all_) in counts.items()})
