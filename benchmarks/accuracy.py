"""The accuracy of one kind of parser on many treebanks, with what it costs: whole commands, gold tags.

    HEADWAY_TREEBANKS=… python benchmarks/accuracy.py [--part dev] [--only ud-english-ewt …] [-- OPTIONS]

OPTIONS are those of `headway train`. LAS and UAS count all words and whole labels; for CoNLL-X data also without
punctuation. With --speed the training part is parsed too, file to file, one thread.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from common import best, measure, scratch, table, treebank, treebanks, unpacked

TREEBANKS = (
    *("ud-english-ewt", "ud-english-gum", "ud-italian-partut", "ud-swedish-talbanken", "ud-hungarian-szeged"),
    *("ud-latvian-lvtb", "ud-basque-bdt", "ud-dutch-lassysmall", "ud-chinese-gsd", "conllx-danish-ddt"),
)


def headway(*words: object) -> list[str]:
    return [sys.executable, "-m", "headway", *map(str, words)]


def accuracy(gold: Path, system: Path, definition: str = "all") -> str:
    command = headway("evaluate", gold, system, "--definition", definition, "--json")
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    scores = json.loads(told)["systems"][0]["scores"]
    return " / ".join(f"{100 * scores[metric]['f1']:.2f}" for metric in ("LAS", "UAS"))


def speed(model: Path, source: Path, place: Path) -> tuple[str, str]:
    """Words per second of a whole command, the best of three, and its memory."""
    cost = best(headway("parse", model, source, "-o", place / "again"), 3)
    with source.open("rb") as lines:
        words = sum(line.partition(b"\t")[0].isdigit() for line in lines)
    return f"{words / cost.seconds:,.0f}", f"{cost.memory:.0f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", default=TREEBANKS, help="names of treebanks")
    options.add_argument("--part", default="test", help="what accuracy is measured on")
    options.add_argument("--speed", action="store_true", help="parse the training part too")
    options.add_argument("training", nargs="*", help="options of headway train, after --")
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    rows = []
    with scratch() as place:
        for name in chosen.only:
            train, part = (treebank(name, piece, folder) for piece in ("train", chosen.part))
            model, parsed = place / "model", place / "parsed"
            cost = measure(headway("train", "-q", train, "-o", model, *chosen.training))
            measure(headway("parse", model, part, "-o", parsed))
            score = accuracy(part, parsed)
            bare = accuracy(part, parsed, "conllx") if name.startswith("conllx") else ""
            size = f"{model.stat().st_size / 2**20:.0f}"
            rows.append((name, score, bare, f"{cost.cpu:.0f}", f"{cost.memory:.0f}", size))
            if chosen.speed:
                rows[-1] += speed(model, unpacked(train, place), place)
            print(*rows[-1], flush=True)
    print(f"\nheadway train {' '.join(chosen.training)}\n")
    header = ("treebank", f"LAS / UAS, {chosen.part}", "no punctuation", "training, CPU s", "memory MiB", "model MiB")
    table((*header, *(("words/s", "memory MiB, parsing") if chosen.speed else ())), rows)


if __name__ == "__main__":
    main()
