"""Learning on, genre by genre: what a parser of one treebank gains on another one, and what it loses of the old.

    python benchmarks/learning_on.py

Trains on UD English-EWT, then goes on with UD English-GUM, one genre after the other, one pass each, without looking at
EWT again. Prints the LAS on the development parts of both after each genre. Needs $HEADWAY_TREEBANKS.
"""

import os
from pathlib import Path

import numpy as np

import headway


def las(parser, dev):
    pairs = zip(dev, parser.parse(dev), strict=True)
    right = [(a.head, a.deprel) == (b.head, b.deprel) for gold, one in pairs for a, b in zip(gold, one, strict=True)]
    return 100 * float(np.mean(right))


def genre_of(sentence):
    """GUM names its sentences GUM_GENRE_DOCUMENT-NUMBER."""
    return sentence.sent_id.split("_")[1]


def main():
    root = Path(os.environ["HEADWAY_TREEBANKS"])
    old, new = root / "ud-english-ewt", root / "ud-english-gum"
    old_dev, new_dev = (list(headway.read(folder / "dev.conllu.gz")) for folder in (old, new))
    parser = headway.train(old / "train.conllu.gz", updatable=True)
    print(f"{'EWT':12} {'':10} EWT {las(parser, old_dev):.2f}  GUM {las(parser, new_dev):.2f}", flush=True)
    genres = {}
    for sentence in headway.read(new / "train.conllu.gz"):
        genres.setdefault(genre_of(sentence), []).append(sentence)
    for name, sentences in genres.items():
        parser = headway.continue_training(parser, sentences)
        words = sum(map(len, sentences))
        print(
            f"+ {name:10} {words:6,} words EWT {las(parser, old_dev):.2f}  GUM {las(parser, new_dev):.2f}", flush=True
        )


if __name__ == "__main__":
    main()
