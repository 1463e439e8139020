"""Output of a stage on text that it has not seen, for whoever learns from it: each part by what the others taught.

The trainings of the parts are independent, so that several run at once; what they come to does not depend on how many.
What each part came to is kept in a file, so that an interrupted run goes on with the parts that are missing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from headway.base.stage_options import StageOptions
from headway.data.batch import Batch
from headway.data.layers import Codes
from headway.data.sentence import Sentence
from headway.data.sources import digest_of, fold, rebatched, sentences_of
from headway.stages.contract import PREDICTED, Packed, Stage
from headway.training.checkpoint import PARTS, identity_of, kept_in, write_kept
from headway.training.contract import Progress, unheard
from headway.training.loop import TrainingLoop
from headway.training.sizes import FULL

logger = logging.getLogger("headway")
ENOUGH = 4
"""Passes for a part: what comes next learns as well from what more of them would predict."""
VERSION = 2
"""Of the file of parts; parts in files of another version are learned anew."""
Columns = dict[str, list[list[str]]]
"""For each column the cells of each sentence of a part."""


def with_passes(options: StageOptions, passes: int | None, most: float = ENOUGH) -> StageOptions:
    """The options with so many passes, or `most`, where they say a number: dev has found how many are good."""
    able: Any = options
    said = isinstance(getattr(options, "passes", None), int)
    return replace(able, passes=int(min(passes, most))) if said and passes is not None else options


def uncut(options: StageOptions) -> StageOptions:
    """The options of a stage whose weights are not cut: what it says is the same, and nobody keeps it."""
    able: Any = options
    return replace(able, size=FULL) if hasattr(options, "size") else options


def jackknifed(
    options: StageOptions,
    data: Sequence[Batch],
    folds: int,
    *,
    workers: int = 1,
    path: Path | None = None,
    on_progress: Progress = unheard,
) -> list[Batch]:
    """The same batches with a layer of what a stage predicts for each sentence that has not learned from it.

    Whoever learns from another stage's output learns from this: on text that the stage has seen, it makes too few
    mistakes. `folds` trainings, each without its fold, `workers` of them at once. `path` is a file of what has been
    found so far; `on_progress` is called with the share of the whole that is done.
    """
    sentences = sentences_of(data)
    kept = KeptParts(path, {**identity_of(options), "data": digest_of(data), "folds": folds, "version": VERSION})
    shares = [1.0 if number in kept.parts else 0.0 for number in range(folds)]
    stop = Event()

    def found(number: int) -> Columns:
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        loop = TrainingLoop(uncut(options), others)
        planned = max(1, loop.training.planned)

        def report(step: int, share: float) -> None:
            shares[number] = min(1.0, (step - 1 + share) / planned)
            on_progress(sum(shares) / folds)

        loop.on_progress = report
        for _ in loop:
            if stop.is_set():
                return {}
        assert loop.best is not None
        return _predicted(loop.best, held_out)

    todo = [number for number in range(folds) if number not in kept.parts]
    with ThreadPoolExecutor(max(1, min(workers, len(todo)))) as pool:
        numbers = {pool.submit(found, number): number for number in todo}
        try:
            for one in as_completed(numbers):
                kept.keep(numbers[one], one.result())
        except BaseException:
            stop.set()  # the steps under way end first
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    on_progress(1.0)
    return _layered(data, sentences, [kept.parts[number] for number in range(folds)])


def by_others(learn: Callable[[list[Batch]], Stage], data: Sequence[Batch], folds: int) -> list[Batch]:
    """The same batches with a layer of what `learn(others)` predicts for each part."""
    sentences, parts = sentences_of(data), []
    for number in range(folds):
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        parts.append(_predicted(learn(others), held_out))
    return _layered(data, sentences, parts)


def _predicted(stage: Stage, batches: Sequence[Batch]) -> Columns:
    annotated = sentences_of(map(stage.annotate, batches))
    return {name: [sentence.column(name) for sentence in annotated] for name in sorted(stage.gives)}


def _layered(data: Sequence[Batch], sentences: Sequence[Sentence], parts: Sequence[Columns]) -> list[Batch]:
    """The batches with what was found of the sentences of each part."""
    whole: Columns = {}
    for number, part in enumerate(parts):
        for name, cells in part.items():
            whole.setdefault(name, [[] for _ in sentences])[number :: len(parts)] = cells
    layered, first = [], 0
    for batch in data:
        last = first + len(batch)
        columns = {name: coded([cell for some in cells[first:last] for cell in some]) for name, cells in whole.items()}
        heads = columns.pop("HEAD", None)
        numbers = None if heads is None else np.array([int(heads.names[code]) for code in heads.codes], np.int32)
        layered.append(batch.with_layer(PREDICTED, heads=numbers, columns=columns))
        first = last
    return layered


def coded(cells: Sequence[str]) -> Codes:
    """Strings as numbers of names."""
    names, codes = np.unique(np.array(cells, object), return_inverse=True) if cells else (np.empty(0), np.empty(0))
    return Codes(codes.astype(np.int32), tuple(names))


class KeptParts:
    """What the parts came to, in memory and, where there is a path, in a file that a later run goes on from."""

    def __init__(self, path: Path | None, identity: dict[str, Any]) -> None:
        self.path, self.identity = path, identity
        self.parts = kept_in(path, PARTS, "is learned in parts", self._read)
        if self.parts:
            logger.warning("%s: going on with %d of %d parts", path, len(self.parts), identity["folds"])

    def keep(self, number: int, part: Columns) -> None:
        """Remember a part, and write all that are known."""
        self.parts[number] = part
        if self.path is None:
            return
        arrays = {
            f"{at}/{name}": np.frombuffer("\n".join(map("\t".join, cells)).encode(), np.uint8)
            for at, some in self.parts.items()
            for name, cells in some.items()
        }
        header = {"kind": PARTS, "identity": self.identity}
        write_kept(self.path, header, arrays, "the training goes on, but would repeat this after an interruption")

    def _read(self, found: Packed) -> dict[int, Columns]:
        """The parts in a file; none where they are of another training."""
        parts: dict[int, Columns] = {}
        for place, text in found.arrays.items() if found.header.get("identity") == self.identity else ():
            at, name = place.split("/")
            lines = text.tobytes().decode().split("\n")
            parts.setdefault(int(at), {})[name] = [line.split("\t") if line else [] for line in lines]
        return parts
