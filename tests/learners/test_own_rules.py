"""Learners with a step of their own, written in Python: they learn what ours learn, and their mistakes come out."""

import signal
from dataclasses import dataclass

import numpy as np
import pytest
from plain_learners import PLAIN
from weighted_examples import columns_from, random_problem

from headway.base.errors import HeadwayError, known
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.kernels.graph.learning import update
from headway.kernels.weights.rules import RULES, StepRule
from headway.learners.online import Online
from headway.learners.registry import learner, name_of
from headway.parsers.boosted.local import local_learner
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.training.contract import unheard
from headway.training.loop import TrainingLoop

BATCHES = list(batches_of(list(generate(25, seed=4, nonprojective=0.2))))
CLOSE = {"rtol": 2e-3, "atol": 2e-4}
"""How near the numbers are after some hundred updates in single precision: the papers' formulas round otherwise."""
NOTHING = np.empty(0, np.float32)
each_rule = pytest.mark.parametrize("name", PLAIN)


def both(name, **options):
    """The learner of ours and the plain one, with the same options."""
    return learner(name, **options), PLAIN[name](**options)


def transition_state(chosen, **options):
    training = TransitionOptions(features="malt-14", learner=chosen, **options).begin(BATCHES)
    tallies = [training.step(number, unheard) for number in (1, 2)]
    return training.pack().arrays, tallies


def graph_training(chosen):
    return GraphOptions(order=1, bits=16, label_bits=14, decoder="eisner", learner=chosen).begin(BATCHES)


def test_every_rule_has_a_plain_form():
    assert PLAIN.keys() == RULES.keys()


@each_rule
@pytest.mark.parametrize("explore", [0.0, 0.5], ids=["static", "exploring"])
def test_transitions_are_learned_alike(name, explore):
    (state, tallies), (plain_state, plain_tallies) = (
        transition_state(chosen, explore=explore) for chosen in both(name, average=True)
    )
    assert plain_tallies == tallies
    assert tallies[0]["updates"] > 100
    for part in ("keys", "sizes", "classes"):
        assert np.array_equal(state[part], plain_state[part])
    np.testing.assert_allclose(plain_state["planes"][0], state["planes"][0], **CLOSE)
    if learner(name).variance:
        np.testing.assert_allclose(plain_state["planes"][1], state["planes"][1], **CLOSE)


@each_rule
def test_trees_are_learned_alike(name):
    found = []
    for chosen in both(name, average=False):
        training = graph_training(chosen)
        found.append(([training.step(number, unheard) for number in (1, 2)], training.pack().arrays))
    (tallies, state), (plain_tallies, plain_state) = found
    assert plain_tallies == tallies
    assert tallies[0]["updates"] > 10
    np.testing.assert_allclose(plain_state["learned"], state["learned"], **CLOSE)
    np.testing.assert_allclose(plain_state["variances"], state["variances"], **CLOSE)


@each_rule
def test_local_models_are_learned_alike(name):
    matrix, target, importance = random_problem(3, examples=25)  # CW in its papers' form is lost in much noise
    found = []
    for chosen in both(name, passes=1 if name == "cw" else 3):
        weights = np.zeros((matrix.shape[1], 3))
        local_learner(chosen, {}, {}).fit(columns_from(matrix, target), importance, weights)
        found.append(weights)
    assert np.abs(found[0]).max() > 0.01
    assert found[1] == pytest.approx(found[0], rel=1e-6, abs=1e-9)  # in double precision


@each_rule
def test_one_step_along_a_sparse_vector(name):
    ours, plain = (chosen.step_rule() for chosen in both(name))
    found = []
    for rule in (ours, plain):
        weights, variances = np.zeros(4, np.float32), np.full(4, 0.5, np.float32)
        index, count = np.array([1, 3], np.int32), np.array([2, -1], np.int32)
        assert update(weights, NOTHING, variances, index, count, rule, 3.0, 1.0)
        found.append((weights, variances))
    assert found[1][0] == pytest.approx(found[0][0], rel=1e-6)
    assert found[1][1] == pytest.approx(found[0][1], rel=1e-6)


@each_rule
def test_a_rule_of_python_decides_alone_when_all_is_settled(name):
    _, plain = both(name)
    assert StepRule(name, 1.0).is_settled(1e6, 1.0)
    assert not plain.step_rule().is_settled(1e6, 1.0)


