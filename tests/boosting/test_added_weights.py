"""Weights that are added to those of a linear model, against a dictionary."""

import numpy as np
import pytest

from headway.boosting.linear import LinearModel, WeightEntries, added, linear_model

CLASSES = 5


def as_dictionary(model: LinearModel):
    keys = np.repeat(model.keys, np.diff(model.start))
    return {(int(k), int(c)): float(w) for k, c, w in zip(keys, model.classes, model.weights, strict=True)}


def entries(chance, count, keys):
    distinct = sorted({(int(chance.choice(keys)), int(chance.integers(CLASSES))) for _ in range(count)})
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
