"""Where a development treebank ends a training, and what the average of the weights has to do with it.

    HEADWAY_TREEBANKS=… python benchmarks/stopping.py [--only ud-hungarian-szeged …] [--parser graph --learner pa-1]

For each learner and number of passes that do not count for its average (`settle`): the LAS on dev where `--patience 3`
ends the training and the pass of the parser that is kept, the best LAS of all 20 passes, and that of the learner's own
number of passes.
"""

from __future__ import annotations

import argparse
import logging

from common import table, treebank, treebanks

from headway.learn import loops_for
from headway.learners.registry import kind_of

TREEBANKS = ("ud-hungarian-szeged", "ud-italian-partut", "ud-latvian-lvtb", "ud-swedish-talbanken")
PASSES, PATIENCE = 20, 3


def kept(curve: list[float]) -> int:
    """The pass that is kept, counted from 0, where training ends after `PATIENCE` passes without a better one."""
    best = 0
    for number, score in enumerate(curve):
        if score > curve[best]:
            best = number
        if number - best >= PATIENCE:
            break
    return best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", default=list(TREEBANKS), help="names of treebanks")
    options.add_argument("--parser", default="transition")
    options.add_argument("--learner", nargs="+", default=["mira", "perceptron", "cw"])
    options.add_argument("--settle", nargs="+", type=int, default=[0, 2, 4])
    chosen = options.parse_args()
    logging.getLogger("headway").setLevel(logging.ERROR)
    folder, rows = treebanks(chosen.treebanks), []
    for name in chosen.only:
        for learner in chosen.learner:
            averaged = kind_of(learner)().average
            for settle in chosen.settle if averaged else [0]:
                how = {"parser": chosen.parser, "learner": learner, "options": {"settle": settle}, "passes": PASSES}
                files = [treebank(name, part, folder) for part in ("train", "dev")]
                [loop] = loops_for(files[0], dev=files[1], patience=PASSES, **how)
                curve = [step.dev.main for step in loop if step.dev]
                last, own = kept(curve), kind_of(learner)().passes
                found = (f"{curve[last]:.2f}", last + 1, f"{max(curve):.2f}", f"{curve[own - 1]:.2f}", own)
                rows.append((name, learner, settle if averaged else "no average", *found))
    header = ("treebank", "learner", "settle", "kept: LAS", "pass", f"best of {PASSES}", "its own passes", "these are")
    table(header, rows)


if __name__ == "__main__":
    main()
