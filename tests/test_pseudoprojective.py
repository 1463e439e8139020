"""Projectivization and its inverse, over every tree of up to six words."""

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees as random_trees
from test_trees import all_trees, nonprojective_by_definition

from headway.base.errors import HeadwayError
from headway.data.encodings import ENCODINGS
from headway.data.pseudoprojective import deprojectivize, projectivize
from headway.data.trees import is_projective, is_tree

all_trees = cache(all_trees)
MARKED = tuple(name for name in ENCODINGS if name != "none")


def distinct(n):
    return [f"label{word}" for word in range(1, n + 1)]


def there_and_back(heads, labels, encoding):
    restored, names = deprojectivize(*projectivize(heads, labels, encoding), encoding)
    assert names == labels
    return tuple(restored.tolist())


def lift_by_definition(heads):
    """Heads after all lifts, and for each word the heads that it had on the way."""
    heads, history = list(heads), [[] for _ in heads]
    while any(crossing := nonprojective_by_definition(heads)):
        _, word = min((abs(word - head), word) for word, head in enumerate(heads, 1) if crossing[word - 1])
        history[word - 1].append(heads[word - 1])
        heads[word - 1] = heads[heads[word - 1] - 1]
    return heads, history


def labels_by_definition(heads, labels, encoding):
    """The marks of the paper's Table 1, from the history of the lifts."""
    _, history = lift_by_definition(heads)
    passed = {head for on_the_way in history for head in on_the_way}
    up = {"none": "", "head": "↑{}", "path": "↑", "head+path": "↑{}"}[encoding]
    down = {"none": "", "head": "", "path": "↓", "head+path": "↓"}[encoding]
    return [
        label + (up.format(labels[head - 1]) if on_the_way else "") + (down if word in passed else "")
        for word, (label, head, on_the_way) in enumerate(zip(labels, heads, history, strict=True), 1)
    ]


def restore_by_definition(heads, labels, encoding):
    """The inverse by levels of the tree, with everything looked up anew at every step."""
    heads, waiting = list(heads), {word for word, label in enumerate(labels, 1) if "↑" in label}
    plain = [re.sub("[↑↓].*", "", label) for label in labels]

    def depth(word):
        return 0 if word == 0 else 1 + depth(heads[word - 1])

    def place(word):
        """What orders the words of a level: the words above them, from the root down."""
        return [] if word == 0 else [*place(heads[word - 1]), word]

    def below(top, avoided):
        found = [word for word in range(1, len(heads) + 1) if top in place(word)[:-1] or top == 0]
        found = [word for word in found if avoided not in place(word)]
        return sorted(found, key=lambda word: (depth(word), place(word)))

    while waiting:
        word = min(waiting, key=lambda word: (depth(word), place(word)))
        waiting.remove(word)
        top = heads[word - 1]
        everything = below(top, word)
        path = [w for w in everything if all("↓" in labels[u - 1] for u in place(w)[depth(top) :])]
        ends = [w for w in path if not any(heads[u - 1] == w for u in path)]
        wanted = labels[word - 1].partition("↑")[2].removesuffix("↓")
        if encoding == "path":
            candidates = ends
        else:
            preferred = [*ends, *path] if encoding == "head+path" else []
            candidates = [w for w in [*preferred, *everything] if plain[w - 1] == wanted]
        if candidates:
            heads[word - 1] = candidates[0]
    return heads


@pytest.mark.parametrize("n", range(1, 7))
def test_every_tree_becomes_projective_by_the_papers_lifts(n):
    for heads in all_trees(n):
        lifted, labels = projectivize(heads, ["x"] * n, "none")
        assert lifted.tolist() == lift_by_definition(heads)[0]
        assert is_tree(lifted) and is_projective(lifted)
        assert labels == ["x"] * n


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("n", range(3, 6))
def test_the_marks_are_those_of_the_paper(n, encoding):
    for heads in all_trees(n):
        _, labels = projectivize(heads, distinct(n), encoding)
        assert labels == labels_by_definition(heads, distinct(n), encoding)


@pytest.mark.parametrize("encoding", ["head", "head+path"])
@pytest.mark.parametrize("n", range(1, 7))
def test_labels_that_name_one_word_bring_every_tree_back(n, encoding):
    for heads in all_trees(n):
        assert there_and_back(heads, distinct(n), encoding) == heads


@pytest.mark.parametrize("encoding", MARKED)
@pytest.mark.parametrize("labels", ["aaaa", "abab", "aabb", "abbb", "aaaaa", "ababa", "aabbc"])
def test_the_inverse_is_the_one_defined(labels, encoding):
    for heads in all_trees(len(labels)):
        lifted, marked = projectivize(heads, list(labels), encoding)
        restored, _ = deprojectivize(lifted, marked, encoding)
        assert restored.tolist() == restore_by_definition(lifted.tolist(), marked, encoding)


@pytest.mark.parametrize(
    ("encoding", "counts"),
    [
        ("none", [1, 3, 12, 55, 273]),
        ("head", [1, 3, 15, 90, 589, 4072]),
        ("path", [1, 3, 16, 119, 1045, 9931]),
        ("head+path", [1, 3, 16, 119, 1045]),
    ],
)
def test_how_many_trees_come_back_when_all_labels_are_the_same(encoding, counts):
    """Of 1, 3, 16, 125, 1296, 16807. Labels say nothing then: `head+path` is no better than `path`."""
    for n, count in enumerate(counts, 1):
        labels = ["x"] * n
        assert count == sum(there_and_back(tree, labels, encoding) == tree for tree in all_trees(n))


