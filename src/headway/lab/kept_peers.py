"""Peers that were trained before: their models in a folder, by what they were trained on, with what that cost.

Some peers train for an hour on a small treebank. `HEADWAY_PEERS` names a folder where their models are kept; a training
on the same files with the same options and the same version of the peer is then taken from there.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError
from headway.base.files import assure_folder, replacing

VARIABLE = "HEADWAY_PEERS"
MODEL, COST = ".model", ".json"


class PeerCost(NamedTuple):
    """What a training cost: seconds by the clock and of the processor, and MiB at most."""

    seconds: float
    cpu: float
    mib: float


class KeptPeer(NamedTuple):
    """The model of a training, its cost, and whether it was taken from the folder."""

    model: bytes
    cost: PeerCost
    taken: bool

    def described(self) -> dict[str, Any]:
        """For the journal: of a training that was done before, its costs then."""
        if not self.taken:
            return {}
        return {"training": round(self.cost.cpu, 2), "memory": int(self.cost.mib), "kept": True}


class Stopwatch:
    """The cost of what is done from here on."""

    def __init__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def cost(self) -> PeerCost:
        """Until now; memory is the most that this process ever had."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return PeerCost(time.perf_counter() - self._began[0], time.process_time() - self._began[1], peak)


def key_of(package: str, texts: Sequence[str], options: Mapping[str, Any]) -> str:
    """A name for a training: a digest of the package with its version, what it learns from, and its options."""
    digest = blake2b(digest_size=12)
    digest.update(json.dumps([package, metadata.version(package), dict(options)], sort_keys=True).encode())
    for text in texts:
        digest.update(blake2b(text.encode()).digest())
    return f"{package}-{digest.hexdigest()}"


def kept(key: str) -> KeptPeer | None:
    """The model that was kept under a key, None where there is none or no folder is named."""
    folder = os.environ.get(VARIABLE)
    if not folder or not Path(folder, key + COST).exists():
        return None
    try:
        cost = json.loads(Path(folder, key + COST).read_text("utf-8"))
        found = PeerCost(*(float(cost[name]) for name in PeerCost._fields))
        return KeptPeer(Path(folder, key + MODEL).read_bytes(), found, True)
    except (KeyError, OSError, TypeError, ValueError):
        what = f"{Path(folder, key)}: the peer that was kept here cannot be read"
        raise HeadwayError(f"{what}; remove both files, or name another folder in {VARIABLE}") from None


def keep(key: str, model: bytes, cost: PeerCost) -> KeptPeer:
    """Keep a model that was just trained, where a folder is named; the cost is written last."""
    folder = os.environ.get(VARIABLE)
    if folder:
        place = assure_folder(folder)
        for name, content in ((MODEL, model), (COST, json.dumps(cost._asdict()).encode())):
            with replacing(place / f"{key}{name}") as stream:
                stream.write(content)
    return KeptPeer(model, cost, False)
