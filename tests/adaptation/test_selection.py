"""Choosing what to annotate: unsure sentences, new ones, and no more work than needed."""

from collections import Counter
from io import StringIO

import numpy as np
import pytest

import headway
from headway import HeadwayError, Sentence
from headway.data.sample import generate
from headway.training.active_learning import _greedy, _Things


@pytest.fixture(scope="module")
def parser():
    return headway.train(generate(60, seed=2), passes=2, features="malt-14")


def test_chosen_sentences_have_more_errors_per_word_than_others(parser):
    gold = list(generate(200, seed=9))
    bare = [sentence.replace(heads=None, deprels=None) for sentence in gold]
    chosen = headway.select(parser, bare, 40)
    assert len({one.number for one in chosen}) == len(chosen) == 40

    def wrong(numbers):
        words = [(a.head != b.head) for n in numbers for a, b in zip(gold[n], parser.parse(gold[n]), strict=True)]
        return np.mean(words)

    picked = [one.number - 1 for one in chosen]
    others = [number for number in range(200) if number not in picked]
    assert wrong(picked) > 1.3 * wrong(others)
    assert [one.sentence.forms for one in chosen] == [gold[at].forms for at in picked]


def test_the_choice_is_greedy_by_definition():
    """Against a plain loop that counts anew for every sentence each time."""
    chance = np.random.default_rng(3)

    def made():
        size = int(chance.integers(1, 7))
        forms = [f"W{n}" for n in chance.integers(0, 9, size)]
        return Sentence(forms, upos=chance.choice(["N", "V"], size).tolist(), heads=[0] * size, deprels=["root"] * size)

    known, sentences = [made() for _ in range(5)], [made() for _ in range(25)]
    doubts = [chance.random(len(sentence)) for sentence in sentences]

    def things(sentence):
        tags = ["", *sentence.upos, ""]
        return [*sentence.forms, *sentence.upos, *zip(tags, tags[1:], tags[2:], strict=False)]

    errors = Counter()
    for sentence, each in zip(sentences, doubts, strict=True):
        for thing, doubt in zip(things(sentence), [*each, *each, *each], strict=True):
            errors[thing] += doubt

    def worth(at, seen):
        total = 0.0
        for thing in things(sentences[at]):
            total += errors[thing] * (1 / (1 + seen[thing]) - 1 / (2 + seen[thing]))
            seen[thing] += 1
        return total / (len(sentences[at]) + 3)

    seen = Counter(thing for sentence in known for thing in things(sentence))
    left, expected = list(range(25)), []
    while left:
        worths = {at: worth(at, seen.copy()) for at in left}
        expected.append(max(left, key=worths.get))
        left.remove(expected[-1])
        seen.update(things(sentences[expected[-1]]))
    assert list(_greedy(_Things(sentences, doubts, known))) == expected


def test_what_is_known_teaches_less(parser):
    new = list(generate(40, seed=9))
    first = headway.select(parser, new, 5)
    others = headway.select(parser, new, 5, known=[one.sentence for one in first] * 20)
    assert {one.number for one in others}.isdisjoint(one.number for one in first)


def test_calibrated_models_choose_by_their_confidence(tmp_path):
    parser = headway.train(generate(60, seed=2), dev=generate(60, seed=3), passes=2, features="malt-14")
    chosen = headway.select(parser, generate(50, seed=9), 5)
    told = [
        sum(1 - token.confidence.head_and_label for token in parser.parse(one.sentence, confidence=True))
        for one in chosen
    ]
    assert [one.errors for one in chosen] == pytest.approx(told, abs=0.01 * 30)


def test_the_command_writes_what_is_to_be_corrected(parser, tmp_path, run):
    parser.save(tmp_path / "model.headway")
    headway.write(generate(30, seed=9), tmp_path / "new.conllu")
    done = run("select", tmp_path / "model.headway", tmp_path / "new.conllu", "-n", 3, "-o", tmp_path / "next.conllu")
    assert done.exit_code == 0, done.stderr
    assert "3 sentences" in done.stderr
    chosen = headway.select(parser, generate(30, seed=9), 3)
    assert [one.forms for one in headway.read(tmp_path / "next.conllu")] == [one.sentence.forms for one in chosen]


def test_words_and_text_are_chosen_from_too(tmp_path, run):
    """Words go through the stages before the parser, and text through the segmenter."""
    parser = headway.train(generate(60, seed=2), pipeline=True, passes=2, features="malt-14")
    parser.save(tmp_path / "model.headway")
    words = [sentence.forms for sentence in generate(20, seed=9)]
    (tmp_path / "new.words").write_text("".join(" ".join(each) + "\n" for each in words))
    done = run("select", tmp_path / "model.headway", tmp_path / "new.words", "--input", "tokens", "-n", 3)
    assert done.exit_code == 0, done.stderr
    chosen = list(headway.read(StringIO(done.stdout)))
    assert all(sentence.forms in words and "_" not in sentence.upos for sentence in chosen) and len(chosen) == 3
    assert len(headway.select(parser, StringIO("Dogs bark. Cats sleep here."), 1, input="text")) == 1


def test_what_cannot_choose_says_so(parser):
    with pytest.raises(HeadwayError, match="n = 0 is out of range"):
        headway.select(parser, generate(3), 0)
    with pytest.raises(HeadwayError, match="is no parser"):
        headway.select("model", generate(3))
