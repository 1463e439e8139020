"""Transition systems by brute force, for tests: every derivation of a short sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headway.kernels.transition import derivations as kernel
from headway.kernels.transition.systems.system import ACTION_NAMES
from headway.parsers.transition.registry import ChosenSystem


class ReachedConfiguration(NamedTuple):
    """What can be seen of a configuration; `heads` has 0 where there is no head yet."""

    legal: tuple[int, ...]
    final: bool
    costs: list[int]
    heads: tuple[int, ...]


Derivations = dict[tuple[int, ...], ReachedConfiguration]
"""Sequences of actions, and where each leads to."""


def replay(system: ChosenSystem, actions: Sequence[int], gold: Sequence[int]) -> ReachedConfiguration:
    """The configuration after some actions, with costs against the gold heads."""
    heads = np.empty(len(gold), np.int32)
    bits, final, costs = kernel.replay(system.kernel, np.array(actions, np.int32), np.array(gold, np.int32), heads)
    legal = tuple(action for action in range(len(ACTION_NAMES)) if bits >> action & 1)
    return ReachedConfiguration(legal, final, costs, tuple(np.maximum(heads, 0).tolist()))


def derive(system: ChosenSystem, gold: Sequence[int]) -> list[int]:
    """The actions of the static oracle for the gold heads, as far as they are legal."""
    return list(kernel.derive(system.kernel, np.array(gold, np.int32)))


def reachable(system: ChosenSystem, words: int) -> Derivations:
    """Every legal sequence of actions on so many words with the configuration it leads to; shorter ones first."""
    start: tuple[int, ...] = ()
    found = {start: replay(system, start, [0] * words)}
    pending = [start]
    for actions in pending:
        here = found[actions]
        if not here.final:
            for action in here.legal:
                longer = (*actions, action)
                found[longer] = replay(system, longer, [0] * words)
                pending.append(longer)
    return found


def losses(found: Derivations, gold: Sequence[int]) -> dict[tuple[int, ...], int]:
    """For each of the `reachable` sequences of actions, the fewest wrong heads that can still come of it."""
    fewest: dict[tuple[int, ...], int] = {}
    for actions, here in reversed(found.items()):
        if here.final:
            fewest[actions] = sum(head != right for head, right in zip(here.heads, gold, strict=True))
        else:
            fewest[actions] = min(fewest[(*actions, action)] for action in here.legal)
    return fewest
