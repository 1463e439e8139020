"""Dynamic features: what two words have when a parser joins their spans, each of them a candidate head and child.

Wang, Lin and Schuurmans (2007): as a candidate head, the number of children that a word has between the two and the tag
of the nearest of them to the other word; as a candidate child that is a preposition, tag and word of its first child.
Their CKY parser joins two finished spans before it knows which word becomes the head, so that it sees all of that for
both. All of it goes with the tags of both words, so that it fits into small tables. `boosted.decoder` says how trees
are found with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.kernels.features import templates
from headway.kernels.text import encode
from headway.parsers.boosted.linear import Keys, LinearModel

if TYPE_CHECKING:
    from headway.parsers.boosted.examples import Nodes

CLASSES = 3
COUNTS = 4
"""Numbers of children that are told apart: 0, 1, 2, and more."""
NO_TAG = np.uint64(0)
"""The tag of the child that a head does not have yet."""
SEEDS = {
    name: np.uint64(encode.key_of(name.encode())) for name in ("place", "children", "previous", "both", "tag", "word")
}


def mix(key: Keys | np.uint64, value: Keys | np.uint64) -> Keys:
    """Keys with values mixed in, as the keys of templates are."""
    keys, values = np.broadcast_arrays(key, value)
    mixed = np.empty(keys.shape, np.uint64)
    templates.mix_all(keys.ravel(), values.ravel(), mixed.reshape(-1))
    return mixed


def place(head: Keys, other: Keys, is_first: NDArray[np.bool_]) -> Keys:
    """The key of what every dynamic feature looks at; `mix` alone would not tell the head from the other."""
    return mix(mix(mix(SEEDS["place"], head), other), np.where(is_first, np.uint64(1), np.uint64(2)))


def state_keys(head: Keys, other: Keys, is_first: NDArray[np.bool_], children: NDArray[Any], previous: Keys) -> Keys:
    """The keys of the features of words as candidate heads of others, [3, …], from arrays that go together.

    `head` and `other` are tags, `is_first` says whether the head stands before the other word, and `previous` is the
    tag of the child that is nearest to the other word, NO_TAG where there is none.
    """
    base, count = place(head, other, is_first), np.minimum(children, COUNTS - 1).astype(np.uint64)
    return np.stack(
        np.broadcast_arrays(
            mix(mix(SEEDS["children"], base), count),
            mix(mix(SEEDS["previous"], base), previous),
            mix(mix(mix(SEEDS["both"], base), count), previous),
        )
    )


def child_keys(base: Keys, tags: Keys, forms: Keys) -> Keys:
    """The keys of the features of a preposition's first child, [2, …]; `base` is its `place`."""
    return np.stack(np.broadcast_arrays(mix(mix(SEEDS["tag"], base), tags), mix(mix(SEEDS["word"], base), forms)))


@dataclass(frozen=True, eq=False)
class StateKeys:
    """The keys of the features of all states that some sentences can come to, whatever the model."""

    rows: Ints
    tags: Ints
    states: Keys
    """[feature, tag of the head, tag of the other, direction, children, tag of the nearest]."""
    first_rows: Ints | None
    values: Ints | None
    first: Keys | None
    """[feature, tag of the head, tag of the preposition, direction, child]."""

    def under(self, model: LinearModel) -> dict[str, Any]:
        """The weights of all of them, as the fields of `decoder.Logits`."""
        size = self.states.shape[-1]
        states = model.sums(self.states, CLASSES).reshape(-1, COUNTS, size, CLASSES)
        found = {"rows": self.rows, "tags": self.tags, "states": states}
        if self.first is None:
            return found
        first = model.sums(self.first, CLASSES).reshape(-1, self.first.shape[-1], CLASSES)
        return {**found, "first_rows": self.first_rows, "values": self.values, "first": first}


def all_state_keys(nodes: Nodes, prepositions: Keys) -> StateKeys:
    """All states that the sentences can come to: once for each two tags and direction."""
    found, numbers = np.unique(nodes.tags, return_inverse=True)
    size = len(found)
    head, other, is_first = np.meshgrid(found, found, np.array([False, True]), indexing="ij")
    states = state_keys(
        *(head[..., None, None], other[..., None, None], is_first[..., None, None]),
        *(np.arange(COUNTS)[:, None], np.concatenate([[NO_TAG], found])[None, :]),
    )
    of_head, of_child, of_side = _cells(nodes, numbers)
    rows = ((of_head * size + of_child) * 2 + of_side).astype(np.int32)
    tags = (numbers[nodes.words] + 1).astype(np.int32)
    first_rows = values = first = None
    shown = np.flatnonzero(np.isin(found, prepositions))
    if len(shown):
        words = np.rec.fromarrays([nodes.tags[nodes.words], nodes.forms[nodes.words]])
        distinct, of_word = np.unique(words, return_inverse=True)
        values = (of_word + 1).astype(np.int32)
        none = np.array([NO_TAG])
        base = place(head[:, shown], other[:, shown], is_first[:, shown])
        first = child_keys(
            base[..., None], np.concatenate([none, distinct["f0"]]), np.concatenate([none, distinct["f1"]])
        )
        which = np.full(size, -1)
        which[shown] = np.arange(len(shown))
        first_rows = np.where(which[of_child] < 0, -1, (of_head * len(shown) + which[of_child]) * 2 + of_side).astype(
            np.int32
        )
    return StateKeys(rows, tags, states, first_rows, values, first)


def _cells(nodes: Nodes, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For each cell (head, child) of all sentences: the numbers of both tags, and whether the head stands first."""
    parts = []
    start = 0
    for length in np.diff(nodes.offsets) + 1:
        mine, at = numbers[start : start + length], np.arange(length)
        parts.append((np.repeat(mine, length), np.tile(mine, length), np.repeat(at, length) < np.tile(at, length)))
        start += length
    heads, children, sides = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return heads, children, sides.astype(np.int64)
