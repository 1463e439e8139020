"""Canaries: what the options of a result give on a small generated treebank, as a hash; and what made a result.

A result is stale if its canary is another one today, and only then: a change that keeps what is computed, such as
a renaming, keeps all canaries.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import Any

from headway.base.version import __version__
from headway.data.formats.reading import read
from headway.data.formats.writing import write
from headway.discovery.discover import discovery_from
from headway.lab.measuring import parsing_of, raw_text
from headway.lab.peers import PEERS
from headway.lab.recipe import Source
from headway.lab.tasks import AROUND, DEV, TrainingTask, training_of
from headway.lab.tested_parsers import Trained, train_and_use
from headway.runs.engines import CommandEngine
from headway.runs.journal import JOURNAL, Record, records
from headway.stages import model_file as model

TREEBANK = Path(__file__).parent / "canary.conllu.xz"
"""What `headway sample -n 100 --nonprojective 0.2` once was: all canaries would change with it."""
PARTS = {"train": slice(60), DEV: slice(60, 80), "test": slice(80, 100)}
"""Which sentences of it belong to each part."""
SHORT = {"beam": 2, "generations": 2, "least": 3}
"""A search of a second or two, whatever its options say."""
PACKAGES = {"udpipe": "ufal.udpipe", "udpipe-pipeline": "ufal.udpipe"}
"""The distributions of peers that have another name than the peer."""


def canary_of(task: TrainingTask) -> str | None:
    """The hash of trees and weights that the options of a task give; of a peer its version, None if it is not here."""
    peer = str(task.options.get("parser"))
    if peer in PEERS:
        package = PACKAGES.get(peer, peer)
        with suppress(metadata.PackageNotFoundError):
            return f"{package} {metadata.version(package)}"
        return None
    return _trained_canary(json.dumps([dict(task.options), task.text, task.confidence]))


def is_changed(record: Record, canary: str | None) -> bool:
    """Whether a result has another canary, or none, which older journals lack; of a peer that is not here, never."""
    return canary is not None and record.get("canary") != canary


@cache
def _trained_canary(asked: str) -> str:
    options, text, confidence = json.loads(asked)
    task = TrainingTask(
        treebank="", source=Source(), options=options, on="test", seed=1, text=text, confidence=confidence
    )
    with tempfile.TemporaryDirectory(prefix="headway-canary-") as place:
        folder = Path(place)
        files = {part: _written(part, folder) for part in PARTS}
        given = raw_text(files["test"]) if task.text else files["test"]
        around = {name: task.options[name] for name in AROUND if name in task.options}
        options = {**training_of(task.options), **around, "seed": 1}
        if DEV in options:
            options[DEV] = str(files[DEV])
        digest = blake2b(digest_size=8)

        def use(found: Trained) -> None:
            parsing_of(found.parser, task)(given, folder / "parsed")
            digest.update((folder / "parsed").read_bytes())
            found.parser.save(folder / "model")

        train_and_use(files["train"], options, use, confidence=task.confidence)
        # The arrays of a model with their names and shapes; its header has words, which may change.
        for name, array in sorted(model.read(folder / "model").arrays.items()):
            digest.update(f"{name} {array.dtype} {array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


def canary_of_search(options: Mapping[str, Any]) -> str:
    """The hash of what a short search with these options measures."""
    return _searched_canary(json.dumps(dict(options)))


@cache
def _searched_canary(asked: str) -> str:
    options = json.loads(asked)
    with tempfile.TemporaryDirectory(prefix="headway-canary-") as place:
        folder = Path(place)
        train, test = _written("train", folder), _written("test", folder)
        search = discovery_from(str(train), test=str(test), output=folder / "found", **{**options, **SHORT})
        for _ in search.run(CommandEngine(1)):
            pass
        measured = records(search.folder / JOURNAL, "search")[1:]
    # Two runs measure times differently.
    untimed = [{name: value for name, value in record.items() if name != "seconds"} for record in measured]
    return blake2b(json.dumps(untimed, sort_keys=True).encode(), digest_size=8).hexdigest()


def _written(part: str, folder: Path) -> Path:
    """A part of the treebank as a file."""
    path = folder / f"{part}.conllu"
    write(list(read(TREEBANK))[PARTS[part]], path)
    return path


SOURCES = Path(__file__).parents[1]


@cache
def made_by() -> Record:
    """For the journal; without a commit where headway is not in a git checkout."""
    commit = _git("log", "-1", "--format=%h", "--", ".")  # With + where files differ from it.
    commit += "+" if commit and _git("status", "--porcelain", "--", ".") else ""
    path = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*:\s*(.+)$", path.read_text("utf-8"), re.MULTILINE) if path.exists() else None
    machine = f"{named[1] if named else platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    known = {"version": __version__, "commit": commit, "machine": machine}
    return {name: value for name, value in known.items() if value}


def described(record: Record) -> str:
    """What made the result of a record, as the page says it; older journals lack some of it."""
    version = f"headway {record['version']}" if "version" in record else "headway (version not recorded)"
    if "machine" not in record:
        return f"{version} (commit and machine not recorded)"
    commit = f" at commit {record['commit']}" if "commit" in record else ""
    return f"{version}{commit} on {record['machine']}"


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=SOURCES, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
