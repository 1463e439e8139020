"""How good a stage is on a development treebank, by the scores that fit what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from headway.batch import Batch
from headway.evaluation.attachment import counted_words, right_words, same_cells
from headway.evaluation.definitions import definition_for
from headway.stage import Stage


@dataclass(frozen=True)
class Judgement:
    """Scores in per cent by their names; the first is the one that training raises."""

    definition: str
    """Which words count, and which labels are the same: a name of `evaluation.definitions`."""
    scores: dict[str, float]

    @property
    def main(self) -> float:
        """The score that counts."""
        return next(iter(self.scores.values()))

    def __str__(self) -> str:
        """For the line of a step."""
        return "  ".join(f"{name} {score:5.2f}" for name, score in self.scores.items()) + f" ({self.definition})"


def judged(stage: Stage, dev: Sequence[Batch], threads: int = 1) -> Judgement:
    """The scores of a stage on batches: what was read is right, layers are what stages before have predicted.

    `threads` of them are annotated at once.

    For trees LAS and UAS, root accuracy (RA) and whole trees (CM), by the definition that `headway evaluate` takes by
    default for the batches' format. For other columns the share of words that are right in all of them, and in each.
    """
    some = [batch for batch in dev if len(batch)]
    with ThreadPoolExecutor(threads) as pool:
        pairs = list(zip((batch.bare for batch in some), pool.map(stage.annotate, some), strict=True))
    if "HEAD" in stage.gives:
        return _trees(pairs)
    columns = sorted(stage.gives)
    right = [{name: same_cells(gold.column(name), found.column(name)) for name in columns} for gold, found in pairs]
    words = max(1, sum(len(gold.heads) for gold, _ in pairs))
    scores = {name: 100 * sum(int(one[name].sum()) for one in right) / words for name in columns}
    if len(columns) > 1:
        together = sum(int(np.logical_and.reduce(list(one.values())).sum()) for one in right)
        scores = {"all": 100 * together / words, **scores}
    return Judgement("all", scores)


def _trees(pairs: Sequence[tuple[Batch, Batch]]) -> Judgement:
    heads = labelled = roots = whole = words = sentences = 0
    definition = definition_for(pairs[0][0].format.name if pairs else "conllu")
    for gold, found in pairs:
        counted = counted_words(gold, definition.punctuation)
        same, same_labels = right_words(gold, found, definition.subtypes)
        first = gold.sentence_word[:-1]
        heads += int((same & counted).sum())
        labelled += int((same_labels & counted).sum())
        roots += int(np.logical_and.reduceat((gold.heads == 0) == (found.heads == 0), first).sum())
        whole += int(np.logical_and.reduceat(same | ~counted, first).sum())
        words += int(counted.sum())
        sentences += len(gold)
    counts = {"LAS": (labelled, words), "UAS": (heads, words), "RA": (roots, sentences), "CM": (whole, sentences)}
    return Judgement(definition.name, {name: 100 * right / max(1, all_) for name, (right, all_) in counts.items()})
