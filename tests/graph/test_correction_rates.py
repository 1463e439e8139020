"""How far the weights of a graph parser move in a correction."""

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.kernels.graph import explaining as kernel
from headway.parsers.graph.updating import KNOWN_LABELS, KNOWN_WORD, _rates_of_arcs, _rates_of_labels


@pytest.fixture(scope="module")
def parser():
    options = {"parser": "graph", "features": "mst-siblings", "passes": 1, "bits": 16, "label_bits": 14}
    return headway.train(generate(60), **options).stages[-1]


def test_labels_that_a_feature_knows_against_asking_for_each(parser):
    batch = next(iter(generate(1, seed=3))).batch.alone(0)
    graph = parser.graph(parser.templates.encode(batch), len(batch.word_line))
    keys = np.random.default_rng(1).integers(1, 2**63, 3000, np.uint64)
    every = np.array([kernel.places_of(graph, keys, label) for label in range(len(parser.labels))])
    known = (parser.weights[every] != 0).sum(axis=0)
    assert known.min() < known.max()
    for label in range(len(parser.labels)):
        found = _rates_of_labels(parser, every[label], label)
        np.testing.assert_allclose(found, (1.0 + known) ** -KNOWN_LABELS)


@pytest.mark.parametrize(
    ("place", "there", "missing"), [("PARENT", (2, 3, -1), (0, 3, -1)), ("SIBLING", (2, 4, 3), (2, 3, 2))]
)
def test_a_word_that_is_not_there_is_none_that_a_feature_knows(parser, place, there, missing):
    names = [str(core) for core in parser.templates.cores]
    naming = np.array([i for i, name in enumerate(names) if f"LEX({place})" in name or f"FORM({place})" in name])
    assert len(naming)
    rates = [_rates_of_arcs(parser, naming, np.array([part] * len(naming))) for part in (there, missing)]
    np.testing.assert_array_equal(rates[0], KNOWN_WORD * rates[1])
