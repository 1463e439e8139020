"""The report of `headway info`, against numbers counted by hand."""

import json

import pytest

from headway import Sentence, read
from headway.data.treebank_facts import Overview, compare, overview

FIRST = """\
# sent_id = one
1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\tNN\tNumber=Sing\t4\tnsubj:pass\t_\t_
3-4\tisscheduled\t_\t_\t_\t_\t_\t_\t_\t_
3\tis\tbe\tAUX\tVB\t_\t4\taux:pass\t_\t_
4\tscheduled\tschedule\tVERB\tVB\t_\t0\troot\t_\t_
5\ton\ton\tADP\tIN\t_\t7\tcase\t_\t_
6\tthe\tthe\tDET\tDT\t_\t7\tdet\t_\t_
7\tissue\tissue\tNOUN\tNN\t_\t2\tnmod\t_\t_
7.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_
8\ttoday\ttoday\tNOUN\tNN\t_\t4\tobl\t_\t_

"""
SECOND = """\
# sent_id = two
1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_
3\tbarks\tbark\tVERB\tVB\t_\t0\troot\t_\t_

"""
UNPARSED = "1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n2\tcat\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def written(tmp_path, text, name="train.conllu"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def seen(tmp_path, text, **options):
    return overview(read(written(tmp_path, text), **options))


def problems(tmp_path, text, **options):
    return [line.replace(f"{tmp_path}/", "") for line in seen(tmp_path, text, **options).problems()]


def test_counts(tmp_path):
    found = seen(tmp_path, FIRST + SECOND)
    assert (found.sentences, found.words, len(found.forms)) == (2, 11, 10)
    assert (found.multiword_tokens, found.empty_nodes) == (1, 1)
    assert found.length == {"shortest": 3, "mean": 5.5, "median": 5.5, "longest": 8}
    assert (found.parsed_sentences, found.arcs) == (2, 11)
    assert (found.nonprojective_sentences, found.nonprojective_arcs, found.planar_sentences) == (1, 1, 1)
    assert found.roots == {1: 1, 2: 1}
    assert found.deepest == 4
    assert found.labels["root"] == 3 and found.labels["det"] == 3 and len(found.labels) == 7
    assert found.root_labels == {"root": 3}
    assert found.upos == {"DET": 3, "NOUN": 4, "VERB": 2, "AUX": 1, "ADP": 1}
    assert found.xpos == {"DT": 3, "NN": 4, "VB": 3, "IN": 1}
    assert found.filled["FORM"] == 11 and found.filled["FEATS"] == 1 and found.filled["MISC"] == 0


def test_batches_add_up(tmp_path):
    """A treebank of many batches is its sentences counted one by one."""
    path = written(tmp_path, (FIRST + SECOND) * 3000)
    reader = read(path)
    assert len(list(reader.batches())) > 1
    whole, single = overview(reader), Overview(str(path))
    for sentence in (FIRST, SECOND):
        single.add(next(read(written(tmp_path, sentence, "one.conllu")).batches()))
    for name in ("sentences", "words", "arcs", "multiword_tokens", "empty_nodes", "nonprojective_arcs"):
        assert getattr(whole, name) == 3000 * getattr(single, name)
    for name in ("labels", "upos", "xpos", "forms", "roots", "filled", "lengths"):
        assert getattr(whole, name) == {key: 3000 * count for key, count in getattr(single, name).items()}
    assert whole.repeated_sentences == 5998


def test_an_unparsed_file(tmp_path):
    found = seen(tmp_path, UNPARSED * 2, format="conllu")
    assert (found.sentences, found.words, found.parsed_sentences, found.arcs) == (2, 4, 0, 0)
    assert (found.roots, found.labels, found.upos, found.deepest) == ({}, {}, {}, 0)
    assert found.problems() == ["empty in every word: LEMMA, UPOS, XPOS, FEATS"]


def test_a_sentence_without_a_file():
    found = Overview("here")
    found.add(Sentence(forms=["a", "b", "c"], heads=[3, 0, 2], deprels=["x", "root", "y"]).batch)
    assert (found.nonprojective_arcs, found.planar_sentences, found.deepest) == (1, 1, 3)


def test_nothing_to_complain_about(tmp_path):
    assert problems(tmp_path, FIRST) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (FIRST + SECOND + SECOND, "repeated sent_ids: 'two' at line 18"),
        (FIRST + SECOND[16:], "1 sentence without a sent_id, while others have one"),
        (FIRST + UNPARSED, "1 sentence without heads"),
        (FIRST + SECOND * 2, "2 sentences with several roots, the first at train.conllu:13"),
        (FIRST + SECOND.replace("barks\tbark\tVERB\tVB\t_\t0\troot", "barks\tbark\tVERB\tVB\t_\t0\tdep"),
         "1 root not labelled 'root': 'dep' 1"),
        (FIRST.replace("nmod", "root"), "1 word labelled 'root', but not under the root"),
        (FIRST.replace("nmod", "_"), "1 word with a head but without a label"),
        (FIRST.replace("Number=Sing", "_"), "empty in every word: FEATS"),
        ("1\ta\tx\tX\tX\tF\t0\troot\t_\t_\n2\tb\ty\tY\tX\tG\t1\tdep\t_\t_\n\n", "XPOS is 'X' in every word"),
        (FIRST.replace("DET", "ART"), "UPOS tags that are not universal: 'ART' 2"),
        (FIRST * 2 + FIRST.replace("nmod", "nmdo"), "labels that occur once: 'nmdo'"),
    ],
)  # fmt: skip
def test_problems(tmp_path, text, problem):
    assert problem in problems(tmp_path, text, format="conllu")
    assert problem not in problems(tmp_path, FIRST)


