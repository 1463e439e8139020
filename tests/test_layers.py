"""Layers over the cells of a batch, against the same batch written and read again."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import as_file, cell, conllu_sentence, conllx_sentence, spaced, trees

from headway import EmptyNode, HeadwayError, Sentence
from headway.data.batch import scan
from headway.data.formats.format import CONLLU, CONLLX, FIELDS, FORMATS, format_named
from headway.data.formats.writing import lost, write
from headway.data.layers import LAYERED, Codes
from headway.data.sources import batches_of, digest_of
from headway.discovery.treebanks import batches_from, texts_of
from headway.evaluation.columns import treebank_columns
from headway.features.encode import KeyColumn, encode

KINDS = [KeyColumn("FORM"), *map(KeyColumn, LAYERED), KeyColumn("XPOS", "lower"), KeyColumn("LEMMA", "prefix", 2)]
KINDS += [KeyColumn("LEMMA", "suffix", 3), KeyColumn("FEATS", "feature", name="Case")]
FEATS = ["_", "Case=Nom", "Case=Nom|Number=Sing", "a|b||c|", "Case=", ""]
FORMS = [
    *(format_named(name) for name in FORMATS),
    *(format_named("conll2009", choice) for choice in ("predicted", "predicted-tags")),
    format_named("conll2008", "predicted"),
]
few = settings(max_examples=20)
"""For each format; there are eight of them."""
some_cell = st.one_of(cell, st.just("_"))


@st.composite
def rows(draw, form):
    """The lines of a sentence of a format without comments: any cells, a tree or none."""
    heads = draw(trees(max_size=5))
    parsed = draw(st.booleans())
    beyond = draw(st.integers(0, 2)) if form.open_ended else 0
    columns = len(form.columns)
    if form.fewest and not parsed and draw(st.booleans()):
        columns = form.fewest
    lines = []
    for number, head in enumerate(heads, 1):
        row = [draw(some_cell) for _ in range(columns + beyond)]
        row[0] = str(number) if form.index("ID") == 0 else f"f{row[0]}"
        if form.index("HEAD") < columns:
            row[form.index("HEAD")] = str(head) if parsed else "_"
        lines.append("\t".join(row))
    return lines


def sentences_of(form):
    by_name = {"conllu": conllu_sentence(), "conllx": st.one_of(conllx_sentence(), rows(form))}
    return st.lists(by_name.get(form.name, rows(form)), min_size=1, max_size=3)


@st.composite
def batches(draw, form):
    batch, problems, _ = scan(as_file(draw(sentences_of(form))), form, "generated")
    assert not problems
    return batch


@st.composite
def codes(draw, words, names=spaced):
    strings = draw(st.lists(names, min_size=words, max_size=words))
    spare = draw(st.lists(names, max_size=2))
    known = tuple(dict.fromkeys([*spare, *strings]))
    return Codes(np.array([known.index(string) for string in strings], np.int32), known)


@st.composite
def layered(draw, form):
    """A batch with one or two layers."""
    batch = draw(batches(form))
    words = len(batch.word_line)
    for _ in range(draw(st.integers(1, 2))):
        columns = {
            name: draw(codes(words, st.sampled_from(FEATS) if name == "FEATS" else spaced))
            for name in draw(st.sets(st.sampled_from(LAYERED), max_size=4))
        }
        heads = None
        if draw(st.booleans()):
            lengths = np.diff(batch.sentence_word).tolist()
            heads = np.array([head for n in lengths for head in draw(some_tree(n))], np.int32)
        batch = batch.with_layer(draw(st.sampled_from(["gold", "predicted"])), heads=heads, columns=columns)
    return batch


def some_tree(size):
    return st.one_of(trees(size, size), st.just([-1] * size))


def each_form(test):
    return pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name}-{form.fields['XPOS'][0]}")(test)


def written(form):
    return [name for name in FIELDS if name in form.fields]


def read_again(batch):
    again, problems, _ = scan(batch.render(batch.format), batch.format, "again")
    assert not problems
    return again


def same_keys(one, other, fields):
    columns = [column for column in KINDS if column.field in ("FORM", *fields)]
    first, second = encode(columns, "FEATS" in fields, one), encode(columns, "FEATS" in fields, other)
    for a, b in zip(first, second, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@each_form
def test_a_layered_batch_is_what_reading_its_bytes_gives(form):
    @few
    @given(layered(form))
    def check(batch):
        again = read_again(batch)
        np.testing.assert_array_equal(batch.heads, again.heads)
        for field in written(form):
            assert batch.column(field) == again.column(field), field
            assert batch.codes(field).strings() == again.column(field)
        same_keys(batch, again, written(form))
        assert [batch.raw(s) for s in range(len(batch))] == [again.raw(s) for s in range(len(batch))]
        np.testing.assert_array_equal(batch.filled(), again.filled())
        assert digest_of([batch]) == digest_of([again])

    check()


@each_form
def test_converting_a_layered_batch_converts_what_one_sees(form):
    @few
    @given(layered(form), st.sampled_from(list(FORMATS.values())))
    def check(batch, target):
        seen = [layer for layer in batch.layers if set(layer.fields) <= set(form.fields)]
        batch = replace(batch, layers=tuple(seen))
        again = read_again(batch)
        assert batch.render(target) == again.render(target)
        assert lost(batch, target) == lost(again, target)
        for index in range(len(batch)):
            assert batch.render(target, index, index + 1) == again.render(target, index, index + 1)

    check()


@each_form
def test_a_sentence_over_layers_is_the_sentence_of_its_text(form):
    @few
    @given(layered(form))
    def check(batch):
        again = read_again(batch)
        for index in range(len(batch)):
            one, other = Sentence.view(batch, index), Sentence.view(again, index)
            assert str(one) == str(other) and one.is_parsed == other.is_parsed
            assert one.comments == other.comments
            assert all(one.column(field) == other.column(field) for field in written(form))
            if form is CONLLU:
                assert one.empty_nodes == other.empty_nodes and one.multiwords == other.multiwords
            if one.is_parsed:
                assert one.heads.tolist() == other.heads.tolist()
            tags = ["T"] * len(one)
            assert str(one.replace(xpos=tags)) == str(other.replace(xpos=tags))

    check()


@each_form
def test_layers_that_have_no_column_are_seen_all_the_same(form):
    @few
    @given(batches(form), st.data())
    def check(batch, data):
        fields = [name for name in LAYERED if name not in form.fields]
        given_codes = {name: data.draw(codes(len(batch.word_line))) for name in fields}
        top = batch.with_layer("tags", columns=given_codes)
        assert top.render(form) == batch.render(form)
        full, _, _ = scan(batch.render(CONLLU), CONLLU, "full")
        full = full.with_layer("tags", columns=given_codes)
        for name in fields:
            assert top.column(name) == given_codes[name].strings()
            assert top.codes(name).names == given_codes[name].names
            assert lost(top, form)[name] == sum(string not in ("_", "") for string in top.column(name))
        same_keys(top, full, fields)
        changed = Sentence.view(top, 0).replace(xpos=["T"] * len(Sentence.view(top, 0)))
        assert all(changed.column(name) == Sentence.view(top, 0).column(name) for name in fields)

    check()


@each_form
def test_without_layers_bytes_come_back_as_they_were(form):
    @few
    @given(batches(form), st.data())
    def check(batch, data):
        assert batch.render(form) == batch.text
        top = batch.with_layer("x", columns={"DEPREL": data.draw(codes(len(batch.word_line)))})
        assert top.bare.render(form) == batch.text and top.beneath("x").render(form) == batch.text
        assert batch.with_layer("nothing").render(form) == batch.text
        if "LEMMA" in form.fields and form.fallback("LEMMA") < 0:
            assert batch.with_layer("same", columns={"LEMMA": batch.codes("LEMMA")}).render(form) == batch.text

    check()


@each_form
def test_codes_of_cells_have_sorted_names_each_once(form):
    @few
    @given(batches(form))
    def check(batch):
        for field in FIELDS:
            found = batch.codes(field)
            assert found.strings() == batch.column(field)
            assert list(found.names) == sorted(set(found.strings()))
            assert found.codes.dtype == np.int32

    check()


TEXT = """\
# text = a b
1\ta\tA\tX\tx\t_\t2\told\t2:old\tm
1.1\te\tE\tX\tx\t_\t_\t_\t2:old\tn
2\tb\tB\tX\tx\t_\t0\troot\t0:root\t_

