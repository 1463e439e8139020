"""Word pairs as examples, against plain Python: classes, features, states, parts."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import trees

from headway.boosting.dynamic import State, place, state_keys
from headway.boosting.examples import Pairs, columns_of
from headway.boosting.nodes import nodes_of
from headway.data import batches_of
from headway.errors import HeadwayError
from headway.features.language import parse
from headway.features.pairs import compile_pairs
from headway.features.registry import feature_model
from headway.gold import encode_all, trees_of
from headway.kernels import pairs as kernel
from headway.sample import generate
from headway.sentence import Sentence

MODELS = ["local", "local+between", "local-default"]


def offsets_of(heads):
    return np.cumsum([0, *map(len, heads)], dtype=np.int32)


@settings(max_examples=60)
@given(st.lists(trees(max_size=6), min_size=1, max_size=4))
def test_classes_and_states_of_all_pairs(sentences):
    flat, offsets = np.concatenate(sentences).astype(np.int32), offsets_of(sentences)
    expected = []
    node = 0
    for heads in sentences:
        head = [-1, *heads]
        for i, j in itertools.combinations(range(len(head)), 2):
            right = [node + k for k in range(i + 1, j) if head[k] == i]
            left = [node + k for k in range(i + 1, j) if head[k] == j]
            target = 2 if head[j] == i else 1 if head[i] == j else 0
            previous = (right[-1] if right else -1, left[0] if left else -1)
            expected.append((node + i, node + j, target, len(right), len(left), *previous))
        node += len(head)
    count = len(expected)
    first, second, target = (np.empty(count, np.int32) for _ in range(3))
    kernel.pairs_of(offsets, flat, first, second, target)
    children, previous = np.empty((count, 2), np.int32), np.empty((count, 2), np.int32)
    kernel.states_of(offsets, flat, children, previous)
    found = np.column_stack([first, second, target, children, previous])
    assert found.tolist() == [list(row) for row in expected]


@settings(max_examples=60)
@given(trees(max_size=7))
def test_first_children(heads):
    child = np.empty(len(heads) + 1, np.int32)
    kernel.first_children_of(offsets_of([heads]), np.array(heads, np.int32), child)
    for node in range(len(heads) + 1):
        right = [w for w, h in enumerate(heads, 1) if h == node and w > node]
        left = [w for w, h in enumerate(heads, 1) if h == node and w < node]
        assert child[node] == (right[0] if right else left[-1] if left else -1)


def examples(model, *, partitioned, prepositions=None, sentences=12):
    batches = list(batches_of(list(generate(sentences, seed=5))))
    features = feature_model(model) if model in MODELS else parse(model)
    templates = compile_pairs(features, "XPOS")
    gold = trees_of(batches, "head")
    nodes = nodes_of(templates, encode_all(templates, batches), gold.offsets, partitioned)
    return batches, gold, nodes, Pairs(nodes, gold.heads, prepositions)


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


def test_with_dynamic_features_each_word_of_a_pair_is_a_candidate_head():
    _, _, _, pairs = examples("local", partitioned=True, prepositions=np.empty(0, np.uint64))
    for part in range(pairs.parts):
        members, columns = pairs.members(part), pairs.columns(part)
        assert len(columns.target) == len(members)
        half = len(members) // 2
        assert (columns.target[:half] == columns.target[half:]).all()


def test_dynamic_features_tell_the_head_from_the_other():
    tags = np.array([3, 5, 8], np.uint64)
    head, other, is_first = (array.ravel() for array in np.meshgrid(tags, tags, np.array([False, True])))
    keys = state_keys(State(head, other, is_first, np.zeros(18, np.int64), np.zeros(18, np.uint64)))
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
