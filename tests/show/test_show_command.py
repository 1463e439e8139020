import os
from xml.etree import ElementTree

import pytest

from headway import Sentence, write
from headway.cli.show import ON_A_PAGE

COUNT = 12


def sentence(number, heads=(2, 0), labels=("nsubj", "root"), forms=None):
    forms = forms or [f"dogs{number}", "bark"]
    return Sentence(forms=forms, heads=heads, deprels=labels, comments=[f"# sent_id = s{number}"])


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.conllu"
    write([sentence(number) for number in range(1, COUNT + 1)], path)
    return path


@pytest.fixture
def system(tmp_path):
    """Another head in sentence 3, another label in sentence 8."""
    path = tmp_path / "system.conllu"
    changed = {3: {"heads": (0, 1)}, 8: {"labels": ("obj", "root")}}
    write([sentence(number, **changed.get(number, {})) for number in range(1, COUNT + 1)], path)
    return path


def shown(result):
    """The numbers of the sentences that were printed."""
    return [int(line.split()[1].rstrip(",")) for line in result.stdout.split("\n") if line.startswith("sentence ")]


def test_the_first_sentence_is_shown(run, gold):
    result = run("show", gold)
    assert result.stdout.split("\n") == [
        f"sentence 1, {gold}:1, s1",
        "dogs1 bark",
        "",
        "          root",
        "  ╭─nsubj─╮ │",
        "  ▼       │ ▼",
        "dogs1     bark",
        "",
    ]


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["-s", "5"], [5]),
        (["--sentence", "3-5", "-s", "9"], [3, 4, 5, 9]),
        (["-s", "s7"], [7]),
        (["-s", "s12", "-s", "2"], [2, 12]),
        (["-s", "12"], [12]),
        (["--limit", "3"], [1, 2, 3]),
        (["--limit", "99"], list(range(1, COUNT + 1))),
        (["--all"], list(range(1, COUNT + 1))),
    ],
)
def test_sentences_can_be_chosen(run, gold, options, numbers):
    result = run("show", gold, *options)
    assert result.exit_code == 0 and shown(result) == numbers


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ("13", "the file has 12 sentences, there is no sentence 13; ask for 1 to 12"),
        ("11-20", "the file has 12 sentences, there is no sentence 20; ask for 1 to 12"),
        ("s13", "none of its 12 sentences has the sent_id 's13'; ask for a number from 1 to 12"),
        ("0", "'0' is not a range; sentences are counted from 1"),
        ("5-3", "'5-3' is not a range"),
    ],
)
def test_asking_for_more_than_there_is(run, gold, asked, what):
    result = run("show", gold, "--sentence", asked)
    assert result.exit_code == 2 and what in result.stderr


def test_no_more_is_read_than_needed(run, tmp_path):
    path = tmp_path / "large.conllu"
    good = "1\tdogs\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text(good * (3_000_000 // len(good)) + "1\tbroken\n\n")
    assert run("show", path, "-s", "3").exit_code == 0
    assert "2 columns" in run("show", path, "-s", "none").stderr


def test_standard_input_is_a_file(shell, gold):
    assert b"<stdin>:1, s1" in shell("show", "-", stdin=gold.read_bytes()).stdout


def test_sentences_that_cannot_be_read_may_be_left_out(run, gold):
    gold.write_text("1\tbroken\n\n" + gold.read_text())
    assert run("show", gold).exit_code == 2
    result = run("show", gold, "--on-error", "skip", "--from", "conllu")
    assert "dogs1 bark" in result.stdout and "1 sentence could not be read" in result.stderr


def test_words_without_heads_are_shown(run, tmp_path):
    path = tmp_path / "raw.conllu"
    write([Sentence(forms=["no", "tree"])], path)
    result = run("show", path)
    assert result.exit_code == 0 and "1 no\n2 tree\n\nno tree" in result.stdout


def test_layout_and_width(run, gold):
    assert "  ╭►─ 1 dogs1 nsubj\n●─┴── 2 bark  root\n" in run("show", gold, "--layout", "down").stdout
    assert "  ╭►─ 1 dogs1 nsubj\n" not in run("show", gold, "--width", "20").stdout
    wide = run("show", gold, "-s", "12", "--width", "20").stdout
    assert max(map(len, wide.split("\n")[3:])) <= 20


def test_two_files_are_compared(run, gold, system):
    result = run("show", gold, system, "-s", "3")
    assert "✗ dogs3" in result.stdout and "2 of 2 words differ" in result.stdout
    assert "the two trees are the same" in run("show", gold, system).stdout


def test_only_sentences_with_errors(run, gold, system):
    assert shown(run("show", gold, system, "--errors")) == [3]
    assert shown(run("show", gold, system, "--errors", "--all")) == [3, 8]
    assert shown(run("show", gold, system, "--errors", "-s", "4-9")) == [8]
    assert shown(run("show", gold, system, "--errors", "--limit", 2)) == [3, 8]
    same = run("show", gold, gold, "--errors")
    assert same.exit_code == 0 and same.stdout == "" and "the trees do not differ" in same.stderr


