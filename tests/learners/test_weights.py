"""The table of weights: growth, dump and restore, and the packed layout, read by an independent reader."""

import random

import numpy as np
import pytest
from packed_rows import content_of, in_slots, row_of

from headway.kernels.weights.packing import from_slots, packed
from headway.kernels.weights.table import CLASSES, Weights

SIZES = [1, 2, 3, 4, 5, 7, 8, 31, 64, 105, 1000]


def scores(weights, keys):
    """The scores of all classes that features have together."""
    return weights.of(keys, np.arange(weights.classes, dtype=np.int32)).sum(0)


def table(classes, **options):
    return Weights(classes, **{"variance": False, "average": False, **options})


def random_content(chance, classes, features, planes=1):
    """Arrays as `dump` gives them: rows of all lengths, classes in the order of their first update."""
    keys = chance.integers(1, 1 << 63, features, dtype=np.uint64)
    sizes = np.array([chance.integers(0, classes + 1) for _ in range(features)], np.uint16)
    every = [chance.permutation(classes)[:size] for size in sizes]
    which = np.concatenate([*every, np.empty(0)]).astype(np.uint16)
    return keys, sizes, which, chance.normal(size=(planes, len(which))).astype(np.float32)


def as_dictionary(keys, sizes, classes, planes):
    owner = np.repeat(keys, sizes).tolist()
    cells = zip(owner, classes.tolist(), planes.T.tolist(), strict=True)
    return {(key, which): numbers for key, which, numbers in cells}


