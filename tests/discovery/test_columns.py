"""Columns against the features that a training extracts."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from headway.base.errors import HeadwayError
from headway.data.formats.format import CONLLX
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.discovery.columns import ColumnStore
from headway.discovery.evaluators import Evaluator, TransitionEvaluator, unsplit
from headway.discovery.measure import FULL, LOOK, TEST, MeasureSetting
from headway.discovery.successors import Candidate
from headway.discovery.treebanks import SearchTreebanks, batches_from, search_treebanks, texts_of
from headway.evaluation.definitions import UD
from headway.evaluation.evaluate import evaluate
from headway.features.language import parse
from headway.features.registry import feature_model
from headway.kernels.transition import examples as kernel
from headway.learners.batch import Logistic
from headway.learners.kernel_svm import KernelSVM
from headway.learners.online import CW, MIRA, PA1, Perceptron
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import ChosenSystem
from headway.parsers.transition.training import TreeData
from headway.stages.parsing.parser import Parser
from headway.training.loop import TrainingLoop

SENTENCES = list(generate(120, seed=5))
PLAIN = Perceptron()
SYSTEMS = [ChosenSystem(), ChosenSystem(name="arc-standard", root="start"), ChosenSystem(name="swap", root="start")]
MODEL = """
POS(STACK0), LEX(QUEUE0), DEP(STACK0 lc), DISTANCE(STACK0, QUEUE0), RIGHT(STACK0), FEATS(STACK1 fw)
POS(STACK0) & LEX(QUEUE0)
POS(STACK0) & LEX(QUEUE0) & DEP(STACK0 lc)
"""


def parsed(text):
    return candidate(parse(text))


def candidate(features):
    return Candidate(tuple(features), (), "start")


def setting(*, system=SYSTEMS[0], learner=PLAIN, two_step=True, prune=None, **how):
    options = TransitionOptions(
        learner=learner,
        system=system.name,
        root=system.root,
        two_step=two_step,
        prune=prune,
        encoding="none",
        explore=0.0,
    )
    return MeasureSetting(options=options, **how)


def keys_by_example(examples, table):
    ids, start, *rest = examples.matrix()
    keys = table.keys()[ids]
    return [sorted(keys[a:b].tolist()) for a, b in pairwise(start)], rest


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_examples_are_those_of_a_training(system, tmp_path):
    options = TransitionOptions(
        features=parse(MODEL), learner=CW(), system=system.name, root=system.root, encoding="none", explore=0.0
    )
    training = options.begin(list(batches_of(SENTENCES)))
    training.collect()
    evaluator = TransitionEvaluator(
        setting(system=system), SearchTreebanks(texts_of(batches_of(SENTENCES)), ()), tmp_path
    )
    count = len(evaluator.columns.configurations.labels)
    assert count == len(training.examples)
    examples, keys = evaluator._examples(training.templates.features, np.arange(count, dtype=np.int32))
    other = options.begin(list(batches_of(SENTENCES)))
    other.adopt(examples, keys, np.arange(count, dtype=np.int32))
    found, rest = keys_by_example(other.examples, other.weights)
    wanted, wanted_rest = keys_by_example(training.examples, training.weights)
    assert found == wanted
    assert all((a == b).all() for a, b in zip(rest, wanted_rest, strict=True))


def test_some_rows(tmp_path):
    evaluator = TransitionEvaluator(setting(), SearchTreebanks(texts_of(batches_of(SENTENCES)), ()), tmp_path)
    model, rows = parse(MODEL), np.array([5, 17, 3, 900], np.int32)
    everything, keys = evaluator._examples(model, np.arange(1000, dtype=np.int32))
    some, _ = evaluator._examples(model, rows)
    ids, start, *rest = everything.matrix()
    few, few_start, *few_rest = some.matrix()
    for at, row in enumerate(rows):
        assert (few[few_start[at] : few_start[at + 1]] == ids[start[row] : start[row + 1]]).all()
        assert [array[at] for array in few_rest] == [array[row] for array in rest]
    assert len(keys) > ids.max()


@pytest.mark.parametrize(
    "learner",
    [MIRA(passes=2), CW(passes=2), KernelSVM(minimum=500), Logistic()],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
@pytest.mark.parametrize("two_step", [True, False], ids=["two steps", "one step"])
def test_a_candidate_scores_as_a_training_with_its_features(learner, system, two_step, tmp_path):
    train, dev = SENTENCES[:90], SENTENCES[90:]
    features = feature_model("malt-14")
    options = TransitionOptions(
        features=features, learner=learner, system=system.name, two_step=two_step, encoding="none", explore=0.0
    )
    stage = TrainingLoop(options, list(batches_of(train))).run()
    scores = evaluate(dev, list(Parser([stage]).parse(dev)))
    treebanks = SearchTreebanks(texts_of(batches_of(train)), texts_of(batches_of(dev)))
    how = setting(learner=learner, pairs=False, system=system, two_step=two_step)
    measured = TransitionEvaluator(how, treebanks, tmp_path).measure(candidate(features))
    assert measured.scores["LAS"] == pytest.approx(100 * scores["LAS"].f1)
    assert measured.scores["UAS"] == pytest.approx(100 * scores["UAS"].f1)
    assert len(measured.right) == len(dev)
    assert sum(measured.right) == scores["LAS"].correct


@pytest.mark.parametrize("first", ["POS(QUEUE0)", "LEX(QUEUE0)", "LEX(QUEUE0)\nPOS(STACK0)"])
def test_a_kernel_splits_only_where_the_set_has_the_feature(first, tmp_path):
    treebanks = SearchTreebanks(texts_of(batches_of(SENTENCES[:90])), texts_of(batches_of(SENTENCES[90:])))
    measured, as_told = (
        TransitionEvaluator(setting(learner=learner, pairs=False), treebanks, tmp_path).measure(parsed(first))
        for learner in (KernelSVM(minimum=500), KernelSVM(minimum=500, split=("POS" in first and first[:11]) or None))
    )
    assert measured.right == as_told.right
    assert unsplit(KernelSVM(), parse("POS(STACK0)\nPOS(QUEUE0)")) == KernelSVM()
    assert unsplit(KernelSVM(), parse("LEX(QUEUE0)")) == KernelSVM(split=None)
    assert unsplit(MIRA(), parse("LEX(QUEUE0)")) == MIRA()


@pytest.mark.parametrize("prune", [None, 0.0, 0.9])
def test_weights_are_left_out_as_in_training(prune, tmp_path):
    learner, features = MIRA(passes=2), feature_model("malt-14")
    options = TransitionOptions(
        features=features, learner=learner, prune=prune, two_step=True, encoding="none", explore=0.0
    )
    stage = TrainingLoop(options, list(batches_of(SENTENCES))).run()
    treebanks = SearchTreebanks(texts_of(batches_of(SENTENCES)), ())
    evaluator = TransitionEvaluator(setting(learner=learner, prune=prune), treebanks, tmp_path)
    found = evaluator.trained(evaluator.setting.options_for(features, FULL), evaluator.folds(FULL)[0].train)
    assert found.about["weights"] == stage.about["weights"]


def test_keys_that_are_taken_for_one(tmp_path):
    options = TransitionOptions(features="malt-14", learner=CW(), explore=0.0)
    training = options.begin(list(batches_of(SENTENCES[:3])))
    evaluator = TransitionEvaluator(setting(), SearchTreebanks(texts_of(batches_of(SENTENCES[:3])), ()), tmp_path)
    rows = np.arange(10, dtype=np.int32)
    examples, keys = evaluator._examples(training.templates.features, rows)
    keys[7] = keys[2]
    before = examples.matrix()[0].copy()
    training.adopt(examples, keys, rows)
    assert len(training.weights) == len(keys) - 1
    assert (training.weights.keys()[training.examples.matrix()[0]] == keys[before]).all()


def test_columns_are_shared_through_files(tmp_path):
    batches = list(batches_of(SENTENCES[:30]))
    data = TreeData.of(TransitionOptions(), batches)
    (feature,) = parse("POS(STACK0) & LEX(QUEUE0)")
    first = ColumnStore(data, tmp_path).feature(feature)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(files) == 2
    second = ColumnStore(data, tmp_path).feature(feature)
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files
    other = ColumnStore(TreeData.of(TransitionOptions(), list(batches_of(SENTENCES[30:60]))), tmp_path)
    other.feature(feature)
    assert len(list(tmp_path.iterdir())) == 4


def test_join():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 7, 500, dtype=np.int32), rng.integers(0, 5, 500, dtype=np.int32)
    ids, first = kernel.join(a, b, 5)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    order = list(dict.fromkeys(pairs))
    assert ids.tolist() == [order.index(pair) for pair in pairs]
    assert first.tolist() == [pairs.index(pair) for pair in order]
    empty = np.empty(0, np.int32)
    assert [len(array) for array in kernel.join(empty, empty, 1)] == [0, 0]


def test_stages(tmp_path):
    test = list(generate(20, seed=8))
    treebanks = search_treebanks(SENTENCES, None, test)
    evaluator = TransitionEvaluator(setting(learner=Perceptron(passes=4), metric="UAS"), treebanks, tmp_path)
    features = parse("POS(STACK0)\nPOS(QUEUE0)\nPOS(QUEUE1)")
    look, full, tested = (evaluator.measure(candidate(features), stage) for stage in (LOOK, FULL, TEST))
    assert look.scores["UAS"] != full.scores["UAS"]
    assert len(full.right) == 12
    assert len(tested.right) == 20
    words = sum(map(len, SENTENCES[9::10]))
    assert full.scores["UAS"] == pytest.approx(100 * sum(full.right) / words)


def test_folds(tmp_path):
    treebanks = search_treebanks(SENTENCES, None, None, folds=3)
    evaluator = TransitionEvaluator(setting(folds=3), treebanks, tmp_path)
    measured = evaluator.measure(parsed("POS(STACK0)\nPOS(QUEUE0)"))
    assert len(measured.right) == len(SENTENCES)
    correct = 0
    for fold in range(3):
        train = [s for number, s in enumerate(SENTENCES) if number % 3 != fold]
        part = SearchTreebanks(texts_of(batches_of(train)), texts_of(batches_of(SENTENCES[fold::3])))
        one = TransitionEvaluator(setting(), part, tmp_path).measure(parsed("POS(STACK0)\nPOS(QUEUE0)"))
        correct += sum(one.right)
    assert abs(correct - sum(measured.right)) <= 0.02 * sum(map(len, SENTENCES))


def test_punctuation(tmp_path):
    treebanks = search_treebanks(SENTENCES, None, None)
    features = parse("POS(STACK0)\nPOS(QUEUE0)")
    with_all, without = (
        TransitionEvaluator(setting(definition=replace(UD, punctuation=counts)), treebanks, tmp_path).measure(
            candidate(features)
        )
        for counts in (True, False)
    )
    assert sum(without.right) < sum(with_all.right)


def test_graph(tmp_path):
    evaluator = Evaluator(
        MeasureSetting(options=GraphOptions(learner=PA1(passes=2), decoder="eisner", order=1, encoding="none")),
        search_treebanks(SENTENCES, None, None),
    )
    worse = evaluator.measure(parsed("POS(CHILD)"))
    better = evaluator.measure(parsed("POS(CHILD)\nPOS(PARENT)"))
    assert better.scores["UAS"] > worse.scores["UAS"] + 5
    assert evaluator.measure(parsed("POS(CHILD)"), LOOK).right != worse.right


def test_treebanks_of_a_search():
    treebanks = search_treebanks(SENTENCES, None, None)
    assert SearchTreebanks.unpacked(treebanks.packed()) == treebanks
    assert sum(map(len, batches_from(treebanks.dev, ""))) == 12
    own = replace(CONLLX, name="mine", columns=("Ω\n", *CONLLX.columns[1:]), fields={"HEAD": ("HEAD", "PHEAD")})
    custom = SearchTreebanks(((own, b"\0\xff\n\n"), *treebanks.train), (), ((own, b""),))
    assert SearchTreebanks.unpacked(custom.packed()) == custom
    given = search_treebanks(SENTENCES[:50], SENTENCES[50:60], SENTENCES[60:])
    assert [sum(map(len, batches_from(part, ""))) for part in (given.train, given.dev, given.test)] == [50, 10, 60]
    assert given.digest != treebanks.digest
    with pytest.raises(HeadwayError, match="9 sentences: that is too few to hold out every 10th"):
        search_treebanks(SENTENCES[:9], None, None)
