"""Transition systems compiled against our .pxd files: arc-hybrid, as docs/extending.md has it, and mistaken ones."""

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from derivations import SHIFT

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.features.compile import compile_features
from headway.features.registry import feature_model
from headway.kernels.transition.lockstep import Lockstep
from headway.kernels.transition.systems.system import TransitionSystem
from headway.kernels.weights import packing
from headway.learners.online import Perceptron
from headway.parsers.contracts import check_system
from headway.parsers.transition.enumeration import derive, replay
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import SYSTEMS, ChosenSystem
from headway.parsers.transition.training import TreeData, configurations, training_with
from headway.stages.parsing.parser import Parser

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
OUTSIDE = Path(__file__).parent / "outside"
SETUP = """
from Cython.Build import cythonize
from setuptools import setup

setup(ext_modules=cythonize(["arc_hybrid.pyx", "copies.pyx", "mistaken.pyx"], language_level=3))
"""
both = pytest.mark.parametrize("single", [False, True], ids=["several", "single"])


def block(name):
    """A file that the page shows."""
    found = re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return found[1]


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder with the compiled modules, as a distribution of their own has them."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "arc_hybrid.pyx").write_text(block("arc_hybrid.pyx"), "utf-8")
    for source in OUTSIDE.glob("*.pyx"):
        shutil.copy(source, folder)
    (folder / "setup.py").write_text(SETUP, "utf-8")
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module", autouse=True)
def registered(built):
    """All of them by their names."""
    import copies
    import mistaken
    from arc_hybrid import ARC_HYBRID

    systems = {"arc-hybrid": ARC_HYBRID, **copies.SYSTEMS, **mistaken.SYSTEMS}
    for name, system in systems.items():
        SYSTEMS.register(name, system)
    yield systems
    for name in systems:
        if name in SYSTEMS:
            SYSTEMS.unregister(name)


def hybrid(single=False):
    return ChosenSystem(name="arc-hybrid", root="end", single_root=single)


def test_it_keeps_the_contract():
    check_system("arc-hybrid")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shifting", r"\(0, 1\) is not built"),
        ("unnamed REDUCE", r"2 words, after \[0, 2\] only actions are legal that `actions` does not name"),
        ("costs nothing", r"\(0, 0\), after \[0\]: 1 loses 1, not 0"),
    ],
)
def test_what_breaks_the_contract_is_told(name, words):
    with pytest.raises(AssertionError, match=words):
        check_system(name)


def test_trees_that_it_cannot_build_end_early():
    assert len(derive(hybrid(), [3, 0, 2])) < 6


@pytest.fixture(scope="module")
def treebank():
    return list(generate(120, seed=7))


def accuracy(parser, sentences):
    pairs = zip(parser.parse(sentences), sentences, strict=True)
    right = [found.heads == sentence.heads for found, sentence in pairs]
    return np.concatenate(right).mean()


@pytest.mark.parametrize("options", [{"explore": 0.0}, {}, {"two_step": True}, {"learner": "kernel-svm"}], ids=str)
def test_from_treebank_to_model_file(options, treebank, tmp_path):
    few = {"features": "malt-14"} if options else {}
    rest = {} if "learner" in options else {"passes": 4}
    parser = headway.train(treebank[:80], system="arc-hybrid", **options, **few, **rest)
    (stage,) = parser.stages
    assert stage.system == hybrid(single=True)
    assert accuracy(parser, treebank[80:]) > 0.6
    parser.save(tmp_path / "model")
    opened = headway.load(tmp_path / "model")
    for ours, theirs in zip(parser.parse(treebank), opened.parse(treebank), strict=True):
        assert ours.heads.tolist() == theirs.heads.tolist() and ours.deprels == theirs.deprels
        assert is_tree(ours.heads) and ours.heads.tolist().count(0) == 1


def test_exploration_is_the_default_and_does_something(treebank):
    assert TransitionOptions(system="arc-hybrid").exploration > 0
    explored, fixed = (
        headway.train(treebank[:40], system="arc-hybrid", passes=3, explore=share).stages[0].weights
        for share in (0.9, 0.0)
    )
    assert not np.array_equal(explored.lines, fixed.lines)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("arc-eager", {"root": "end", "explore": 0.0}),
        ("arc-eager", {"root": "end", "explore": 0.9}),
        ("arc-eager", {"root": "start", "explore": 0.9, "two_step": True}),
        ("arc-eager", {"root": "none", "explore": 0.0}),
        ("swap", {"single_root": False}),
        ("swap", {"single_root": True, "two_step": True}),
    ],
    ids=str,
)
def test_a_copy_of_ours_learns_and_parses_the_same(name, options):
    """Byte for byte, with features that are kept for each word, and trees that need SWAP."""
    train, test = (list(generate(60, seed=seed, nonprojective=0.3)) for seed in (1, 2))
    same = {"features": "default", "passes": 3, "single_root": False, **options}
    ours, copy = (headway.train(train, system=system, **same) for system in (name, f"copied {name}"))
    arrays = (parser.stages[0].weights.arrays().values() for parser in (ours, copy))
    for array, copied in zip(*arrays, strict=True):
        assert array.tobytes() == copied.tobytes()
    assert b"".join(ours.parse_bytes(test)) == b"".join(copy.parse_bytes(test))


