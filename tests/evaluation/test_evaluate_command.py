import csv
import io
import json
import re

import pytest
from pages import Tags

from headway import Sentence, write
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.evaluation.report import PARTS, parts_named, report
from headway.evaluation.significance import holm


def treebank():
    return [
        Sentence(
            forms=["The", "dog", "chased", "a", "cat", "."],
            upos=["DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"],
            heads=[2, 3, 0, 5, 3, 3],
            deprels=["det", "nsubj", "root", "det:indef", "obj", "punct"],
        ),
        Sentence(forms=["It", "<ran>"], upos=["PRON", "VERB"], heads=[2, 0], deprels=["nsubj", "root"]),
    ]


@pytest.fixture
def more_files(files):
    return [*files, files[0]]


@pytest.fixture
def files(tmp_path):
    gold = treebank()
    worse = [gold[0].replace(heads=[2, 3, 0, 3, 3, 5], deprels=["det"] * 6), gold[1]]
    better = [gold[0].replace(deprels=["det", "obj", "root", "det", "obj", "punct"]), gold[1]]
    paths = [tmp_path / f"{name}.conllu" for name in ("gold", "worse", "better")]
    for path, sentences in zip(paths, (gold, worse, better), strict=True):
        write(sentences, path)
    return paths


def row(output, name):
    """The numbers in the first line of a table that begins with the name."""
    return next(line.split()[1:] for line in output.splitlines() if re.match(rf"{name}\s", line))


def test_the_definition_is_always_shown(run, files):
    gold, worse, _ = files
    result = run("evaluate", gold, worse)
    assert result.exit_code == 0, result.stderr
    assert "definition: ud (CoNLL 2018 UD scorer): all words count, labels without subtypes" in result.stdout
    assert f"gold: {gold}, sentences: 2, words: 8\nsystem: {worse}\n" in result.stdout
    assert row(result.stdout, "LAS") == ["37.50"] * 4


def test_the_gold_format_chooses_the_definition(run, files, tmp_path):
    gold, worse, _ = files
    run("convert", gold, "-o", tmp_path / "gold.conllx")
    result = run("evaluate", tmp_path / "gold.conllx", worse)
    assert "definition: conllx (CoNLL-X eval.pl): punctuation does not count" in result.stdout
    assert "words: 8, counted: 7" in result.stdout
    assert row(result.stdout, "LAS") == ["42.86", "3", "7"]


def test_options_change_what_counts(run, files):
    gold, worse, _ = files
    every = run("evaluate", gold, worse, "--definition", "all").stdout
    assert (
        run("evaluate", gold, worse, "--definition", "conllx", "--punctuation").stdout.splitlines()[3:]
        == (every.splitlines()[3:])
    )
    refused = run("evaluate", gold, worse, "--no-punctuation")
    assert refused.exit_code == 2 and "'ud' counts punctuation" in refused.stderr


def test_breakdowns_are_printed_on_demand(run, files):
    gold, worse, _ = files
    short = run("evaluate", gold, worse).stdout
    long = run("evaluate", gold, worse, "--by", "label,length, confusions").stdout
    assert long.startswith(short.rstrip())
    assert "By label" in long and "Arc length" in long and "Confused labels" in long and "By depth" not in long
    every = run("evaluate", gold, worse, "--by", "all").stdout
    assert all(f"By {part}\n" in every for part in PARTS if part not in ("confusions", "errors"))
    assert "Kinds of error" in every and "…" not in every


def test_what_differs_leads_and_what_does_not_is_one_line(run, files):
    gold, worse, _ = files
    printed = run("evaluate", gold, worse).stdout.splitlines()
    names = [line.split()[0] for line in printed[7:-1]]
    assert names[:3] == ["LAS", "UAS", "CLAS"] and "UPOS" not in names
    assert printed[-1] == "all right: RA, Tokens, Sentences, Words, UPOS, XPOS, UFeats, AllTags, Lemmas"
    other = [s.replace(upos=["X"] * len(s)) for s in treebank()]
    write(other, gold.parent / "tags.conllu")
    printed = run("evaluate", gold, gold.parent / "tags.conllu").stdout
    assert printed.index("\nLAS ") < printed.index("\nUAS ") < printed.index("\nUPOS ")
    assert row(printed, "LAS") == ["100.00"] * 4 and row(printed, "UPOS") == ["0.00"] * 4
    assert "all right: " in printed and "UCM" in printed.rpartition("all right: ")[2]


