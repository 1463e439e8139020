"""Kernels that look words up, against the same in plain Python."""

import random

import numpy as np
import pytest

import headway
from headway.features.encode import KeyColumn, keys_of
from headway.kernels.sequence import words as kernel
from headway.kernels.text import scanning
from headway.text.lemmatizer.word_keys import OUTLINE, WHOLE, LemmaWords, TaggedWords, joined, look_up, shape_of
from headway.text.sequence.deciding import Choices, KeyTable, NumberLists, find_keys, mixed
from headway.text.tagger.batch_words import BatchWords
from headway.text.tagger.word_knowledge import longest_endings

MASK = (1 << 64) - 1


def spread(chance, count):
    return chance.integers(0, MASK, count, np.uint64, endpoint=True)


@pytest.mark.parametrize("size", [0, 1, 2, 9, 40, 1000])
@pytest.mark.parametrize("crowded", [False, True])
def test_keys_are_found_however_they_are_spread(size, crowded):
    chance = np.random.default_rng(size)
    table = np.unique(chance.integers(0, 3 * size + 1, size).astype(np.uint64) if crowded else spread(chance, size))
    asked = np.concatenate([table, table + np.uint64(1), spread(chance, 20), np.array([0, MASK], np.uint64)])
    places = {key: place for place, key in enumerate(table.tolist())}
    assert find_keys(table, asked).tolist() == [places.get(key, -1) for key in asked.tolist()]


def test_words_are_looked_up_the_surest_way_first():
    chance = np.random.default_rng(3)
    words = TaggedWords(spread(chance, 60), spread(chance, 60), spread(chance, (60, 3)))
    ways = words.ways()
    known = {int(ways[way][word]): 10 * word + way for word in range(60) for way in range(4) if chance.random() < 0.3}
    table = KeyTable.of(known)
    keys = zip(*(way.tolist() for way in ways), strict=True)
    expected = [next((known[key] for key in some if key in known), -1) for some in keys]
    assert look_up(table, words).tolist() == expected and -1 in expected
    assert (look_up(KeyTable.of({}), words) == -1).all()


def test_keys_are_joined_as_model_files_have_them():
    first, second = (np.array([key], np.uint64) for key in (12345, MASK - 7))

    def plain(way, *keys):
        key = way + 1
        for other in keys:
            key = (key ^ other) * 0x9E3779B97F4A7C15 & MASK
            key = (key ^ key >> 32) * 0xC2B2AE3D27D4EB4F & MASK
        return key ^ key >> 29

    assert joined(3, [first, second]).tolist() == [plain(3, 12345, MASK - 7)]
    assert joined(4, [first]).tolist() == [plain(4, 12345)]


def test_the_longest_end_counts():
    chance = np.random.default_rng(5)
    pieces = spread(chance, (50, 4))
    ends = np.empty_like(pieces)
    kernel.keys_of_ends(pieces, ends)
    np.testing.assert_array_equal(ends, mixed(pieces ^ np.arange(1, 5, dtype=np.uint64)))
    table = np.unique(ends[chance.random(ends.shape) < 0.3])
    found = longest_endings(KeyTable(table, np.zeros(len(table), np.int32)), pieces)
    places = {key: place for place, key in enumerate(table.tolist())}
    expected = [next((places[key] for key in reversed(row) if key in places), -1) for row in ends.tolist()]
    assert found.tolist() == expected and -1 in expected


def test_how_a_sentence_is_written():
    def plain(forms):
        letters = sum(form[0].isalpha() for form in forms)
        upper = sum(form[0].isupper() for form in forms)
        capitals = sum(len(form) > 1 and form.isupper() for form in forms)
        shares = [min(3, 4 * count // max(letters, 1)) for count in (upper, capitals)]
        return 1 + shares[0] + 4 * shares[1] + 16 * min(letters // 4, 2)

    chance = random.Random(1)
    kinds = set()
    for _ in range(100):
        forms = chance.choices(["Dogs", "DOGS", "dogs", "1", ".", "A", "Éa", "ÉA", "ǅ", "中"], k=chance.randint(1, 12))
        found = BatchWords(headway.Sentence(forms).batch).cased()
        assert found.tolist() == [plain(forms)] * len(forms), forms
        kinds.add(plain(forms))
    assert len(kinds) > 5


def test_outlines_and_pieces_of_longer_words():
    chance = random.Random(2)
    words = ["".join(chance.choices("aAbB1٣.+-éÉǅ中𝒳", k=chance.randint(1, 9))) for _ in range(300)]
    np.testing.assert_array_equal(keys_of(words, OUTLINE), keys_of([shape_of(word) for word in words], WHOLE))
    for size in (1, 3):
        for kind, piece in (("prefix", slice(size)), ("suffix", slice(-size, None))):
            expected = np.where([len(word) > size for word in words], keys_of([one[piece] for one in words], WHOLE), 0)
            np.testing.assert_array_equal(keys_of(words, KeyColumn("", f"longer-{kind}", size)), expected)


def test_more_sets_stand_behind_those_of_a_model():
    choices = Choices.plain(4, [(0,), (1, 2)])
    more = choices.with_more(NumberLists.of([(3,), (0, 3)]))
    assert [more.allowed(which) for which in range(4)] == [[0], [1, 2], [3], [0, 3]]
    with pytest.raises(ValueError, match="which is not there"):
        choices.with_more(NumberLists.of([(4,)]))


def test_codes_beyond_the_names():
    codes = np.array([0, 2, 1], np.int32)
    assert [scanning.beyond(codes, count) for count in (3, 2)] == [False, True]
    assert scanning.beyond(np.array([-1], np.int32), 3) and not scanning.beyond(codes[:0], 0)


def test_forms_are_found_once_for_all_layers():
    batch = headway.Sentence(["Dogs", "bark", "Dogs"]).batch
    words = LemmaWords(batch, ())
    assert words.form is batch.forms and batch.with_layer("a").forms is batch.forms
