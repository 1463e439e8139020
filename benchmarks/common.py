"""What the benchmarks share: finding treebanks, running commands with their cost, printing tables."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from headway.show.reports.page import Table, markdown_table

VARIABLE = "HEADWAY_TREEBANKS"


@dataclass(frozen=True)
class Cost:
    """Wall-clock and processor seconds, and the largest resident memory in MiB."""

    seconds: float
    cpu: float
    memory: float


def treebanks(path: str | None = None) -> Path:
    """The folder of treebanks: given, or named by the environment."""
    folder = path or os.environ.get(VARIABLE)
    if not folder or not Path(folder).is_dir():
        sys.exit(f"{folder or VARIABLE}: no such folder; set {VARIABLE} to the folder of your treebanks")
    return Path(folder)


def treebank(name: str, part: str, folder: Path) -> Path:
    """One file of a treebank, `train`, `dev` or `test`."""
    found = sorted((folder / name).glob(f"{part}.conll*"))
    if not found:
        sys.exit(f"{folder / name}: no file {part}.conll*; the benchmark needs this treebank")
    return found[0]


def unpacked(packed: Path, folder: Path) -> Path:
    """The file as plain text."""
    target = folder / f"{packed.parent.name}-{packed.name.removesuffix('.gz')}"
    if not target.exists():
        with gzip.open(packed) as compressed, target.open("wb") as plain:
            shutil.copyfileobj(compressed, plain)
    return target


def measure(command: Sequence[str | Path], stdout: Path | None = None) -> Cost:
    """What a command costs, from its start to its end.

    Linux counts the memory of the caller at the time of the call as the command's own, so callers stay small:
    they copy and compare files in pieces.
    """
    with (stdout or Path(os.devnull)).open("wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def best(command: Sequence[str | Path], runs: int, stdout: Path | None = None) -> Cost:
    """The cheapest of several runs."""
    return min((measure(command, stdout) for _ in range(runs)), key=lambda cost: cost.seconds)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone at the end."""
    with tempfile.TemporaryDirectory(prefix="headway-benchmark-") as folder:
        yield Path(folder)


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print(markdown_table(Table("", tuple(header), [tuple(map(str, row)) for row in rows])))