def test_a_second_system_is_sent_to_the_other_command(run, files):
    result = run("evaluate", *files)
    assert result.exit_code == 2
    assert f"evaluate scores one system; to compare several, type headway compare {files[0]}" in result.stderr
    result = run("compare", *files[:2])
    assert result.exit_code == 2 and f"to score one, type headway evaluate {files[0]}" in result.stderr


def test_systems_are_compared_the_best_first(run, files):
    result = run("compare", *files, "--by", "label,errors", "--trials", 100, "--seed", 5)
    assert result.exit_code == 0, result.stderr
    assert row(result.stdout, "1")[:3] == [str(files[2]), "87.50", "100.00"]
    assert row(result.stdout, "2")[:3] == [str(files[1]), "37.50", "75.00"]
    assert row(result.stdout, "1 − 2")[2:4] == ["LAS", "+50.00"]
    assert "100 draws of sentences with seed 5" in result.stdout and "p McNemar" in result.stdout
    assert "Kinds of error, system 2" in result.stdout and "p Holm" not in result.stdout
    assert "the same for all: RA, Tokens, Sentences, Words, " in result.stdout
    assert result.stdout == run("compare", *files, "--by", "label,errors", "--trials", 100, "--seed", 5).stdout


def test_three_systems_and_more_are_compared_in_pairs(run, files):
    gold, worse, better = files
    result = run("compare", gold, worse, gold, better, "--by", "label", "--trials", 50)
    assert result.exit_code == 0, result.stderr
    assert [row(result.stdout, str(n))[0] for n in (1, 2, 3)] == [str(gold), str(better), str(worse)]
    pairs = re.findall(r"^(\d − \d) +LAS", result.stdout, re.MULTILINE)
    assert pairs == ["1 − 2", "1 − 3", "2 − 3"] and "p Holm" in result.stdout
    assert row(result.stdout, "Label")[-6:] == ["F1", "1", "F1", "2", "F1", "3"]


def test_the_corrected_p_values_are_those_of_holm(files):
    gold, worse, better = files
    found = report(gold, worse, better, gold, trials=50)
    by_size = sorted(pair.tests[0].p for pair in found.pairs)
    corrected = sorted(pair.corrected["LAS"] for pair in found.pairs)
    expected = [min(1.0, p * (3 - rank)) for rank, p in enumerate(by_size)]
    assert corrected == [max(expected[: at + 1]) for at in range(3)]
    assert holm([]) == [] and holm([0.04]) == [0.04] and holm([0.9, 0.8]) == [1.0, 1.0]


def test_markdown_has_the_tables_asked_for(run, files):
    printed = run("compare", *files, "--markdown", "--by", "length", "--trials", 50).stdout
    assert printed.startswith("# Evaluation of ") and f"| 1 | {files[2]} | **87.50** |" in printed
    assert "## By length" in printed and "## By label" not in printed
    refused = run("compare", *files, "--markdown", "--json")
    assert refused.exit_code == 2 and "exclude each other" in refused.stderr


def test_latex_has_the_tables_asked_for(run, files):
    printed = run("compare", *files, "--latex", "--by", "length", "--trials", 50).stdout
    assert printed.startswith("% Evaluation of ") and r"& \textbf{87.50} &" in printed
    assert printed.count(r"\begin{table}") == printed.count(r"\end{table}") == 3 and r"\caption{By length}" in printed
    bare = re.sub(r"\\.", "", printed)
    assert bare.count("{") == bare.count("}") and not re.search(r"(?m)^[^%\n].*[_#%^~]", bare)
    for table in printed.split(r"\begin{tabular}")[1:]:
        columns = len(re.match(r"\{([lr]+)\}", table)[1])
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        assert rows and all(len(re.findall(r"(?<!\\)&", row)) == columns - 1 for row in rows)


def test_csv_has_the_numbers_of_json(run, files):
    how = ("--by", "all", "--trials", 50)
    rows = list(csv.DictReader(io.StringIO(run("compare", *files, "--csv", *how).stdout)))
    found = json.loads(run("compare", *files, "--json", *how).stdout)
    told = {(r["part"], r["system"], r["item"], r["measure"]): float(r["value"]) for r in rows}
    for system in found["systems"]:
        for metric, score in system["scores"].items():
            assert told["scores", system["file"], metric, "f1"] == score["f1"]
        for group in system["label"]:
            assert told["label", system["file"], group["value"], "f1"] == (group["f1"] or 0)
    for test in found["significance"]:
        assert told["significance", " − ".join(test["systems"]), test["metric"], "p"] == test["p"]
        assert told["significance", " − ".join(test["systems"]), test["metric"], "interval 2"] == test["interval"][1]
    refused = run("compare", *files, "--csv", "--latex")
    assert refused.exit_code == 2 and "--latex and --csv exclude each other" in refused.stderr


