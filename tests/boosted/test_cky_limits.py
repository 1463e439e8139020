"""What decoders of links with states are given and refuse, what they leave out, and that they run side by side."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from linked_trees import Problem, batch, problem

from headway.base.errors import HeadwayError
from headway.kernels.boosted import linking as kernel
from headway.parsers.boosted.decoder import Logits, decode
from headway.parsers.boosted.registry import FORMS

FORM = pytest.mark.parametrize("form", FORMS)


def static_only(made):
    return Problem(made.n, made.static)


@FORM
@pytest.mark.parametrize("share", [1, 0.1])
def test_first_children_are_left_out_where_they_take_too_much(form, share):
    """With 70 words of which all, or a tenth, show their first child, it would take more than allowed."""
    made = problem(np.random.default_rng(0), 70, counts=5, tags=5, share=share)
    found = decode(made.logits(), form=form)
    made.first_rows = made.values = made.first = None
    expected = decode(made.logits(), form=form)
    assert found.heads.tolist() == expected.heads.tolist()
    assert (found.reduced, expected.reduced) == (1, 0)


@FORM
def test_states_are_left_out_where_they_take_too_much_memory(form):
    n = 140
    made = problem(np.random.default_rng(0), n, tables="states", counts=n, tags=n, own_rows=False)
    made.tags = np.arange(1, n + 1, dtype=np.int32)
    found = decode(made.logits(), form=form)
    assert found.heads.tolist() == decode(static_only(made).logits(), form=form).heads.tolist()
    assert found.reduced == 1


@FORM
def test_states_are_left_out_of_the_longest_sentences(form):
    made = problem(np.random.default_rng(0), kernel.LONGEST + 1, tables="states", counts=2, tags=1, own_rows=False)
    found = decode(made.logits(), form=form)
    assert found.heads.tolist() == decode(static_only(made).logits()).heads.tolist()
    assert found.reduced == 1
    assert decode(static_only(made).logits(), form=form).reduced == 0


def test_spans_give_way_where_nothing_can_be_excluded():
    """All trees are equally good, so that every span is in a best one."""
    n = 60
    made = problem(np.random.default_rng(0), n, tables="states", counts=4, tags=6)
    made.static[:] = made.states[:] = 0
    for form in FORMS:
        found = decode(made.logits(), form=form)
        assert found.totals[0] == pytest.approx(-n * np.log(3))
        assert (found.reduced, found.gave_way) == (0, form == "cky")


def test_spans_need_not_give_way_where_much_can_be_excluded():
    """All spans of so many words in all states would be more than allowed."""
    rng = np.random.default_rng(0)
    for tables, words in (("static", 60), ("states", 30), ("both", 25)):
        found = decode(problem(rng, words, "random", tables, counts=4, tags=6, share=0.1).logits(), form="cky")
        assert found.gave_way == 0


@FORM
def test_the_same_each_time_and_in_many_threads(form):
    rng = np.random.default_rng(4)
    logits = [problem(rng, n, "ties", share=0.2).logits() for n in (2, 9, 14, 5, 20, 1)] * 3
    expected = [decode(each, form=form).heads.tolist() for each in logits]
    with ThreadPoolExecutor(4) as pool:
        assert [found.heads.tolist() for found in pool.map(lambda each: decode(each, form=form), logits)] == expected


def test_logits_stay_as_they_are_and_may_be_of_any_kind():
    made = problem(np.random.default_rng(0), 6)
    logits = made.logits()
    copies = {name: getattr(logits, name).copy() for name in ("static", "states", "first", "rows", "tags", "values")}
    for name in copies:
        getattr(logits, name).flags.writeable = False
    for form in FORMS:
        expected = decode(logits, form=form).heads.tolist()
        made.states, made.first = np.asfortranarray(made.states), made.first[::-1].copy()[::-1]
        made.tags, made.rows = made.tags.astype(np.int64), np.repeat(made.rows, 2)[::2]
        assert decode(batch([made]), form=form).heads.tolist() == expected
    for name, copy in copies.items():
        np.testing.assert_array_equal(getattr(logits, name), copy)


def test_no_sentences_and_no_words():
    for form in FORMS:
        found = decode(Logits(np.zeros(1, np.int32), np.zeros((0, 3))), form=form)
        assert (found.heads.tolist(), found.totals.tolist()) == ([], [])
        found = decode(Logits(np.zeros(2, np.int32), np.zeros((1, 3))), form=form)
        assert (found.heads.tolist(), found.totals.tolist()) == ([], [0.0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offsets": [1, 3]}, "do not rise from 0"),
        ({"offsets": [0, 3, 2]}, "do not rise from 0"),
        ({"offsets": [0, 4]}, r"shape \(16, 3\); these sentences ask for \(25, 3\)"),
        ({"static": np.zeros((16, 4))}, r"shape \(16, 4\)"),
        ({"static": np.zeros(48)}, "'static' has 1 dimensions; give 2"),
        ({"rows": np.full(16, 16)}, "'rows' goes from 16 to 16; the logits go from -1 to 15"),
        ({"rows": np.full(16, -2)}, "'rows' goes from -2 to -2"),
        ({"rows": np.zeros(9)}, "'rows' has 9 numbers; these sentences ask for 16"),
        ({"tags": [0, 1, 1]}, "'tags' goes from 0 to 1; the logits go from 1 to 3"),
        ({"tags": [1, 4, 1]}, "'tags' goes from 1 to 4"),
        ({"tags": None}, "'tags' has 0 numbers; these sentences ask for 3"),
        ({"states": None}, "'rows' goes from 0 to 15; the logits go from -1 to -1"),
        ({"states": np.full((16, 3, 4, 3), np.inf)}, "hold \\+inf or NaN"),
        ({"states": np.full((16, 3, 4, 3), np.nan)}, "hold \\+inf or NaN"),
        ({"states": np.zeros((16, 3, 4, 2))}, "not of three classes"),
        ({"states": np.zeros((16, 0, 4, 3))}, "not of three classes"),
        ({"first_rows": np.full(16, 16)}, "'first_rows' goes from 16 to 16"),
        ({"values": [1, 2, 4]}, "'values' goes from 1 to 4"),
        ({"first": np.full((16, 4, 3), np.nan)}, "'first'.* hold \\+inf or NaN"),
    ],
)
def test_what_is_refused(changes, message):
    made = problem(np.random.default_rng(0), 3, tags=3)
    fields = {"offsets": [0, 3], **{name: value for name, value in vars(made).items() if name != "n"}}
    Logits(**fields)
    with pytest.raises(HeadwayError, match=message):
        Logits(**{**fields, **changes})


@pytest.mark.parametrize(("value", "none"), [(np.nan, False), (np.inf, False), (-np.inf, True)])
def test_logits_of_pairs_that_are_refused(value, none):
    made = problem(np.random.default_rng(0), 3)
    made.static[2] = value
    with pytest.raises(HeadwayError, match="the logits of pair 2 are"):
        decode(made.logits(), none=none)


def test_an_unknown_form():
    with pytest.raises(HeadwayError, match="unknown form 'earley'; known are: cky, split-head"):
        decode(problem(np.random.default_rng(0), 1).logits(), form="earley")
