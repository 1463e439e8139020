"""How examples are weighted: the schemes against their definitions, one example at a time."""

import itertools
import math

import numpy as np
import pytest
from weighted_examples import columns_from, random_problem

from headway.base.errors import HeadwayError
from headway.learners.exponential import Exponential
from headway.parsers.boosted.local import understood
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.boosted.registry import SCHEMES
from headway.parsers.boosted.schemes import AdaBoostM1, AdaBoostM2, Additive, LogisticLoss, boost, scheme

TARGET = np.array([0, 1, 2, 0, 1, 0, 0, 2])
FIRST = np.array([0, 1, 1, 0, 1, 0, 2, 2])
SECOND = np.array([0, 0, 2, 0, 1, 0, 0, 2])


def after(chosen, *predictions):
    """States and shares round by round."""
    state, found = chosen.begin(TARGET, 3), []
    for predicted in predictions:
        state, share = chosen.update(state, TARGET, predicted)
        found.append((state, share))
    return found


def test_each_mistake_adds_a_constant():
    (first, share), (second, _) = after(Additive(constant=0.5), FIRST, SECOND)
    assert first.tolist() == [1, 1, 1.5, 1, 1, 1, 1.5, 1]
    assert second.tolist() == [1, 1.5, 1.5, 1, 1, 1, 1.5, 1]
    assert share == 1


def test_adaboost_m1_gives_half_of_all_importance_to_what_was_wrong():
    for (state, share), predicted in zip(after(AdaBoostM1(), FIRST, SECOND), (FIRST, SECOND), strict=True):
        assert state[predicted != TARGET].sum() == pytest.approx(state.sum() / 2)
        assert state.mean() == pytest.approx(1)
        assert share > 0
    assert after(AdaBoostM1(), FIRST)[0][1] == pytest.approx(np.log(6 / 2))


def test_adaboost_m1_ends_where_more_is_wrong_than_right():
    assert after(AdaBoostM1(), (TARGET + 1) % 3)[0][1] < 0


def test_adaboost_m2_by_its_definition():
    weight = {(i, y): 0.5 for i in range(8) for y in range(3) if y != TARGET[i]}
    for (state, share), predicted in zip(after(AdaBoostM2(), FIRST, SECOND), (FIRST, SECOND), strict=True):
        total = sum(weight.values())
        h = lambda i, y, predicted=predicted: float(predicted[i] == y)  # noqa: E731
        error = sum(d / total * (1 - h(i, TARGET[i]) + h(i, y)) / 2 for (i, y), d in weight.items())
        beta = error / (1 - error)
        weight = {(i, y): d * beta ** ((1 + h(i, TARGET[i]) - h(i, y)) / 2) for (i, y), d in weight.items()}
        scale = 8 / sum(weight.values())
        assert share == pytest.approx(np.log(1 / beta))
        for (i, y), d in weight.items():
            assert state[i, y] == pytest.approx(d * scale)
    assert (AdaBoostM2().importance(state) == state).all()


def plain_m2(features, target, weak, rounds):
    """AdaBoost.M2 as Freund and Schapire (1997) write it, Figure 4: D, q, w(i, y), one loop at a time."""
    n, classes = len(target), 3
    w = {(i, y): 1 / (n * (classes - 1)) for i in range(n) for y in range(classes) if y != target[i]}
    found = []
    for _ in range(rounds):
        total = {i: sum(w[i, y] for y in range(classes) if y != target[i]) for i in range(n)}
        q = {(i, y): w[i, y] / total[i] for i, y in w}
        share = {i: total[i] / sum(total.values()) for i in range(n)}
        h = weak({(i, y): share[i] * q[i, y] for i, y in w})
        loss = 0.5 * sum(
            share[i] * (1 - h[i][target[i]] + sum(q[i, y] * h[i][y] for y in range(classes) if y != target[i]))
            for i in range(n)
        )
        beta = loss / (1 - loss)
        w = {(i, y): w[i, y] * beta ** (0.5 * (1 + h[i][target[i]] - h[i][y])) for i, y in w}
        found.append((h, math.log(1 / beta)))
    return found


def test_adaboost_m2_with_its_weak_learner_is_that_of_the_paper():
    """The weak learner sees the distribution over mislabels; hypotheses, shares and the final vote are the same."""
    matrix, target, _ = random_problem(11)
    columns, shape = columns_from(matrix, target), (matrix.shape[1], 3)

    class Local:
        classes = 3

        def __init__(self):
            self.target = target

        def train(self, importance, begin):
            assert importance.shape == (len(target), 3)
            weights = np.zeros(shape)
            Exponential(strength=2.0, tolerance=1e-7, sweeps=5000).fit(columns, importance, weights)
            return weights

        def predict(self, weights):
            return (matrix @ weights).argmax(axis=1)

    def weak(mislabels):
        importance = np.zeros((len(target), 3))
        for (i, y), d in mislabels.items():
            importance[i, y] = d * len(target)
        said = local.predict(local.train(importance, None))
        return [[float(said[i] == y) for y in range(3)] for i in range(len(target))]

    local = Local()
    ours = list(itertools.islice(boost(local, AdaBoostM2()), 4))
    expected = plain_m2(matrix, target, weak, 4)
    assert len({tuple(one.predicted.tolist()) for one in ours}) > 1
    for one, (h, share) in zip(ours, expected, strict=True):
        assert one.predicted.tolist() == np.argmax(h, axis=1).tolist()
        assert one.share == pytest.approx(share)


