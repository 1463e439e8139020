"""Features as a person reads them: what stands together is one, what is told in words is what was done."""

import pickle

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.features.language import parse
from headway.features.looks import FeatureName, Look, TermValue, attribute_of
from headway.stages.explanation.contract import Decision


def made(rows):
    """A decision of given features: the terms of each, its look, and what it gives to both choices."""
    names = [FeatureName([TermValue(*term) for term in terms], "every arc") for terms, _, _, _ in rows]
    given, against = (np.array([row[at] for row in rows], np.float64) for at in (2, 3))
    return Decision(
        kind="head",
        word=1,
        what="this",
        over="that",
        score=given.sum(),
        rival_score=against.sum(),
        given=given,
        against=against,
        name=names.__getitem__,
        look=lambda at: rows[at][1],
    )


TAG, SIDE, NEAR = ("XPOS(CHILD)", "NN"), ("SIDE(PARENT, CHILD)", "left"), ("DISTANCE(PARENT, CHILD)", "1")
PAIR, OTHER, ALONE = Look(("dogs", "bark"), "tag"), Look(("dogs", "cats"), "tag"), Look(("dogs",), "children")


def test_variants_of_direction_and_length_are_one_line_but_not_those_of_another_arc():
    decision = made([
        ([TAG, SIDE], PAIR, 1.0, 0.0),
        ([TAG, SIDE, NEAR], Look(PAIR.words, "distance"), 0.5, 0.25),
        ([TAG, SIDE], OTHER, 0.0, 0.5),
    ])  # fmt: skip
    first, second = decision.features()
    assert (first.chosen, first.rival, second.difference) == (1.5, 0.25, -0.5)
    assert first.feature == "XPOS(CHILD)=NN & SIDE(PARENT, CHILD)=left, with DISTANCE(PARENT, CHILD)=1"


def test_what_is_not_there_is_said_once():
    absent = [([(f"{name}(STACK0 ld)", "–")], ALONE, 0.25, 0.0) for name in ("DEP", "FORM", "UPOS")]
    decision = made([*absent, ([("DEP(STACK0 rc)", "–")], ALONE, 0.125, 0.0)])
    assert [one.feature for one in decision.features()] == ["nothing at STACK0 ld", "DEP(STACK0 rc)=–"]
    [group] = decision.groups()
    assert str(group) == "  +0.875  dogs: children +0.875 (–)"


def test_groups_are_by_words_and_then_by_attribute():
    decision = made([
        ([TAG, SIDE], PAIR, 0.25, 0.0),
        ([TAG, SIDE, NEAR], Look(PAIR.words, "distance"), 1.0, 0.0),
        ([TAG, SIDE], OTHER, 0.0, 2.0),
    ])  # fmt: skip
    told = [str(group) for group in decision.groups()]
    assert told == [
        "  -2.000  dogs & cats: tags -2.000 (NN)",
        "  +1.250  dogs & bark: distance +1.000 (NN, 1), tags +0.250 (NN)",
    ]

    assert decision.text().endswith("in all: tags -1.750, distance +1.000")


def test_names_keep_their_terms_when_they_are_pickled():
    name = FeatureName([TermValue(*TAG), TermValue(*SIDE)])
    found = pickle.loads(pickle.dumps(name))
    assert (found, found.terms, type(found)) == (name, name.terms, FeatureName)


def test_decisions_without_looks_are_one_group():
    plain = headway.stages.explanation.contract.Decision
    decision = plain("x", 1, "a", "b", 1.0, 0.5, np.array([1.0]), np.array([0.5]), lambda _: "some feature")
    [group] = decision.groups()
    assert (group.words, group.chosen, group.rival) == ((), 1.0, 0.5)
    assert decision.in_words == "" and "some feature" in decision.text(features=True)


@pytest.mark.parametrize(
    ("feature", "attribute"),
    [
        ("POS(STACK0) & POS(QUEUE0)", "tag"),
        ("POS(STACK0) & DISTANCE(STACK0, QUEUE0)", "distance"),
        ("LEX(STACK0) & POS(QUEUE0)", "form"),
        ("POS(STACK0 lc)", "children"),
        ("POS(PARENT pw) & POS(PARENT)", "neighbours"),
        ("POS(PARENT) & POS(BETWEEN)", "words between"),
        ("FEATS:Case(STACK0) & POS(STACK0)", "morphology"),
        ("SUFFIX3(WORD) & SUFFIX2(WORD-1)", "ending"),
    ],
)
def test_the_most_special_attribute_tells(feature, attribute):
    assert attribute_of(parse(feature)[0].terms) == attribute


@pytest.fixture(
    scope="module",
    params=[
        {},
        {"system": "swap", "two_step": True},
        {"parser": "graph", "bits": 16},
        {"parser": "boosted", "rounds": 1},
    ],
    ids=str,
)
def parser(request):
    return headway.train(
        generate(40, seed=2), **({"passes": 2} if "rounds" not in request.param else {}), **request.param
    )


