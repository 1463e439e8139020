"""From text to trees: training a pipeline, its speed beside UDPipe 1, the tagger alone, memory on a large text.

HEADWAY_TREEBANKS=… python benchmarks/text.py [--only training speed memory tagger] [--model MODEL] [--megabytes 100]

UDPipe's speed is that of a model of one iteration, learned from the first 500 sentences: what it looks at for a word is
the same in any of its models. `--udpipe` names one that was trained to the end.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from common import Cost, best, measure, scratch, table, treebank, treebanks, unpacked

import headway
from headway.data.formats.writing import running_text
from headway.data.sources import batches_of
from headway.lab.peers import trained_pipeline

PARTS = ("training", "speed", "memory", "tagger")
QUICK = ("epochs=1", "iterations=1", "iterations=1")
SENTENCES = 500
UDPIPE = """
import sys, ufal.udpipe as udpipe
model = udpipe.Model.load(sys.argv[1])
pipeline = udpipe.Pipeline(model, "tokenize", "", "", "conllu")
text = open(sys.argv[2], encoding="utf-8").read()
open(sys.argv[3], "w", encoding="utf-8").write(pipeline.process(text, udpipe.ProcessingError()))
"""


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "headway", "-q", *map(str, words)]


def train(parts: dict[str, Path], model: Path) -> Cost:
    """Learn a pipeline with all processors, and print what it costs."""
    cost = measure(command("train", parts["train"], "--dev", parts["dev"], "--pipeline", "-o", model))
    size = model.stat().st_size / 2**20
    rows = [(f"{cost.seconds / 60:.1f}", f"{cost.cpu:.0f}", f"{cost.memory:.0f}", f"{size:.1f}")]
    print("\nTraining the pipeline\n")
    table(("minutes", "CPU s", "memory MiB", "model MiB"), rows)
    return cost


def udpipe_model(train: Path, folder: Path) -> Path:
    """A model of UDPipe of one iteration."""
    import ufal.udpipe as udpipe

    some = "".join(f"{sentence}\n" for sentence in islice(headway.read(train), SENTENCES))
    path = folder / "udpipe.model"
    path.write_bytes(trained_pipeline(udpipe, some, some, *QUICK).model)
    return path


def speed(model: Path, udpipe: Path, text: Path, words: int, runs: int, folder: Path) -> None:
    """Text to trees, whole commands with one thread; the time to begin, with a text of one word, is taken off."""
    short, parsed = folder / "short.txt", folder / "parsed.conllu"
    short.write_text("Dogs.\n")
    ways = {
        "headway": lambda given: command("parse", model, given, "-o", parsed),
        "UDPipe 1": lambda given: [sys.executable, "-c", UDPIPE, str(udpipe), str(given), str(parsed)],
    }
    rows, first = [], 0.0
    for name, way in ways.items():
        beginning, cost = best(way(short), runs), best(way(text), runs)
        net = cost.cpu - beginning.cpu
        first = first or net
        rows.append((name, f"{net:.2f}", f"{words / net:,.0f}", f"{net / first:.2f}", f"{cost.memory:.0f}"))
    print("\nText to trees, one thread, CPU seconds without starting and loading\n")
    table(("", "seconds", "words/s", "times headway", "memory MiB"), rows)


def tagger(parts: dict[str, Path], passes: int, runs: int) -> None:
    """Taggers alone on gold words, in one process and thread."""
    batches = [batch.bare for batch in batches_of(str(parts["test"]))]
    words, rows = sum(len(batch.word_line) for batch in batches), []
    for what, options in {"UPOS": {"gives": "UPOS"}, "UPOS, XPOS, FEATS": {}}.items():
        for before in ("", "pretagger"):
            given = {"stages": before} if before else {}
            parser = headway.train(str(parts["train"]), parser="tagger", passes=passes, **given, **options)
            times = []
            for _ in range(runs):
                started = time.process_time()
                for batch in batches:
                    parser.annotate(batch)
                times.append(time.process_time() - started)
            found = [parser.annotate(batch) for batch in batches]
            both = zip(batches, found, strict=True)
            pairs = (zip(gold.column("UPOS"), one.column("UPOS"), strict=True) for gold, one in both)
            right = sum(gold == one for pair in pairs for gold, one in pair)
            name = f"{what}{', after a first tagger' if before else ''}"
            rows.append((name, f"{100 * right / words:.2f}", f"{words / min(times):,.0f}"))
    print(f"\nTagger alone on gold words, one thread, {passes} passes\n")
    table(("columns", "UPOS right %", "words/s"), rows)


def memory(model: Path, text: bytes, megabytes: int, threads: int) -> None:
    """The memory that parsing text holds, for a tenth of it and for all."""
    rows = []
    for size in (max(1, megabytes // 10), megabytes):
        words = [*command("parse", model, "-", "--input", "text", "-o", os.devnull, "--threads", threads)]
        started = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.PIPE)
        assert process.stdin is not None
        times = -(-size * 10**6 // len(text))
        for _ in range(times):
            process.stdin.write(text)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status):
            sys.exit(f"{' '.join(words)}: exit {os.waitstatus_to_exitcode(status)}")
        seconds = time.perf_counter() - started
        rows.append((f"{times * len(text) / 1e6:.0f}", f"{usage.ru_maxrss / 1024:.0f}", f"{seconds:.0f}"))
    print(f"\nMemory of parsing text, {threads} threads\n")
    table(("MB of text", "memory MiB", "seconds"), rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--model", type=Path, help="a pipeline of that treebank; learned first where there is none")
    options.add_argument(
        "--udpipe", type=Path, help="a model of UDPipe; a small one is learned first where there is none"
    )
    options.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options.add_argument("--copies", type=int, default=4, help="the text of the test part is parsed so many times over")
    options.add_argument("--passes", type=int, default=5, help="passes of the taggers whose speed is measured")
    options.add_argument("--megabytes", type=int, default=20, help="size of the large text")
    options.add_argument("--threads", type=int, default=2, help="threads in the measurement of memory")
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    with scratch() as place:
        parts = {name: unpacked(treebank(chosen.treebank, name, folder), place) for name in ("train", "dev", "test")}
        model = chosen.model or place / "model"
        if "training" in chosen.only or not chosen.model:
            train(parts, model if not chosen.model else place / "model")
        text = "".join(running_text(headway.read(parts["test"])))
        words = sum(map(len, headway.read(parts["test"])))
        if "speed" in chosen.only:
            story = place / "story.txt"
            story.write_text(text * chosen.copies, "utf-8")
            udpipe = chosen.udpipe or udpipe_model(parts["train"], place)
            speed(model, udpipe, story, words * chosen.copies, chosen.runs, place)
        # before taggers are learned here: Linux counts the memory of whoever starts a command as the command's
        if "memory" in chosen.only:
            memory(model, text.encode(), chosen.megabytes, chosen.threads)
        if "tagger" in chosen.only:
            tagger(parts, chosen.passes, chosen.runs)


if __name__ == "__main__":
    main()
