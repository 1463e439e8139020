"""Every file of every treebank read and written back: are the bytes the same?

HEADWAY_TREEBANKS=… python benchmarks/roundtrip.py
"""

from __future__ import annotations

import argparse
import gzip
import time

from common import table, treebanks

import headway


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    folder = treebanks(options.parse_args().treebanks)
    rows = []
    for path in sorted(folder.glob("*/*.conll*.gz")):
        with gzip.open(path) as packed:
            content = packed.read()
        reader, start = headway.read(path), time.perf_counter()
        written = b"".join(batch.render(batch.format) for batch in reader.batches())
        seconds = time.perf_counter() - start
        name = f"{path.parent.name}/{path.name}"
        rows.append((name, reader.format, f"{len(content) / 1e6:.1f}", f"{seconds:.2f}", written == content))
    table(("file", "format", "MB", "seconds", "byte-exact"), rows)
    print(f"\n{sum(row[-1] is True for row in rows)} of {len(rows)} files came back byte for byte")


if __name__ == "__main__":
    main()
