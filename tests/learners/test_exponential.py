"""Logistic regression against SciPy's bounded optimiser and scikit-learn, and what its steps promise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weighted_examples import columns_from, random_problem

from headway.base.errors import HeadwayError
from headway.kernels.weights import logistic
from headway.learners.exponential import Exponential

optimize = pytest.importorskip("scipy.optimize")
linear_model = pytest.importorskip("sklearn.linear_model")


def losses(weights, matrix, target, importance, linear=0.0, quadratic=0.0):
    scores = matrix @ weights
    logs = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    value = -(importance * logs[np.arange(len(target)), target]).sum()
    wrong = np.exp(logs)
    wrong[np.arange(len(target)), target] -= 1
    slopes = matrix.T @ (importance[:, None] * wrong) + linear + quadratic * weights
    return value + linear * weights.sum() + quadratic / 2 * (weights**2).sum(), slopes


def learned(problem, **options):
    matrix, target, importance = problem
    weights = np.zeros((matrix.shape[1], 3))
    Exponential(**{"tolerance": 1e-9, "sweeps": 20000, **options}).fit(
        columns_from(matrix, target), importance, weights
    )
    return weights


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("strength", [0.1, 0.5, 2.0])
def test_the_optimum_is_that_of_a_bounded_optimiser(seed, strength):
    matrix, target, importance = problem = random_problem(seed)
    weights = learned(problem, strength=strength)

    def objective(flat):
        value, slopes = losses(flat.reshape(weights.shape), matrix, target, importance, linear=strength)
        return value, slopes.reshape(-1)

    bounds = [(0, None)] * weights.size
    best = optimize.minimize(objective, np.zeros(weights.size), jac=True, method="L-BFGS-B", bounds=bounds,
                             options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 10000})  # fmt: skip
    assert weights.min() >= 0
    assert objective(weights.reshape(-1))[0] == pytest.approx(best.fun, rel=1e-7)
    scores = np.stack([matrix @ weights, matrix @ best.x.reshape(weights.shape)])
    both = np.exp(scores - np.logaddexp.reduce(scores, axis=2, keepdims=True))
    assert both[0, importance > 0] == pytest.approx(both[1, importance > 0], abs=1e-3)


def mislabel_losses(flat, matrix, target, mislabels, linear):
    """Σ a(i, y) log(1 + e^(s(y) − s(yᵢ))) over the wrong classes of all examples, and its slopes."""
    weights = flat.reshape(matrix.shape[1], 3)
    scores = matrix @ weights
    right = scores[np.arange(len(target)), target][:, None]
    value = (mislabels * np.logaddexp(0, scores - right)).sum() + linear * flat.sum()
    pushed = mislabels / (1 + np.exp(right - scores))
    pushed[np.arange(len(target)), target] = -pushed.sum(axis=1)
    return value, (matrix.T @ pushed + linear).reshape(-1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("strength", [0.1, 1.0])
def test_with_mislabels_each_wrong_class_has_a_loss_of_its_own(seed, strength):
    matrix, target, _ = random_problem(seed)
    mislabels = np.random.default_rng(seed).choice([0.0, 0.5, 1.0, 3.0], (len(target), 3))
    mislabels[np.arange(len(target)), target] = 0
    weights = learned((matrix, target, mislabels), strength=strength)
    given = (matrix, target, mislabels, strength)
    best = optimize.minimize(mislabel_losses, np.zeros(weights.size), args=given, jac=True, method="L-BFGS-B",
                             bounds=[(0, None)] * weights.size, options={"ftol": 1e-15, "maxiter": 10000})  # fmt: skip
    assert weights.min() >= 0
    assert mislabel_losses(weights.reshape(-1), *given)[0] == pytest.approx(best.fun, rel=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_the_conditions_of_the_optimum_hold_when_learning_ends(seed):
    matrix, target, importance = problem = random_problem(seed, examples=200, features=40)
    for tolerance in (1e-2, 1e-5):
        weights = learned(problem, strength=0.5, tolerance=tolerance)
        _, slopes = losses(weights, matrix, target, importance, linear=0.5)
        missing = np.where(weights > 0, np.abs(slopes), np.maximum(0, -slopes)).sum()
        assert missing <= (1 + 1e-6) * tolerance * importance.sum()


@pytest.mark.parametrize("seed", range(4))
def test_a_gaussian_prior_gives_the_weights_of_scikit_learn(seed):
    matrix, target, importance = problem = random_problem(seed)
    weights = learned(problem, prior="gaussian", strength=0.7)
    theirs = linear_model.LogisticRegression(C=1 / 0.7, fit_intercept=False, tol=1e-10, max_iter=10000)
    theirs.fit(matrix, target, sample_weight=importance)
    assert weights == pytest.approx(theirs.coef_.T, abs=1e-4)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), linear=st.sampled_from([0.01, 0.5, 3.0]), quadratic=st.sampled_from([0.0, 0.5]))
def test_no_sweep_makes_it_worse(seed, linear, quadratic):
    matrix, target, importance = random_problem(seed, examples=25, features=6)
    columns = columns_from(matrix, target)
    weights = np.zeros((6, 3))
    before = losses(weights, matrix, target, importance, linear, quadratic)[0]
    for _ in range(6):
        logistic.fit(
            *columns[:2], columns.target, importance, np.empty((0, 1)), weights, linear, quadratic, 0.0, 0.0, 1
        )
        after = losses(weights, matrix, target, importance, linear, quadratic)[0]
        assert after <= before + 1e-9 * abs(before)
        before = after


def test_importance_is_repetition():
    matrix, target, _ = random_problem(5)
    times = np.random.default_rng(5).integers(0, 4, len(target))
    repeated = np.repeat(matrix, times, axis=0), np.repeat(target, times), np.ones(times.sum())
    assert learned((matrix, target, times.astype(float))) == pytest.approx(learned(repeated), abs=1e-5)


def test_a_feature_seen_too_rarely_with_a_class_has_no_weight():
    matrix, target, importance = problem = random_problem(7)
    weights = learned(problem, strength=4.0)
    observed = np.stack([matrix.T @ (importance * (target == c)) for c in range(3)], axis=1)
    assert (weights[observed <= 4.0] == 0).all()
    assert (weights[observed > 4.0] > 0).any()


def test_it_goes_on_from_where_it_was():
    matrix, target, importance = problem = random_problem(3)
    weights, columns = learned(problem), columns_from(matrix, target)
    arguments = (*columns[:2], columns.target, importance, np.empty((0, 1)), weights, 1.0, 0.0, 0.0, 1e-6, 1000)
    assert logistic.fit(*arguments)[0] <= 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strength": 0}, "strength = 0 of Exponential is not positive; give a number above 0"),
        ({"tolerance": math.nan}, "tolerance = nan of Exponential is not a number; give a number above 0"),
        ({"sweeps": 0}, "sweeps = 0 of Exponential is out of range; give a number from 1 on"),
        ({"prior": "flat"}, "unknown prior 'flat'; known are: exponential, gaussian"),
    ],
)
def test_options_without_meaning_are_refused(options, message):
    with pytest.raises(HeadwayError, match=message):
        Exponential(**options)
