"""Trees of any parser under constraints: each that some tree has is obeyed, also where the parser's own cannot.

Where given arcs cross, some are lifted for a projective parser (Nivre and Nilsson 2005). They lift arcs of whole trees;
here most of the tree may be unknown: an arc between given ones is in no projective tree where it covers a word that its
head cannot be above. That is an end of an arc which crosses it, or the top of its own component, unless the given heads
lead from there to its head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import FormatError, HeadwayError, shown
from headway.data.batch import Batch
from headway.data.cells import given_head
from headway.stages.constraints import (
    Constraints,
    assure_constraints,
    contradiction,
    contradictory,
    is_possible,
    least_impossible,
    nearest,
    with_heads,
)
from headway.stages.tree_stage import Parsed

Heads = Mapping[int, int]
"""For some words their heads, 0 for the root."""
Numbers = NDArray[np.int64]


@runtime_checkable
class Constrained(Protocol):
    """A parser that can be told what its trees must be like; a capability beside the contract of stages."""

    @property
    def single_root(self) -> bool:
        """Whether its trees have one root."""

    def constrained(self, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
        """The tree of one sentence of a batch that obeys; None where none that it can build does."""


def obeyed(stage: object, batch: Batch, index: int, constraints: Constraints) -> tuple[Parsed, bool]:
    """The tree of one sentence that obeys constraints, and whether arcs were lifted and put back for it.

    Where the stage cannot build one, it parses with given arcs lifted, and if need be without the other constraints.
    The tree with most of the arcs found then, among all trees of any kind that obey, is the result.
    """
    if not isinstance(stage, Constrained):
        kind = getattr(stage, "kind", "stage")
        raise HeadwayError(f"a {kind} takes no constraints; our parsers do")
    first, last = map(int, batch.sentence_word[index : index + 2])
    source, line, size, single = batch.source, int(batch.numbers[index]), last - first, stage.single_root
    assure_constraints(constraints)
    constraints.assure_fits(size, f"{source}:{line}")
    if words := contradiction(constraints.required, single):
        required = {word: constraints.required[word] for word in words}
        raise FormatError(source, line, *contradictory(Constraints(required=required), size, single))
    found = stage.constrained(batch, index, constraints)
    if found is not None:
        return found, False
    if not is_possible(constraints, size, single):
        raise FormatError(source, line, *contradictory(least_impossible(constraints, size, single), size, single))
    heads, closing = lifted(constraints.required, single)
    labelled = Constraints(labels=constraints.labels)
    under_all = replace(constraints, required=heads, forbidden=[*constraints.forbidden, *closing])
    for less in (under_all, replace(labelled, required=heads), labelled):
        found = stage.constrained(batch, index, less) if found is None else found
    assert found is not None
    tree = nearest(found.heads, constraints, False, single)
    assert tree is not None
    return with_heads(found, tree), True


def lifted(required: Heads, single_root: bool) -> tuple[dict[int, int], list[tuple[int, int]]]:
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


def given_in(batch: Batch, index: int) -> Constraints:
    """The heads and labels that the cells of a sentence have, `_` apart."""
    first, last = map(int, batch.sentence_word[index : index + 2])
    bare = batch.bare
    required: dict[int, int] = {}
    labels: dict[int, str] = {}
    cells = zip(bare.column("HEAD", first, last), bare.column("DEPREL", first, last), strict=True)
    for word, (cell, label) in enumerate(cells, 1):
        line = int(batch.numbers[index]) + int(batch.word_line[first + word - 1] - batch.sentence_line[index])
        if cell not in ("_", ""):
            if not 0 <= (head := given_head(cell)) <= last - first or head == word:
                what = f"head {shown(cell)} of word {word} is not another word of the sentence"
                raise FormatError(
                    batch.source, line, what, "give its number, 0 for the root, or _ to have it filled in"
                )
            required[word] = head
        if label not in ("_", ""):
            labels[word] = label
    return Constraints(required=required, labels=labels)


def all_obeyed(
    stage: object, batch: Batch, wanted: Sequence[Constraints] | None, *, skip: bool = False
) -> tuple[Parsed, int, dict[int, HeadwayError]]:
    """The trees of all sentences of a batch, each under its constraints; None are the heads and labels of its cells.

    Also, for how many of them arcs were lifted. With `skip`, a sentence that no tree obeys is a fault, the last of the
    results, and gets no tree; without, it is an error.
    """
    names: dict[str, int] = {"_": 0}
    heads, labels = np.full(len(batch.word_line), -1, np.int32), np.zeros(len(batch.word_line), np.int32)
    crossed, faults = 0, {}
    for index in range(len(batch)):
        try:
            constraints = given_in(batch, index) if wanted is None else wanted[index]
            found, was_lifted = obeyed(stage, batch, index, constraints)
        except HeadwayError as error:
            if not skip:
                raise
            faults[index] = error
            continue
        own = [found.names[label] for label in found.labels]
        for word, name in constraints.labels.items():
            own[word - 1] = name
        span = slice(*batch.sentence_word[index : index + 2].tolist())
        heads[span], labels[span] = found.heads, [names.setdefault(name, len(names)) for name in own]
        crossed += was_lifted
    return Parsed(heads, labels, tuple(names)), crossed, faults
