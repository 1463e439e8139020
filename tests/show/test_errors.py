"""Errors by confusion: the most frequent first, each sentence once, and of how many."""

from collections import Counter

import pytest

from headway import Sentence
from headway.show.choose import ChosenSentence, ConfusedArc, confused, errors_in

WORDS = ["a", "b", "c"]


def sentence(labels, heads=(0, 1, 1)):
    return Sentence(forms=WORDS, heads=heads, deprels=labels)


def pairs(*others):
    gold = sentence(["root", "x", "y"])
    return [ChosenSentence(number, gold, other) for number, other in enumerate(others, 1)]


@pytest.fixture
def found():
    return errors_in(
        pairs(
            sentence(["root", "x", "y"]),
            sentence(["root", "z", "y"]),
            sentence(["root", "x", "y"], (0, 1, 2)),
            sentence(["root", "w", "y"], (0, 1, 2)),
            sentence(["root", "x", "y"], (0, 3, 1)),
            sentence(["root", "x", "y"], (0, 1, 2)),
        )
    )


def test_confusions_are_counted(found):
    assert found.ranked() == [
        (ConfusedArc("y", "y", True), 3),
        (ConfusedArc("x", "w", False), 1),
        (ConfusedArc("x", "x", True), 1),
        (ConfusedArc("x", "z", False), 1),
    ]
    assert str(found) == "6 of 18 words differ in head or label, in 5 of 6 sentences"


def test_every_sentence_stands_once_under_its_most_frequent_confusion(found):
    every = found.examples()
    assert [one.number for one in every] == [3, 4, 6, 5, 2]
    assert every[0].reason == "confusion 1 of 4: y, at another head, 3 of 6 words that differ"
    assert every[-1].reason == "confusion 4 of 4: z instead of x, 1 of 6 words that differ"


def test_a_limit_shows_different_confusions_first(found):
    assert [one.number for one in found.examples(1)] == [3]
    assert [one.number for one in found.examples(3)] == [3, 5, 2]
    assert [one.number for one in found.examples(4)] == [3, 5, 2, 4]
    assert [one.number for one in found.examples(100)] == [3, 5, 2, 4, 6]


def test_the_shortest_sentence_is_the_example():
    long = Sentence(forms=[*WORDS, "d"], heads=[0, 1, 1, 1], deprels=["root", "x", "y", "y"])
    found = errors_in(
        [
            ChosenSentence(1, long, long.replace(deprels=["root", "z", "y", "y"])),
            *(one._replace(number=one.number + 1) for one in pairs(*[sentence(["root", "z", "y"])] * 2)),
        ]
    )
    assert [one.number for one in found.examples(1)] == [2]
    assert [one.number for one in found.examples()] == [1, 2, 3]


def test_a_confusion_in_words():
    both = confused(sentence(["root", "x", "y"]), sentence(["x", "root", "y"], (2, 0, 2)))
    assert Counter(map(str, both)) == Counter(
        ["x instead of root, at another head", "root instead of x, at another head", "y, at another head"]
    )


def test_the_command_lists_them(run, tmp_path):
    from headway import write

    gold, other = tmp_path / "gold.conllu", tmp_path / "other.conllu"
    write([sentence(["root", "x", f"y{number}"]) for number in range(12)], gold)
    write([sentence(["root", "x", "z"], (0, 1, 2) if number < 11 else (0, 1, 1)) for number in range(12)], other)
    printed = run("show", gold, other, "--errors", "--limit", 2).stdout
    assert printed.startswith("12 of 36 words differ in head or label, in 12 of 12 sentences\n")
    assert "confusions by number of words, the first 10 of 12:" in printed
    assert printed.count("\nsentence ") == 2 and "confusion 2 of 12: z instead of y1, at another head" in printed
    page = tmp_path / "page.html"
    assert run("show", gold, other, "--errors", "--html", page).stdout == ""
    text = page.read_text()
    assert text.count("<svg ") == 10 and "12 of 36 words differ" in text and "confusion 10 of 12" in text
