"""Given arcs against all trees: whatever some tree has is obeyed, also where it crosses; all else is named."""

import re
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from derivations import all_trees
from scored_trees import trees_of

import headway
from headway import Constraints, HeadwayError, Sentence
from headway.data.pseudoprojective import projectivize
from headway.data.sample import generate
from headway.data.trees import is_tree
from headway.stages.constraints import contradiction, with_heads
from headway.stages.obeying import lifted
from headway.stages.tree_stage import Parsed

SMALL = {"passes": 1, "bits": 14, "label_bits": 12}
PARSERS = {
    "arc-eager": {"features": "malt-14", "single_root": True},
    "arc-eager, root first": {"features": "malt-14", "root": "start", "encoding": "none"},
    "arc-standard, several roots": {"features": "malt-14", "system": "arc-standard", "single_root": False},
    "swap": {"features": "malt-14", "system": "swap"},
    "machines": {"features": "malt-14", "learner": "kernel-svm"},
    "eisner": {"parser": "graph", "order": 1, "decoder": "eisner", **SMALL},
    "eisner, siblings, several roots": {"parser": "graph", "decoder": "eisner", "single_root": False, **SMALL},
    "spanning": {"parser": "graph", "order": 1, "decoder": "chu-liu-edmonds", **SMALL},
    "spanning, siblings": {"parser": "graph", "decoder": "chu-liu-edmonds", **SMALL},
    "split-head": {"parser": "boosted", "rounds": 1},
    "voting": {"parser": "boosted", "rounds": 2, "keep": "vote", "single_root": False},
}
KINDS = "required", "forbidden", "span"
NAMED = re.compile(r"(no )?(\d+)→(\d+)|the span (\d+)-(\d+)")


@cache
def sets_of(n, *, projective=False, single=False):
    """All sets of arcs that some tree has, as pairs of a word and its head."""
    trees = (tuple(enumerate(heads, 1)) for heads in all_trees(n, projective=projective, single=single))
    return {frozenset(some) for arcs in trees for size in range(n + 1) for some in combinations(arcs, size)}


def all_sets(n):
    """All ways to give heads to some words."""
    for heads in product(*([None, *(head for head in range(n + 1) if head != word)] for word in range(1, n + 1))):
        yield {word: head for word, head in enumerate(heads, 1) if head is not None}


@pytest.fixture(scope="module", params=PARSERS)
def parser(request):
    return headway.train(generate(30, seed=2, nonprojective=0.3), **PARSERS[request.param])


@cache
def sentence(length):
    words = [token for one in generate(4, seed=2) for token in one][:length]
    tags = {name: [getattr(word, name) for word in words] for name in ("upos", "xpos", "feats")}
    return Sentence([word.form for word in words], lemmas=[word.lemma for word in words], **tags)


def obeys(heads, constraints):
    """By definition, as in `test_constraints.py`; heads that words must not have and spans that are subtrees."""
    arcs = {(head, word) for word, head in enumerate(heads, 1)}
    if arcs & set(constraints.forbidden) or any(heads[w - 1] != h for w, h in constraints.required.items()):
        return False
    for first, last in constraints.spans:
        inside = range(first, last + 1)
        outer = [word for word in inside if heads[word - 1] not in inside]
        if len(outer) != 1 or any(heads[word - 1] in inside for word in range(1, len(heads) + 1) if word not in inside):
            return False
    return True


def is_right(parser, found, constraints):
    heads = found.heads.tolist()
    roots = heads.count(0) == 1 or not parser.stages[-1].single_root
    return is_tree(heads) and roots and obeys(heads, constraints) and not {"", "_"} & set(found.deprels)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_set_of_arcs_that_some_tree_has_is_obeyed(parser, length):
    every = sorted(sets_of(length, single=parser.stages[-1].single_root), key=sorted)
    for some in every if length < 4 else every[::5]:
        wanted = Constraints(required=dict(some))
        assert is_right(parser, parser.parse_within(sentence(length), wanted, force=True), wanted), some


