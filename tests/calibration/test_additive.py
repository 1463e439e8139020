"""The additive model against scikit-learn's logistic regression, and what follows from its definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.linear_model import LogisticRegression

from headway.base.errors import HeadwayError
from headway.stages.calibration import additive
from headway.stages.calibration.additive import fit, hats, newton, penalty, sigmoid
from headway.stages.calibration.confidences import Calibrator
from headway.stages.calibration.evidence import Evidence


def drawn(seed, size=600):
    """Evidence in which a margin and a group decide."""
    rng = np.random.default_rng(seed)
    margin = rng.exponential(1, size).astype(np.float32)
    group = rng.integers(0, 3, size).astype(np.int32)
    right = rng.random(size) < sigmoid(1.5 * margin + np.array([-1.0, 0.0, 1.0])[group])
    return Evidence({"margin": margin, "noise": rng.normal(size=size).astype(np.float32)}, {"group": group}), right


def test_newton_finds_what_scikit_learn_finds():
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(300, 4))
    right = rng.random(300) < sigmoid(columns @ np.array([1.0, -2.0, 0.0, 0.5]) + 0.3)
    held = np.diag([0.0, 2.0, 2.0, 2.0, 2.0])
    found = newton(np.hstack([np.ones((300, 1)), columns]), right, held)
    theirs = LogisticRegression(C=0.5, tol=1e-10, max_iter=1000).fit(columns, right)
    assert found[1:] == pytest.approx(theirs.coef_[0], abs=1e-4)
    assert found[0] == pytest.approx(theirs.intercept_[0], abs=1e-4)


def test_a_straight_curve_is_platts(monkeypatch):
    """With bends held back without limit, one number gives a line over its place among the quantiles."""
    monkeypatch.setattr(additive, "BENDING", 1e9)
    monkeypatch.setattr(additive, "LEVEL", 1e-9)
    rng = np.random.default_rng(2)
    margin = rng.uniform(0, 7, 4000).astype(np.float32)  # quantiles lie at about the same distance
    right = rng.random(4000) < sigmoid(0.8 * margin - 1)
    model = fit(Evidence({"margin": margin}, {}), right)
    theirs = LogisticRegression(C=1e9, tol=1e-10).fit(margin[:, None], right)
    chances = model.probabilities(Evidence({"margin": margin}, {}))
    assert chances == pytest.approx(theirs.predict_proba(margin[:, None])[:, 1], abs=0.02)


def test_what_was_put_in_is_found():
    evidence, right = drawn(1, 20_000)
    model = fit(evidence, right)
    chances = model.probabilities(evidence)
    assert chances.mean() == pytest.approx(right.mean(), abs=1e-3)
    assert np.diff(model.curves["margin"]).min() > 0
    assert np.ptp(model.curves["noise"]) < 0.5
    assert np.argsort(model.effects["group"]).tolist() == [0, 1, 2]
    sure = chances > np.quantile(chances, 0.8)
    assert chances[sure].mean() == pytest.approx(right[sure].mean(), abs=0.01)


def test_text_elsewhere_tells_what_evidence_is_worth_and_not_how_often_words_are_right():
    """Little text of one's own, much of others where fewer words are right with the same evidence."""
    rng = np.random.default_rng(3)
    margin = rng.exponential(1, 8000).astype(np.float32)
    elsewhere = np.arange(8000) >= 500
    right = rng.random(8000) < sigmoid(1.5 * margin - 1.5 * elsewhere)
    evidence = Evidence({"margin": margin}, {})
    own = Evidence({"margin": margin[:500]}, {})
    found = fit(evidence, right, elsewhere).probabilities(own)
    assert found.mean() == pytest.approx(right[:500].mean(), abs=1e-3)

    def error(chances):
        return np.abs(chances - sigmoid(1.5 * margin[:500].astype(float))).mean()

    assert (
        error(found) < error(fit(own, right[:500]).probabilities(own)) < error(fit(evidence, right).probabilities(own))
    )


@settings(max_examples=50, deadline=None)
@given(
    arrays(np.float32, st.integers(1, 30), elements=st.floats(-5, 5, width=32)),
    st.lists(st.integers(-80, 80), min_size=1, max_size=6, unique=True).map(sorted),
)
def test_hats_are_interpolation(values, places):
    at, curve = np.array(places) / 8, np.arange(len(places)) ** 2.0
    found = hats(values, at)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(values)))
    assert found @ curve == pytest.approx(np.interp(values, at, curve), abs=1e-6)


def test_the_penalty_leaves_lines_alone():
    held = penalty([6], [])
    line = np.concatenate([[0.0], np.arange(6.0)])
    assert line @ held @ line == pytest.approx(additive.LEVEL * (np.arange(6.0) ** 2).sum())


@pytest.mark.parametrize("right", [True, False])
def test_all_right_or_all_wrong_is_no_certainty(right):
    evidence, _ = drawn(3, 50)
    chances = fit(evidence, np.full(50, right)).probabilities(evidence)
    assert np.isfinite(chances).all() and (chances > 0).all() and (chances < 1).all()
    assert (chances > 0.5).all() == right


def test_infinite_numbers_and_unknown_kinds_are_taken():
    evidence, right = drawn(4)
    model = fit(evidence, right)
    odd = Evidence(
        {"margin": np.array([np.inf, -np.inf], np.float32), "noise": np.zeros(2, np.float32)},
        {"group": np.array([7, 1], np.int32)},
    )
    chances = model.probabilities(odd)
    assert ((chances > 0) & (chances < 1)).all() and chances[0] > chances[1]
    with pytest.raises(HeadwayError, match="asks for 'noise'"):
        model.probabilities(Evidence({"margin": odd.numbers["margin"]}, odd.groups))


def test_evidence_of_forged_weights_is_not_sure():
    evidence, right = drawn(4)
    offsets = np.arange(0, len(right) + 1, 10)
    calibrator = Calibrator.fitted(evidence, {"arc": right}, offsets)
    evidence.numbers["margin"][5] = np.nan
    found = calibrator.confidences(evidence, offsets)
    assert found.words["arc"][5] == 0 and np.isfinite(found.sentences).all() and found.sentences[0] == 0
