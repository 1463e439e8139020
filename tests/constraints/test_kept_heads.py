"""`--keep-heads` loses no sentence: crossing arcs are kept, what no tree has stays as it is where that is asked for."""

import pytest

import headway
from headway.data.sample import generate
from headway.data.trees import is_projective, is_tree


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.headway"
    headway.train(generate(40), passes=1, features="malt-14", single_root=True, encoding="none").save(path)
    return path


def rows(words, heads):
    """A sentence as CoNLL-U in which some words have heads; labels go with them."""
    cells = (
        (n, word, head, "dep" if head.isdecimal() else "_")
        for n, (word, head) in enumerate(zip(words, heads, strict=True), 1)
    )
    return (
        "".join(f"{n}\t{word}\t_\tNOUN\tNN\t_\t{head}\t{label}\t_\tKept={n}\n" for n, word, head, label in cells) + "\n"
    )


GOOD = rows("abcd", "_0__")
CROSSING = rows("abcd", "34_0")
CYCLE = "# a comment\n" + rows("abcd", "231_")
ROOTS = rows("ab", "00")
BEYOND = rows("ab", "9_")
LETTER = rows("ab", "x_")
BAD = {
    CYCLE: "words 1→2, 2→3 and 3→1",
    ROOTS: "words 1→0 and 2→0",
    BEYOND: "head '9' of word 1",
    LETTER: "head 'x' of word 1",
}


def heads_of(text):
    return [[token.head for token in one] for one in headway.from_conllu(text)]


def test_crossing_arcs_are_kept_with_one_note(model, tmp_path, run):
    path = tmp_path / "given.conllu"
    path.write_text(GOOD + 3 * CROSSING)
    done = run("parse", model, path, "--keep-heads", "--force")
    assert done.exit_code == 0, done.stderr
    first, *others = heads_of(done.stdout)
    assert first[1] == 0
    for heads in others:
        assert (heads[:2], heads[3]) == ([3, 4], 0) and is_tree(heads) and not is_projective(heads)
    assert done.stderr.count("given heads cross in 3 sentences") == 1


@pytest.mark.parametrize("sentence", BAD)
def test_a_sentence_that_no_tree_has_stops_or_stays_as_it_is(sentence, model, tmp_path, run):
    path, other = tmp_path / "given.conllu", tmp_path / "other.conllu"
    path.write_text(GOOD + sentence + CROSSING + sentence)
    other.write_text(GOOD + CROSSING)
    stopped = run("parse", model, path, "--keep-heads", "--force")
    assert stopped.exit_code == 2 and BAD[sentence] in stopped.stderr and "given.conllu:6: " in stopped.stderr
    done = run("parse", "-v", model, path, "--keep-heads", "--force", "--on-error", "skip")
    assert done.exit_code == 0
    first, second = run("parse", model, other, "--keep-heads", "--force").stdout.split("\n\n")[:2]
    assert done.stdout == f"{first}\n\n{sentence}{second}\n\n{sentence}"
    assert "2 sentences cannot be parsed with the heads that they give and stay as they are" in done.stderr
    assert done.stderr.count(BAD[sentence]) == 2


def test_threads_halves_streams_and_python_give_the_same(model, tmp_path, run, shell):
    parts = [GOOD, CROSSING, *BAD, GOOD]
    path, text = tmp_path / "given.conllu", "".join(parts) * 200
    path.write_text(text)
    how = ("--keep-heads", "--force", "--on-error", "skip")
    whole = run("parse", model, path, *how)
    assert "given heads cross in 200 sentences" in whole.stderr and "800 sentences cannot" in whole.stderr
    assert whole.stdout.count("\n\n") == 1400
    assert run("parse", model, path, *how, "--threads", "3").stdout == whole.stdout
    assert shell("parse", model, *how, stdin=text.encode()).stdout.decode() == whole.stdout
    pieces = []
    for half in (text[: len(text) // 2], text[len(text) // 2 :]):
        (tmp_path / "half.conllu").write_text(half)
        pieces.append(run("parse", model, tmp_path / "half.conllu", *how).stdout)
    assert "".join(pieces) == whole.stdout
    reader = headway.read(path, partial=True, on_error="skip")
    found = list(headway.load(model).parse(reader, keep_heads=True, force=True))
    assert "".join(f"{one}\n" for one in found) == whole.stdout
    assert [one.is_parsed for one in found[:7]] == [True, True, False, False, False, False, True]
    assert found[2].heads.tolist() == [2, 3, 1, -1]


def test_a_pipeline_leaves_all_of_such_a_sentence(tmp_path, run):
    """Tags that stages before the parser find are not written into it either."""
    model, path = tmp_path / "model.headway", tmp_path / "given.conllu"
    headway.train(generate(30), pipeline=True, without=["segmenter", "lemmatizer"], passes=1).save(model)
    path.write_text(GOOD + CYCLE + CROSSING)
    done = run("parse", "-q", model, path, "--keep-heads", "--on-error", "skip")
    first, second, third = done.stdout.removesuffix("\n\n").split("\n\n")
    assert f"{second}\n\n" == CYCLE and "\tDT\t" in first
    assert [row.split("\t")[6] for row in third.split("\n")][:2] == ["3", "4"]
