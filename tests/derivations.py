"""Transition systems by brute force: all trees, all derivations."""

from functools import cache
from itertools import product

from headway.parsers.transition import enumeration
from headway.parsers.transition.registry import SYSTEMS as KINDS
from headway.parsers.transition.registry import ChosenSystem

SHIFT, LEFT, RIGHT, REDUCE, SWAP = range(5)
SYSTEMS = [
    ChosenSystem(name=name, root=root, single_root=single)
    for name in KINDS.own
    for root in KINDS[name].roots
    for single in (False, True)
]


def label(system):
    return f"{system.name}-{system.root}-{'single' if system.single_root else 'several'}"


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
    return enumeration.reachable(system, n)
