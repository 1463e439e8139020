"""The case that did not fit in Haulrich (2010): 16 million features × 800 classes, learned by CW within 8 GiB.

    python benchmarks/large.py [--sentences 220000] [--labels 640] [--passes 2]

The treebank is generated, and the training runs under a limit of its address space.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from common import measure, scratch, table

LIMITED = """
import resource, runpy, sys
limit = int(sys.argv[1]) << 30
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sys.argv = ["headway", *sys.argv[2:]]
runpy.run_module("headway", run_name="__main__")
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sentences", type=int, default=220_000)
    options.add_argument("--labels", type=int, default=640)
    options.add_argument("--passes", type=int, default=2)
    options.add_argument("--limit", type=int, default=8, help="GiB of address space")
    chosen = options.parse_args()
    with scratch() as folder:
        treebank, model = folder / "large.conllu", folder / "large.headway"
        sample = [sys.executable, "-m", "headway", "sample", "-n", chosen.sentences, "--labels", chosen.labels]
        generating = measure([*map(str, sample), "--seed", "1", "-o", str(treebank)])
        words = ["train", str(treebank), "-o", str(model), "--learner", "cw", "--features", "malt-14+pairs"]
        words += ["--passes", str(chosen.passes), "--explore", "0"]
        training = measure([sys.executable, "-c", LIMITED, str(chosen.limit), *words])
        told = subprocess.run(
            [sys.executable, "-m", "headway", "info", str(model), "--json"], check=True, capture_output=True, text=True
        )
        [header] = json.loads(told.stdout)
        about, classes = header["about"], len(header["transitions"])
        table(
            ("words", "features", "classes", "weights if dense", "weights", "GiB at most", "minutes"),
            [
                (
                    *(f"{about['words']:,}", f"{about['features']:,}", f"{classes:,}"),
                    *(f"{about['features'] * classes:,}", f"{about['weights']:,}"),
                    *(f"{training.memory / 1024:.2f}", f"{training.seconds / 60:.1f}"),
                )
            ],
        )
        print(f"\nthe treebank of {treebank.stat().st_size / 1e6:.0f} MB was generated in {generating.seconds:.0f} s")


if __name__ == "__main__":
    main()
