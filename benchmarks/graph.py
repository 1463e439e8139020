"""Decoders of graph parsers beside each other on many treebanks.

    HEADWAY_TREEBANKS=… python benchmarks/graph.py [--order 2]

All trees against projective ones (pseudo-projective, so that they too may cross), with the defaults of `headway train
--parser graph`. Gold tags, order 1. Learners are compared by the recipes `pa-table-5` and `graph-cw`.
"""

from __future__ import annotations

import argparse

from common import treebanks
from trials import against_the_first

TREEBANKS = (
    *("ud-hungarian-szeged", "ud-italian-partut", "ud-czech-cltt", "ud-latvian-lvtb", "ud-english-gum"),
    *("ud-swedish-talbanken", "ud-basque-bdt", "ud-dutch-lassysmall", "conllx-danish-ddt", "conll07-basque"),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", help="names of treebanks")
    options.add_argument("--part", default="test", help="what accuracy is measured on")
    options.add_argument("--order", type=int, default=1)
    options.add_argument("--passes", type=int, default=8)
    chosen = options.parse_args()
    both = {"parser": "graph", "passes": chosen.passes, "order": chosen.order}
    ways = {
        "chu-liu-edmonds": {**both, "decoder": "chu-liu-edmonds"},
        "eisner": {**both, "decoder": "eisner", "encoding": "none"},
        "eisner, pseudo-projective": {**both, "decoder": "eisner"},
    }
    against_the_first(ways, chosen.only or TREEBANKS, chosen.part, treebanks(chosen.treebanks))


if __name__ == "__main__":
    main()
