"""Options in combinations that nobody chose: each trains and parses to trees, or is refused with one sentence."""

import random

import pytest
from option_cases import BASE, said
from option_corners import learners_of

from headway.contracts import check_training
from headway.errors import HeadwayError
from headway.families import FAMILIES
from headway.learn import row_from
from headway.learners.online import Online
from headway.learners.registry import LearnerKind, kind_of
from headway.option_kinds import Choice, Pairs, YesNo
from headway.options import kinds
from headway.sample import generate

COMBINATIONS = 27
SHARE = 0.4
"""How often an option is said."""
LEFT_ALONE = ("passes", "bits", "label_bits", "threads", "rounds")
"""Options that only make a training longer."""
LEARNED = [sentence for sentence in generate(40, seed=3, nonprojective=0.3) if len(sentence) <= 10]
JUDGED = [sentence for sentence in generate(20, seed=4, nonprojective=0.3) if len(sentence) <= 10]


def drawn(number):
    """Options of `headway.train`, each said or not by chance, and whether there is a development treebank."""
    chance = random.Random(number)
    family = list(FAMILIES.own)[number % len(FAMILIES.own)]
    given = {"parser": family, **BASE[family]}
    for option, kind in kinds(FAMILIES[family]).items():
        if option not in LEFT_ALONE and not isinstance(kind, Pairs) and chance.random() < SHARE:
            given[option] = value(chance, family, option, kind)
    learner = given.get("learner")
    if isinstance(learner, str) and learner in learners_of(family):
        options = {name: one for name, one in kinds(kind_of(learner)).items() if name != "passes"}
        chosen = [name for name in options if chance.random() < SHARE]
        given["options"] = {name: value(chance, learner, name, options[name]) for name in chosen}
        if kind_of(learner).way != Online.way:
            given.pop("passes", None)
    return given, chance.random() < 0.5


def value(chance, owner, option, kind):
    if isinstance(kind, YesNo):
        return chance.random() < 0.5
    if isinstance(kind, LearnerKind):
        return chance.choice(learners_of(owner))
    if isinstance(kind, Choice):
        return chance.choice(list(kind.names))
    return said(owner, option)


@pytest.mark.parametrize("number", range(COMBINATIONS))
def test_a_combination_trains_or_is_refused(number):
    given, judged = drawn(number)
    try:
        check_training(LEARNED, JUDGED if judged else None, **given)
    except HeadwayError as refusal:
        assert len(str(refusal).splitlines()) == 1 and len(str(refusal)) > 20


def test_most_combinations_are_good_ones():
    trained = [number for number in range(COMBINATIONS) if refusal_of(drawn(number)[0]) is None]
    assert len(trained) > COMBINATIONS / 2


def refusal_of(given):
    """The sentence that refuses options before anything is read, or None."""
    try:
        row_from(None, given)
    except HeadwayError as refusal:
        return str(refusal)
    return None