def training_of(sentences, **options):
    wanted = TransitionOptions(**{"system": "arc-hybrid", "features": "malt-14", **options})
    data = TreeData.of(wanted, list(batches_of(sentences)))
    return training_with(wanted, Perceptron(average=False), data, compile_features(feature_model(wanted.features)))


@both
@pytest.mark.parametrize("two_step", [False, True])
def test_lockstep_parses_as_one_by_one(single, two_step, treebank):
    training = training_of(treebank[:30], two_step=two_step, single_root=single, explore=0.0)
    training.step(1, lambda share: None)
    parser = training.parser_with(*packing.packed(training.weights, training.steps + 1, exact=True))
    keys, sizes, classes, planes = training.weights.dump()
    weights = np.zeros((len(keys) + 1, len(training.classes)), np.float32)
    weights[np.repeat(np.arange(len(keys)), sizes), classes] = planes[0]
    order = np.argsort(keys)
    (batch,) = batches_of(treebank[30:60])
    ready = parser.setup(parser.templates.encode(batch), int(np.diff(batch.sentence_word).max()))
    walk = Lockstep(ready, batch.sentence_word, parser.root_label)
    while len(walk):
        starts, found, _ = walk.gather(2)
        at = order[np.minimum(np.searchsorted(keys, found, sorter=order), len(keys) - 1)]
        walk.advance(np.add.reduceat(weights[np.where(keys[at] == found, at, len(keys))], starts[:-1]))
    heads, labels, expected, expected_labels = np.empty((4, len(batch.heads)), np.int32)
    walk.trees(heads, labels)
    parser._find(ready, batch.sentence_word, expected, expected_labels)
    assert (heads == expected).all() and (labels == expected_labels).all()


def test_columns_meet_the_configurations_of_the_examples(treebank):
    training = training_of(treebank)
    training.collect()
    found, _ = configurations(training.setup, training.trees)
    _, _, allowed, actions, labels = training.examples.matrix()
    assert (found.allowed == allowed).all() and (found.actions == actions).all() and (found.labels == labels).all()


def test_a_distribution_brings_it(built, tmp_path):
    """As an entry point, in a process that has registered nothing; where it is not installed, a sentence says so."""
    about = built / "arc_hybrid-1.0.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: arc-hybrid\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[headway.systems]\narc-hybrid = arc_hybrid:ARC_HYBRID\n")

    def call(*words, path):
        command = [sys.executable, "-m", "headway", *words]
        env = {"PYTHONPATH": os.pathsep.join(filter(None, [path, os.environ.get("PYTHONPATH")]))}
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=env)

    here, elsewhere = str(built), ""
    assert call("sample", "-n", "30", "-o", "train.conllu", path=here).returncode == 0
    train = ("-q", "train", "train.conllu", "--system", "arc-hybrid", "--passes", "2", "-o", "model")
    done = call(*train, path=here)
    assert done.returncode == 0, done.stderr
    assert call("-q", "parse", "model", "train.conllu", "-o", "parsed.conllu", path=here).returncode == 0
    words = ("--system", "arc-hybrid", "--generations", "2", "--beam", "1", "--passes", "1", "--jobs", "2")
    done = call("-q", "discover", "train.conllu", "-o", "found", *words, path=here)
    assert done.returncode == 0, done.stderr
    assert "unknown transition system 'arc-hybrid'" in call(*train, path=elsewhere).stderr
    done = call("-q", "parse", "model", "train.conllu", "-o", "again.conllu", path=elsewhere)
    assert done.returncode == 2
    assert done.stderr.startswith("model: the model parses with the transition system 'arc-hybrid', which is not here")


