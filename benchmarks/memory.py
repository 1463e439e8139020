"""The memory that parsing holds, for a million words and for many: a treebank is sent to it again and again.

HEADWAY_TREEBANKS=… python benchmarks/memory.py [--millions 50] [--model MODEL]
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import time
from pathlib import Path

from common import measure, scratch, table, treebank, treebanks


def cost_of(model: Path, text: bytes, times: int, threads: int) -> tuple[float, float]:
    """Seconds and the largest resident memory in MiB."""
    words = [sys.executable, "-m", "headway", "parse", str(model), "-", "-o", os.devnull, "--threads", str(threads)]
    started = time.perf_counter()
    process = subprocess.Popen(words, stdin=subprocess.PIPE)
    assert process.stdin is not None
    for _ in range(times):
        process.stdin.write(text)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(words)}: exit {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--model", type=Path, help="a parser of that treebank; learned first where there is none")
    options.add_argument("--millions", type=int, default=50, help="words of the long run, in millions")
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    source = treebank(chosen.treebank, "train", treebanks(chosen.treebanks))
    with scratch() as place:
        model = chosen.model or place / "model"
        if not chosen.model:
            measure([sys.executable, "-m", "headway", "train", "-q", source, "-o", model])
        with gzip.open(source) as packed:
            text = packed.read()
        words = sum(line[:1].isdigit() and line.partition(b"\t")[0].isdigit() for line in text.splitlines())
        rows = []
        for millions in (1, chosen.millions):
            times = -(-millions * 1_000_000 // words)
            seconds, memory = cost_of(model, text, times, chosen.threads)
            rows.append((f"{times * words:,}", f"{memory:.0f}", f"{times * words / seconds:,.0f}"))
    table(("words", "memory MiB", "words/s"), rows)


if __name__ == "__main__":
    main()
