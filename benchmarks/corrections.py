"""Learning from single corrections: how many are parsed right then, how long it takes, and what it does to the rest.

    python benchmarks/corrections.py [TREEBANK ...] [--families transition,graph,boosted] [--stages tags,lemmas,all]

For each treebank (UD Hungarian-Szeged and Italian-ParTUT where none is named) and each family: trains with defaults,
corrects up to 100 wrongly parsed sentences of 15 to 25 words of one half of the development part, one after the other,
and scores the other half before and after. Times are those of the processor, for each sentence the least of three
runs. With `--stages`, a pipeline is corrected instead, in some columns or in all: each stage learns with those before
it predicting, and is right if all that was corrected is. Needs $HEADWAY_TREEBANKS.
"""

import argparse
import os
import pickle
import time
from collections import Counter
from pathlib import Path

import numpy as np
from learning_on import las

import headway
from headway.data.formats.writing import running_text
from headway.text.segmenter.options import SegmenterOptions

TREEBANKS = ("ud-hungarian-szeged", "ud-italian-partut")
FAMILIES = "transition,graph,boosted"
LENGTHS = range(15, 26)
MOST = 100
RUNS = 3
COLUMNS = {"tags": ("upos", "xpos", "feats"), "lemmas": ("lemmas",), "tree": ("heads", "deprels")}
COLUMNS["all"] = tuple(name for names in COLUMNS.values() for name in names)
TEXT = 3
"""Sentences of a text whose cuts are corrected."""


def is_right(parser, gold, what="tree"):
    found = parser.parse(gold)
    return all(list(getattr(found, name)) == list(getattr(gold, name)) for name in COLUMNS[what])


def texts(dev):
    """Sentences that follow each other, as documents."""
    parts = [dev[first : first + TEXT] for first in range(0, len(dev), TEXT)]
    return [headway.Document(part, "".join(running_text(part)).strip()) for part in parts]


def words(sentences):
    """The words of sentences, and the tokens that they are in."""
    return [(one.forms, [form for form, _ in one.surface()]) for one in sentences]


def f1(parser, golds):
    """F1 of words and of sentences, by where they stand in the text."""
    found, shares = [parser(gold.text) for gold in golds], []
    for spans in (
        lambda text: Counter((token.start, token.end, token.form) for one in text for token in one),
        lambda text: Counter((one.start, one.end) for one in text),
    ):
        pairs = [(spans(one), spans(gold)) for one, gold in zip(found, golds, strict=True)]
        right = sum((one & gold).total() for one, gold in pairs)
        shares.append(f"{200 * right / sum((one + gold).total() for one, gold in pairs):.2f}")
    return " ".join(shares)


def correct_cuts(treebank, trained, dev):
    """Correct where a segmenter cuts."""
    golds = texts(dev)
    before, times = f1(trained, golds[1::2]), []
    for _ in range(RUNS):
        parser, learned, right, seconds = pickle.loads(pickle.dumps(trained)), [], [], []
        for gold in golds[::2]:
            if words(parser(gold.text)) == words(gold):
                continue
            start = time.process_time()
            parser.update(gold, corrected="cuts")
            seconds.append(time.process_time() - start)
            learned.append(gold)
            right.append(words(parser(gold.text)) == words(gold))
            if len(learned) == MOST:
                break
        times.append(seconds)
    still = np.mean([words(parser(gold.text)) == words(gold) for gold in learned])
    _, *others = 1000 * np.min(times, axis=0)
    print(
        f"{treebank} cuts: {len(learned)} texts, right at once {100 * np.mean(right):.1f} %, after all"
        f" {100 * still:.1f} %, median {np.median(others):.1f} ms, 99 % within {np.quantile(others, 0.99):.1f} ms,"
        f" words and sentences of the other half {before} → {f1(parser, golds[1::2])}",
        flush=True,
    )


def scores(parser, golds):
    """UPOS, FEATS, lemmas and LAS, of all words."""
    found = [parser.parse(gold) for gold in golds]
    shares = []
    for names in (("upos",), ("feats",), ("lemmas",), ("heads", "deprels")):
        same = [
            cells
            for one, gold in zip(found, golds, strict=True)
            for cells in np.all([np.equal(list(getattr(one, n)), list(getattr(gold, n))) for n in names], axis=0)
        ]
        shares.append(f"{100 * np.mean(same):.2f}")
    return " ".join(shares)


def correct_stages(treebank, train, dev, stages):
    """Correct a pipeline, in each of some ways."""
    if "cuts" in stages:
        correct_cuts(treebank, headway.train(train, SegmenterOptions()), dev)
        stages = [what for what in stages if what != "cuts"]
    if not stages:
        return
    trained = headway.train(train, pipeline=True)
    before = scores(trained, dev[1::2])
    for what in stages:
        times = []
        for _ in range(RUNS):
            parser = pickle.loads(pickle.dumps(trained))
            learned, right, seconds = corrected(parser, dev, what)
            times.append(seconds)
        still = np.mean([is_right(parser, gold, what) for gold in learned])
        _, *others = 1000 * np.min(times, axis=0)
        print(
            f"{treebank} {what}: {len(learned)} sentences, right at once {100 * np.mean(right):.1f} %, after all"
            f" {100 * still:.1f} %, median {np.median(others):.1f} ms, 99 % within {np.quantile(others, 0.99):.1f} ms,"
            f" UPOS, FEATS, lemmas and LAS of the other half {before} → {scores(parser, dev[1::2])}",
            flush=True,
        )


def corrected(parser, dev, what="tree"):
    """Sentences of the first half that were parsed wrongly, whether each was right at once, and seconds for each.

    The parser learns, always in the same way.
    """
    learned, right, seconds = [], [], []
    for gold in dev[::2]:
        if len(gold) not in LENGTHS or is_right(parser, gold, what):
            continue
        before = time.process_time()
        parser.update(gold, corrected=None if what == "all" else what)
        seconds.append(time.process_time() - before)
        learned.append(gold)
        right.append(is_right(parser, gold, what))
        if len(learned) == MOST:
            break
    return learned, right, seconds


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", default=TREEBANKS)
    options.add_argument("--families", default=FAMILIES)
    options.add_argument("--stages", default="", help="correct a pipeline: some of " + ", ".join(("cuts", *COLUMNS)))
    chosen = options.parse_args()
    root = Path(os.environ["HEADWAY_TREEBANKS"])
    for treebank in chosen.names:
        dev = list(headway.read(root / treebank / "dev.conllu.gz"))
        if chosen.stages:
            correct_stages(treebank, root / treebank / "train.conllu.gz", dev, chosen.stages.split(","))
            continue
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
