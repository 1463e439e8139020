"""Which features cause errors: added up decision by decision, and the sentences that taught them."""

from collections import Counter

import numpy as np
import pytest

import headway
from headway import HeadwayError
from headway.data import batches_of
from headway.explanation.errors import ask_teachers, error_report
from headway.sample import generate

KINDS = [{"features": "malt-14"}, {"system": "swap", "two_step": True}, {"parser": "graph", "features": "mst"}]


@pytest.fixture(scope="module", params=KINDS, ids=str)
def parser(request):
    return headway.train(generate(40, seed=2), passes=1, **request.param)


def test_harm_is_the_sum_over_wrong_decisions(parser):
    gold = list(generate(20, seed=8))
    report = error_report(parser.stages, gold)
    assert report.sentences == 20
    wrong = [d for sentence in gold for d in parser.stages[-1].blame(sentence.batch.alone(sentence.index))]
    assert report.decisions == len(wrong) > 5
    summed = Counter()
    for decision in wrong:
        assert decision.given.sum() == pytest.approx(decision.score, abs=1e-3)
        assert decision.against.sum() == pytest.approx(decision.rival_score, abs=1e-3)
        for reason in decision.reasons():
            summed[reason.feature + (" (label)" if decision.kind == "label" else "")] += reason.difference
    assert report.features[0].harm == pytest.approx(max(summed.values()))
    for entry in report.features:
        assert entry.harm == pytest.approx(summed[entry.feature], abs=1e-6)


def test_a_parser_that_is_right_has_no_harmful_features(parser):
    sentences = [parser.parse(sentence) for sentence in generate(10, seed=8)]
    sentences = [s.replace(heads=s.heads.tolist(), deprels=s.deprels) for s in sentences]
    assert error_report(parser.stages, sentences).decisions <= 2  # arcs that only a lifted tree has


def test_teachers_have_the_feature():
    parser = headway.train(generate(40, seed=2), passes=1, features="malt-14")
    report = error_report(parser.stages, generate(20, seed=8))
    treebank = list(generate(40, seed=2))
    ask_teachers(parser.stages, report, list(batches_of(treebank)), 10)
    simple = [one for one in report.features[:10] if one.feature.startswith("XPOS(STACK0)=")]
    for entry in simple:
        tag = entry.feature.partition("=")[2]
        having = {at for at, sentence in enumerate(treebank) if tag in sentence.xpos}
        assert set(entry.teachers) == having
    told = [entry for entry in report.features[:10] if entry.teachers]
    assert told
    assert not any(entry.teachers for entry in report.features[10:])
    assert np.all([count > 0 for entry in told for count in entry.teachers.values()])


def test_boosted_parsers_do_not_tell():
    parser = headway.train(generate(20), parser="boosted", rounds=1)
    with pytest.raises(HeadwayError, match="does not tell wrong decisions"):
        error_report(parser.stages, generate(2))


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
    assert run("explain", model, tmp_path / "gold.conllu", "--treebank", "x").exit_code == 2
