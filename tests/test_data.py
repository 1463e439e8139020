"""Where sentences come from: files, readers, lists, several treebanks at once, with weights."""

from dataclasses import replace

import numpy as np
import pytest

import headway
from headway import Sentence, read
from headway.base.errors import HeadwayError
from headway.data.batch import scan
from headway.data.formats.format import CONLLX
from headway.data.formats.tabular import AT_ONCE
from headway.data.formats.writing import write
from headway.data.layers import Codes
from headway.data.sample import generate
from headway.data.sources import batches_of, digest_of, fold, rebatched, sentences_of

SENTENCES = [
    Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"], feats=["Number=Plur", "A=b|C=d"]),
    Sentence(forms=["Who", "did", "you", "see"], heads=[4, 0, 2, 2], deprels=["obj", "root", "nsubj", "xcomp"]),
    Sentence(forms=["Yes"], heads=[0], deprels=["root"], feats=["E=f"]),
]


def words(batches):
    return [form for batch in batches for form in batch.column("FORM")]


def test_batches_come_from_files_readers_and_sentences(tmp_path):
    path = tmp_path / "treebank.conllu"
    write(SENTENCES, path)
    expected = [form for sentence in SENTENCES for form in sentence.forms]
    for source in (str(path), path, read(path), SENTENCES, iter(SENTENCES), read(path)):
        batches = list(batches_of(source))
        assert words(batches) == expected
        assert sum(map(len, batches)) == 3


def test_sentences_of_several_formats_stay_in_order():
    other = Sentence.view(scan(b"1\tx\t_\t_\t_\t_\t0\tROOT\t_\t_\n\n", CONLLX, "other")[0], 0)
    mixed = [SENTENCES[0], other, *SENTENCES[1:], other]
    batches = list(batches_of(mixed))
    assert [len(batch) for batch in batches] == [1, 1, 2, 1]
    assert words(batches) == [form for sentence in mixed for form in sentence.forms]
    same = Sentence.view(scan(other.batch.text, replace(CONLLX), "same")[0], 0)
    assert [len(batch) for batch in batches_of([other, same])] == [2]


def test_many_sentences_make_several_batches():
    batches = list(batches_of(SENTENCES * 200))
    assert len(batches) > 1
    assert words(batches) == [form for sentence in SENTENCES for form in sentence.forms] * 200


@pytest.fixture
def treebanks(tmp_path):
    """Two files of some sentences each: a1 a2 a3 a4, and b1 b2 b3."""
    paths = []
    for name, count in (("a", 4), ("b", 3)):
        paths.append(tmp_path / f"{name}.conllu")
        numbers = range(1, count + 1)
        write((Sentence(forms=[f"{name}{n}"], heads=[0], deprels=["root"]) for n in numbers), paths[-1])
    return paths


A, B = ["a1", "a2", "a3", "a4"], ["b1", "b2", "b3"]


def test_several_treebanks_at_once(treebanks):
    one, other = treebanks
    sources = [
        *([one, other], (one, other), [str(one), other], [read(one), read(other)], [one, read(other)]),
        {one: 1, other: 1.0},
        {read(one): 1, str(other): 1},
    ]
    for source in sources:
        assert words(batches_of(source)) == A + B
    assert words(batches_of([other, one])) == B + A
    assert words(batches_of([])) == words(batches_of({})) == []


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (1, A),
        (1.0, A),
        (2, A + A),
        (2.5, A + A + ["a2", "a4"]),
        (0.5, ["a2", "a4"]),
        (0.25, ["a4"]),
        (0.75, ["a2", "a3", "a4"]),
        (1.5, [*A, "a2", "a4"]),
        (0.1, []),
        (np.float64(0.5), ["a2", "a4"]),
    ],
)
def test_a_sentence_counts_as_often_as_its_treebanks_weight_says(treebanks, weight, expected):
    one, other = treebanks
    assert words(batches_of({one: weight, other: 1})) == expected + B
    assert words(batches_of({other: 1, read(one): weight})) == B + expected