def test_a_parser_of_a_learner_without_a_name_says_whose_it_is():
    chosen = PLAIN["pa"](passes=1)
    options = TransitionOptions(features="malt-14", learner=chosen, explore=0.0)
    about = TrainingLoop(options, BATCHES).run().about
    assert about["learner"]["name"] == name_of(chosen) == "plain_learners:PlainPA"
    assert about["learner"] == {"name": name_of(chosen), "passes": 1, "average": True, "settle": 0}


def test_a_learner_without_any_rule_is_refused():
    with pytest.raises(HeadwayError, match="Online has neither a rule nor a method step; give it one of them"):
        Online().step_rule()


def test_an_unknown_rule_lists_the_known_ones():
    with pytest.raises(HeadwayError, match=f"unknown step rule 'pb'; {known(RULES)}"):
        StepRule("pb", 1.0)


@dataclass(frozen=True, kw_only=True)
class Broken(Online):
    """Gives a good answer twice, then whatever `answer` returns or raises, and counts its calls."""

    def step(self, margin, variance, wanted):
        CALLS.append(margin)
        return (1.0, 0.0) if len(CALLS) < 3 else ANSWER[0]()


CALLS: list = []
ANSWER: list = []


def failing(answer):
    CALLS.clear()
    ANSWER[:] = [answer]
    return Broken()


def raising(error):
    def answer():
        raise error

    return answer


def train_static(chosen):
    transition_state(chosen, explore=0.0)


def train_exploring(chosen):
    TransitionOptions(features="malt-14", learner=chosen, explore=0.5).begin(BATCHES).step(2, unheard)


def train_graph(chosen):
    graph_training(chosen).step(1, unheard)


def train_local(chosen):
    matrix, target, _ = random_problem(3)
    local_learner(chosen, {}, {}).fit(
        columns_from(matrix, target), np.ones(len(target)), np.zeros((matrix.shape[1], 3))
    )


def step_alone(chosen):
    rule = chosen.step_rule()
    for _ in range(3):
        rule.step(0.0, 1.0)


each_kernel = pytest.mark.parametrize("train", [train_static, train_exploring, train_graph, train_local, step_alone])


@each_kernel
@pytest.mark.parametrize("error", [ZeroDivisionError("why"), KeyboardInterrupt(), SystemExit(3)], ids=repr)
def test_exceptions_come_out_as_they_are_and_end_the_asking(train, error):
    with pytest.raises(type(error)) as caught:
        train(failing(raising(error)))
    assert caught.value is error
    assert len(CALLS) == 3


def test_the_users_interrupt_comes_out():
    with pytest.raises(KeyboardInterrupt):
        train_static(failing(lambda: signal.raise_signal(signal.SIGINT)))
    assert len(CALLS) == 3


@each_kernel
@pytest.mark.parametrize(
    "answer",
    [(float("nan"), 0.0), (0.0, float("inf")), (1.0, -0.5), None, (1, 2, 3), 1.0, ("1", "2"), (None, 0)],
    ids=repr,
)
def test_wrong_answers_are_told_in_a_sentence(train, answer):
    with pytest.raises(HeadwayError, match=r"the step function Broken\.step gave .* for margin ") as caught:
        train(failing(lambda: answer))
    assert repr(answer) in str(caught.value)
    assert "; let it return two finite numbers, the step and a shrink of at least 0" in str(caught.value)
    assert len(CALLS) == 3


def test_after_its_error_was_raised_a_rule_works_again():
    answers = [(0.5, 0.0), None, (0.25, 0.0)]
    rule = StepRule.of(lambda margin, variance, wanted: answers.pop(0))
    assert rule.step(0.0, 1.0) == (0.5, 0.0)
    with pytest.raises(HeadwayError, match="lambda> gave None"):
        rule.step(0.0, 1.0)
    assert rule.step(0.0, 1.0) == (0.25, 0.0)


def test_a_function_hears_margin_variance_and_what_is_wanted():
    heard = []
    rule = StepRule.of(lambda *numbers: heard.append(numbers) or (0, 0))
    assert rule.step(0.5, 2.0, wanted=3.0) == (0.0, 0.0)
    assert rule.step(0.5, 0.0) == (0.0, 0.0)  # without features there is nothing to ask
    assert heard == [(0.5, 2.0, 3.0)]
