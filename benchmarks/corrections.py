"""Learning from single corrections: how many are parsed right then, how long it takes, and what it does to the rest.

    python benchmarks/corrections.py [TREEBANK ...] [--families transition,graph,boosted]

For each treebank (UD Hungarian-Szeged and Italian-ParTUT where none is named) and each family: trains with defaults,
corrects up to 100 wrongly parsed sentences of 15 to 25 words of one half of the development part, one after the other,
and scores the other half before and after. Times are those of the processor, for each sentence the least of three
runs. Needs $HEADWAY_TREEBANKS.
"""

import argparse
import os
import pickle
import time
from pathlib import Path

import numpy as np
from learning_on import las

import headway

TREEBANKS = ("ud-hungarian-szeged", "ud-italian-partut")
FAMILIES = "transition,graph,boosted"
LENGTHS = range(15, 26)
MOST = 100
RUNS = 3


def is_right(parser, gold):
    found = parser.parse(gold)
    return found.heads.tolist() == gold.heads.tolist() and found.deprels == gold.deprels


def corrected(parser, dev):
    """Sentences of the first half that were parsed wrongly, whether each was right at once, and seconds for each.

    The parser learns, always in the same way.
    """
    learned, right, seconds = [], [], []
    for gold in dev[::2]:
        if len(gold) not in LENGTHS or is_right(parser, gold):
            continue
        before = time.process_time()
        parser.update(gold)
        seconds.append(time.process_time() - before)
        learned.append(gold)
        right.append(is_right(parser, gold))
        if len(learned) == MOST:
            break
    return learned, right, seconds


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", default=TREEBANKS)
    options.add_argument("--families", default=FAMILIES)
    chosen = options.parse_args()
    root = Path(os.environ["HEADWAY_TREEBANKS"])
    for treebank in chosen.names:
        dev = list(headway.read(root / treebank / "dev.conllu.gz"))
        for family in chosen.families.split(","):
            trained = headway.train(root / treebank / "train.conllu.gz", parser=family)
            before, times = las(trained, dev[1::2]), []
            for _ in range(RUNS):
                parser = pickle.loads(pickle.dumps(trained))
                learned, right, seconds = corrected(parser, dev)
                times.append(seconds)
            still = np.mean([is_right(parser, gold) for gold in learned])
            first, *others = 1000 * np.min(times, axis=0)
            print(
                f"{treebank} {family}: {len(learned)} sentences, right at once {100 * np.mean(right):.1f} %,"
                f" after all {100 * still:.1f} %, median {np.median(others):.1f} ms, 99 % within"
                f" {np.quantile(others, 0.99):.1f} ms, the first, which copies, {first:.1f} ms,"
                f" LAS of the other half {before:.2f} → {las(parser, dev[1::2]):.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