def test_examples_are_few(tmp_path):
    found = problems(tmp_path, SECOND * 10)
    assert found[0].endswith("'two' at line 26 and 4 more")


def test_a_treebank_without_root_labels_is_left_in_peace(tmp_path):
    text = (FIRST + SECOND).replace("\troot", "\tmain", 2).replace("\troot", "\tside")
    assert not any("labelled" in line for line in problems(tmp_path, text))


def test_sentences_left_out_and_notes(tmp_path):
    path = written(tmp_path, FIRST + SECOND.replace("\t2\tdet", "\t9\tdet"))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    found = overview(read(path, on_error="skip"))
    assert (found.sentences, found.words, found.skipped) == (1, 8, 1)
    assert found.problems() == ["1 sentence that could not be read"]
    assert found.notes == ["Windows line ends (CR LF) were read as line ends"]


def test_what_is_new_in_another_file(tmp_path):
    other = FIRST + SECOND.replace("dog", "cat").replace("NN", "NNP").replace("\tdet", "\tnew").replace("A\t", "The\t")
    found = compare(seen(tmp_path, FIRST + SECOND), seen(tmp_path, other))
    assert (found["sentences"], found["repeated_sentences"]) == (2, 1)
    assert (found["words"], found["unknown_words"]) == (11, 2)
    assert (found["types"], found["unknown_types"]) == (11, 2)
    assert [found[f"unknown_{name}"] for name in ("labels", "upos", "xpos")] == [{"new": 1}, {}, {"NNP": 1}]


def test_the_table(tmp_path, run):
    path = written(tmp_path, FIRST + SECOND)
    result = run("info", path, "--compare", written(tmp_path, SECOND.replace("dog", "cat"), "dev.conllu"))
    assert result.exit_code == 0
    rows = [" ".join(line.split()) for line in result.stdout.splitlines()]
    for row in (
        "sentences 2",
        "words 11",
        "multiword tokens 1",
        "median 5.5",
        "not projective 1 50.00",
        "planar 1 50.00",
        "with 2 roots 1 50.00",
        "arcs that are not projective 1 9.09",
        "depth of the deepest tree 4",
        "FEATS 1 9.09",
        "labels: 7",
        "det 3 27.27",
        "NOUN 4 36.36",
        f"{tmp_path}/dev.conllu, compared",
        "unknown 1 33.33",
        "problems",
    ):
        assert row in rows
    assert f"1 sentence with several roots, the first at {path}:13" in result.stdout.splitlines()


def test_as_many_labels_as_asked_for(tmp_path, run):
    path = written(tmp_path, FIRST + SECOND)
    assert "labels: 7, the first 2\n" in run("info", path, "--top", 2).stdout
    assert "\ncase  " not in run("info", path, "--top", 2).stdout
    assert "\ncase  " in run("info", path, "--all", "--top", 2).stdout
    assert "labels:" not in run("info", path, "--top", 0).stdout


def test_json(tmp_path, run):
    path = written(tmp_path, FIRST + SECOND.replace("dog", "Hündin"))
    result = run("info", path, "--json", "--top", 1, "--compare", written(tmp_path, SECOND, "dev.conllu"))
    found = json.loads(result.stdout)
    assert (found["sentences"], found["types"], found["length"]["longest"]) == (2, 10, 8)
    assert list(found["labels"].items())[:2] == [("det", 3), ("root", 3)]
    assert len(found["xpos"]) == 4
    assert found["roots"] == {"1": 1, "2": 1}
    assert found["problems"][:1] == [f"1 sentence with several roots, the first at {path}:13"]
    assert found["comparisons"][0]["unknown_words"] == 1
    assert not {"forms", "sent_ids", "word_sequences"} & set(found)


def test_labels_cannot_act_on_the_terminal(tmp_path, run):
    result = run("info", written(tmp_path, FIRST.replace("nmod", "[bold]\x1b[31mred").replace("case", "z" * 90)))
    assert "[bold]\\x1b[31mred" in result.stdout
    assert "z" * 40 + "… " in result.stdout


def test_standard_input(shell):
    result = shell("info", stdin=b"A\tDT\ncat\tNN\n\n")
    assert result.returncode == 0
    assert result.stdout.startswith(b"<stdin>, MaltTab\n")


def test_a_bad_file_is_one_sentence(tmp_path, run):
    path = written(tmp_path, FIRST + SECOND.replace("\t2\tdet", "\t9\tdet"))
    result = run("info", path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}:14: head '9' is beyond the last word")
    skipped = run("info", path, "--on-error", "skip")
    assert skipped.exit_code == 0
    assert skipped.stdout.endswith("problems\n1 sentence that could not be read\n")
    compared = run("info", written(tmp_path, FIRST, "a.conllu"), "--compare", path, "--on-error", "skip")
    assert "  that could not be read" in compared.stdout
