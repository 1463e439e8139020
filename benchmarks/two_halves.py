"""Learning a treebank in two pieces, for each family: what the second half adds to a model of the first.

    python benchmarks/two_halves.py [TREEBANK]

Trains with defaults on the first half of a treebank (UD Hungarian-Szeged where none is named), goes on with the second
half for one pass and for three, and trains on both halves at once. Prints LAS on the development part, and the
size of the first model with its state and without. Of the stages before a parser, which keep no state: F1 of words and
of sentences, accuracy of UPOS and of FEATS, and of lemmas with gold tags. Needs $HEADWAY_TREEBANKS.
"""

import os
import sys
import tempfile
from pathlib import Path

from corrections import FAMILIES, TREEBANKS, f1, scores, texts
from learning_on import las

import headway
from headway.training.families import family_of

STAGES = {
    "segmenter": lambda parser, dev: f1(parser, texts(dev)),
    "tagger": lambda parser, dev: " ".join(scores(parser, dev).split()[:2]),
    "lemmatizer": lambda parser, dev: scores(parser, dev).split()[2],
}
"""What is measured of the stages before a parser."""


def mebibytes(parser):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.headway"
        parser.save(path)
        return path.stat().st_size / 2**20


def main():
    root = Path(os.environ["HEADWAY_TREEBANKS"]) / (sys.argv[1] if len(sys.argv) > 1 else TREEBANKS[0])
    train, dev = (list(headway.read(root / f"{part}.conllu.gz")) for part in ("train", "dev"))
    half = len(train) // 2
    for name, measured in STAGES.items():
        options = family_of(name)()
        begun = headway.train(train[:half], options)
        more = {passes: headway.continue_training(begun, train[half:], passes=passes) for passes in (1, 3)}
        print(
            f"{name}: first half {measured(begun, dev)}, after a pass over the second {measured(more[1], dev)},"
            f" after three {measured(more[3], dev)}, both at once {measured(headway.train(train, options), dev)}",
            flush=True,
        )
    for family in FAMILIES.split(","):
        keeps = {} if family == "boosted" else {"updatable": True}
        begun = headway.train(train[:half], parser=family, **keeps)
        whole = headway.train(train, parser=family, **keeps)
        more = {passes: headway.continue_training(begun, train[half:], passes=passes) for passes in (1, 3)}
        plain = headway.train(train, parser=family) if keeps else whole
        print(
            f"{family}: first half {las(begun, dev):.2f}, after a pass over the second {las(more[1], dev):.2f},"
            f" after three {las(more[3], dev):.2f}, both at once {las(whole, dev):.2f};"
            f" {mebibytes(plain):.1f} MiB, with its state {mebibytes(whole):.1f} MiB",
            flush=True,
        )


if __name__ == "__main__":
    main()
