"""Labels that stand at most once under a head: the rule against brute force, and every family that keeps to it."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.kernels.trees import single_labels as kernel
from headway.kernels.trees.single_labels import settle
from headway.stages.single_labels import FEWEST, SHARE, single_labels_in

FAMILIES = {
    "transition": {"features": "malt-14", "passes": 1},
    "graph": {"bits": 14, "label_bits": 12, "passes": 1},
    "joint": {"parser": "graph", "labels": "joint", "order": 1, "features": "mst", "bits": 14, "passes": 1},
    "boosted": {"features": "local", "rounds": 1},
}


def doubled(heads, labels, single):
    """Pairs of a head and a single label that stands twice under it."""
    counts = Counter((h, name) for h, name in zip(heads, labels, strict=True) if h > 0 and name in single)
    return [pair for pair, count in counts.items() if count > 1]


def plainly_settled(single, scores, heads, labels):
    """The rule in plain Python."""
    labels = list(labels)
    for head in range(1, len(heads) + 1):
        children = [word for word, above in enumerate(heads) if above == head]
        count = Counter(labels[word] for word in children)

        def best_other(word, label, count=count):
            free = [c for c in range(len(single)) if c != label and not (single[c] and count[c])]
            free = [c for c in free if scores[word, c] > -np.inf]
            return max(free, key=lambda c: (scores[word, c], -c), default=None)

        def loss(word, label, best_other=best_other):
            other = best_other(word, label)
            return np.inf if other is None else scores[word, label] - scores[word, other]

        for first in children:
            label = labels[first]
            having = [word for word in children if labels[word] == label]
            if single[label] and count[label] > 1:
                keeper = max(having, key=lambda word: (loss(word, label), -word))
                for word in having:
                    if word != keeper and (other := best_other(word, label)) is not None:
                        labels[word] = other
                        count[other] += 1
                count[label] = 1
    return labels


def test_sentences_with_a_label_twice_are_those_that_have_one():
    random = np.random.default_rng(2)
    single = np.array([1, 0, 1], np.uint8)
    for _ in range(50):
        sizes = random.integers(0, 5, 6)
        heads = np.concatenate([random.integers(0, size + 1, size) for size in sizes]).astype(np.int32)
        labels = random.integers(0, 3, len(heads)).astype(np.int32)
        offsets = np.cumsum([0, *sizes], dtype=np.int32)
        spans = [slice(*offsets[s : s + 2]) for s in range(6)]
        expected = [s for s, span in enumerate(spans) if doubled(heads[span], labels[span], {0, 2})]
        assert kernel.doubled(single, heads, labels, offsets) == expected
    with pytest.raises(ValueError, match="has head 0 and label 3"):
        kernel.doubled(single, np.zeros(1, np.int32), np.full(1, 3, np.int32), np.array([0, 1], np.int32))


def test_settle_is_the_rule_for_all_small_trees():
    random = np.random.default_rng(1)
    for heads in product(range(4), repeat=3):
        for _ in range(40):
            single = random.integers(0, 2, 3).astype(np.uint8)
            scores = random.normal(size=(3, 3)).astype(np.float32)
            scores[random.random((3, 3)) < 0.2] = -np.inf
            labels = random.integers(0, 3, 3).astype(np.int32)
            found = labels.copy()
            settle(single, scores, np.array(heads, np.int32), found)
            assert found.tolist() == plainly_settled(single, scores, heads, labels)


def test_settle_changes_only_what_it_must_and_refuses_what_does_not_fit():
    scores = np.array([[3, 1], [2, 1]], np.float32)
    labels = np.zeros(2, np.int32)
    settle(np.array([1, 0], np.uint8), scores, np.array([0, 0], np.int32), labels)
    assert labels.tolist() == [0, 0]  # the root may have any
    labels = np.zeros(3, np.int32)
    settle(np.array([1, 0], np.uint8), np.vstack([scores, scores[:1]]), np.array([3, 3, 0], np.int32), labels)
    assert labels.tolist() == [0, 1, 0]
    for heads, wrong in (([9, 0], [0, 0]), ([0, 0], [7, 0]), ([-1, 0], [0, 0])):
        with pytest.raises(ValueError, match="word 1 has"):
            settle(np.ones(2, np.uint8), scores, np.array(heads, np.int32), np.array(wrong, np.int32))
    with pytest.raises(ValueError, match="do not fit"):
        settle(np.ones(3, np.uint8), scores, np.zeros(2, np.int32), np.zeros(2, np.int32))


def test_single_labels_of_a_treebank_are_those_that_are_counted_by_hand():
    treebank = list(generate(600))
    heads, double = Counter(), Counter()
    for sentence in treebank:
        counts = Counter((h, name) for h, name in zip(sentence.heads.tolist(), sentence.deprels, strict=True) if h)
        for (_, name), count in counts.items():
            heads[name] += 1
            double[name] += count > 1
    wanted = {name for name in heads if heads[name] >= FEWEST and double[name] < SHARE * heads[name]}
    assert wanted
    assert set(single_labels_in(batches_of(treebank))) == wanted


@pytest.fixture(scope="module", params=FAMILIES)
def parser(request):
    options = {"parser": request.param, **FAMILIES[request.param]}
    parser = headway.train(generate(40), **options)
    # All labels, so that much is doubled.
    stage = parser.stages[-1]
    names = stage.classes.labels if hasattr(stage, "classes") else stage.names
    return headway.Parser([replace(stage, single_labels=tuple(names))])


@pytest.fixture(scope="module")
def new():
    return list(generate(60, seed=2))


def without_rule(parser):
    return headway.Parser([replace(parser.stages[-1], single_labels=())])


def test_no_family_doubles_a_single_label_and_heads_stay(parser, new):
    single = set(parser.stages[-1].single_labels)
    before = list(without_rule(parser).parse(new))
    after = list(parser.parse(new))
    assert any(doubled(s.heads.tolist(), s.deprels, single) for s in before)
    assert not any(doubled(s.heads.tolist(), s.deprels, single) for s in after)
    for one, other in zip(before, after, strict=True):
        assert one.heads.tolist() == other.heads.tolist()
        if not doubled(one.heads.tolist(), one.deprels, single):
            assert one == other


def test_rule_is_saved_and_read(parser, new, tmp_path):
    parser.save(tmp_path / "model")
    again = headway.load(tmp_path / "model")
    assert again.stages[-1].single_labels == parser.stages[-1].single_labels
    assert list(map(str, again.parse(new))) == list(map(str, parser.parse(new)))


def test_confidence_sees_the_same_trees(parser, new):
    calibrated = headway.calibrate(parser, generate(40, seed=5))
    sure = list(calibrated.parse(new, confidence=True))
    assert [s.deprels for s in sure] == [s.deprels for s in parser.parse(new)]


def test_given_labels_win(parser, new):
    sentence = next(s for s in new if len(s) > 6)
    number = next(i for i, head in enumerate(sentence.heads.tolist(), 1) if head == 0)
    two = [word for word in range(1, len(sentence) + 1) if word != number][:2]
    given = headway.Constraints(required=dict.fromkeys(two, number), labels=dict.fromkeys(two, "obj"))
    found = parser.parse_within(sentence, given)
    assert [found.deprels[word - 1] for word in two] == ["obj", "obj"]
    others = [w for w, head in enumerate(found.heads.tolist(), 1) if head == number and w not in two]
    assert all(found.deprels[word - 1] != "obj" for word in others)


def test_correction_that_doubles_a_label_is_learned(parser, new):
    learning = headway.Parser(parser.stages)
    sentence = next(s for s in new if doubled(s.heads.tolist(), s.deprels, set(parser.stages[-1].single_labels)))
    assert learning.update(sentence)
    assert learning.parse(sentence).deprels == sentence.deprels


def test_k_best_trees_double_nothing(new):
    graph = headway.train(generate(40), parser="graph", **FAMILIES["graph"])
    stage = replace(graph.stages[-1], single_labels=graph.stages[-1].labels)
    for found in headway.Parser([stage]).k_best(new[0], 5):
        assert not doubled(found.heads.tolist(), found.deprels, set(stage.labels))


@pytest.mark.parametrize("family", ["transition", "graph", "boosted"])
def test_off_has_no_rule_and_auto_that_of_the_treebank(family):
    treebank = list(generate(400))
    options = {"parser": family, **FAMILIES[family]}
    wanted = single_labels_in(batches_of(treebank))
    assert wanted
    assert headway.train(treebank, **options).stages[-1].single_labels == wanted
    assert headway.train(treebank, single_labels="off", **options).stages[-1].single_labels == ()
