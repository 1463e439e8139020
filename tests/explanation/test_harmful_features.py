"""Which features cause errors: added up decision by decision, and the sentences that taught them."""

from collections import Counter

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.stages.explanation.wrong_decisions import error_report

KINDS = [
    {"features": "malt-14", "passes": 1, "size": "full"},
    {"system": "swap", "two_step": True, "passes": 1, "size": "full"},
    {"parser": "graph", "features": "mst", "passes": 1},
    {"parser": "boosted", "rounds": 1},
    {"parser": "boosted", "rounds": 2, "boosting": "adaboost-m1", "keep": "vote"},
]


@pytest.fixture(scope="module", params=KINDS, ids=str)
def parser(request):
    return headway.train(generate(40, seed=2), **request.param)


def test_harm_is_the_sum_over_wrong_decisions(parser):
    gold = list(generate(20, seed=8))
    report = error_report(parser.stages, gold)
    assert report.sentences == 20
    wrong = [d for sentence in gold for d in parser.stages[-1].wrong_decisions(sentence.batch.alone(sentence.index))]
    assert report.decisions == len(wrong) > 5
    summed = Counter()
    for decision in wrong:
        assert decision.given.sum() == pytest.approx(decision.score, abs=1e-4)
        assert decision.against.sum() == pytest.approx(decision.rival_score, abs=1e-4)
        for reason in decision.features():
            summed[reason.feature + (" (label)" if decision.kind == "label" else "")] += reason.difference
    harms = sum(group.harm for group in report.groups)
    assert harms >= sum(float((one.given - one.against).sum()) for one in wrong) - 1e-6  # less those that helped
    assert report.examples.total() == report.decisions
    assert len({entry.feature for entry in report.features}) == len(report.features)
    assert report.features[0].harm == pytest.approx(max(summed.values()))
    for entry in report.features:
        assert entry.harm == pytest.approx(summed[entry.feature], abs=1e-6)


def test_a_parser_that_is_right_has_no_harmful_features(parser):
    sentences = [parser.parse(sentence) for sentence in generate(10, seed=8)]
    sentences = [s.replace(heads=s.heads.tolist(), deprels=s.deprels) for s in sentences]
    assert error_report(parser.stages, sentences).decisions <= 2  # arcs that only a lifted tree has


def test_teachers_have_the_feature():
    parser = headway.train(generate(40, seed=2), passes=1, features="malt-14")
    treebank = list(generate(40, seed=2))
    report = error_report(parser.stages, generate(20, seed=8), list(batches_of(treebank)), 10)
    simple = [one for one in report.features[:10] if one.feature.startswith("XPOS(STACK0)=")]
    for entry in simple:
        tag = entry.feature.partition("=")[2]
        having = {at for at, sentence in enumerate(treebank) if tag in sentence.xpos}
        assert set(entry.training_sentences_with) == having
    told = [entry for entry in report.features[:10] if entry.training_sentences_with]
    assert told
    asked = [*report.features[:10], *(group.worst for group in report.groups[:10])]
    assert all(entry in asked for entry in report.features if entry.training_sentences_with)
    assert np.all([count > 0 for entry in told for count in entry.training_sentences_with.values()])


def test_teachers_of_features_of_labels_have_the_label():
    treebank = list(generate(40, seed=2, nonprojective=0))
    parser = headway.train(treebank, passes=1, features="malt-14")
    stage, ids = parser.stages[-1], {}
    for sentence in treebank:
        for decision in parser.explain(sentence).decisions:
            for at in range(len(decision.given)):
                ids[decision.name(at)] = int(decision.ids[at])
    asked = {name: key for name, key in ids.items() if name.startswith("DEP(STACK0 lc)=")}
    counts = stage.training_sentences_with(list(batches_of(treebank)), np.array([*asked.values()], np.uint64))
    for name, key in asked.items():
        label = name.partition("=")[2]
        having = {at for at, one in enumerate(treebank) if label in one.deprels}
        assert label == "–" or {*counts[key]} <= having
    assert any(counts[key] for name, key in asked.items() if not name.endswith("–"))


def test_teachers_of_links_and_labels():
    """Against the words of the training sentences, counted one by one."""
    treebank = list(generate(40, seed=2, nonprojective=0))
    parser = headway.train(treebank, parser="boosted", rounds=1, partitioned=False)
    report = error_report(parser.stages, generate(30, seed=8), list(batches_of(treebank)))
    checked = 0
    for entry in report.features:
        name, _, tag = entry.feature.partition("=")
        if name in ("XPOS(FIRST)", "XPOS(SECOND)") and " " not in tag:
            which = min if name == "XPOS(FIRST)" else max
            links = Counter(
                at
                for at, one in enumerate(treebank)
                for word, head in enumerate(one.heads.tolist(), 1)
                if which(word, head) and one.xpos[which(word, head) - 1] == tag
            )
            assert entry.training_sentences_with == links
            checked += 1
    assert checked


def test_wrong_links_and_labels_are_those_of_the_tree():
    """Each wrong head, and each wrong label of a right head, is blamed once; the right choice is the runner-up."""
    parser = headway.train(generate(40, seed=2, nonprojective=0), parser="boosted", rounds=1)
    for gold in generate(20, seed=8, nonprojective=0):
        found = parser.parse(gold)
        blamed = {(d.kind, d.word): d for d in parser.stages[-1].wrong_decisions(gold.batch.alone(gold.index))}
        expected = set()
        for word, (one, other) in enumerate(zip(found, gold, strict=True), 1):
            if one.head != other.head:
                expected.add(("head", word))
            elif one.deprel != other.deprel and other.deprel in parser.stages[-1].names:
                expected.add(("label", word))
                assert blamed["label", word].over == f"label {other.deprel}"
        assert set(blamed) == expected


def test_the_command_lists_features_and_teachers(tmp_path, run):
    headway.write(generate(40, seed=2), tmp_path / "train.conllu")
    headway.write(generate(20, seed=8), tmp_path / "gold.conllu")
    model = tmp_path / "model.headway"
    headway.train(generate(40, seed=2), passes=1, features="malt-14").save(model)
    done = run(
        "explain", model, tmp_path / "gold.conllu", "--errors", "--treebank", tmp_path / "train.conllu", "--top", 2
    )
    assert done.exit_code == 0
    assert "wrong decisions in 20 sentences" in done.stdout
    assert done.stdout.count("training sentences") == 2
    assert "STACK0" in done.stdout and "what it looked at" in done.stdout
    done = run("explain", model, tmp_path / "gold.conllu", "--errors", "--features", "--top", 40)
    rows = done.stdout.split("\nfeature")[1]
    assert rows.count("(STACK0 ld)=–") <= 1 and rows.count("nothing at STACK0 ld ") <= 1
    assert run("explain", model, tmp_path / "gold.conllu", "--treebank", "x").exit_code == 2
