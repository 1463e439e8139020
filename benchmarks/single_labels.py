"""Labels that stand once: how often a parser doubles them without the rule and with it, and what the rule does to LAS.

    python benchmarks/single_labels.py [TREEBANK ...] [--family transition]

Trains with defaults and parses the development part with gold tags. Needs $HEADWAY_TREEBANKS.
"""

import argparse
import logging
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import headway

TREEBANKS = (
    "ud-basque-bdt",
    "ud-hungarian-szeged",
    "ud-latvian-lvtb",
    "ud-italian-partut",
    "ud-dutch-lassysmall",
    "ud-czech-cltt",
)


def doubled(sentences, single):
    """How often a label of these stands twice under a head."""
    count = 0
    for sentence in sentences:
        pairs = zip(sentence.heads.tolist(), sentence.deprels, strict=True)
        found = Counter((head, label) for head, label in pairs if head and label in single)
        count += sum(times > 1 for times in found.values())
    return count


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("treebanks", nargs="*", default=TREEBANKS)
    options.add_argument("--family", default="transition")
    asked = options.parse_args()
    logging.getLogger("headway").setLevel(logging.ERROR)
    root, gains = Path(os.environ["HEADWAY_TREEBANKS"]), []
    for name in asked.treebanks:
        dev = list(headway.read(root / name / "dev.conllu.gz"))
        parser = headway.train(root / name / "train.conllu.gz", parser=asked.family)
        *before, last = parser.stages
        free = headway.Parser([*before, replace(last, single_labels=())])
        found = [list(one.parse(dev)) for one in (free, parser)]
        counts = [doubled(some, set(last.single_labels)) for some in found]
        scores = [float(headway.evaluate(dev, some)["LAS"]) for some in found]
        gains.append(scores[1] - scores[0])
        print(
            f"{name} {asked.family}: {len(last.single_labels)} labels, doubled {counts[0]} → {counts[1]} times,"
            f" LAS {scores[0]:.2f} → {scores[1]:.2f}",
            flush=True,
        )
    print(f"mean change of LAS {sum(gains) / len(gains):+.3f}")


if __name__ == "__main__":
    main()