@pytest.mark.parametrize("classes", SIZES)
@pytest.mark.parametrize("planes", [1, 2, 3])
def test_rows_grow_from_sparse_to_dense_and_keep_what_they_hold(classes, planes):
    content = random_content(np.random.default_rng(classes), classes, 40, planes)
    weights = table(classes, variance=planes > 1, average=planes > 2, initial=0.5, room=1)
    weights.restore(*content)
    expected, found = as_dictionary(*content), as_dictionary(*weights.dump())
    assert {place: found[place] for place in expected} == expected
    new = [0.0, 0.5, 0.0][:planes]
    assert all(found[place] == new for place in set(found) - set(expected))
    sizes = weights.dump()[1]
    for wanted, size in zip(content[1].tolist(), sizes.tolist(), strict=True):
        assert size == wanted or (size == classes and 2 * wanted >= classes // 2)


@pytest.mark.parametrize("classes", [3, 64])
def test_dump_and_restore_give_the_same_table(classes):
    first, second = (table(classes, variance=True, average=True, room=4) for _ in range(2))
    first.restore(*random_content(np.random.default_rng(1), classes, 200, 3))
    second.restore(*first.dump())
    for one, other in zip(first.dump(), second.dump(), strict=True):
        assert np.array_equal(one, other)
    arrays = (packed(one, 7.0)[0].arrays() for one in (first, second))
    assert all(np.array_equal(one, other) for one, other in zip(*(some.values() for some in arrays), strict=True))


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("classes", SIZES)
def test_packed_weights_are_found_by_an_independent_reader(classes, exact):
    content = random_content(np.random.default_rng(classes), classes, 60)
    weights = table(classes, room=2)
    weights.restore(*content)
    found, count = packed(weights, 1, exact=exact)
    expected, every = as_dictionary(*content), np.arange(classes, dtype=np.int32)
    assert count <= len(expected) and (count == len(expected) or not exact)
    largest = np.abs(content[3]).max(initial=0)
    for key in content[0].tolist():
        row = np.array([expected.get((key, which), [0.0])[0] for which in range(classes)])
        own = row_of(found, key)
        np.testing.assert_allclose(found.of(np.array([key], np.uint64), every)[0], own, rtol=1e-6)
        if exact:
            assert own.tolist() == row.tolist()
        else:  # the square root of a weight is right up to half a step, of 127
            np.testing.assert_allclose(np.sqrt(np.abs(own)), np.sqrt(np.abs(row)), atol=0.501 * largest**0.5 / 127)
            assert (own * row >= 0).all()
    for key in np.random.default_rng(9).integers(1, 1 << 63, 100, dtype=np.uint64).tolist():
        assert not row_of(found, key).any()


@pytest.mark.parametrize("classes", SIZES)
def test_scores_are_the_sums_of_rows(classes):
    chance = np.random.default_rng(classes)
    content = random_content(chance, classes, 60)
    weights = table(classes)
    weights.restore(*content)
    found, _ = packed(weights, 1)
    for count in (0, 1, 7, 40):
        keys = np.append(chance.choice(content[0], count), np.uint64(12345))
        expected = sum((row_of(found, key).astype(float) for key in keys.tolist()), np.zeros(classes))
        np.testing.assert_allclose(scores(found, keys), expected, atol=1e-4)
    assert not scores(found, keys[:0]).any()


@pytest.mark.parametrize("classes", SIZES)
def test_weights_of_former_files_are_the_same(classes):
    content = random_content(np.random.default_rng(classes), classes, 60)
    more = [(int(key) ^ 0x55 << 40, np.arange(classes, dtype=np.float32) + 1) for key in content[0][:3]]
    found = from_slots(*in_slots(content, classes, more), classes)
    expected = as_dictionary(*content)
    for key in content[0].tolist():
        assert row_of(found, key).tolist() == [expected.get((key, which), [0.0])[0] for which in range(classes)]
    for key, row in more:
        assert row_of(found, key).tolist() == row.tolist()
    keys, _, which, _ = content_of(found)
    assert len(keys) == np.count_nonzero(content[1]) + 3 and len(which) == len(content[2]) + 3 * classes


@pytest.mark.parametrize("seed", range(20))
def test_forged_weights_of_former_files_are_refused_or_harmless(seed):
    chance = np.random.default_rng(seed)
    slots, rows = in_slots(random_content(chance, 7, 30), 7)
    for array, high in ((slots, 1 << 63), (rows, 1 << 32)):
        where = chance.integers(0, len(array), 3)
        array[where] = chance.integers(0, high, 3, dtype=np.uint64).astype(array.dtype)
        array[chance.integers(0, len(array))] ^= np.array(1 << int(chance.integers(0, 16)), array.dtype)
    try:
        scores(from_slots(slots, rows, 7), chance.integers(1, 1 << 63, 50, dtype=np.uint64))
    except ValueError as error:
        assert "weights" in str(error)


def test_averages():
    """With a plane of sums the weights are w − sum / steps."""
    weights = table(2, average=True)
    weights.restore(*(np.array(a, t) for a, t in (([5], "u8"), ([2], "u2"), ([0, 1], "u2"), ([[3, 1], [8, 4]], "f4"))))
    found, count = packed(weights, 4)
    assert row_of(found, 5) == pytest.approx([1, 0])
    assert count == 1


def test_small_weights_can_be_left_out():
    weights = table(4)
    weights.restore(
        *(np.array(a, t) for a, t in (([5], "u8"), ([4], "u2"), ([0, 1, 2, 3], "u2"), ([[1, -0.1, 0.3, -2]], "f4")))
    )
    root_mean_square = np.sqrt((1 + 0.01 + 0.09 + 4) / 4)
    for prune, kept in ((0, [1, -0.1, 0.3, -2]), (0.31 / root_mean_square, [1, 0, 0, -2]), (5, [0, 0, 0, 0])):
        found, count = packed(weights, 1, prune, exact=True)
        assert row_of(found, 5) == pytest.approx(kept)
        assert count == np.count_nonzero(kept)


def test_weights_too_small_for_a_model_do_not_disturb_the_others():
    """The difference of a weight and its average may vanish when it is stored."""
    weights = table(8, average=True)
    tiny = [[1e-45, 1, 2], [0.9e-45, 0, 0]]
    weights.restore(*(np.array(a, t) for a, t in (([5], "u8"), ([3], "u2"), ([1, 6, 3], "u2"), (tiny, "f4"))))
    found, count = packed(weights, 1e6 / 999_999, exact=True)
    row = row_of(found, 5).tolist()
    assert (row[6], row[3]) == (1, 2)
    assert count == np.count_nonzero(row)


def test_a_hundred_thousand_features():
    keys = np.unique(np.random.default_rng(4).integers(1, 1 << 63, 100_000, dtype=np.uint64))
    random.Random(1).shuffle(keys)
    weights = table(50, room=1)
    weights.extend(keys)
    weights.extend(keys)
    assert len(weights) == len(keys)
    assert np.array_equal(weights.keys(), keys)
    found, count = packed(weights, 1)
    assert (count, len(found.long_rows)) == (0, 0)
    assert not np.any(found.lines)


def test_a_closed_table_takes_no_new_features():
    weights = table(3)
    weights.extend(np.array([7, 8], np.uint64))
    weights.close()
    weights.extend(np.array([8, 7], np.uint64))
    with pytest.raises(ValueError, match="closed"):
        weights.extend(np.array([9], np.uint64))
    assert weights.keys().tolist() == [7, 8]


@pytest.mark.parametrize("classes", [0, -1, CLASSES + 1, 1 << 20])
def test_too_many_classes_are_refused(classes):
    with pytest.raises(ValueError, match=f"{classes} classes; from 1 to 65534 are possible"):
        table(classes)
    assert len(table(CLASSES)) == 0


KEYS, SIZE, WHICH, NUMBERS = (
    np.array([5, 6], "u8"),
    np.array([1, 1], "u2"),
    np.array([0, 2], "u2"),
    np.ones((1, 2), "f4"),
)


@pytest.mark.parametrize(
    "content",
    [
        (KEYS[:1], SIZE, WHICH, NUMBERS),
        (KEYS, SIZE, WHICH[:1], NUMBERS),
        (KEYS, SIZE * 2, WHICH, NUMBERS),
        (KEYS, SIZE, WHICH + np.uint16(1), NUMBERS),
        (KEYS, SIZE, WHICH, np.ones((2, 2), "f4")),
        (KEYS * np.uint64(0), SIZE, WHICH, NUMBERS),
    ],
    ids=["keys", "classes", "sizes", "class", "planes", "twice"],
)
def test_arrays_that_do_not_fit_are_refused(content):
    table(3).restore(KEYS, SIZE, WHICH, NUMBERS)
    with pytest.raises(ValueError, match=r"do not fit|twice"):
        table(3).restore(*content)


def test_only_fresh_weights_take_back_a_dump():
    weights = table(3)
    weights.restore(KEYS, SIZE, WHICH, NUMBERS)
    with pytest.raises(ValueError, match="used already"):
        weights.restore(KEYS, SIZE, WHICH, NUMBERS)