@given(st.data(), random_trees(max_size=25), st.sampled_from(MARKED))
def test_long_trees(data, heads, encoding):
    labels = data.draw(st.lists(st.sampled_from("abc"), min_size=len(heads), max_size=len(heads)))
    lifted, marked = projectivize(heads, labels, encoding)
    assert (lifted.tolist(), marked) == (
        lift_by_definition(heads)[0],
        labels_by_definition(heads, labels, encoding),
    )
    restored, plain = deprojectivize(lifted, marked, encoding)
    assert restored.tolist() == restore_by_definition(lifted.tolist(), marked, encoding)
    assert plain == labels
    if encoding != "path":
        assert list(there_and_back(heads, distinct(len(heads)), encoding)) == heads


@given(st.data(), random_trees(max_size=12), st.sampled_from(MARKED))
def test_any_marks_leave_a_tree_and_clean_labels(data, heads, encoding):
    """As a parser may predict them: on projective and other trees, in any number and order."""
    marks = st.lists(st.text("ab↑↓", max_size=5), min_size=len(heads), max_size=len(heads))
    labels = data.draw(marks)
    restored, plain = deprojectivize(heads, labels, encoding)
    assert is_tree(restored)
    assert plain == [re.split("[↑↓]", label)[0] for label in labels]
    words_that_moved = np.flatnonzero(restored != heads)
    assert all("↑" in labels[word] for word in words_that_moved)


@given(st.data(), random_trees(max_size=8), st.sampled_from(list(ENCODINGS)))
def test_labels_with_arrows_and_backslashes_survive(data, heads, encoding):
    text = st.text("a↑↓\\ud", max_size=4)
    labels = data.draw(st.lists(text, min_size=len(heads), max_size=len(heads)))
    there_and_back(heads, labels, encoding)
    unique = [f"{label}{word}" for word, label in enumerate(labels)]
    if encoding in ("head", "head+path"):
        assert list(there_and_back(heads, unique, encoding)) == heads


def test_a_word_is_never_its_own_head():
    """The label named is the word's own, and nothing else below the linear head has it."""
    heads, labels = deprojectivize([0, 1], ["root", "x↑x"], "head")
    assert heads.tolist() == [0, 1]
    assert labels == ["root", "x"]


def test_a_projective_tree_stays_as_it_is():
    heads, labels = projectivize(np.array([2, 0, 2]), ("a", "b", "c"))
    assert heads.tolist() == [2, 0, 2]
    assert labels == ["a", "b", "c"]


def test_nothing_given_is_changed():
    heads, labels = np.array([3, 0, 2], np.int32), ["a", "b", "c"]
    for encoding in ENCODINGS:
        deprojectivize(*projectivize(heads, labels, encoding), encoding)
        marked = projectivize(heads, labels, encoding)
        before = marked[0].tolist(), list(marked[1])
        deprojectivize(*marked, encoding)
        assert (marked[0].tolist(), marked[1]) == before
    assert heads.tolist() == [3, 0, 2]
    assert labels == ["a", "b", "c"]


def test_a_long_sentence():
    """Two thousand words in turn on the first and on the second word, so that half of the arcs are lifted."""
    heads = [0, *([1, 2] * 1000)]
    for encoding in MARKED:
        lifted, labels = projectivize(heads, distinct(len(heads)), encoding)
        assert is_projective(lifted)
        assert deprojectivize(lifted, labels, encoding)[0].tolist() == heads


@pytest.mark.parametrize("function", [projectivize, deprojectivize])
def test_what_cannot_be_done_is_refused(function):
    with pytest.raises(HeadwayError, match="unknown encoding 'tail'; known are: head, head\\+path, none, path"):
        function([0], ["root"], "tail")
    with pytest.raises(HeadwayError, match="2 heads but 1 labels"):
        function([0, 1], ["root"], "head")
    with pytest.raises(HeadwayError, match="not a tree"):
        function([2, 1], ["a", "b"], "head")


@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_exact_marks_bring_every_tree_back(encoding):
    """Whatever the labels are: all the same is the hardest."""
    for n in range(1, 6):
        for labels in (["a"] * n, ["ab"[word % 2] for word in range(n)], distinct(n)):
            for heads in all_trees(n):
                lifted, marked = projectivize(heads, labels, encoding, exact=True)
                assert is_projective(lifted)
                restored, names = deprojectivize(lifted, marked, encoding)
                assert tuple(restored.tolist()) == tuple(heads)
                assert names == labels


@pytest.mark.parametrize("encoding", MARKED)
def test_exact_marks_differ_only_where_the_tree_would_not_come_back(encoding):
    for heads in all_trees(5):
        labels = ["a", "b", "a", "b", "a"]
        plain, exact = (projectivize(heads, labels, encoding, exact=exact) for exact in (False, True))
        assert plain[0].tolist() == exact[0].tolist()
        back = tuple(deprojectivize(*plain, encoding)[0].tolist())
        if back == tuple(heads):
            assert plain[1] == exact[1]
        elif encoding != "path":
            assert plain[1] != exact[1]
