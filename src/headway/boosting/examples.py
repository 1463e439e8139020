"""The word pairs of a treebank as examples of three classes, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.boosting.dynamic import NO_TAG, State, child_keys, place, state_keys
from headway.boosting.nodes import Keys, Nodes
from headway.kernels import lookup
from headway.kernels import pairs as kernel

Longs = NDArray[np.int64]


class Columns(NamedTuple):
    """Examples by their binary features: member[start[f] : start[f + 1]] have feature f, whose key is keys[f].

    The first feature is that of all examples. The others follow from frequent to rare, so that of features that are
    always together the more general one is the first to be learned.
    """

    start: Longs
    member: Ints
    keys: Keys
    target: Ints


@dataclass(frozen=True, eq=False)
class Gold:
    """What the dynamic features of a treebank are in its trees."""

    children: Ints
    """[pair, which of the two is the head]: how many the head has in between."""
    previous: Ints
    """The same: which of them is nearest to the other, a node, or -1."""
    first_child: Ints
    """[node]: a node, or -1."""
    prepositions: Keys


def gold_of(nodes: Nodes, heads: Ints, pairs: int, prepositions: Keys) -> Gold:
    """The states of all pairs of a treebank."""
    children, previous = np.empty((pairs, 2), np.int32), np.empty((pairs, 2), np.int32)
    kernel.states_of(nodes.offsets, heads, children, previous)
    first_child = np.empty(len(nodes.tags), np.int32)
    kernel.first_children_of(nodes.offsets, heads, first_child)
    return Gold(children, previous, first_child, prepositions)


class Pairs:
    """All pairs of nodes of a treebank; pairs of a part are learned together.

    Without dynamic features a pair is one example. With them it is two, one for each of its words as the candidate
    head: the decoder scores a link by what its head has already, and knows nothing of what the other word has.
    """

    def __init__(self, nodes: Nodes, heads: Ints, prepositions: Keys | None = None, cutoff: int = 1) -> None:
        lengths = np.diff(nodes.offsets).astype(np.int64)
        count = int((lengths * (lengths + 1) // 2).sum())
        self.nodes, self.cutoff = nodes, cutoff
        self.first, self.second, self.target = (np.empty(count, np.int32) for _ in range(3))
        kernel.pairs_of(nodes.offsets, heads, self.first, self.second, self.target)
        self.gold = None if prepositions is None else gold_of(nodes, heads, count, prepositions)
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

    def members(self, part: int) -> Ints:
        """The pairs of a part, once for each example."""
        pairs = self.order[self.bounds[part] : self.bounds[part + 1]]
        return pairs if self.gold is None else np.concatenate([pairs, pairs])

    def columns(self, part: int) -> Columns:
        """The examples of a part."""
        pairs = self.order[self.bounds[part] : self.bounds[part + 1]]
        first, second = self.first[pairs], self.second[pairs]
        counts = np.empty(len(pairs), np.int32)
        self.nodes.table.count(first, second, counts)
        if self.gold is None:
            start = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
            keys = np.empty(start[-1], np.uint64)
            self.nodes.table.write(first, second, start, keys)
            return columns_of(start, keys, self.target[pairs], self.cutoff)
        views = [self._dynamic(pairs, first, second, self.gold, head) for head in (0, 1)]
        sizes = np.concatenate([counts + (view != 0).sum(axis=0) for view in views])
        start = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        keys = np.empty(start[-1], np.uint64)
        for head, view in enumerate(views):
            mine = start[head * len(pairs) : (head + 1) * len(pairs) + 1]
            self.nodes.table.write(first, second, mine, keys)
            place_of = mine[:-1] + counts
            for row in view:
                there = row != 0
                keys[place_of[there]] = row[there]
                place_of += there
        return columns_of(start, keys, np.tile(self.target[pairs], 2), self.cutoff)

    def _dynamic(self, pairs: Ints, first: Ints, second: Ints, gold: Gold, head: int) -> Keys:
        """The keys of dynamic features [feature, pair] for one of the words as the head; 0 where there is none."""
        tags, forms = self.nodes.tags, self.nodes.forms
        heads, others = (second, first) if head else (first, second)
        is_first = np.full(len(pairs), head == 0)
        state = State(
            tags[heads], tags[others], is_first, gold.children[pairs, head], _at(tags, gold.previous[pairs, head])
        )
        keys = state_keys(state)
        if not len(gold.prepositions):
            return keys
        child = gold.first_child[others]
        shown = child_keys(place(tags[heads], tags[others], is_first), _at(tags, child), _at(forms, child))
        return np.concatenate([keys, np.where(np.isin(tags[others], gold.prepositions), shown, np.uint64(0))])


def _at(values: Keys, nodes: Ints) -> Keys:
    """The values of nodes, NO_TAG where there is none."""
    return np.where(nodes < 0, NO_TAG, values[nodes])


def columns_of(start: Longs, keys: Keys, target: Ints, cutoff: int = 1) -> Columns:
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
    return Columns(starts, member, distinct[kept], np.ascontiguousarray(target))
