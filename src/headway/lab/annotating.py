"""Active learning by simulation: the trees of a treebank are hidden, and a strategy chooses which to see next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError, known
from headway.data.formats.reading import read
from headway.data.sentence import Sentence
from headway.stages.parsing.parser import Parser
from headway.training.active_learning import ranked

STEPS = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 80, 100)
"""Per cent of all words that are annotated; the first of them by chance, whatever the strategy."""
GOAL = 0.95
"""The share of the LAS with all words that the words needed are counted for."""
STRATEGIES = ("select", "random", "longest")
"""`headway select`, chance, and the longest sentences first."""


def check_strategy(name: Any) -> None:
    """Refuse a strategy that is not there."""
    if name not in STRATEGIES:
        raise HeadwayError(f"unknown strategy annotate = {name!r}; {known(STRATEGIES)}")


def simulated(
    path: Path, strategy: str, seed: int, learned: Callable[[list[Sentence]], Parser]
) -> Iterator[tuple[int, Parser, int]]:
    """After each step the per cent of words, the parser learned from them anew, and how many they are."""
    treebank, chance = list(read(path)), np.random.default_rng(seed)
    total = sum(map(len, treebank))
    annotated, left = list[int](), list(range(len(treebank)))
    order: Iterable[int] = chance.permutation(len(treebank)).tolist()
    for step in STEPS:
        words, chosen = sum(len(treebank[at]) for at in annotated), set[int]()
        for place in order:
            if words >= total * step / 100:
                break
            chosen.add(left[place])
            words += len(treebank[left[place]])
        annotated, left = sorted([*annotated, *chosen]), [at for at in left if at not in chosen]
        seen = [treebank[at] for at in annotated]
        parser = learned(seen)
        yield step, parser, words
        order = _order(strategy, parser, [treebank[at] for at in left], seen, chance)


def _order(
    strategy: str,
    parser: Parser,
    left: Sequence[Sentence],
    annotated: Sequence[Sentence],
    chance: np.random.Generator,
) -> Iterable[int]:
    """The places of the sentences that are left, the best to annotate first."""
    if strategy == "select":
        bare = [sentence.replace(heads=None, deprels=None) for sentence in left]
        return (one.number - 1 for one in ranked(parser, bare, known=annotated))
    if strategy == "longest":
        return sorted(range(len(left)), key=lambda at: -len(left[at]))
    return chance.permutation(len(left)).tolist()  # type: ignore[no-any-return]


def words_needed(curve: Sequence[tuple[int, float]]) -> float:
    """The words at which a score first has its share of the last one, in a straight line between two steps."""
    goal = GOAL * curve[-1][1]
    for (before, low), (after, high) in pairwise(curve):
        if low < goal <= high:
            return before + (after - before) * (goal - low) / (high - low)
    return float(curve[0][0])
