"""Decoders that see what a head has already, beside Eisner's on the logits of pairs alone, by length of sentence.

    python benchmarks/cky.py [--sentences 5] [--runs 3] [--share 0.1] [--strength 1]

Sentences are made up: a random tree of mostly short links stands out of noise, about as much as a trained model lets it
stand out, five numbers of children and thirteen tags have logits of their own, and a share of the words show their
first child. Times are processor time of calls from Python, the least of some runs for each sentence.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from common import table

from headway.parsers.boosted.decoder import LEFT, NONE, RIGHT, Logits, decode
from headway.parsers.graph.decoders import eisner

LENGTHS = (10, 20, 30, 40, 60, 80, 100)
COUNTS, TAGS = 5, 13


class Case(NamedTuple):
    """One sentence: its logits, the scores of its links without states, the tree that stands out."""

    logits: Logits
    scores: np.ndarray
    gold: np.ndarray


def made_up(rng: np.random.Generator, n: int, share: float, strength: float) -> Case:
    """A sentence of n words."""
    nodes = np.arange(n + 1)
    distance = abs(nodes[:, None] - nodes)
    gold = eisner.decode(rng.standard_normal((n + 1, n + 1)) - 0.3 * distance, single_root=True)
    static = 1.5 * rng.standard_normal((n + 1, n + 1, 3))
    static[..., NONE] += 2 + np.log(np.maximum(distance, 1))
    for child, head in enumerate(gold.tolist(), 1):
        pair = static[min(head, child), max(head, child)]
        pair[RIGHT if head < child else LEFT] += 4
        pair[NONE] -= 2
    tags = rng.integers(1, TAGS + 1, n)
    tag = np.concatenate([[0], tags])
    rows = 2 * (tag[:, None] * (TAGS + 1) + tag) + (nodes[:, None] < nodes)
    size = 2 * (TAGS + 1) ** 2
    shows = (rng.random(n + 1) < share) & (nodes > 0)
    logits = Logits(
        offsets=np.array([0, n], np.int32),
        static=static.reshape(-1, 3),
        rows=rows.ravel().astype(np.int32),
        tags=tags.astype(np.int32),
        states=strength * rng.standard_normal((size, COUNTS, TAGS + 1, 3)),
        first_rows=np.where(shows, rows, -1).ravel().astype(np.int32),
        values=tags.astype(np.int32),
        first=strength * rng.standard_normal((size, TAGS + 1, 3)),
    )
    normal = static - np.log(np.exp(static).sum(axis=2, keepdims=True))
    scores = np.where(nodes[:, None] < nodes, normal[..., RIGHT], normal[..., LEFT].T)
    return Case(logits, scores, gold)


def fastest(call: Callable[[Case], object], cases: Sequence[Case], runs: int) -> float:
    """Mean seconds of a call: the least for each case."""
    total = 0.0
    for case in cases:
        seconds = []
        for _ in range(runs):
            start = time.thread_time()
            call(case)
            seconds.append(time.thread_time() - start)
        total += min(seconds)
    return total / len(cases)


def by_length(count: int, runs: int, share: float, strength: float) -> None:
    decoders: dict[str, Callable[[Case], object]] = {
        "eisner, no states": lambda case: eisner.decode(case.scores),
        "split-head, no states": lambda case: decode(Logits(case.logits.offsets, case.logits.static)),
        "split-head": lambda case: decode(case.logits),
        "cky": lambda case: decode(case.logits, form="cky"),
    }
    cases = {
        n: [made_up(np.random.default_rng([n, number]), n, share, strength) for number in range(count)] for n in LENGTHS
    }
    rows = []
    for name, call in decoders.items():
        seconds = [fastest(call, cases[n], runs) for n in LENGTHS]
        exponent = np.polyfit(np.log(LENGTHS[2:]), np.log(seconds[2:]), 1)[0]
        rows.append((name, *(f"{second * 1e3:.2f}" for second in seconds), f"{exponent:.2f}"))
    table(("ms for words:", *map(str, LENGTHS), "exponent"), rows)
    same, gave_way, right = 0, 0, []
    for some in cases.values():
        for case in some:
            first, second = decode(case.logits), decode(case.logits, form="cky")
            same += bool(np.isclose(first.totals[0], second.totals[0]))
            gave_way += second.gave_way
            right.append((first.heads == case.gold).mean())
    print(f"\nequal scores: {same} of {len(right)}, in {gave_way} of them cky gave way to split-head")
    print(f"heads of the tree that stands out: {100 * np.mean(right):.1f} %")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sentences", type=int, default=5)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--share", type=float, default=0.1, help="share of the words that show their first child")
    options.add_argument("--strength", type=float, default=1.0, help="deviation of the logits of states")
    chosen = options.parse_args()
    for share in sorted({0.0, chosen.share}):
        print(f"\n{100 * share:.0f} % of the words show their first child; exponent from {LENGTHS[2]} words on:\n")
        by_length(chosen.sentences, chosen.runs, share, chosen.strength)


if __name__ == "__main__":
    main()
