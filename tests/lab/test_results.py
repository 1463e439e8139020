"""The page of results: tables, marks, claims, exponents, from journals alone and the same bytes each time."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pages import Tags
from recipe_files import BAD, CLAIMS, GOOD, TINY, fake_journal, made, recipe_text, results_of, two_learners

from headway.lab.experiment import run, status
from headway.lab.reading import names, recipe, recipe_from
from headway.lab.reports.page import figures_of, heat_map_of, write_page
from headway.lab.reports.tables import growth, table_of
from headway.lab.results import results

ROOT = Path(__file__).parents[2]


def test_a_table_has_ours_with_marks_and_the_papers_beside(tmp_path):
    found = results_of(TINY, tmp_path, two_learners)
    table = table_of(found.recipe.tables[0], found)
    assert table.header == (
        *("treebank", "perceptron, LAS", "perceptron, training CPU seconds", "cw, LAS", "cw, training CPU seconds"),
        "paper: perceptron, theirs",
    )
    assert table.rows == [("sample", "55.00†", "180.0", "95.00", "20.0", "61.50")]
    assert table.notes == [
        "† differs from cw by more than chance (p < 0.05, approximate randomisation over sentences, 10,000 trials).",
        "Times are those of the processor, measured with 2 tasks at once.",
        "Theirs is another treebank.",
    ]


def test_what_is_missing_is_a_dash_and_what_failed_is_explained(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "other"]')
    found = results_of(
        text,
        tmp_path,
        lambda task, number: (
            None if task.treebank == "other" else GOOD if task.options["learner"] == "cw" else "it took too long"
        ),
    )
    table = table_of(found.recipe.tables[0], found)
    assert table.rows == [("sample", "–", "–", "95.00", "20.0", "61.50")]
    text = page_of([found.recipe], tmp_path)
    assert "Not measured: perceptron on sample: it took too long." in text


def page_of(recipes, folder):
    write_page(recipes, folder, folder / "page.md")
    return (folder / "page.md").read_text("utf-8")


def test_means_over_treebanks_and_rows_of_other_dimensions(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second"]') + (
        '[[table]]\ntitle = "by configuration"\npart = "curve"\nrows = ["at", "configuration"]\n'
    )
    text += "[sources.second]\nsample = {sentences = 50}\n"
    found = results_of(text, tmp_path, lambda task, number: GOOD if task.treebank == "sample" else BAD)
    first, second = (table_of(wanted, found) for wanted in found.recipe.tables)
    assert first.rows[2] == ("mean", "85.00", "–", "85.00", "–", "")
    assert second.header == ("passes", "configuration", "sample", "second")
    assert second.rows[3] == ("2", "cw", "95.00", "75.00")


def test_a_table_of_means_has_one_number_for_all_treebanks(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second"]') + (
        '[[table]]\ntitle = "means"\npart = "test"\nrows = ["configuration"]\nmean = true\nagainst = "cw"\n'
        'metrics = ["LAS", "training CPU seconds"]\n[sources.second]\nsample = {sentences = 50}\n'
    )
    found = results_of(text, tmp_path, lambda task, _: [1] * 40 if task.options["learner"] == "cw" else [2, 3] * 20)
    table = table_of(found.recipe.tables[1], found)
    assert not any(note.startswith("Not tested") for note in table.notes)
    assert table.header == ("configuration", "LAS", "training CPU seconds")
    assert table.rows == [("perceptron", "75.00†", "100.0"), ("cw", "90.00", "40.0")]
    assert "Means over sample, second." in table.notes
    (tmp_path / "part").mkdir()
    part = results_of(text, tmp_path / "part", lambda task, _: GOOD if task.treebank == "sample" else None)
    assert table_of(part.recipe.tables[1], part).rows == []


def test_folds_and_seeds_are_put_together_by_their_words(tmp_path):
    text = "seeds = [1, 2]\n" + recipe_text('[[part]]\nname = "folds"\non = "folds"\nfolds = 2\n')
    found = results_of(text, tmp_path, lambda task, number: [task.fold + task.seed] * 40)
    ((cell),) = found.cells.values()
    assert len(cell) == 4
    assert found.value("LAS", "folds", "sample", "cw") == pytest.approx(100 * (1 - (1 + 2 + 2 + 3) * 40 / 1600))
    (tmp_path / "part").mkdir()
    part = results_of(text, tmp_path / "part", lambda task, number: GOOD if task.fold else None)
    assert part.cells == {}


def test_scores_of_several_seeds_have_their_deviation_beside_them(tmp_path):
    text = "seeds = [1, 2, 3]\n" + recipe_text(
        '[[part]]\nname = "test"\n[[part]]\nname = "folds"\non = "folds"\nfolds = 2\n'
        '[[table]]\ntitle = "each"\npart = "test"\nmetrics = ["LAS", "training CPU seconds"]\n'
        '[[table]]\ntitle = "mean"\npart = "test"\nrows = ["configuration"]\nmean = true\n'
        '[[table]]\ntitle = "folds"\npart = "folds"\n'
        '[[configuration]]\nname = "once"\noptions = {learner = "pa"}\nseeds = [1]\n'
        "[sources.second]\nsample = {sentences = 50}\n",
        '["sample", "second"]',
    )
    # Of the ten words of a sentence one, two or three are wrong, or all the other way round in the second treebank.
    wrong = {"sample": lambda seed: seed, "second": lambda seed: 4 - seed}
    found = results_of(text, tmp_path, lambda task, _: [wrong[task.treebank](task.seed) + (task.fold or 0)] * 40)
    each, means, folds = (table_of(one, found) for one in found.recipe.tables)
    assert each.rows[0] == ("sample", "80.00 ± 10.00", "80.0", "90.00", "40.0")
    assert each.notes[0] == "± is the standard deviation over 3 seeds."
    assert means.rows == [("cw", "80.00 ± 0.00"), ("once", "80.00")]
    assert folds.rows[0] == ("sample", "75.00 ± 10.00", "85.00")
    assert found.of_seeds("LAS", "test", "second", "cw") == [70, 80, 90]
    assert found.of_seeds("LAS", "test", "second", "once") == []
    write_page([found.recipe], tmp_path, tmp_path / "all.tex")
    assert r"sample & 80.00 $\pm$ 10.00 & 80.0 & 90.00 & 40.0 \\" in (tmp_path / "all.tex").read_text("utf-8")
    write_page([found.recipe], tmp_path, tmp_path / "all.csv")
    lines = (tmp_path / "all.csv").read_text("utf-8").splitlines()
    assert lines[0] == "recipe,part,treebank,configuration,at,metric,value,standard deviation,seeds"
    assert {"one,test,sample,cw,,LAS,80.0,10.0,3", "one,test,sample,once,,LAS,90.0,,1"} <= {*lines}


def test_the_best_place_on_an_axis(tmp_path):
    text = recipe_text(
        '[[part]]\nname = "folds"\non = "folds"\nfolds = 2\naxis = "passes"\n[[part]]\nname = "test"\naxis = "passes"\n'
        '[[table]]\ntitle = "t"\npart = "test"\nchoose = "folds"\nover = "at"\n'
    )

    def wrong(task, number):
        return [abs(number - (2 if task.on == "folds" else 3))] * 40

    table = table_of(made(text).tables[0], results_of(text, tmp_path, wrong))
    assert table.header == ("treebank", "configuration", "best at", "LAS there", "LAS")
    assert table.rows == [("sample", "cw", "2", "100.00", "90.00")]


def test_exponents_of_growth(tmp_path):
    law = growth([(x, 3 * x**1.5) for x in (10, 20, 40, 80)])
    assert law.exponent == pytest.approx(1.5) and law.error == pytest.approx(0, abs=1e-9)
    assert growth([(1, 1), (2, 2)]) is None and growth([(1, 1), (1, 2), (1, 3)]) is None
    text = recipe_text(
        '[[part]]\nname = "cutoff"\naxis = "cutoff"\nvalues = [1, 2, 4]\n'
        '[[table]]\ntitle = "t"\npart = "cutoff"\nrows = ["at"]\nfit = true\n'
        'metrics = ["training CPU seconds", "LAS"]\n'
    )
    found = results_of(text, tmp_path, lambda task, number: [task.options["cutoff"] ** 2 // 2] * 40)
    table = table_of(found.recipe.tables[0], found)
    assert table.header == ("cutoff", "training CPU seconds", "LAS")
    assert table.rows[-1][0] == "exponent" and table.rows[2] == ("4", "320.0", "20.00")


def test_along_sentence_length_exponents_go_by_the_words_that_sentences_have(tmp_path):
    text = recipe_text(
        '[[part]]\nname = "length"\naxis = "length"\nvalues = [10, 20, 40]\n[[table]]\ntitle = "t"\npart = "length"\n'
        'rows = ["at"]\nfit = true\nmetrics = ["words in a sentence", "training CPU seconds"]\n'
    )
    found = results_of(text, tmp_path, lambda task, number: [task.source.sample["length"] // 10] * 40)
    for place, cell in found.cells.items():
        cell[0] = replace(cell[0], words=100 * place.at**2, sentences=100)
    assert table_of(found.recipe.tables[0], found).rows[-1] == ("exponent", "–", "0.50 ± 0.00")


def test_plots_and_heat_maps(tmp_path):
    found = results_of(TINY, tmp_path, two_learners)
    (figure,) = figures_of(found.recipe.plots[0], found)
    plot = figure.html()
    assert plot.count("<polyline") == 4 and "perceptron, level" in plot and "LAS by passes" in plot
    assert "seeds" not in plot and not re.search(r'd="M[\d.]+ [\d.]+V', plot)
    seeds = f"seeds = [1, 2, 3]\n{TINY}"
    found = results_of(seeds, tmp_path, lambda task, number: [task.seed, number] * 20)
    (figure,) = figures_of(found.recipe.plots[0], found)
    plot = figure.html()
    assert "LAS by passes (bars: standard deviation over 3 seeds)" in plot
    assert len(re.findall(r'd="M[\d.]+ [\d.]+V', plot)) == 6
    text = recipe_text(
        '[[product]]\ndecoders = {eager = {}, graph = {parser = "graph"}}\n'
        'learners = {mira = {learner = "mira"}, cw = {learner = "cw"}}\n'
        '[[part]]\nname = "test"\n[[heatmap]]\ntitle = "LAS"\npart = "test"\n'
    ).replace("explore = 0.0\n", "")
    found = results_of(
        text, tmp_path, lambda task, number: "no" if task.options == {**task.options, "parser": "graph"} else GOOD
    )
    (wanted,) = found.recipe.heat_maps
    figure, table = heat_map_of(wanted, found)
    assert table.rows == [("eager", "95.00", "95.00"), ("graph", "–", "–")]
    drawn = "".join(figure.elements)
    assert "from pale (90.00) to deep (95.00)" in figure.caption
    assert drawn.count("95.00") == 2 and "graph" in drawn and drawn.count("<rect") == 2
    nothing = results_of(text, tmp_path, lambda task, number: "no")
    assert heat_map_of(wanted, nothing) is None


def test_the_page_is_the_same_byte_for_byte_wherever_it_is_written(tmp_path):
    recipes = [made(TINY), recipe_from(recipe_text(CLAIMS), "two", "two.toml")]
    fake_journal(recipes[0], tmp_path, two_learners)
    once = page_of(recipes, tmp_path)
    page = (tmp_path / "page.html").read_bytes()
    other = tmp_path / "other"
    shutil.copytree(tmp_path, other)
    assert page_of(recipes, other) == once and (other / "page.html").read_bytes() == page
    assert "## two: One\n\nNot run yet.\n" in once
    assert "| one | CW is better than the perceptron | **confirmed** |" in once
    seen = Tags(page.decode()).seen
    assert "svg" in seen and seen.count("table") == 4 and '<b class="tone yes">confirmed</b>' in page.decode()


def test_a_later_run_of_a_task_counts(tmp_path):
    results_of(TINY, tmp_path, lambda task, number: BAD)
    found = results_of(TINY, tmp_path, two_learners)
    assert found.value("LAS", "test", "sample", "cw") == 95


SEARCH = """
[search]
options = {generations = 2, beam = 2, passes = 1, jobs = 1}
[search.paper]
columns = ["dev LAS"]
rows = {1 = [26.45], 3 = [65.34]}
data = "Theirs is Swedish."
[[configuration]]
name = "found"
options = {features = "found"}
[[part]]
name = "test"
"""


def test_a_search_is_part_of_a_recipe_and_goes_on(tmp_path):
    found = made(recipe_text(SEARCH.replace(", jobs = 1", "")))
    events = list(run(found, output=tmp_path, jobs=1))
    assert [event.number for event in events] == [1, 2, 1, 2]
    assert list(run(found, output=tmp_path, jobs=1)) == []
    text = page_of([found], tmp_path)
    assert "### Best set of each generation" in text and "| paper: dev LAS |" in text and "Theirs is Swedish." in text
    assert "| 26.45 |\n" in text and "| 65.34 |\n" in text
    assert "Generation 2: Successors of ⟨" in text
    record = results(found, tmp_path).searches["found"]
    measures = [one for one in record["records"] if one["kind"] == "measure" and one["stage"] == "full"]
    best = [one["beam"][0] for one in record["records"] if one["kind"] == "generation"]
    assert all(one["right"] for one in measures if one["features"] in best)
    assert not all(one["right"] for one in measures)
    (folder,) = tmp_path.glob("one.*.features.search")
    shutil.rmtree(folder)
    assert list(run(found, output=tmp_path, jobs=1)) == [] and page_of([found], tmp_path) == text


def test_the_scores_of_a_search_under_way_say_what_they_count(run, tmp_path):
    (tmp_path / "mine.toml").write_text(recipe_text(SEARCH.replace("2, beam = 2, passes = 1, jobs = 1", "1")))
    done = run("experiment", "run", tmp_path / "mine.toml", "-o", tmp_path, "--jobs", 1)
    assert re.search(r"mine: generation 1, UAS [\d.]+, LAS [\d.]+ \(ud\)$", done.stderr, re.MULTILINE), done.stderr


@pytest.mark.parametrize("change", [("generations = 2", "generations = 1"), ("sentences = 60", "sentences = 50")])
def test_a_recipe_with_another_search_begins_it_anew(change, tmp_path):
    text = recipe_text(SEARCH.replace(", jobs = 1", ""))
    assert all(change[0] in text for _ in change)
    list(run(made(text), output=tmp_path, jobs=1))
    other = made(text.replace(*change))
    assert not results(other, tmp_path).searches and status(other, tmp_path).done < status(other, tmp_path).total
    list(run(other, output=tmp_path, jobs=1))
    assert status(other, tmp_path).done == status(other, tmp_path).total
    assert len(list(tmp_path.glob("one.*.features"))) == 2


def test_the_page_in_the_docs_is_that_of_the_journals_in_the_repository(tmp_path):
    write_page([recipe(name) for name in names()], ROOT / "experiments", tmp_path / "results.md")
    for name in ("results.md", "results.html"):
        assert (tmp_path / name).read_bytes() == (ROOT / "docs" / name).read_bytes()


def test_commands(run, shell, tmp_path):
    (tmp_path / "tiny.toml").write_text(TINY)
    listed = run("experiment", "list")
    assert listed.exit_code == 0 and "cw-table-2" in listed.stdout and "Haulrich (2010), Figure 1" in listed.stdout
    output = ("-o", tmp_path / "out")
    done = shell("experiment", "run", tmp_path / "tiny.toml", "--quick", "--jobs", 1, *output)
    assert done.returncode == 0 and done.stderr.decode() == "tiny.quick: 4 of 4 tasks done, 0 failed\n"
    state = run("experiment", "status", tmp_path / "tiny.toml", "--quick", *output)
    assert state.stdout.split()[-5:] == [str(tmp_path / "tiny.toml"), "done", "4", "0", "4"]
    assert "not begun" in run("experiment", "status", *output).stdout
    written = run("experiment", "report", tmp_path / "tiny.toml", "--quick", *output)
    assert written.exit_code == 0
    assert "## tiny.quick: Two learners" in (tmp_path / "out" / "results.quick.md").read_text("utf-8")
    assert (tmp_path / "out" / "results.quick.html").exists()
    bad = run("experiment", "run", "cw-tabel", *output)
    assert bad.exit_code == 2 and bad.stderr.startswith("unknown recipe 'cw-tabel'; known are: ")


@pytest.mark.parametrize("name", names())
def test_the_recipes_of_headway_show_all_that_they_declare(name, tmp_path):
    found = recipe(name)
    random = np.random.default_rng(1)
    fake_journal(found, tmp_path, lambda task, number: random.integers(0, 5, 40).tolist())
    text = page_of([found], tmp_path)
    for table in found.tables:
        assert f"### {table.title}\n\n| " in text
    for claim in found.claims:
        assert text.count(f"| {claim.text} |") == 2
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<svg") >= len(found.plots) + len(found.heat_maps)
    Tags(page)


def test_a_caution_stands_beside_what_it_is_about(tmp_path):
    text = TINY.replace('about = "', 'caution = "The sample is small."\nabout = "')
    text = text.replace('metrics = ["LAS", "training', 'caution = "Two learners only."\nmetrics = ["LAS", "training')
    text = text.replace('better = {configuration = "cw"}', 'caution = "one seed."\nbetter = {configuration = "cw"}')
    page = page_of([results_of(text, tmp_path, two_learners).recipe], tmp_path)
    assert "Whether one of them is better.\n\nCaution: The sample is small.\n" in page
    assert "Theirs is another treebank.\n\nCaution: Two learners only.\n" in page
    assert "| CW is better than the perceptron | **confirmed, with caution** |" in page
    assert "+43.14). Caution: one seed. |" in page
    assert "Of all claims 1 is to be read with the caution that stands beside them." in page
