"""Cells with nothing in them: a form is asked for, everything else is read and written as `_`, in every way."""

import pytest

import headway
from headway import EmptyNode, FormatError, HeadwayError, Multiword, Sentence
from headway.data.batch import scan
from headway.data.formats.format import FIELDS, FORMATS
from headway.data.layers import Codes
from headway.data.sample import generate

ROWS = {
    "conllu": "1 Dogs dog NOUN NNS Number=Plur 2 nsubj 2:nsubj X=Y\n2 bark bark VERB VBP _ 0 root 0:root _",
    "conllx": "1 Dogs dog N NNS pl 2 SBJ 2 SBJ\n2 bark bark V VBP _ 0 ROOT 0 ROOT",
    "conll2008": "1 Dogs dog NNS NNS Dogs dog NNS 2 SBJ _ A0\n2 bark bark VBP VBP bark bark VBP 0 ROOT bark.01 _",
    "conll2009": (
        "1 Dogs dog dog NNS NNS _ _ 2 2 SBJ SBJ _ _ A0\n2 bark bark bark VBP VBP _ _ 0 0 ROOT ROOT Y bark.01 _"
    ),
    "malttab": "Dogs NNS 2 SBJ\nbark VBP 0 ROOT",
}


def emptied(name, column, line=0, cell=""):
    """A sentence in a format whose first word has an empty cell."""
    rows = [row.split(" ") for row in ROWS[name].split("\n")]
    rows[line][column] = cell
    return "".join("\t".join(row) + "\n" for row in rows) + "\n"


def refused_columns(form):
    """ID and HEAD have problems of their own; FORM is asked for where no other column has it."""
    return {form.index("ID"), form.index("FORM")} - ({form.index("FORM")} if form.fallback("FORM") >= 0 else set())


@pytest.mark.parametrize(
    ("name", "column"),
    [(name, column) for name, row in ROWS.items() for column in range(row.split("\n")[0].count(" ") + 1)],
)
def test_every_empty_cell_is_written_as_the_format_has_it_or_refused(name, column, tmp_path):
    form = FORMATS[name]
    path = tmp_path / f"a{form.suffixes[0]}"
    path.write_text(emptied(name, column))
    if column in refused_columns(form) or column == form.index("HEAD"):
        with pytest.raises(FormatError, match=r"a\.\w+:1: "):
            list(headway.read(path, format=name))
        return
    [sentence] = headway.read(path, format=name)
    wanted = emptied(name, column, cell="_")
    assert f"{sentence}\n" == wanted
    for target in (name, "conllu"):
        headway.write(sentence, tmp_path / "out", format=target)
        reader = headway.read(tmp_path / "out", format=target)
        [again] = reader
        assert not reader.report.notes and "\t\t" not in str(again)
        assert target != name or str(again) == wanted[:-1]


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in ("ID", "FORM", "HEAD")])
def test_what_is_laid_over_a_cell_is_never_empty(field):
    batch = scan(ROWS["conllu"].replace(" ", "\t").encode() + b"\n\n", FORMATS["conllu"], "a")[0]
    layered = batch.with_layer("found", columns={field: Codes(batch.read_heads.clip(0, 1), ("x", ""))})
    assert layered.column(field) == ["_", "x"]
    again, problems, untidy = scan(layered.render(FORMATS["conllu"]), FORMATS["conllu"], "again")
    assert not problems and not untidy.empty_cells and again.column(field) == ["_", "x"]


def test_empty_cells_of_lists_are_written_as_none():
    given = {name: ["", "x"] for name in ("lemmas", "upos", "xpos", "feats", "deprels", "deps", "misc")}
    nodes = {
        "multiwords": [Multiword(1, 2, "ab", "", "")],
        "empty_nodes": [EmptyNode(0, 1, "x", "", "", "", "", "", "")],
    }
    sentence = Sentence(["a", "b"], heads=[2, 0], **given, **nodes, comments=["# x\t\ty"])
    assert [getattr(sentence, name) for name in given] == [["_", "x"]] * len(given)
    assert sentence.replace(lemmas=["", ""]).lemmas == ["_", "_"]
    assert sentence.comments == ["# x\t\ty"] and str(sentence).replace("x\t\ty", "").count("\t\t") == 0
    assert headway.from_conllu(str(sentence)) == [sentence]