def test_a_learner_that_takes_no_mislabels_gets_the_sum_of_each_example():
    state = AdaBoostM2().begin(TARGET, 3)
    assert understood(object(), state).tolist() == [1.0] * 8
    assert understood(Exponential(), state) is state


def test_logistic_loss_goes_down_with_every_round():
    chosen = LogisticLoss()
    states = [chosen.begin(TARGET, 3), *(state for state, _ in after(chosen, FIRST, SECOND))]
    totals = [np.log1p(np.exp(-state)).sum() for state in states]
    assert totals == sorted(totals, reverse=True)
    importance = chosen.importance(states[1])
    assert importance.mean() == pytest.approx(1)
    expected = 1 / (1 + np.exp(states[1]))
    assert importance == pytest.approx(expected / expected.mean())


@pytest.mark.parametrize("name", SCHEMES.own)
def test_perfect_and_hopeless_rounds_have_finite_weights(name):
    chosen = scheme(name)
    for predicted in (TARGET, (TARGET + 1) % 3):
        state, share = chosen.update(chosen.begin(TARGET, 3), TARGET, predicted)
        assert np.isfinite(state).all()
        assert np.isfinite(share)
        assert (chosen.importance(state) >= 0).all()


def test_unknown_schemes_and_constants_are_refused():
    with pytest.raises(HeadwayError, match="unknown boosting scheme 'x'; known are: adaboost-m1, "):
        scheme("x")
    with pytest.raises(HeadwayError, match="adaboost-m1 has no constant"):
        BoostedOptions(boosting="adaboost-m1", constant=1.0)
    with pytest.raises(HeadwayError, match="adaboost-m1 has no option 'constant'"):
        scheme("adaboost-m1", 1.0)
    with pytest.raises(HeadwayError, match="constant = 0 of Additive is not positive"):
        scheme("additive", 0)


class Stumps:
    """Words as examples, thresholds as models, sentences as structures: boosting knows nothing of any of them."""

    classes = 2

    def __init__(self):
        rng = np.random.default_rng(1)
        self.values = rng.normal(size=(200, 3))
        self.target = ((self.values**2).sum(axis=1) < 1.5).astype(int)

    def train(self, importance, begin):
        importance = understood(self, importance)
        stumps = [(c, t, s) for c in range(3) for t in np.linspace(-2, 2, 21) for s in (0, 1)]
        return [min((importance @ (self.said([(1.0, one)]) != self.target), one) for one in stumps)[1]]

    def said(self, weighted):
        votes = sum(w * np.where((self.values[:, c] < t) == s, 1, -1) for w, (c, t, s) in weighted)
        return (votes > 0).astype(int)

    def mixed(self, models, shares):
        return [(share, one) for model, share in zip(models, shares, strict=True) for one in model]

    def predict(self, model):
        return self.said([one if isinstance(one[1], tuple) else (1.0, one) for one in model])


@pytest.mark.parametrize("name", ["adaboost-m1", "adaboost-m2", "logistic-loss"])
def test_an_ensemble_of_weak_models_is_better_than_the_first(name):
    task = Stumps()
    done = []
    for found in boost(task, scheme(name)):
        done.append(found)
        if len(done) == 25:
            break
    together = task.mixed([found.model for found in done], [found.share for found in done])
    wrong_first = (done[0].predicted != task.target).mean()
    assert (task.predict(together) != task.target).mean() < 0.6 * wrong_first


def test_boosting_goes_on_after_a_round():
    task = Stumps()
    whole, parts = [], []
    for _, found in zip(range(4), boost(task, Additive()), strict=False):
        whole.append(found)
    for _, found in zip(range(2), boost(task, Additive()), strict=False):
        parts.append(found)
    for _, found in zip(range(2), boost(task, Additive(), last=parts[-1]), strict=False):
        parts.append(found)
    assert [found.model for found in whole] == [found.model for found in parts]
    assert [found.number for found in parts] == [1, 2, 3, 4]


def test_examples_of_a_fold_are_judged_by_what_the_others_taught():
    task = Stumps()
    folds = [np.arange(len(task.target)) % 3 == number for number in range(3)]
    found = next(boost(task, Additive(), folds=folds))
    assert found.model == task.train(np.ones(len(task.target)), None)
    for fold in folds:
        other = task.train(np.where(fold, 0.0, 1.0), None)
        assert (found.predicted[fold] == task.predict(other)[fold]).all()
    assert (found.state == 1 + (found.predicted != task.target)).all()
