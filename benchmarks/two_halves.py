"""Learning a treebank in two pieces, for each family: what the second half adds to a model of the first.

    python benchmarks/two_halves.py [TREEBANK]

Trains with defaults on the first half of a treebank (UD Hungarian-Szeged where none is named), goes on with the second
half for one pass and for three, and trains on both halves at once. Prints LAS on the development part, and the
size of the first model with its state and without. Needs $HEADWAY_TREEBANKS.
"""

import os
import sys
import tempfile
from pathlib import Path

from corrections import FAMILIES, TREEBANKS
from learning_on import las

import headway


def mebibytes(parser):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.headway"
        parser.save(path)
        return path.stat().st_size / 2**20


def main():
    root = Path(os.environ["HEADWAY_TREEBANKS"]) / (sys.argv[1] if len(sys.argv) > 1 else TREEBANKS[0])
    train, dev = (list(headway.read(root / f"{part}.conllu.gz")) for part in ("train", "dev"))
    half = len(train) // 2
    for family in FAMILIES:
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
