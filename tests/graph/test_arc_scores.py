"""Scores by groups against scores feature by feature."""

import numpy as np
import pytest
from arc_reference import Reference

from headway import Sentence
from headway.data.sources import batches_of
from headway.features.arcs import compile_arcs
from headway.features.language import parse
from headway.features.registry import feature_model
from headway.kernels.graph.explaining import scores_of
from headway.parsers.graph.parser import GraphShape, graph_of
from headway.stages.gold import encode_all

BITS = 14
EVERY_KIND = """
POS(PARENT), SIDE(PARENT, CHILD) & POS(CHILD), DISTANCE(PARENT, CHILD) & LEX(PARENT) & LEX(CHILD fw)
directed(LEX(PARENT) & POS(CHILD pw), LEX(CHILD), UPOS(PARENT pw pw), SIDE(PARENT, CHILD))
SIDE(PARENT, CHILD) & DISTANCE(PARENT, CHILD) & UPOS(PARENT) & UPOS(CHILD)
POS(PARENT) & POS(BETWEEN) & POS(CHILD), directed(UPOS(BETWEEN) & POS(CHILD)), LEX(BETWEEN fw)
directed(FEAT(PARENT), FEAT(CHILD) & POS(CHILD), FEAT(PARENT) & FEAT(CHILD), FEAT(CHILD) & LEX(PARENT))
POS(SIBLING) & POS(CHILD), directed(LEX(SIBLING) & LEX(CHILD), POS(PARENT) & POS(SIBLING fw) & POS(CHILD))
UPOS(PARENT) & UPOS(SIBLING), DISTANCE(SIBLING, CHILD) & UPOS(SIBLING)
"""
MODELS = {"every kind": parse(EVERY_KIND), **{name: feature_model(name) for name in ("mst-siblings", "graph-default")}}


def sentence(seed, length):
    chance = np.random.default_rng(seed)
    feats = ["_", "A=1", "A=2|B=1", "B=1|C=2|D=3"]
    return Sentence(
        forms=chance.choice(["a", "bb", "ccc", "longer", "longest", "é"], length).tolist(),
        lemmas=chance.choice(["a", "b"], length).tolist(),
        upos=chance.choice(["N", "V", "P"], length).tolist(),
        xpos=chance.choice(["N1", "N2", "V", "P"], length).tolist(),
        feats=chance.choice(feats, length).tolist(),
        heads=[0] * length,
        deprels=["x"] * length,
    )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("length", [1, 2, 5, 14])
def test_scores_are_sums_of_the_features_one_by_one(name, length):
    features = MODELS[name]
    templates = compile_arcs(features)
    assert templates.features == tuple(features)
    words = [sentence(1, 3), sentence(2, length)]
    shape = GraphShape(order=2, bits=BITS, label_bits=10)
    graph = graph_of(shape, templates, ("x", "y"), encode_all(templates, list(batches_of(words))), max(3, length))
    weights = np.random.default_rng(3).normal(size=shape.size).astype(np.float32)
    arcs = np.full((length + 1, length + 1), np.nan)
    siblings = np.full((length + 1,) * 3, np.nan)
    scores_of(graph, weights, 3, arcs, siblings, np.zeros((0, 1), np.int32))
    reference = Reference(features, BITS)
    seen = 0
    for parent in range(length + 1):
        for child in range(1, length + 1):
            if parent == child:
                continue
            expected = total(weights, reference.part(words[1], parent, child))
            assert arcs[parent, child] == pytest.approx(expected, abs=1e-3)
            beside = range(parent, child) if parent < child else range(parent, child, -1)
            for sibling in beside:
                expected = total(weights, reference.part(words[1], parent, child, sibling))
                assert siblings[parent, child, sibling] == pytest.approx(expected, abs=1e-3)
                seen += 1
    assert seen == sum(abs(p - c) for p in range(length + 1) for c in range(1, length + 1))


def total(weights, counts):
    return sum(float(weights[index]) * count for index, count in counts.items())
