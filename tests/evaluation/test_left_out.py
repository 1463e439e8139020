"""Sentences that cannot be read in one file are left out of the others, so that the rest is compared as before."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway import Multiword, Sentence, evaluate, read, write
from headway.base.errors import HeadwayError
from headway.evaluation.columns import STRINGS, readable_in_all, treebank_columns

BROKEN = "1\tx\n2\ty\tz\n\n"


def sentences(count):
    """Sentences of different words and lengths, every second with a multiword token and a comment."""
    for number in range(count):
        forms = [f"w{number}.{place}" for place in range(1 + number % 4)]
        multiwords = [Multiword(1, 1, f"m{number}")] if number % 2 else []
        heads = [0, *[1] * (len(forms) - 1)]
        comments = [f"# sent_id = {number}"] if number % 2 else []
        yield Sentence(forms=forms, heads=heads, multiwords=multiwords, comments=comments)


def written(path, given, broken=()):
    """A file whose sentences of these numbers cannot be read."""
    pieces = []
    for number, sentence in enumerate(given):
        write([sentence], path)
        pieces.append(BROKEN if number in broken else path.read_text())
    path.write_text("".join(pieces))
    return path


@given(count=st.integers(1, 9), data=st.data())
def test_the_rest_is_as_if_the_sentences_were_in_no_file(tmp_path_factory, count, data):
    folder = tmp_path_factory.mktemp("files")
    places = st.sets(st.integers(0, count - 1))
    broken = [data.draw(places) for _ in range(3)]
    every = list(sentences(count))
    kept = [sentence for number, sentence in enumerate(every) if not any(number in some for some in broken)]
    paths = [written(folder / f"{number}.conllu", every, some) for number, some in enumerate(broken)]
    if not kept:
        with pytest.raises(HeadwayError):
            readable_in_all([treebank_columns(read(path, format="conllu", on_error="skip")) for path in paths])
        return
    first = treebank_columns(read(paths[0], format="conllu", on_error="skip"))
    others = [treebank_columns(read(path, format="conllu", on_error="skip"), first.names) for path in paths[1:]]
    wanted = treebank_columns(kept, first.names)
    for found in readable_in_all([first, *others]):
        assert found.left_out == ()
        for name in ("first", "heads", "spans", *STRINGS):
            assert np.array_equal(getattr(found, name), getattr(wanted, name)), name


@pytest.fixture
def files(tmp_path):
    every = list(sentences(8))
    wrong = [s.replace(deprels=["x"] * len(s)) if number == 2 else s for number, s in enumerate(every)]
    return [
        written(tmp_path / "gold.conllu", every, {1, 5}),
        written(tmp_path / "first.conllu", wrong, {5, 6}),
        written(tmp_path / "second.conllu", every, {7}),
    ]


def test_it_stops_where_nothing_else_is_asked_for(run, files):
    result = run("evaluate", *files[:2])
    assert result.exit_code == 2 and "gold.conllu:3: 2 columns where CoNLL-U has 10" in result.stderr


@pytest.mark.parametrize(("systems", "left"), [(1, 5), (2, 4)])
@pytest.mark.parametrize("definition", ["ud", "all"])
def test_the_command_leaves_them_out_of_all_files(run, files, systems, left, definition):
    words = ("evaluate",) if systems == 1 else ("compare", "--trials", 10)
    words += (*files[: 1 + systems], "--on-error", "skip", "--definition", definition)
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    assert "gold.conllu: 2 sentences could not be read and were left out" in result.stderr
    assert "first.conllu: 2 sentences could not be read and were left out" in result.stderr
    found = json.loads(result.stdout)
    kept = [len(s) for number, s in enumerate(sentences(8)) if number not in {1, 5, 6, *([7] if systems == 2 else [])}]
    assert (found["gold"]["sentences"], found["gold"]["words"]) == (left, sum(kept))
    assert found["systems"][-1]["scores"]["LAS"]["correct"] == sum(kept) - 3
    assert f"sentences: {left}, words: {sum(kept)}" in run(*words).stdout


def test_python_has_the_same(files):
    scores = evaluate(*(read(path, on_error="skip") for path in files[:2]), definition="all")
    assert scores["UAS"].correct == scores["UAS"].gold == 13


def test_a_file_that_has_lost_them_already_is_taken_as_it_is(tmp_path):
    every = list(sentences(6))
    gold = written(tmp_path / "gold.conllu", every, {2, 3})
    system = written(tmp_path / "system.conllu", every[:2] + every[4:])
    scores = evaluate(read(gold, on_error="skip"), read(system, on_error="skip"), definition="all")
    assert scores["UAS"].correct == scores["UAS"].gold == sum(map(len, every[:2] + every[4:]))


def test_numbers_of_sentences_that_do_not_fit_are_told(run, tmp_path):
    every = list(sentences(6))
    gold = written(tmp_path / "gold.conllu", every, {2})
    system = written(tmp_path / "system.conllu", every[:4])
    result = run("evaluate", gold, system, "--on-error", "skip")
    assert result.exit_code == 2 and len(result.stderr.strip().splitlines()) == 1
    assert "gold.conllu has 6 sentences and" in result.stderr and "system.conllu has 4 sentences" in result.stderr
