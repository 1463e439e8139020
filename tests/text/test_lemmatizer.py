import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.text.lemmatizer.edit_scripts import UNSAID, FittingScripts, applied
from headway.text.lemmatizer.options import LemmatizerOptions
from headway.text.lemmatizer.word_keys import shape_of
from headway.training.contract import unheard


def learned(data, **options):
    training = LemmatizerOptions(**{"passes": 3, **options}).begin(data)
    for number in range(1, training.planned + 1):
        training.step(number, unheard)
    return training.candidates()[0]


def share(stage, data):
    pairs = [
        pair
        for batch in data
        for pair in zip(batch.bare.column("LEMMA"), stage.annotate(batch).column("LEMMA"), strict=True)
    ]
    return sum(one == other for one, other in pairs) / len(pairs)


def treebank(*sentences):
    """Batches of sentences, whose words are `form lemma UPOS FEATS`."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence, 1):
            form, lemma, upos, feats = (*word.split(" "), "_")[:4]
            head = 0 if number == 1 else 1
            lines.append(f"{number}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\tdep\t_\t_\n")
        lines.append("\n")
    return list(batches_of(headway.from_conllu("".join(lines))))


def lemmas(stage, *sentences):
    (batch,) = treebank(*([f"{word.split()[0]} _ {word.split()[1]}" for word in one] for one in sentences))
    return stage.annotate(batch).column("LEMMA")


@pytest.fixture(scope="module")
def train():
    return list(batches_of(generate(400, seed=1)))


@pytest.fixture(scope="module")
def dev():
    return list(batches_of(generate(150, seed=2)))


@pytest.fixture(scope="module")
def stage(train):
    return learned(train)


def test_lemmas_of_new_text_are_nearly_all_right(stage, dev):
    assert share(stage, dev) > 0.985
    assert stage.needs == {"FORM", "UPOS", "XPOS", "FEATS"}
    assert stage.gives == {"LEMMA"}


def test_weights_tell_what_the_dictionary_does_not_know(train, dev, stage):
    untaught = learned(train, passes=1, features=headway_features("UPOS(WORD)"), familiar=0.0)
    assert share(stage, dev) > share(untaught, dev) + 0.003


def headway_features(text):
    from headway.features.language import parse

    return parse(text)


def test_a_model_holds_no_text_but_scripts_and_features(stage):
    header, arrays = stage.pack()
    assert {type(array) for array in arrays.values()} == {np.ndarray}
    texts = {
        name
        for name, value in header.items()
        if isinstance(value, (str, list)) and name not in ("kind", "tags", "weights")
    }
    assert texts == {"scripts", "features"}


def test_known_words_have_their_lemmas_whatever_the_weights_say():
    data = treebank(["saw see VERB", "dogs dog NOUN"], ["The the DET", "saw saw NOUN"])
    stage = learned(data)
    assert lemmas(stage, ["saw NOUN", "saw VERB", "Dogs NOUN", "the DET"]) == ["saw", "see", "dog", "the"]


def test_names_keep_their_case_and_first_words_lose_it():
    words = ["Paris", "Anna", "Oslo", "Rome", "Peter"], ["The", "Some", "These", "Every", "No"]
    data = treebank(*([f"{a} {a.lower()} DET", f"{b} {b} PROPN"] for a, b in zip(*reversed(words), strict=True)))
    assert lemmas(learned(data), ["Many DET", "Berlin PROPN"]) == ["many", "Berlin"]


def test_a_familiar_lemma_is_preferred_where_others_score_nearly_as_well():
    data = treebank(*([f"{a}ses {a}se NOUN"] for a in "qwrtp"), *([f"{a}es {a} NOUN"] for a in ("bus", "gas", "pus")))
    data += treebank(["virus virus NOUN"])
    assert lemmas(learned(data, familiar=100.0), ["viruses NOUN"]) == ["virus"]


def test_context_decides_where_words_do_not():
    is_, has = ["he he PRON", "'s be AUX", "good good ADJ"], ["he he PRON", "'s have AUX", "gone go VERB"]
    stage = learned(treebank(*[is_, has] * 4), passes=5)
    assert lemmas(stage, ["he PRON", "'s AUX", "gone VERB"])[1] == "have"
    assert lemmas(stage, ["he PRON", "'s AUX", "good ADJ"])[1] == "be"


def test_words_that_have_no_lemma_in_the_treebank_get_none():
    data = treebank(["dogs dog NOUN", "- _ SYM", "+ _ SYM", "/ _ SYM"])
    assert lemmas(learned(data), ["* SYM", "dogs NOUN"]) == ["_", "dog"]
    with pytest.raises(HeadwayError, match="the treebank has no lemmas"):
        learned(treebank(["dogs _ NOUN"]))
    with pytest.raises(HeadwayError, match="the treebank has no sentences"):
        learned([])


def test_learning_sees_predicted_tags_and_right_lemmas(train):
    from headway.data.layers import Codes

    tagged = [
        batch.with_layer(
            "predicted",
            columns={"UPOS": Codes(np.zeros(len(batch.word_line), np.int32), ("X",)), "LEMMA": batch.codes("XPOS")},
        )
        for batch in train[:1]
    ]
    stage = learned(tagged)
    assert share(stage, tagged) > 0.95


LINES = "blorps\tblorp\tNOUN\nquux\tqu\tVERB\t_\tTense=Past\nran\trin\tVERB\n"


@pytest.fixture
def lexicon(tmp_path):
    (tmp_path / "lexicon.tsv").write_text(LINES)
    return str(tmp_path / "lexicon.tsv")


def test_a_lexicon_decides_even_against_the_treebank(lexicon):
    data = treebank(["ran run VERB", "quux quux NOUN", "dogs dog NOUN"])
    stage = learned(data, lexicon=lexicon)
    assert lemmas(stage, ["Ran VERB", "blorps NOUN", "ran NOUN"])[:2] == ["rin", "blorp"]
    hints = learned(data, lexicon=lexicon, lexicon_as="features")
    assert lemmas(hints, ["ran VERB"]) == ["run"]


def test_a_lexicon_of_features_helps_new_words(tmp_path, train, dev):
    path = tmp_path / "lexicon.tsv"
    rows = {(s.forms[i], s.lemmas[i], s.upos[i]) for s in generate(150, seed=2) for i in range(len(s))}
    path.write_text("".join("\t".join(row) + "\n" for row in sorted(rows)))
    assert share(learned(train, lexicon=str(path)), dev) > 0.995


def test_a_lexicon_that_is_not_there_is_refused_before_training(tmp_path):
    with pytest.raises(HeadwayError, match="No such file"):
        LemmatizerOptions(lexicon=str(tmp_path / "none.tsv")).ready()


def test_fitting_scripts_are_those_that_can_be_applied():
    scripts = ["lower|*", "keep|*", "lower|*|s>", "lower|un>|*", "keep|*|s>", "capitalise|*", "upper|*", UNSAID]
    scripts += ["lower|1|ä>a|*|er>", "lower|was>be", "capitalise|*|s>"]
    index = FittingScripts(scripts, range(len(scripts)))
    for form in ("s", "dogs", "Dogs", "DOGS", "unties", "Männer", "was", "Was", "A", "1", "ß", "İs", "\u0345"):
        fitting = index.fitting(form)
        assert list(fitting) == sorted(set(fitting))
        found = {applied(scripts[number], form) for number in fitting}
        possible = {applied(script, form) for script in scripts} - {None}
        assert None not in found
        assert found == possible, form


@pytest.mark.parametrize(
    ("form", "shape"), [("Dogs", "Xx+"), ("1,250", "d,d+"), ("U.S.", "X.X."), ("3", "d"), ("...", ".+"), ("éÉ", "xX")]
)
def test_shapes(form, shape):
    assert shape_of(form) == shape
