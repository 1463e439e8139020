"""Parsing in lockstep against parsing sentence by sentence, and parsers of batch learners from end to end."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from headway import model
from headway.batch_parser import attachment
from headway.errors import HeadwayError
from headway.kernels.lockstep import Lockstep
from headway.learners.kernel_svm import KernelSVM
from headway.learners.linear_svm import LinearSVM
from headway.learners.logistic import Logistic
from headway.learners.perceptron import Perceptron
from headway.sample import generate
from headway.sentence import Sentence
from headway.transition.batch_training import train_batch
from headway.transition.configurations import template_keys
from headway.transition.data import batches_of
from headway.transition.lockstep import KernelParser
from headway.transition.parser import TransitionParser
from headway.transition.system import ROOTS, System
from headway.transition.trainer import Trainer
from headway.trees import is_tree

SYSTEMS = [
    System(name=name, root=root, single_root=single)
    for name, roots in ROOTS.items()
    for root in roots
    for single in (False, True)
]


@pytest.fixture(scope="module")
def treebank():
    return list(generate(170, seed=7))


def work_of(sentences, learner, **options):
    return Trainer(**{"features": "malt-14", **options}).begin(learner, list(batches_of(sentences)))


@pytest.mark.parametrize("two_step", [False, True])
@pytest.mark.parametrize("system", SYSTEMS, ids=str)
def test_lockstep_parses_as_one_by_one(system, two_step, treebank):
    work = work_of(treebank[:30], Perceptron(average=False), system=system, two_step=two_step, prune=0.0)
    work.one_pass(1, lambda share: None)
    parser = work.parser(1)
    keys, sizes, classes, planes = work.weights.dump()
    weights = np.zeros((len(keys) + 1, len(work.classes)), np.float32)
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
@pytest.mark.parametrize("system", SYSTEMS, ids=str)
def test_every_way_ends_in_a_tree(system, two_step, treebank):
    """Even for the classes of a treebank of single words, which shows next to no transition."""
    words = [Sentence(forms=[form], xpos=[form], heads=[0], deprels=["root"]) for form in ("Go", "No")]
    work = work_of(words, Perceptron(), system=system, two_step=two_step)
    parser = work.parser(1)
    (batch,) = batches_of(treebank[:50])
    offsets = batch.sentence_word
    ready = parser.setup(parser.templates.encode(batch), int(np.diff(offsets).max()))
    walk = Lockstep(ready, offsets, parser.root_label)
    random = np.random.default_rng(1)
    while len(walk):
        walk.advance(random.random((len(walk), len(work.classes)), np.float32))
    heads, labels = np.empty((2, len(batch.heads)), np.int32)
    walk.trees(heads, labels)
    assert all(is_tree(heads[a:b]) for a, b in pairwise(offsets))
    assert labels.min() >= 0 and labels.max() < len(work.classes.labels)


def test_no_sentence_at_all(treebank):
    work = work_of(treebank[:5], Perceptron())
    assert len(Lockstep(work.setup, np.zeros(1, np.int32), 0)) == 0


def test_template_keys_are_those_of_the_examples(treebank):
    work = work_of(treebank[:30], Perceptron())
    work.collect()
    ids, start, *_ = work.examples.matrix()
    for template, feature in enumerate(work.templates.features):
        keys = template_keys(work.setup, work.templates, work.trees, template)
        assert (keys == work.weights.keys()[ids[start[:-1] + template]]).all(), feature


LEARNERS = [
    (LinearSVM(), {}),
    (LinearSVM(joint=True), {"two_step": True}),
    (Logistic(), {}),
    (Logistic(joint=False), {"two_step": True}),
    (KernelSVM(minimum=300), {}),
    (KernelSVM(minimum=300, split=None), {"two_step": True, "system": System(name="swap", root="start")}),
]


@pytest.mark.parametrize(("learner", "options"), LEARNERS, ids=str)
def test_from_treebank_to_model_file(learner, options, treebank, tmp_path):
    train, dev = treebank[:120], list(batches_of(treebank[120:]))
    parsers = []
    for _ in range(2):
        work, shares = work_of(train, learner, **options), []
        work.one_pass(1, shares.append)
        assert shares == sorted(shares) and shares[-1] == 1.0
        parsers.append(work.parser(1))
    las, uas = attachment(parsers[0], dev)
    assert 100 > uas >= las > 60
    for number, parser in enumerate(parsers):
        parser.save(tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    assert parsers[0].about["learner_options"]["C"] == learner.C
    kind = KernelParser if isinstance(learner, KernelSVM) else TransitionParser
    loaded = kind.from_file(model.load(tmp_path / "0"), "0")
    assert type(parsers[0]) is kind
    assert attachment(loaded, dev) == (las, uas)
    sentences = treebank[120:]
    assert [s.heads.tolist() for s in loaded.parse(sentences)] == [s.heads.tolist() for s in loaded.parse(sentences, 2)]


def test_exploration_is_for_online_learners(treebank):
    work = work_of(treebank[:10], LinearSVM(), explore=0.5)
    work.collect()
    with pytest.raises(HeadwayError, match="exploration needs an online learner"):
        train_batch(work, work.batch_learner)


def test_parsing_needs_numpy_only(treebank, tmp_path):
    work = work_of(treebank[:40], KernelSVM(minimum=100))
    work.one_pass(1, lambda share: None)
    work.parser(1).save(tmp_path / "model")
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['scipy', 'sklearn', 'joblib']))\n"
        "from headway import model; from headway.sample import generate\n"
        "from headway.transition.lockstep import KernelParser\n"
        "parser = KernelParser.from_file(model.load(sys.argv[1]), 'model')\n"
        "print(sum(len(sentence) for sentence in parser.parse(generate(5))))"
    )
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "model"], capture_output=True, check=False)
    assert int(done.stdout) == sum(len(sentence) for sentence in generate(5)), done.stderr.decode()
