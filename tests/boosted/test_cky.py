"""Decoders of links with states against the enumeration of all projective trees, against each other and Eisner's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linked_trees import KINDS, TABLES, Problem, batch, link_total, log_softmax, problem
from scored_trees import chain, inwards, trees_of

from headway.base.errors import HeadwayError
from headway.data.trees import is_projective
from headway.parsers.boosted.decoder import LEFT, RIGHT, decode
from headway.parsers.boosted.registry import FORMS
from headway.parsers.graph.decoders import eisner

FORM = pytest.mark.parametrize("form", FORMS)
ROOTS = pytest.mark.parametrize("single_root", [False, True], ids=["several roots", "single root"])


def check(made, *, single_root, none=False):
    """The tree of either form is one of all, has the score that is returned, and none is better."""
    trees = trees_of(made.n, projective=True, single=single_root).tolist()
    best = max(link_total(made, heads, none=none) for heads in trees)
    for form in FORMS:
        if best == -np.inf:
            with pytest.raises(HeadwayError, match="every projective tree of sentence 0 holds something forbidden"):
                decode(made.logits(), form=form, single_root=single_root, none=none)
            continue
        found = decode(made.logits(), form=form, single_root=single_root, none=none)
        assert found.heads.tolist() in trees
        assert found.totals[0] == pytest.approx(best)
        assert link_total(made, found.heads.tolist(), none=none) == pytest.approx(best)
        assert found.reduced == 0


@ROOTS
@pytest.mark.parametrize("tables", TABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_trees(kind, tables, single_root):
    for n, count in zip(range(1, 6), (3, 8, 8, 5, 1), strict=True):
        rng = np.random.default_rng(n)
        for number in range(count):
            counts, tags = rng.integers(1, 5), rng.integers(1, 4)
            made = problem(rng, n, kind, tables, counts=counts, tags=tags, own_rows=number % 3 > 0)
            check(made, single_root=single_root, none=number % 2 == 1 and "forbidden" not in kind)


@ROOTS
@pytest.mark.parametrize(("kind", "share"), [("random", 0.4), ("ties", 1)])
def test_the_best_of_all_trees_of_six_words(kind, share, single_root):
    check(problem(np.random.default_rng(6), 6, kind, "both", share=share), single_root=single_root)


@ROOTS
@pytest.mark.parametrize("clearness", [2, 5, 10])
def test_the_best_of_all_trees_where_few_are_probable(clearness, single_root):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        made, trees = problem(rng, 5, share=0.2 * (seed % 2)), trees_of(5, projective=True, single=True).tolist()
        for heads in rng.choice(trees, 2, replace=False).tolist():
            for child, head in enumerate(heads, 1):
                made.static[min(head, child) * 6 + max(head, child), RIGHT if head < child else LEFT] += clearness
        check(made, single_root=single_root)


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(0, 1000), st.integers(1, 5), st.integers(1, 5), st.booleans(), st.booleans())
def test_whatever_the_logits(n, seed, counts, tags, single_root, none):
    made = problem(np.random.default_rng(seed), n, "random", counts=counts, tags=tags, share=0.7)
    check(made, single_root=single_root, none=none)


@ROOTS
@pytest.mark.parametrize("tables", TABLES)
@pytest.mark.parametrize("kind", ["random", "extreme", "ties"])
def test_both_forms_find_the_same_score(kind, tables, single_root):
    rng = np.random.default_rng(0)
    for n in (8, 15, 24):
        made = problem(rng, n, kind, tables, counts=4, tags=4, share=0.2)
        totals = []
        for form in FORMS:
            found = decode(made.logits(), form=form, single_root=single_root)
            assert is_projective(found.heads)
            assert link_total(made, found.heads.tolist()) == pytest.approx(found.totals[0])
            totals.append(found.totals[0])
        assert totals[0] == pytest.approx(totals[1])


def arcs_of(made):
    """The scores of arcs that have no states, as Eisner's algorithm takes them."""
    nodes = made.n + 1
    scores = np.full((nodes, nodes), np.nan)
    for left in range(nodes):
        for right in range(left + 1, nodes):
            row = log_softmax(made.static[left * nodes + right])
            scores[left, right], scores[right, left] = row[RIGHT], row[LEFT]
    scores[:, 0] = np.nan
    return scores


