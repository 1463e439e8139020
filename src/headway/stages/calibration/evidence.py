"""What speaks for a result being right: margins and the like of the stage, and what the sentence looks like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.data.layers import Codes, Ints
from headway.kernels.text.encode import key_of

Floats = NDArray[np.float32]
LABELS, TAGS = 48, 24
"""Into how many kinds labels and tags fall, by their hashes: a model keeps no text."""


class Evidence(NamedTuple):
    """Columns by their names, one entry for each word, or for each sentence.

    Numbers may be infinite; the first of a stage's own tells most. Groups are kinds of words that may be right more or
    less often, numbered from 0 and always in the same way.
    """

    numbers: Mapping[str, Floats]
    groups: Mapping[str, Ints]


def joined(parts: Iterable[Evidence]) -> Evidence:
    """The evidence of several batches, one after the other."""
    listed = list(parts)
    return Evidence(
        {name: np.concatenate([one.numbers[name] for one in listed]) for name in listed[0].numbers},
        {name: np.concatenate([one.groups[name] for one in listed]) for name in listed[0].groups},
    )


def tree_evidence(batch: Batch, own: Evidence) -> Evidence:
    """What a parser knows of the arcs of a batch, and what can be seen of its trees. Linear time."""
    offsets, heads = batch.sentence_word, batch.heads
    lengths = np.diff(offsets)
    first, length = np.repeat(offsets[:-1], lengths), np.repeat(np.log2(lengths + 1), lengths)
    places = np.arange(len(heads))
    position = places - first + 1
    rooted = heads == 0
    head_place = np.where(rooted, places, first + heads - 1)
    main = next(iter(own.numbers.values()))
    around = np.concatenate([[np.inf], main, [np.inf]]).astype(np.float32)
    at_end = places == np.repeat(offsets[1:] - 1, lengths)
    distance = np.where(rooted, 0.0, np.log2(np.maximum(1, np.abs(heads - position))))
    tags = kinds_of(batch.codes("UPOS"), TAGS)
    infinite = np.float32(np.inf)
    return Evidence(
        {
            **own.numbers,
            "length": length.astype(np.float32),
            "distance": distance.astype(np.float32),
            "head": np.where(rooted, infinite, main[head_place]),
            "before": np.where(position == 1, infinite, around[places]),
            "after": np.where(at_end, infinite, around[places + 2]),
        },
        {
            **own.groups,
            "direction": np.where(rooted, 0, np.where(heads < position, 1, 2)).astype(np.int32),
            "deprel": kinds_of(batch.codes("DEPREL"), LABELS),
            "tag": tags,
            "head tag": np.where(rooted, TAGS, tags[head_place]).astype(np.int32),
        },
    )


def kinds_of(column: Codes, kinds: int) -> Ints:
    """A column as numbers below `kinds`."""
    numbers = [(key_of(name.encode()) >> 20) % kinds for name in column.names]
    return np.array(numbers or [0], np.int32)[column.codes]
