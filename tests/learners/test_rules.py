"""The steps of online learners against a general solver of the problems that they are closed forms of."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from headway.kernels.weights.rules import RULES, StepRule
from headway.learners.registry import ONLINE

SEEDS = range(8)
CW = {"cw": lambda v: math.sqrt(v), "cw-variance": lambda v: v}
"""What the margin must be φ times of."""
BORDERS = {"perceptron": 0.0}
"""The margin from which on nothing is learned, of rules for which it is neither CW's nor the one wanted."""
WITH_VARIANCES = {ONLINE[name].rule for name in ONLINE.own if ONLINE[name].variance}


def step(name, strength, margin, variance):
    return StepRule(name, strength).step(margin, variance)


def settled(name, strength, margin, variance):
    return StepRule(name, strength).is_settled(margin, variance)


def problem(seed, size):
    """A difference of feature vectors, a mean with a random margin, a covariance, and the number of the rule."""
    chance = np.random.default_rng(seed)
    delta = chance.choice([-1.0, 1.0], size) * chance.integers(0, 3, size)
    delta[0] = 1
    mean = chance.normal(size=size)
    factor = chance.normal(size=(size, size)) / 2 + np.eye(size)
    return delta, mean, factor @ factor.T, chance.uniform(0.3, 2)


def solve(objective, start, constraints=()):
    found = minimize(
        objective, start, method="SLSQP", constraints=constraints, options={"maxiter": 1000, "ftol": 1e-14}
    )
    assert found.success or found.status == 8, found.message  # 8: no better point along the line
    return found.x


def inequality(function):
    return {"type": "ineq", "fun": function}


@pytest.mark.parametrize("seed", SEEDS)
def test_pa_is_the_nearest_vector_with_margin_one(seed):
    delta, mean, _, _ = problem(seed, 4)
    best = solve(lambda w: ((w - mean) ** 2).sum() / 2, mean, inequality(lambda w: w @ delta - 1))
    move, shrink = step("pa", 1, mean @ delta, delta @ delta)
    assert mean + move * delta == pytest.approx(best, abs=1e-5)
    assert shrink == 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "power"), [("pa-1", 1), ("pa-2", 2)])
def test_pa_with_slack_pays_for_what_is_left(seed, name, power):
    """min ½‖w − wₜ‖² + C ξ or C ξ², with w·δ ≥ 1 − ξ and ξ ≥ 0."""
    delta, mean, _, strength = problem(seed, 4)
    strength /= 5
    best = solve(
        lambda x: ((x[:-1] - mean) ** 2).sum() / 2 + strength * x[-1] ** power,
        np.append(mean, 1),
        [inequality(lambda x: x[:-1] @ delta - 1 + x[-1]), inequality(lambda x: x[-1])],
    )
    move, _ = step(name, strength, mean @ delta, delta @ delta)
    assert mean + move * delta == pytest.approx(best[:-1], abs=1e-4)


def gaussian(x, size):
    """Mean and triangular root of the covariance that the numbers x stand for."""
    root = np.zeros((size, size))
    root[np.tril_indices(size)] = x[size:]
    return x[:size], root


def divergence(x, mean, covariance):
    """KL divergence from the Gaussian x to the old one, but for a constant."""
    new, root = gaussian(x, len(mean))
    inverse = np.linalg.inv(covariance)
    spread = -2 * np.log(np.abs(np.diag(root))).sum() + np.trace(inverse @ root @ root.T)
    return (spread + (new - mean) @ inverse @ (new - mean)) / 2


def start_of(mean, covariance):
    return np.append(mean, np.linalg.cholesky(covariance)[np.tril_indices(len(mean))])


def moved(mean, covariance, delta, move, shrink):
    """The update by a step: mean and full covariance."""
    inverse = np.linalg.inv(covariance) + shrink * np.outer(delta, delta)
    return mean + move * covariance @ delta, np.linalg.inv(inverse)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", CW)
