"""Features of word pairs: words as hashed nodes, what two words have already, and pairs as examples of three classes.

Dynamic features are about what two words have when a parser joins their spans, each of them a candidate head and child.
Wang, Lin and Schuurmans (2007): as a candidate head, the number of children that a word has between the two and the tag
of the nearest of them to the other word; as a candidate child that is a preposition, tag and word of its first child.
Their CKY parser joins two finished spans before it knows which word becomes the head, so that it sees all of that for
both. All of it goes with the tags of both words, so that it fits into small tables. `boosted.decoder` says how trees
are found with it.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.features.encode import Encoded
from headway.features.pairs import PairTemplates
from headway.kernels.features import lookup
from headway.kernels.features import pairs as kernel
from headway.kernels.features.templates import ROOT_KEY, mix_all
from headway.kernels.text.encode import key_of
from headway.parsers.boosted.linear import Keys, LinearModel, Longs

CLASSES = 3
COUNTS = 4
"""Numbers of children that are told apart: 0, 1, 2, and more."""
NO_TAG = np.uint64(0)
"""The tag of the child that a head does not have yet."""
SEEDS = {name: np.uint64(key_of(name.encode())) for name in ("place", "children", "previous", "both", "tag", "word")}
ROOT = np.uint64(ROOT_KEY)
"""The tag and the word of the root."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """What local models ask about some sentences."""

    table: kernel.PairTable
    offsets: Ints
    """Words of sentence s: offsets[s] : offsets[s + 1]."""
    words: Ints
    """The node of each word."""
    tags: Keys
    """Of each node."""
    forms: Keys


def nodes_of(templates: PairTemplates, encoded: Encoded, offsets: Ints, partitioned: bool) -> Nodes:
    """The nodes of sentences whose words have been encoded. Linear time."""
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    words = (np.arange(offsets[-1]) + sentence + 1).astype(np.int32)
    nodes = int(offsets[-1]) + len(lengths)
    position = np.zeros(nodes, np.int32)
    position[words] = np.arange(offsets[-1]) - offsets[sentence] + 1
    tags, forms = np.full(nodes, ROOT), np.full(nodes, ROOT)
    tags[words], forms[words] = encoded.keys[:, -2], encoded.keys[:, -1]
    hashes = np.empty((len(kernel.ROLE_NUMBERS), nodes, len(templates.seed)), np.uint64)
    kernel.hash_nodes(templates.start, templates.slot, templates.seed, encoded.keys, offsets, hashes)
    table = kernel.PairTable(templates.with_distance, templates.with_between, hashes, position, tags, partitioned)
    return Nodes(table, offsets, words, tags, forms)


def mix(key: Keys | np.uint64, value: Keys | np.uint64) -> Keys:
    """Keys with values mixed in, as the keys of templates are."""
    keys, values = np.broadcast_arrays(key, value)
    mixed = np.empty(keys.shape, np.uint64)
    mix_all(keys.ravel(), values.ravel(), mixed.reshape(-1))
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
    parts, start = [], 0
    for length in np.diff(nodes.offsets) + 1:
        mine, at = numbers[start : start + length], np.arange(length)
        parts.append((np.repeat(mine, length), np.tile(mine, length), np.repeat(at, length) < np.tile(at, length)))
        start += length
    heads, children, sides = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return heads, children, sides.astype(np.int64)


class ExamplesByFeature(NamedTuple):
    """Examples by their binary features: member[start[f] : start[f + 1]] have feature f, whose key is keys[f].

    The first feature is that of all examples. The others follow from frequent to rare, so that of features that are
    always together the more general one is the first to be learned.
    """

    start: Longs
    member: Ints
    keys: Keys
    target: Ints


class SeenInTrees(NamedTuple):
    """What dynamic features see in the trees of a treebank; [pair, 0] is about the first of its words."""

    children: Ints
    """How many a word has in between."""
    previous: Ints
    """Which of them is nearest to the other word, a node, or -1."""
    first_child: Ints
    """Of the second word its nearest child on the right; or else the nearest in between, a node, or -1."""


class PairExamples:
    """All pairs of nodes of a treebank, each an example; pairs of a part are learned together.

    With dynamic features an example shows what either of its words has when a parser joins their spans, whichever of
    them becomes the head: `seen`, by default that in the gold trees. Without, `prepositions` are None.
    """

    def __init__(self, nodes: Nodes, heads: Ints, prepositions: Keys | None = None, cutoff: int = 1) -> None:
        lengths = np.diff(nodes.offsets).astype(np.int64)
        count = int((lengths * (lengths + 1) // 2).sum())
        self.nodes, self.cutoff, self.prepositions = nodes, cutoff, prepositions
        self.first, self.second, self.target = (np.empty(count, np.int32) for _ in range(3))
        kernel.pairs_of(nodes.offsets, heads, self.first, self.second, self.target)
        self.seen = None if prepositions is None else self._seen_in(heads)
        parts = np.empty(count, np.uint64)
        nodes.table.parts(self.first, self.second, parts)
        _, which, sizes = np.unique(parts, return_inverse=True, return_counts=True)
        self.order = np.argsort(which, kind="stable").astype(np.int32)
        self.bounds = np.concatenate([[0], np.cumsum(sizes)])

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.first)

    @property
    def parts(self) -> int:
        """Number of parts."""
        return len(self.bounds) - 1

    def seen_as(self, heads: Ints) -> PairExamples:
        """The same pairs with the same classes, seen as in trees with other heads."""
        other = copy(self)
        other.seen = None if self.seen is None else self._seen_in(heads)
        return other

    def _seen_in(self, heads: Ints) -> SeenInTrees:
        """What is seen of all pairs in trees with these heads."""
        seen = SeenInTrees(*(np.empty((len(self), 2), np.int32) for _ in range(3)))
        kernel.states_of(self.nodes.offsets, heads, *seen)
        return seen

    def members(self, part: int) -> Ints:
        """The pairs of a part."""
        return self.order[self.bounds[part] : self.bounds[part + 1]]

    def columns(self, part: int) -> ExamplesByFeature:
        """The examples of a part."""
        pairs = self.members(part)
        return columns_of(*self.keys(pairs), self.target[pairs], self.cutoff)

    def keys(self, pairs: Ints) -> tuple[Longs, Keys]:
        """The keys of the features of some pairs: those of pairs[p] are keys[start[p] : start[p + 1]]."""
        first, second = self.first[pairs], self.second[pairs]
        counts = np.empty(len(pairs), np.int32)
        self.nodes.table.count(first, second, counts)
        shown = self.dynamic(pairs)
        start = np.concatenate([[0], np.cumsum(counts + (shown != 0).sum(axis=0), dtype=np.int64)])
        keys = np.empty(start[-1], np.uint64)
        self.nodes.table.write(first, second, start, keys)
        place_of = start[:-1] + counts
        for row in shown:
            there = row != 0
            keys[place_of[there]] = row[there]
            place_of += there
        return start, keys

    def dynamic(self, pairs: Ints) -> Keys:
        """The keys of dynamic features [feature, pair], of the first word and of the second; 0 where there is none."""
        seen = self.seen
        if seen is None:
            return np.empty((0, len(pairs)), np.uint64)
        tags, forms, prepositions = self.nodes.tags, self.nodes.forms, self.prepositions
        both, rows = (self.first[pairs], self.second[pairs]), []
        for number in (0, 1):
            mine, other = tags[both[number]], tags[both[1 - number]]
            is_first = np.full(len(pairs), number == 0)
            previous = _at(tags, seen.previous[pairs, number])
            rows.append(state_keys(mine, other, is_first, seen.children[pairs, number], previous))
            if prepositions is not None and len(prepositions):
                child = seen.first_child[pairs, number]
                keys = child_keys(place(other, mine, ~is_first), _at(tags, child), _at(forms, child))
                rows.append(np.where(np.isin(mine, prepositions), keys, np.uint64(0)))
        return np.concatenate(rows)


def _at(values: Keys, nodes: Ints) -> Keys:
    """The values of nodes, NO_TAG where there is none."""
    return np.where(nodes < 0, NO_TAG, values[nodes])


def columns_of(start: Longs, keys: Keys, target: Ints, cutoff: int = 1) -> ExamplesByFeature:
    """Examples with the features keys[start[e] : start[e + 1]], of which the first is the same for all, by features.

    Features that all examples have say nothing beside the first and are left out, as are those of less than `cutoff`.
    """
    numbers, distinct = np.empty(len(keys), np.int32), np.empty(len(keys), np.uint64)
    size = lookup.number(keys, numbers, distinct)
    counts = np.zeros(size, np.int64)
    lookup.tally(start, numbers, np.full(size, -1, np.int32), counts)
    order = np.argsort(-counts, kind="stable")
    kept = order[(counts[order] >= cutoff) & (counts[order] < len(target))]
    kept = np.concatenate([[0], kept[kept != 0]])
    column = np.full(size, -1, np.int32)
    column[kept] = np.arange(len(kept))
    starts = np.concatenate([[0], np.cumsum(counts[kept])]).astype(np.int64)
    member = np.empty(starts[-1], np.int32)
    lookup.columns(start, numbers, column, np.full(len(kept), -1, np.int32), starts[:-1].copy(), member)
    return ExamplesByFeature(starts, member, distinct[kept], np.ascontiguousarray(target))
