"""Cutting sentences into folds: which sentence is held out when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

HELD_OUT = 10
"""Every so many sentences one is held out where there is no development treebank."""
Item = TypeVar("Item")


def fold_of(count: int, folds: int, seed: int | None = None) -> NDArray[np.int64]:
    """For each of `count` sentences the number of its fold, from 0.

    They are dealt out one after the other; with a seed, in an order that it decides.
    """
    order = np.arange(count) if seed is None else np.random.Generator(np.random.PCG64(seed)).permutation(count)
    return order % folds


def stretches(count: int, folds: int) -> list[range]:
    """The numbers of `count` sentences in stretches of about the same length, one for each fold.

    >>> stretches(7, 3)
    [range(0, 2), range(2, 4), range(4, 7)]
    """
    bounds = [count * fold // folds for fold in range(folds + 1)]
    return [range(first, last) for first, last in pairwise(bounds)]


def parted(sentences: Sequence[Item], fold: int, folds: int) -> tuple[list[Item], list[Item]]:
    """The sentences of a fold, and all others.

    >>> parted("abcdefg", 1, 3)
    (['b', 'e'], ['a', 'c', 'd', 'f', 'g'])
    """
    numbers = fold_of(len(sentences), folds).tolist()
    own = [sentence for number, sentence in zip(numbers, sentences, strict=True) if number == fold]
    return own, [sentence for number, sentence in zip(numbers, sentences, strict=True) if number != fold]
