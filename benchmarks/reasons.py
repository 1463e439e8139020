"""Errors of a parser for readers: each with its explanation by groups and by single features, and with its cause.

    python benchmarks/reasons.py FOLDER [TREEBANK] [--parser graph]

Trains a parser with defaults (on UD Hungarian-Szeged where no treebank is named) and takes 20 of its errors in the
development part whose cause the training part shows, evenly spread. Writes into FOLDER `single.txt`, the errors with
their five strongest single features; `groups.txt`, the same errors as `headway explain` tells them; and `causes.txt`,
which readers do not get: for each error what the training part has, in the order of its weight. Ask a reader of one of
the first two what to check in the treebank for each error, and count how often the answer is the first cause.

Causes come from counts of the training part alone, not from the parser. A cause is what speaks most for the wrong
choice: the logarithm of how much more often training has the wrong one than the right one, of all arcs or labels with

- word: the form of the word, and the tag of the head (of labels: the form of the word);
- tags: the tags of word and head, and the direction;
- distance: the tag of the word, the direction and how far away the head is (of labels: and the label);
- morphology: the morphological features of the word, and the tag of the head.

Where none speaks for it at least three times to one, and training does not have the word at all, that is the cause.
Needs $HEADWAY_TREEBANKS.
"""

import argparse
import math
import os
from collections import Counter
from pathlib import Path

from corrections import TREEBANKS

import headway
from headway.features.naming import length
from headway.stages.explanation.grouping import is_hardly_known

ERRORS = 20
LENGTHS = range(6, 21)
CLEAR = math.log(3)
FEWEST = 10
"""A cause that has been seen less often than this is none."""
KINDS = "word", "tags", "distance", "morphology"


def seen_of(sentence, word, head, label):
    """What the counts know an arc by, kind by kind; with a label where there is one."""
    tag, above = sentence.upos[word - 1], sentence.upos[head - 1] if head else "root"
    side = head > word
    of_label = () if label is None else (label,)
    return {
        "word": (sentence.forms[word - 1], *(of_label or (above, side))),
        "tags": (tag, above, side, *of_label),
        "distance": (tag, side, length(word, head), *of_label),
        "morphology": (sentence.feats[word - 1], above, *(of_label or (side,))),
    }


def counted(train):
    """How often the training part has what arcs are known by, without and with labels; and its words."""
    counts, forms = Counter(), Counter()
    for sentence in train:
        for word, (head, label) in enumerate(zip(sentence.heads.tolist(), sentence.deprels, strict=True), 1):
            forms[sentence.forms[word - 1]] += 1
            for given in (None, label):
                counts.update(seen_of(sentence, word, head, given).items())
    return counts, forms


def causes(counts, forms, sentence, word, wrong, right):
    """The kinds of causes that speak for a wrong arc or label (head and label), the weightiest first, with counts."""
    mine, other = seen_of(sentence, word, *wrong), seen_of(sentence, word, *right)
    found = []
    for kind in KINDS:
        often, seldom = counts[kind, mine[kind]], counts[kind, other[kind]]
        weight = math.log((often + 1) / (seldom + 1))
        if often >= FEWEST and weight >= CLEAR:
            found.append((weight, f"{kind}: training has the wrong one {often} times, the right one {seldom} times"))
    found.sort(reverse=True)
    told = [text for _, text in found]
    if not forms[sentence.forms[word - 1]]:
        told.append("unseen: training does not have the word")
    return told


def errors_of(parser, dev, counts, forms):
    """The errors whose cause is known: the sentence, the decision, its causes."""
    stage = parser.stages[-1]
    for gold in dev:
        batch = gold.batch.alone(gold.index)
        found = parser.parse(gold)
        for decision in stage.wrong_decisions(batch):
            at = decision.word - 1
            head, label = int(gold.heads[at]), gold.deprels[at]
            is_label = decision.kind == "label"
            right = (head, label if is_label else None)
            wrong = (int(found.heads[at]), found.deprels[at] if is_label else None)
            if wrong == right:
                continue
            if known := causes(counts, forms, gold, decision.word, wrong, right):
                yield gold, decision, known


def single(decision):
    """The explanation feature by feature, as it was before there were groups."""
    reasons, beside = decision.reasons(), f"{decision.margin:+.3f} over {decision.over} ({decision.rival_score:.3f})"
    rest = sum(reason.difference for reason in reasons[5:])
    lines = [f"{decision.what}: score {decision.score:.3f}, {beside}", *(f"  {one}" for one in reasons[:5])]
    return "\n".join([*lines, f"  {rest:+8.3f}  {len(reasons[5:])} other features"])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("treebank", nargs="?", default=TREEBANKS[0])
    options.add_argument("--parser", default="graph", choices=("graph", "boosted"))
    chosen = options.parse_args()
    root = Path(os.environ["HEADWAY_TREEBANKS"]) / chosen.treebank
    train = list(headway.read(root / "train.conllu.gz"))
    dev = [sentence for sentence in headway.read(root / "dev.conllu.gz") if len(sentence) in LENGTHS]
    parser = headway.train(root / "train.conllu.gz", parser=chosen.parser)
    found = list(errors_of(parser, dev, *counted(train)))
    some = [found[number * len(found) // ERRORS] for number in range(min(ERRORS, len(found)))]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    shown = {"single.txt": [], "groups.txt": [], "causes.txt": []}
    for number, (gold, decision, known) in enumerate(some, 1):
        heading = f"{number}. {gold.text}\nThe parser's choice: {decision.what}\nRight: {decision.over}\n"
        shown["single.txt"].append(f"{heading}\n{single(decision)}\n")
        form = gold.forms[decision.word - 1]
        new = f"new to the model, or nearly: *{form}*\n" if is_hardly_known(decision, form) else ""
        shown["groups.txt"].append(f"{heading}\n{new}{decision.text()}\n")
        shown["causes.txt"].append(f"{number}. {decision.what} instead of {decision.over}\n  " + "\n  ".join(known))
    for name, parts in shown.items():
        (chosen.folder / name).write_text("\n".join(parts) + "\n", "utf-8")
    kinds = Counter(known[0].partition(":")[0] for _, _, known in some)
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    print(f"{len(found)} errors whose cause training shows; {len(some)} of them in {chosen.folder}; causes: {told}")


if __name__ == "__main__":
    main()
