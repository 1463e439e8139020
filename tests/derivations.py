"""Transition systems by brute force: all trees, all derivations."""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from headway.kernels.transition import derivations as kernel
from headway.transition.chosen_system import ChosenSystem
from headway.transition.registry import SYSTEMS as KINDS

SHIFT, LEFT, RIGHT, REDUCE, SWAP = range(5)
SYSTEMS = [
    ChosenSystem(name=name, root=root, single_root=single)
    for name in KINDS.own
    for root in KINDS[name].roots
    for single in (False, True)
]


class Configuration(NamedTuple):
    """What can be seen of a configuration; `heads` has 0 where there is no head yet."""

    legal: tuple[int, ...]
    final: bool
    costs: list[int]
    heads: tuple[int, ...]


def label(system):
    return f"{system.name}-{system.root}-{'single' if system.single_root else 'several'}"


def replay(system, actions, gold):
    """The configuration after some actions, with costs against the gold heads."""
    heads = np.empty(len(gold), np.int32)
    bits, final, costs = kernel.replay(system.kernel, np.array(actions, np.int32), np.array(gold, np.int32), heads)
    legal = tuple(action for action in range(5) if bits >> action & 1)
    return Configuration(legal, final, costs, tuple(np.maximum(heads, 0).tolist()))


def derive(system, gold):
    return kernel.derive(system.kernel, np.array(gold, np.int32))


def is_tree(heads):
    for word in range(1, len(heads) + 1):
        seen = set()
        while word and word not in seen:
            seen.add(word)
            word = heads[word - 1]
        if word:
            return False
    return True


def is_projective(heads):
    """No word between a word and its head lies outside the head's subtree."""

    def below(head, word):
        while word and word != head:
            word = heads[word - 1]
        return word == head

    return all(
        below(head, between)
        for word, head in enumerate(heads, 1)
        for between in range(min(head, word) + 1, max(head, word))
    )


@cache
def all_trees(n, *, projective=False, single=False):
    return [
        heads
        for heads in product(range(n + 1), repeat=n)
        if is_tree(heads) and not (projective and not is_projective(heads)) and not (single and heads.count(0) != 1)
    ]


def trees_for(system, n):
    """The trees that a system is made for."""
    return all_trees(n, projective=system.projective, single=system.single_root)


@cache
def reachable(system, n):
    """Every legal sequence of actions on n words with the configuration it leads to; shorter ones first."""
    found = {(): replay(system, (), [0] * n)}
    for actions in (pending := list(found)):
        if not found[actions].final:
            for action in found[actions].legal:
                longer = (*actions, action)
                found[longer] = replay(system, longer, [0] * n)
                pending.append(longer)
    return found
