"""Trees with one root from parsers that have learned to take several words for roots."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from derivations import LEFT, REDUCE, RIGHT, SHIFT
from hypothesis import given
from hypothesis import strategies as st

import headway
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.kernels.transition.lockstep import Lockstep
from headway.learners.online import Perceptron
from headway.parsers.transition.enumeration import replay
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import SYSTEMS as KINDS
from headway.parsers.transition.registry import ChosenSystem
from headway.training.dev_scores import judged

SYSTEMS = [ChosenSystem(name=name, root=root, single_root=True) for name in KINDS.own for root in KINDS[name].roots]
EAGER = [system for system in SYSTEMS if system.name == "arc-eager"]


def mirrored(sentence):
    """The sentence from its end to its beginning: most words come before their heads."""
    heads = [head and len(sentence) + 1 - head for head in reversed(sentence.heads.tolist())]
    columns = {name: list(reversed(getattr(sentence, name))) for name in ("forms", "upos", "xpos", "deprels")}
    return Sentence(heads=heads, **columns)


def trained(system, **options):
    """A parser that knows little, so that it often leaves several words to the root."""
    sentences = [mirrored(sentence) for sentence in generate(25, seed=3)]
    wanted = {"system": system.name, "root": system.root, "single_root": system.single_root, **options}
    training = TransitionOptions(**wanted, learner=Perceptron(average=False), explore=0.0).begin(
        list(batches_of(sentences))
    )
    training.step(1, lambda share: None)
    return replace(training.parser(), encoding=None)


@pytest.fixture(scope="module")
def batch():
    (only,) = batches_of([mirrored(sentence) for sentence in generate(150, seed=4)])
    return only


def roots_of(heads, batch):
    return np.add.reduceat(heads == 0, batch.sentence_word[:-1])


@pytest.mark.parametrize("two_step", [False, True])
@pytest.mark.parametrize("system", EAGER, ids=str)
def test_only_words_on_the_root_get_other_heads(system, two_step, batch):
    parser = trained(system, two_step=two_step)
    single = parser.trees(batch)
    several = replace(parser, system=replace(system, single_root=False)).trees(batch)
    found = roots_of(several.heads, batch)
    assert (found > 1).any() and (found == 1).any()
    assert (roots_of(single.heads, batch) == 1).all()
    assert all(is_tree(single.heads[a:b]) for a, b in pairwise(batch.sentence_word))
    same = (several.heads > 0) | np.repeat(found == 1, np.diff(batch.sentence_word))
    assert (single.heads[same] == several.heads[same]).all()
    assert (single.labels[same] == several.labels[same]).all()


@pytest.mark.parametrize("root", KINDS["arc-eager"].roots)
def test_one_root_is_better_than_several_where_heads_come_last(root):
    """For a parser that has learned enough to choose; each tree of the sample has one root."""
    train, dev = ([mirrored(sentence) for sentence in generate(n, seed=seed)] for n, seed in ((150, 1), (300, 101)))
    [parser] = headway.train(train, root=root, passes=3).stages
    assert parser.system.single_root
    batches = list(batches_of(dev))
    one, several = (
        judged(replace(parser, system=replace(parser.system, single_root=single)), batches).scores
        for single in (True, False)
    )
    assert one["LAS"] > several["LAS"] and one["UAS"] > several["UAS"]


@pytest.fixture(scope="module", params=SYSTEMS, ids=str)
def parser(request):
    return trained(request.param)


@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=5), seed=st.integers(0, 2**32 - 1))
def test_whatever_the_scores_there_is_one_root(parser, lengths, seed):
    sentences = [
        Sentence(forms=["w"] * n, upos=["X"] * n, xpos=["X"] * n, heads=[0] * n, deprels=["x"] * n) for n in lengths
    ]
    (batch,) = batches_of(sentences)
    walk = Lockstep(parser.setup(parser.templates.encode(batch), max(lengths)), batch.sentence_word, parser.root_label)
    chance = np.random.default_rng(seed)
    while len(walk):
        walk.advance(chance.standard_normal((len(walk), len(parser.classes)), np.float32))
    heads, labels = np.full((2, sum(lengths)), -1, np.int32)
    walk.trees(heads, labels)
    assert (roots_of(heads, batch) == 1).all()
    assert all(is_tree(heads[a:b]) for a, b in pairwise(batch.sentence_word))
    assert labels.min() >= 0 and labels.max() < len(parser.classes.labels)


def test_words_without_a_head_are_joined_from_right_to_left():
    system = ChosenSystem(root="none", single_root=True)
    assert replay(system, [SHIFT, SHIFT], [0] * 3).legal == (SHIFT, LEFT, RIGHT)
    assert replay(system, [SHIFT] * 3, [0] * 3).legal == (LEFT, RIGHT)
    assert replay(system, [SHIFT] * 3 + [RIGHT], [0] * 3).heads == (0, 0, 2)
    end = replay(system, [SHIFT] * 3 + [RIGHT, LEFT], [0] * 3)
    assert end.final and end.heads == (2, 0, 2)


def test_the_last_word_goes_to_a_root_at_the_end():
    system = ChosenSystem(root="end", single_root=True)
    taken = [SHIFT, RIGHT, SHIFT, LEFT, REDUCE, LEFT]
    here = replay(system, taken, [0] * 3)
    assert here.heads == (0, 1, 0) and here.legal == (LEFT, RIGHT)
    here = replay(system, [*taken, LEFT], [0] * 3)
    assert here.heads == (3, 1, 0) and here.legal == (LEFT,)
    assert replay(system, [*taken, LEFT, LEFT], [0] * 3).final


def test_the_last_word_goes_to_a_root_at_the_start():
    system = ChosenSystem(root="start", single_root=True)
    taken = [RIGHT, REDUCE, SHIFT, SHIFT]
    assert replay(system, taken, [0] * 3).legal == (LEFT, RIGHT)
    here = replay(system, [*taken, LEFT, RIGHT], [0] * 3)
    assert here.heads == (0, 3, 1) and here.legal == (RIGHT,)
    assert replay(system, [*taken, LEFT, RIGHT, RIGHT], [0] * 3).final
