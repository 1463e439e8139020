"""Shapes of trees against their definitions, over every assignment of heads to up to six words."""

from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees as random_trees

from headway.base.errors import HeadwayError
from headway.data import trees

LENGTHS = range(7)


def ancestors(heads, word):
    """The nodes above a word by definition, or None where they never end."""
    above = []
    while word:
        word = heads[word - 1]
        above.append(word)
        if len(above) > len(heads) or not 0 <= word <= len(heads):
            return None
    return above


def tree_by_definition(heads):
    return all(ancestors(heads, word) is not None for word in range(1, len(heads) + 1))


def nonprojective_by_definition(heads):
    above = [[0], *(ancestors(heads, word) for word in range(1, len(heads) + 1))]
    return [
        any(head not in above[between] for between in range(min(head, word) + 1, max(head, word)))
        for word, head in enumerate(heads, 1)
    ]


def planar_by_definition(heads):
    arcs = [(min(arc), max(arc)) for arc in enumerate(heads, 1) if arc[1]]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def depths_by_definition(heads):
    return [len(ancestors(heads, word)) for word in range(1, len(heads) + 1)]


def all_trees(n):
    return [heads for heads in product(range(n + 1), repeat=n) if tree_by_definition(heads)]


@pytest.mark.parametrize("n", LENGTHS)
def test_every_assignment_of_heads(n):
    """Cyclic, out of range and well formed: one call for all of them."""
    choices = list(product(range(-1 if n < 6 else 0, n + 1), repeat=n))
    heads = np.array(choices, np.int32).ravel()
    shape = trees.shapes(heads, np.arange(len(choices) + 1, dtype=np.int32) * n)
    assert shape.trees.tolist() == [tree_by_definition(choice) for choice in choices]
    assert shape.roots.tolist() == [choice.count(0) for choice in choices]
    assert not shape.projective[~shape.trees].any()
    assert not shape.planar[~shape.trees].any()
    assert not shape.nonprojective.reshape(len(choices), n)[~shape.trees].any()


@pytest.mark.parametrize("n", LENGTHS)
def test_every_tree(n):
    everything = all_trees(n)
    heads = np.array(everything, np.int32).ravel()
    shape = trees.shapes(heads, np.arange(len(everything) + 1, dtype=np.int32) * n)
    marks = [nonprojective_by_definition(tree) for tree in everything]
    assert shape.nonprojective.reshape(len(everything), n).tolist() == marks
    assert shape.projective.tolist() == [not any(row) for row in marks]
    assert shape.planar.tolist() == [planar_by_definition(tree) for tree in everything]
    assert shape.depths.reshape(len(everything), n).tolist() == [depths_by_definition(t) for t in everything]


@pytest.mark.parametrize("n", range(1, 7))
def test_counts_known_from_combinatorics(n):
    """Cayley's formula; non-crossing trees on n + 1 nodes; those of them in which node 0 has one arc."""
    everything = all_trees(n)
    projective = [tree for tree in everything if trees.is_projective(tree)]
    assert len(everything) == (n + 1) ** (n - 1)
    assert len(projective) == comb(3 * n, n) // (2 * n + 1) == [1, 3, 12, 55, 273, 1428][n - 1]
    assert sum(tree.count(0) == 1 for tree in projective) == [1, 2, 7, 30, 143, 728][n - 1]


@given(random_trees(max_size=60))
def test_long_trees(heads):
    assert trees.is_tree(heads)
    assert trees.nonprojective_arcs(heads).tolist() == nonprojective_by_definition(heads)
    assert trees.is_projective(heads) == (not any(nonprojective_by_definition(heads)))
    assert trees.is_planar(heads) == planar_by_definition(heads)
    assert trees.depths(heads).tolist() == depths_by_definition(heads)


@given(st.lists(random_trees(max_size=12), max_size=6))
def test_a_batch_is_its_sentences(batch):
    offsets = np.cumsum([0, *map(len, batch)], dtype=np.int32)
    shape = trees.shapes(np.array([head for heads in batch for head in heads], np.int32), offsets)
    assert shape.projective.tolist() == [trees.is_projective(heads) for heads in batch]
    assert shape.planar.tolist() == [trees.is_planar(heads) for heads in batch]
    assert shape.depths.tolist() == [depth for heads in batch for depth in trees.depths(heads)]


def test_any_sequence_of_numbers():
    for heads in ([2, 0], (2, 0), np.array([2, 0]), np.array([2, 9, 0])[::2], np.array([2, 0], np.int16)):
        assert trees.is_tree(heads)
        assert trees.depths(heads).tolist() == [2, 1]


def test_planar_but_not_projective():
    """A root under an arc: nothing crosses until the root's own arc is drawn."""
    assert trees.is_planar([3, 0, 2])
    assert trees.nonprojective_arcs([3, 0, 2]).tolist() == [True, False, False]


def chain(order):
    """The tree in which each word of the order hangs on the word before it."""
    heads = [0] * len(order)
    for head, word in pairwise(order):
        heads[word - 1] = head
    return heads


N = 100_000
OUTWARDS = [N // 2 + (step + 1) // 2 * (-1) ** step for step in range(N - 1)]


@pytest.mark.parametrize(
    ("heads", "projective", "depth"),
    [
        (chain(range(1, N + 1)), True, N),
        (chain(range(N, 0, -1)), True, N),
        ([0] + [1] * (N - 1), True, 2),
        (chain(OUTWARDS[::-1]), True, N - 1),
        (chain(OUTWARDS), False, N - 1),
    ],
    ids=["right", "left", "star", "inwards", "outwards"],
)
def test_a_hundred_thousand_words(heads, projective, depth):
    assert trees.is_tree(heads)
    assert trees.is_planar(heads)
    assert trees.is_projective(heads) == projective
    assert trees.depths(heads).max() == depth


def test_what_is_no_tree_is_refused():
    for question in (trees.is_projective, trees.nonprojective_arcs, trees.is_planar, trees.depths):
        with pytest.raises(HeadwayError, match="word 1 of 2 has head 2 and does not lead to the root"):
            question([2, 1])
    with pytest.raises(HeadwayError, match="word 2 of 2 has head 7"):
        trees.depths([0, 7])


def test_questions_change_nothing():
    heads = np.array([3, 0, 2], np.int32)
    heads.flags.writeable = False
    assert not trees.is_projective(heads)
    assert trees.as_tree(heads).flags.writeable
