"""Choosing what to annotate: unsure sentences, new ones, and no more work than needed."""

import numpy as np
import pytest

import headway
from headway import HeadwayError, Sentence
from headway.sample import generate
from headway.selection import _greedy


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
    """Against a plain loop that looks at every sentence each time."""
    chance = np.random.default_rng(3)
    words = [f"w{n}" for n in range(9)]
    sentences, unsure = [], []
    for _ in range(25):
        size = int(chance.integers(1, 7))
        forms = chance.choice(words, size).tolist()
        tags = chance.choice(["N", "V"], size).tolist()
        sentences.append(Sentence(forms, upos=tags, heads=[0] * size, deprels=["root"] * size))
        unsure.append(chance.random(size))
    seen_words, seen_pairs, left, expected = {}, {}, list(range(25)), []
    for _ in range(10):

        def worth(at):
            total = 0.0
            for doubt, form, tag in zip(unsure[at], sentences[at].forms, sentences[at].upos, strict=True):
                total += doubt * (1 / (1 + seen_words.get(form, 0)) + (1 + seen_pairs.get(tag, 0)) ** -0.5)
            return total / (2 * (len(sentences[at]) + 3) ** 0.3)

        best = max(left, key=worth)
        left.remove(best)
        expected.append(best + 1)
        for form, tag in zip(sentences[best].forms, sentences[best].upos, strict=True):
            seen_words[form] = seen_words.get(form, 0) + 1
            seen_pairs[tag] = seen_pairs.get(tag, 0) + 1
    assert [one.number for one in _greedy(sentences, unsure, 10)] == expected


def test_calibrated_models_choose_by_their_confidence(tmp_path):
    parser = headway.train(generate(60, seed=2), dev=generate(60, seed=3), passes=2, features="malt-14")
    chosen = headway.select(parser, generate(50, seed=9), 5)
    told = [sum(1 - token.confidence.label for token in parser.parse(one.sentence, confidence=True)) for one in chosen]
    assert [one.errors for one in chosen] == pytest.approx(told, abs=0.01 * 30)


def test_the_command_writes_what_is_to_be_corrected(parser, tmp_path, run):
    parser.save(tmp_path / "model.headway")
    headway.write(generate(30, seed=9), tmp_path / "new.conllu")
    done = run("select", tmp_path / "model.headway", tmp_path / "new.conllu", "-n", 3, "-o", tmp_path / "next.conllu")
    assert done.exit_code == 0, done.stderr
    assert "3 sentences" in done.stderr
    chosen = headway.select(parser, generate(30, seed=9), 3)
    assert [one.forms for one in headway.read(tmp_path / "next.conllu")] == [one.sentence.forms for one in chosen]


def test_what_cannot_choose_says_so(parser):
    with pytest.raises(HeadwayError, match="choose one at least"):
        headway.select(parser, generate(3), 0)
    with pytest.raises(HeadwayError, match="is no parser"):
        headway.select("model", generate(3))