"""


@pytest.fixture
def batch():
    return scan(TEXT.encode(), CONLLU, "file.conllu", 7)[0]


def labels(*names):
    return {"DEPREL": Codes(np.arange(len(names), dtype=np.int32), names)}


def test_gold_and_predicted_stand_side_by_side(batch):
    tagged = batch.with_layer("tags", columns={"XPOS": Codes(np.array([0, 0], np.int32), ("T",))})
    parsed = tagged.with_layer("predicted", heads=np.array([0, 1], np.int32), columns=labels("root", "new"))
    assert parsed.heads.tolist() == [0, 1] and parsed.beneath("predicted").heads.tolist() == [2, 0]
    assert parsed.column("DEPREL") == ["root", "new"] and parsed.bare.column("DEPREL") == ["old", "root"]
    assert parsed.column("XPOS") == parsed.beneath("predicted").column("XPOS") == ["T", "T"]
    assert parsed.beneath("tags").column("XPOS") == ["x", "x"]
    assert parsed.text is batch.text and parsed.cells is batch.cells and batch.layers == ()
    twice = parsed.with_layer("predicted", heads=np.array([2, 0], np.int32))
    assert twice.heads.tolist() == [2, 0] and twice.beneath("predicted").layers == tagged.layers
    assert Sentence.view(parsed, 0).place == "file.conllu:7"


def test_a_new_tree_makes_enhanced_dependencies_stale(batch):
    parsed = batch.with_layer("predicted", heads=np.array([0, 1], np.int32), columns=labels("root", "new"))
    assert parsed.column("DEPS") == ["_", "_"]
    assert Sentence.view(parsed, 0).empty_nodes == [EmptyNode(1, 1, "e", "E", "X", "x", misc="n")]
    changes = {"2\told\t2:old": "0\troot\t_", "2:old": "_", "0\troot\t0:root": "1\tnew\t_"}
    expected = TEXT
    for old, new in changes.items():
        expected = expected.replace(old, new)
    assert parsed.render(CONLLU).decode() == expected
    tagged = batch.with_layer("tags", columns={"XPOS": Codes(np.array([0, 0], np.int32), ("T",))})
    assert tagged.render(CONLLU).decode() == TEXT.replace("x\t_\t2", "T\t_\t2").replace("x\t_\t0", "T\t_\t0")


def test_a_layer_makes_stale_what_lies_beneath_and_not_what_it_says(batch):
    graph = {"DEPS": Codes(np.array([0, 1], np.int32), ("0:root", "1:new"))}
    heads = np.array([0, 1], np.int32)
    assert batch.with_layer("x", heads=heads, columns=graph).column("DEPS") == ["0:root", "1:new"]
    assert batch.with_layer("x", heads=heads).with_layer("y", columns=graph).column("DEPS") == ["0:root", "1:new"]
    assert batch.with_layer("y", columns=graph).with_layer("x", heads=heads).column("DEPS") == ["_", "_"]


def test_projective_trees_of_conllx_are_stale_and_other_parsers_trees_are_not():
    row = b"1\ta\tA\tX\tx\t_\t0\troot\t0\tROOT\n\n"
    batch = scan(row, CONLLX, "x")[0]
    assert batch.with_layer("p", columns=labels("new")).raw(0) == b"1\ta\tA\tX\tx\t_\t0\tnew\t0\t_\n"
    tree = batch.with_layer("p", heads=np.zeros(1, np.int32), columns=labels("new"))
    assert tree.raw(0) == b"1\ta\tA\tX\tx\t_\t0\tnew\t_\t_\n"
    row = b"1\ta\tl\tpl\tt\tpt\tf\tpf\t0\t0\told\tpold\t_\t_\n\n"
    for columns, expected in (("gold", b"new\tpold"), ("predicted", b"old\tnew")):
        batch = scan(row, format_named("conll2009", columns), "x")[0]
        parsed = batch.with_layer("p", heads=np.zeros(1, np.int32), columns=labels("new"))
        assert parsed.render(FORMATS["conll2009"]) == row.replace(b"old\tpold", expected)


def test_a_missing_tag_of_a_layer_hides_the_column_behind():
    row = b"1\ta\tl\tg\tp\ts\tt\tpp\t0\troot\t_\n\n"
    batch = scan(row, FORMATS["conll2008"], "x")[0]
    tagged = batch.with_layer("p", columns={"XPOS": Codes(np.zeros(1, np.int32), ("T",))})
    assert tagged.raw(0) == row[:-1].replace(b"\tg\t", b"\tT\t")
    tagged = batch.with_layer("p", columns={"XPOS": Codes(np.zeros(1, np.int32), ("_",))})
    assert tagged.column("XPOS") == ["_"] and read_again(tagged).column("XPOS") == ["_"]


def test_nobody_can_write_into_a_layer(batch):
    heads, column = np.array([0, 1], np.int64), labels("a", "b")
    layer = batch.with_layer("x", heads=heads, columns=column).layers[0]
    heads[0] = 9
    column["DEPREL"].codes[0] = 1
    assert layer.heads.tolist() == [0, 1] and layer.columns["DEPREL"].strings() == ["a", "b"]
    for array in (layer.heads, layer.columns["DEPREL"].codes, batch.codes("XPOS").codes, batch.heads):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError):
        layer.columns["UPOS"] = column["DEPREL"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"heads": [0]}, "give one whole number for each word, 2 in all"),
        ({"heads": [0.0, 1.0]}, "give one whole number"),
        ({"heads": [2, 1]}, r"file\.conllu:7: the heads of layer 'x' are not a tree here; give"),
        ({"heads": [0, 3]}, "are not a tree"),
        ({"heads": [0, -1]}, "are not a tree"),
        ({"heads": [-2, -2]}, "are not a tree"),
        ({"heads": [0, 1 << 40]}, "are not a tree"),
        ({"columns": labels("a")}, "DEPREL of layer 'x' is an array of int32 and shape"),
        ({"columns": {"DEPREL": Codes(np.array([0, 2]), ("a", "b"))}}, "codes from 0 to 2 for 2 names"),
        ({"columns": {"DEPREL": Codes(np.array([0, -1]), ("a", "b"))}}, "number the names from 0"),
        ({"columns": labels("a\tb", "b")}, r"'a\\tb' cannot be a cell of DEPREL in layer 'x'; cells are"),
        ({"columns": labels("a", "b\n")}, "without tabs, line breaks and NUL"),
        ({"columns": labels("a", "b\r")}, "without tabs, line breaks and NUL"),
        ({"columns": labels("a", "b\0")}, "without tabs, line breaks and NUL"),
        ({"columns": labels("a", "\ud800")}, "UTF-8"),
        ({"columns": {"FORM": labels("a", "b")["DEPREL"]}}, "cannot have the column 'FORM'; known are: DEPREL"),
        ({"columns": {"HEAD": labels("a", "b")["DEPREL"]}}, "cannot have the column 'HEAD'"),
        ({"columns": {"COLOUR": labels("a", "b")["DEPREL"]}}, "known are"),
    ],
)
def test_layers_that_do_not_fit_are_refused(batch, arguments, message):
    arguments = arguments | ({"heads": np.array(arguments["heads"])} if "heads" in arguments else {})
    with pytest.raises(HeadwayError, match=message) as error:
        batch.with_layer("x", **arguments)
    assert "\n" not in str(error.value)


def test_an_unknown_layer_lists_the_known_ones(batch):
    with pytest.raises(HeadwayError, match="unknown layer 'gold'; the batch has no layers"):
        batch.beneath("gold")
    with pytest.raises(HeadwayError, match="unknown layer 'gold'; known are: a, b"):
        batch.with_layer("b").with_layer("a").beneath("gold")


@each_form
def test_sentences_keep_their_layers_when_they_are_put_together(form):
    @few
    @given(layered(form), layered(form), st.randoms(use_true_random=False))
    def check(one, other, chance):
        views = [Sentence.view(batch, index) for batch in (one, other) for index in range(len(batch))]
        chance.shuffle(views)
        found = [Sentence.view(batch, index) for batch in batches_of(views) for index in range(len(batch))]
        for before, after in zip(views, found, strict=True):
            assert str(before) == str(after)
            assert [layer.name for layer in before.batch.layers] == [layer.name for layer in after.batch.layers]
            assert all(before.column(field) == after.column(field) for field in FIELDS)
            for name in {layer.name for layer in before.batch.layers}:
                below = [Sentence.view(s.batch.beneath(name), s.index) for s in (before, after)]
                assert str(below[0]) == str(below[1])

    check()


def test_who_reads_batches_sees_the_top(batch, tmp_path):
    tags = Codes(np.array([0, 1], np.int32), ("S", "T"))
    top = batch.with_layer("p", heads=np.array([0, 1], np.int32), columns={"XPOS": tags, **labels("root", "new")})
    again = read_again(top)
    assert texts_of([top]) == texts_of([again])
    assert batches_from(texts_of([top]), "x")[0].column("XPOS") == ["S", "T"]
    columns = treebank_columns([Sentence.view(top, 0)])
    assert columns.heads.tolist() == [0, 1] and columns.names.strings(columns.deprels) == ["root", "new"]
    assert write([Sentence.view(top, 0)], tmp_path / "out.conllu") == {}
    assert (tmp_path / "out.conllu").read_bytes() == again.text
