"""Keeping scores for each word changes nothing but the time it takes."""

import pytest

from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features import compile as compilation
from headway.features.compile import compile_features, grouped
from headway.features.language import parse
from headway.features.registry import feature_model
from headway.kernels.transition.setup import PLACES
from headway.parsers.transition.options import TransitionOptions
from headway.stages.parsing.parser import Parser
from headway.training.loop import TrainingLoop

SYSTEMS = [("arc-eager", "end"), ("arc-eager", "none"), ("arc-standard", "start"), ("swap", "start")]


def learned(system, explore, sentences):
    name, root = system
    options = TransitionOptions(system=name, root=root, explore=explore, mark_cutoff=1)
    loop = TrainingLoop(options, list(batches_of(sentences)))
    history = [done.told for done, _ in zip(loop, range(3), strict=False)]
    return loop.best, history


@pytest.mark.parametrize(
    ("system", "explore"),
    [(system, explore) for system in SYSTEMS for explore in (0.0, 0.7) if not explore or system[0] == "arc-eager"],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else str(value),
)
def test_learning_and_parsing_are_the_same_without_groups(system, explore, monkeypatch):
    monkeypatch.setattr("headway.parsers.transition.options.PRUNE", 0.0)
    sentences = list(generate(60, seed=5, nonprojective=0.3))
    with_groups, history = learned(system, explore, sentences)
    monkeypatch.setattr(compilation, "LEAST", 10**9)
    without, same_history = learned(system, explore, sentences)
    assert len(with_groups.templates.base) > 3
    assert len(without.templates.base) == 1
    assert history == same_history and len(history) == 3
    unseen = list(generate(60, seed=6, nonprojective=0.3))
    for one, other in zip(*(Parser([stage]).parse(unseen) for stage in (with_groups, without)), strict=True):
        assert str(one) == str(other)


def test_what_the_parser_has_done_keeps_a_feature_out_of_the_groups(monkeypatch):
    monkeypatch.setattr(compilation, "LEAST", 1)
    moving = parse(
        "DEP(STACK0)\nPOS(STACK0 h)\nPOS(QUEUE0 ld)\nLEFT(STACK0)\nDISTANCE(STACK0, QUEUE0)\n"
        "POS(STACK0) & POS(QUEUE0)\nPOS(STACK0) & POS(STACK1)\nFEAT(STACK0) & POS(QUEUE1)"
    )
    assert grouped(moving) == (moving, [])


def test_the_place_of_a_group_is_looked_up_even_where_no_feature_asks_for_it():
    templates = compile_features(parse("POS(QUEUE1)\nLEX(QUEUE1)\nLEMMA(QUEUE2)\nCPOS(QUEUE1)"))
    assert templates.base[1] < len(templates.address)
    assert list(templates.address[templates.base[1]]) == [PLACES["QUEUE"], 0, 0]


def test_the_queue_is_one_group():
    features = parse("POS(QUEUE0)\nLEX(QUEUE1) & POS(QUEUE2)\nFEAT(QUEUE0)\nLEMMA(QUEUE0 pw fw)\nDEP(QUEUE0)")
    ordered, places = grouped(features)
    assert [str(feature) for feature in ordered[:1]] == ["DEP(QUEUE0)"]
    assert [(str(place), count) for place, count in places] == [("QUEUE0", 4)]


def test_every_feature_is_there_once():
    features = feature_model("default")
    ordered, places = grouped(features)
    assert sorted(ordered) == sorted(features)
    assert sum(count for _, count in places) > len(features) // 4
