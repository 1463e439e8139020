"""Confidence-weighted learning beside its rivals on many treebanks: accuracy with significance, and time.

    HEADWAY_TREEBANKS=… python benchmarks/learners.py [--part dev] [--rivals mira perceptron]
    HEADWAY_TREEBANKS=… python benchmarks/learners.py --rivals kernel-svm --only ud-hungarian-szeged ud-czech-cltt

Static oracle, gold tags, each learner with its own defaults. The kernel machine learns from `malt-14`, whose pairs its
kernel sees; all others from `malt-14+pairs`.
"""

from __future__ import annotations

import argparse

from common import treebanks
from trials import against_the_first

TREEBANKS = (
    *("ud-english-ewt", "ud-english-gum", "ud-italian-partut", "ud-hungarian-szeged", "ud-czech-cltt"),
    *("ud-latvian-lvtb", "ud-swedish-talbanken", "ud-basque-bdt", "ud-dutch-lassysmall", "ud-chinese-gsd"),
    *("conllx-danish-ddt", "swedish-talbanken-stb"),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", default=TREEBANKS, help="names of treebanks")
    options.add_argument("--part", default="test", help="what accuracy is measured on")
    options.add_argument("--rivals", nargs="+", default=["mira", "perceptron"], help="learners to compare with")
    chosen = options.parse_args()
    ways = {
        name: {"learner": name, "features": "malt-14" if name == "kernel-svm" else "malt-14+pairs", "explore": 0.0}
        for name in ("cw", *chosen.rivals)
    }
    against_the_first(ways, chosen.only, chosen.part, treebanks(chosen.treebanks))


if __name__ == "__main__":
    main()
