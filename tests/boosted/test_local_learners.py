"""Any local classifier: learners of the toolkit, scikit-learn's, and what importance means to them."""

from dataclasses import replace

import numpy as np
import pytest
from weighted_examples import columns_from, random_problem

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.pairs import compile_pairs
from headway.features.registry import feature_model
from headway.learners.registry import ONLINE
from headway.learners.registry import learner as learner_named
from headway.parsers.boosted.local import EstimatorLocal, local_learner, rows_of
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.boosted.pair_features import PairExamples, nodes_of
from headway.stages.gold import encode_all, trees_of
from headway.stages.parsing.parser import Parser
from headway.training.loop import TrainingLoop

sklearn = pytest.importorskip("sklearn")
NAMES = [*ONLINE, "exponential", "logistic", "linear-svm", "sklearn:linear_model.RidgeClassifier"]
WHOLE = ["sklearn:linear_model.SGDClassifier", "sklearn:naive_bayes.BernoulliNB"]
SMALL = {"features": "local", "label_features": "mst"}


def small_treebank():
    return list(batches_of(list(generate(25, seed=1))))


def learner_for(wanted, options=None, **how):
    """A local learner without defaults of its own."""
    return local_learner(wanted, options or {}, {}, **how)


def test_rows_are_columns_turned_round():
    matrix, target, _ = random_problem(1)
    start, features = rows_of(columns_from(matrix, target))
    for row in range(len(matrix)):
        assert features[start[row] : start[row + 1]].tolist() == np.flatnonzero(matrix[row]).tolist()


@pytest.mark.parametrize("name", [*NAMES, *WHOLE])
def test_each_learner_makes_a_parser(name):
    passes = 3 if name in ONLINE else None
    options = {**SMALL, "learner": name, "rounds": 1, "dynamic": False, "passes": passes}
    [done] = TrainingLoop(BoostedOptions(**options, partitioned=name not in WHOLE), small_treebank())
    assert done.told["train UAS (ud)"] > (60 if "bayes" in name else 75)


def test_without_joint_each_class_is_a_problem_of_its_own():
    matrix, target, importance = random_problem(3)
    weights = np.zeros((matrix.shape[1], 3))
    learner_for("logistic", {"joint": False, "C": 0.5}).fit(columns_from(matrix, target), importance, weights)
    seen, options = importance > 0, {"C": 0.5, "tol": 0.03, "dual": True, "fit_intercept": False, "random_state": 1}
    for one in range(3):
        alone = sklearn.linear_model.LogisticRegression(solver="liblinear", **options)
        alone.fit(matrix[seen], target[seen] == one, sample_weight=importance[seen])
        assert weights[:, one] == pytest.approx(alone.coef_[0], abs=1e-6)


def test_each_learner_is_within_two_points_of_the_default():
    """A class that no pair of a part has is unlikely to all of them: as likely as no link, it would cost 8 points."""
    learned, unseen = (list(batches_of(list(generate(count, seed=count)))) for count in (100, 60))
    scores = {}
    for name in ("exponential", "logistic", "linear-svm", "sklearn:linear_model.RidgeClassifier", "pa-1"):
        options = BoostedOptions(**SMALL, learner=name, rounds=1, dynamic=False)
        [done] = TrainingLoop(options, learned, dev=unseen)
        scores[name] = done.dev.scores["UAS"]
    assert scores["exponential"] > 80
    assert min(scores.values()) > scores["exponential"] - 2


@pytest.mark.parametrize("name", ["pa-1", "sklearn:svm.LinearSVC"])
def test_labels_take_any_learner_too(name):
    [done] = TrainingLoop(BoostedOptions(**SMALL, label_learner=name, rounds=1), small_treebank())
    assert done.told["train LAS (ud)"] > 85


@pytest.mark.parametrize("importance", [0.5, 1.0, 2.0, 2.5, 40.0])
@pytest.mark.parametrize("name", ONLINE.own)
def test_an_important_example_is_learned_from_as_if_it_came_so_often_in_a_row(name, importance):
    chosen = learner_named(name, passes=1, average=False)
    matrix, target = np.array([[1.0, 1.0, 0.0]]), np.array([1])
    weights = np.zeros((3, 3))
    learner_for(chosen).fit(columns_from(matrix, target), np.array([importance]), weights)
    rule, spread = chosen.step_rule(), chosen.initial_variance if chosen.variance else 1.0
    weight, left = 0.0, importance
    while left > 0:
        share = min(1.0, left)
        step, shrink = rule.step(4 * weight, 4 * spread)
        weight += share * step * spread
        spread = spread / (1 + share * shrink * spread) if chosen.variance else spread
        left -= 1
    assert weights[:2, 1] == pytest.approx(weight) and weights[:2, 0] == pytest.approx(-weight)
    assert not weights[:, 2].any() and not weights[2].any()


@pytest.mark.parametrize("name", ["pa", "mira", "pa-1"])
def test_an_important_example_is_not_moved_beyond_its_margin(name):
    weights = np.zeros((3, 3))
    problem = columns_from(np.array([[1.0, 1.0, 0.0]]), np.array([1]))
    learner_for(learner_named(name, passes=1, average=False)).fit(problem, np.array([1e6]), weights)
    assert weights[:2, 1].sum() - weights[:2, 0].sum() == pytest.approx(1.0)