@pytest.mark.parametrize("weight", [0.1, 0.3, 1 / 3, 0.7, 1.9, 2.5, 3])
def test_a_weight_is_the_share_of_sentences_and_spreads_them_evenly(tmp_path, weight):
    sentences = [Sentence(forms=[f"w{n}"], heads=[0], deprels=["root"]) for n in range(600)]
    write(sentences, tmp_path / "all.conllu")
    found = words(batches_of({tmp_path / "all.conllu": weight}))
    assert abs(len(found) - 600 * weight) <= 1
    first_half = sum(int(form[1:]) < 300 for form in found)
    assert abs(first_half - 300 * weight) <= 1


@pytest.mark.parametrize("weight", [0, -1, 0.0, float("nan"), float("inf"), "2", None, True, [1]], ids=repr)
def test_weights_without_meaning_are_refused(treebanks, weight):
    one, other = treebanks
    why = "not positive" if weight in (0, -1) else "not a number"
    for source in ({one: weight, other: 1}, {read(one): weight}):
        with pytest.raises(HeadwayError) as refusal:
            list(batches_of(source))
        assert str(refusal.value) == f"{one}: the weight {weight!r} is {why}; give a number above 0"


def test_a_parser_learns_from_several_treebanks_as_from_one_of_all_sentences(tmp_path):
    some, more = list(generate(20, seed=1)), list(generate(20, seed=2))
    for name, sentences in (("some", some), ("more", more), ("twice", some + more + more)):
        write(sentences, tmp_path / f"{name}.conllu")
    sources = ({tmp_path / "some.conllu": 1, tmp_path / "more.conllu": 2}, tmp_path / "twice.conllu")
    for number, source in enumerate(sources):
        headway.train(source, features="malt-14", passes=1).save(tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    parser = headway.train([tmp_path / "some.conllu", tmp_path / "more.conllu"], features="malt-14", passes=1)
    assert parser.about["sentences"] == 40


def test_views_are_of_the_sentences_of_batches():
    batches = list(batches_of(SENTENCES * 2))
    views = sentences_of(batches)
    assert [str(view) for view in views] == [str(sentence) for sentence in SENTENCES * 2]
    assert all(any(view.batch is batch for batch in batches) for view in views)


def test_batches_are_of_the_size_that_is_asked_for():
    assert [len(batch) for batch in rebatched(SENTENCES * 4, 5)] == [5, 5, 2]
    assert [len(batch) for batch in rebatched(SENTENCES * 100)] == [AT_ONCE, 300 - AT_ONCE]
    assert list(rebatched([])) == []


def test_sentences_with_other_layers_stay_apart():
    [batch] = batches_of(SENTENCES[2:])
    tagged = batch.with_layer("tags", columns={"UPOS": Codes(np.zeros(1, np.int32), ("INTJ",))})
    mixed = [Sentence.view(one, 0) for one in (batch, tagged, tagged, batch)]
    found = list(rebatched(mixed))
    assert [len(one) for one in found] == [1, 2, 1]
    assert [one.column("UPOS") for one in found] == [["_"], ["INTJ", "INTJ"], ["_"]]


def test_folds_are_dealt_out_one_after_the_other():
    sentences = [Sentence(forms=[str(number)]) for number in range(7)]
    parts = [fold(sentences, number, 3) for number in range(3)]
    assert [[s.forms[0] for s in held_out] for held_out, _ in parts] == [["0", "3", "6"], ["1", "4"], ["2", "5"]]
    for held_out, others in parts:
        assert [s for s in sentences if s not in held_out] == others
    with pytest.raises(HeadwayError, match="8 folds need at least as many sentences, and there are 7; use fewer"):
        fold(sentences, 0, 8)


def test_a_digest_knows_every_byte_and_every_layer():
    [batch] = batches_of(SENTENCES)
    [other] = batches_of([*SENTENCES[:2], SENTENCES[2].replace(forms=["No"])])
    heads = np.array([2, 0, 2, 0, 2, 2, 0], np.int32)
    changed = batch.with_layer("predicted", heads=heads)
    digests = {digest_of([one]) for one in (batch, other, changed)}
    assert len(digests) == 3
    assert digest_of([batch, batch]) not in digests
    assert digest_of(list(rebatched(SENTENCES, 1))) == digest_of([batch])
