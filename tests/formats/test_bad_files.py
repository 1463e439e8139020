from pathlib import Path

import pytest
from bad_files import GOOD, HARMFUL, HARMLESS, HOPELESS, page, said
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import as_file, conllu_sentence

import headway
from headway.base.errors import ReadingReport
from headway.data.formats import tabular
from headway.data.formats.format import FORMATS

DOCS = Path(__file__).parents[2] / "docs" / "bad-files.md"


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_harmless_is_read_whole_and_said_once(name):
    code, message = said(HARMLESS[name])
    assert code == 0
    assert message.count("note:") == (name != "a line of 10 MB")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_harmless_is_written_as_it_should_be(name):
    batches = tabular.batches([HARMLESS[name]], FORMATS["conllu"], ReadingReport("file"))
    expected = GOOD * 3
    if name == "an empty cell":
        expected = GOOD + GOOD.replace("dog\tNOUN", "_\tNOUN") + GOOD
    if name == "a line of 10 MB":
        expected = GOOD + GOOD.replace("dog", "d" * 10_000_000) + GOOD
    assert b"".join(batch.render(FORMATS["conllu"]) for batch in batches) == expected.encode()


@pytest.mark.parametrize("name", HARMFUL)
def test_what_is_harmful_stops_with_place_and_remedy(name):
    code, message = said(HARMFUL[name])
    assert code == 2
    place, _, rest = message.partition(": ")
    assert place.startswith("bad.conllu:") and 1 <= int(place.split(":")[1]) <= 13
    assert ";" in rest and "\n" not in message and len(message) < 250


@pytest.mark.parametrize("name", HARMFUL)
def test_skipping_leaves_out_just_the_bad_sentence(name):
    code, message = said(HARMFUL[name], "--on-error", "skip")
    assert code == 0
    assert "1 sentence could not be read" in message
    report = ReadingReport("file", "skip")
    kept = list(tabular.batches([HARMFUL[name]], FORMATS["conllu"], report))
    whole = GOOD * (1 if name == "no blank line between sentences" else 2)
    assert b"".join(batch.render(FORMATS["conllu"]) for batch in kept) == whole.encode()


@pytest.mark.parametrize("name", HOPELESS)
def test_what_is_no_treebank_is_refused(name):
    code, message = said(HOPELESS[name])
    assert code == 2
    assert message.startswith("bad.conllu") and ";" in message and "\n" not in message


def test_problems_name_the_line_across_chunks():
    data = GOOD.encode() * 9 + HARMFUL["cycle"]
    chunks = [data[at : at + 13] for at in range(0, len(data), 13)]
    with pytest.raises(headway.FormatError, match=r"^file:54: no word|^file:52: head"):
        list(tabular.batches(chunks, FORMATS["conllu"], ReadingReport("file")))


def test_the_page_of_bad_files_is_true():
    if not DOCS.exists():  # the tests also run from an sdist unpacked elsewhere
        pytest.fail(f"{DOCS} is missing; write it with `python tests/formats/bad_files.py`")
    assert DOCS.read_text("utf-8") == page()


DAMAGE = [b"", b"\t", b"\n", b"\0", b"\xff", b"-", b"9", b" ", b"\r", b"#"]
MUTATIONS = st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(DAMAGE)), min_size=1, max_size=6)


@settings(max_examples=300)
@given(st.lists(conllu_sentence(), min_size=1, max_size=3), MUTATIONS, st.sampled_from(["stop", "skip"]))
def test_a_damaged_file_is_read_or_refused_but_never_crashes(tmp_path_factory, sentences, mutations, on_error):
    data = bytearray(as_file(sentences))
    for place, what in mutations:
        at = place % len(data)
        data[at : at + 1] = what
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data)
    for form in (None, *FORMATS):
        try:
            for sentence in headway.read(path, format=form, on_error=on_error):
                assert len(sentence.forms) == len(sentence) > 0
                if sentence.is_parsed:
                    assert 0 in sentence.heads
        except headway.HeadwayError as error:
            assert "\n" not in str(error) and ";" in str(error)


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "bytes"
    path.write_bytes(data)
    for form in (None, *FORMATS):
        try:
            for sentence in headway.read(path, format=form, on_error="skip"):
                assert len(sentence) > 0
        except headway.HeadwayError as error:
            assert "\n" not in str(error)
