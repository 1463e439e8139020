"""Confidences in a batch: of words in MISC, of trees in comments.

They are written as `UposConf=0.9904|ArcConf=0.9312|LabelConf=0.8827` and `# parse_confidence = 0.4711`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Codes
from headway.data.cells import CONFIDENCE, TREE_CONFIDENCE
from headway.stages.calibration.additive import Doubles
from headway.stages.calibration.calibrator import Confidences

LAYER = "confidence"
STEPS = 10_000
"""A confidence is written with four digits; never as 0 or 1, which nobody can be."""
ABOUT = {
    "arc": frozenset({"HEAD"}),
    "label": frozenset({"HEAD", "DEPREL"}),
    "upos": frozenset({"UPOS"}),
    "tags": frozenset({"UPOS", "XPOS", "FEATS"}),
}
"""The columns that each kind of confidence speaks of."""
Texts = NDArray[np.object_]
WRITTEN = tuple(f"{number / STEPS:.4f}" for number in range(STEPS))


def with_confidences(batch: Batch, found: Sequence[Confidences]) -> Batch:
    """The batch with a layer that says how sure its stages are; other things in MISC stay, earlier confidences go."""
    of_words = {target: chances for one in found for target, chances in one.words.items()}
    if not of_words:
        return batch
    keys = {target: f"{target.capitalize()}{CONFIDENCE}=" for target in of_words}
    texts = _kept(batch, tuple(keys.values()))
    for number, (target, chances) in enumerate(of_words.items()):
        texts = texts + _names(f"{'|' if number else ''}{keys[target]}")[steps_of(chances)]
    columns = {"MISC": Codes(np.arange(len(texts), dtype=np.int32), tuple(texts.tolist()))}
    for one in found:
        if "arc" in one.words:
            steps, codes = np.unique(steps_of(one.sentences), return_inverse=True)
            written = tuple(WRITTEN[step] for step in steps.tolist())
            columns[TREE_CONFIDENCE] = Codes(np.repeat(codes, np.diff(batch.sentence_word)).astype(np.int32), written)
    return batch.with_layer(LAYER, columns=columns)


def without_confidences(batch: Batch, given: Collection[str]) -> Batch:
    """The batch without what its input says of how sure somebody was of columns that are given anew."""
    targets = [target for target, columns in ABOUT.items() if not columns.isdisjoint(given)]
    keys = tuple(f"{target.capitalize()}{CONFIDENCE}=" for target in targets)
    told = any("MISC" in layer.columns for layer in batch.layers) or any(key.encode() in batch.text for key in keys)
    if not told or batch.format.index("MISC") < 0:
        return batch
    texts = tuple(text.removesuffix("|") or "_" for text in _kept(batch, keys).tolist())
    columns = {"MISC": Codes(np.arange(len(texts), dtype=np.int32), texts)}
    if "arc" in targets:
        columns[TREE_CONFIDENCE] = Codes(np.zeros(len(texts), np.int32), ("",))
    return batch.with_layer(LAYER, columns=columns)


def _kept(batch: Batch, keys: tuple[str, ...]) -> Texts:
    """What MISC says of each word beside confidences with these keys, a bar behind each part."""
    cells = batch.codes("MISC")
    kept = ["".join(f"{part}|" for part in _others(cell, keys)) for cell in cells.names]
    return np.array(kept, object)[cells.codes]


@lru_cache(maxsize=16)
def _names(beginning: str) -> Texts:
    """All confidences with what stands before them."""
    names = np.array([f"{beginning}{text}" for text in WRITTEN], object)
    names.setflags(write=False)
    return names


def steps_of(chances: Doubles) -> NDArray[np.int64]:
    """Probabilities as whole numbers of steps."""
    return np.clip(np.rint(np.nan_to_num(chances) * STEPS), 1, STEPS - 1).astype(np.int64)


def _others(cell: str, keys: tuple[str, ...]) -> list[str]:
    """What a cell of MISC says beside confidences."""
    return [] if cell in ("_", "") else [part for part in cell.split("|") if not part.startswith(keys)]


def assure_place(batch: Batch) -> None:
    """Refuse a format that has nowhere to write confidences."""
    if batch.format.index("MISC") < 0 or not batch.format.comments:
        raise HeadwayError(
            f"{batch.source}: {batch.format.title} has no place for confidences and comments; make CoNLL-U of it with"
            " `headway convert` first"
        )
