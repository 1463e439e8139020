"""Word pairs as examples, against plain Python: classes, features, states, parts."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.sources import batches_of
from headway.features.language import parse
from headway.features.pairs import compile_pairs
from headway.features.registry import feature_model
from headway.kernels.features import pairs as kernel
from headway.kernels.text.encode import key_of
from headway.parsers.boosted.pair_features import PairExamples, columns_of, nodes_of, place, state_keys
from headway.stages.gold import encode_all, trees_of

MODELS = ["local", "local+between", "local-default"]


def offsets_of(heads):
    return np.cumsum([0, *map(len, heads)], dtype=np.int32)


def seen_by_definition(heads, word, other):
    """What one word of a pair has: children in between, the one nearest to the other word, the first child; or -1."""
    side = range(word + 1, other) if word < other else range(word - 1, other, -1)
    between = [k for k in side if heads[k - 1] == word]
    right = [k for k in range(word + 1, len(heads) + 1) if heads[k - 1] == word] if word > other else []
    return len(between), between[-1] if between else -1, (right or between or [-1])[0]


@settings(max_examples=60)
@given(st.lists(trees(max_size=6), min_size=1, max_size=4))
def test_classes_and_what_is_seen_of_all_pairs(sentences):
    flat, offsets = np.concatenate(sentences).astype(np.int32), offsets_of(sentences)
    expected = []
    node = 0
    for heads in sentences:
        head = [-1, *heads]
        for i, j in itertools.combinations(range(len(head)), 2):
            target = 2 if head[j] == i else 1 if head[i] == j else 0
            both = [seen_by_definition(heads, i, j), seen_by_definition(heads, j, i)]
            places = [[k if k < 0 else node + k for k in column] for column in list(zip(*both, strict=True))[1:]]
            expected.append([node + i, node + j, target, *(one[0] for one in both), *places[0], *places[1]])
        node += len(head)
    count = len(expected)
    first, second, target = (np.empty(count, np.int32) for _ in range(3))
    kernel.pairs_of(offsets, flat, first, second, target)
    seen = [np.empty((count, 2), np.int32) for _ in range(3)]
    kernel.states_of(offsets, flat, *seen)
    assert np.column_stack([first, second, target, *seen]).tolist() == expected


def examples(model, *, partitioned, prepositions=None, sentences=12):
    batches = list(batches_of(list(generate(sentences, seed=5))))
    features = feature_model(model) if model in MODELS else parse(model)
    templates = compile_pairs(features, "XPOS")
    gold = trees_of(batches, "head")
    nodes = nodes_of(templates, encode_all(templates, batches), gold.offsets, partitioned)
    return batches, gold, nodes, PairExamples(nodes, gold.heads, prepositions)


def value(sentence, node, offset, column):
    place = node + offset
    words = getattr(sentence, column)
    return "<none>" if place < 0 or place > len(words) else "<root>" if place == 0 else words[place - 1]


def plain_features(sentence, i, j, features):
    """The features of a pair as tuples of strings, each once."""
    found = set()
    for feature in features:
        for middle in range(i + 1, j) if "BETWEEN" in str(feature) else [0]:
            values = []
            for term in feature.terms:
                if term.attribute == "DISTANCE":
                    gap = j - i
                    values.append("root" if i == 0 else gap if gap <= 5 else 6 if gap <= 10 else 7)
                    continue
                place = {"FIRST": i, "SECOND": j, "BETWEEN": middle}[term.addresses[0].place]
                offset = sum({"pw": -1, "fw": 1}[step] for step in term.addresses[0].path)
                values.append(value(sentence, place, offset, {"FORM": "forms", "XPOS": "xpos"}[term.attribute]))
            found.add((str(feature), *values))
    return found


def test_keys_stand_for_features():
    text = (
        "LEX(FIRST)\nPOS(FIRST pw) & POS(SECOND)\nDISTANCE(FIRST, SECOND)\nLEX(SECOND fw) & DISTANCE(FIRST, SECOND)\n"
        "POS(FIRST) & POS(BETWEEN)\nPOS(SECOND fw fw)"
    )
    features = parse(text)
    batches, _, nodes, pairs = examples(text, partitioned=False)
    counts = np.empty(len(pairs), np.int32)
    nodes.table.count(pairs.first, pairs.second, counts)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    keys = np.empty(start[-1], np.uint64)
    nodes.table.write(pairs.first, pairs.second, start, keys)
    by_key, by_feature = {}, {}
    sentences = (Sentence.view(batch, index) for batch in batches for index in range(len(batch)))
    pair = 0
    for sentence in sentences:
        for i, j in itertools.combinations(range(len(sentence) + 1), 2):
            for key in keys[start[pair] + 1 : start[pair + 1]].tolist():
                by_key.setdefault(key, []).append(pair)
            for feature in plain_features(sentence, i, j, features):
                by_feature.setdefault(feature, []).append(pair)
            pair += 1
    assert sorted(by_key.values()) == sorted(by_feature.values())


@pytest.mark.parametrize("model", MODELS)
def test_parts_share_out_the_pairs_and_drop_what_is_constant(model):
    _, _, nodes, pairs = examples(model, partitioned=True)
    assert pairs.parts > 20
    seen = np.concatenate([pairs.members(part) for part in range(pairs.parts)])
    assert sorted(seen.tolist()) == list(range(len(pairs)))
    for part in range(pairs.parts):
        members = pairs.members(part)
        tags = {(nodes.tags[pairs.first[m]], nodes.tags[pairs.second[m]]) for m in members}
        assert len(tags) == 1
        columns = pairs.columns(part)
        sizes = np.diff(columns.start)
        assert sizes[0] == len(members)
        assert (sizes[1:] < len(members)).all()
        assert (columns.target == pairs.target[members]).all()
        assert (np.diff(sizes[1:]) <= 0).all()


def dynamic_by_definition(sentence, heads, i, j, prepositions):
    """The dynamic features of a pair as tuples of strings."""
    tag = lambda k: "<root>" if k == 0 else sentence.xpos[k - 1]  # noqa: E731
    found = set()
    for word, other in ((i, j), (j, i)):
        place = (tag(word), tag(other), word < other)
        count, previous, first = seen_by_definition(heads, word, other)
        count, previous = min(count, 3), "" if previous < 0 else tag(previous)
        found |= {("children", *place, count), ("previous", *place, previous), ("both", *place, count, previous)}
        if tag(word) in prepositions:
            shown = ("", "") if first < 0 else (tag(first), sentence.forms[first - 1])
            found |= {("tag", *place, shown[0]), ("word", *place, shown[1])}
    return found


def test_each_pair_is_one_example_that_sees_both_words():
    """Dynamic features that stand in the same examples of a part by definition stand in the same by their keys."""
    wanted = ("IN", "VBZ")
    keys = np.array([key_of(tag.encode()) for tag in wanted], np.uint64)
    batches, gold, _, pairs = examples("DISTANCE(FIRST, SECOND)", partitioned=False, prepositions=keys, sentences=20)
    assert pairs.parts == 1
    columns = pairs.columns(0)
    assert columns.target.tolist() == pairs.target.tolist()
    sentences = [Sentence.view(batch, index) for batch in batches for index in range(len(batch))]
    expected, distances, pair = {}, {}, 0
    for sentence, begin, end in zip(sentences, gold.offsets, gold.offsets[1:], strict=False):
        heads = gold.heads[begin:end].tolist()
        for i, j in itertools.combinations(range(len(sentence) + 1), 2):
            for feature in dynamic_by_definition(sentence, heads, i, j, wanted):
                expected.setdefault(feature, []).append(pair)
            gap = "root" if i == 0 else j - i if j - i <= 5 else 6 if j - i <= 10 else 7
            distances.setdefault(gap, []).append(pair)
            pair += 1
    found = [columns.member[a:b].tolist() for a, b in itertools.pairwise(columns.start)]
    assert sorted(found) == sorted([list(range(pair)), *distances.values(), *expected.values()])


def test_pairs_may_be_seen_as_in_other_trees():
    _, gold, nodes, pairs = examples("local", partitioned=True, prepositions=np.empty(0, np.uint64))
    chain = np.concatenate([np.arange(size) for size in np.diff(gold.offsets)]).astype(np.int32)
    other, expected = pairs.seen_as(chain), PairExamples(nodes, chain, np.empty(0, np.uint64))
    assert (other.target == pairs.target).all()
    assert (other.target != expected.target).any()
    for name in ("children", "previous", "first_child"):
        assert (getattr(other.seen, name) == getattr(expected.seen, name)).all()
    assert (other.seen.children != pairs.seen.children).any()


def test_dynamic_features_tell_the_head_from_the_other():
    tags = np.array([3, 5, 8], np.uint64)
    head, other, is_first = (array.ravel() for array in np.meshgrid(tags, tags, np.array([False, True])))
    keys = state_keys(head, other, is_first, np.zeros(18, np.int64), np.zeros(18, np.uint64))
    assert len(np.unique(keys)) == keys.size == 3 * 18
    assert len(np.unique(place(head, other, is_first))) == 18


def test_columns_are_rows_turned_round():
    rng = np.random.default_rng(2)
    rows = [[7, *rng.choice(40, rng.integers(1, 9)).tolist()] for _ in range(30)]
    start = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    keys = np.array([key for row in rows for key in row], np.uint64)
    columns = columns_of(start, keys, np.zeros(30, np.int32), cutoff=3)
    expected = {}
    for number, row in enumerate(rows):
        for key in set(row):
            expected.setdefault(key, []).append(number)
    found = {
        int(key): columns.member[columns.start[f] : columns.start[f + 1]].tolist() for f, key in enumerate(columns.keys)
    }
    kept = {key: members for key, members in expected.items() if key == 7 or 3 <= len(members) < 30}
    assert found == kept
    assert columns.keys[0] == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("POS(PARENT)", "a pair of words has no PARENT; it has FIRST, SECOND, BETWEEN"),
        ("POS(FIRST lc)", "step 'lc' needs a tree"),
        ("DISTANCE(SECOND, FIRST)", "the distance here is"),
        ("DEP(FIRST)", "DEP is not known of a pair of words"),
        ("FEAT(FIRST)", "FEAT is not known of a pair of words"),
    ],
)
def test_what_a_pair_does_not_have_is_refused(text, message):
    with pytest.raises(HeadwayError, match=message):
        compile_pairs(parse(text), "XPOS")
