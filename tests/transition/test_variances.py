"""Margins by their standard deviations, against margins and the variances of weights one by one."""

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.kernels.transition import parsing
from headway.kernels.transition.evidence import EVIDENCE, spread
from headway.kernels.weights import packing
from headway.kernels.weights.table import Weights

INITIAL = 1.0


@pytest.fixture(scope="module")
def stage():
    how = {"learner": "cw", "passes": 1, "features": "malt-14", "updatable": True, "explore": 0.0}
    return headway.train(generate(40), **how).stages[-1]


def evidence_of(stage, batch, initial=INITIAL, share=1.0):
    """Evidence by standard deviations, where `share` of the shrinking of variances counts; and by plain margins."""
    keys, sizes, classes, planes = (stage.state.arrays[name] for name in ("keys", "sizes", "classes", "planes"))
    shrunk = Weights(len(stage.classes), variance=False, average=False)
    shrunk.restore(keys, sizes, classes, np.ascontiguousarray(share * (INITIAL - planes[1:2])).astype(np.float32))
    certain, _ = packing.packed(shrunk, 1.0, exact=True)
    ready = stage.setup(stage.templates.encode(batch), int(np.diff(batch.sentence_word).max()))
    scaled, plain = (np.zeros((len(batch.heads), len(EVIDENCE)), np.float32) for _ in range(2))
    spread(ready, stage.weights, certain, initial, batch.sentence_word, scaled)
    heads, labels = np.zeros(len(batch.heads), np.int32), np.zeros(len(batch.heads), np.int32)
    parsing.parse(ready, stage.weights, batch.sentence_word, stage.root_label, heads, labels, plain)
    return {name: (scaled[:, at], plain[:, at]) for at, name in enumerate(EVIDENCE)}


def test_the_same_transitions_are_scaled(stage):
    [batch] = batches_of(generate(20, seed=2))
    found = evidence_of(stage, batch)
    assert (found["rival"][0] == found["rival"][1]).all()
    scaled, plain = found["arc"]
    assert (np.isfinite(scaled) == np.isfinite(plain)).all()
    some = np.isfinite(plain)
    assert (np.sign(scaled[some]) == np.sign(plain[some])).all() and (scaled[some] != plain[some]).any()


def test_standard_deviations_are_roots_of_sums_of_variances(stage):
    """Where nothing was learned of variances, each of the features counts twice with the first one."""
    [batch] = batches_of(generate(20, seed=2))
    scaled, plain = evidence_of(stage, batch, share=0.0)["arc"]
    some = np.isfinite(plain) & (np.abs(plain) > 1e-3)
    counts = (plain[some] / scaled[some]) ** 2 / (2 * INITIAL)
    assert counts == pytest.approx(np.full(len(counts), 14), abs=0.02)  # malt-14 has as many
    fourfold, _ = evidence_of(stage, batch, initial=4 * INITIAL, share=0.0)["arc"]
    assert fourfold[some] == pytest.approx(scaled[some] / 2, rel=1e-5)
    surer, _ = evidence_of(stage, batch, share=1.0)["arc"]
    assert (np.abs(surer[some]) >= np.abs(scaled[some]) * (1 - 1e-5)).all()
