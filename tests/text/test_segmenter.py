"""Segmenters: every character comes back, whatever the text and however it is cut into chunks."""

import logging

import numpy as np
import pytest
import segmented_texts as texts
from hypothesis import given, settings
from hypothesis import strategies as st

import headway
from headway import HeadwayError
from headway.data.formats.writing import running_text
from headway.data.placing import is_space
from headway.data.sample import generate
from headway.data.sentence import views
from headway.data.sources import batches_of
from headway.text.segmenter import paragraphs
from headway.text.segmenter.options import SegmenterOptions
from headway.text.segmenter.spaces import original_text, surface_tokens, values_of
from headway.training.dev_scores import judged


def sentences(text, **options):
    return list(views(texts.segmenter().segment(text, **options)))


@settings(max_examples=200)
@given(texts.text)
def test_text_comes_back_character_for_character(text):
    found, text = sentences(text), text.removeprefix("\ufeff")
    assert original_text(found) == (text if not all(map(is_space, text)) else "")
    for sentence in headway.from_conllu("".join(f"{sentence}\n" for sentence in found)) if found else []:
        assert all(form and not set(form) & set("\t\n\r\0") for form in sentence.forms)


@settings(max_examples=60)
@given(texts.text, st.data())
def test_chunks_make_no_difference(text, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole = [str(sentence) for sentence in sentences(text)]
    assert [str(sentence) for sentence in sentences(pieces)] == whole
    encoded = text.encode()
    assert [
        str(sentence)
        for sentence in sentences((encoded[i : i + 3] for i in range(0, len(encoded), 3)), on_error="skip")
    ] == whole


@pytest.mark.parametrize(
    "kind", [str, str.encode, lambda text: [text[:1].encode()[:2], text[:1].encode()[2:], text[1:].encode()]]
)
def test_a_byte_order_mark_at_the_start_is_no_space(kind, caplog):
    found = sentences(kind("\ufeffDogs bark.\ufeff"), ranges=True)
    assert original_text(found) == "Dogs bark.\ufeff"
    assert "SpacesBefore" not in found[0].misc[0] and "TokenRange=0:4" in found[0].misc[0]
    assert caplog.messages == ["<text>: a byte-order mark at the start was left out"]


@settings(max_examples=60)
@given(texts.text)
def test_ranges_say_where_tokens_stand(text):
    for sentence in sentences(text, ranges=True):
        for form, misc, _ in surface_tokens(sentence):
            begin, end = map(int, values_of(misc)["TokenRange"].split(":"))
            assert [" " if c in "\t\n\r\0" else c for c in text.removeprefix("\ufeff")[begin:end]] == list(form)


def test_spaces_in_misc_as_udpipe_writes_them():
    [first, second] = sentences(" \tDogs  bark.\n\nCats sleep ,\r\n")
    assert first.misc == [r"SpacesBefore=\s\t|SpacesAfter=\s\s", "SpaceAfter=No", r"SpacesAfter=\n\n"]
    assert second.misc == ["_", "_", r"SpacesAfter=\r\n"]
    assert first.comments == ["# newdoc", "# newpar", "# sent_id = 1", "# text = Dogs bark."]
    assert second.comments == ["# newpar", "# sent_id = 2", "# text = Cats sleep ,"]
    assert sentences("Dogs bark.")[-1].misc[-1] == "SpaceAfter=No"


@pytest.mark.parametrize("text", ["", " \n\n\t", "\0", "\ufeff"])
def test_text_without_tokens_has_no_sentences(text):
    assert sentences(text) == []


def test_a_generated_treebank_is_learned():
    dev = list(batches_of(generate(200, seed=5)))
    scores = judged(texts.segmenter(600, 4), dev).scores
    assert scores["Words"] > 98 and scores["Sentences"] > 80


def test_each_line_is_a_sentence_where_asked():
    found = sentences("No. 5 is alive. Really?\nYes\n\nWhy not", lines=True)
    assert [sentence.text for sentence in found] == ["No. 5 is alive. Really?", "Yes", "Why not"]


def test_a_resumed_training_learns_the_same():
    data = list(batches_of(generate(60, seed=1)))
    whole, resumed = (SegmenterOptions(passes=2).begin(data) for _ in range(2))
    whole.step(1, lambda share: None)
    packed = whole.pack()
    assert not list(whole.state.wrong(*packed))
    resumed.restore(packed)
    for training in (whole, resumed):
        training.step(2, lambda share: None)
    first, second = (training.candidates()[0].pack().arrays for training in (whole, resumed))
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_batches_are_refused():
    [batch] = batches_of(generate(2))
    with pytest.raises(HeadwayError, match="a segmenter takes text, got sentences"):
        texts.segmenter().annotate(batch)


@pytest.mark.parametrize("text", ["a" * 300_000, "no stop here " * 20_000, "Go. " * 40_000, "漢字" * 80_000])
def test_endless_lines_are_cut_somewhere(text):
    batches = list(texts.segmenter().segment(text))
    assert original_text(views(batches)) == text
    assert max(len(batch.text) for batch in batches) < 80 * paragraphs.WINDOW


def test_too_many_spaces_are_a_sentence():
    with pytest.raises(HeadwayError, match=r"more than 1,048,576 spaces .*; remove some of them"):
        sentences("a" + " " * (1 << 21) + "b")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"one\ntwo \xff three", r"<text>:2: the byte '\\xff' \(byte 9\) is not UTF-8; .*--on-error skip"),
        (b"ends in the middle \xe6\xbc", r"<text>:1: the byte .* \(byte 20\) is not UTF-8"),
        (b"\0\1\2\0\0\0PNG\0\0", r"<text>:1: 6 NUL bytes from byte 1 on are not text"),
        (
            "half \ud800",
            r"<text>:1: half a character \(the lone surrogate '\\ud800'\) is not UTF-8; decode the text anew",
        ),
    ],
)
def test_what_is_no_text_is_refused_or_replaced(text, place, caplog):
    with pytest.raises(HeadwayError, match=place):
        sentences(text)
    with caplog.at_level(logging.WARNING, "headway"):
        found = original_text(sentences(text, on_error="skip"))
    if isinstance(text, str) or b"\0" not in text:
        assert "\ufffd" in found and "replaced" in caplog.text


def test_no_text_at_all():
    with pytest.raises(HeadwayError, match="expected text, got 3"):
        sentences([3])


def test_the_text_of_a_treebank_and_back():
    text = "".join(running_text(generate(50, seed=3)))
    assert original_text(sentences(text)) == text