def test_the_words_of_a_decision_say_what_the_tree_has(parser):
    told = 0
    for sentence in generate(5, seed=3, nonprojective=0):
        explanation = parser.explain(sentence)
        found = explanation.sentence
        once = {form for form in found.forms if found.forms.count(form) == 1}
        for word, form in enumerate(found.forms, 1):
            head = int(found.heads[word - 1])
            above = "the root" if head == 0 else f"*{found.forms[head - 1]}*"
            if form not in once or (head and above.strip("*") not in once) or not explanation.of(word):
                continue
            last = explanation.of(word)[-1]
            assert last.in_words.startswith(f"*{form}* is {found.deprels[word - 1]} of {above}")
            assert last.to_dict()["in_words"] == last.in_words
            assert f"  {last.in_words}" in last.text()
            told += last.over is not None and last.rival_phrase in last.in_words
    assert told > 10


@pytest.fixture(scope="module")
def words():
    treebank = list(generate(60, seed=1))
    return {name: headway.train(treebank, parser=name, passes=1) for name in ("tagger", "lemmatizer")}, treebank


def test_wrong_tags_are_those_that_differ(words):
    [stage], seen = words[0]["tagger"].stages, 0
    for gold in generate(40, seed=9):
        found = words[0]["tagger"].parse(gold)
        wrong = {one.word: one for one in stage.wrong_decisions(gold.batch.alone(gold.index))}
        expected = set()
        for word, (own, other) in enumerate(zip(found, gold, strict=True), 1):
            rows = [tuple(str(getattr(one, name.lower())) for name in stage.analyses.columns) for one in (own, other)]
            if rows[0] != rows[1] and rows[1] in stage.analyses.rows:
                expected.add(word)
                assert wrong[word].over == " ".join(rows[1])
                assert wrong[word].given.sum() == pytest.approx(wrong[word].score, abs=1e-4)
                assert wrong[word].against.sum() == pytest.approx(wrong[word].rival_score, abs=1e-4)
        assert {*wrong} == expected
        seen += len(wrong)
    assert seen > 5


def test_wrong_lemmas_are_those_that_differ(words):
    [stage], seen = words[0]["lemmatizer"].stages, 0
    for gold in generate(150, seed=9):
        found = words[0]["lemmatizer"].parse(gold)
        for one in stage.wrong_decisions(gold.batch.alone(gold.index)):
            own, right = found.lemmas[one.word - 1], gold.lemmas[one.word - 1]
            assert own != right
            assert one.in_words == f"the lemma of {one.in_words.split()[3]} is *{own}* rather than *{right}*"
            assert one.given.sum() == pytest.approx(one.score, abs=1e-4)
            seen += 1
    assert seen


def test_teachers_of_taggers_have_what_the_feature_says(words):
    parsers, treebank = words
    [stage] = parsers["tagger"].stages
    decision = parsers["tagger"].explain(headway.Sentence(["The", "dogs", "bark"])).of(2)[0]
    at = next(at for at in range(len(decision.given)) if decision.name(at) == "UPOS(WORD-1)=DET")
    batches = list(headway.data.sources.batches_of(treebank))
    counts = stage.training_sentences_with(batches, decision.ids[[at]])[int(decision.ids[at])]
    expected = {}
    for number, sentence in enumerate(treebank):
        if several := sum(tag == "DET" for tag in sentence.upos[:-1]):
            expected[number] = several
    assert counts == expected


def test_the_command_tells_the_errors_of_a_tagger(words, tmp_path, run):
    parsers, treebank = words
    parsers["tagger"].save(tmp_path / "tagger")
    headway.write(generate(40, seed=9), tmp_path / "gold.conllu")
    headway.write(treebank, tmp_path / "train.conllu")
    asked = ("explain", tmp_path / "tagger", tmp_path / "gold.conllu", "--errors", "--top", 2)
    done = run(*asked, "--stage", "tagger", "--treebank", tmp_path / "train.conllu")
    assert done.exit_code == 0 and " instead of " in done.stdout and "training sentence" in done.stdout
    assert run(*asked, "--stage", "parser").exit_code == 2


@pytest.mark.parametrize("options", [{}, {"parser": "graph"}])
def test_words_that_are_new_to_the_model_are_named(options):
    parser = headway.train(generate(100, seed=1), passes=2, **options)
    sentence = next(iter(generate(1, seed=7)))
    forms = ["Zyzzyva", *sentence.forms[1:]]
    explanation = parser.explain(sentence.replace(forms=forms))
    assert 1 in explanation.hardly_known
    assert forms.index("the") + 1 not in explanation.hardly_known
    assert "new to the model, or nearly: *Zyzzyva*" in explanation.text(word=1)
    assert pickle.loads(pickle.dumps(explanation)).text() == explanation.text()
    assert explanation.to_dict()["hardly_known"] == explanation.hardly_known
