"""What confidences cost: each family on one treebank, gold tags, calibrated on dev.

    HEADWAY_TREEBANKS=… python benchmarks/confidence.py [--families transition,graph] [--treebank ud-hungarian-szeged]

Speed is that of the test part, from bytes to bytes, with and without --confidence, taking turns, the best of each. How
good confidences are is measured by the recipe `confidence`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from common import table, treebank, treebanks

import headway


def seconds(parser: headway.Parser, path: Path, confidence: bool) -> float:
    """For one file, from bytes to bytes."""
    started = time.process_time()
    for _ in parser.parse_bytes(path, confidence=confidence):
        pass
    return time.process_time() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--families", default="transition,graph,boosted")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    folder, costs = treebanks(chosen.treebanks), []
    train, dev, test = (treebank(chosen.treebank, part, folder) for part in ("train", "dev", "test"))
    for family in chosen.families.split(","):
        parser = headway.train(train, dev=dev, parser=family)
        times = [[seconds(parser, test, sure) for sure in (False, True)] for _ in range(chosen.runs)]
        plain, sure = map(min, zip(*times, strict=True))
        costs.append((family, chosen.treebank, f"{plain:.2f}", f"{sure:.2f}", f"{100 * (sure / plain - 1):.1f} %"))
    table(("parser", "treebank", "CPU s", "with --confidence", "more"), costs)


if __name__ == "__main__":
    main()
