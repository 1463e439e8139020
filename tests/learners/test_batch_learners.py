"""Batch learners against scikit-learn: what our arrays decide is what its estimators decide."""

import logging
import re
import sys
from dataclasses import dataclass, fields

import numpy as np
import pytest
from packed_rows import row_of

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.language import parse
from headway.kernels.weights.packing import packed
from headway.learners.batch import Linear, LinearSVM, Logistic
from headway.learners.kernel_svm import KernelSVM, joined, machine_from
from headway.learners.online import CW
from headway.parsers.transition.batch_training import (
    kernel_machines,
    linear_weights,
    matrix_of,
    parts_of,
    problems_of,
    template_named,
)
from headway.parsers.transition.options import TransitionOptions

sparse = pytest.importorskip("scipy.sparse")
sklearn = pytest.importorskip("sklearn")


def training_of(sentences, **options):
    chosen = TransitionOptions(features="malt-14", learner=CW(), explore=0.0, **options)
    training = chosen.begin(list(batches_of(sentences)))
    training.collect()
    return training


@pytest.fixture(scope="module")
def small():
    return training_of(list(generate(40, seed=3)))


def layout_scores(table, training):
    found, _ = packed(table, 1.0, exact=True)
    keys = training.weights.keys()
    dense = np.array([row_of(found, int(key)) for key in keys])
    return matrix_of(training) @ dense


def one_vs_rest(estimator):
    from sklearn.multiclass import OneVsRestClassifier

    return OneVsRestClassifier(estimator)


@pytest.mark.parametrize(
    "learner",
    [LinearSVM(), LinearSVM(joint=True), Logistic(smallest=0.0), Logistic(joint=False, smallest=0.0)],
    ids=repr,
)
def test_the_layout_decides_as_scikit_learn_does(learner, small):
    matrix, targets = matrix_of(small), problems_of(small)[0].targets
    estimator = learner.estimator(1)
    theirs = (estimator if learner.joint else one_vs_rest(estimator)).fit(matrix, targets)
    scores = theirs.decision_function(matrix)
    ours = layout_scores(linear_weights(small, learner), small)
    np.testing.assert_allclose(ours, scores, atol=1e-5)
    assert (ours.argmax(1) == scores.argmax(1)).all()
    assert (ours.argmax(1) == targets).mean() > 0.9


def by_action(training):
    """What is learned in two steps, without our classes: [(which examples, their right answers, our classes)]."""
    *_, action, label = training.examples.matrix()
    arcs = [pair for pair in training.classes.transitions if pair[1] >= 0]
    yield np.ones(len(action), bool), action, np.unique(action)
    for kind in (1, 2):
        yield action == kind, label[action == kind], 5 + np.flatnonzero([pair[0] == kind for pair in arcs])


def test_two_steps_are_a_problem_for_actions_and_one_for_the_labels_of_each_arc_action():
    training = training_of(list(generate(40, seed=3)), two_step=True)
    matrix, classes = matrix_of(training), training.classes
    ours = layout_scores(linear_weights(training, LinearSVM()), training)
    problems = list(by_action(training))
    assert len(problems) == len(problems_of(training)) == 3
    for decision, (examples, right, own) in zip(problems_of(training), problems, strict=True):
        assert (decision.examples == examples).all()
        theirs = one_vs_rest(LinearSVM().estimator(1)).fit(matrix[examples], right)
        chosen = own[ours[examples][:, own].argmax(1)]
        said = classes.action[chosen] if own[0] == 0 else classes.label[chosen]
        assert (said == theirs.predict(matrix[examples])).all()


def test_kernel_machines_of_two_steps_know_the_action_when_they_choose_a_label():
    training = training_of(list(generate(40, seed=3)), two_step=True)
    matrix, learner = matrix_of(training), KernelSVM(split=None)
    ids, start, *_ = training.examples.matrix()
    keys = training.weights.keys()[ids]
    scores = kernel_machines(training, learner).votes(start, keys, np.zeros(len(start) - 1, np.uint64))[0]
    for examples, right, own in by_action(training):
        theirs = learner.estimator().fit(matrix[examples], right)
        chosen = own[scores[examples][:, own].argmax(1)]
        said = training.classes.action[chosen] if own[0] == 0 else training.classes.label[chosen]
        assert (said == theirs.predict(matrix[examples])).all()


@pytest.mark.parametrize("learner", [LinearSVM(), LinearSVM(joint=True), Logistic(), Logistic(joint=False)], ids=repr)
@pytest.mark.parametrize("classes", [0, 1, 2])
def test_hardly_anything_to_decide(learner, classes):
    examples = sparse.csr_matrix(np.eye(4, dtype=np.float32)[np.arange(20 * bool(classes)) % 4])
    targets = (np.arange(examples.shape[0]) % max(1, classes)).astype(np.int32)
    weights = learner.fit(examples, targets, 3)
    assert weights.shape == (4, 3)
    assert (np.asarray((examples @ weights).argmax(1)).ravel() == targets).all()


