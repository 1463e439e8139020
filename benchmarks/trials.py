"""What benchmarks of accuracy share: several ways to train, the first against all others, treebank by treebank."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import scratch, table, treebank, unpacked

import headway
from headway.evaluation.comparison import Comparison, compare
from headway.evaluation.significance import significance
from headway.evaluation.significance import tally as counted


@dataclass(frozen=True)
class Result:
    """How well a parser does on a treebank, and how long it takes to learn and to parse."""

    comparison: Comparison
    training: float
    parsing: float

    def score(self, metric: str = "LAS") -> float:
        scores = counted(self.comparison, metric)
        return 100 * float(scores.correct.sum()) / float(scores.gold.sum())


def trial(options: Mapping[str, Any], train: Path, part: Path, place: Path) -> Result:
    """Learn with these options of `headway.train`, parse, compare."""
    started = time.process_time()
    parser = headway.train(train, **options)
    training = time.process_time() - started
    output = place / "parsed"
    started = time.process_time()
    headway.write(parser.parse(part), output)
    parsing = time.process_time() - started
    comparison = compare(part, output, definition="all")
    return Result(comparison, training, len(comparison.gold.labels) / parsing)


def against_the_first(ways: Mapping[str, Mapping[str, Any]], names: Sequence[str], part: str, folder: Path) -> None:
    """Train in each way on each treebank; print scores, with p against the first way, and times.

    `{treebank}` in an option's words stands for its name. All words and whole labels count. p is that of approximate
    randomisation over sentences, for LAS; the mean counts each treebank once.
    """
    logging.getLogger("headway").setLevel(logging.ERROR)
    first, *others = ways
    scores, times = [], []
    means = {way: [0.0, 0.0] for way in ways}
    with scratch() as place:
        for name in names:
            train, tested = (unpacked(treebank(name, piece, folder), place) for piece in ("train", part))
            results = {way: trial(_named(options, name), train, tested, place) for way, options in ways.items()}
            cells = [name]
            for way, found in results.items():
                both = found.score("LAS"), found.score("UAS")
                means[way] = [total + score / len(names) for total, score in zip(means[way], both, strict=True)]
                cells.append(f"{both[0]:.2f} / {both[1]:.2f}")
                if way != first:
                    drawn = significance(results[first].comparison, found.comparison, "LAS")
                    cells.append(f"{drawn.randomisation:.4f}")
                times.append((name, way, f"{both[0]:.2f}", f"{found.training:.1f}", f"{found.parsing:,.0f}"))
            scores.append(cells)
            print(*cells, sep="  ", flush=True)
    last = ["mean", "{:.2f} / {:.2f}".format(*means[first])]
    for way in others:
        last += ["{:.2f} / {:.2f}".format(*means[way]), ""]
    print(f"\nLAS / UAS on {part}\n")
    table(("treebank", first, *(word for way in others for word in (way, "p"))), [*scores, last])
    print()
    table(("treebank", "", "LAS", "training, CPU seconds", "parsing, words/s of CPU"), times)


def _named(options: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value.format(treebank=name) if isinstance(value, str) else value for key, value in options.items()}
