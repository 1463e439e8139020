"""Kernels of sequences against plain Python: features, scores, the best way by enumeration, a step of learning."""

from itertools import product

import numpy as np
import pytest

from headway.features.language import parse
from headway.features.sequences import compile_sequence
from headway.kernels.weights import packing
from headway.kernels.weights.table import Weights
from headway.learners.registry import learner
from headway.text.sequence.deciding import EVERYTHING, Choices, NumberLists, Positions, SequenceWeights
from headway.text.sequence.training import SequenceLearning

FEATURES = "FORM(WORD)\nFORM(WORD) & FORM(WORD+1)\nUPOS(WORD-1)\nUPOS(WORD-1) & UPOS(WORD-2) & FORM(WORD)\n"
PARTS = ((0, 3), (1, 3), (1, 2, 4))
"""Three choices that share parts."""


@pytest.fixture(scope="module")
def templates():
    return compile_sequence(parse(FEATURES), ("FORM",), ("UPOS",))


def choices_of(*sets):
    return Choices(NumberLists.of(PARTS), NumberLists.of(sets))


def positions_of(sizes, random, sets=0):
    words = random.integers(1, 6, (sum(sizes), 1)).astype(np.uint64)
    offsets = np.cumsum([0, *sizes]).astype(np.int32)
    allowed = random.integers(-1, sets, sum(sizes)).astype(np.int32)
    return Positions(words, offsets, np.array([[11], [12], [13]], np.uint64), allowed)


def learned(templates, choices, random, passes=2, **how):
    positions = positions_of([5, 0, 7, 1, 9], random)
    gold = random.integers(0, 3, len(positions.keys)).astype(np.int32)
    learning = SequenceLearning(templates, choices, positions, gold, learner("pa-1", passes=passes))
    for number in range(1, passes + 1):
        order = np.arange(5, dtype=np.int32)
        learning.learn(number, order, np.random.default_rng(number), lambda share: None, **how)
    return learning


def scores_of(weights, templates, positions, first, before, at, n):
    """The scores of all parts, from the keys of features one by one."""
    keys = []
    for number, _ in enumerate(templates.features):
        key = int(templates.seed[number])
        for slot in templates.member[templates.start[number] : templates.start[number + 1]]:
            kind, offset, argument = templates.slot[slot].tolist()
            place = at + offset
            if place < 0:
                value = 0x51ED270B
            elif place >= n:
                value = 0x2545F491
            elif kind == 0:
                value = int(positions.keys[first + place, argument])
            else:
                value = int(positions.attributes[before[place], argument])
            key = (key ^ value) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
            key ^= key >> 32
        keys.append(key)
    return weights.packed.of(np.array(keys, np.uint64), np.arange(5, dtype=np.int32)).sum(0)


def test_the_best_way_is_that_of_enumeration(templates):
    random = np.random.default_rng(3)
    choices = choices_of((0, 2), (1,), (0, 1))
    weights, _ = learned(templates, choices, random).packed(0.0, exact=True)
    positions = positions_of([4, 1, 5], random, sets=3)
    found = weights.search(templates, choices, positions, width=64, probabilities=False)
    for first, last in zip(positions.offsets[:-1], positions.offsets[1:], strict=True):
        n = last - first
        possible = [range(3) if s == EVERYTHING else choices.sets[s] for s in positions.sets[first:last]]
        totals = {}
        for way in product(*possible):
            scored = [scores_of(weights, templates, positions, first, way, at, n) for at in range(n)]
            totals[way] = sum(
                float(parts[list(PARTS[choice])].sum()) for parts, choice in zip(scored, way, strict=True)
            )
        assert totals[tuple(found[first:last].tolist())] == pytest.approx(max(totals.values()), abs=1e-4)


