"""The same boosting around another parser: decisions of the static oracle, judged by the transition parser's trees."""

import numpy as np
import pytest

from headway.boosting.rounds import boost
from headway.boosting.schemes import Additive
from headway.boosting.transitions import LEFT_ARC, RIGHT_ARC, Decisions
from headway.data import batches_of
from headway.learners.confidence_weighted import CW
from headway.learners.exponential import Exponential
from headway.sample import generate
from headway.transition.options import TransitionOptions
from headway.transition.registry import SYSTEMS

pytest.importorskip("scipy.sparse")


def decisions(system="arc-eager", root=None):
    options = TransitionOptions(features="malt-14", system=system, root=root, learner=CW(average=False), explore=0.0)
    training = options.begin(list(batches_of(list(generate(60, seed=4)))))
    return Decisions(training, Exponential(strength=2.0, tolerance=0.01))


@pytest.mark.parametrize(("system", "root"), [(name, root) for name in SYSTEMS for root in SYSTEMS[name].roots])
def test_arcs_are_about_the_words_that_they_attach(system, root):
    local = decisions(system, root)
    _, _, _, actions, labels = local.work.examples.matrix()
    assert len(local.words) == len(actions)
    arcs = np.isin(actions, (LEFT_ARC, RIGHT_ARC))
    attached = local.words[arcs]
    assert len(set(attached)) == len(attached)
    assert (local.work.trees.labels[attached] == labels[arcs]).all()
    if system != "arc-eager":
        assert sorted(attached) == list(range(len(local.work.trees.heads)))


def test_words_that_the_parser_gets_wrong_weigh_more_in_the_next_round():
    local = decisions()
    done = []
    for found in boost(local, local, Additive(constant=1.0)):
        done.append(found)
        if found.number == 4:
            break
    wrong = [(found.predicted != local.target).sum() for found in done]
    assert wrong[0] > 0
    assert wrong[-1] < wrong[0]
    first = done[0]
    mistaken = np.flatnonzero(first.predicted != local.target)
    assert (first.state[mistaken] == 2).all()
    assert (first.state.sum() - len(first.state)) == len(mistaken)
    heads, labels = local._trees(first.model.parser)
    trees = local.work.trees
    bad = np.flatnonzero((heads != trees.heads) | (labels != trees.labels))
    assert set(local.words[mistaken]) == set(bad) & set(local.words)


def test_an_ensemble_is_a_parser():
    local = decisions()
    models = [found.model for _, found in zip(range(2), boost(local, local, Additive()), strict=False)]
    both = local.mixed(models, [1.0, 3.0])
    assert both.weights == pytest.approx(0.25 * models[0].weights + 0.75 * models[1].weights)
    right = [(local.predict(model) == local.target).mean() for model in (both, *models)]
    assert right[0] > min(right[1:]) - 0.02
