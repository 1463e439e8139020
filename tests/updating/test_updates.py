"""Learning from single corrections: at once, privately, from parts of trees, with labels that are new."""

import pickle

import numpy as np
import pytest
from packed_rows import content_of

import headway
from headway import Constraints, HeadwayError, Sentence
from headway.data.sample import generate
from headway.kernels.weights.packed import PackedWeights
from headway.kernels.weights.updating import OwnWeights

FOREST = {"learner": "sklearn:ensemble.RandomForestClassifier", "options": {"n_estimators": 2}}
KINDS = {
    "arc-eager": {"features": "zhang-nivre"},
    "two steps": {"system": "arc-standard", "two_step": True, "features": "malt-14"},
    "swap": {"system": "swap", "features": "malt-14"},
    "graph": {"parser": "graph", "features": "mst", "bits": 18, "label_bits": 16},
    "boosted": {"parser": "boosted", "rounds": 1},
    "votes": {"parser": "boosted", "rounds": 2, "boosting": "adaboost-m1", "keep": "vote", "dynamic": False},
    "siblings, joint": {"parser": "graph", "features": "mst-siblings", "labels": "joint", "bits": 18, "label_bits": 16},
}


def scores(weights, keys):
    """The scores of all classes that features have together."""
    return weights.of(keys, np.arange(weights.classes, dtype=np.int32)).sum(0)


