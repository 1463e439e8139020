"""The configurations of the static oracle as columns: as many as the oracle takes steps, whatever the system."""

from itertools import pairwise

import numpy as np
import pytest

import headway
from headway.data.sources import batches_of
from headway.features.compile import compile_features
from headway.features.language import parse
from headway.kernels.transition.derivations import derive
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import SYSTEMS
from headway.parsers.transition.training import TreeData, configurations


def crossing(words):
    """A sentence whose words must be sorted into two groups: some n²/8 SWAPs, far more than 2 n steps in all."""
    heads = [word - 2 if word > 2 else 0 if word == 1 else 1 for word in range(1, words + 1)]
    forms = [f"w{word}" for word in range(words)]
    return headway.Sentence(forms=forms, upos=["X", "Y"] * (words // 2), heads=heads, deprels=["dep"] * words)


def data_of(name, sentences):
    return TreeData.of(TransitionOptions(system=name, encoding="head"), list(batches_of(sentences)))


@pytest.mark.parametrize("name", SYSTEMS.own)
def test_there_are_as_many_as_the_oracle_takes_steps(name):
    data = data_of(name, [crossing(24), crossing(2), crossing(40)])
    templates = compile_features(parse("FORM(STACK0)\nFORM(QUEUE0)"))
    found, values = configurations(data.setup(templates), data.trees)
    offsets = data.trees.offsets
    steps = [
        len(derive(data.system.free.kernel, np.ascontiguousarray(data.trees.heads[first:last])))
        for first, last in pairwise(offsets)
    ]
    assert np.bincount(found.sentences).tolist() == steps
    assert values.shape == (2, sum(steps))
    if name == "swap":
        assert sum(steps) > 2 * (len(data.trees.heads) + len(offsets))


def test_kernel_machines_learn_from_sentences_with_many_swaps():
    parser = headway.train([crossing(24)] * 3, system="swap", learner="kernel-svm", features="malt-14")
    [parsed] = parser.parse([crossing(24)])
    assert parsed.heads.tolist() == crossing(24).heads.tolist()
