"""Documents: a text, its sentences, and where its words stand in it."""

import copy
import gc
import json
import pickle
import weakref

import pytest

import headway
from headway import Document, Sentence
from headway.data.placing import is_space
from headway.data.sample import generate
from headway.data.tokens import Multiword

TEXTS = [
    "The dogs bark. They do not sleep!",
    "  \n\n The  dogs\tbark.\n\nA cat \n sees a dog .  ",
    "\ufeffThe dogs bark.",
    "\ufeff \0The dogs\0bark, and cats don't.\0",
    "Ende 🐶 gut.\r\n\r\nAlles 𝒢ut!",
    "",
    " \n",
    "The dogs bark. " * 40,
]


@pytest.fixture(scope="module")
def parser():
    don_t = Sentence(
        ["They", "do", "n't", "sleep", "."],
        upos=["PRON", "AUX", "PART", "VERB", "PUNCT"],
        heads=[4, 4, 4, 0, 4],
        deprels=["nsubj", "aux", "advmod", "root", "punct"],
        misc=["_", "_", "_", "SpaceAfter=No", "_"],
        multiwords=[Multiword(2, 3, "don't")],
    )
    options = {"pipeline": True, "folds": 2, "features": "malt-14", "passes": 2}
    return headway.train([*generate(60, seed=1), *[don_t] * 10], **options)


@pytest.mark.parametrize("text", TEXTS)
def test_words_stand_where_they_stand_in_the_text(parser, text):
    document = parser(text)
    assert document.text == text
    seen = 0
    for sentence in document:
        assert (sentence.start, sentence.end) == (sentence[0].start, sentence[-1].end)
        spans = {word: one for one in sentence.multiwords for word in range(one.first, one.last + 1)}
        for token in sentence:
            form = spans[token.id].form if token.id in spans else token.form
            assert "".join(" " if is_space(c) else c for c in text[token.start : token.end]) == form
            if token.start >= seen:
                assert all(map(is_space, text[seen : token.start]))
            seen = max(seen, token.end)
    assert all(map(is_space, text[seen:]))


def test_words_of_a_multiword_token_share_its_place(parser):
    [sentence] = parser("They don't sleep.")
    assert [str(token) for token in sentence][1:3] == ["do", "n't"]
    assert [(token.start, token.end) for token in sentence][:4] == [(0, 4), (5, 10), (5, 10), (11, 16)]


def test_places_count_on_over_the_windows_of_a_long_paragraph(parser):
    text = "The dogs bark. " * 9_000
    found = parser(text)
    assert len(found.batches) > 1
    places = [place for batch in found.batches for place in batch.spans.begins.tolist()]
    ends = [place for batch in found.batches for place in batch.spans.ends.tolist()]
    forms = [form for batch in found.batches for form in batch.column("FORM")]
    assert [text[begin:end] for begin, end in zip(places, ends, strict=True)] == forms
    assert found[-1].start == text.rindex("The")


def test_places_survive_what_is_done_to_sentences(parser):
    text = "Ah. The dogs bark. They do not sleep."
    document = parser(text)
    again = pickle.loads(pickle.dumps(document))
    for other in (again, copy.deepcopy(document), Document(document, text), Document(parser.parse(document), text)):
        assert other == document and hash(other) == hash(document)
        assert [one.start for one in other] == [one.start for one in document] != [0, 0, 0]
    changed = document[1].replace(upos=["X"] * len(document[1]))
    assert changed.start == document[1].start and pickle.loads(pickle.dumps(changed)).end == changed.end


def test_without_a_text_words_stand_nowhere(parser):
    given = Sentence(["The", "dogs", "bark"])
    for sentence in (given, parser(["The", "dogs", "bark"]), parser(str(parser("The dogs bark.")))[0]):
        assert sentence.start is sentence.end is sentence[0].start is sentence[0].end is None
        assert "start" not in sentence[0].to_dict()
    assert isinstance(parser(["The", "dogs"]), Sentence)