def plain_perceptron(matrix, target, importance, orders):
    """The averaged perceptron by definition: the mean of the weights after each example."""
    weights = np.zeros((matrix.shape[1], 3))
    total, steps = np.zeros_like(weights), 0
    for order in orders:
        for e in order:
            if importance[e] > 0:
                scores = matrix[e] @ weights
                wrong = max((c for c in range(3) if c != target[e]), key=lambda c: (scores[c], -c))
                left = importance[e]
                while left > 0 and (matrix[e] @ weights)[target[e]] <= (matrix[e] @ weights)[wrong]:
                    weights[:, target[e]] += min(1.0, left) * matrix[e]
                    weights[:, wrong] -= min(1.0, left) * matrix[e]
                    left -= 1
            total, steps = total + weights, steps + 1
    return total / steps


def test_the_averaged_perceptron_by_its_definition():
    matrix, target, importance = random_problem(2)
    weights = np.ones((matrix.shape[1], 3))
    learner_for("perceptron", passes=3, seed=7).fit(columns_from(matrix, target), importance, weights)
    orders = [np.random.Generator(np.random.PCG64([7, n])).permutation(len(target)) for n in (1, 2, 3)]
    assert weights == pytest.approx(plain_perceptron(matrix, target, importance, orders))


@pytest.mark.parametrize("name", ["LogisticRegression", "BernoulliNB", "MultinomialNB"])
def test_scores_give_the_probabilities_of_scikit_learn(name):
    from sklearn import linear_model, naive_bayes

    estimator = getattr(linear_model, name, None) or getattr(naive_bayes, name)
    matrix, target, importance = random_problem(4)
    weights = np.empty((matrix.shape[1], 3))
    EstimatorLocal(estimator()).fit(columns_from(matrix, target), importance, weights)
    scores = matrix @ weights
    ours = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    theirs = estimator().fit(matrix, target, sample_weight=importance).predict_proba(matrix)
    assert ours == pytest.approx(theirs, abs=1e-4)


def test_a_class_that_only_examples_without_importance_have_is_no_class():
    from sklearn.linear_model import LogisticRegression

    matrix, target, _ = random_problem(6)
    importance = np.where(target == 1, 0.0, 1.0)
    weights = np.empty((matrix.shape[1], 3))
    EstimatorLocal(LogisticRegression()).fit(columns_from(matrix, target), importance, weights)
    assert set((matrix @ weights).argmax(axis=1)) == {0, 2}


@pytest.mark.parametrize("classes", [[1], [0, 2]])
def test_classes_that_do_not_occur_are_no_trouble(classes):
    from sklearn.linear_model import LogisticRegression

    matrix, target, importance = random_problem(6)
    target = np.array(classes)[target % len(classes)]
    weights = np.empty((matrix.shape[1], 3))
    EstimatorLocal(LogisticRegression()).fit(columns_from(matrix, target), importance, weights)
    assert np.isfinite(weights).all()
    scores = matrix @ weights
    assert set(scores.argmax(axis=1)) <= set(classes)
    likely = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    absent = [c for c in range(3) if c not in classes]
    assert likely[:, absent].max() < 2 / importance.sum() + 0.02


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("mirror", {}, "unknown learner 'mirror'; known are: arow, cw, "),
        (
            "exponential",
            {"C": 1},
            "learner exponential has no option 'C'; known are: prior, strength, sweeps, tolerance",
        ),
        ("sklearn:linear_model.Nothing", {}, "scikit-learn has no classifier 'linear_model.Nothing'"),
        ("sklearn:linear_model.LogisticRegression", {"speed": 1}, "unexpected keyword argument 'speed'"),
    ],
)
def test_what_cannot_learn_is_refused(name, options, message):
    with pytest.raises(HeadwayError, match=message):
        learner_for(name, options)


def forest():
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(n_estimators=5, random_state=1)


@pytest.mark.parametrize("learner", [forest, lambda: "kernel-svm"], ids=["forest", "kernel-svm"])
def test_any_classifier_with_probabilities_parses(learner, tmp_path):
    treebank = list(batches_of(list(generate(8, seed=1))))
    options = BoostedOptions(**SMALL, learner=learner(), dynamic=False, rounds=2, keep="ensemble")
    loop = TrainingLoop(options, treebank)
    done = list(loop)
    assert done[-1].told["train UAS (ud)"] > 90
    with pytest.raises(HeadwayError, match="a classifier without weights of features cannot be written"):
        Parser([loop.best]).save(tmp_path / "m")
    with pytest.raises(HeadwayError, match="cannot be written"):
        TrainingLoop(options, treebank, checkpoint=tmp_path / "m.checkpoint").run()
    with pytest.raises(HeadwayError, match="dynamic features"):
        replace(options, dynamic=True).begin(treebank)


def test_its_scores_are_the_probabilities_of_scikit_learn():
    from sklearn.tree import DecisionTreeClassifier

    batches = list(batches_of(list(generate(6, seed=1))))
    templates = compile_pairs(feature_model("local"), "XPOS")
    gold = trees_of(batches, "head")
    nodes = nodes_of(templates, encode_all(templates, batches), gold.offsets, False)
    pairs = PairExamples(nodes, gold.heads)
    model = learner_for(DecisionTreeClassifier(random_state=1)).learn(pairs, np.ones(len(pairs)))
    found, at, pair = model.static(nodes), 0, 0
    for size in np.diff(gold.offsets) + 1:
        for i in range(size):
            for j in range(i + 1, size):
                assert found[at + i * size + j].argmax() == pairs.target[pair]
                pair += 1
        at += size * size


def test_classifiers_without_probabilities_are_refused():
    from sklearn.svm import SVC

    with pytest.raises(HeadwayError, match="SVC has neither weights nor probabilities"):
        learner_for(SVC())
    with pytest.raises(HeadwayError, match="labels need a learner with weights of features"):
        BoostedOptions(label_learner="sklearn:tree.DecisionTreeClassifier").begin([])
