"""Given arcs, as heads of some words: which contradict each other, and lifting those that cross.

Nivre and Nilsson (2005) lift arcs of whole trees. Here most of the tree may be unknown: an arc between given ones is
in no projective tree where it covers a word that its head cannot be above. That is an end of an arc which crosses it,
or the top of its own component, unless the given heads lead from there to its head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Heads = Mapping[int, int]
"""For some words their heads, 0 for the root."""
Arc = tuple[int, int]
"""A head and a word."""
Numbers = NDArray[np.int64]


def contradiction(required: Heads, single_root: bool) -> list[int]:
    """The words of a cycle, or two roots where there is one only; none where a tree has all of these arcs. O(n)."""
    done: set[int] = set()
    for word in required:
        path: dict[int, int] = {}
        at = word
        while at in required and at not in done and at not in path:
            path[at] = len(path)
            at = required[at]
        if at in path:
            cycle = list(path)[path[at] :]
            first = cycle.index(min(cycle))
            return cycle[first:] + cycle[:first]
        done |= path.keys()
    roots = [word for word, head in required.items() if head == 0]
    return sorted(roots)[:2] if single_root and len(roots) > 1 else []


def lifted(required: Heads, single_root: bool) -> tuple[dict[int, int], list[Arc]]:
    """Heads that some projective tree has, and arcs that would close a cycle when all words get their own heads again.

    While an arc is in no projective tree with the others, the word of the shortest (the leftmost word of several) moves
    to its head's head; where nobody has given that, the word is free. O(n²) and the crossing pairs for every move.
    """
    heads, closing = dict(required), []
    while (word := _misplaced(heads, single_root)) is not None:
        head = heads.pop(word)
        if head in heads:
            heads[word] = heads[head]
        else:
            closing += [(below, head) for below in required if below != head and word in _up(required, below)]
            closing += [(0, word)] if single_root else []
    return heads, closing


def _up(heads: Heads, word: int) -> Iterator[int]:
    """A word and all that given heads lead to from there."""
    yield word
    while word in heads:
        word = heads[word]
        yield word


def _misplaced(heads: Heads, single_root: bool) -> int | None:
    """The word of the shortest arc that cannot be in a projective tree with all others; None where there is none."""
    words, above = np.array(list(heads), np.int64), np.array(list(heads.values()), np.int64)
    left, right = np.minimum(words, above), np.maximum(words, above)
    # The left one of two arcs that cross covers the left end of the other, which covers the right end of that one.
    one, two = np.nonzero((left[:, None] < left) & (left < right[:, None]) & (right[:, None] < right))
    first, last, top = _numbered(heads)
    own = np.flatnonzero((left < top[above]) & (top[above] < right))
    arcs, inside = np.concatenate([one, two, own]), np.concatenate([left[two], right[one], top[above[own]]])
    head = above[arcs]
    below = (first[head] <= first[inside]) & (first[inside] <= last[head])
    if single_root:
        below |= np.isin(head, words[above == 0])
    wrong = arcs[(head > 0) & ~below]
    return int(words[wrong[np.lexsort((words[wrong], (right - left)[wrong]))[0]]]) if len(wrong) else None


def _numbered(heads: Heads) -> tuple[Numbers, Numbers, Numbers]:
    """The number of each node from the top down, the last number below it, and the top that given heads lead to."""
    children: dict[int, list[int]] = {}
    for word, head in heads.items():
        children.setdefault(head, []).append(word)
    size = max((0, *heads, *heads.values())) + 1
    first, last, top = (np.zeros(size, np.int64) for _ in range(3))
    order: list[int] = []
    for start in children.keys() - heads.keys():
        agenda = [start]
        while agenda:
            node = agenda.pop()
            first[node], top[node] = len(order), start
            order.append(node)
            agenda += children.get(node, ())
    last[:] = first
    for node in reversed(order):
        if node in heads:
            last[heads[node]] = max(last[heads[node]], last[node])
    return first, last, top
