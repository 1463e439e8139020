"""Learning from single corrections: at once, privately, from parts of trees, with labels that are new."""

import numpy as np
import pytest

import headway
from headway import Constraints, HeadwayError, Sentence
from headway.data.sample import generate
from headway.kernels.weights.freezing import weights_of
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


def scores(slots, rows, classes, keys):
    """The scores of all classes from frozen weights of features by key."""
    return weights_of(slots, rows, classes, keys, np.arange(classes, dtype=np.int32)).sum(0)


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


def test_corrections_help_with_other_sentences():
    parser, test = headway.train(generate(30, seed=2), passes=2), list(generate(60, seed=11))
    before = right_arcs(parser, test)
    for gold in wrongly_parsed(parser):
        parser.update(gold)
    assert right_arcs(parser, test) > before + 0.05


def test_rows_take_room_for_the_classes_that_a_feature_knows():
    own = OwnWeights(np.zeros(8, np.uint64), np.zeros(1, np.uint32), 1000)
    for key in range(1, 1001):
        own.add(key, key % 1000, 1.0)
    _, rows = own
    assert len(rows) < 10_000


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


def test_own_weights_add_up():
    """Against a dictionary: weights that are added are found, others stay, also after the classes are renumbered.

    The keys are many times those of the model, so that the table of new ones grows several times; rows grow until some
    are dense, and those that were outgrown go when the classes are renumbered.
    """
    parser = headway.train(generate(10), passes=1, features="malt-14")
    weights, classes = parser.stages[-1].weights, len(parser.stages[-1].classes)
    own, chance = OwnWeights(*weights, classes), np.random.default_rng(1)
    known = chance.integers(1 << 63, size=20_000, dtype=np.uint64)
    expected = {key: np.zeros(classes) for key in known.tolist()}
    for key in known.tolist():
        for _ in range(1 if key % 32 else 16):
            which, value = int(chance.integers(classes)), float(np.float32(chance.normal()))
            own.add(key, which, value)
            expected[key][which] += value

    def assure_there(mapping):
        for key in known[::50].tolist():
            found = scores(*own, own.classes, np.array([key], np.uint64))
            np.testing.assert_allclose(found[mapping], expected[key], atol=1e-5)
            assert np.count_nonzero(found) == np.count_nonzero(expected[key])

    assert len(next(iter(own))) > 2 * len(known) > 4 * len(weights.slots)
    assure_there(np.arange(classes))
    mapping = np.sort(chance.choice(classes + 5, classes, replace=False)).astype(np.int32)
    few, own = own, own.renumbered(mapping, classes + 5)
    assure_there(mapping)
    assert len(tuple(own)[1]) < len(tuple(few)[1])
    copy = few.copied()
    copy.add(int(known[1]), 0, 1.0)
    own, mapping = few, np.arange(classes)
    assure_there(mapping)
    again = OwnWeights(*own, own.classes)
    again.add(int(known[0]), 0, 1.0)
    assert not np.array_equal(scores(*again, own.classes, known[:1]), scores(*own, own.classes, known[:1]))


def test_weights_that_lead_outside_are_refused():
    parser = headway.train(generate(20), passes=1, features="malt-14").stages[-1]
    slots, rows = (np.array(array) for array in parser.weights)
    taken, classes = int(np.flatnonzero(slots)[0]), len(parser.classes)
    for place in (0, len(rows), 0xFFFFFFFF):
        changed = slots.copy()
        changed[taken] = slots[taken] >> np.uint64(32) << np.uint64(32) | np.uint64(place)
        with pytest.raises(ValueError, match="leads to no row"):
            OwnWeights(changed, rows, classes)
    for at, number, what in ((0, 0xFFFFFFFF, "second table"), (1, 0xFFFE, "cut off"), (1, 0xFFFF0001, "not there")):
        changed = rows.copy()
        changed[at] = number
        with pytest.raises(ValueError, match=what):
            OwnWeights(slots, changed, classes)
    with pytest.raises(ValueError, match="no row of its own"):
        OwnWeights(np.full(64, slots[taken]), rows, classes)
    own = OwnWeights(slots[slots != 0], rows, classes)  # no slot is free
    own.add(7, 0, 1.0)
    assert scores(*own, classes, np.array([7], np.uint64))[0] == 1.0


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