def test_arcs_that_no_tree_has_are_named_and_no_tree_has_those(parser):
    possible = sets_of(3, single=parser.stages[-1].single_root)
    for required in all_sets(3):
        if frozenset(required.items()) in possible:
            continue
        with pytest.raises(
            HeadwayError, match=r"^<Sentence>:1: words .* contradict each other(, as .*)?; drop one of"
        ) as no:
            parser.parse_within(sentence(3), Constraints(required=required), force=True)
        named = {item for _, item in named_in(str(no.value))}
        assert named <= required.items() and named not in possible
        assert all(named - {one} in possible for one in named)


def test_a_new_root_takes_the_label_of_the_one_that_was():
    tree = Parsed(np.array([0, 1, 2], np.int32), np.array([0, 1, 2], np.int32), ("root", "nsubj", "obj"))
    assert with_heads(tree, np.array([2, 0, 2], np.int32)).labels.tolist() == [1, 0, 2]
    assert with_heads(tree, np.array([0, 3, 1], np.int32)).labels.tolist() == [0, 1, 2]


def constraints_at_random(chance, length):
    arcs = [(head, word) for head, word in product(range(length + 1), range(1, length + 1)) if head != word]
    heads = chance.choice(all_trees(length))
    required = {word: int(head) for word, head in enumerate(heads, 1) if chance.random() < 0.6}
    forbidden = [arc for arc in arcs if chance.random() < 0.25]
    spans = [tuple(sorted(map(int, chance.integers(1, length + 1, 2)))) for _ in range(chance.integers(0, 3))]
    return Constraints(required=required, forbidden=forbidden, spans=spans)


def named_in(message):
    """The constraints that a message names: heads and forbidden heads as word→head, and spans."""
    for never, word, head, first, last in NAMED.findall(message):
        if first:
            yield "span", (int(first), int(last))
        else:
            yield ("forbidden", (int(head), int(word))) if never else ("required", (int(word), int(head)))


def made_of(items):
    required, forbidden, spans = ([item for kind, item in items if kind == wanted] for wanted in KINDS)
    return Constraints(required=dict(required), forbidden=forbidden, spans=spans)


@pytest.mark.parametrize("length", [1, 3, 4])
def test_crossing_arcs_beside_spans_and_forbidden_arcs_are_obeyed_or_named(parser, length):
    chance, met = np.random.default_rng(length), set()
    trees = trees_of(length, single=parser.stages[-1].single_root).tolist()
    for _ in range(60):
        wanted = constraints_at_random(chance, length)
        possible = any(obeys(heads, wanted) for heads in trees)
        met.add(possible)
        if possible:
            assert is_right(parser, parser.parse_within(sentence(length), wanted, force=True), wanted), wanted
            continue
        with pytest.raises(HeadwayError, match=r"drop (it|one of them)$") as no:
            parser.parse_within(sentence(length), wanted, force=True)
        items = list(named_in(str(no.value)))
        assert {item for kind, item in items if kind == "required"} <= set(wanted.required.items())
        assert {item for kind, item in items if kind == "forbidden"} <= set(wanted.forbidden)
        assert {item for kind, item in items if kind == "span"} <= set(wanted.spans)
        assert not any(obeys(heads, made_of(items)) for heads in trees)
        for one in items:
            assert any(obeys(heads, made_of(set(items) - {one})) for heads in trees)
    assert met == {True, False}


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_arcs_are_lifted_where_no_projective_tree_has_them_and_only_there(length, single):
    projective = sets_of(length, projective=True, single=single)
    for some in sets_of(length, single=single):
        heads, _ = lifted(dict(some), single)
        assert frozenset(heads.items()) in projective
        assert (heads == dict(some)) == (some in projective)
        assert not contradiction(dict(some), single)


def test_arcs_of_whole_trees_are_lifted_as_in_learning():
    for heads in all_trees(5)[::7]:
        found, _ = lifted(dict(enumerate(heads, 1)), single_root=False)
        assert [found[word] for word in range(1, 6)] == projectivize(heads, ["x"] * 5, "none")[0].tolist()


@pytest.mark.parametrize("single", [True, False])
def test_what_contradicts_is_a_cycle_or_two_roots(single):
    possible = sets_of(4, single=single)
    for required in all_sets(4):
        words = contradiction(required, single)
        assert bool(words) == (frozenset(required.items()) not in possible)
        named = {(word, required[word]) for word in words}
        assert not words or (named not in possible and all(named - {one} in possible for one in named))
