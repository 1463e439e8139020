"""Active learning by simulation: how many words must be annotated until a parser is nearly as good as with all?

    python benchmarks/active_learning.py TREEBANK [TREEBANK…]

A TREEBANK is a folder of $HEADWAY_TREEBANKS with train and dev files. The trees of its training part are hidden; a few
sentences are annotated at the beginning, and then always those that a strategy chooses: `headway select`, chance, or
the longest first. After each step a parser is trained anew and scored on dev. Printed are the learning curves, and the
words that each strategy needs for 95 % of the LAS of the whole treebank.
"""

import os
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

import headway
from headway.selection import select

HOW = {"passes": 4, "features": "zhang-nivre"}
STEPS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
"""Shares of all words that are annotated."""
GOAL = 0.95


def las(parser, dev):
    pairs = zip(dev, parser.parse(dev), strict=True)
    right = [(a.head, a.deprel) == (b.head, b.deprel) for gold, one in pairs for a, b in zip(gold, one, strict=True)]
    return 100 * float(np.mean(right))


def by_chance(parser, pool, chance):
    return chance.permutation(len(pool)).tolist()


def longest_first(parser, pool, chance):
    return sorted(range(len(pool)), key=lambda at: -len(pool[at]))


def selected(parser, pool, chance):
    # So many that they surely reach the next step.
    bare = [sentence.replace(heads=None, deprels=None) for sentence in pool]
    return [one.number - 1 for one in select(parser, bare, len(bare) // 3 + 1)]


STRATEGIES = {"select": selected, "random": by_chance, "longest": longest_first}


def curve(train, dev, strategy, seed=1):
    """Pairs of annotated words and LAS."""
    chance = np.random.default_rng(seed)
    total, order = sum(map(len, train)), chance.permutation(len(train)).tolist()
    known, points, parser = [], [], None
    pool = list(range(len(train)))
    for share in STEPS:
        wanted = share * total
        ranked = (
            order
            if parser is None
            else [pool[at] for at in STRATEGIES[strategy](parser, [train[p] for p in pool], chance)]
        )
        for at in ranked:
            if sum(len(train[k]) for k in known) >= wanted:
                break
            known.append(at)
        pool = [at for at in range(len(train)) if at not in set(known)]
        parser = headway.train([train[at] for at in sorted(known)], **HOW)
        points.append((sum(len(train[at]) for at in known), las(parser, dev)))
        print(f"  {strategy:8} {points[-1][0]:7,} words  LAS {points[-1][1]:.2f}", flush=True)
    return points


def needed(points, goal):
    """Words until the curve first reaches a LAS, between its points in a straight line; None where it never does."""
    for (before, low), (after, high) in pairwise(points):
        if low < goal <= high:
            return before + (after - before) * (goal - low) / (high - low)
    return None


def main(names):
    root = Path(os.environ["HEADWAY_TREEBANKS"])
    for name in names:
        train, dev = (list(headway.read(next((root / name).glob(f"*{part}*")))) for part in ("train", "dev"))
        full = las(headway.train(train, **HOW), dev)
        print(f"{name}: LAS {full:.2f} with all {sum(map(len, train)):,} words, goal {GOAL * full:.2f}")
        words = {strategy: needed(curve(train, dev, strategy), GOAL * full) for strategy in STRATEGIES}
        for strategy, count in words.items():
            print(f"  {strategy:8} needs {'more than are simulated' if count is None else f'{count:,.0f} words'}")
        others = [words[name] for name in ("random", "longest") if words[name]]
        if words["select"] and others:
            print(f"  select needs {100 * words['select'] / min(others):.0f} % of the better of the two others")


if __name__ == "__main__":
    main(sys.argv[1:])
