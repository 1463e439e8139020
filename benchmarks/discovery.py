"""How long a search for a feature set takes, with several numbers of workers; or what one from `default` brings.

    HEADWAY_TREEBANKS=… python benchmarks/discovery.py --workers 2 1 --generations 6 [--only NAME …] [-- WORDS]
    HEADWAY_TREEBANKS=… python benchmarks/discovery.py --improve 30 --keep FOLDER [--workers 2] [--only NAME …]

The first searches from nothing, with every 10th sentence of the training part as development set, by LAS, beam 4, as a
command; WORDS are further ones for it. What the sets are worth is measured by the recipes `discovery-…`.

The second lets each treebank have so many minutes from `default` on; its development part decides, and its test part is
parsed at the end: LAS with gold tags, means of three seeds. What was searched stays in FOLDER, from which it goes on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from common import measure, scratch, table, treebank, treebanks

import headway
from headway.discovery.history import History
from headway.runs.journal import records

TREEBANKS = ("swedish-talbanken-stb", "ud-hungarian-szeged", "ud-czech-cltt")
IMPROVED = ("ud-hungarian-szeged", "ud-latvian-lvtb", "ud-italian-partut", "ud-czech-cltt", "ud-basque-bdt")
SEEDS = (1, 2, 3)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", help="names of treebanks")
    options.add_argument("--generations", type=int, default=16)
    options.add_argument("--workers", nargs="+", type=int, default=[2, 1])
    options.add_argument("--improve", type=float, metavar="MINUTES", help="search from `default` so long")
    options.add_argument("--keep", type=Path, metavar="FOLDER", help="where such searches are kept")
    options.add_argument("words", nargs="*", help="further words for the command, after --")
    chosen = options.parse_args()
    folder, rows = treebanks(chosen.treebanks), []
    with scratch() as place:
        if chosen.improve is not None:
            improve(folder, chosen.keep or place, chosen)
            return
        for name in chosen.only or TREEBANKS:
            train = treebank(name, "train", folder)
            minutes = [
                measure(search(train, place / f"{name}-{workers}", workers, chosen)).seconds / 60
                for workers in chosen.workers
            ]
            rows.append([name, *(f"{one:.1f}" for one in minutes), f"{minutes[-1] / minutes[0]:.2f}"])
    table(["treebank", *(f"minutes, {workers} workers" for workers in chosen.workers), "last / first"], rows)


def search(train: Path, output: Path, workers: int, chosen: argparse.Namespace) -> list[str | Path]:
    """A search as a user starts it."""
    generations = str(chosen.generations)
    limits = ("--jobs", str(workers), "--generations", generations, "--patience", generations)
    return [sys.executable, "-m", "headway", "discover", train, "-o", output, *limits, *chosen.words]


def improve(folder: Path, place: Path, chosen: argparse.Namespace) -> None:
    """What searches from `default` find, and what it is worth."""
    rows, gains = [], []
    for name in chosen.only or IMPROVED:
        train, dev, test = (treebank(name, part, folder) for part in ("train", "dev", "test"))
        output = place / f"{name}.features"
        limits = ("--start", "default", "--minutes", f"{chosen.improve:g}", "--jobs", str(chosen.workers[0]))
        measure([sys.executable, "-m", "headway", "discover", train, "--dev", dev, "-o", output, *limits])
        history = History(records(f"{output}.search/journal.jsonl", "search"))
        steps = [found.step for found in map(history.best, history.finished[1:]) if found is not None]
        tried = sum(len({*one.looks, *one.full}) for one in history.generations.values()) - 1
        before, after = (mean_las(train, test, features) for features in ("default", str(output)))
        gains.append(after - before)
        why = history.end["why"] if history.end else ""
        rows.append([name, tried, "; ".join(steps), why, f"{before:.2f}", f"{after:.2f}"])
    table(["treebank", "sets tried", "steps", "on dev", "test LAS, default", "test LAS, returned"], rows)
    print(f"mean gain on the test parts: {sum(gains) / len(gains):+.2f} LAS")


def mean_las(train: Path, test: Path, features: str) -> float:
    """LAS on the test part, in points, the mean over seeds."""
    parsers = (headway.train(train, features=features, seed=seed) for seed in SEEDS)
    return sum(float(headway.evaluate(test, parser.parse(test))["LAS"]) for parser in parsers) / len(SEEDS)


if __name__ == "__main__":
    main()
