"""Whether confidences come true on other text than they were learned from. Test parts are not read.

    HEADWAY_TREEBANKS=… python benchmarks/shifted_confidence.py [TREEBANK ...] [--parser transition] [--halves]

A parser learns from the first 60 % of the training part, is calibrated on the next 15 % (dev), by cross-validation, or
by both, and looks at the last 25 %. With --halves a parser learns from the whole training part, is calibrated on one
half of the development part, and looks at the other. ECE is that of heads, less what chance makes of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
from common import table, treebank, treebanks

import headway
from headway.evaluation.metrics.confidence import ConfidenceScores, scores_of_confidence

TREEBANKS = ("ud-latvian-lvtb", "ud-czech-cltt", "ud-hungarian-szeged", "ud-italian-partut", "ud-swedish-talbanken")
LEARNED, CALIBRATED = 0.6, 0.75


def scores(parser: headway.Parser, gold: Sequence[headway.Sentence]) -> ConfidenceScores:
    """Of heads."""
    found = list(parser.parse(gold, confidence=True))
    chances = np.array([word.arc for sentence in found for word in sentence.confidence.words])
    right = np.concatenate([one.heads == other.heads for one, other in zip(gold, found, strict=True)])
    return scores_of_confidence("ArcConf", chances, right)


def stretches(train: Sequence[headway.Sentence], family: str) -> Iterator[tuple[str, ConfidenceScores]]:
    """Ways to calibrate, and what they come to on the last stretch of a treebank."""
    first, last = (int(len(train) * share) for share in (LEARNED, CALIBRATED))
    dev = train[first:last]
    for name, how in (
        ("dev", {"dev": dev}),
        ("cross-validation", {"calibrate": "cross-validation"}),
        ("both", {"dev": dev, "calibrate": "cross-validation"}),
    ):
        yield name, scores(headway.train(train[:first], parser=family, **how), train[last:])


def halves(
    train: Sequence[headway.Sentence], dev: Sequence[headway.Sentence], family: str
) -> Iterator[tuple[str, ConfidenceScores]]:
    """One half of dev by the other."""
    parser = headway.train(train, dev=dev, parser=family, calibrate="none")
    one, other = dev[: len(dev) // 2], dev[len(dev) // 2 :]
    yield "second half by the first", scores(headway.calibrate(parser, one), other)
    yield "first half by the second", scores(headway.calibrate(parser, other), one)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", default=TREEBANKS)
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--parser", default="transition")
    options.add_argument("--halves", action="store_true")
    chosen = options.parse_args()
    folder, rows = treebanks(chosen.treebanks), []
    for name in chosen.names:
        train, dev = (list(headway.read(treebank(name, part, folder))) for part in ("train", "dev"))
        found = halves(train, dev, chosen.parser) if chosen.halves else stretches(train, chosen.parser)
        for way, one in found:
            shown = f"{100 * one.confidence:.2f}", f"{100 * one.right:.2f}", f"{one.error - one.chance:.4f}"
            rows.append((name, way, *shown, f"{one.auc:.4f}"))
    table(("treebank", "calibrated on", "mean confidence", "right", "ECE − chance", "AUC"), rows)


if __name__ == "__main__":
    main()
