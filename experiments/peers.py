"""Models of peers that were trained elsewhere, put where recipes find them.

    HEADWAY_PEERS=kept python experiments/peers.py keep TREEBANKS/ud-czech-cltt czech.udpipe czech.json

keeps a model that UDPipe 1 has trained by its defaults on train and dev of that folder; the JSON file has `seconds`,
`cpu` and `mib`, what the training cost. `headway experiment run text` then takes it instead of training again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from headway.data.formats.reading import read
from headway.lab.peers import COSTS, VARIABLE, KeptPeer, keep, key_of


def text_of(folder: Path, part: str) -> str:
    """A part of a treebank as recipes give it to peers."""
    [path] = sorted(folder.glob(f"{part}.conllu*"))
    return "".join(batch.render(batch.format).decode() for batch in read(path).batches())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("action", choices=["keep"])
    options.add_argument("treebank", type=Path)
    options.add_argument("model", type=Path)
    options.add_argument("cost", type=Path)
    chosen = options.parse_args()
    if not os.environ.get(VARIABLE):
        sys.exit(f"no folder is named; set {VARIABLE}")
    cost = json.loads(chosen.cost.read_text("utf-8"))
    texts = [text_of(chosen.treebank, "train"), text_of(chosen.treebank, "dev")]
    key = key_of("ufal.udpipe", texts, {"tokenizer": "", "tagger": "", "parser": ""})
    keep(key, KeptPeer(chosen.model.read_bytes(), *(float(cost[name]) for name in COSTS)))
    print(f"{chosen.model}: kept as {key}")


if __name__ == "__main__":
    main()
