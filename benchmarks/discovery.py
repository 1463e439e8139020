"""Searching for feature sets: how long it takes, and what the set found is worth beside one made by hand.

    HEADWAY_TREEBANKS=… python benchmarks/discovery.py [--only NAME …] [--attributes extended] [--keep DIR]
    HEADWAY_TREEBANKS=… python benchmarks/discovery.py --then 4 [--sentences 1000] [--keep DIR]
    HEADWAY_TREEBANKS=… python benchmarks/discovery.py --workers 2 1 --generations 6

Each treebank is searched with every 10th sentence of its training part as development set, by LAS, beam 4, as a
command. The set found and `malt-14+pairs` then learn from the whole training part, with the learner and the options of
the search, and parse the test part: gold tags, all words, whole labels, two steps. With `--then` the search goes on
from what was found with the extended attributes (lemma, morphology, suffixes), beam 1. With several `--workers` the
same search is run with each number of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from common import measure, scratch, table, treebank, treebanks
from trials import against_the_first

import headway

TREEBANKS = ("swedish-talbanken-stb", "ud-hungarian-szeged", "ud-czech-cltt")
SETTING = {"learner": "mira", "passes": 3, "two_step": True, "encoding": "none", "explore": 0.0}
"""The options of a search where nothing else is asked for."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", default=TREEBANKS, help="names of treebanks")
    options.add_argument("--attributes", nargs="+", default=["paper"], help="what features may ask of a word")
    options.add_argument("--sentences", type=int, help="learn from the first sentences of the training part alone")
    options.add_argument("--generations", type=int, default=16)
    options.add_argument("--then", type=int, default=0, help="further generations with the extended attributes")
    options.add_argument("--workers", nargs="+", type=int, default=[2])
    options.add_argument("--keep", type=Path, help="folder in which searches leave their journals, to go on from")
    options.add_argument("rest", nargs="*", help="further words for the command, after --")
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    with scratch() as temporary:
        place = chosen.keep or temporary
        place.mkdir(exist_ok=True)
        if chosen.sentences:
            folder = cut(chosen.only, folder, place / "treebanks", chosen.sentences)
        minutes = []
        for name in chosen.only:
            for attributes in chosen.attributes:
                costs = [
                    measure(command(place / f"{name}-{attributes}-{workers}", name, folder, chosen)).seconds / 60
                    for workers in chosen.workers
                ]
                shown = (f"{cost:.1f}" for cost in costs)
                minutes.append([name, attributes, *shown, f"{costs[-1] / costs[0]:.2f}"])
                if chosen.then:
                    found, workers = place / f"{name}-{attributes}-{chosen.workers[0]}", chosen.workers[0]
                    words = ["--start", found, "--attributes", "extended", "--beam", "1"]
                    train = treebank(name, "train", folder)
                    measure(search(train, found.with_name(f"{found.name}-then"), workers, chosen.then, words))
        table(["treebank", "attributes", *(f"minutes, {n} workers" for n in chosen.workers), "ratio"], minutes)
        ways = {
            attributes: {**SETTING, "features": f"{place}/{{treebank}}-{attributes}-{chosen.workers[0]}"}
            for attributes in chosen.attributes
        }
        if chosen.then:
            ways |= {f"{way}, then extended": {**SETTING, "features": f"{ways[way]['features']}-then"} for way in ways}
        ways = {"malt-14+pairs": {**SETTING, "features": "malt-14+pairs"}, **ways}
        against_the_first(ways, chosen.only, "test", folder)


def cut(names: Sequence[str], folder: Path, place: Path, sentences: int) -> Path:
    """A folder with the first sentences of treebanks, and all that are tested."""
    for name in names:
        (place / name).mkdir(parents=True, exist_ok=True)
        for part, most in (("train", sentences), ("test", None)):
            source = treebank(name, part, folder)
            headway.write(islice(headway.read(source), most), place / name / source.name)
    return place


def command(found: Path, name: str, folder: Path, chosen: argparse.Namespace) -> list[str | Path]:
    """The search from nothing."""
    *_, attributes, workers = found.name.split("-")
    words = ["--test", treebank(name, "test", folder), "--attributes", attributes, *chosen.rest]
    return search(treebank(name, "train", folder), found, int(workers), chosen.generations, words)


def search(train: Path, output: Path, workers: int, generations: int, words: Sequence[str | Path]) -> list[str | Path]:
    """A search as a user starts it."""
    limits = ("--jobs", str(workers), "--generations", str(generations), "--patience", str(generations))
    return [sys.executable, "-m", "headway", "discover", train, "-o", output, *limits, *words]


if __name__ == "__main__":
    main()