def test_other_words_are_named(run, gold, tmp_path):
    other = tmp_path / "other.conllu"
    write([sentence(1), sentence(2, forms=["dogs2", "howl"])], other)
    result = run("show", gold, other, "-s", "2")
    assert result.exit_code == 2
    expected = f"{gold}:5 and {other}:5: the texts differ: after 'dogs2' stands 'bark' in one, 'howl' in the other"
    assert expected in result.stderr


@pytest.fixture
def recut(gold, tmp_path):
    """The text of `gold`: the first two sentences are one, `dogs4` is two words, and sentence 3 has another label."""
    both = Sentence(
        forms=["dogs1", "bark", "dogs2", "bark"], heads=[2, 0, 4, 2], deprels=["nsubj", "root", "obj", "dep"]
    )
    four = Sentence(forms=["dogs", "4", "bark"], heads=[3, 1, 0], deprels=["nsubj", "dep", "root"])
    path = tmp_path / "recut.conllu"
    others = [sentence(number) for number in range(5, COUNT + 1)]
    write([both, sentence(3, labels=("obj", "root")), four, *others], path)
    return path


def test_files_are_aligned_by_their_characters(run, gold, recut, tmp_path):
    result = run("show", gold, recut, "--errors", "--all")
    assert result.stdout.startswith(
        "4 of 24 words differ in head or label, 1 of them because they are cut differently, in 3 of 12 sentences\n"
    )
    assert shown(result) == [2, 3, 4]
    assert "0 of 2 words cut differently, 2 others differ in head or label\nsentence 2, " in result.stdout
    assert "nsubj, of a word that is cut differently, 1 of 4 words" in result.stdout
    plain = run("show", gold, recut, "-s", "1").stdout
    assert plain.startswith("0 of 2 words cut differently, 0 others differ in head or label\nsentence 1, ")
    assert f"the same text in the other file\n{recut}:1\n" in plain and "dogs1 bark dogs2 bark" in plain
    page = tmp_path / "page.html"
    assert run("show", gold, recut, "--errors", "--all", "--html", page).exit_code == 0
    assert page.read_text().count("<svg ") == 5
    assert "a page with --html" in run("show", gold, recut, "-s", "1", "--svg", "-").stderr
    assert run("show", recut, gold, "-s", "1").stdout.count("the same text in the other file") == 2


def test_what_one_file_leaves_out_is_left_out_of_both(run, gold, system):
    lines = gold.read_text().split("\n")
    gold.write_text("\n".join(["1\tbroken", *lines[lines.index("") :]]))
    result = run("show", gold, system, "--errors", "--all", "--on-error", "skip", "--from", "conllu")
    assert "3 of 22 words differ in head or label, in 2 of 11 sentences" in result.stdout


def test_files_of_different_length(run, gold, tmp_path):
    other = tmp_path / "other.conllu"
    write([sentence(1), sentence(2)], other)
    assert run("show", gold, other, "-s", "2").exit_code == 0
    for files in ((gold, other), (other, gold)):
        result = run("show", *files, "--all")
        assert result.exit_code == 2
        assert f"{other}: the file ends after 2 sentences, {gold} goes on" in result.stderr


def test_a_picture_is_written(run, gold, system, tmp_path):
    path = tmp_path / "tree.svg"
    result = run("show", gold, system, "-s", "8", "--svg", path)
    assert result.exit_code == 0 and result.stdout == ""
    assert len(ElementTree.parse(path).findall(".//{*}path")) == 3
    printed = run("show", gold, "--svg", "-").stdout
    assert printed.startswith("<svg ") and "dogs1" in printed


def test_a_picture_holds_one_sentence(run, gold, tmp_path):
    result = run("show", gold, "-s", "1-2", "--svg", tmp_path / "tree.svg")
    assert result.exit_code == 2 and "an SVG file holds one sentence" in result.stderr
    assert not (tmp_path / "tree.svg").exists()


def test_a_page_is_written(run, gold, system, tmp_path):
    path = tmp_path / "trees.html"
    assert run("show", gold, "--html", path).exit_code == 0
    assert path.read_text().count("<svg ") == ON_A_PAGE
    assert run("show", gold, system, "--errors", "--all", "--html", path).exit_code == 0
    page = path.read_text()
    assert page.count("<svg ") == 2 and "<h2>s3</h2>" in page and "<h2>s8</h2>" in page


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--errors"], "--errors compares two files"),
        (["--svg", "a", "--html", "b"], "exclude each other"),
        (["--limit", "0"], "0 is not in the range"),
    ],
)
def test_options_that_make_no_sense(run, gold, options, what):
    result = run("show", gold, *options)
    assert result.exit_code == 2 and what in result.stderr


def test_only_one_file_is_standard_input(run):
    assert "only one of the files can be '-', standard input" in run("show", "-", "-").stderr


def test_colours_are_for_terminals(run, gold, system, shell):
    assert "\x1b" not in run("show", gold, system, "-s", "3").stdout
    coloured = shell("show", gold, system, "-s", "3", env=os.environ | {"FORCE_COLOR": "1", "TERM": "xterm"})
    assert b"\x1b[31m" in coloured.stdout


def test_an_output_without_these_characters_is_one_sentence(shell, gold):
    result = shell("show", gold, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 2 and b"Traceback" not in result.stderr
    assert b"standard output takes ascii only" in result.stderr
