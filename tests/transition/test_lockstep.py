"""Parsing in lockstep against parsing sentence by sentence, and parsers of batch learners from end to end."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.kernels.transition.lockstep import Lockstep
from headway.learners.batch import LinearSVM, Logistic
from headway.learners.kernel_svm import KernelSVM
from headway.learners.online import Perceptron
from headway.parsers.transition.lockstep import KernelParser
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.parser import TransitionParser
from headway.parsers.transition.registry import SYSTEMS
from headway.parsers.transition.training import template_keys
from headway.stages import model_file as model
from headway.stages.parsing.parser import Parser
from headway.training.dev_scores import judged

EACH_SYSTEM = [
    {"system": name, "root": root, "single_root": single}
    for name in SYSTEMS.own
    for root in SYSTEMS[name].roots
    for single in (False, True)
]


@pytest.fixture(scope="module")
def treebank():
    return list(generate(170, seed=7))


def training_of(sentences, learner, **options):
    chosen = TransitionOptions(**{"features": "malt-14", "learner": learner, "explore": 0.0, **options})
    return chosen.begin(list(batches_of(sentences)))


@pytest.mark.parametrize("two_step", [False, True])
@pytest.mark.parametrize("system", EACH_SYSTEM, ids=str)
def test_lockstep_parses_as_one_by_one(system, two_step, treebank):
    training = training_of(treebank[:30], Perceptron(average=False), **system, two_step=two_step, exact=True)
    training.step(1, lambda share: None)
    parser = training.parser()
    keys, sizes, classes, planes = training.weights.dump()
    weights = np.zeros((len(keys) + 1, len(training.classes)), np.float32)
    weights[np.repeat(np.arange(len(keys)), sizes), classes] = planes[0]
    order = np.argsort(keys)
    (batch,) = batches_of(treebank[30:60])
    offsets = batch.sentence_word
    ready = parser.setup(parser.templates.encode(batch), int(np.diff(offsets).max()))
    walk = Lockstep(ready, offsets, parser.root_label)
    assert len(walk) == 30
    while len(walk):
        starts, found, values = walk.gather(2)
        assert (found[starts[:-1] + 2] == values).all()
        at = order[np.minimum(np.searchsorted(keys, found, sorter=order), len(keys) - 1)]
        walk.advance(np.add.reduceat(weights[np.where(keys[at] == found, at, len(keys))], starts[:-1]))
    heads, labels = np.empty((2, len(batch.heads)), np.int32)
    walk.trees(heads, labels)
    before_arcs_are_put_back = replace(parser, encoding=None).trees(batch)
    assert (heads == before_arcs_are_put_back.heads).all()
    assert (labels == before_arcs_are_put_back.labels).all()


@pytest.mark.parametrize("two_step", [False, True])
@pytest.mark.parametrize("system", EACH_SYSTEM, ids=str)
def test_every_way_ends_in_a_tree(system, two_step, treebank):
    """Even for the classes of a treebank of single words, which shows next to no transition."""
    words = [Sentence(forms=[form], xpos=[form], heads=[0], deprels=["root"]) for form in ("Go", "No")]
    training = training_of(words, Perceptron(), **system, two_step=two_step)
    parser = training.parser()
    (batch,) = batches_of(treebank[:50])
    offsets = batch.sentence_word
    ready = parser.setup(parser.templates.encode(batch), int(np.diff(offsets).max()))
    walk = Lockstep(ready, offsets, parser.root_label)
    random = np.random.default_rng(1)
    while len(walk):
        walk.advance(random.random((len(walk), len(training.classes)), np.float32))
    heads, labels = np.empty((2, len(batch.heads)), np.int32)
    walk.trees(heads, labels)
    assert all(is_tree(heads[a:b]) for a, b in pairwise(offsets))
    assert labels.min() >= 0 and labels.max() < len(training.classes.labels)


def test_no_sentence_at_all(treebank):
    training = training_of(treebank[:5], Perceptron())
    assert len(Lockstep(training.setup, np.zeros(1, np.int32), 0)) == 0


def test_template_keys_are_those_of_the_examples(treebank):
    training = training_of(treebank[:30], Perceptron())
    training.collect()
    ids, start, *_ = training.examples.matrix()
    for template, feature in enumerate(training.templates.features):
        keys = template_keys(training.setup, training.templates, training.trees, template)
        assert (keys == training.weights.keys()[ids[start[:-1] + template]]).all(), feature


LEARNERS = [
    (LinearSVM(), {}),
    (LinearSVM(joint=True), {"two_step": True}),
    (Logistic(), {}),
    (Logistic(joint=False), {"two_step": True}),
    (KernelSVM(minimum=300), {}),
    (KernelSVM(minimum=300, split=None), {"two_step": True, "system": "swap"}),
]


@pytest.mark.parametrize(("learner", "options"), LEARNERS, ids=str)
def test_from_treebank_to_model_file(learner, options, treebank, tmp_path):
    train, dev = treebank[:120], list(batches_of(treebank[120:]))
    parsers = []
    for _ in range(2):
        training, shares = training_of(train, learner, **options), []
        training.step(1, shares.append)
        assert shares == sorted(shares) and shares[-1] == 1.0
        parsers.append(training.parser())
    judgement = judged(parsers[0], dev)
    assert 100 > judgement.scores["UAS"] >= judgement.scores["LAS"] > 60
    for number, parser in enumerate(parsers):
        model.save(tmp_path / str(number), [parser])
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    assert parsers[0].about["learner"]["C"] == learner.C
    kind = KernelParser if isinstance(learner, KernelSVM) else TransitionParser
    [loaded] = model.load(tmp_path / "0")
    assert type(parsers[0]) is type(loaded) is kind
    assert judged(loaded, dev) == judgement
    sentences, loaded = treebank[120:], Parser([loaded])
    assert [s.heads.tolist() for s in loaded.parse(sentences)] == [
        s.heads.tolist() for s in loaded.parse(sentences, threads=2)
    ]


def test_exploration_is_for_online_learners():
    with pytest.raises(HeadwayError, match="exploration needs an online learner"):
        TransitionOptions(learner=LinearSVM(), explore=0.5)
    assert TransitionOptions(learner=LinearSVM()).exploration == 0


def test_parsing_needs_numpy_only(treebank, tmp_path):
    training = training_of(treebank[:40], KernelSVM(minimum=100))
    training.step(1, lambda share: None)
    model.save(tmp_path / "model", [training.parser()])
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['scipy', 'sklearn', 'joblib']))\n"
        "import headway; from headway.data.sample import generate\n"
        "parser = headway.load(sys.argv[1])\n"
        "print(sum(len(sentence) for sentence in parser.parse(generate(5))))"
    )
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "model"], capture_output=True, check=False)
    assert int(done.stdout) == sum(len(sentence) for sentence in generate(5)), done.stderr.decode()
