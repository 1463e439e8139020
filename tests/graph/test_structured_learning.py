"""Steps from whole trees against a general solver of the problems that they are closed forms of."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from headway.kernels.graph.learning import hildreth, update
from headway.kernels.weights.rules import StepRule

SEEDS = range(6)
NOTHING = np.empty(0, np.float32)
SIZE = 6


def problem(seed):
    chance = np.random.default_rng(seed)
    delta = chance.integers(-2, 3, SIZE)
    delta[0] = 1
    return delta, chance.normal(size=SIZE).astype(np.float32).astype(float), float(chance.integers(1, 7))


def moved(name, strength, delta, mean, loss, variances=NOTHING, beyond=0.0):
    """The weights and variances after one update; the entries of δ come in pieces, as features of trees do."""
    weights, spread = mean.astype(np.float32), variances.astype(np.float32)
    index = np.repeat(np.arange(SIZE, dtype=np.int32), np.abs(delta) + 2)
    pieces = [[int(np.sign(entry))] * abs(entry) + [1, -1] for entry in delta]
    count = np.array([piece for some in pieces for piece in some], np.int32)
    learned = update(weights, NOTHING, spread, index, count, StepRule(name, strength), loss, 1.0, beyond)
    return weights.astype(float), spread.astype(float), learned


def solve(objective, start, constraints):
    options = {"maxiter": 1000, "ftol": 1e-14}
    found = minimize(objective, start, method="SLSQP", constraints=constraints, options=options)
    assert found.success or found.status == 8, found.message
    return found.x


def at_least(function):
    return {"type": "ineq", "fun": function}


@pytest.mark.parametrize("seed", SEEDS)
def test_pa_is_the_nearest_vector_whose_margin_is_the_loss(seed):
    delta, mean, loss = problem(seed)
    best = solve(lambda w: ((w - mean) ** 2).sum() / 2, mean, at_least(lambda w: w @ delta - loss))
    weights, _, _ = moved("pa", 1.0, delta, mean, loss)
    assert weights == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "power"), [("pa-1", 1), ("pa-2", 2)])
def test_pa_with_slack_pays_for_what_is_left(seed, name, power):
    delta, mean, loss = problem(seed)
    strength = 0.1 + seed / 10
    best = solve(
        lambda x: ((x[:-1] - mean) ** 2).sum() / 2 + strength * x[-1] ** power,
        np.append(mean, loss),
        [at_least(lambda x: x[:-1] @ delta - loss + x[-1]), at_least(lambda x: x[-1])],
    )
    weights, _, _ = moved(name, strength, delta, mean, loss)
    assert weights == pytest.approx(best[:-1], abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["pa", "pa-1", "pa-2"])
def test_without_a_bound_the_margin_is_met(seed, name):
    delta, mean, loss = problem(seed)
    weights, _, learned = moved(name, 1e9, delta, mean, loss)
    assert weights @ delta == pytest.approx(max(loss, float(mean @ delta)), abs=1e-4)
    assert learned == (mean @ delta < loss)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "root"), [("cw", True), ("cw-variance", False)])
def test_confidence_is_met_with_full_covariance_in_mind(seed, name, root):
    """Along δ the update is that of one Gaussian number, whatever the loss: its margin is φ times its spread."""
    delta, mean, loss = problem(seed)
    variances = np.random.default_rng(seed).uniform(0.2, 1, SIZE)
    weights, _, _ = moved(name, 0.7, delta, mean, loss, variances)
    spread = float((delta**2) @ variances)
    step = (weights - mean) @ delta / spread
    if step == 0:
        assert mean @ delta >= 0.7 * (math.sqrt(spread) if root else spread) - 1e-5
        return
    assert weights == pytest.approx(mean + step * variances * delta, abs=1e-4)
    after = weights @ delta / 0.7
    after = after**2 if root else after
    assert 0 < after < spread


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "root"), [("cw", True), ("cw-variance", False)])
def test_confidence_beyond_a_loss_is_the_nearest_gaussian(seed, name, root):
    """The divergence of two Gaussian numbers along δ is least where P(w·δ ≥ loss) is as wanted; a solver agrees."""
    delta, mean, loss = problem(seed)
    variances = np.random.default_rng(seed).uniform(0.2, 1, SIZE)
    spread, margin, phi = float((delta**2) @ variances), float(mean @ delta), 0.7
    best = solve(
        lambda x: (math.log(spread / x[1]) + x[1] / spread + (margin - x[0]) ** 2 / spread) / 2,
        [loss + 2 * phi * spread, spread],
        [
            at_least(lambda x: x[0] - loss - phi * (math.sqrt(abs(x[1])) if root else x[1])),
            at_least(lambda x: x[1] - 1e-9),
        ],
    )
    weights, _, learned = moved(name, phi, delta, mean, loss, variances, loss)
    assert weights @ delta == pytest.approx(best[0], rel=1e-3)
    assert learned == (best[0] > margin + 1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_arow_is_soft(seed):
    """min (μ − m)ᵀ Σ⁻¹ (μ − m) + (loss − μ·δ)² / r has its least value there, and variances shrink by δ² / r."""
    delta, mean, loss = problem(seed)
    if mean @ delta >= loss:
        mean = -mean
    variances = np.random.default_rng(seed).uniform(0.2, 1, SIZE)
    best = minimize(lambda w: ((w - mean) ** 2 / variances).sum() + (loss - w @ delta) ** 2 / 2.0, mean, tol=1e-12).x
    weights, spread, _ = moved("arow", 2.0, delta, mean, loss, variances)
    assert weights == pytest.approx(best, abs=1e-3)
    assert spread == pytest.approx(1 / (1 / variances + delta**2 / 2.0), rel=1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_hildreth_finds_the_nearest_vector_that_meets_all_margins(seed):
    chance = np.random.default_rng(seed)
    count = 1 + seed % 5
    deltas = chance.integers(-2, 3, (count, 8)).astype(float)
    deltas[:, :1] += 3
    mean, losses = chance.normal(size=8), chance.integers(1, 6, count).astype(float)
    steps = np.empty(count)
    rounds = hildreth(deltas @ deltas.T, losses - deltas @ mean, steps)
    weights = mean + steps @ deltas
    best = solve(lambda w: ((w - mean) ** 2).sum() / 2, weights + 0.01, at_least(lambda w: deltas @ w - losses))
    assert weights == pytest.approx(best, abs=1e-4)
    assert (deltas @ weights >= losses - 1e-6).all()
    assert (steps >= 0).all()
    assert rounds < 10000


def test_what_both_trees_have_cancels_out():
    weights = np.zeros(4, np.float32)
    index, count = np.array([1, 2, 1, 3], np.int32), np.array([1, 1, -1, -1], np.int32)
    update(weights, NOTHING, NOTHING, index, count, StepRule("pa", 1.0), 3.0, 1.0)
    assert weights.tolist() == [0, 0, 1.5, -1.5]


def test_many_entries_make_room_for_themselves():
    size = 20000
    weights, sums = np.zeros(size, np.float32), np.zeros(size, np.float32)
    index = np.arange(size, dtype=np.int32)
    update(weights, sums, NOTHING, index, np.ones(size, np.int32), StepRule("perceptron", 1.0), 1.0, 7.0)
    assert weights.tolist() == [1] * size
    assert sums.tolist() == [7] * size
