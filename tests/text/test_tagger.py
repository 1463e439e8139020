"""Taggers: what they know of words, what they learn, and what they refuse."""

from collections import Counter

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.language import parse
from headway.features.sequences import compile_sequence
from headway.text.sequence.deciding import Dictionary
from headway.text.tagger.analyses import Analyses
from headway.text.tagger.options import PretaggerOptions, TaggerOptions
from headway.text.tagger.training import analyses_in
from headway.text.tagger.word_knowledge import SHARE, UNKNOWN, facts, facts_without_own
from headway.training.dev_scores import judged
from headway.training.jackknife import jackknifed
from headway.training.loop import TrainingLoop


@pytest.fixture(scope="module")
def treebank():
    return list(batches_of(list(generate(250, seed=1))))


@pytest.fixture(scope="module")
def dev():
    return list(batches_of(list(generate(60, seed=2))))


def tagger_of(data, **options):
    return TrainingLoop(TaggerOptions(**{"passes": 3, **options}), data).run()


def right(stage, dev, column="UPOS"):
    return judged(stage, dev).scores[column]


@pytest.fixture(scope="module")
def stage(treebank):
    return tagger_of(treebank, size="full")


def test_words_are_tagged(stage, dev):
    assert stage.needs == {"FORM"} and stage.gives == {"UPOS", "XPOS", "FEATS"}
    scores = judged(stage, dev).scores
    assert scores["UPOS"] > 97 and scores["all"] > 93


def test_every_word_gets_an_analysis_of_the_treebank(stage, dev):
    for batch in dev:
        done = stage.annotate(batch)
        found = set(zip(*(done.column(name) for name in stage.analyses.columns), strict=True))
        assert found <= set(stage.analyses.rows)


def test_what_a_first_tagger_has_guessed_is_seen(treebank, dev):
    first = PretaggerOptions(passes=2)
    loop = TrainingLoop(first, treebank)
    guesser = loop.run()
    assert guesser.gives == {"UPOS"}
    second = tagger_of(jackknifed(first, treebank, 3, workers=1))
    assert second.needs == {"FORM", "UPOS"} and "UPOS" in second.templates.columns
    assert right(second, [guesser.annotate(batch) for batch in dev]) > 97


@pytest.mark.parametrize("learner", ["perceptron", "pa-1", "cw", "arow"])
def test_learners(treebank, dev, learner):
    assert right(tagger_of(treebank, learner=learner, passes=2), dev) > 94


@pytest.mark.parametrize(
    "how", [{"decoder": "beam", "beam": 3}, {"decoder": "viterbi"}, {"parts": False}, {"settled": 3}]
)
def test_other_ways_to_decide(treebank, dev, how):
    assert right(tagger_of(treebank, passes=2, **how), dev[:1]) > 90


def test_maximum_entropy_with_the_features_of_ratnaparkhi(treebank, dev):
    found = tagger_of(treebank[:1], passes=None, learner="logistic", features="tagger-ratnaparkhi", gives="UPOS")
    assert found.decoder == "beam" and found.probabilities and found.gives == {"UPOS"}
    assert right(found, dev) > 90


def test_a_beam_of_one_is_greedy(treebank, dev):
    beam = tagger_of(treebank, passes=1, decoder="beam", beam=1)
    greedy = tagger_of(treebank, passes=1)
    for batch in dev:
        assert (beam.decide(beam.positions(batch)) == greedy.decide(greedy.positions(batch))).all()


def test_margins_say_how_sure_each_decision_is(stage, dev):
    chosen, _, both = stage.margins(stage.positions(dev[0]))
    margins = both[:, 0]
    assert (
        (chosen == stage.decide(stage.positions(dev[0]))).all()
        and (margins >= 0).all()
        and (both[:, 1] >= margins).all()
    )
    _, gold = analyses_in(dev[:1], stage.analyses.columns)
    golden = list(zip(*(dev[0].column(name) for name in stage.analyses.columns), strict=True))
    wrong = np.array([stage.analyses.rows[one] != other for one, other in zip(chosen, golden, strict=True)])
    assert len(gold) == len(wrong) and np.median(margins[wrong]) < np.median(margins[~wrong])


