"""Sizes of models: file, scores on dev, words per second and time of training for each size.

    python benchmarks/sizes.py [TREEBANK ...] [--sizes full,default,small] [--only STAGE] [--seeds 3]

Trains pipelines with dev, or one family alone, which gets gold tags; dev also gives the scores, of text for pipelines.
Needs $HEADWAY_TREEBANKS.
"""

import argparse
import logging
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from common import table, treebank, treebanks

import headway

LOGGER = logging.getLogger("headway")
SCORES = ("Words", "Sentences", "UPOS", "UFeats", "Lemmas", "LAS")
RUNS = 3


def measured(path, dev, family, **how):
    """MiB of the file, scores, words per second of one thread (the best of some runs), and CPU seconds of training."""
    begun = time.process_time()
    parser = headway.train(treebank(path.name, "train", path.parent), dev=dev, workers=1, **how)
    seconds = time.process_time() - begun
    gold = list(headway.read(dev))
    with TemporaryDirectory() as folder:
        source = gold if family else Path(folder) / "dev.txt"
        if isinstance(source, Path):
            source.write_text("".join(f"{sentence.text}\n" for sentence in gold), "utf-8")
        model = Path(folder) / "model.headway"
        parser.save(model)
        parser, size = headway.load(model), model.stat().st_size / 2**20
        quickest = float("inf")
        for _ in range(RUNS):
            begun = time.process_time()
            found = list(parser.parse(source))
            quickest = min(quickest, time.process_time() - begun)
    scores = headway.evaluate(gold, found)
    return size, {name: float(scores[name]) for name in SCORES if name in scores}, len(found), quickest, seconds


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("treebanks", nargs="*", default=["ud-latvian-lvtb"])
    options.add_argument("--sizes", default="full,default,small")
    options.add_argument("--only", help="a family of parsers or stages to train alone")
    options.add_argument("--seeds", type=int, default=1)
    asked = options.parse_args()
    LOGGER.setLevel(logging.ERROR)
    how, rows = {"parser": asked.only} if asked.only else {"pipeline": True}, []
    for name in asked.treebanks:
        folder = treebanks() / name
        dev = treebank(name, "dev", treebanks())
        for size in asked.sizes.split(","):
            for seed in range(1, asked.seeds + 1):
                mib, scores, sentences, quickest, seconds = measured(
                    folder, dev, asked.only, size=size, seed=seed, **how
                )
                told = ", ".join(f"{score} {value:.2f}" for score, value in scores.items())
                rows.append((name, size, seed, f"{mib:.1f}", told, f"{sentences / quickest:,.0f}", f"{seconds:.0f}"))
    table(("treebank", "size", "seed", "MiB", "dev", "sentences/s", "CPU s of training"), rows)


if __name__ == "__main__":
    main()
