"""What holds for the options of every learner."""

import json
import re
from dataclasses import FrozenInstanceError, asdict, fields, replace

import pytest

from headway.base.errors import HeadwayError
from headway.learners.online import CW, PA1
from headway.learners.registry import ONLINE, kind_of, learner, name_of, names

each_learner = pytest.mark.parametrize("name", names())
each_online = pytest.mark.parametrize("name", ONLINE.own)


@each_learner
def test_options_round_trip(name):
    chosen = learner(name)
    assert replace(chosen) == chosen
    assert hash(replace(chosen)) == hash(chosen)
    assert learner(name, **json.loads(json.dumps(asdict(chosen)))) == chosen
    assert eval(repr(chosen), {type(chosen).__name__: type(chosen)}) == chosen
    assert name_of(chosen) == name


@each_learner
def test_options_are_stored_and_nothing_else(name):
    chosen = learner(name)
    assert set(vars(chosen)) == {field.name for field in fields(chosen)}
    with pytest.raises(FrozenInstanceError):
        chosen.anything = 1


@each_learner
def test_an_unknown_option_lists_the_known_ones(name):
    with pytest.raises(HeadwayError, match=f"learner {name} has no option 'speed'; known are: ") as refusal:
        learner(name, speed=3)
    for field in fields(kind_of(name)):
        assert field.name in str(refusal.value)


def test_an_unknown_learner_lists_the_known_ones():
    with pytest.raises(HeadwayError, match="unknown learner 'mirror'; known are: ") as refusal:
        learner("mirror")
    for name in names():
        assert name in str(refusal.value)


@each_online
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "3", [], True], ids=repr)
def test_numbers_without_meaning_are_refused(name, value):
    for field in fields(kind_of(name)):
        if field.name != "average" and (field.name, value) != ("settle", 0):
            with pytest.raises(HeadwayError, match=re.escape(f"{field.name} = {value!r} ")) as refusal:
                learner(name, **{field.name: value})
            assert re.search(r"; give (a number|one)", str(refusal.value))


@each_online
def test_the_first_passes_are_left_out_of_the_average_where_there_are_enough_of_them(name):
    chosen = learner(name, passes=7, settle=2, average=True)
    assert [chosen.begins_average(number) for number in (1, 2, 3)] == [False, False, True]
    assert not learner(name, passes=4, settle=2, average=True).begins_average(3)
    assert not learner(name, passes=7, settle=2, average=False).begins_average(3)
    assert not learner(name, passes=7, settle=0, average=True).begins_average(1)


@each_online
def test_passes_are_whole_and_averaging_is_yes_or_no(name):
    with pytest.raises(HeadwayError, match=r"passes = 2\.5 .* is not a whole number"):
        learner(name, passes=2.5)
    for value in ("yes", 1, None):
        with pytest.raises(HeadwayError, match=r"average = .* is neither yes nor no"):
            learner(name, average=value)
    assert not learner(name, average=False).average


def test_the_numbers_that_rules_need():
    assert PA1(C=0.3).strength == 0.3
    assert CW(phi=0.7).strength == 0.7
    assert CW(eta=0.9).strength == pytest.approx(1.2815515655446004)
    assert learner("arow", r=2.0).strength == 2
    for eta in (0.5, 1, 0.2, "high"):
        why = "is not a number" if eta == "high" else "is out of range"
        with pytest.raises(HeadwayError, match=f"eta = {eta!r} of CW {why}; give a number above 0.5 to 1$"):
            CW(eta=eta)