def test_seeds(small):
    matrix, targets = matrix_of(small), problems_of(small)[0].targets
    one, again, other = (LinearSVM().fit(matrix, targets, len(small.classes), seed=seed) for seed in (1, 1, 2))
    assert (one != again).nnz == 0
    assert (one != other).nnz > 0


def test_what_has_not_converged_is_one_sentence(small, caplog):
    with caplog.at_level(logging.WARNING, "headway"):
        linear_weights(small, LinearSVM(iterations=1, tolerance=1e-9, joint=True))
        linear_weights(small, Logistic(iterations=1, tolerance=1e-9))
    assert len(caplog.messages) == 2
    assert "1 of 1 problems had not converged after 1 iterations; raise iterations, or tolerance" in caplog.messages[0]


def test_weights_that_say_nothing_are_left_out(small):
    matrix, targets = matrix_of(small), problems_of(small)[0].targets
    every = Logistic(smallest=0.0).fit(matrix, targets, len(small.classes))
    some = Logistic(smallest=0.01).fit(matrix, targets, len(small.classes))
    assert every.nnz > some.nnz > 0
    assert np.abs(some.data).min() > 0.01


def test_joint_learning_asks_for_memory_first(small, monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: 1)
    with pytest.raises(HeadwayError, match=r"joint learning of \d+ classes .*; raise the cutoff, or leave joint out"):
        linear_weights(small, LinearSVM(joint=True))


@pytest.mark.parametrize("learner", [LinearSVM(), Logistic(), KernelSVM()], ids=repr)
def test_without_scikit_learn(learner, small, monkeypatch):
    for name in ("sklearn", "sklearn.svm", "sklearn.linear_model", "sklearn.exceptions", "scipy.sparse", "joblib"):
        monkeypatch.setitem(sys.modules, name, None)
    train = kernel_machines if isinstance(learner, KernelSVM) else linear_weights
    with pytest.raises(HeadwayError, match=r"need scikit-learn; install it with pip install scikit-learn$"):
        train(small, learner)


@pytest.mark.parametrize("kind", [LinearSVM, Logistic, KernelSVM])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), [], {}], ids=repr)
def test_values_without_meaning(kind, value):
    for field in fields(kind):
        with pytest.raises(
            HeadwayError, match=re.escape(f"{field.name} = {value!r} of {kind.__name__} is ")
        ) as refusal:
            kind(**{field.name: value})
        assert "; give " in str(refusal.value)


@pytest.mark.parametrize(
    ("kind", "option", "value", "why"),
    [
        (LinearSVM, "C", 0, "not positive; give a number above 0"),
        (LinearSVM, "iterations", 2.5, "not a whole number; give one from 1 on"),
        (KernelSVM, "minimum", True, "not a whole number; give one from 1 on"),
    ],
)
def test_more_values_without_meaning(kind, option, value, why):
    with pytest.raises(HeadwayError, match=f"{option} = {value} of {kind.__name__} is {why}$"):
        kind(**{option: value})


@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("learner", [KernelSVM(), KernelSVM(degree=3, coef0=1.0, tolerance=0.01)], ids=repr)
def test_machines_predict_as_scikit_learn_does(learner, classes):
    random = np.random.default_rng(classes)
    examples = (random.random((600, 25)) < 0.2).astype(np.float32)
    targets = ((examples[:, :5] @ np.arange(5) + random.integers(0, 2, 600)) % classes * 2).astype(np.int32)
    keys = random.integers(1, 1 << 63, 25, np.uint64)
    learned = sklearn.svm.SVC(
        kernel="poly",
        C=learner.C,
        gamma=learner.gamma,
        coef0=learner.coef0,
        degree=learner.degree,
        tol=learner.tolerance,
    ).fit(sparse.csr_matrix(examples[:300]), targets[:300])
    machines = joined(
        [machine_from(learned, keys)],
        template=0,
        parts=np.empty(0, np.uint64),
        machine_of=np.zeros((1, 1), np.int32),
        prior=np.full(2 * classes, -1.0),
        power=learner.power(25),
    )
    starts = np.cumsum([0, *examples.sum(1)], dtype=np.int64)
    votes = machines.votes(starts, keys[np.nonzero(examples)[1]], np.zeros(600, np.uint64))[0]
    assert (votes.argmax(1) == learned.predict(sparse.csr_matrix(examples))).all()
    assert (votes[:, 1::2] == -1).all()
    assert (votes[:, ::2].sum(1) == classes * (classes - 1) / 2).all()
    if classes > 2:
        assert ((votes == votes.max(1, keepdims=True)).sum(1) > 1).any(), "no tie was broken"


