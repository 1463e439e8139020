"""Fewer or more labels than the grammar's own: relations merged into `dep`, or divided by the words they relate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from headway.base.errors import HeadwayError
from headway.data.sample.derivation import WordNode

Key = tuple[str, str, str, str]
"""What a label may depend on: relation, preposition, kind of the dependent, kind of the head."""


def key_of(node: WordNode) -> Key:
    """All that the finest label of a word says."""
    return node.relation, node.preposition, node.kind.name, node.head.kind.name


def levels(key: Key) -> Iterator[tuple[str, bool]]:
    """The labels of a word from coarse to fine, each with whether it is finer than the grammar's own.

    `dep`, `nsubj`, `nsubj:pass`, `nsubj:passtool`, `nsubj:passtoolmake`; with a preposition `obl:with`, ….
    """
    relation, preposition, *kinds = key
    if relation == "root":
        yield relation, False
        return
    universal, colon, _ = relation.partition(":")
    yield "dep", False
    yield universal, False
    if colon:
        yield relation, False
    label = relation if colon else f"{relation}:"
    for part in (preposition.replace("-", ""), *kinds):
        if part:
            label += part
            yield label, True


class Labels(dict[Key, str]):
    """A set of `size` labels: what is frequent in a pilot sample gets its own, the grammar's own labels first.

    Starts from `dep` and time and again gives the most frequent finer label its own place, so that the sets of
    two sizes are nested. O(k log k) for k different labels in the pilot sample.
    """

    def __init__(self, size: int, pilot: Iterable[Key]) -> None:
        super().__init__()
        counts: Counter[str] = Counter()
        parent: dict[str, str] = {}
        is_finer: dict[str, bool] = {}
        for key, count in Counter(pilot).items():
            above = ""
            for label, finer in levels(key):
                counts[label] += count
                parent.setdefault(label, above)
                is_finer[label] = finer
                above = label
        self.names = _divided(size, counts, parent, is_finer)

    def __missing__(self, key: Key) -> str:
        self[key] = made = [label for label, _ in levels(key) if label in self.names][-1]
        return made

    def __call__(self, node: WordNode) -> str:
        """The label of a word."""
        return self[key_of(node)]


def _divided(size: int, counts: Counter[str], parent: dict[str, str], is_finer: dict[str, bool]) -> set[str]:
    """The chosen labels; one that would leave a coarser one without words is left out, and that one has its words."""
    rest = Counter({label: counts[label] for label in ("root", "dep")})
    used = len(rest)
    # A parent is never rarer than its children and never finer, so this order meets parents first.
    for label in sorted(parent, key=lambda label: (is_finer[label], -counts[label], len(label), label)):
        if label in rest:
            continue
        above = parent[label]
        while above not in rest:
            above = parent[above]
        left = rest[above] - counts[label]
        if left and used == size:
            break
        if left or not is_finer[label]:
            rest[label], rest[above] = counts[label], left
            used += left > 0
    if used != size:
        raise HeadwayError(f"{size} labels are asked for; give a number from 2 to {used}")
    return set(+rest)
