"""Weights that are added to those of a linear model, against a dictionary."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.parsers.boosted.linear import LinearModel, WeightEntries, added, linear_model

CLASSES = 5


def as_dictionary(model: LinearModel):
    keys = np.repeat(model.keys, np.diff(model.start))
    return {(int(k), int(c)): float(w) for k, c, w in zip(keys, model.classes, model.weights, strict=True)}


def entries(chance, count, keys, classes=CLASSES):
    distinct = sorted({(int(chance.choice(keys)), int(chance.integers(classes))) for _ in range(count)})
    chance.shuffle(distinct)
    which, classes = zip(*distinct, strict=True)
    values = chance.normal(size=len(distinct)).astype(np.float32)
    return WeightEntries(np.array(which, np.uint64), np.array(classes, np.int32), values)


@pytest.mark.parametrize("seed", range(20))
def test_added_weights_are_sums(seed):
    chance = np.random.default_rng(seed)
    keys = chance.integers(1, 1 << 63, size=12, dtype=np.uint64) * np.uint64(2)
    begin, more = entries(chance, 25, keys[:8]), entries(chance, 25, keys)
    model = linear_model([begin])
    found = added(model, more)
    expected = as_dictionary(model)
    for key, which, weight in zip(*more, strict=True):
        place = int(key), int(which)
        expected[place] = float(np.float32(expected.get(place, 0.0)) + weight)
    assert as_dictionary(found) == expected
    assert np.all(found.keys[1:] > found.keys[:-1])
    assert all(np.all(np.diff(found.classes[a:b]) > 0) for a, b in zip(found.start[:-1], found.start[1:], strict=True))
    matrix = found.rows(keys, CLASSES)
    for row, key in enumerate(keys.tolist()):
        assert matrix[row].tolist() == [expected.get((key, which), 0.0) for which in range(CLASSES)]


@pytest.mark.parametrize("seed", range(5))
def test_weights_are_added_up_by_groups(seed):
    chance = np.random.default_rng(seed)
    keys = chance.integers(1, 1 << 63, size=8, dtype=np.uint64) * np.uint64(2)
    model = linear_model([entries(chance, 25, keys[:6])])
    asked = chance.choice(keys, (3, 2, 5))
    assert model.sums(asked, CLASSES) == pytest.approx(model.rows(asked, CLASSES).sum(axis=0))
    group, listed = chance.integers(0, 4, 30), asked.reshape(-1)
    expected = np.zeros((4, CLASSES))
    np.add.at(expected, group, model.rows(listed, CLASSES))
    assert model.totals(listed, group, 4, CLASSES) == pytest.approx(expected)


def test_a_model_with_the_same_features_knows_them_still():
    chance = np.random.default_rng(1)
    keys = np.arange(2, 20, 2, dtype=np.uint64)
    model = linear_model([entries(chance, 25, keys)])
    place = WeightEntries(model.keys[:1], model.classes[:1], np.ones(1, np.float32))
    found = added(model, place)
    assert found.known is model.known
    assert found.rows(keys, CLASSES).sum() == pytest.approx(model.rows(keys, CLASSES).sum() + 1)


@pytest.mark.parametrize("tagged", [False, True], ids=["static", "with states"])
def test_logits_of_added_weights_are_those_of_both(tagged):
    """What a correction adds to the logits of a sentence, against looking all weights up again."""
    linker = headway.train(generate(30), parser="boosted", rounds=1, dynamic=tagged).stages[-1].linker
    batch = next(iter(generate(1, seed=3))).batch.alone(0)
    asked, chance = linker.keys(linker.templates.encode(batch), batch.sentence_word), np.random.default_rng(1)
    seen = [asked.nodes.table.listed(0, word)[0] for word in range(1, 5)]
    seen += [] if asked.states is None else [chance.choice(asked.states.states.ravel(), 200)]
    more = entries(chance, 300, np.unique(np.concatenate(seen)), classes=3)
    whole = replace(linker, model=added(linker.model, more)).logits_of(asked)
    before, change = linker.logits_of(asked), replace(linker, model=linear_model([more])).logits_of(asked)
    for name in ("static", "states", "first"):
        np.testing.assert_allclose(getattr(before.plus(change), name), getattr(whole, name), atol=1e-5)
    assert (change.static != 0).any() and (change.states != 0).any() == tagged
