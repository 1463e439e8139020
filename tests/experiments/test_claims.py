"""Claims of papers: confirmed, refuted, open, not testable; and the p-values that they go by."""

import numpy as np
from recipe_files import BAD, CLAIMS, GOOD, TINY, made, recipe_text, results_of, two_learners

from headway.evaluation.significance import Tally, approximate_randomisation
from headway.experiments.claims import verdict
from headway.experiments.tables import table_of


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
    assert (
        better[:3] == ("CW is better than the perceptron", "confirmed", "LAS 95.00 against 55.00") and better.p < 0.001
    )
    assert passes[1:3] == ("open", "LAS 95.00 against 95.00; the difference may be chance") and passes.p == 1
    assert untestable[1:] == ("not testable", "there is no Czech treebank of that size here", None)


def explaining(entries):
    """The recipe with something more said of its first claim."""
    worse = 'worse = {configuration = "perceptron"}\n'
    return TINY.replace(worse, f"{worse}{entries}", 1)


def test_the_opposite_is_said(tmp_path):
    found = results_of(TINY, tmp_path, lambda task, number: BAD if task.options["learner"] == "cw" else GOOD)
    said = "LAS 75.00 against 95.00; the opposite is the case"
    assert verdicts(found)[0][1:3] == ("refuted", said)
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


def test_a_claim_says_where_it_is_not_measured(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second", "third"]')
    text += "".join(f"[sources.{name}]\nsample = {{sentences = {len(name)}0}}\n" for name in ("second", "third"))

    def wrong(task, number):
        if task.options["learner"] == "cw":
            return GOOD
        return {"sample": BAD, "second": "it took too long", "third": None}[task.treebank]

    assert (
        verdicts(results_of(text, tmp_path, wrong))[0].shown == "LAS 95.00 against 75.00; not measured on second, third"
    )


def test_a_lead_in_the_mean_but_not_over_all_words_confirms_nothing(tmp_path):
    text = TINY.replace('treebanks = ["sample"]', 'treebanks = ["sample", "second"]')
    text += "[sources.second]\nsample = {sentences = 50}\n"
    wrong = {("cw", "sample"): [5] * 40, ("cw", "second"): [0] * 4, ("perceptron", "sample"): [4] * 40}
    found = results_of(
        text, tmp_path, lambda task, number: wrong.get((task.options["learner"], task.treebank), [3] * 4)
    )
    said = verdicts(found)[0]
    assert said.verdict == "open" and said.p < 0.05 and said.shown.endswith("; the treebanks disagree")
    text = text.replace('better = {configuration = "cw"}\n', 'better = {configuration = "cw"}\nor_equal = true\n', 1)
    assert verdict(made(text).claims[0], found).verdict == "open"


def test_other_kinds_of_claims(tmp_path):
    def wrong(task, number):
        return GOOD if (task.options["learner"] == "cw") == (task.on == "test") else BAD

    found = results_of(recipe_text(CLAIMS), tmp_path, wrong)
    equal, faster, floor, best = verdicts(found)
    assert equal.verdict == "confirmed" and equal.p < 0.001
    assert faster[1:] == ("confirmed", "training CPU seconds 20.0 against 100.0", 1.0)
    assert floor[1:3] == ("confirmed", "sample: 95.00 by cw")
    assert best[1:3] == ("refuted", "sample: 75.00 by mira")
    table, notes = table_of(found.recipe.tables[0], found)
    assert table.rows == [("sample", "mira", "95.00", "75.00")] and "without a look" in notes[0]
