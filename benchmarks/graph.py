"""Graph parsers beside each other on many treebanks: learners with the paper's features, or decoders.

    HEADWAY_TREEBANKS=… python benchmarks/graph.py learners [--rivals perceptron pa pa-2 mira cw arow] [--part dev]
    HEADWAY_TREEBANKS=… python benchmarks/graph.py decoders [--order 2]

`learners`: PA-I and its rivals with the features of Nguyen et al. (2007), the best tree, averaged, the loss √ρ and
C = 0.05, as there. `decoders`: all trees against projective ones (pseudo-projective, so that they too may cross), with
the defaults of `headway train --parser graph`. Gold tags, order 1.
"""

from __future__ import annotations

import argparse

from common import treebanks
from trials import against_the_first

TREEBANKS = (
    *("ud-hungarian-szeged", "ud-italian-partut", "ud-czech-cltt", "ud-latvian-lvtb", "ud-english-gum"),
    *("ud-swedish-talbanken", "ud-basque-bdt", "ud-dutch-lassysmall"),
)

CROSSING = ("conllx-danish-ddt", "conll07-basque")
"""More treebanks with many trees that are not projective."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=["learners", "decoders"])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", help="names of treebanks")
    options.add_argument("--part", default="test", help="what accuracy is measured on")
    options.add_argument("--rivals", nargs="+", default=["perceptron"], help="learners to compare with PA-I")
    options.add_argument("--order", type=int, default=1)
    options.add_argument("--passes", type=int, default=8)
    chosen = options.parse_args()
    both = {"parser": "graph", "passes": chosen.passes, "order": chosen.order}
    if chosen.what == "learners":
        paper = {**both, "features": "mst", "loss": "sqrt", "cost_augmented": False, "order": 1}
        ways = {name: {**paper, "learner": name} for name in ("pa-1", *chosen.rivals)}
    else:
        ways = {
            "chu-liu-edmonds": {**both, "decoder": "chu-liu-edmonds"},
            "eisner": {**both, "decoder": "eisner", "encoding": "none"},
            "eisner, pseudo-projective": {**both, "decoder": "eisner"},
        }
    names = chosen.only or (TREEBANKS if chosen.what == "learners" else (*TREEBANKS, *CROSSING))
    against_the_first(ways, names, chosen.part, treebanks(chosen.treebanks))


if __name__ == "__main__":
    main()