@pytest.fixture(scope="module", params=KINDS)
def model(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.headway"
    how = KINDS[request.param]
    headway.train(generate(60, seed=2), **({} if "rounds" in how else {"passes": 2}), **how).save(path)
    return path


def wrongly_parsed(parser, seed=8, count=60):
    for gold in generate(count, seed=seed):
        found = parser.parse(gold)
        if found.heads.tolist() != gold.heads.tolist() or found.deprels != gold.deprels:
            yield gold


def is_right(parser, gold):
    found = parser.parse(gold)
    return found.heads.tolist() == gold.heads.tolist() and found.deprels == gold.deprels


def right_arcs(parser, test):
    """The share of words with the right head and label."""
    pairs = zip(test, parser.parse(test), strict=True)
    return np.mean(
        [(a.head, a.deprel) == (b.head, b.deprel) for gold, one in pairs for a, b in zip(gold, one, strict=True)]
    )


def test_a_corrected_sentence_is_parsed_right_at_once(model):
    parser = headway.load(model)
    outcomes = [(parser.update(gold), is_right(parser, gold)) for gold in list(wrongly_parsed(parser))[:20]]
    assert len(outcomes) > 5
    assert all(told == found for told, found in outcomes)
    assert np.mean([told for told, _ in outcomes]) >= 0.9


def test_other_parsers_from_the_file_do_not_change(model):
    parser, other = headway.load(model), headway.load(model)
    before = model.read_bytes()
    test = list(generate(20, seed=9))
    expected = [sentence.heads.tolist() for sentence in other.parse(test)]
    stage = parser.stages[-1]
    for gold in list(wrongly_parsed(parser))[:3]:
        assert not is_right(other, gold)
        parser.update(gold)
    assert [sentence.heads.tolist() for sentence in other.parse(test)] == expected
    assert parser.stages[-1] is not stage
    assert model.read_bytes() == before


def test_what_was_learned_is_saved(model, tmp_path):
    parser = headway.load(model)
    gold = next(wrongly_parsed(parser))
    assert parser.update(gold)
    parser.save(tmp_path / "learned.headway")
    assert is_right(headway.load(tmp_path / "learned.headway"), gold)


def test_a_part_of_a_tree_is_enough(model):
    parser = headway.load(model)
    for gold in list(wrongly_parsed(parser))[:5]:
        found = parser.parse(gold)
        wrong = [w for w, (a, b) in enumerate(zip(found.heads, gold.heads, strict=True), 1) if a != b][:1]
        if not wrong:
            continue
        given = Constraints(required={word: int(gold.heads[word - 1]) for word in wrong})
        if parser.update(gold, given):
            assert int(parser.parse(gold).heads[wrong[0] - 1]) == int(gold.heads[wrong[0] - 1])


def test_new_labels_and_tags_are_admitted(model):
    parser = headway.load(model)
    gold = Sentence(
        ["Zyx", "bark", "loudly"],
        lemmas=["zyx", "bark", "loudly"],
        upos=["NEW", "VERB", "ADV"],
        xpos=["NEW", "VBP", "RB"],
        heads=[2, 0, 2],
        deprels=["brand:new", "root", "advmod"],
    )
    before = [sentence.heads.tolist() for sentence in parser.parse(generate(10, seed=3))]
    assert parser.update(gold)
    assert parser.parse(gold).deprels[0] == "brand:new"
    after = [sentence.heads.tolist() for sentence in parser.parse(generate(10, seed=3))]
    same = np.mean([one == other for one, other in zip(before, after, strict=True)])
    assert same >= 0.6


def test_what_is_right_changes_nothing(model):
    parser = headway.load(model)
    stage = parser.stages[-1]
    right = next(gold for gold in generate(60, seed=2) if is_right(parser, gold))
    assert parser.update(right)
    assert parser.stages[-1] is stage


def test_old_sentences_are_not_lost(model):
    parser, test = headway.load(model), list(generate(60, seed=11))
    before = right_arcs(parser, test)
    for gold in list(wrongly_parsed(parser))[:15]:
        parser.update(gold)
    assert right_arcs(parser, test) > before - 0.03


def test_what_cannot_learn_says_so():
    gold = next(iter(generate(1)))
    boosted = headway.train(generate(20), parser="boosted", rounds=1, dynamic=False, **FOREST)
    with pytest.raises(HeadwayError, match="no weights of single features"):
        boosted.update(gold)
    machine = headway.train(generate(20), learner="kernel-svm", features="malt-14")
    with pytest.raises(HeadwayError, match="does not learn from single corrections"):
        machine.update(gold)
    parser = headway.train(generate(20), passes=1, features="malt-14")
    with pytest.raises(HeadwayError, match="there is nothing to learn"):
        parser.update(gold.replace(heads=None, deprels=None))
    with pytest.raises(HeadwayError, match="one sentence at a time"):
        parser.update([gold])


@pytest.mark.parametrize("exact", [True, False])
def test_own_weights_add_up(exact):
    """Against a dictionary: weights that are added are found, others stay, also with more classes and in copies.

    The keys are many times those of the model, so that memory grows several times.
    """
    parser = headway.train(generate(10), passes=1, features="malt-14", exact=exact)
    before, chance = parser.stages[-1].weights, np.random.default_rng(1)
    own, classes = OwnWeights.of_others(before), before.classes
    known = chance.integers(1 << 63, size=5_000, dtype=np.uint64)
    expected = {key: scores(own, np.array([key], np.uint64)) for key in known.tolist()}
    for key in known.tolist():
        for _ in range(2):
            which, value = int(chance.integers(classes)), float(np.float32(chance.normal()))
            own.add(key, which, value)
            expected[key][which] += value

    def assure_there(own, mapping):
        for key in known[::50].tolist():
            found = scores(own, np.array([key], np.uint64))
            np.testing.assert_allclose(found[mapping], expected[key], atol=1e-5)
            assert np.count_nonzero(found) == np.count_nonzero(expected[key])

    assure_there(own, np.arange(classes))
    mapping = np.sort(chance.choice(classes + 5, classes, replace=False)).astype(np.int32)
    assure_there(own.with_classes(mapping, classes + 5), mapping)
    more = np.arange(classes + 5, dtype=np.int32)[::-1].copy()
    assure_there(own.with_classes(mapping, classes + 5).with_classes(more, classes + 5), more[mapping])
    copy = pickle.loads(pickle.dumps(own)).copied()
    assure_there(copy, np.arange(classes))
    copy.add(int(known[0]), 0, 1.0)
    assert not np.array_equal(scores(copy, known[:1]), scores(own, known[:1]))
    assert not np.array_equal(scores(own, known[:1]), scores(before, known[:1]))


def test_a_row_that_is_touched_is_unpacked():
    how = {"passes": 2, "features": "malt-14"}
    known = content_of(headway.train(generate(40), exact=True, **how).stages[-1].weights)[0]
    weights = headway.train(generate(40), size="full", **how).stages[-1].weights
    own, moved = OwnWeights.of_others(weights), 0
    for key in known[:200, None]:
        row = scores(weights, key)
        if row.any():
            own.add(int(key[0]), 1, 0.5)
            row[1] += 0.5
            np.testing.assert_allclose(scores(own, key), row, rtol=1e-6)
            moved += 1
    assert moved > 5


def test_weights_that_do_not_fit_are_refused():
    arrays = headway.train(generate(20), passes=1, features="malt-14").stages[-1].weights.arrays()
    classes, keys = 6, np.arange(2, dtype=np.uint64)
    sparse = np.array([1 | 5 << 16, 0x3F800000], np.uint32)  # one weight, of class 5
    for wrong, what in (
        ({"lines": arrays["lines"][:-1]}, "lines of 64"),
        ({"lines": arrays["lines"][:0]}, "lines of 64"),
        ({"scale": np.ones(2, np.float32)}, "scale"),
        ({"scale": np.full(1, np.nan, np.float32)}, "scale"),
        ({"renumbered": np.full(classes, classes, np.int32)}, "new classes"),
        ({"renumbered": np.full(3, -1, np.int32)}, "new classes"),
        ({"learned_keys": keys[:1]}, "has no row"),
        ({"learned_keys": keys, "learned_rows": sparse}, "has no row"),
        ({"learned_keys": keys[:1], "learned_rows": np.full(6, 0xFFFF, np.uint32)}, "cut off"),
        ({"learned_keys": keys[:1], "learned_rows": sparse[:1]}, "cut off"),
        ({"learned_keys": keys[:1], "learned_rows": sparse + np.uint32(1 << 16)}, "not there"),
        ({"learned_keys": keys[:1], "learned_rows": np.tile(sparse, 2)}, "belong to no feature"),
        ({"learned_keys": keys * np.uint64(0), "learned_rows": np.tile(sparse, 2)}, "stands twice"),
    ):
        with pytest.raises(ValueError, match=what):
            PackedWeights({**arrays, **wrong}, classes)


@pytest.mark.parametrize("label", ["a\tb", "a b", "", " ", "a\0", "a\nb", "\ud800", "_", 3, None])
def test_labels_that_no_file_can_hold_are_refused(model, label):
    parser = headway.load(model)
    with pytest.raises(HeadwayError, match=r"the label of word 1 is .*; give a string"):
        parser.update(next(iter(generate(1))), Constraints(labels={1: label}))


def test_forbidden_arcs_and_spans_are_learned(model):
    parser, learned = headway.load(model), 0
    for gold in generate(20, seed=12):
        found = parser.parse(gold)
        word = 1 + int(np.flatnonzero(found.heads.astype(int))[0])
        arc = (int(found.heads[word - 1]), word)
        told = parser.update(gold, Constraints(forbidden=[arc]))
        assert told == (int(parser.parse(gold).heads[word - 1]) != arc[0])
        learned += told
    assert learned >= 15
    whole = {word: int(head) for word, head in enumerate(gold.heads, 1)}
    labels = dict(enumerate(gold.deprels, 1))
    with pytest.raises(HeadwayError):
        parser.update(gold, Constraints(required=whole, labels=labels, forbidden=[(whole[word], word)]))


def test_sentences_that_are_parsed_in_windows_are_refused(model):
    parser = headway.load(model)
    long = Sentence(
        ["dog"] * 30_000, xpos=["NN"] * 30_000, heads=[0] + [1] * 29_999, deprels=["root"] + ["dep"] * 29_999
    )
    with pytest.raises(HeadwayError, match="the sentence has 30,000 words; at most 20,000 are possible"):
        parser.update(long)