def test_a_document_is_a_sequence_of_sentences(parser):
    document = parser("The dogs bark. They do not sleep! A cat sees a dog.")
    listed = list(document)
    assert len(document) == len(listed) and document[0] == listed[0] and document[-1] == listed[-1]
    assert document[1:] == listed[1:] and listed[1] in document and document.index(listed[1]) == 1
    assert document == Document(listed, document.text) != Document(listed) and document != listed
    assert headway.from_conllu(document.to_conllu()) == listed
    assert str(document) == document.to_conllu() == "".join(one.to_conllu() for one in listed)
    told = json.loads(json.dumps(document.to_dict()))
    assert told["text"] == document.text and told["sentences"][1]["tokens"][0]["start"] == listed[1].start
    assert repr(document).startswith(f"<Document of {len(listed)} sentences, ")
    assert document._repr_html_().count("<svg") == len(listed)
    with pytest.raises(IndexError, match="there is none at index 99"):
        document[99]
    with pytest.raises(headway.HeadwayError, match="give a number or a slice"):
        document["text"]
    with pytest.raises(headway.HeadwayError, match="expected a string"):
        Document(listed, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("The cat barks. They do not sleep!", r"'dogs' does not stand here in the text: the text goes on with 'cat ba"),
        ("The dogs bark.", "'They' does not stand here in the text: the text ends before it"),
        ("The dogs bark. They do not sleep! Not at all.", "no sentence has 'Not at all.', which stands in the text"),
        ("The dogsbark. They do not sleep!", None),
        ("", "the text ends before it"),
    ],
)
def test_the_text_of_a_document_is_that_of_its_sentences(parser, text, message):
    document = parser("The dogs bark. They do not sleep!")
    if message is None:
        assert document.replace(document) == document and Document(document, text)[0][2].start == 8
        return
    with pytest.raises(headway.HeadwayError, match=message):
        Document(document, text)


def test_a_table_has_a_row_for_each_word(parser):
    document = parser("The dogs bark. They don't sleep!")
    table = document.to_table()
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    wanted = [token.to_dict() | {"sentence": n} for n, sentence in enumerate(document) for token in sentence]
    assert rows == wanted
    unknown = Document([Sentence(["a", "b"])]).to_table()
    assert unknown["head"] == unknown["start"] == [None, None] and unknown["form"] == ["a", "b"]


def test_a_document_of_treebank_text_has_the_text_of_its_sentences(parser):
    document = parser("The dogs bark. They sleep.")
    assert parser(str(document)).text == "The dogs bark.\nThey sleep."


@pytest.mark.parametrize("hand_out", ["document", "slice", "index", "parse", "pipe"])
def test_who_keeps_a_sentence_does_not_keep_its_batch(parser, hand_out, tmp_path):
    text = "The dogs bark. They do not sleep! A cat sees a dog. " * 20
    if hand_out == "parse":
        headway.write(parser(text), tmp_path / "t.conllu")
        batch = next(iter(parser.parse_batches(tmp_path / "t.conllu")))
        sentence = next(one for one in parser.parse(tmp_path / "t.conllu"))
        alone = sentence.batch
        assert len(alone) == 1 < len(batch) and len(alone.text) < len(batch.text) / 20
        arrays = [one for one in vars(alone).values() if hasattr(one, "base")]
        arrays += [codes.codes for layer in alone.layers for codes in layer.columns.values()]
        assert len(arrays) >= 12 and all(one.base is None for one in (*arrays, alone.heads))
        return
    document = next(parser.pipe([text])) if hand_out == "pipe" else parser(text)
    sentence = {"slice": lambda d: d[3:5][0], "index": lambda d: d[3]}.get(hand_out, lambda d: list(d)[3])(document)
    batch = weakref.ref(document.batches[0])
    assert len(batch()) > 50
    arrays = weakref.ref(document.batches[0].cells)
    before = str(sentence), sentence.heads.tolist(), sentence[0].start
    del document
    gc.collect()
    assert batch() is None and arrays() is None
    assert (str(sentence), sentence.heads.tolist(), sentence[0].start) == before


