"""Models know which columns their features need; what an input lacks is said before it is parsed, or refused."""

import json
import logging

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.kernels.text.encode import key_of
from headway.stages.needed_columns import check_input, records_of, seen_in

FAMILIES = {
    "transition": {"parser": "transition", "features": "malt-14"},
    "kernel": {"parser": "transition", "features": "malt-14", "learner": "kernel-svm"},
    "graph": {"parser": "graph", "bits": 14, "label_bits": 13},
    "boosted": {"parser": "boosted", "rounds": 1, "dynamic": False},
}


def with_columns(sentences, **columns):
    """The sentences with the same cell in every word."""
    return [s.replace(**{name: [cell] * len(s) for name, cell in columns.items()}) for s in sentences]


@pytest.fixture(scope="module")
def treebank():
    sentences = [s.replace(xpos=["_"] * len(s)) for s in generate(60, seed=1)]
    return [s.replace(lemmas=[form.lower() for form in s.forms]) for s in sentences]


@pytest.fixture(scope="module")
def test():
    return [s.replace(xpos=["_"] * len(s)) for s in generate(10, seed=2)]


@pytest.fixture(scope="module", params=FAMILIES)
def parser(request, treebank):
    if request.param == "kernel":
        pytest.importorskip("sklearn")
    steps = {} if request.param in ("kernel", "boosted") else {"passes": 1}
    return headway.train(treebank, **FAMILIES[request.param], **steps)


@pytest.fixture(scope="module")
def rich(treebank):
    """A parser that looks at words, lemmas, tags and morphological features."""
    return headway.train(treebank, passes=1, features="default")


def notes(caplog, parser, source, **how):
    caplog.clear()
    with caplog.at_level(logging.WARNING, "headway"):
        found = list(parser.parse(source, **how))
    return caplog.messages, found


def test_what_the_treebank_had_is_remembered_without_its_text(parser, treebank, tmp_path):
    seen = parser.seen
    assert set(seen) == parser.needs - {"FORM"}
    assert seen["UPOS"]["filled"] == 1.0
    tags = {tag for sentence in treebank for tag in sentence.upos}
    assert seen["UPOS"]["tags"] == [f"{key:016x}" for key in sorted(key_of(tag.encode()) for tag in tags)]
    parser.save(tmp_path / "m")
    assert headway.load(tmp_path / "m").seen == seen
    header = json.dumps(parser.stages[0].pack().header["about"])
    assert not [tag for tag in tags if f'"{tag}"' in header]


def test_an_input_with_all_columns_is_parsed_without_a_word(parser, test, caplog):
    assert notes(caplog, parser, test)[0] == []


def test_an_input_without_tags_is_refused_in_every_family(parser, test, tmp_path):
    bare = with_columns(test, upos="_")
    for parse in (parser.parse, parser.parse_bytes, parser.parse_batches):
        with pytest.raises(HeadwayError) as refusal:
            list(parse(bare))
        assert str(refusal.value).endswith(
            "no word has a tag that the model was trained on (UPOS; there are none at all), so its trees would be "
            "little better than chance; tag the words first, or parse them all the same with --force "
            "(in Python force=True)"
        )
    assert len(list(parser.parse(bare, force=True))) == len(test)


def test_tags_of_another_kind_are_refused(rich, test):
    with pytest.raises(HeadwayError, match=r"\(UPOS; the first is 'NN'\)"):
        list(rich.parse(with_columns(test, upos="NN")))


def test_tags_that_are_mostly_unknown_are_worth_a_note(rich, test, caplog):
    mixed = with_columns(test[:8], upos="NN") + test[8:]
    [note], found = notes(caplog, rich, mixed)
    assert "the model knows the UPOS of " in note and " % of the words; expect many more mistakes" in note
    assert len(found) == len(test)


@pytest.mark.parametrize("words", [1, 2, 3, 4, 40])
def test_the_number_of_words_decides_nothing(parser, run, words, tmp_path):
    """Lists, sentences, files of words and treebanks: without a tag that the model knows, none is parsed unforced."""
    forms = ["Dogs"] * words
    sentence = headway.Sentence(forms)
    headway.write([sentence], tmp_path / "words.conllu")
    (tmp_path / "words").write_text(" ".join(forms))
    for tags, found in ((None, "there are none at all"), (["OUCH"] * words, "the first is 'OUCH'")):
        with pytest.raises(HeadwayError, match=f"no word has a tag that the model was trained on .*{found}"):
            parser(forms, tags=tags)
        assert len(parser(forms, tags=tags, force=True)) == words
    for source in (sentence, [sentence], tmp_path / "words.conllu"):
        with pytest.raises(HeadwayError, match="no word has a tag that the model was trained on"):
            list(parser.parse(source))
    with pytest.raises(HeadwayError, match="no word has a tag that the model was trained on"):
        list(parser.parse(tmp_path / "words", input="tokens"))


def test_tags_that_the_treebank_often_lacked_are_missed_in_long_inputs_only(treebank):
    half = [s.replace(upos=[tag if at % 2 else "_" for at, tag in enumerate(s.upos)]) for s in treebank]
    some = headway.train(half, passes=1, features="malt-14")
    assert len(some(["Dogs", "bark"])) == 2
    with pytest.raises(HeadwayError, match="there are none at all"):
        some(["Dogs"] * 40)


