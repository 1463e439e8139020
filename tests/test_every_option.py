"""Every option of every family is visited by a recipe, a contract test or an enumeration."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from option_cases import (
    BESIDE,
    ELSEWHERE,
    REFUSED,
    by_cases,
    by_recipes_and_families,
    searches,
    training_for,
    trainings,
    without_files,
)
from option_corners import corners, of_training

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.discovery.discover import discover
from headway.features.language import parse as parse_features
from headway.parsers.contracts import check_training

LONGEST = 10
"""Words of a sentence: what is tested here does not need long ones."""
LEARNED = [sentence for sentence in generate(40, seed=1, nonprojective=0.3) if len(sentence) <= LONGEST]
JUDGED = [sentence for sentence in generate(20, seed=2, nonprojective=0.3) if len(sentence) <= LONGEST]
KNOWN = by_recipes_and_families()
TRAININGS = trainings(KNOWN)


def test_nobody_is_left_unvisited():
    visits = KNOWN | by_cases(TRAININGS.values())
    missing = [str(corner) for corner in corners() if corner not in visits]
    assert not missing, "no recipe, contract test or enumeration visits\n" + "\n".join(missing)


def test_what_is_visited_elsewhere_is_there():
    assert all((Path(__file__).parents[1] / place).is_file() for place in ELSEWHERE.values())


def test_a_corner_that_nobody_visits_is_noticed():
    """Without the trainings of this file some corners are missing, each of them only by its own training."""
    alone = [corner for corner in corners() if str(corner) in TRAININGS]
    assert alone and not set(alone) & KNOWN
    name = str(alone[0])
    assert alone[0] in of_training(without_files(TRAININGS[name]))
    assert alone[0] not in by_cases(given for other, given in TRAININGS.items() if other != name)


@pytest.mark.parametrize("name", TRAININGS)
def test_trainings(name, tmp_path):
    given = TRAININGS[name]
    beside = {"dev": JUDGED, "output": tmp_path / "model"}
    check_training(LEARNED, **without_files(given), **{one: beside[one] for one in BESIDE if one in given})


@pytest.mark.parametrize("corner", REFUSED, ids=str)
def test_refusals(corner):
    with pytest.raises(HeadwayError, match=REFUSED[corner]) as refusal:
        check_training(LEARNED, **without_files(training_for(corner)))
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("name", searches())
def test_searches(name, tmp_path):
    given, output = searches()[name], tmp_path / "found.features"
    with ThreadPoolExecutor(1) as pool:
        dev = None if "folds" in given else JUDGED
        found = discover(LEARNED, engine=pool, output=output, dev=dev, **given)
    assert found and list(parse_features(output.read_text("utf-8")))
