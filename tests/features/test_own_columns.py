"""Columns that a Python function of one's own gives the words, as features of each family."""

import pickle

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.features.own_columns import COLUMNS

STEPS = "FORM(STACK0)\nMY:told(STACK0)\nMY:told(QUEUE0)\nMY:told(STACK0) & MY:told(QUEUE0)\nMY:told(STACK0 fw)\n"
ARCS = "FORM(CHILD)\nMY:told(PARENT) & MY:told(CHILD)\nMY:told(CHILD) & LABEL(CHILD)\n"
PAIRS = "FORM(FIRST)\nMY:told(FIRST) & MY:told(SECOND)\n"
FAMILIES = {
    "transition": {"features": STEPS, "passes": 2},
    "graph": {"features": ARCS, "order": 1, "bits": 14, "label_bits": 12, "passes": 2},
    "boosted": {"features": PAIRS, "label_features": ARCS, "rounds": 1},
}


@pytest.fixture
def register():
    """Registers functions as long as a test runs."""
    before = set(COLUMNS)

    def named(**functions):
        for name, function in functions.items():
            COLUMNS.register(name, function)

    yield named
    for name in set(COLUMNS) - before:
        COLUMNS.unregister(name)


TRAIN, TEST = list(generate(40, seed=1)), list(generate(15, seed=2))
LABELS = {form: label for one in (*TRAIN, *TEST) for form, label in zip(one.forms, one.deprels, strict=True)}
UPOS = {form: tag for one in (*TRAIN, *TEST) for form, tag in zip(one.forms, one.upos, strict=True)}


def told(forms):
    return [LABELS.get(form, "_") for form in forms]


def bare(sentences):
    return [one.replace(upos=None, xpos=None, feats=None, lemmas=None) for one in sentences]


def train(folder, data, **how):
    """A parser with features that are texts here."""
    for name in {"features", "label_features"} & set(how):
        (folder / name).write_text(how[name])
        how[name] = str(folder / name)
    return headway.train(data, **how)


def las(parser, sentences):
    return float(headway.evaluate(sentences, parser.parse(bare(sentences)))["LAS"])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_function_tells_is_used_by_all_that_a_parser_does(family, tmp_path, register):
    register(told=told)
    how = {"dev": bare(TEST), "calibrate": "dev", "parser": family, **FAMILIES[family]}
    parser, test = train(tmp_path, bare(TRAIN), **how), bare(TEST)
    parser.save(tmp_path / "model")
    loaded = headway.load(tmp_path / "model")
    assert loaded.needs <= {"FORM", "UPOS"}  # boosted parsers always look at tags
    parsed = b"".join(loaded.parse_bytes(test, confidence=True))
    assert b"".join(parser.parse_bytes(test, confidence=True, threads=2)) == parsed
    assert b"".join(pickle.loads(pickle.dumps(loaded)).parse_bytes(test, confidence=True)) == parsed
    decisions = loaded.explain(test[1]).decisions
    names = [reason.feature for decision in decisions for reason in decision.reasons()]
    assert any("MY:told(" in name and "=root" in name for name in names)
    assert "told +" in loaded.explain(test[1]).text()
    seen, before = las(loaded, TEST), las(loaded, TEST[1:2])
    for _ in range(5):
        loaded.update(test[1])
    assert las(loaded, TEST[1:2]) > before or before == 100
    COLUMNS.unregister("told")
    for act in (lambda: headway.load(tmp_path / "model"), lambda: list(parser.parse(test))):
        with pytest.raises(HeadwayError, match=r"MY:told, and no function is registered .* --import my_parts\.py"):
            act()
    register(told=lambda forms: ["x" for _ in forms])
    assert seen > las(headway.load(tmp_path / "model"), TEST) + 15


def test_taggers_and_lemmatizers_ask_functions_of_forms(tmp_path, register):
    register(said=lambda forms: [UPOS.get(form) or "_" for form in forms], tagged=lambda upos: upos)
    how = {"parser": "tagger", "passes": 2, "gives": "UPOS"}
    tagger = train(tmp_path, TRAIN, features="MY:said(WORD)\nFORM(WORD-1) & MY:said(WORD)", **how)
    tagger.save(tmp_path / "model")
    found = list(headway.load(tmp_path / "model").parse(bare(TEST)))
    assert float(headway.evaluate(TEST, found)["UPOS"]) > 90
    assert "MY:said(WORD)=" in tagger.explain(bare(TEST)[0]).text(features=True)
    with pytest.raises(HeadwayError, match=r"function of MY:tagged may ask for forms only"):
        train(tmp_path, TRAIN, features="MY:tagged(WORD)", **how)
    lemmas = {form: lemma for one in (*TRAIN, *TEST) for form, lemma in zip(one.forms, one.lemmas, strict=True)}
    register(ends=lambda forms: [form[len(lemmas.get(form, form)) :] or "_" for form in forms])
    how = {"parser": "lemmatizer", "passes": 5}
    right, blind = (
        float(headway.evaluate(TEST, train(tmp_path, TRAIN, features=some, **how).parse(TEST))["Lemmas"])
        for some in ("MY:ends(WORD)\nUPOS(WORD)", "UPOS(WORD)")
    )
    assert right > blind


@pytest.mark.parametrize(
    ("function", "said"),
    {
        "words": (lambda words: words, "the function of MY:wrong has a parameter 'words'; known are: feats, forms"),
        "heads": (lambda heads: heads, "the function of MY:wrong has a parameter 'heads'; known are"),
        "nothing": (lambda: (), "the function of MY:wrong asks for nothing; give it a parameter: known are"),
        "few": (lambda forms: forms[1:], r"sample>?:\d+: MY:wrong has \d+ values for \d+ words; give each word one"),
        "numbers": (lambda forms: [1] * len(forms), "MY:wrong: expected a string for word 1, got 1"),
        "tabs": (lambda forms: ["a\tb"] * len(forms), "MY:wrong: 'a.tb' of word 1 holds a tab"),
        "fails": (lambda forms: {}[forms[0]], r":\d+: MY:wrong: KeyError: '\w+'; correct the function"),
    }.values(),
)
def test_a_function_that_is_wrong_is_refused_in_a_sentence(function, said, tmp_path, register):
    register(wrong=function)
    with pytest.raises(HeadwayError, match=said):
        train(tmp_path, TRAIN[:3], features="MY:wrong(STACK0)", passes=1)


def test_a_function_may_have_more_parameters_with_defaults(tmp_path, register):
    register(
        told=lambda forms, upos, table=LABELS: [table.get(form, tag) for form, tag in zip(forms, upos, strict=True)]
    )
    assert train(tmp_path, TRAIN[:5], features=STEPS, passes=1).needs == {"FORM", "UPOS"}


def test_what_cannot_be_called_is_not_registered(register):
    with pytest.raises(HeadwayError, match="column 'table', which is to be registered, has no attribute '__call__'"):
        register(table={})