def test_greedy_decisions_are_the_best_one_after_the_other(templates):
    random = np.random.default_rng(4)
    choices = choices_of((0, 2), (1,))
    weights, _ = learned(templates, choices, random).packed(0.0, exact=True)
    positions = positions_of([6, 3], random, sets=2)
    kinds = np.array([0, 0, 1], np.int32)
    found, rivals, margins = weights.margins(templates, choices, positions, kinds, None)
    assert (found == weights.decide(templates, choices, positions)).all()
    again = weights.margins(templates, choices, positions, kinds, found)
    assert (again.margins == margins).all() and (again.rivals == rivals).all()
    for first, last in zip(positions.offsets[:-1], positions.offsets[1:], strict=True):
        for at in range(last - first):
            allowed = positions.sets[first + at]
            parts = scores_of(weights, templates, positions, first, found[first:last], at, last - first)
            values = {
                one: parts[list(PARTS[one])].sum() for one in (range(3) if allowed < 0 else choices.sets[allowed])
            }
            chosen = int(found[first + at])
            assert values[chosen] == pytest.approx(max(values.values()), abs=1e-4)
            others = {one: value for one, value in values.items() if one != chosen}
            for which, some in enumerate((others, {one: others[one] for one in others if kinds[one] != kinds[chosen]})):
                margin, rival = margins[first + at, which], int(rivals[first + at, which])
                if some:
                    best = max(some.values())
                    assert margin == pytest.approx(values[chosen] - best, abs=1e-4)
                    assert some[rival] == pytest.approx(best, abs=1e-4)
                else:
                    assert margin == np.inf and rival == -1


def test_a_step_moves_the_parts_that_differ(templates):
    choices = choices_of()
    positions = Positions(
        np.array([[1]], np.uint64), np.array([0, 1], np.int32), np.zeros((3, 1), np.uint64), np.array([-1], np.int32)
    )
    learning = SequenceLearning(templates, choices, positions, np.array([0], np.int32), learner("pa", average=False))
    told = learning.learn(1, np.array([0], np.int32), np.random.default_rng(1), lambda share: None)
    assert told["mistakes %"] == 100 and told["updates"] == 1
    weights, _ = learning.packed(0.0, exact=True)
    # Against choice 1, parts 0 and 1 differ in four features: v = 8, and a margin of 1 takes a step of 1 / 8.
    parts = scores_of(weights, templates, positions, 0, (0,), 0, 1)
    assert parts[0] == pytest.approx(0.5) and parts[1] == pytest.approx(-0.5) and not parts[2:].any()


def test_what_is_learned_is_kept_and_taken_back(templates):
    choices = choices_of()
    half = learned(templates, choices, np.random.default_rng(5), passes=1)
    steps, arrays = half.steps, [array.copy() for array in half.weights.dump()]
    whole = learned(templates, choices, np.random.default_rng(5), passes=2)
    again = SequenceLearning(templates, choices, half.positions, half.gold, half.learner)
    again.restore(steps, arrays)
    again.learn(2, np.arange(5, dtype=np.int32), np.random.default_rng(2), lambda share: None)
    arrays = [one.packed(0.0)[0].packed.arrays() for one in (again, whole)]
    for one, other in zip(*(some.values() for some in arrays), strict=True):
        assert (one == other).all()


def test_probabilities_of_a_beam_are_normalised(templates):
    """With probabilities, a choice that is sure costs nothing, however high its score is."""
    random = np.random.default_rng(6)
    choices = Choices.plain(3)
    weights, _ = learned(templates, choices, random).packed(0.0, exact=True)
    positions = positions_of([6], random)
    found = weights.search(templates, choices, positions, width=729, probabilities=True)
    best = None
    for way in product(range(3), repeat=6):
        total = 0.0
        for at in range(6):
            parts = scores_of(weights, templates, positions, 0, way, at, 6)[:3].astype(float)
            total += parts[way[at]] - np.log(np.exp(parts - parts.max()).sum()) - parts.max()
        best = (total, way) if best is None or total > best[0] + 1e-6 else best
    assert tuple(found.tolist()) == best[1]


def test_arrays_that_do_not_fit_are_refused(templates):
    positions = positions_of([3], np.random.default_rng(7))
    table = Weights(3, variance=False, average=False)
    weights = SequenceWeights(packing.packed(table, 1.0)[0])
    with pytest.raises(ValueError, match="do not fit"):
        weights.decide(templates, Choices.plain(3), positions._replace(sets=np.zeros(2, np.int32)))
    with pytest.raises(ValueError, match="there is no set 4"):
        weights.decide(templates, Choices.plain(3), positions._replace(sets=np.full(3, 4, np.int32)))
    with pytest.raises(ValueError, match="do not fit the feature model"):
        weights.decide(templates, Choices.plain(3), positions._replace(attributes=positions.attributes[:2]))
    with pytest.raises(ValueError, match="for 3 parts, not for 4"):
        weights.decide(templates, Choices.plain(4), positions)
