"""Sessions of annotation: how many words an annotator has to correct, with each way to learn from the corrections.

    python benchmarks/annotation.py [TREEBANK ...] [--begin 50,450] [--new ud-english-gum]

A parser of the first sentences of a training part parses 400 others, one after the other; each is corrected before the
next is parsed. Prints the words whose head or label had to be corrected: with a parser that stays as it is, with
`update` alone, and with `headway.Annotation`, in which each training in the background is waited for; and LAS on the
development part before any `update` and after 300. With `--new`, the parser begins with the whole treebank, and the
sentences are those of another one. Gold tags. Needs $HEADWAY_TREEBANKS.
"""

import argparse
import logging
import os
import time
from pathlib import Path

from learning_on import las

import headway

TREEBANKS = ("ud-hungarian-szeged", "ud-italian-partut", "ud-latvian-lvtb")
AFTER, SENTENCES, MANY = 500, 400, 300


def wrong_words(parser, gold):
    found = parser.parse(gold)
    pairs = zip(found.heads.tolist(), found.deprels, gold.heads.tolist(), gold.deprels, strict=True)
    return sum((head, label) != (right, name) for head, label, right, name in pairs)


def errors(parser, sentences, dev):
    """The words to correct where the parser stays as it is, and where each correction is an `update`; LAS."""
    fixed = sum(wrong_words(parser, gold) for gold in sentences)
    learning, updated = headway.Parser(parser.stages), 0
    for number, gold in enumerate(sentences):
        if number == MANY:
            later = las(learning, dev)
        updated += wrong_words(learning, gold)
        learning.update(gold)
    return fixed, updated, later


def errors_of_session(parser, treebank, sentences, **options):
    found = 0
    with headway.Annotation(parser, treebank, **options) as session:
        for gold in sentences:
            found += wrong_words(session.wait(), gold)
            session.correct(gold)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    parser.add_argument("--begin", default="50,450", help="sentences that the parser begins with")
    parser.add_argument("--new", help="treebank whose sentences are corrected, with parsers of the whole treebanks")
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--weight", type=float, default=1.0)
    asked = parser.parse_args()
    logging.getLogger("headway").setLevel(logging.ERROR)
    root = Path(os.environ["HEADWAY_TREEBANKS"])
    for name in asked.treebanks:
        train = list(headway.read(root / name / "train.conllu.gz"))
        dev = list(headway.read(root / (asked.new or name) / "dev.conllu.gz"))
        for begin in [len(train)] if asked.new else map(int, asked.begin.split(",")):
            base, new = train[:begin], train[AFTER : AFTER + SENTENCES]
            if asked.new:
                other = list(headway.read(root / asked.new / "train.conllu.gz"))
                new = other[:: len(other) // SENTENCES][:SENTENCES]
            trained = headway.train(base)
            fixed, updated, later = errors(trained, new, dev)
            before = time.perf_counter()
            session = errors_of_session(trained, base, new, every=asked.every, weight=asked.weight)
            print(
                f"{name}, {begin} sentences{f', then {asked.new}' if asked.new else ''}: of {sum(map(len, new)):,}"
                f" words {fixed:,} to correct with a fixed parser, {updated:,} with update"
                f" ({100 * updated / fixed - 100:+.1f} %, LAS after {MANY} {las(trained, dev):.2f} → {later:.2f}),"
                f" {session:,} in a session ({100 * session / fixed - 100:+.1f} %),"
                f" {time.perf_counter() - before:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