def test_json_has_everything_asked_for(run, files):
    found = json.loads(run("compare", *files, "--json", "--by", "all", "--trials", 50).stdout)
    assert found["definition"] == "ud" and found["gold"]["words"] == 8
    best, other = found["systems"]
    assert other["scores"]["LAS"]["correct"] == 3 and best["scores"]["LAS"]["f1"] == 0.875
    assert set(PARTS) < set(best)
    assert [test["metric"] for test in found["significance"]] == ["LAS", "UAS"]
    assert found["significance"][0]["systems"] == [best["file"], other["file"]]
    assert found["significance"][0]["difference"] == 50.0


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_the_page_is_well_formed_and_complete(run, more_files, tmp_path, systems):
    words = ("evaluate",) if systems == 1 else ("compare", "--trials", 50)
    result = run(*words, *more_files[: 1 + systems], "--html", tmp_path / "page.html")
    assert result.exit_code == 0 and "LAS" in result.stdout
    page = (tmp_path / "page.html").read_text()
    seen = Tags(page).seen
    assert seen.count("table") >= 11 and seen.count("svg") == 6
    assert "definition: ud (CoNLL 2018 UD scorer)" in page
    assert ("p McNemar" in page) == (systems > 1)
    assert page.count("This is not the table of the CoNLL-X eval.pl") == 3


def test_the_page_can_go_to_standard_output(run, files):
    result = run("evaluate", *files[:2], "--html", "-")
    assert result.stdout.startswith("<!doctype html>") and result.stdout.endswith("</html>\n")


def test_one_file_can_be_standard_input(run, shell, files):
    gold, worse, _ = files
    assert b"system: <stdin>" in shell("evaluate", gold, "-", stdin=worse.read_bytes()).stdout
    result = run("evaluate", "-", "-")
    assert result.exit_code == 2 and "only one of the files can be '-'" in result.stderr


def test_an_unparsed_system_is_named(run, files, tmp_path):
    write([s.replace(heads=["_"] * len(s)) for s in treebank()], tmp_path / "raw.conllu")
    result = run("evaluate", files[0], tmp_path / "raw.conllu")
    assert result.exit_code == 2
    assert "raw.conllu:1: this sentence has no heads (HEAD is '_'); parse it first" in result.stderr


def test_predicted_columns_of_the_system_can_be_taken(run, tmp_path):
    line = "{0}\t{1}\t_\t_\t_\t_\t_\t_\t{2}\t{3}\t{4}\t{4}\t_\t_\n"
    text = line.format(1, "a", 0, 2, "x") + line.format(2, "b", 1, 0, "x") + "\n"
    (tmp_path / "file.conll09").write_text(text)
    path = tmp_path / "file.conll09"
    assert row(run("evaluate", path, path).stdout, "UAS")[0] == "100.00"
    assert row(run("evaluate", path, path, "--columns", "predicted").stdout, "UAS")[0] == "0.00"


def test_unknown_breakdowns_list_the_known_ones():
    assert parts_named("") == () and parts_named("all") == PARTS and parts_named("label, depth") == ("label", "depth")
    with pytest.raises(HeadwayError, match="unknown breakdown 'tag'; known are: all, confusions, depth"):
        parts_named("label,tag")


def test_a_report_needs_a_system():
    with pytest.raises(HeadwayError, match="no system was given; name at least one file of parses"):
        report(treebank())


def test_compare_tests_the_scores_that_are_named(run, tmp_path):
    gold = list(generate(20))
    paths = [tmp_path / name for name in ("gold.conllu", "one.conllu", "two.conllu")]
    write(gold, paths[0])
    write([one.replace(upos=["X"] * len(one)) for one in gold], paths[1])
    write([one.replace(deprels=["dep"] * len(one)) for one in gold], paths[2])
    done = run("compare", *paths, "--metrics", "UPOS, CLAS,Sentences,LAS:root", "--trials", 20, "--json")
    found = {one["metric"]: one["difference"] for one in json.loads(done.stdout)["significance"]}
    assert found == {"UPOS": -100, "CLAS": 100, "Sentences": 0, "LAS:root": 100}
    shown = run("compare", *paths, "--metrics", "UPOS,Sentences", "--trials", 20).stdout
    assert "McNemar over words or sentences" in shown and "1 − 2     UPOS" in shown
    bad = run("compare", *paths, "--metrics", "POS")
    assert bad.exit_code == 2 and "no score 'POS' with the definition 'ud'; known are: AllTags, " in bad.stderr
