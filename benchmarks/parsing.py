"""Parsing and training beside UDPipe 1 on the same files, gold tags, whole commands in one run.

    pip install '.[benchmark]'
    HEADWAY_TREEBANKS=… python benchmarks/parsing.py [--treebank ud-english-ewt] [--train-peer]

Parsing speed is measured file to file on the training part. UDPipe's parser is trained with its own defaults; without
--train-peer on some sentences only and for one iteration, which leaves its speed of parsing and of one iteration as
they are.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import subprocess
import sys
from pathlib import Path

from common import Cost, best, measure, scratch, table, treebank, treebanks

UDPIPE_TRAIN = """
import sys
from ufal.udpipe import Trainer, Sentence, InputFormat, ProcessingError, Sentences
sentences = Sentences()
reader = InputFormat.newConlluInputFormat()
reader.setText(open(sys.argv[1], encoding="utf-8").read())
error = ProcessingError()
sentence = Sentence()
while reader.nextSentence(sentence, error) and len(sentences) < int(sys.argv[4]):
    sentences.push_back(sentence)
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
EVERYTHING = str(10**9)


def headway(*words: object) -> list[str]:
    return [sys.executable, "-m", "headway", *map(str, words)]


def unpacked(packed: Path, target: Path) -> Path:
    with gzip.open(packed) as compressed, target.open("wb") as plain:
        shutil.copyfileobj(compressed, plain)
    return target


def las(gold: Path, system: Path) -> str:
    """LAS and UAS over all words, labels in full."""
    import json

    command = headway("evaluate", gold, system, "--definition", "all", "--json")
    scores = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = scores["systems"][0]["scores"] if "systems" in scores else scores["scores"]
    return f"{found['LAS']['f1']:.2f} / {found['UAS']['f1']:.2f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--part", default="dev", help="what accuracy is measured on")
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--train-peer", action="store_true", help="train UDPipe to the end, for its accuracy")
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    with scratch() as place:
        train = unpacked(treebank(chosen.treebank, "train", folder), place / "train.conllu")
        dev = unpacked(treebank(chosen.treebank, "dev", folder), place / "dev.conllu")
        part = unpacked(treebank(chosen.treebank, chosen.part, folder), place / "part.conllu")
        words = sum(line[:1].isdigit() and line.split("\t")[0].isdigit() for line in train.open(encoding="utf-8"))
        model, peer = place / "headway.model", place / "udpipe.model"
        training = measure(headway("train", "-q", train, "-o", model))
        settings = "" if chosen.train_peer else "iterations=1"
        size = EVERYTHING if chosen.train_peer else "2000"
        tool = [sys.executable, "-c"]
        peer_training = measure([*tool, UDPIPE_TRAIN, train, peer, settings, size])
        report(place, train, part, model, peer, words, training, peer_training, chosen)
        del dev


def report(
    place: Path,
    train: Path,
    part: Path,
    model: Path,
    peer: Path,
    words: int,
    training: Cost,
    peer_training: Cost,
    chosen: argparse.Namespace,
) -> None:
    commands = {
        "headway": headway("parse", model, train, "-o", place / "one"),
        "headway, 2 threads": headway("parse", model, train, "-o", place / "two", "--threads", 2),
        "UDPipe 1": [sys.executable, "-c", UDPIPE_PARSE, str(peer), str(train), str(place / "three")],
    }
    costs = {name: best(command, chosen.runs) for name, command in commands.items()}
    ours = costs["headway"].seconds
    print(f"{chosen.treebank}, train: {words:,} words; best of {chosen.runs}\n")
    table(
        ("parsing, file to file", "seconds", "words/s", "times headway", "memory MiB"),
        [
            (name, f"{c.seconds:.2f}", f"{words / c.seconds:,.0f}", f"{c.seconds / ours:.1f}", f"{c.memory:.0f}")
            for name, c in costs.items()
        ],
    )
    measure(headway("parse", model, part, "-o", place / "part.headway"))
    rows = [("headway", f"{training.cpu:.0f}", f"{training.memory:.0f}", f"{model.stat().st_size / 2**20:.0f}")]
    rows[0] += (las(part, place / "part.headway"),)
    if chosen.train_peer:
        measure([sys.executable, "-c", UDPIPE_PARSE, peer, part, place / "part.udpipe"])
        size = f"{peer.stat().st_size / 2**20:.0f}"
        rows.append(
            (
                "UDPipe 1",
                f"{peer_training.cpu:.0f}",
                f"{peer_training.memory:.0f}",
                size,
                las(part, place / "part.udpipe"),
            )
        )
    print()
    table(("training", "CPU seconds", "memory MiB", "model MiB", f"LAS / UAS on {chosen.part}"), rows)


if __name__ == "__main__":
    main()
