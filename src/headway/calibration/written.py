"""Confidences in a batch: of words in MISC, of trees in comments.

They are written as `ArcConf=0.9312|LabelConf=0.8827` and `# parse_confidence = 0.4711`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Codes
from headway.calibration.additive import Doubles
from headway.calibration.calibrator import Confidences
from headway.cells import CONFIDENCE, TREE_CONFIDENCE
from headway.errors import HeadwayError

LAYER = "confidence"
STEPS = 10_000
"""A confidence is written with four digits; never as 0 or 1, which nobody can be."""
WRITTEN = tuple(f"{number / STEPS:.4f}" for number in range(STEPS))


def with_confidences(batch: Batch, found: Sequence[Confidences]) -> Batch:
    """The batch with a layer that says how sure its stages are; other things in MISC stay, earlier confidences go."""
    of_words = {target: chances for one in found for target, chances in one.words.items()}
    keys = {target: f"{target.capitalize()}{CONFIDENCE}=" for target in of_words}
    cells = batch.codes("MISC")
    kept = ["".join(f"{part}|" for part in _others(cell, tuple(keys.values()))) for cell in cells.names]
    pieces = [[kept[code] for code in cells.codes.tolist()]]
    for number, (target, chances) in enumerate(of_words.items()):
        names = _names(f"{'|' if number else ''}{keys[target]}")
        pieces.append([names[step] for step in steps_of(chances).tolist()])
    texts = tuple(map("".join, zip(*pieces, strict=True)))
    columns = {"MISC": Codes(np.arange(len(texts), dtype=np.int32), texts)}
    for one in found:
        if "arc" in one.words:
            steps, codes = np.unique(steps_of(one.sentences), return_inverse=True)
            texts = tuple(WRITTEN[step] for step in steps.tolist())
            columns[TREE_CONFIDENCE] = Codes(np.repeat(codes, np.diff(batch.sentence_word)).astype(np.int32), texts)
    return batch.with_layer(LAYER, columns=columns)


@lru_cache(maxsize=16)
def _names(beginning: str) -> tuple[str, ...]:
    """All confidences with what stands before them."""
    return tuple(f"{beginning}{text}" for text in WRITTEN)


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
