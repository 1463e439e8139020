"""One tree against another, as of an earlier commit: training and parsing of every family, in one run.

    HEADWAY_TREEBANKS=… python benchmarks/against.py OTHER/.venv/bin/python [--only ud-italian-partut] [--runs 7]

OTHER is a clone with the earlier commit, installed in an environment of its own. Each command is run by both in turn,
and the medians of their CPU seconds are compared: above 1 is faster than before. Models are copied afresh for each run
of parsing, since where a file lies in memory makes a difference.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import sys
from pathlib import Path
from statistics import median

from common import measure, scratch, table, treebank, treebanks

FAMILIES = {
    "transition": "--passes 3",
    "transition, static, swap": "--system swap --passes 3",
    "transition, linear SVM": "--learner linear-svm --features malt-14",
    "transition, kernel machines": "--learner kernel-svm --features malt-14",
    "graph": "--parser graph --passes 2",
    "graph, order 1": "--parser graph --passes 2 --order 1",
    "boosted": "--parser boosted --rounds 1",
}


def seconds(python: str, *words: object) -> float:
    """CPU seconds of a command."""
    return measure([python, "-m", "headway", "-q", *map(str, words)]).cpu


def compared(way: str, source: Path, text: Path, place: Path, pythons: list[str], runs: int) -> list[list[float]]:
    """For training and for parsing, the CPU seconds of each run: [what][run × tree]."""
    training: list[list[float]] = [[], []]
    parsing: list[list[float]] = [[], []]
    models = [place / "model-0", place / "model-1"]
    for number in range(runs):
        for tree in (0, 1) if number % 2 else (1, 0):
            if number < max(1, runs // 2):
                training[tree].append(seconds(pythons[tree], "train", source, "-o", models[tree], *way.split()))
            copy = shutil.copy(models[tree], place / f"copy-{number}-{tree}")
            parsing[tree].append(seconds(pythons[tree], "parse", copy, text, "-o", place / "parsed.conllu"))
            Path(copy).unlink()
    return [*training, *parsing]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("other", help="Python of the environment with the earlier commit")
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", default="ud-italian-partut", help="name of the treebank")
    options.add_argument("--ways", nargs="+", default=list(FAMILIES), help="some of the ways to train")
    options.add_argument("--copies", type=int, default=8, help="the development part is parsed so many times over")
    options.add_argument("--runs", type=int, default=7)
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    rows = []
    with scratch() as place:
        text = place / "text.conllu"
        text.write_bytes(gzip.decompress(treebank(chosen.only, "dev", folder).read_bytes()) * chosen.copies)
        source = treebank(chosen.only, "train", folder)
        for name in chosen.ways:
            pythons = [sys.executable, chosen.other]
            found = compared(FAMILIES[name], source, text, place, pythons, chosen.runs)
            new, old, new_parsing, old_parsing = map(median, found)
            rows.append((
                *(name, f"{old:.2f}", f"{new:.2f}", f"{old / new:.2f}"),
                *(f"{old_parsing:.2f}", f"{new_parsing:.2f}", f"{old_parsing / new_parsing:.2f}"),
            ))  # fmt: skip
            print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    table(("", "training before, s", "now, s", "before / now", "parsing before, s", "now, s", "before / now"), rows)


if __name__ == "__main__":
    main()
