"""Output of a stage on text that it has not seen, for whoever learns from it: each part by what the others taught.

The trainings of the parts are independent, so that several run at once; what they come to does not depend on how many.
What each part came to is kept in a file, so that an interrupted run goes on with the parts that are missing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.stage_options import StageOptions
from headway.data.batch import Batch, Codes
from headway.data.sentence import Sentence
from headway.data.sources import digest_of, fold, rebatched, sentences_of
from headway.stages import model_file as model
from headway.stages.contract import PREDICTED
from headway.training.checkpoint import PARTS, identity_of, is_checkpoint
from headway.training.loop import TrainingLoop

logger = logging.getLogger("headway")
ENOUGH = 4
"""Passes for a part: what comes next learns as well from what more of them would predict."""
Columns = dict[str, list[list[str]]]
"""For each column the cells of each sentence of a part."""
OnProgress = Callable[[float], None]


def with_passes(options: StageOptions, passes: int | None, most: float = ENOUGH) -> StageOptions:
    """The options with so many passes, or `most`, where they say a number: dev has found how many are good."""
    able: Any = options
    said = isinstance(getattr(options, "passes", None), int)
    return replace(able, passes=int(min(passes, most))) if said and passes is not None else options


def jackknifed(
    options: StageOptions,
    data: Sequence[Batch],
    folds: int,
    *,
    workers: int = 1,
    path: Path | None = None,
    on_progress: OnProgress = lambda share: None,
) -> list[Batch]:
    """The same batches with a layer of what a stage predicts for each sentence that has not learned from it.

    Whoever learns from another stage's output learns from this: on text that the stage has seen, it makes too few
    mistakes. `folds` trainings, each without its fold, `workers` of them at once. `path` is a file of what has been
    found so far; `on_progress` is called with the share of the whole that is done.
    """
    sentences = sentences_of(data)
    kept = KeptParts(path, {**identity_of(options), "data": digest_of(data), "folds": folds})
    shares = [1.0 if number in kept.parts else 0.0 for number in range(folds)]
    stop = Event()

    def found(number: int) -> Columns:
        held_out, others = (list(rebatched(some)) for some in fold(sentences, number, folds))
        loop = TrainingLoop(options, others)
        planned = max(1, loop.training.planned)

        def report(step: int, share: float) -> None:
            shares[number] = min(1.0, (step - 1 + share) / planned)
            on_progress(sum(shares) / folds)

        loop.on_progress = report
        for _ in loop:
            if stop.is_set():
                return {}
        assert loop.best is not None
        annotated = sentences_of(map(loop.best.annotate, held_out))
        return {name: [sentence.column(name) for sentence in annotated] for name in sorted(loop.best.gives)}

    todo = [number for number in range(folds) if number not in kept.parts]
    _done_at_once(found, todo, workers, kept, stop)
    on_progress(1.0)
    return _layered(data, sentences, [kept.parts[number] for number in range(folds)])


def _done_at_once(
    found: Callable[[int], Columns], todo: Sequence[int], workers: int, kept: KeptParts, stop: Event
) -> None:
    """Work on several parts at a time, and keep each as it ends; an interruption waits for the steps under way."""
    with ThreadPoolExecutor(max(1, min(workers, len(todo)))) as pool:
        numbers: dict[Future[Columns], int] = {pool.submit(found, number): number for number in todo}
        waiting = set(numbers)
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in sorted(done, key=numbers.__getitem__):
                    kept.keep(numbers[one], one.result())
        except BaseException:
            stop.set()
            for one in waiting:
                one.cancel()
            raise


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
        self.parts: dict[int, Columns] = {} if path is None or not path.exists() else _read(path, identity)
        if self.parts:
            logger.warning("%s: going on with %d of %d parts", path, len(self.parts), identity["folds"])

    def keep(self, number: int, part: Columns) -> None:
        """Remember a part, and write all that are known."""
        self.parts[number] = part
        if self.path is None:
            return
        names, arrays = {}, {}
        for at, some in self.parts.items():
            for name, cells in some.items():
                column = coded([cell for one in cells for cell in one])
                names[f"{at}/{name}"], arrays[f"{at}/{name}"] = column.names, column.codes
                arrays[f"{at}/lengths"] = np.array([len(one) for one in cells], np.int32)
        try:
            model.write(self.path, {"kind": PARTS, "identity": self.identity, "names": names}, arrays)
        except HeadwayError as error:
            logger.warning("%s (the training goes on, but would repeat this after an interruption)", error)


def _read(path: Path, identity: dict[str, Any]) -> dict[int, Columns]:
    """The parts in a file; none where they are of another training. A file that is something else is refused."""
    header, arrays = model.read(path)
    if not is_checkpoint(header, PARTS):
        raise HeadwayError(f"{path}: this file has to make place for what is learned in parts; name another model")
    if header.get("identity") != identity:
        return {}
    parts: dict[int, Columns] = {}
    try:
        for place, names in header["names"].items():
            at, name = place.split("/")
            ends = np.cumsum(arrays[f"{at}/lengths"]).tolist()
            cells = [names[code] for code in arrays[place].tolist()]
            rows = [cells[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
            parts.setdefault(int(at), {})[name] = rows
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise HeadwayError(f"{path}: the file is damaged; start over with --restart (in Python resume=False)") from None
    return parts