def test_each_part_is_its_own_machine(small):
    """Machines of a split treebank predict as one SVC for each part does."""
    learner = KernelSVM(minimum=40)
    machines = kernel_machines(small, learner)
    ids, start, *_ = small.examples.matrix()
    template = template_named(small.templates.features, learner.split)
    assert str(small.templates.features[template]) == "XPOS(QUEUE0)"
    values = small.weights.keys()[ids[start[:-1] + template]]
    votes = machines.votes(start, small.weights.keys()[ids], values)[0]
    matrix, targets = matrix_of(small), problems_of(small)[0].targets
    parts, part = parts_of(values, learner.minimum)
    assert (machines.parts == parts).all() and len(parts) > 3
    for number in range(len(parts) + 1):
        mine = part == number
        expected = targets[mine]
        if len(np.unique(expected)) > 1:
            svc = sklearn.svm.SVC(kernel="poly", degree=2, gamma=0.2, coef0=0.0, C=0.5, tol=1.0)
            expected = svc.fit(matrix[mine], targets[mine]).predict(matrix[mine])
        assert (votes[mine].argmax(1) == expected).all()


@pytest.mark.parametrize(
    ("values", "minimum", "own", "part"),
    [
        ([5, 5, 5, 2, 2, 9], 2, [5], [0, 0, 0, 1, 1, 1]),
        ([5, 5, 5, 2, 2, 9, 8], 2, [2, 5], [1, 1, 1, 0, 0, 2, 2]),
        ([5, 5, 5, 2, 2], 2, [5], [0, 0, 0, 1, 1]),
        ([5, 5, 5, 2, 2, 9], 4, [], [0] * 6),
        ([0, 0, 0], 1000, [], [0, 0, 0]),
    ],
)
def test_parts(values, minimum, own, part):
    found, numbers = parts_of(np.array(values, np.uint64), minimum)
    assert found.tolist() == own
    assert numbers.tolist() == part


def test_tags_stand_in_for_each_other_in_the_split(small):
    features = [str(feature) for feature in small.templates.features]
    assert template_named(small.templates.features, "UPOS(STACK0)") == features.index("XPOS(STACK0)")
    with pytest.raises(
        HeadwayError, match=r"cannot be split by 'LEMMA\(STACK0\)'; give a feature of the model, as XPOS"
    ):
        template_named(small.templates.features, "LEMMA(STACK0)")


def test_without_tags_the_next_word_splits_the_examples(caplog):
    untagged = [s.replace(upos=["_"] * len(s), xpos=["_"] * len(s)) for s in generate(20, seed=3)]
    training = training_of(untagged)
    features = [str(feature) for feature in training.templates.features]
    assert template_named(training.templates.features, KernelSVM().split) == features.index("FORM(QUEUE0)")
    assert "there is no POS(QUEUE0) to split the examples by; FORM(QUEUE0) takes its place" in caplog.text
    valency_first = parse("LEFT(QUEUE0)\nDEP(QUEUE0)\nLEMMA(QUEUE0)")  # What the parser has done changes the first two.
    assert template_named(valency_first, KernelSVM().split) == 2
    with pytest.raises(HeadwayError, match="cannot be split by 'UPOS"):
        template_named(training.templates.features, "UPOS(STACK0)")
    assert len(kernel_machines(training, KernelSVM(minimum=50)).members)


@dataclass(frozen=True, kw_only=True)
class Own(Linear):
    """A linear learner from elsewhere, with whatever stands in `made`."""

    def estimator(self, seed):
        return self.made()


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("RidgeClassifier", {}),
        ("RidgeClassifier", {"joint": True}),
        ("Perceptron", {}),
        ("LinearRegression", {}),
    ],
)
def test_a_subclass_of_linear_may_take_any_linear_estimator(name, how, small, monkeypatch):
    """Those whose weights have one dimension and those that count no iterations, too."""
    made = getattr(pytest.importorskip("sklearn.linear_model"), name)
    monkeypatch.setattr(Own, "made", lambda self: made(fit_intercept=False), raising=False)
    weights = linear_weights(small, Own(**how))
    scores = layout_scores(weights, small)
    targets = problems_of(small)[0].targets
    assert (scores.argmax(axis=1) == targets).mean() > 0.8


@pytest.mark.parametrize(
    ("made", "how", "message"),
    [
        ("svm.LinearSVC", {}, "LinearSVC finds an intercept, which no feature stands for; give it fit_intercept=False"),
        ("tree.DecisionTreeClassifier", {}, "DecisionTreeClassifier has no coefficients; take a linear classifier"),
        (
            "utils.Bunch",
            {},
            "expected an estimator from Own.estimator, got a Bunch; return one of scikit-learn, such as LinearSVC(",
        ),
    ],
)
def test_an_estimator_that_will_not_do_is_one_sentence(made, how, message, small, monkeypatch):
    module, _, name = made.partition(".")
    kind = getattr(pytest.importorskip(f"sklearn.{module}"), name)
    monkeypatch.setattr(Own, "made", lambda self: kind(**how), raising=False)
    for joint in (False, True):
        with pytest.raises(HeadwayError, match=f"^{re.escape(message)}"):
            linear_weights(small, Own(joint=joint))
