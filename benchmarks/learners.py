"""Confidence-weighted learning beside its rivals on many treebanks: accuracy with significance, and time.

    HEADWAY_TREEBANKS=… python benchmarks/learners.py [--part dev] [--rivals mira perceptron]
    HEADWAY_TREEBANKS=… python benchmarks/learners.py --rivals kernel-svm --only ud-hungarian-szeged ud-czech-cltt

Static oracle, gold tags, all words and whole labels count, each learner with its own defaults. The kernel machine
learns from `malt-14`, whose pairs its kernel sees; all others from `malt-14+pairs`. p is that of approximate
randomisation over sentences against CW; the mean counts each treebank once.
"""

from __future__ import annotations

import argparse
import gzip
import logging
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from common import scratch, table, treebank, treebanks

import headway
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.significance import significance
from headway.evaluation.significance import tally as counted

TREEBANKS = (
    *("ud-english-ewt", "ud-english-gum", "ud-italian-partut", "ud-hungarian-szeged", "ud-czech-cltt"),
    *("ud-latvian-lvtb", "ud-swedish-talbanken", "ud-basque-bdt", "ud-dutch-lassysmall", "ud-chinese-gsd"),
    *("conllx-danish-ddt", "swedish-talbanken-stb"),
)


@dataclass(frozen=True)
class Result:
    """How well a parser does on a treebank, and how long it takes to learn and to parse."""

    comparison: Comparison
    las: float
    training: float
    parsing: float


def unpacked(packed: Path, folder: Path) -> Path:
    target = folder / f"{packed.parent.name}-{packed.name.removesuffix('.gz')}"
    if not target.exists():
        with gzip.open(packed) as compressed, target.open("wb") as plain:
            shutil.copyfileobj(compressed, plain)
    return target


def result(learner: str, train: Path, part: Path, place: Path) -> Result:
    """Learn, parse, compare."""
    started = time.process_time()
    features = "malt-14" if learner == "kernel-svm" else "malt-14+pairs"
    parser = headway.train(train, learner=learner, features=features, explore=0.0)
    training = time.process_time() - started
    output = place / "parsed"
    started = time.process_time()
    headway.write(parser.parse(part), output)
    parsing = time.process_time() - started
    comparison = compare(part, output, definition="all")
    scores = counted(comparison, "LAS")
    las = 100 * float(scores.correct.sum()) / float(scores.gold.sum())
    return Result(comparison, las, training, float(scores.gold.sum()) / parsing)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", default=TREEBANKS, help="names of treebanks")
    options.add_argument("--part", default="test", help="what accuracy is measured on")
    options.add_argument("--rivals", nargs="+", default=["mira", "perceptron"], help="learners to compare with")
    chosen = options.parse_args()
    logging.getLogger("headway").setLevel(logging.ERROR)
    folder = treebanks(chosen.treebanks)
    scores, times, every = [], [], {name: [] for name in ("cw", *chosen.rivals)}
    with scratch() as place:
        for name in chosen.only:
            train = unpacked(treebank(name, "train", folder), place)
            part = unpacked(treebank(name, chosen.part, folder), place)
            results = {learner: result(learner, train, part, place) for learner in every}
            cells = [name, f"{results['cw'].las:.2f}"]
            for rival in chosen.rivals:
                drawn = significance(results["cw"].comparison, results[rival].comparison, "LAS")
                cells += [f"{results[rival].las:.2f}", f"{drawn.randomisation:.4f}"]
            scores.append(cells)
            for learner, found in results.items():
                every[learner].append(found.las)
                times.append((name, learner, f"{found.las:.2f}", f"{found.training:.1f}", f"{found.parsing:,.0f}"))
            print(*cells, flush=True)
    means = {learner: sum(found) / len(found) for learner, found in every.items()}
    last = ["mean", f"{means['cw']:.2f}"]
    for rival in chosen.rivals:
        last += [f"{means[rival]:.2f}", ""]
    print(f"\nLAS on {chosen.part}\n")
    table(("treebank", "cw", *(word for rival in chosen.rivals for word in (rival, "p"))), [*scores, last])
    print()
    table(("treebank", "learner", "LAS", "training, CPU seconds", "parsing, words/s of CPU"), times)


if __name__ == "__main__":
    main()