def test_a_sentence_alone_is_what_it_was_in_its_batch(parser):
    text = "The dogs bark. They don't sleep! A cat sees a dog. " * 9
    for batch in (*parser(text).batches, *parser.parse_batches(list(generate(40, seed=3)))):
        for index in range(len(batch)):
            there, alone = Sentence.view(batch, index), Sentence.view(batch.alone(index), 0)
            again = pickle.loads(pickle.dumps(alone))
            for other in (alone, again):
                assert other == there and other.place == there.place and other.start == there.start
                assert other.heads.tolist() == there.heads.tolist() and not other.batch.heads.flags.writeable
                assert other.comments == there.comments and other.multiwords == there.multiwords
                assert [other.column(f) for f in ("LEMMA", "FEATS")] == [there.column(f) for f in ("LEMMA", "FEATS")]
        middle = batch.part(3, 6)
        assert middle.render(batch.format) == batch.render(batch.format, 3, 6)


def columns_of(document):
    """Which columns have something in them."""
    table = document.to_table()
    return {name for name in ("lemma", "upos", "xpos", "feats", "deprel") if set(table[name]) != {"_"}}


TAGS = {"upos", "xpos", "feats"}


@pytest.mark.parametrize(
    ("stages", "found"),
    [
        ("tokens", set()),
        ("tokens,tags", TAGS),
        (["tags", "lemmas"], {"lemma", *TAGS}),
        ("tags,trees", {"deprel", *TAGS}),
        ("", {"lemma", "deprel", *TAGS}),
    ],
)
def test_only_what_is_asked_for_is_found(parser, stages, found):
    text = "The dogs bark. They don't sleep!"
    document, whole = parser(text, stages=stages), parser(text)
    assert columns_of(document) == found and [s.forms for s in document] == [s.forms for s in whole]
    assert document == next(parser.pipe([text], stages=stages)) and document[0].is_parsed == ("deprel" in found)
    for name in found:
        assert document.to_table()[name] == whole.to_table()[name]


def test_what_a_model_cannot_find_is_refused(parser):
    with pytest.raises(headway.HeadwayError, match="unknown thing to find 'tree'; known are: lemmas, tags, tokens, tr"):
        parser("The dogs bark.", stages="tree")
    with pytest.raises(headway.HeadwayError, match="no word has a tag"):
        parser("The dogs bark.", stages="trees")
    with pytest.raises(headway.HeadwayError, match="finds nothing in sentences"):
        parser("The dogs bark.", stages="tokens", k_best=2)
    only = headway.Parser(parser.stages[-1:])
    with pytest.raises(headway.HeadwayError, match="the model finds no tags; it has: transition parser"):
        only.parse(parser("The dogs bark.")[0], stages="tags,trees")


def test_stages_of_a_treebank_leave_the_rest_as_it_is(parser):
    sentence = next(iter(generate(1, seed=9)))
    assert parser.parse(sentence, stages="trees", keep="tags").lemmas == sentence.lemmas
    tagged = parser.parse(sentence.replace(upos=None, xpos=None, feats=None), stages="tags")
    assert tagged.heads.tolist() == sentence.heads.tolist() and tagged.upos != ["_"] * len(sentence)


def test_the_command_finds_and_writes_what_is_asked_for(parser, run, tmp_path):
    parser.save(tmp_path / "m")
    (tmp_path / "a.txt").write_text("The dogs bark. They don't sleep!")
    (tmp_path / "b.txt").write_text("A dog.")
    cut = run("parse", tmp_path / "m", tmp_path / "a.txt", "--stages", "tokens", "--to", "horizontal")
    assert (cut.stdout, cut.stderr) == ("The dogs bark .\nThey do n't sleep !\n", "")
    done = run("parse", tmp_path / "m", tmp_path / "a.txt", "--to", "malttab")
    assert done.stdout.startswith("The\tDT\t") and "not carried over" in done.stderr
    folder = f"{tmp_path}/out/"
    done = run("parse", tmp_path / "m", *tmp_path.glob("*.txt"), "--to", "vertical", "-o", folder)
    assert done.exit_code == 0 and (tmp_path / "out" / "b.txt").read_text() == "A\ndog\n.\n\n"
    wrong = run("parse", tmp_path / "m", tmp_path / "a.txt", "--stages", "tag")
    assert wrong.exit_code != 0 and "unknown thing to find 'tag'" in wrong.stderr
