"""Training and parsing beside UDPipe 1 on the same files, gold tags, whole commands in one run.

    pip install '.[benchmark]'
    HEADWAY_TREEBANKS=… python benchmarks/parsing.py [--treebank ud-english-ewt] [--runs 5]

Speed of parsing is measured file to file on the training part. UDPipe's parser has ten iterations by default; here it
learns one on the first sentences only, which leaves its speed of parsing as it is, and the time for all is reckoned
from that: ten times as many iterations, and words as many as there are. Accuracy is measured by the recipe `peers`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from common import Cost, best, measure, scratch, table, treebank, treebanks, unpacked

UDPIPE_TRAIN = """
import sys
from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer
sentences, sentence, error = Sentences(), Sentence(), ProcessingError()
reader = InputFormat.newConlluInputFormat()
reader.setText(open(sys.argv[1], encoding="utf-8").read())
while reader.nextSentence(sentence, error):
    sentences.append(sentence)
    sentence = Sentence()
model = Trainer.train("morphodita_parsito", sentences, Sentences(), "none", "none", sys.argv[3], error)
if error.occurred():
    sys.exit(error.message)
open(sys.argv[2], "wb").write(model)
"""
UDPIPE_PARSE = """
import sys
from ufal.udpipe import Model, Pipeline, ProcessingError
model = Model.load(sys.argv[1])
pipeline = Pipeline(model, "conllu", Pipeline.NONE, Pipeline.DEFAULT, "conllu")
text = open(sys.argv[2], encoding="utf-8").read()
open(sys.argv[3], "w", encoding="utf-8").write(pipeline.process(text, ProcessingError()))
"""
OPEN = """
import sys, time, headway, headway.parsers.transition.parser
started = time.perf_counter()
headway.load(sys.argv[1])
print(time.perf_counter() - started)
"""
ITERATIONS, SENTENCES = 10, 1500


def headway(*words: object) -> list[str]:
    return [sys.executable, "-m", "headway", *map(str, words)]


def udpipe(script: str, *words: object) -> list[str]:
    return [sys.executable, "-c", script, *map(str, words)]


def blocks(path: Path) -> Iterator[list[str]]:
    """The lines of each sentence."""
    lines: list[str] = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            lines.append(line)
            if not line.strip():
                yield lines
                lines = []


def words_in(path: Path) -> int:
    return sum(line.partition("\t")[0].isdigit() for block in blocks(path) for line in block)


def beginning(path: Path, target: Path) -> Path:
    """The first sentences of a file."""
    with target.open("w", encoding="utf-8") as out:
        for number, block in enumerate(blocks(path)):
            if number == SENTENCES:
                break
            out.writelines(block)
    return target


def opening(model: Path) -> float:
    """Milliseconds that a model takes to open, the best of five."""
    command = [sys.executable, "-c", OPEN, str(model)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(5)]
    return 1000 * min(map(float, runs))


def peer_training(train: Path, model: Path, place: Path) -> tuple[Cost, float]:
    """UDPipe's training on the first sentences, and what it comes to for the whole treebank in CPU seconds."""
    part = beginning(train, place / "beginning.conllu")
    cost = measure(udpipe(UDPIPE_TRAIN, part, model, "iterations=1"))
    return cost, cost.cpu * ITERATIONS * words_in(train) / words_in(part)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    with scratch() as place:
        train = unpacked(treebank(chosen.treebank, "train", folder), place)
        ours, small, peer = place / "headway.stages.model_file", place / "small.model", place / "udpipe.model"
        words = words_in(train)
        training = measure(headway("train", "-q", train, "-o", ours))
        measure(headway("train", "-q", "--size", "small", train, "-o", small))
        cost, whole = peer_training(train, peer, place)
        rows = [
            [name, f"{seconds:.0f}", f"{seconds / training.cpu:.1f}", f"{memory:.0f}", f"{model.stat().st_size >> 20}"]
            for name, seconds, memory, model in (
                ("headway", training.cpu, training.memory, ours),
                ("headway --size small", training.cpu, training.memory, small),
                ("UDPipe 1, reckoned", whole, cost.memory, peer),
            )
        ]
        print(f"{chosen.treebank}, {words:,} words; gold tags\n")
        table(("training", "CPU s", "times headway", "memory MiB", "model MiB"), rows)
        print(f"\nthe model opens in {opening(ours):.1f} ms\n")
        parsing(place, train, ours, peer, words, chosen.runs)


def parsing(place: Path, train: Path, ours: Path, peer: Path, words: int, runs: int) -> None:
    """Speed of parsing, taking turns, the best of each."""
    commands = {
        "headway": headway("parse", ours, train, "-o", place / "one"),
        "headway, 2 threads": headway("parse", ours, train, "-o", place / "two", "--threads", 2),
        "UDPipe 1": udpipe(UDPIPE_PARSE, peer, train, place / "three"),
    }
    costs = {name: best(command, 1) for name, command in commands.items()}
    for _ in range(runs - 1):
        for name, command in commands.items():
            costs[name] = min(costs[name], best(command, 1), key=lambda cost: cost.seconds)
            time.sleep(0.5)
    first = costs["headway"].seconds
    table(
        (f"parsing, file to file, best of {runs}", "seconds", "words/s", "times headway", "memory MiB"),
        [
            (name, f"{c.seconds:.2f}", f"{words / c.seconds:,.0f}", f"{c.seconds / first:.2f}", f"{c.memory:.0f}")
            for name, c in costs.items()
        ],
    )


if __name__ == "__main__":
    main()
