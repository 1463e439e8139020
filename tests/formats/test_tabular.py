import gzip
import logging
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BLIND, CONLL2008, CONLL2009, CONLLU, CONLLX, MALTTAB, SAMPLES
from strategies import as_file, conllu_sentence, conllx_sentence

import headway
from headway.base.errors import ReadingReport
from headway.data.formats import tabular
from headway.data.formats.format import FORMATS, format_named
from headway.data.formats.recognition import detect
from headway.data.formats.writing import write
from headway.data.layers import Codes


def written(data, form, target=None, size=1 << 20):
    """The file read in chunks of a given size and written back."""
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    batches = tabular.batches(chunks, format_named(form), ReadingReport("file"))
    return b"".join(batch.render(format_named(target or form)) for batch in batches)


@pytest.fixture
def save(tmp_path):
    def to_file(text, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return to_file


@pytest.mark.parametrize("form", SAMPLES)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_what_is_read_is_written_back_byte_for_byte(form, size):
    data = SAMPLES[form].encode() * 3
    assert written(data, form, size=size) == data


@given(st.lists(conllu_sentence(), min_size=1, max_size=4), st.integers(1, 50))
def test_every_conllu_file_comes_back_byte_for_byte(sentences, size):
    assert written(as_file(sentences), "conllu", size=size) == as_file(sentences)


@given(st.lists(conllx_sentence(), min_size=1, max_size=4))
def test_every_conllx_file_comes_back_byte_for_byte(sentences):
    assert written(as_file(sentences), "conllx") == as_file(sentences)


@given(conllx_sentence())
def test_other_formats_carry_the_tree_there_and_back(lines):
    data = as_file([lines])
    for form in ("conll2008", "conll2009", "malttab", "conllu"):
        there = written(data, "conllx", form)
        back = written(there, form, "conllx")
        cells = [line.split("\t") for line in back.decode().splitlines() if line]
        gold = [line.split("\t") for line in lines]
        assert [(row[1], row[4], row[6], row[7]) for row in cells] == [
            (row[1], row[4] if row[4] != "_" else row[3], row[6], row[7]) for row in gold
        ]


@pytest.mark.parametrize("form", SAMPLES)
def test_the_format_is_found_from_the_content(form, save):
    path = save(SAMPLES[form])
    reader = headway.read(path)
    assert list(reader) and reader.format == form


def test_the_name_decides_where_the_content_fits_two_formats():
    row = b"1\tx\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    assert detect(row, "a.conllu") == "conllu"
    assert detect(row, "a.conll.gz") == "conllx"
    assert detect(row, "<stdin>") == "conllu"
    other = row.replace(b"NOUN", b"N")
    assert detect(other, "<stdin>") == "conllx"
    assert detect(other.rpartition(b"\t")[0] + b"\tUposConf=0.9312|TagsConf=0.8827\n", "parsed") == "conllu"
    assert detect(b"(S (NP (NN x)))", "a.txt") == "penn"


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_read_by_content_and_written_by_name(suffix, pack, save, tmp_path):
    path = save(pack(CONLLU.encode()), "packed")
    target = tmp_path / f"out.conllu{suffix}"
    write(headway.read(path), target)
    assert [str(s) for s in headway.read(target)] == [str(s) for s in headway.read(path)]
    unpack = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[suffix]
    assert unpack(target.read_bytes()) == CONLLU.encode()


def test_fields_of_every_format_have_one_name(save):
    gold = [next(iter(headway.read(save(text)))) for text in SAMPLES.values()]
    assert [s.forms[0] for s in gold] == ["Do", "Hunden", "The", "Dogs", "Dogs"]
    assert [s.xpos[0] for s in gold] == ["VBP", "NC", "DT", "NNS", "NNS"]
    assert [s.upos[0] for s in gold] == ["AUX", "N", "_", "_", "_"]
    assert [s.deprels[0] for s in gold] == ["aux", "subj", "NMOD", "SBJ", "SBJ"]
    assert [s.heads[0] for s in gold] == [3, 2, 4, 2, 2]


def test_split_words_of_conll2008_take_their_own_form_and_a_predicted_tag(save):
    (sentence,) = headway.read(save(CONLL2008))
    assert sentence.forms == ["The", "long", "term", "plan", "works"]
    assert sentence.xpos == ["DT", "JJ", "NN", "NN", "VBZ"]
    (predicted,) = headway.read(save(CONLL2008), columns="predicted")
    assert predicted.xpos == ["DT", "RB", "NN", "NN", "VBZ"]


@pytest.mark.parametrize(
    ("columns", "lemma", "tag", "feats", "heads", "label"),
    [
        ("gold", "dog", "NNS", "n=p", [2, 0], "SBJ"),
        ("predicted", "dogs", "NNP", "n=s", [0, 1], "ROOT"),
        ("predicted-tags", "dogs", "NNP", "n=s", [2, 0], "SBJ"),
    ],
)
def test_gold_or_predicted_columns_of_conll2009(save, columns, lemma, tag, feats, heads, label):
    (sentence,) = headway.read(save(CONLL2009), columns=columns)
    found = sentence.lemmas[0], sentence.xpos[0], sentence.feats[0], sentence.heads.tolist(), sentence.deprels[0]
    assert found == (lemma, tag, feats, heads, label)
    changed = sentence.replace(heads=[0, 1], deprels=["A", "B"])
    column = 9 if columns == "predicted" else 8
    rows = [line.split("\t") for line in str(changed).splitlines()]
    assert [row[column] for row in rows] == ["0", "1"]
    assert [row[column + 2] for row in rows] == ["A", "B"]
    assert [row[12:] for row in rows] == [line.split("\t")[12:] for line in CONLL2009.splitlines()[:2]]


def test_malttab_without_trees_is_unparsed(save):
    (sentence,) = headway.read(save(BLIND))
    assert not sentence.is_parsed and sentence.deprels == ["_", "_"]
    with pytest.raises(headway.FormatError, match="no heads"):
        _ = sentence.heads
    parsed = sentence.replace(heads=[2, 0], deprels=["SBJ", "ROOT"])
    assert f"{parsed}\n" == MALTTAB


def test_only_the_tree_changes_and_what_it_makes_stale():
    batch = next(tabular.batches([CONLLU.encode()], FORMATS["conllu"], ReadingReport("file")))
    heads = np.zeros(len(batch.heads), np.int32)
    labels = np.arange(len(heads), dtype=np.int32) % 2
    layered = batch.with_layer("new", heads=heads, columns={"DEPREL": Codes(labels, ("ålfa", "b"))})
    changed = layered.render(FORMATS["conllu"]).decode()
    old, new = CONLLU.split("\n"), changed.split("\n")
    word = 0
    for before, after in zip(old, new, strict=True):
        cells = before.split("\t")
        if cells[0].isdigit():
            cells[6:9] = "0", ["ålfa", "b"][word % 2], "_"
            word += 1
        elif "." in cells[0] and len(cells) > 1:
            cells[8] = "_"
        assert after == "\t".join(cells)
    assert word == len(heads)


def test_conversion_says_what_is_lost(save, run, tmp_path):
    result = run("convert", save(CONLLU), "--to", "conllx", "-o", tmp_path / "out")
    assert result.exit_code == 0
    for part in ("DEPS: 12", "MISC: 3", "comment lines: 4", "multiword tokens: 1", "empty nodes: 1", "(now '_'): 2"):
        assert part in result.stderr
    assert "10_000\t10_000\tNUM\tCD" in (tmp_path / "out").read_text("utf-8")


def test_a_line_of_ten_million_bytes_is_read(save):
    long = CONLLX.replace("Hunden", "H" * 10_000_000)
    (sentence,) = headway.read(save(long))
    assert len(sentence.forms[0]) == 10_000_000


def test_reading_needs_the_memory_of_a_chunk_only(save, tmp_path):
    import tracemalloc

    path = save(CONLLU * 40_000, "large.conllu")
    assert path.stat().st_size > 25_000_000
    tracemalloc.start()
    batches = sum(len(batch) for batch in headway.read(path).batches())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert batches == 80_000
    assert peak < 12_000_000


def test_notes_are_said_once_per_file(save, caplog):
    path = save(CONLLX.replace("\n", "\r\n") * 50_000)
    logging.getLogger("headway").propagate = True
    with caplog.at_level(logging.WARNING, logger="headway"):
        assert len(list(headway.read(path).batches())) > 2
    assert len([r for r in caplog.records if "CR LF" in r.getMessage()]) == 1
