"""Given tokens are split into the words of multiword tokens, where the model has learned to."""

import io
import pickle

import pytest
import segmented_texts as texts

import headway
from headway.data.formats.reading import InputReader, from_conllu
from headway.data.sources import batches_of
from headway.text.segmenter.exceptions import exceptions_from
from headway.text.segmenter.options import SegmenterOptions

SENTENCE = """\
1\tΠάω\t_\t_\t_\t_\t_\t_\t_\t_
2-3\tστο\t_\t_\t_\t_\t_\t_\t_\t_
2\tσ\t_\t_\t_\t_\t_\t_\t_\t_
3\tτο\t_\t_\t_\t_\t_\t_\t_\t_
4\tσπίτι\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
5\t.\t_\t_\t_\t_\t_\t_\t_\t_

"""
WORDS = "Πάω στο σπίτι\nΤο σπίτι\n\nΣτο τέλος .\n"


@pytest.fixture(scope="module")
def parser():
    training = SegmenterOptions(passes=2).begin(list(batches_of(from_conllu(SENTENCE * 20))))
    training.step(1, lambda share: None)
    return headway.Parser([training.candidates()[0]])


def parsed(parser, text, **how):
    return list(parser.parse(io.BytesIO(text.encode()), **how))


def test_tokens_are_split(parser):
    first, second, third = parsed(parser, WORDS, input="tokens")
    assert first.forms == ["Πάω", "σ", "το", "σπίτι"] and second.forms == ["Το", "σπίτι"]
    assert third.forms == ["Σ", "το", "τέλος", "."]
    assert [(span.first, span.last, span.form) for span in (*first.multiwords, *third.multiwords)] == [
        (2, 3, "στο"),
        (1, 2, "Στο"),
    ]
    assert first.text == "Πάω στο σπίτι" and first.comments == ["# text = Πάω στο σπίτι"]


def test_words_stay_one_to_one_elsewhere(parser):
    vertical = "\n".join(WORDS.split("\n")[0].split())
    for found in (
        parsed(parser, WORDS, input="tokens", keep="tokens")[0],
        parsed(parser, vertical, input="vertical")[0],
        parser(["Πάω", "στο", "σπίτι"]),
        parser.parse(headway.Sentence(forms=["Πάω", "στο", "σπίτι"])),
    ):
        assert found.forms == ["Πάω", "στο", "σπίτι"] and not found.multiwords


def test_threads_and_pickled_parsers_find_the_same(parser):
    expected = [sentence.forms for sentence in parsed(parser, WORDS * 300, input="tokens")]
    again = pickle.loads(pickle.dumps(parser))
    for one, threads in ((parser, 3), (again, 1)):
        found = parsed(one, WORDS * 300, input="tokens", threads=threads)
        assert [sentence.forms for sentence in found] == expected


def test_the_command(parser, run, tmp_path):
    parser.save(tmp_path / "model")
    (tmp_path / "words").write_text(f"{WORDS}στο https://a.gr/b\n", "utf-8")
    call = ["parse", tmp_path / "model", tmp_path / "words", "-o", tmp_path / "found"]
    for options, words in (
        (["--input", "tokens"], 13),
        (["--input", "tokens", "--keep", "tokens"], 10),
        (["--input", "vertical"], 4),
        (["--input", "sentences"], 13),
        (["--input", "sentences", "--no-patterns"], 21),  # https : / / a . gr / b
    ):
        result = run(*call, *options)
        assert result.exit_code == 0, result.stderr
        assert sum(map(len, headway.read(tmp_path / "found"))) == words, options


def test_exceptions_split_tokens_too(parser):
    mine = exceptions_from(["στο", "σπιτάκι\tσπίτι μικρό", "a.b\ta. b"])
    reader = InputReader(io.BytesIO("στο σπιτάκι a.b".encode()), input="tokens", exceptions=mine)
    [sentence] = parser.parse(reader)
    assert sentence.forms == ["στο", "σπίτι", "μικρό", "a.b"]


def test_a_model_that_splits_nothing_leaves_tokens_as_they_were():
    plain = texts.segmenter()
    [batch] = InputReader(io.BytesIO(b"Dogs bark\n"), input="tokens").batches()
    assert plain.splitter.scripts or plain.split(batch) is batch


def test_many_sentences_keep_their_places(parser):
    found = parsed(parser, WORDS * 700, input="tokens")
    assert len(found) == 2100 and found[2099].forms == found[2].forms
    assert [sentence.forms for sentence in found[:3]] * 700 == [sentence.forms for sentence in found]
