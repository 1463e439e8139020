"""Every value of every option, and combinations that nobody chose: each trains to trees or is refused in a sentence."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from option_cases import SEARCHED, SEARCHES, drawn, trainings

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.discovery.discover import discover
from headway.features.language import parse as parse_features
from headway.parsers.contracts import check_training

LONGEST = 10
"""Words of a sentence: what is tested here does not need long ones."""
LEARNED = [sentence for sentence in generate(40, seed=1, nonprojective=0.3) if len(sentence) <= LONGEST]
JUDGED = [sentence for sentence in generate(20, seed=2, nonprojective=0.3) if len(sentence) <= LONGEST]
COMBINATIONS = 27
REFUSED = ["boosted: label_learner = kernel-svm"]
"""Labels need a learner with weights of features."""


def is_trained(dev, given):
    """Whether options are good ones; the others must be refused with one sentence."""
    try:
        check_training(LEARNED, dev, **given)
    except HeadwayError as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) > 20
        return False
    return True


@pytest.mark.parametrize("name", trainings())
def test_each_value_of_an_option(name):
    given = trainings()[name]
    assert is_trained(JUDGED if given.get("keep") == "best" else None, given) == (name not in REFUSED)


def test_combinations():
    trained = [is_trained(JUDGED if judged else None, given) for given, judged in map(drawn, range(COMBINATIONS))]
    assert sum(trained) > COMBINATIONS / 2


@pytest.mark.parametrize("name", SEARCHES)
def test_searches(name, tmp_path):
    given, output = {**SEARCHED, **SEARCHES[name]}, tmp_path / "found.features"
    if "paper" in given:
        del given["race"]
    with ThreadPoolExecutor(1) as pool:
        dev = None if "folds" in given else JUDGED
        found = discover(LEARNED, engine=pool, output=output, dev=dev, **given)
    assert found and list(parse_features(output.read_text("utf-8")))
