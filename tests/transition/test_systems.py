"""Transition systems and their static oracles against enumeration."""

from math import comb

import pytest
from derivations import (
    LEFT,
    RIGHT,
    SHIFT,
    SWAP,
    SYSTEMS,
    all_trees,
    is_projective,
    is_tree,
    label,
    reachable,
    trees_for,
)

from headway.base.errors import HeadwayError
from headway.parsers.transition.enumeration import derive, replay
from headway.parsers.transition.registry import SYSTEMS as REGISTERED
from headway.parsers.transition.registry import ChosenSystem

each_system = pytest.mark.parametrize("system", SYSTEMS, ids=label)
LENGTHS = range(1, 6)


def longest(system):
    """So many words that all derivations can be written down."""
    return 5 if system.projective else 4


@pytest.mark.parametrize("n", LENGTHS)
def test_the_trees_are_as_many_as_they_should_be(n):
    assert len(all_trees(n)) == (n + 1) ** (n - 1)
    assert len(all_trees(n, single=True)) == n ** (n - 1)
    assert len(all_trees(n, projective=True)) == comb(3 * n, n) // (2 * n + 1) == [1, 3, 12, 55, 273][n - 1]
    assert len(all_trees(n, projective=True, single=True)) == [1, 2, 7, 30, 143][n - 1]


@each_system
@pytest.mark.parametrize("n", LENGTHS)
def test_every_tree_has_a_derivation(system, n):
    for tree in trees_for(system, n):
        actions = derive(system, tree)
        end = replay(system, actions, tree)
        assert end.final, tree
        assert end.heads == tree, actions


@each_system
@pytest.mark.parametrize("n", LENGTHS)
def test_derivations_of_the_oracle_are_short(system, n):
    """Each word is pushed once and leaves once; each SWAP pushes a word once more. A last reduction may be left out."""
    for tree in trees_for(system, n):
        actions = derive(system, tree)
        if system.name == "arc-eager" and system.root != "end":
            assert n <= len(actions) <= 2 * n
        else:
            assert len(actions) == 2 * n + 2 * actions.count(SWAP)


@each_system
def test_every_way_leads_to_a_tree_and_every_tree_has_a_way(system):
    for n in range(1, longest(system) + 1):
        ends = set()
        for actions, here in reachable(system, n).items():
            joins = n if system.name == "arc-eager" and system.single_root else 0
            assert len(actions) <= 2 * n + joins + (n * (n - 1) if system.name == "swap" else 0)
            if here.final:
                ends.add(here.heads)
            else:
                assert here.legal, actions
        assert ends == set(trees_for(system, n))


@each_system
def test_what_is_not_legal_raises(system):
    for n in (1, 2, 3):
        for actions, here in reachable(system, n).items():
            for action in range(-1, 6):
                if here.final or action not in here.legal:
                    with pytest.raises(ValueError, match=f"not legal as action {len(actions) + 1}"):
                        replay(system, (*actions, action), [0] * n)


@each_system
def test_some_of_the_systems_actions_is_always_legal(system):
    """So that a parser with a class for each of them never is at a loss."""
    for n in range(1, longest(system) + 1):
        for here in reachable(system, n).values():
            assert here.final or set(here.legal) & set(system.actions)
    forced = {here.legal[0] for n in (1, 2, 3, 4) for here in reachable(system, n).values() if len(here.legal) == 1}
    assert forced <= set(system.actions)


def eager_swaps(heads):
    """How many times the oracle of Nivre (2009) swaps: whenever two words stand in the wrong order."""
    n = len(heads)
    children = {node: [w for w in range(1, n + 1) if heads[w - 1] == node] for node in range(n + 1)}

    def in_order(node):
        """The words below a node as a walk through the tree meets them."""
        for child in children[node]:
            if child < node:
                yield from in_order(child)
        yield node
        for child in children[node]:
            if child > node:
                yield from in_order(child)

    place = {node: at for at, node in enumerate(in_order(0))}
    stack, queue, missing, swaps = [0], list(range(1, n + 1)), {w: len(children[w]) for w in children}, 0
    while queue or len(stack) > 1:
        s1, s0 = stack[-2:] if len(stack) > 1 else (None, stack[-1])
        if s1 and heads[s1 - 1] == s0 and not missing[s1]:
            stack.pop(-2)
            missing[s0] -= 1
        elif s1 is not None and heads[s0 - 1] == s1 and not missing[s0]:
            stack.pop()
            missing[s1] -= 1
        elif s1 and place[s0] < place[s1]:
            queue.insert(0, stack.pop(-2))
            swaps += 1
        else:
            stack.append(queue.pop(0))
    return swaps


def test_lazy_swapping_never_needs_more_swaps_and_often_fewer():
    system = ChosenSystem(name="swap", root="start")
    fewer = 0
    for n in LENGTHS:
        for tree in all_trees(n):
            lazy, eager = derive(system, tree).count(SWAP), eager_swaps(tree)
            assert lazy <= eager, tree
            assert (lazy == 0) == is_projective(tree)
            fewer += lazy < eager
    assert fewer > 100


def test_swap_changes_two_words_once():
    system = ChosenSystem(name="swap", root="start")
    assert SWAP in replay(system, [SHIFT, SHIFT], [0, 0]).legal
    assert SWAP not in replay(system, [SHIFT, SHIFT, SWAP, SHIFT], [0, 0]).legal


def test_a_derivation_in_full():
    """Economic news had little effect, after Nivre (2008), with the root at the end."""
    actions = derive(ChosenSystem(), [2, 3, 0, 5, 3])
    names = [{SHIFT: "SH", LEFT: "LA", RIGHT: "RA"}.get(action, "RE") for action in actions]
    assert " ".join(names) == "SH LA SH LA SH SH LA RA RE LA"


N = 100_000
LONG = {
    "all on the last": [N] * (N - 1) + [0],
    "all on the first": [0] + [1] * (N - 1),
    "chain to the left": [*range(2, N + 1), 0],
    "chain to the right": [*range(N)],
    "all on the root": [0] * N,
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("system", [s for s in SYSTEMS if not s.single_root], ids=label)
def test_a_hundred_thousand_words_take_linear_time(system, name):
    actions = derive(system, LONG[name])
    assert N <= len(actions) <= 2 * N
    assert list(replay(system, actions, LONG[name]).heads) == LONG[name]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "arc"}, f"unknown transition system 'arc'; known are: {', '.join(sorted(REGISTERED))}"),
        ({"root": "middle"}, "arc-eager knows no root at 'middle'; known are: end, none, start"),
        ({"name": "swap"}, "swap knows no root at 'end'; known are: start"),
    ],
)
def test_unknown_names_list_the_known_ones(options, words):
    with pytest.raises(HeadwayError) as refusal:
        ChosenSystem(**options)
    assert str(refusal.value) == words


def test_the_brute_force_knows_a_tree_when_it_sees_one():
    assert not is_tree((2, 1))
    assert not is_tree((1,))
    assert is_projective((2, 0, 2))
    assert not is_projective((3, 0, 2))