FORMLESS = "2\t\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n"
GOOD = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"


@pytest.fixture(scope="module")
def parser():
    return headway.train(generate(60), pipeline=True, passes=1, folds=2, features="malt-14")


@pytest.fixture
def formless(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("".join(f"{sentence}\n" for sentence in generate(2)) + GOOD + FORMLESS + "\n")
    return path


PLACES = {
    "read": lambda parser, path: list(headway.read(path)),
    "parse": lambda parser, path: list(parser.parse(path)),
    "bytes": lambda parser, path: list(parser.parse_bytes(path)),
    "train": lambda parser, path: headway.train(path, passes=1),
    "dev": lambda parser, path: headway.train(generate(5), dev=path, passes=1),
    "evaluate": lambda parser, path: headway.evaluate(path, path),
    "select": lambda parser, path: headway.select(parser, path, 1),
    "calibrate": lambda parser, path: headway.calibrate(parser, path),
    "learn on": lambda parser, path: headway.continue_training(parser, path),
}


@pytest.mark.parametrize("what", PLACES)
def test_a_word_without_a_form_has_a_place_wherever_files_are_read(what, parser, formless):
    line = formless.read_text().count("\n") - 1
    with pytest.raises(HeadwayError, match=rf"a\.conllu:{line}: there is no form here; write the word into column 2"):
        PLACES[what](parser, formless)


@pytest.mark.parametrize("line", ["1-2\t\t" + "_\t" * 7 + "_\n" + GOOD, GOOD + "1.1\t \t" + "_\t" * 7 + "_\n"])
def test_tokens_of_several_words_and_empty_nodes_have_forms_too(line):
    with pytest.raises(FormatError, match="there is no form here"):
        headway.from_conllu(line + FORMLESS.replace("2\t\t", "2\tbark\t"))


def test_the_last_column_with_a_form_counts():
    form = FORMATS["conll2008"]
    assert (form.index("FORM"), form.fallback("FORM")) == (5, 1)
    for split, whole, found in [
        ("", "x", "x"),
        ("x", "", "x"),
        ("_", "x", "x"),
        ("", "_", "_"),
        ("", "", None),
        ("_", "", None),
    ]:
        text = "\t".join(["1", whole, "_", "_", "_", split, "_", "_", "0", "ROOT", "_"]) + "\n\n"
        batch, problems, _ = scan(text.encode(), form, "a")
        assert [problem.kind for problem in problems] == (["form-empty"] if found is None else [])
        assert (
            batch.column("FORM") == ([] if found is None else [found]) and b"\t\t" not in batch.text[: len(batch) * 99]
        )


@pytest.mark.parametrize("words", [["a", ""], ["a", " "], ["a", "   ", "b"]])
def test_lists_name_the_position_of_an_empty_word(parser, words):
    sentence = Sentence(["a"] * len(words))
    calls = [parser] if "".join(words).isalpha() else []  # which takes no words with spaces
    for call in (*calls, Sentence, lambda forms: sentence.replace(forms=forms)):
        with pytest.raises(HeadwayError, match="forms: word 2 is empty; give a word, or '_' where nobody knows it"):
            call(words)


@pytest.mark.parametrize("name", [name for name in ROWS if FORMATS[name].fallback("FORM") < 0])
@pytest.mark.parametrize("target", ["conllu", "text"])
def test_convert_writes_no_word_without_a_form(name, target, run, tmp_path):
    path, output = tmp_path / "in", tmp_path / "out"
    path.write_text(emptied(name, FORMATS[name].index("FORM"), 1) + ROWS[name].replace(" ", "\t") + "\n\n")
    words = ["convert", path, "--from", name, "--to", target, "-o", output]
    refused = run(*words)
    assert refused.exit_code == 2 and not output.exists()
    assert refused.stderr.startswith(f"{path}:2: there is no form here; write the word into column ")
    skipped = run(*words, "--on-error", "skip")
    assert skipped.exit_code == 0 and "1 sentence could not be read and was left out" in skipped.stderr
    assert output.read_text().count("Dogs") == 1