@FORM
@ROOTS
@pytest.mark.parametrize("zeros", [False, True], ids=["no states", "states of zeros"])
def test_without_states_trees_are_eisners(zeros, single_root, form):
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 10, 40):
        made = problem(rng, n, "random", "both" if zeros else "static", share=0.1)
        if zeros:
            made.states[:] = made.first[:] = 0
        scores = arcs_of(made)
        expected = eisner.decode(scores, single_root=single_root)
        found = decode(made.logits(), form=form, single_root=single_root)
        assert found.heads.tolist() == expected.tolist()
        assert found.totals[0] == pytest.approx(scores[expected, np.arange(1, n + 1)].sum())


def test_a_state_changes_the_tree():
    """A head that wants two children on its right, no more, gets two; without states it gets all."""
    n = 4
    static = np.zeros((n + 1, n + 1, 3))
    static[..., 0] = 3
    static[0, 1, RIGHT] = static[1, 2:, RIGHT] = 6
    static[2, 3:, RIGHT] = static[3, 4:, RIGHT] = 5
    rows = np.zeros((n + 1, n + 1), np.int32)
    states = np.zeros((1, 3, 2, 3))
    states[0, 2, :, 0] = 50
    plain = Problem(n, static.reshape(-1, 3))
    full = Problem(n, static.reshape(-1, 3), rows.ravel(), np.ones(n, np.int32), states)
    for form in FORMS:
        assert decode(plain.logits(), form=form).heads.tolist() == [0, 1, 1, 1]
        assert decode(full.logits(), form=form).heads.tolist().count(1) == 2


@FORM
@pytest.mark.parametrize(("heads", "seen"), [([2, 0, 2, 2], 3), ([3, 3, 0], 2), ([0], 0)])
def test_the_first_child_is_the_nearest_on_the_right_or_else_on_the_left(heads, seen, form):
    """A logit of its value, and of no other, makes the link to its parent worse."""
    n, word = len(heads), heads.index(0) + 1
    static = np.zeros((n + 1, n + 1, 3))
    for child, head in enumerate(heads, 1):
        static[min(head, child), max(head, child), RIGHT if head < child else LEFT] = 20
    first_rows = np.full((n + 1, n + 1), -1, np.int32)
    first_rows[0, word] = 0
    values = np.arange(1, n + 1, dtype=np.int32)
    for value in range(n + 1):
        first = np.zeros((1, n + 1, 3))
        first[0, value, 0] = 19
        made = Problem(n, static.reshape(-1, 3), first_rows=first_rows.ravel(), values=values, first=first)
        found = decode(made.logits(), form=form)
        assert found.heads.tolist() == heads
        assert (found.totals[0] < -0.1) == (value == seen)


@pytest.mark.parametrize(("shape", "n"), [("right", 60), ("left", 60), ("star", 60), ("inwards", 300)])
def test_many_words(shape, n):
    """Each span inside another one, as deep as can be."""
    heads = chain({"left": range(n, 0, -1), "inwards": inwards(n)}.get(shape, range(1, n + 1)))
    if shape == "star":
        heads[1:] = 1
    rng = np.random.default_rng(0)
    made = problem(rng, n, "random", "states", counts=2, tags=2, own_rows=False)
    static = made.static.reshape(n + 1, n + 1, 3)
    for child, head in enumerate(heads.tolist(), 1):
        static[min(head, child), max(head, child), RIGHT if head < child else LEFT] += 40
    for form in FORMS:
        found = decode(made.logits(), form=form, single_root=shape != "star")
        assert found.heads.tolist() == heads.tolist()
        assert found.reduced == 0


@FORM
def test_a_batch_is_its_sentences(form):
    rng = np.random.default_rng(3)
    tables = problem(rng, 12, share=0.3)
    made = []
    for n in (3, 1, 12, 0, 7):
        one = problem(rng, n, share=0.3)
        one.states, one.first = tables.states, tables.first
        made.append(one)
    found = decode(batch(made), form=form)
    alone = [decode(one.logits(), form=form) for one in made]
    assert found.heads.tolist() == np.concatenate([one.heads for one in alone]).tolist()
    assert found.totals.tolist() == [one.totals[0] for one in alone]
    assert found.totals[3] == 0
