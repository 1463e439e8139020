"""Whatever numbers a model file holds, parsing stays inside its arrays and gives trees."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.trees import is_tree
from headway.kernels.weights.packed import PackedWeights
from headway.parsers.transition.classes import Classes
from headway.parsers.transition.parser import TransitionParser
from headway.stages.contract import Packed


@pytest.fixture(scope="module")
def parser():
    [stage] = headway.train(list(generate(40, seed=1)), passes=2).stages
    return stage


def trees(parser):
    return [sentence.heads for sentence in headway.Parser([parser]).parse(list(generate(8, seed=2)))]


@pytest.fixture(scope="module")
def exact():
    [stage] = headway.train(list(generate(40, seed=1)), passes=2, exact=True).stages
    return stage


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["parser", "exact"])
def test_random_bytes_of_weights_do_no_harm(kind, seed, request):
    stage, chance = request.getfixturevalue(kind), np.random.default_rng(seed)
    arrays = {name: np.array(array) for name, array in stage.weights.arrays().items()}
    lines, rows = arrays["lines"], arrays["long_rows"]
    flipped = np.where(chance.random(len(lines)) < 0.1, chance.integers(0, 256, len(lines), np.uint8), lines)
    forged = [
        {"lines": chance.integers(0, 256, len(lines), np.uint8)},
        {"lines": flipped},
        {"lines": np.full(len(lines), 0x8F, np.uint8)},
        {"lines": np.full(128, 0xFF, np.uint8)},
        {"lines": np.where(np.arange(len(lines)) % 64 == 0, 0x80 | lines, lines)},
        {"long_rows": chance.integers(0, 256, len(rows), np.uint8)},
        {"long_rows": np.full(len(rows), 0xFF, np.uint8)},
        {"long_rows": rows[: len(rows) // 2]},
        {"long_rows": rows[:0]},
    ]
    for some in forged:
        for heads in trees(replace(stage, weights=PackedWeights({**arrays, **some}, len(stage.classes)))):
            assert is_tree(heads)


def test_transitions_that_are_none_are_refused(parser):
    labels, transitions = parser.classes.labels, parser.classes.transitions
    for wrong in (transitions[::-1], ((9, 0),), ((-1, 0),), ((1, len(labels)),), ((1, -1),), ((0, -2),)):
        with pytest.raises(HeadwayError, match="train the parser again"):
            Classes(labels, wrong)
    few = Classes(labels, tuple(pair for pair in transitions if pair[0]))
    with pytest.raises(HeadwayError, match="lacks transitions of arc-eager"):
        replace(parser, classes=few)
    with pytest.raises(HeadwayError, match="no label 1000 for roots"):
        replace(parser, root_label=1000)


def test_a_label_that_is_no_cell_is_refused(parser):
    names = tuple(f"{label}\t1" for label in parser.classes.labels)
    forged = replace(parser, classes=Classes(names, parser.classes.transitions))
    with pytest.raises(HeadwayError, match="cannot be a cell of DEPREL in layer 'predicted'"):
        trees(forged)


def test_two_steps_with_labels_that_do_not_depend_on_the_action_are_refused():
    """Such models were written once; their classes were all actions and all labels."""
    [stage] = headway.train(list(generate(20, seed=1)), passes=1, two_step=True).stages
    header, arrays = stage.pack()
    assert header["two_step"] == "labels by action"
    assert TransitionParser.unpack(Packed(header, arrays), "m").classes.two_step
    with pytest.raises(HeadwayError, match=r"^m: the model chooses labels alike for .*; train the parser again$"):
        TransitionParser.unpack(Packed({**header, "two_step": True}, arrays), "m")