def test_columns_that_are_empty_are_named_before_parsing(rich, test, caplog):
    for columns, words in (
        ({"lemmas": "_"}, "LEMMA is empty, and the model looks at it; expect many more mistakes, or fill it first"),
        ({"lemmas": "_", "feats": "_"}, "LEMMA and FEATS are empty, and the model looks at them; expect many more"),
    ):
        [note], _ = notes(caplog, rich, with_columns(test, **columns))
        assert words in note


def test_a_format_without_the_columns_says_so(rich, test, caplog, tmp_path):
    headway.write(test, tmp_path / "test.tab", format="malttab")
    [note], found = notes(caplog, rich, tmp_path / "test.tab", force=True)
    assert "LEMMA, UPOS and FEATS are not there, and the model looks at them" in note
    assert len(found) == len(test)


def test_a_column_that_the_treebank_seldom_filled_is_missed_in_long_inputs_only():
    seen = {"FEATS": {"filled": 0.05}}
    [short], [long] = (list(batches_of(with_columns(generate(n, seed=1), feats="_"))) for n in (1, 50))
    logger = logging.getLogger("headway")
    for batch, expected in ((short, 0), (long, 1)):
        heard = []
        handler = logging.Handler()
        handler.emit = heard.append
        logger.addHandler(handler)
        check_input(batch, records_of(seen, {"FORM", "FEATS"}))
        logger.removeHandler(handler)
        assert len(heard) == expected


def test_a_model_from_before_refuses_nothing_and_says_what_is_empty(rich, test, caplog):
    from dataclasses import replace

    [stage] = rich.stages
    old = headway.Parser([replace(stage, about={name: v for name, v in stage.about.items() if name != "columns"})])
    [note], found = notes(caplog, old, with_columns(test, upos="_"))
    assert "UPOS is empty, and the model looks at it" in note and len(found) == len(test)
    assert notes(caplog, old, with_columns(test, upos="NN"))[0] == []


@pytest.mark.parametrize("record", [None, 3, [], {"UPOS": 3}, {"UPOS": {"tags": [1]}}, {"UPOS": {"tags": ["x"]}}])
def test_a_record_that_makes_no_sense_is_none(rich, test, record):
    from dataclasses import replace

    [stage] = rich.stages
    forged = headway.Parser([replace(stage, about={**stage.about, "columns": record})])
    assert len(list(forged.parse(test))) == len(test)


def test_columns_that_a_stage_before_gives_are_not_asked_of_the_input(rich, test):
    class Tagger:
        needs, gives, about = frozenset({"FORM"}), frozenset({"UPOS"}), {}

        def annotate(self, batch):
            return batch

    row = headway.Parser([Tagger(), *rich.stages])
    assert "UPOS" not in row.needs and "UPOS" not in row.seen and "LEMMA" in row.seen


def test_what_is_seen_counts_words():
    [batch] = batches_of([headway.Sentence(forms=["a", "b", "c"], upos=["X", "_", "X"], lemmas=["_"] * 3)])
    assert seen_in([batch], {"FORM", "UPOS", "LEMMA"}) == {
        "LEMMA": {"filled": 0.0},
        "UPOS": {"filled": 0.6667, "tags": [f"{key_of(b'X'):016x}"]},
    }
    assert seen_in([], {"UPOS"}) == {"UPOS": {"filled": 0.0, "tags": []}}
    assert np.uint64(int(f"{key_of(b'X'):016x}", 16)) == np.uint64(key_of(b"X"))


def test_dev_that_lacks_columns_is_worth_a_note(treebank, test, caplog):
    with caplog.at_level(logging.WARNING, "headway"):
        headway.train(treebank, dev=with_columns(test, lemmas="_"), passes=2, features="default")
    assert sum("LEMMA is empty, and the model looks at it" in message for message in caplog.messages) == 1


def test_the_command_refuses_and_can_be_forced(run, rich, test, tmp_path):
    rich.save(tmp_path / "model")
    headway.write(with_columns(test, upos="_"), tmp_path / "bare.conllu")
    refused = run("parse", tmp_path / "model", tmp_path / "bare.conllu", "-o", tmp_path / "out")
    assert refused.exit_code == 2 and "bare.conllu: no word has a tag that the model was trained on" in refused.stderr
    assert not (tmp_path / "out").exists()
    forced = run("parse", tmp_path / "model", tmp_path / "bare.conllu", "-o", tmp_path / "out", "--force")
    assert forced.exit_code == 0 and "UPOS is empty, and the model looks at it" in forced.stderr
    assert (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("story.txt", "Dogs bark. They never sleep!\n"),
        ("a.conllu", "Dogs bark.\n\nThey sleep.\n"),
        ("b", "Dogs\nbark\n\n"),
    ],
)
@pytest.mark.parametrize("command", ["train", "convert", "info"])
def test_raw_text_gets_a_message_about_what_to_do(command, name, text, run, tmp_path):
    (tmp_path / name).write_text(text)
    done = run(*{"train": ["train", "-o", tmp_path / "new"]}.get(command, [command]), tmp_path / name)
    assert done.exit_code == 2
    assert done.stderr == (
        f"{tmp_path / name}:1: '{text.splitlines()[0]}' has no columns, as if it were raw text; give a treebank, "
        "which has a line for each word; text is for headway parse, with a model that was trained with --pipeline\n"
    )
