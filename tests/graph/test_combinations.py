"""Options of graph parsers in combinations that nobody chose: each trains, parses to trees and can be saved."""

import random
from dataclasses import replace

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.data.trees import is_tree
from headway.learners.registry import ONLINE
from headway.parsers.graph.options import LABELS, LOSSES, RIVALS, GraphOptions
from headway.parsers.graph.registry import DECODERS
from headway.training.loop import TrainingLoop
from headway.training.tuning import tuned

TRAIN = list(generate(40, seed=1, nonprojective=0.3))
UNSEEN = list(generate(15, seed=2, nonprojective=0.3))
NAMES = {label for sentence in TRAIN for label in sentence.deprels}
OWN = {
    "perceptron": [{"average": False}, {"settle": 1}],
    "pa": [{"average": False}],
    "pa-1": [{"C": 1e-4}, {"C": 1e4, "settle": 0}],
    "pa-2": [{"C": 1e-4}, {"C": 1e4}],
    "mira": [{"settle": 0}, {"average": False}],
    "cw": [{"phi": 10.0}, {"initial": 100.0}, {"eta": 0.9, "average": False}],
    "cw-variance": [{"phi": 0.01}, {"initial": 1e-4}],
    "arow": [{"r": 1e-3}, {"r": 1e5, "average": False}],
}
"""Options of learners, besides none."""


def drawn(seed):
    chance = random.Random(seed)
    learner = chance.choice(list(ONLINE.own))
    labels, order = chance.choice(LABELS), chance.choice([None, 1, 2])
    arcs = ["mst", "mst-siblings", "default", "local as arcs"]
    return {
        "learner": learner,
        "options": chance.choice([{}, *OWN.get(learner, [])]),
        "decoder": chance.choice(["auto", *DECODERS.own]),
        "order": order,
        "labels": labels,
        "counts_labels": labels == "joint" and chance.random() < 0.5,
        "loss": chance.choice(LOSSES),
        "cost_augmented": chance.random() < 0.5,
        "k": 1 if order == 2 else chance.choice([1, 2, 5, 50]),
        "rivals": "best" if order == 2 else chance.choice(RIVALS),
        "features": chance.choice(["mst-siblings", "default"] if order == 2 else arcs),
        "bits": chance.choice([8, 14, 18]),
        "label_bits": chance.choice([8, 12, 16]),
        "single_root": chance.choice([None, True, False]),
        "encoding": chance.choice(["none", "head", "path", "head+path"]),
        "mark_cutoff": chance.choice([1, 10]),
        "shuffle": chance.random() < 0.8,
        "seed": seed,
        "passes": chance.choice([1, 2, 5]),
    }


@pytest.mark.parametrize("seed", range(16))
def test_options_go_together(seed, tmp_path):
    parser = headway.train(TRAIN, parser="graph", **drawn(seed))
    parser.save(tmp_path / "m")
    found = list(headway.load(tmp_path / "m").parse(UNSEEN))
    assert list(map(str, found)) == list(map(str, parser.parse(UNSEEN)))
    for sentence in found:
        assert is_tree(sentence.heads)
        assert set(sentence.deprels) <= NAMES


@pytest.mark.parametrize("augmented", [True, False])
@pytest.mark.parametrize("decoder", list(DECODERS.own))
def test_the_loss_that_is_tuned_is_the_better_of_two(decoder, augmented):
    data, dev = list(batches_of(TRAIN)), list(batches_of(UNSEEN))
    options = GraphOptions(
        passes=2, order=1, bits=16, label_bits=14, decoder=decoder, cost_augmented=augmented, features="mst"
    )
    loops = {loss: TrainingLoop(replace(options, loss=loss), data, dev=dev) for loss in LOSSES}
    parsers = {loss: loop.run() for loss, loop in loops.items()}
    scores = {loss: max(step.dev.main for step in loop.history) for loss, loop in loops.items()}
    assert not np.array_equal(parsers["rho"].weights, parsers["sqrt"].weights)
    assert abs(scores["rho"] - scores["sqrt"]) < 8  # they count the same words
    assert scores[tuned(options, data, dev, ["loss"], patience=3).loss] == max(scores.values())
