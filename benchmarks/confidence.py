"""How good confidences are, and what they cost: each family on several treebanks, heads, gold tags, calibrated on dev.

    HEADWAY_TREEBANKS=… python benchmarks/confidence.py [--families transition,graph] [--take ud-hungarian-szeged]

GUM is parsed with the model of English-EWT, too. Speed is that of the test part of the first treebank, with and without
--confidence, taking turns, the best of each.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from common import scratch, table, treebank, treebanks

import headway
from headway.evaluation.confidence import confidences_of
from headway.evaluation.report import report

TREEBANKS = (
    "ud-english-ewt",
    "ud-hungarian-szeged",
    "ud-czech-cltt",
    "ud-italian-partut",
    "ud-latvian-lvtb",
    "ud-swedish-talbanken",
)
ELSEWHERE = {"ud-english-ewt": "ud-english-gum"}


def measured(parser: headway.Parser, gold: Path, place: Path) -> tuple[str, ...]:
    """Heads right, ECE less chance, AUC and the surest 80 % of one file."""
    parsed = place / "parsed.conllu"
    with parsed.open("wb") as stream:
        stream.writelines(parser.parse_bytes(gold, confidence=True))
    found = confidences_of(report(gold, parsed, trials=1).comparisons[0])[0]
    error = f"{found.error - found.chance:.4f}"
    return f"{100 * found.right:.2f}", error, f"{found.auc:.4f}", f"{100 * found.surest[20]:.2f}"


def seconds(parser: headway.Parser, path: Path, confidence: bool) -> float:
    """For one file, from bytes to bytes."""
    started = time.process_time()
    for _ in parser.parse_bytes(path, confidence=confidence):
        pass
    return time.process_time() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--families", default="transition,graph,boosted")
    options.add_argument("--take", default=",".join(TREEBANKS))
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    folder, names = treebanks(chosen.treebanks), chosen.take.split(",")
    rows, costs = [], []
    with scratch() as place:
        for family in chosen.families.split(","):
            for name in names:
                train, dev, test = (treebank(name, part, folder) for part in ("train", "dev", "test"))
                parser = headway.train(train, dev=dev, parser=family)
                rows.append((family, name, *measured(parser, test, place)))
                if name in ELSEWHERE:
                    other = treebank(ELSEWHERE[name], "test", folder)
                    rows.append((family, f"{name}, on {ELSEWHERE[name]}", *measured(parser, other, place)))
                if name == names[0]:
                    times = [[seconds(parser, test, sure) for sure in (False, True)] for _ in range(chosen.runs)]
                    plain, sure = map(min, zip(*times, strict=True))
                    costs.append((family, name, f"{plain:.2f}", f"{sure:.2f}", f"{100 * (sure / plain - 1):.1f} %"))
    table(("parser", "treebank", "heads right", "ECE − chance", "AUC", "surest 80 %"), rows)
    print()
    table(("parser", "treebank", "CPU s", "with --confidence", "more"), costs)


if __name__ == "__main__":
    main()
