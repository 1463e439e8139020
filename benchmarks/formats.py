"""Reading and writing a treebank: `headway convert` beside conllu and pyconll, whole commands in one run.

pip install '.[benchmark]'
HEADWAY_TREEBANKS=… python benchmarks/formats.py [--treebank ud-english-ewt] [--runs 3]
"""

from __future__ import annotations

import argparse
import filecmp
import sys

from common import best, scratch, table, treebank, treebanks, unpacked

CONLLU = """
import sys, conllu
with open(sys.argv[1], encoding="utf-8") as source, open(sys.argv[2], "w", encoding="utf-8") as target:
    for sentence in conllu.parse_incr(source):
        target.write(sentence.serialize())
"""
PYCONLL = """
import sys, pyconll
with open(sys.argv[2], "w", encoding="utf-8") as target:
    for sentence in pyconll.iter_from_file(sys.argv[1]):
        target.write(sentence.conll())
        target.write("\\n\\n")
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    packed = treebank(chosen.treebank, "train", treebanks(chosen.treebanks))
    with scratch() as folder:
        source = unpacked(packed, folder)
        size = source.stat().st_size
        commands = {
            "headway": [sys.executable, "-m", "headway", "convert", source, "-o", folder / "headway"],
            "headway, to conllx": [
                *(sys.executable, "-m", "headway", "convert", "-q", source),
                *("--to", "conllx", "-o", folder / "conllx"),
            ],
            "pyconll": [sys.executable, "-c", PYCONLL, source, folder / "pyconll"],
            "conllu": [sys.executable, "-c", CONLLU, source, folder / "conllu"],
        }
        costs = {name: best(command, chosen.runs) for name, command in commands.items()}
        same = {
            name: "yes" if (folder / name).exists() and filecmp.cmp(folder / name, source, shallow=False) else "no"
            for name in commands
        }
        ours = costs["headway"].seconds
        print(f"read and write {chosen.treebank} train, {size / 1e6:.1f} MB, best of {chosen.runs}:\n")
        table(
            ("tool", "seconds", "MB/s", "times headway", "memory MiB", "byte-exact"),
            [
                (
                    *(name, f"{cost.seconds:.2f}", f"{size / 1e6 / cost.seconds:.0f}"),
                    *(f"{cost.seconds / ours:.1f}", f"{cost.memory:.0f}", same[name]),
                )
                for name, cost in costs.items()
            ],
        )


if __name__ == "__main__":
    main()
