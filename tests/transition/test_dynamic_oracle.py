"""The costs of transitions against the loss of the best tree that each still allows."""

import random

import pytest
from derivations import SYSTEMS, all_trees, label, reachable

from headway.parsers.transition.enumeration import derive, losses, replay

several = pytest.mark.parametrize("system", [s for s in SYSTEMS if s.system.explores and not s.single_root], ids=label)


def check(system, gold):
    found = reachable(system, len(gold))
    best = losses(found, gold)
    for actions, here in found.items():
        if not here.final:
            costs = replay(system, actions, gold).costs
            assert {a: costs[a] for a in here.legal} == {a: best[(*actions, a)] - best[actions] for a in here.legal}


@several
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_cost_is_the_loss_in_every_configuration(system, n):
    for gold in all_trees(n, projective=True):
        check(system, gold)


@several
def test_the_cost_is_the_loss_for_some_trees_of_five_words(system):
    for gold in random.Random(5).sample(all_trees(5, projective=True), 40):
        check(system, gold)


@several
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_static_oracle_costs_nothing(system, n):
    for gold in all_trees(n, projective=True):
        actions = derive(system, gold)
        for at, action in enumerate(actions):
            assert replay(system, actions[:at], gold).costs[action] == 0


@several
def test_some_legal_action_costs_nothing(system):
    for gold in all_trees(4, projective=True):
        for actions, here in reachable(system, 4).items():
            costs = replay(system, actions, gold).costs
            assert here.final or min(costs[action] for action in here.legal) == 0
