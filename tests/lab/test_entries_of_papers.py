"""What a recipe says beside its papers: differences, explanations, ranks, seeds of a part, and what coincides."""

import pytest
from recipe_files import BAD, GOOD, TINY, fake_journal, made, recipe_text, results_of

from headway.lab.reports.page import write_page
from headway.lab.reports.tables import ranked, table_of
from headway.lab.tasks import expand

PART = '[[part]]\nname = "test"\n'
DIFFERS = '[[differs]]\nwhat = "treebanks"\npaper = "Danish"\nours = "generated"\n'


def page_of(recipe, folder):
    write_page([recipe], folder, folder / "page.md")
    return (folder / "page.md").read_text("utf-8")


def test_what_differs_from_the_paper_is_a_table(tmp_path):
    found = made(TINY + DIFFERS)
    fake_journal(found, tmp_path, lambda task, number: GOOD)
    text = page_of(found, tmp_path)
    assert (
        "### What differs from the paper\n\n| what | paper | ours |\n| :-- | :-- | :-- |\n| treebanks | Danish | gen"
        in text
    )


def test_verdicts_are_counted_on_top(tmp_path):
    found = made(TINY)
    fake_journal(found, tmp_path, lambda task, number: BAD if task.options["learner"] == "cw" else GOOD)
    page = page_of(found, tmp_path)
    assert "3 claims: 0 confirmed, 1 refuted, 1 open, 1 not testable.\n" in page
    assert "| Somebody (2010) | 0 | 1 | 1 | 1 |\n" in page
    fake_journal(found, tmp_path / "none", lambda task, number: None)
    said = "0 confirmed, 0 refuted, 2 open, 1 not testable. Of the open ones 2 are not measured yet, or not everywhere."
    assert said in page_of(found, tmp_path / "none")


def test_a_part_has_its_own_seeds():
    text = "seeds = [1, 2]\n" + recipe_text(f'{PART}[[part]]\nname = "many"\nseeds = [3, 4, 5]\n')
    seeds = [(place.part, task.seed) for place, task in expand(made(text))]
    assert seeds == [("test", 1), ("test", 2), ("many", 3), ("many", 4), ("many", 5)]
    slow = text.replace('name = "cw"\n', 'name = "cw"\nseeds = [7]\n')
    assert [(place.part, task.seed) for place, task in expand(made(slow))] == [("test", 7), ("many", 7)]
    quick = [(place.part, task.seed) for place, task in expand(made(f"{text}[quick]\nseeds = [9]\n", quick=True))]
    assert quick == [("test", 9), ("many", 9)]


def test_ranks_go_by_the_direction_of_the_metric_and_share_ties():
    columns = [("LAS", 1)] * 3 + [("training CPU seconds", 1)] * 3
    assert ranked([80.0, 90.0, 80.0, 5.0, 7.0, 6.0], columns) == [2.5, 1, 2.5, 1, 3, 2]
    assert ranked([80.0, None, 80.0, 5.0, 7.0, 6.0], columns) == [None, None, None, 1, 3, 2]


def test_a_table_with_ranks(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second", "third"]') + (
        '[[table]]\ntitle = "ranks"\npart = "test"\nranks = true\n'
        "[sources.second]\nsample = {sentences = 50}\n[sources.third]\nsample = {sentences = 70}\n"
    )

    def wrong(task, number):
        if (task.options["learner"], task.treebank) == ("cw", "third"):
            return None
        return GOOD if (task.options["learner"] == "cw") == (task.treebank == "sample") else BAD

    found = results_of(text, tmp_path, wrong)
    table = table_of(found.recipe.tables[1], found)
    assert table.rows == [
        ("sample", "75.00 (2)", "95.00 (1)"),
        ("second", "95.00 (1)", "75.00 (2)"),
        ("third", "95.00", "–"),
        ("mean", "88.33", "–"),
        ("mean rank", "1.50", "1.50"),
    ]
    assert table.notes[1] == "No ranks where not all are measured: third."


@pytest.mark.parametrize("second", ["sample", "second"])
def test_what_parses_every_sentence_alike_is_said(tmp_path, second):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second"]')
    text += "[sources.second]\nsample = {sentences = 50}\n"

    def parses(task):
        return "same" if task.treebank in ("sample", second) else task.options["learner"]

    found = made(text)
    fake_journal(found, tmp_path, lambda task, number: GOOD, parses)
    where = " of sample" if second == "sample" else ""
    assert page_of(found, tmp_path).count("they parse every sentence") == 1
    assert f"perceptron = cw: they parse every sentence{where} alike." in page_of(found, tmp_path)
    fake_journal(found, tmp_path, lambda task, number: GOOD)
    assert "they parse every" not in page_of(found, tmp_path)
