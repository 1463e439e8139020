"""A parser in Python: words, sentences, files in; sentences out."""

import io

import pytest

import headway
from headway import HeadwayError, Sentence
from headway.data.sample import generate


@pytest.fixture(scope="module")
def parser():
    return headway.train(generate(40), passes=2)


@pytest.fixture(scope="module")
def sentences():
    return list(generate(5, seed=7))


def bare(sentence):
    """The sentence without its tree."""
    names = ("forms", "lemmas", "upos", "xpos", "feats")
    return Sentence(**{name: getattr(sentence, name) for name in names})


def test_words_and_tags_make_one_parsed_sentence(parser, sentences):
    for sentence in sentences:
        more = {name: getattr(sentence, name) for name in ("xpos", "lemmas", "feats")}
        found = parser(sentence.forms, sentence.upos, **more)
        assert found == parser.parse(bare(sentence))
        assert found.heads.tolist() == next(parser.parse([sentence])).heads.tolist()


def test_tags_go_where_the_parser_looks_for_them(sentences):
    own = headway.train(generate(40), passes=1, features="malt-14")
    assert own.needs == {"FORM", "XPOS"}
    assert own(["Dogs", "bark"], ["NNS", "VBP"]).xpos == ["NNS", "VBP"]
    assert own(["Dogs", "bark"], ["NOUN", "VERB"], xpos=["NNS", "VBP"]).upos == ["NOUN", "VERB"]


def test_a_sentence_alone_comes_back_alone(parser, sentences):
    found = parser.parse(sentences[0])
    assert isinstance(found, Sentence)
    assert found == next(parser.parse(sentences))
    assert len(found.batch) == 1


def test_all_sources_are_parsed_alike(parser, sentences, tmp_path):
    path = tmp_path / "some.conllu"
    headway.write(sentences, path)
    expected = list(parser.parse(sentences))
    assert list(parser.parse(path)) == expected
    assert list(parser.parse(str(path))) == expected
    assert list(parser.parse(headway.read(path))) == expected
    assert list(parser.parse(iter(sentences))) == expected
    assert list(parser.parse(headway.from_conllu(path.read_text("utf-8")))) == expected
    assert list(parser.parse([path, path], threads=2)) == expected * 2
    for mode in ("r", "rb"):
        with path.open(mode) as file:
            assert list(parser.parse(file)) == expected
    assert list(parser.parse(io.StringIO(path.read_text("utf-8")))) == expected


def test_a_parser_alone_says_what_text_needs(parser):
    with pytest.raises(
        HeadwayError, match=r"<text>:1: 'Dogs bark\.' is text, and it has to be cut first; the model does"
    ):
        parser("Dogs bark.")
    with pytest.raises(HeadwayError, match=r"expected a string, got b?'Dogs bark\.'; decode it first"):
        parser(b"Dogs bark.")
    with pytest.raises(HeadwayError, match=r"give it to parser.parse"):
        parser(Sentence(forms=["Dogs"]))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([["Dogs", "bark"]], r"expected a Sentence, got a list; make one of words with headway.Sentence\(\["),
        ([None], "expected a Sentence, got None"),
        (7, "expected a treebank, got 7; give a path, an open file or sentences"),
        ("1\tDogs\n\n", "is not a path; headway.from_conllu reads CoNLL-U from a string"),
    ],
)
def test_what_cannot_be_parsed_is_refused(parser, source, message):
    with pytest.raises(HeadwayError, match=message):
        list(parser.parse(source))


@pytest.mark.parametrize("words", [None, 7, [], ["Dogs", 5]])
def test_words_that_are_none_are_refused(parser, words):
    with pytest.raises(HeadwayError, match=r"expected a |has no words|is no string"):
        parser(words)
    with pytest.raises(HeadwayError, match="upos has 1 value for 2 words"):
        parser(["Dogs", "bark"], ["NOUN"])


def test_model_files_have_paths(parser, tmp_path):
    parser.save(tmp_path / "english.headway")
    assert repr(headway.load(tmp_path / "english.headway")) == repr(parser)
    for path in (None, 3, [b"x"]):
        with pytest.raises(HeadwayError, match="is not a path; name a model file, or give an open one or its bytes"):
            headway.load(path)
    for path in (None, 3, io.BytesIO()):
        with pytest.raises(HeadwayError, match="is not a path; name a model file"):
            parser.save(path)
    with pytest.raises(HeadwayError, match=r"expected a list of stages, got 'english\.headway'; "):
        headway.Parser("english.headway")


@pytest.mark.parametrize("family", ["transition", "graph", "boosted"])
def test_what_people_print_is_short(family):
    sentences = list(generate(40))
    parser = headway.train(sentences, parser=family, **({"rounds": 1} if family == "boosted" else {"passes": 1}))
    parsed = next(parser.parse(sentences))
    things = [parser, *parser.stages, parsed, parsed[0], parsed.batch, *parsed.batch.layers]
    for thing in things:
        assert len(repr(thing)) < 250, repr(thing)
        assert "\n" not in repr(thing)
    assert repr(parser) == f"<Parser: {family} parser; needs FORM, LEMMA, UPOS, XPOS, FEATS; gives HEAD, DEPREL>"


def test_options_print_what_is_not_the_default():
    assert repr(headway.GraphOptions()) == "GraphOptions()"
    assert repr(headway.GraphOptions(order=1, learner="cw")) == "GraphOptions(learner='cw', order=1)"
