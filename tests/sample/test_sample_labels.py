from collections import Counter

import pytest

from headway.base.errors import HeadwayError
from headway.data.sample import generate_text
from headway.data.sample.treebank import Labels, levels

PILOT = (
    [("nsubj", "", "person", "see")] * 5
    + [("nsubj", "", "animal", "see")] * 2
    + [("obl", "with", "tool", "cut")] * 4
    + [("obl:agent", "", "person", "cut")]
    + [("root", "", "see", "top")] * 3
)


def columns(texts):
    lines = (line.split("\t") for text in texts for line in text.splitlines())
    return [(row[:7], row[7]) for row in lines if row[0].isdigit()]


def test_levels_go_from_coarse_to_fine():
    assert [label for label, _ in levels(("nsubj:pass", "", "tool", "make"))] == [
        *("dep", "nsubj", "nsubj:pass", "nsubj:passtool", "nsubj:passtoolmake"),
    ]
    assert [label for label, _ in levels(("obl", "because-of", "event", "happen"))] == [
        *("dep", "obl", "obl:becauseof", "obl:becauseofevent", "obl:becauseofeventhappen"),
    ]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (2, {"root", "dep"}),
        (3, {"root", "nsubj", "obl"}),
        (4, {"root", "nsubj", "obl", "obl:agent"}),
        (5, {"root", "nsubj:person", "nsubj", "obl", "obl:agent"}),
    ],
)
def test_frequent_labels_come_first(size, expected):
    labels = Labels(size, PILOT)
    assert {labels[key] for key in PILOT} == expected


def test_unseen_combinations_get_the_finest_label_that_covers_them():
    labels = Labels(5, PILOT)
    assert labels["nsubj", "", "tool", "see"] == "nsubj"
    assert labels["obl", "under", "tool", "see"] == "obl"


@pytest.mark.parametrize("size", [5, 450])
def test_the_number_of_labels_is_the_one_asked_for(size):
    words = columns(generate_text(2000, seed=3, labels=size, vocabulary=0.5, empty_nodes=0.01))
    counts = Counter(label for _, label in words)
    assert 0.97 * size <= len(counts) <= size
    assert all(part.isalpha() and part.islower() for label in counts for part in label.split(":"))


def test_labels_change_nothing_else():
    assert [row for row, _ in columns(generate_text(100))] == [
        row for row, _ in columns(generate_text(100, labels=300))
    ]


def test_too_many_labels_are_refused():
    with pytest.raises(HeadwayError, match="give a number from 2 to"):
        next(generate_text(1, labels=10**6))
