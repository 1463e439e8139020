"""How long a search for a feature set takes, with several numbers of workers.

    HEADWAY_TREEBANKS=… python benchmarks/discovery.py --workers 2 1 --generations 6 [--only NAME …] [-- WORDS]

Each treebank is searched with every 10th sentence of its training part as development set, by LAS, beam 4, as a
command; WORDS are further ones for it. What the sets are worth is measured by the recipes `discovery-…`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from common import measure, scratch, table, treebank, treebanks

TREEBANKS = ("swedish-talbanken-stb", "ud-hungarian-szeged", "ud-czech-cltt")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", default=TREEBANKS, help="names of treebanks")
    options.add_argument("--generations", type=int, default=16)
    options.add_argument("--workers", nargs="+", type=int, default=[2, 1])
    options.add_argument("words", nargs="*", help="further words for the command, after --")
    chosen = options.parse_args()
    folder, rows = treebanks(chosen.treebanks), []
    with scratch() as place:
        for name in chosen.only:
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


if __name__ == "__main__":
    main()
