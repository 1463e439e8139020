"""Recipes with several searches, and claims about searches and about losses between treebanks."""

import pytest
from recipe_files import BAD, GOOD, fake_journal, made, recipe_text

from headway.features.language import parse
from headway.lab.claims import verdict
from headway.lab.experiment import run, status, trimmed
from headway.lab.reading import names, recipe
from headway.lab.reports.page import write_page
from headway.lab.reports.search_tables import FEATURE
from headway.lab.results import RUN, asked_of, header_of, journal_of, results
from headway.runs.journal import Journal

A, B, C, D = "XPOS(QUEUE0)", "FORM(QUEUE0)", "XPOS(STACK0)", "XPOS(QUEUE1)"
PART = '[[part]]\nname = "test"\n'
SEVERAL = """
[[search]]
name = "slow"
options = {generations = 2, beam = 2, passes = 1, metric = "UAS", race = false}
[[search.ranking]]
title = "Their table"
parent = ["XPOS(QUEUE0)"]
[search.ranking.paper]
columns = ["UAS"]
rows = {"XPOS(STACK0)" = [74.02], "FORM(STACK0)" = [67.77], "XPOS(QUEUE1)" = [50.0]}
data = "Theirs."
[[search]]
name = "fast"
options = {generations = 2, beam = 1, passes = 1, metric = "UAS"}
[search.paper]
columns = ["dev UAS", "feature of the final set"]
rows = {1 = [43.49, "XPOS(QUEUE0)"], 2 = [74.02, "XPOS(STACK0)"]}
data = "Theirs is Swedish."
[[configuration]]
name = "slowly found"
options = {features = "found:slow"}
[[configuration]]
name = "fast found"
options = {features = "found:fast"}
"""


def measure(features, right, *, places=(1,), seconds=1.0):
    return {
        "kind": "measure",
        "generation": len(features),
        "stage": "full",
        "features": features,
        "parent": features[:-1],
        "places": list(places),
        "step": f"add {features[-1]}",
        "uas": 100 * sum(right) / (10 * len(right)),
        "las": 0.0,
        "right": right,
        "seconds": seconds,
    }


def beam(number, *sets):
    return {"kind": "generation", "number": number, "beam": sets, "candidates": 4, "seconds": 1.0}


def on_test(features, right):
    uas = 100 * sum(right) / (10 * len(right))
    return {"kind": "test", "generation": len(features), "features": features, "uas": uas, "las": 0.0, "right": right}


def search_of(best, rival, *, test=([5] * 40, [6] * 40), seconds=1.0, width=2):
    """Two generations; the best set grew from the second place, its rival from the first."""
    return [
        {"kind": "search", "options": {"metric": "UAS", "beam": width}},
        measure([A], [4] * 40, seconds=seconds),
        measure([B], [3] * 40, seconds=seconds),
        beam(1, [A], [B]),
        on_test([A], test[0]),
        measure([B, C], best, places=[2], seconds=2 * seconds),
        measure([A, C], rival, seconds=2 * seconds),
        measure([A, D], [1] * 40, seconds=3 * seconds),
        beam(2, [B, C], [A, C]),
        on_test([B, C], test[1]),
    ]


def verdict_of(said, folder, *searches):
    """What comes of a claim about searches with these records, `first` and `second`."""
    names = ("first", "second")[: len(searches)]
    text = "".join(f'[[search]]\nname = "{name}"\noptions = {{metric = "UAS"}}\n' for name in names)
    recipe = made(recipe_text(f'{text}{PART}[[claim]]\ntext = "so"\nguess = "It rains."\nsearch = {{{said}}}\n'))
    with Journal(journal_of(recipe, folder), RUN) as journal:
        journal.begin(header_of(recipe))
        for name, records in zip(names, searches, strict=True):
            search = recipe.searches[f"found:{name}"]
            journal.append(
                {
                    "kind": "search",
                    "name": search.name,
                    "asked": asked_of(recipe, search),
                    "found": "",
                    "version": "0",
                    "records": trimmed(records),
                }
            )
    found = verdict(recipe.claims[0], results(recipe, folder))
    return found.verdict, found.shown, found.p


BETTER, SAME = [8] * 40, [8, 6] * 20


@pytest.mark.parametrize(
    ("best", "rival", "width", "word", "shown"),
    [
        (BETTER, [5] * 40, 2, "refuted", "of 2 best sets 1 needed more (generation 2, a beam of 2, 30.00 UAS better)"),
        ([7] * 39 + [8], SAME, 2, "open", "of 2 best sets 1 needed more (generation 2, a beam of 2, 0.25 UAS better)"),
        (BETTER, [5] * 40, 1, "open", "the search had a beam of 1 only"),
    ],
)
def test_the_beam_that_best_sets_needed(best, rival, width, word, shown, tmp_path):
    found = verdict_of("beam = 1", tmp_path, search_of(best, rival, width=width))
    assert found[0] == word
    assert found[1].startswith(shown) and found[1].endswith("A guess: It rains.")
    assert (found[2] is not None and found[2] < 0.05) == (word == "refuted")


