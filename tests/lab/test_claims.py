"""Claims of papers: confirmed, refuted, open, not testable; and the p-values that they go by."""

import numpy as np
import pytest
from recipe_files import BAD, CLAIMS, GOOD, TINY, fake_journal, made, recipe_text, results_of, two_learners

from headway.evaluation.significance import Tally, approximate_randomisation
from headway.lab.claims import verdict
from headway.lab.differences import difference
from headway.lab.metrics import packed
from headway.lab.reports.tables import table_of
from headway.lab.results import results


def verdicts(found):
    return [verdict(claim, found) for claim in found.recipe.claims]


def test_p_is_that_of_the_sentences_of_all_treebanks_together(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second"]')
    text += "[sources.second]\nsample = {sentences = 50}\n"
    random = np.random.default_rng(3)
    counts = {name: random.integers(0, 3, 40).tolist() for name in ("cw sample", "cw second", "p sample", "p second")}
    found = results_of(
        text, tmp_path, lambda task, number: counts[f"{task.options['learner'][:2].rstrip('e')} {task.treebank}"]
    )
    first, second = (np.array(counts[f"{who} sample"] + counts[f"{who} second"]) for who in ("cw", "p"))
    words = np.full(80, 10)
    expected = approximate_randomisation(Tally(words - first, words, words), Tally(words - second, words, words))
    assert verdicts(found)[0].p == expected


def test_more_seeds_are_no_more_sentences(tmp_path):
    """A sentence counts once, with the mean over its parses, also where only one side has several seeds."""
    random = np.random.default_rng(5)
    counts = {name: random.integers(0, 4, 40) for name in ("perceptron", "cw 1", "cw 2", "cw 3")}
    part = '[[part]]\nname = "test"'
    several = TINY.replace(
        part, f'{part}\nconfigurations = ["cw"]\nseeds = [1, 2, 3]\n[[part]]\nname = "one"', 1
    ).replace('worse = {configuration = "perceptron"}', 'worse = {configuration = "perceptron", part = "one"}')
    found = results_of(
        several,
        tmp_path,
        lambda task, number: counts[
            "perceptron" if task.options["learner"] == "perceptron" else f"cw {task.seed}"
        ].tolist(),
    )
    mean, other = sum(counts[f"cw {seed}"] for seed in (1, 2, 3)), 3 * counts["perceptron"]
    words = np.full(40, 30)
    expected = approximate_randomisation(Tally(words - mean, words, words), Tally(words - other, words, words))
    assert verdicts(found)[0].p == expected


def test_claims_are_confirmed_or_not(tmp_path):
    found = results_of(TINY, tmp_path, two_learners)
    better, passes, untestable = verdicts(found)
    figures = "LAS 95.00 against 55.00, +40.00 points over all words (95 % interval +36.86 to +43.14)"
    assert better[:2] == ("confirmed", figures) and better.p < 0.001
    figures = "LAS 95.00 against 95.00, +0.00 points over all words (95 % interval +0.00 to +0.00)"
    assert passes[:2] == ("open", f"{figures}; the difference may be chance") and passes.p == 1
    assert untestable == ("not testable", "there is no Czech treebank of that size here", "", None)


def test_the_interval_is_that_of_a_sum_over_sentences(tmp_path):
    random = np.random.default_rng(5)
    counts = {name: random.integers(0, 3, 400) for name in ("cw", "perceptron")}
    found = results_of(TINY, tmp_path, lambda task, number: counts[task.options["learner"]].tolist())
    pair = [found.cell("test", "sample", name) for name in ("cw", "perceptron")]
    made = difference([pair], "LAS", True)
    ahead = counts["perceptron"] - counts["cw"]
    drawn = [random.choice(ahead, 400).sum() / 40 for _ in range(4000)]
    assert made.value == ahead.sum() / 40
    assert (made.low, made.high) == pytest.approx(tuple(np.percentile(drawn, (2.5, 97.5))), abs=0.2)


def explaining(entries):
    """The recipe with something more said of its first claim."""
    worse = 'worse = {configuration = "perceptron"}\n'
    return TINY.replace(worse, f"{worse}{entries}", 1)


def test_the_opposite_is_said(tmp_path):
    found = results_of(TINY, tmp_path, lambda task, number: BAD if task.options["learner"] == "cw" else GOOD)
    figures = "LAS 75.00 against 95.00, -20.00 points over all words (95 % interval -23.14 to -16.86)"
    said = f"{figures}; the opposite is the case"
    assert verdicts(found)[0][:2] == ("refuted", said)
    why, guess = 'why = "CW is tired."\nshown_in = "LAS of two learners"\n', 'guess = "It rains."\n'
    shown = "CW is tired. (See “LAS of two learners”.)"
    for entries, explained in (
        (why, shown),
        (guess, "A guess: It rains."),
        (why + guess, f"{shown} A guess: It rains."),
    ):
        assert verdict(made(explaining(entries)).claims[0], found).shown == f"{said}. {explained}"


def test_what_is_confirmed_needs_no_explanation(tmp_path):
    found = results_of(explaining('guess = "CW is tired."\n'), tmp_path, two_learners)
    assert verdicts(found)[0].verdict == "confirmed" and "tired" not in verdicts(found)[0].shown


def three_treebanks(extra=""):
    text = explaining(extra).replace('treebanks = ["sample"]', 'treebanks = ["sample", "second", "third"]')
    return text + "".join(f"[sources.{name}]\nsample = {{sentences = {len(name)}0}}\n" for name in ("second", "third"))


def test_a_claim_says_where_it_is_not_measured(tmp_path):
    def wrong(task, number):
        if task.options["learner"] == "cw":
            return GOOD
        return {"sample": BAD, "second": "it took too long", "third": third}[task.treebank]

    third = None
    said = verdicts(results_of(three_treebanks(), tmp_path, wrong))[0]
    assert said.verdict == "open"
    assert said.shown.endswith("; could not be measured on second; not measured yet on third")
    third = BAD
    said = verdicts(results_of(three_treebanks(), tmp_path, wrong))[0]
    assert said.verdict == "confirmed" and said.shown.endswith("; could not be measured on second")


def test_a_claim_of_which_nothing_is_measured_is_open(tmp_path):
    found = results_of(TINY, tmp_path, lambda task, number: None)
    assert verdicts(found)[0][:2] == ("open", "not measured yet")
    found = results_of(TINY, tmp_path, lambda task, number: "it took too long")
    assert verdicts(found)[0][:2] == ("open", "not measured on sample")


def test_a_lead_in_the_mean_but_not_over_all_words_confirms_nothing(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second"]')
    text += "[sources.second]\nsample = {sentences = 50}\n"
    wrong = {("cw", "sample"): [5] * 40, ("cw", "second"): [0] * 4, ("perceptron", "sample"): [4] * 40}
    found = results_of(
        text, tmp_path, lambda task, number: wrong.get((task.options["learner"], task.treebank), [3] * 4)
    )
    said = verdicts(found)[0]
    assert said.verdict == "open" and said.p < 0.05 and said.shown.endswith("; the treebanks disagree")


def test_parsers_that_coincide_are_neither_better_nor_worse(tmp_path):
    for entries, expected in (("", "open"), ("or_equal = true\n", "confirmed")):
        found = results_of(explaining(entries), tmp_path, lambda task, number: GOOD, parses=lambda task: "same")
        assert verdicts(found)[0].verdict == expected
        assert verdicts(found)[0].shown.endswith("; both parse every sentence alike")


@pytest.mark.parametrize(
    ("cw", "margin", "expected", "reason"),
    [
        ([0] * 1000, 0.5, "confirmed", ""),
        ([0, 2] * 500, 0.5, "open", "no difference was found, but one beyond the margin of 0.5 points is possible"),
        ([0, 2] * 500, 2.0, "confirmed", "no difference beyond the margin of 2 points"),
        ([1] * 960 + [2] * 40, 0.5, "open", "it loses by more than chance and by less than the margin of 0.5 points"),
        ([1] * 900 + [2] * 100, 0.5, "refuted", "it loses by more than the margin of 0.5 points"),
    ],
)
def test_not_to_lose_is_to_be_behind_by_less_than_a_margin(tmp_path, cw, margin, expected, reason):
    text = explaining(f"or_equal = true\nmargin = {margin}\n")
    found = results_of(text, tmp_path, lambda task, number: cw if task.options["learner"] == "cw" else [1] * 1000)
    assert verdicts(found)[0].verdict == expected
    assert verdicts(found)[0].shown.endswith(f"; {reason}" if reason else ")")


def test_floors(tmp_path):
    def wrong(task, number):
        return GOOD if (task.options["learner"] == "cw") == (task.on == "test") else BAD

    found = results_of(recipe_text(CLAIMS), tmp_path, wrong)
    equal, floor, best = verdicts(found)
    assert equal.verdict == "confirmed" and equal.p < 0.001
    assert floor[:2] == ("confirmed", "sample: 95.00 by cw")
    assert best[:2] == ("refuted", "sample: 75.00 by mira; below 80")
    table = table_of(found.recipe.tables[0], found)
    assert table.rows == [("sample", "mira", "95.00", "75.00")] and "without a look" in table.notes[0]


def test_a_claim_may_be_about_one_label(tmp_path):
    text = TINY.replace('name = "test"', 'name = "test"\nlabels = ["nsubj"]', 1)
    text = text.replace('better = {configuration = "cw"}', 'metric = "LAS:nsubj"\nbetter = {configuration = "cw"}')
    text = text.replace('metrics = ["LAS",', 'metrics = ["LAS:nsubj",')
    recipe = made(text)
    names = {"perceptron": [4, 3] * 20, "cw": [1, 0] * 20}

    def scores(task):
        wrong = names[task.options["learner"]]
        return {"scores": {"LAS:nsubj": [400 - sum(wrong), 400]}, "wrong": {"LAS:nsubj": packed(np.array(wrong))}}

    fake_journal(recipe, tmp_path, two_learners, costs=scores)
    found = results(recipe, tmp_path)
    assert verdicts(found)[0].verdict == "confirmed"
    assert verdicts(found)[0].shown.startswith("LAS:nsubj 95.00 against 65.00, +30.00 points")
    assert table_of(found.recipe.tables[0], found).rows[0][1] == "65.00†"
