"""Options in combinations that nobody chose: each trains and parses to trees, or is refused with one sentence."""

import pytest
from option_cases import drawn

from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.parsers.contracts import check_training
from headway.training.rows import row_from

COMBINATIONS = 27
LEARNED = [sentence for sentence in generate(40, seed=3, nonprojective=0.3) if len(sentence) <= 10]
JUDGED = [sentence for sentence in generate(20, seed=4, nonprojective=0.3) if len(sentence) <= 10]


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