def test_cw_is_the_nearest_gaussian_that_is_confident(seed, name):
    """The full covariance: the diagonal that the learner keeps is this one without what is beside the diagonal."""
    delta, mean, covariance, phi = problem(seed, 3)

    def confident(x):
        new, root = gaussian(x, 3)
        return new @ delta - phi * CW[name](((root.T @ delta) ** 2).sum())

    best = solve(lambda x: divergence(x, mean, covariance), start_of(mean, covariance), inequality(confident))
    move, shrink = step(name, phi, mean @ delta, delta @ covariance @ delta)
    new, spread = moved(mean, covariance, delta, move, shrink)
    best_mean, root = gaussian(best, 3)
    assert new == pytest.approx(best_mean, abs=2e-4)
    assert spread == pytest.approx(root @ root.T, abs=2e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_arow_weighs_divergence_loss_and_confidence(seed):
    """min KL + (ℓ² + δᵀΣδ) / 2r with the squared hinge loss ℓ²."""
    delta, mean, covariance, r = problem(seed, 3)
    if mean @ delta >= 1:
        mean = -mean

    def cost(x):
        new, root = gaussian(x, 3)
        loss = max(0, 1 - new @ delta) ** 2 + ((root.T @ delta) ** 2).sum()
        return divergence(x, mean, covariance) + loss / (2 * r)

    best_mean, root = gaussian(solve(cost, start_of(mean, covariance)), 3)
    new, spread = moved(mean, covariance, delta, *step("arow", r, mean @ delta, delta @ covariance @ delta))
    assert new == pytest.approx(best_mean, abs=2e-4)
    assert spread == pytest.approx(root @ root.T, abs=2e-4)


@pytest.mark.parametrize("name", CW)
@pytest.mark.parametrize("seed", SEEDS)
def test_with_one_feature_the_diagonal_is_exact(name, seed):
    """min KL over a single Gaussian number."""
    chance = np.random.default_rng(seed)
    mean, variance, phi = chance.normal(), chance.uniform(0.2, 2), chance.uniform(0.3, 2)
    best = solve(
        lambda x: divergence(x, np.array([mean]), np.array([[variance]])),
        [mean, math.sqrt(variance)],
        inequality(lambda x: x[0] - phi * CW[name](x[1] ** 2)),
    )
    move, shrink = step(name, phi, mean, variance)
    assert [mean + move * variance, variance / (1 + variance * shrink)] == pytest.approx(
        [best[0], best[1] ** 2], abs=1e-4
    )


margins = st.floats(-50, 50)
variances = st.floats(1e-3, 1e3)
strengths = st.floats(1e-2, 10)
each_rule = pytest.mark.parametrize("name", RULES)


@given(margins, variances)
def test_pa_meets_the_margin_exactly(m, v):
    move, _ = step("pa", 1, m, v)
    assert m + move * v == pytest.approx(max(1, m), abs=1e-9)
    assert step("pa-1", 1e12, m, v)[0] == pytest.approx(move)
    assert step("pa-2", 1e12, m, v)[0] == pytest.approx(move, rel=1e-6)
    assert step("pa-1", move / 2 or 1, m, v)[0] == pytest.approx(move / 2)


@pytest.mark.parametrize("name", CW)
@given(margins, variances, strengths)
def test_cw_meets_its_constraint_exactly(name, m, v, phi):
    move, shrink = step(name, phi, m, v)
    if move:
        after = v / (1 + v * shrink)
        assert after <= v
        scale = abs(m) + move * v
        assert m + move * v == pytest.approx(phi * CW[name](after), abs=1e-9 * scale)
    else:
        assert m >= phi * CW[name](v) * (1 - 1e-12)
        assert shrink == 0


@pytest.mark.parametrize("name", CW)
def test_the_formulas_as_the_papers_print_them(name):
    """They lose digits where the margin is large; here it is not."""
    for m in (-1.5, -0.2, 0.0, 0.3):
        for v in (0.5, 1.0, 3.0):
            phi = 0.8
            if name == "cw":
                psi, xi = 1 + phi**2 / 2, 1 + phi**2
                move = (-m * psi + math.sqrt(m**2 * phi**4 / 4 + v * phi**2 * xi)) / (v * xi)
                root = (-move * v * phi + math.sqrt((move * v * phi) ** 2 + 4 * v)) / 2
                shrink = move * phi / root
            else:
                u = 1 + 2 * phi * m
                move = (-u + math.sqrt(u**2 - 8 * phi * (m - phi * v))) / (4 * phi * v)
                shrink = 2 * move * phi
            assert step(name, phi, m, v) == pytest.approx((move, shrink))


@each_rule
@given(margins, variances, strengths)
def test_nothing_is_learned_where_all_is_settled(name, m, v, strength):
    move, shrink = step(name, strength, m, v)
    assert move >= 0
    assert shrink >= 0
    if settled(name, strength, m, v):
        assert (move, shrink) == (0, 0)
    else:
        assert move > 0
        assert (shrink > 0) == (name in WITH_VARIANCES)


@each_rule
@given(margins, variances, st.floats(0, 1), strengths)
def test_settled_is_settled_for_every_smaller_variance(name, m, v, share, strength):
    if settled(name, strength, m, v):
        assert step(name, strength, m, v * share) == (0, 0)


@each_rule
@given(st.floats(0, 1), variances, strengths)
def test_settled_at_the_very_border(name, share, v, strength):
    """Margins as near to the constraint as numbers can be."""
    border = strength * CW[name](v) if name in CW else BORDERS.get(name, 1.0)
    for m in (border, math.nextafter(border, -1), math.nextafter(border, 1e9)):
        move, _ = step(name, strength, m, v * share)
        assert not (settled(name, strength, m, v) and move)
        assert math.isfinite(move)
        assert move >= 0
    assert settled(name, strength, border + 1e-9 * (1 + border), v)
    assert not settled(name, strength, border - 1e-9 * (1 + border), v)


@each_rule
@given(st.floats(-1e38, 1e38), st.floats(0, 1e12), st.floats(1e-6, 1e6))
def test_extreme_numbers_give_finite_steps(name, m, v, strength):
    assume(v == 0 or v > 1e-30)
    move, shrink = step(name, strength, m, v)
    assert math.isfinite(move)
    assert math.isfinite(shrink)
    assert move >= 0
    assert shrink >= 0


@each_rule
def test_an_example_without_features_teaches_nothing(name):
    assert step(name, 1, 0, 0) == (0, 0)


def test_the_perceptron_moves_by_one_whenever_it_errs():
    assert [step("perceptron", 1, m, 3)[0] for m in (-2, 0, 1e-9, 5)] == [1, 1, 0, 0]
