"""What projectivizing treebanks costs and loses, for each encoding, when nothing in between errs.

    HEADWAY_TREEBANKS=… python benchmarks/pseudoprojective.py [FOLDER OR FILE …]

Of a folder, every file `train*` in it and in the folders below it is taken.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from common import table, treebanks

from headway import read
from headway.data.encodings import ENCODINGS
from headway.data.pseudoprojective import deprojectivize, projectivize
from headway.data.trees import nonprojective_arcs

MARKED = tuple(name for name in ENCODINGS if name != "none")


@dataclass
class Outcome:
    """One treebank with one encoding; the counts are of arcs."""

    labels: set[str] = field(default_factory=set)
    lifted: int = 0
    lifted_restored: int = 0
    nonprojective_restored: int = 0
    there: float = 0.0
    back: float = 0.0


@dataclass
class Treebank:
    name: str
    sentences: int = 0
    words: int = 0
    nonprojective_sentences: int = 0
    nonprojective: int = 0
    labels: set[str] = field(default_factory=set)
    outcomes: dict[str, Outcome] = field(default_factory=lambda: {name: Outcome() for name in MARKED})


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("paths", nargs="*", help="folders of treebanks, or files")
    measured = [measure(path) for path in files(options.parse_args().paths)]
    print("What is not projective, and the number of labels with each encoding:\n")
    table(
        ("treebank", "sentences", "words", "% sentences", "% arcs", "lifted", "labels", *MARKED),
        [
            (
                *(bank.name, f"{bank.sentences:,}", f"{bank.words:,}"),
                *(share(bank.nonprojective_sentences, bank.sentences), share(bank.nonprojective, bank.words)),
                *(f"{bank.outcomes['head'].lifted:,}", len(bank.labels)),
                *(len(outcome.labels) for outcome in bank.outcomes.values()),
            )
            for bank in measured
        ],
    )
    print("\nPer cent of the non-projective arcs / of all lifted arcs that come back; seconds there + back:\n")
    total = Treebank("all", nonprojective=sum(bank.nonprojective for bank in measured))
    for name, outcome in total.outcomes.items():
        for count in ("lifted", "lifted_restored", "nonprojective_restored", "there", "back"):
            setattr(outcome, count, sum(getattr(bank.outcomes[name], count) for bank in measured))
    table(
        ("treebank", *(f"{name}{what}" for name in MARKED for what in ("", ", s"))),
        [(bank.name, *(cell for name in MARKED for cell in cells(bank, name))) for bank in [*measured, total]],
    )


def files(paths: list[str]) -> list[Path]:
    """The training files to measure; the program ends with a sentence where there are none."""
    chosen = [Path(path) for path in paths if Path(path).is_file()]
    folders = [treebanks(path) for path in paths if not Path(path).is_file()] if paths else [treebanks()]
    for folder in folders:
        found = sorted(folder.rglob("train*.conll*"))
        if not found:
            sys.exit(f"{folder}: no file train*.conll* here or below; name a folder of treebanks")
        chosen += found
    return chosen


def measure(path: Path) -> Treebank:
    bank = Treebank(path.parent.name if path.name.startswith("train.") else path.name)
    for sentence in read(path):
        heads, labels = sentence.heads, sentence.deprels
        crossing = nonprojective_arcs(heads)
        bank.sentences += 1
        bank.words += len(heads)
        bank.nonprojective_sentences += bool(crossing.any())
        bank.nonprojective += int(crossing.sum())
        bank.labels.update(labels)
        for encoding, outcome in bank.outcomes.items():
            start = time.perf_counter()
            lifted, marked = projectivize(heads, labels, encoding)
            turn = time.perf_counter()
            restored, _ = deprojectivize(lifted, marked, encoding)
            outcome.back += time.perf_counter() - turn
            outcome.there += turn - start
            outcome.labels.update(marked)
            moved = lifted != heads
            outcome.lifted += int(moved.sum())
            outcome.lifted_restored += int(np.sum(moved & (restored == heads)))
            outcome.nonprojective_restored += int(np.sum(crossing & (restored == heads)))
    return bank


def cells(bank: Treebank, encoding: str) -> tuple[str, str]:
    outcome = bank.outcomes[encoding]
    back = share(outcome.nonprojective_restored, bank.nonprojective)
    return (
        f"{back} / {share(outcome.lifted_restored, outcome.lifted)}",
        f"{outcome.there:.2f} + {outcome.back:.2f}",
    )


def share(count: int, of: int) -> str:
    return f"{100 * count / of:.2f}" if of else "–"


if __name__ == "__main__":
    main()