def test_words_of_a_lexicon_get_its_tags(treebank, tmp_path):
    file = tmp_path / "words.tsv"
    file.write_text("zorblax\tzorblax\tADV\nZorblaxes\tzorblax\tVERB\n")
    data = list(batches_of([headway.Sentence(["The", "zorblax", "zorblaxes", "."])]))
    rules = tagger_of(treebank, passes=1, lexicon=str(file), lexicon_as="rules")
    assert rules.annotate(data[0]).column("UPOS")[1] == "ADV"
    advice = tagger_of(treebank, passes=1, lexicon=str(file))
    assert "LEXICON" in advice.templates.columns
    assert right(advice, treebank) > 95


def test_mistakes(treebank, tmp_path):
    with pytest.raises(HeadwayError, match="a tagger does not give 'LEMMA'; known are: FEATS, UPOS, XPOS"):
        TaggerOptions(gives="LEMMA")
    with pytest.raises(HeadwayError, match="a tagger cannot learn with kernel-svm; take logistic or mira"):
        TaggerOptions(learner="kernel-svm")
    bare = [headway.Sentence(["Dogs", "bark"])]
    with pytest.raises(HeadwayError, match="the treebank has no tags in UPOS, XPOS or FEATS"):
        tagger_of(list(batches_of(bare)))
    upos = [headway.Sentence(["Dogs", "bark"], upos=["NOUN", "VERB"])]
    with pytest.raises(HeadwayError, match="gives = XPOS: the treebank has nothing in this column; it has UPOS"):
        tagger_of(list(batches_of(upos)), gives="XPOS")
    with pytest.raises(HeadwayError, match="is not decided yet; look at an earlier place, as in XPOS"):
        compile_sequence(parse("XPOS(WORD+1)"), ("FORM",), ("XPOS",))
    with pytest.raises(HeadwayError, match="does not look along a sequence"):
        tagger_of(treebank, features=parse("FORM(STACK0)"))


def test_analyses_are_made_of_their_parts():
    made = Analyses(("UPOS", "FEATS"), (("N", "A=1|B=2"), ("N", "A=1"), ("V", "_")))
    first, second, third = map(set, made.parts)
    # UPOS, each feature, and the analysis itself
    assert len(first & second) == 2 and not first & third and (len(first), len(third)) == (4, 2)
    # XPOS tells which analysis it is
    told = Analyses(("UPOS", "XPOS", "FEATS"), (("N", "NNS", "A=1|B=2"), ("N", "NN", "A=1"), ("V", "VB", "_")))
    assert [len(parts) for parts in told.parts] == [4, 3, 2]
    assert [len(parts) for parts in Analyses(("FEATS",), (("A=1|B=2",), ("_",))).parts] == [3, 1]
    keys = made.keys(("UPOS", "FEATS:A", "FEATS:B"))
    assert keys[0, 0] == keys[1, 0] != keys[2, 0] and keys[0, 1] == keys[1, 1] != keys[2, 1]
    assert keys[0, 2] != keys[1, 2] == keys[2, 2]


def test_what_is_known_of_words_is_what_counting_says():
    random = np.random.default_rng(1)
    words = random.integers(1, 12, 300).astype(np.uint64)
    analyses = random.integers(0, 5, 300).astype(np.int32)
    analyses[random.random(300) < 0.7] = 0
    tag_of = np.array([7, 7, 8, 9, 10], np.uint64)
    dictionary = Dictionary.of(words, analyses)
    number = dictionary.find(words)
    assert (dictionary.keys[number] == words).all() and dictionary.find(np.array([99], np.uint64)).tolist() == [-1]
    every = facts(dictionary, tag_of)
    without = facts_without_own(dictionary, tag_of, number, analyses)

    def said(counts):
        total = sum(counts.values())
        kept = frozenset(tag for tag, count in counts.items() if count > 0 and count * SHARE >= total)
        return kept if total else None

    classes, own_classes = {}, {}
    for at in range(len(words)):
        counts = Counter(tag_of[analyses[words == words[at]]].tolist())
        assert classes.setdefault(said(counts), every.known[number[at]]) == every.known[number[at]]
        counts[int(tag_of[analyses[at]])] -= 1
        assert own_classes.setdefault(said(counts), without.known[at]) == without.known[at]
    assert len(set(classes.values())) == len(classes)
    for kept, key in own_classes.items():
        assert key == UNKNOWN if kept is None else classes.get(kept, key) == key
