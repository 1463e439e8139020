"""Given arcs, as heads of some words: which contradict each other, and lifting those that cross.

Nivre and Nilsson (2005) lift arcs of whole trees. Here most of the tree may be unknown: an arc between given ones is
in no projective tree where it covers a word that its head cannot be above. That is an end of an arc which crosses it,
or the top of its own component, unless the given heads lead from there to its head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

Heads = Mapping[int, int]
"""For some words their heads, 0 for the root."""
Arc = tuple[int, int]
"""A head and a word."""


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
    while (word := min(_misplaced(heads, single_root), default=None)) is not None:
        head = heads.pop(word[1])
        if head in heads:
            heads[word[1]] = heads[head]
        else:
            closing += [(below, head) for below in required if below != head and word[1] in _up(required, below)]
            closing += [(0, word[1])] if single_root else []
    return heads, closing


def _up(heads: Heads, word: int) -> Iterator[int]:
    """A word and all that given heads lead to from there."""
    yield word
    while word in heads:
        word = heads[word]
        yield word


def _misplaced(heads: Heads, single_root: bool) -> Iterator[Arc]:
    """The length and the word of each arc that cannot be in a projective tree with all others."""
    words, above = np.array(list(heads), np.int64), np.array(list(heads.values()), np.int64)
    left, right = np.minimum(words, above), np.maximum(words, above)
    # The left one of two arcs that cross covers the left end of the other, which covers the right end of that one.
    crossing = (left[:, None] < left) & (left < right[:, None]) & (right[:, None] < right)
    covered = [pair for one, two in np.argwhere(crossing) for pair in ((one, left[two]), (two, right[one]))]
    tops = [(number, list(_up(heads, head))[-1]) for number, head in enumerate(above.tolist())]
    covered += [(number, top) for number, top in tops if left[number] < top < right[number]]
    for number, inside in covered:
        head = int(above[number])
        if head and head not in _up(heads, int(inside)) and not (single_root and heads.get(head) == 0):
            yield int(right[number] - left[number]), int(words[number])
