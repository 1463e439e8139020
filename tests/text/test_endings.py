"""What the ends of words tell, beside counting."""

import numpy as np

import headway
from headway.data.sources import batches_of
from headway.text.sequence.deciding import Dictionary
from headway.text.tagger.analyses import Analyses
from headway.text.tagger.batch_words import BatchWords
from headway.text.tagger.options import TaggerOptions
from headway.text.tagger.word_knowledge import FEWEST, SIZES, UNKNOWN, WordKnowledge, endings_of, longest_endings
from headway.training.loop import TrainingLoop

RARE = 4
ROWS = (
    ("N", "Case=Nom|Number=Sing"),
    ("N", "Case=Acc|Number=Sing"),
    ("N", "Case=Gen"),
    ("V", "Tense=Past"),
    ("P", "_"),
)


def keys_of_words(words, names):
    [batch] = batches_of([headway.Sentence(list(words))])
    found = BatchWords(batch)
    return found.keys(names)[found.numbers]


def drawn(seed):
    """Words of few letters, so that many end alike; some are frequent."""
    random = np.random.default_rng(seed)
    stems = ["".join(random.choice(list("abc"), size=random.integers(1, 6))) for _ in range(150)]
    words = list(random.choice(stems, size=400))
    return words, random.integers(0, len(ROWS), 400).astype(np.int32)


def longest_end(word, words, analyses):
    """The analyses of rare words with the longest end that enough of them have, by comparing texts."""
    rare = {one for one in words if words.count(one) < RARE}
    for size in range(len(SIZES), 0, -1):
        # of a word with fewer characters the whole is looked at, and it is no end of longer words
        end = word[-size:]
        alike = {one for one in rare if one[-size:] == end}
        if len(alike) >= FEWEST:
            return {int(analysis) for one, analysis in zip(words, analyses, strict=True) if one in alike}
    return None


def test_the_longest_end_that_enough_rare_words_have_is_found():
    words, analyses = drawn(1)
    forms = keys_of_words(words, ["FORM"])[:, 0]
    endings = endings_of(forms, keys_of_words(words, SIZES), analyses, RARE)
    new = ["".join(letters) for letters in np.random.default_rng(2).choice(list("abcd"), size=(200, 5))]
    seen = set()
    for word, number in zip(new, longest_endings(endings, keys_of_words(new, SIZES)).tolist(), strict=True):
        found = endings
        own = None if number < 0 else set(found.numbers[found.start[number] : found.start[number + 1]].tolist())
        assert own == longest_end(word, words, analyses), word
        seen.add(number >= 0)
    assert seen == {True, False}


def test_without_rare_words_no_end_tells_anything():
    words = ["ab", "cd"] * RARE
    forms, ends = keys_of_words(words, ["FORM"])[:, 0], keys_of_words(words, SIZES)
    endings = endings_of(forms, ends, np.zeros(len(words), np.int32), RARE)
    assert not len(endings.keys) and (longest_endings(endings, ends) == -1).all()


def test_words_agree_in_what_they_had_and_new_ones_in_what_their_ends_had():
    words, analyses = drawn(3)
    made = Analyses(("UPOS", "FEATS"), ROWS)
    forms, lower = keys_of_words(words, ["FORM", "LOWER"]).T
    ends = keys_of_words(words, SIZES)
    endings = endings_of(forms, ends, analyses, RARE)
    knowledge = WordKnowledge(
        forms=Dictionary.of(forms, analyses),
        lower=Dictionary.of(lower, analyses),
        endings=endings,
        tag_of=made.keys(("UPOS",))[:, 0],
        agreeing=made.agreeing,
        rare=RARE,
    )
    # analyses that differ in other features only are one
    assert len(set(made.agreeing.tolist())) == 4 and made.agreeing[3] == made.agreeing[4]
    agrees = knowledge.columns(forms, lower, ends, None)["AGREES"]
    classes = {}
    for word, key in zip(words, agrees.tolist(), strict=True):
        own = {int(made.agreeing[a]) for one, a in zip(words, analyses, strict=True) if one == word}
        assert classes.setdefault(frozenset(own), key) == key
    assert len(set(classes.values())) == len(classes)
    # what is learned from: of a word that is there once, its end tells
    left = knowledge.columns(forms, lower, ends, analyses)["AGREES"]
    new = ["zz" + word for word in words]
    keys = keys_of_words(new, ["FORM", "LOWER"]).T
    by_end = knowledge.columns(*keys, keys_of_words(words, SIZES), None)["AGREES"]
    once = [words.count(word) == 1 for word in words]
    assert any(once) and (left[once] == by_end[once]).all() and (by_end[once] != UNKNOWN).any()


def test_treebanks_without_case_number_and_gender_have_no_agreement():
    assert not Analyses(("UPOS", "FEATS"), (("N", "Tense=Past"), ("V", "_"))).agreeing.any()
    assert not Analyses(("UPOS",), (("N",), ("V",))).agreeing.any()
    sentences = [headway.Sentence(["Dogs", "bark"], upos=["NOUN", "VERB"])] * 3
    stage = TrainingLoop(TaggerOptions(passes=1), list(batches_of(sentences))).run()
    assert not any("AGREES" in str(feature) for feature in stage.templates.features)