WORDS = [Sentence(forms=["a"] * n, upos=["X"] * n, heads=range(n), deprels=["x"] * n) for n in (3, 1, 5)]
FAULTS = {
    "nothing": "leaves nothing to do in a configuration that is not final",
    "endless": "does not come to an end",
    "popping": "leaves the bounds of the stack or the queue",
    "greedy": "leaves the bounds of the stack or the queue",
    "backwards": "leaves the bounds of the stack or the queue",
    "two-heads": "makes an arc that cannot be",
    "no-child": "makes an arc that cannot be",
    "no-head": "makes an arc that cannot be",
    "itself": "makes an arc that cannot be",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_met_in_training_is_a_sentence(name):
    with pytest.raises(HeadwayError) as caught:
        headway.train(WORDS, system=name, passes=1)
    assert re.fullmatch(
        rf"3 words, \d+ transitions: transition system '{name}' {FAULTS[name]}; let .*", str(caught.value)
    )


def test_a_mistake_met_in_exploring_is_a_sentence():
    """The oracle never reduces, the costs ask for it."""
    with pytest.raises(HeadwayError, match="'pit' leaves nothing to do in a configuration that is not final"):
        training = TransitionOptions(system="pit", explore=1.0).begin(list(batches_of(WORDS)))
        training.step(2, lambda share: None)


@pytest.mark.parametrize("in_lockstep", [False, True])
def test_a_mistake_met_in_parsing_is_a_sentence(in_lockstep):
    training = training_of(WORDS, system="circle", explore=0.0)
    training.step(1, lambda share: None)
    parser = training.parser()
    with pytest.raises(HeadwayError, match="3 words, 2 transitions: transition system 'circle' makes a circle of arcs"):
        if not in_lockstep:
            list(Parser([parser]).parse(WORDS))
        walk = Lockstep(training.setup, training.trees.offsets, 0)
        while len(walk):
            walk.advance(np.zeros((len(walk), len(training.classes)), np.float32))
        walk.trees(*np.empty((2, 9), np.int32))


def test_configurations_are_checked_one_by_one():
    system = ChosenSystem(name="greedy", root="none")
    with pytest.raises(HeadwayError, match="3 words, 4 transitions: transition system 'greedy' leaves the bounds"):
        replay(system, [SHIFT] * 4, [0, 0, 0])


def test_the_first_word_takes_the_others_where_a_system_takes_no_notice_of_the_single_root():
    for single, heads in ((True, [0, 1, 1, 1, 1]), (False, [0] * 5)):
        parser = headway.train(WORDS, system="shifting", passes=1, single_root=single)
        (_, _, longest) = parser.parse(WORDS)
        assert longest.heads.tolist() == heads


def test_an_oracle_without_an_answer_teaches_nothing():
    assert derive(ChosenSystem(name="aimless", root="none"), [0, 0]) == []
    parser = headway.train(WORDS, system="aimless", passes=1)
    assert [is_tree(sentence.heads) for sentence in parser.parse(WORDS)] == [True] * 3


def test_whatever_the_scores_there_is_a_tree_with_one_root(treebank):
    training = training_of(treebank[:5], single_root=True)
    parser = training.parser()
    (batch,) = batches_of(treebank[:50])
    ready = parser.setup(parser.templates.encode(batch), int(np.diff(batch.sentence_word).max()))
    for seed in range(5):
        walk, chance = Lockstep(ready, batch.sentence_word, parser.root_label), np.random.default_rng(seed)
        while len(walk):
            walk.advance(chance.standard_normal((len(walk), len(training.classes)), np.float32))
        heads, labels = np.empty((2, len(batch.heads)), np.int32)
        walk.trees(heads, labels)
        for first, end in pairwise(batch.sentence_word):
            assert is_tree(heads[first:end]) and heads[first:end].tolist().count(0) == 1
        assert labels.min() >= 0 and labels.max() < len(training.classes.labels)


def test_what_a_system_lacks_is_told():
    with pytest.raises(HeadwayError, match="transition system 'headless' has no function 'head_of'; give it one"):
        headway.train(WORDS, system="headless")
    with pytest.raises(HeadwayError, match="unknown place of the root 'middle' of a transition system; known are: end"):
        TransitionSystem(about="", roots=("middle",))
    with pytest.raises(HeadwayError, match="unknown action 'JUMP' of a transition system; known are: LEFT-ARC"):
        TransitionSystem(about="", roots=("end",), actions=("JUMP",))
    with pytest.raises(HeadwayError, match="without a place for the root"):
        TransitionSystem(about="", roots=())
    with pytest.raises(HeadwayError, match="has no dynamic oracle"):
        TransitionOptions(system="shifting", explore=0.5)


def test_a_description_without_functions_is_refused():
    SYSTEMS.register("described", TransitionSystem(about="", roots=("end",)))
    try:
        with pytest.raises(HeadwayError, match="'described' has no functions; compile them"):
            headway.train(WORDS, system="described")
    finally:
        SYSTEMS.unregister("described")
