"""Trees from logits of word pairs that also see what both words have already: arrays of many sentences in, heads out.

A pair of nodes a < b (node 0 is the root) has three classes: NONE, LEFT (b is the head), RIGHT (a is the head). A link
scores the logarithm of its class' probability, the softmax of the sum of these logits:

* `static`, those of the pair;
* `states`, for each of the two by how many children it has in between, and by the tag of the outermost of them;
* `first`, for each of the two that shows it by its first child: of b the nearest on its right, or where there is none,
  the nearest in between; of a the nearest in between. A parser that joins spans knows as much, whichever of the two
  becomes the head: a has no children on its left yet that could count.

The score of a tree is the sum over its links. Both forms of the decoder find its maximum over all projective trees.
Wang, Lin and Schuurmans (2007).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, known
from headway.kernels.boosted import linking as kernel
from headway.kernels.features.pairs import states_of
from headway.parsers.boosted.registry import FORMS

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

NONE, LEFT, RIGHT = range(3)


@dataclass(frozen=True, eq=False)
class Logits:
    """What the links of some sentences score by; n is the number of words of a sentence, node 0 its root.

    A cell stands for two nodes (a, b) of a sentence, in either order: a × (n + 1) + b beyond the (n + 1)² cells of each
    sentence before.
    """

    offsets: Ints
    """The words of sentence s are `offsets[s]` to `offsets[s + 1] - 1`."""
    static: Floats
    """[cell, class]; looked at where a < b."""
    rows: Ints | None = None
    """[cell]: the row of `states` for what a has towards b, or -1 where no state tells."""
    tags: Ints | None = None
    """[word]: from 1 on."""
    states: Floats | None = None
    """[row, children, tag, class]; the last number of children means that or more; 0 children have tag 0."""
    first_rows: Ints | None = None
    """[cell]: the row of `first` for what b shows to a, or -1; the root shows nothing."""
    values: Ints | None = None
    """[word]: what it is as a first child, from 1 on."""
    first: Floats | None = None
    """[row, value, class]; value 0 means no child."""
    forbidden: NDArray[np.uint8] | None = None
    """[cell]: whether a as the head of b must not be; None allows every link. The scores of others stay."""

    def __post_init__(self) -> None:
        """Refuse what does not go together; it would be looked up outside of the arrays."""
        given = {name: getattr(self, name) for name in SHAPES}
        arrays: dict[str, NDArray[Any]] = {}
        for name, (kind, dimensions) in SHAPES.items():
            empty = np.zeros((0,) + (1,) * (dimensions - 1))
            arrays[name] = np.ascontiguousarray(empty if given[name] is None else given[name], kind)
            if arrays[name].ndim != dimensions:
                raise HeadwayError(f"{name!r} has {arrays[name].ndim} dimensions; give {dimensions}")
            object.__setattr__(self, name, arrays[name])
        offsets, static = arrays["offsets"], arrays["static"]
        if not len(offsets) or offsets[0] or (np.diff(offsets) < 0).any():
            raise HeadwayError("the offsets of sentences do not rise from 0; give the number of words before each")
        cells = int(((np.diff(offsets).astype(np.int64) + 1) ** 2).sum())
        if static.shape != (cells, 3):
            raise HeadwayError(f"logits of pairs have shape {static.shape}; these sentences ask for {(cells, 3)}")
        if given["forbidden"] is not None and len(arrays["forbidden"]) != cells:
            raise HeadwayError(f"'forbidden' has {len(arrays['forbidden'])} cells; these sentences ask for {cells}")
        for rows, table, numbers in (("rows", "states", "tags"), ("first_rows", "first", "values")):
            if given[rows] is None:
                continue
            shape = arrays[table].shape
            check_numbers(rows, arrays[rows], cells, -1, shape[0])
            check_numbers(numbers, arrays[numbers], int(offsets[-1]), 1, shape[-2])
            if 0 in shape[1:] or shape[-1] != 3 or (arrays[table].size and not arrays[table].max() < np.inf):
                raise HeadwayError(
                    f"the logits of {table!r}, of shape {shape}, are not of three classes, or hold +inf or NaN; "
                    "train the model again"
                )

    def plus(self, other: Logits) -> Logits:
        """The logits of the same links with those of another model added, as linear models add up."""
        both = copy(self)
        for name in ("static", "states", "first"):
            object.__setattr__(both, name, getattr(self, name) + getattr(other, name))
        return both


SHAPES: dict[str, tuple[type, int]] = {
    "offsets": (np.int32, 1),
    "static": (np.float64, 2),
    "rows": (np.int32, 1),
    "tags": (np.int32, 1),
    "states": (np.float64, 4),
    "first_rows": (np.int32, 1),
    "values": (np.int32, 1),
    "first": (np.float64, 3),
    "forbidden": (np.uint8, 1),
}
"""For each array of logits its type and number of dimensions, as the kernel wants it; an empty one stands for None."""


def check_numbers(name: str, array: Ints, size: int, lowest: int, end: int) -> None:
    """Refuse numbers that are not `size`, or not all from `lowest` to `end` - 1."""
    if len(array) != size:
        raise HeadwayError(f"{name!r} has {len(array)} numbers; these sentences ask for {size}")
    if size and (array.min() < lowest or array.max() >= end):
        raise HeadwayError(
            f"{name!r} goes from {array.min()} to {array.max()}; the logits go from {lowest} to {end - 1}"
        )


@dataclass(frozen=True, eq=False)
class Decoded:
    """The best trees of some sentences."""

    heads: Ints
    """[word]: as in a sentence."""
    totals: Floats
    """[sentence]: the score of its tree."""
    reduced: int
    """Sentences decoded without first children or without states, because it would take too much."""
    gave_way: int
    """Sentences decoded by "split-head" although "cky" was asked for, because too many spans were left."""


def decode(logits: Logits, *, form: str = "split-head", single_root: bool = False, none: bool = False) -> Decoded:
    """The best projective trees; `none` also takes off log p(NONE), by the logits of the pair, for each link.

    "split-head": O(n³ × (C × T)²) time, O(n² × C × T) memory, for C numbers of children and T tags of the sentence;
    each word that shows its first child costs as much as n others. "cky": O(n⁵ × (C × T)²) in form, but what a first
    pass over halves of heads excludes is left out, which loses nothing. Where more than `kernels.linking.ITEMS` spans
    are left, it gives way to "split-head", whose tree is as good. Tables of either form stay below
    `kernels.linking.MEMORY` bytes for a sentence: one that needs more, or more than `kernels.linking.STEPS` steps, is
    decoded without first children, or else without states, as are those of more than `kernels.linking.LONGEST` words.
    Among equal trees each form always takes the same. Other threads run meanwhile.
    """
    if form not in FORMS:
        raise HeadwayError(f"unknown form {form!r}; {known(FORMS)}")
    at = kernel.unusable(logits.offsets, logits.static, none)
    if at >= 0:
        raise HeadwayError(
            f"the logits of pair {at} are {logits.static[at].tolist()}; logits are finite, or -inf where a class is"
            " forbidden, but not for NONE where that counts"
        )
    heads = np.zeros(int(logits.offsets[-1]), np.int32)
    totals = np.zeros(len(logits.offsets) - 1)
    arrays = {name: getattr(logits, name) for name in SHAPES}
    reduced, gave_way = kernel.decode(
        **arrays, single=single_root, none=none, spans=FORMS[form], heads=heads, totals=totals
    )
    if totals.size and totals.min() == -np.inf:
        raise HeadwayError(
            f"every projective tree of sentence {int(totals.argmin())} holds something forbidden;"
            " give more links logits above -inf"
        )
    return Decoded(heads, totals, reduced, gave_way)


def scores_beside(logits: Logits, heads: Ints, *, as_probabilities: bool = False) -> Floats:
    """For each cell (head, child), how much more probable the link is than none, as a logarithm.

    With `as_probabilities`, the logarithm of its probability, which is what trees are scored by.
    States and first children of both words are those that they have in the tree; see above. O(n²).
    """
    found, cell, begin = np.zeros(len(logits.static)), 0, 0
    for words in np.diff(logits.offsets).tolist():
        width, tree = words + 1, slice(begin, begin + words)
        first, second = np.triu_indices(width, 1)
        cells = cell + first * width + second, cell + second * width + first
        seen = children, nearest, shown = [np.empty((len(first), 2), np.int32) for _ in range(3)]
        states_of(np.array([0, words], np.int32), heads[tree], *seen)
        sums = logits.static[cells[0]]
        if logits.rows is not None and len(logits.rows):
            assert logits.states is not None and logits.tags is not None
            tags = np.concatenate([[0], logits.tags[tree]])[np.maximum(nearest, 0)]
            counts = np.minimum(children, logits.states.shape[1] - 1)
            sums = sums + sum(
                logits.states[np.maximum(rows, 0), counts[:, number], tags[:, number]] * (rows >= 0)[:, None]
                for number, rows in enumerate(logits.rows[own] for own in cells)
            )
        if logits.first_rows is not None and len(logits.first_rows):
            assert logits.first is not None and logits.values is not None
            values = np.concatenate([[0], logits.values[tree]])[np.maximum(shown, 0)]
            # What the second node shows is looked up in the cell of the first, and the other way round.
            sums = sums + sum(
                logits.first[np.maximum(rows, 0), values[:, 1 - number]] * (rows >= 0)[:, None]
                for number, rows in enumerate(logits.first_rows[own] for own in cells)
            )
        beside = np.logaddexp.reduce(sums, axis=1) if as_probabilities else sums[:, NONE]
        for own, link in zip(cells, (RIGHT, LEFT), strict=True):
            found[own] = sums[:, link] - beside
        cell, begin = cell + width * width, begin + words
    return found