def test_a_beam_that_was_wide_enough(tmp_path):
    found = verdict_of("beam = 2", tmp_path, search_of(BETTER, SAME, width=3))
    assert found == ("confirmed", "in 2 generations no best set needed a beam of more than 2", None)


@pytest.mark.parametrize(
    ("best", "word", "shown"),
    [
        ("XPOS(STACK0)", "confirmed", "UAS 50.00, next XPOS(QUEUE1) 10.00"),
        ("XPOS(QUEUE1)", "refuted", "UAS 10.00, place 2; XPOS(STACK0) has 50.00. A guess: It rains."),
        ("FORM(STACK0)", "open", "not measured yet. A guess: It rains."),
    ],
)
def test_the_best_successor(best, word, shown, tmp_path):
    said = f'parent = ["XPOS(QUEUE0)"], best = "{best}"'
    assert verdict_of(said, tmp_path, search_of(BETTER, [5] * 40))[:2] == (word, shown)


@pytest.mark.parametrize(
    ("test", "word"),
    [(([6] * 40, [5] * 40), "confirmed"), (([5] * 40, [6] * 40), "refuted"), (([5, 6] * 20, [6, 5] * 20), "open")],
)
def test_scores_that_fall_on_the_test_part(test, word, tmp_path):
    found = verdict_of("falls = true", tmp_path, search_of(BETTER, SAME, test=test))
    assert found[0] == word
    assert "in generation 1, " in found[1] and "in generation 2, the last" in found[1]


@pytest.mark.parametrize(("seconds", "word"), [(2.0, "confirmed"), (0.5, "refuted"), (1.0, "open")])
def test_a_cheaper_search(seconds, word, tmp_path):
    searches = search_of(BETTER, SAME), search_of(BETTER, SAME, seconds=seconds)
    found = verdict_of('name = "found:first", cheaper_than = "found:second"', tmp_path, *searches)
    assert found[0] == word
    assert found[1].startswith(f"{1 / seconds:.2f} times as long for a set (95 %: ")


def test_nothing_searched_yet(tmp_path):
    found = made(recipe_text(f'[search]\n{PART}[[claim]]\ntext = "so"\nsearch = {{beam = 4}}\n'))
    assert verdict(found.claims[0], results(found, tmp_path))[:2] == ("open", "not measured yet")


@pytest.mark.parametrize(
    ("second", "most", "word"), [(BAD, 25, "confirmed"), (BAD, 10, "refuted"), (BAD, 20.1, "open"), (None, 5, "open")]
)
def test_what_is_lost_between_treebanks(second, most, word, tmp_path):
    text = recipe_text(PART, treebanks='["sample", "second"]') + "[sources.second]\nsample = {sentences = 50}\n"
    text += '[[claim]]\ntext = "so"\nbetter = {configuration = "cw"}\ntreebanks = ["sample", "second"]\n'
    found = made(f"{text}drop = {most}\n")
    fake_journal(found, tmp_path, lambda task, number: GOOD if task.treebank == "sample" else second)
    said = verdict(found.claims[0], results(found, tmp_path))
    assert said.verdict == word
    if second:
        assert said.shown.startswith("LAS 95.00 on sample, 75.00 on second: a loss of 20.00 points (95 % interval ")


def test_several_searches_in_one_recipe(tmp_path):
    found = made(recipe_text(SEVERAL + PART))
    events = list(run(found, output=tmp_path, jobs=1))
    assert [event.number for event in events] == [1, 2, 1, 2, 1, 2, 3]
    assert status(found, tmp_path).done == status(found, tmp_path).total == 5
    assert list(run(found, output=tmp_path, jobs=1)) == []
    write_page([found], tmp_path, tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text("utf-8")
    for title in (
        "slow: Best set of each generation",
        "slow: Their table",
        "slow: Where in the beam the best sets came from",
        "fast: Best set of each generation",
        "fast: In which generation features entered",
        "What each search took, generation by generation",
        "How far the searches agree",
    ):
        assert f"### {title}\n" in text
    assert "fast: Where in the beam" not in text
    assert "| XPOS(STACK0) | 1 | " in text and "Rank correlation" in text


def named_features(found):
    """The features that a recipe names beside a search: rankings, the paper's final set, claims."""
    for search in found.searches.values():
        for ranking in search.rankings:
            yield from (*ranking.parent, *ranking.paper.rows)
        if search.paper and FEATURE in search.paper.columns:
            at = search.paper.columns.index(FEATURE)
            yield from (figures[at] for figures in search.paper.rows.values())
    for claim in found.claims:
        if claim.of_search and claim.of_search.best:
            yield from (*claim.of_search.parent, claim.of_search.best)


def test_recipes_write_features_as_reports_do():
    """Else our features and the paper's would not be found to be the same."""
    every = [feature for name in names() for feature in named_features(recipe(name))]
    assert len(every) > 100
    for feature in every:
        assert [str(one) for one in parse(feature)] == [feature]
