"""How long it takes to explain a sentence: the explanation, its text with groups, and with all single features.

    python benchmarks/explanations.py [TREEBANK]

Trains each family with defaults (on UD Hungarian-Szeged where no treebank is named) and explains sentences of 15 to 25
words of the development part. Prints the median of the processor's milliseconds. Needs $HEADWAY_TREEBANKS.
"""

import os
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from corrections import FAMILIES, LENGTHS, TREEBANKS

import headway

MOST = 50


def milliseconds(function, *arguments):
    before = time.process_time()
    result = function(*arguments)
    return 1000 * (time.process_time() - before), result


def main():
    root = Path(os.environ["HEADWAY_TREEBANKS"]) / (sys.argv[1] if len(sys.argv) > 1 else TREEBANKS[0])
    dev = [sentence for sentence in headway.read(root / "dev.conllu.gz") if len(sentence) in LENGTHS][:MOST]
    for family in FAMILIES.split(","):
        parser = headway.train(root / "train.conllu.gz", parser=family)
        parser.explain(dev[0])
        rows = []
        for sentence in dev:
            own, explanation = milliseconds(parser.explain, sentence)
            groups, _ = milliseconds(explanation.text)
            everything, _ = milliseconds(partial(explanation.text, None, features=True))
            rows.append((own, groups, everything))
        own, groups, everything = np.median(rows, axis=0)
        print(f"{family}: explanation {own:.1f} ms, its text {groups:.1f} ms, with single features {everything:.1f} ms")


if __name__ == "__main__":
    main()
