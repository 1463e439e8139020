"""P-values against the enumeration of everything that could have been drawn."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from headway import Sentence, evaluate
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.evaluation.comparison import compare
from headway.evaluation.evaluate import items_of
from headway.evaluation.significance import (
    Tally,
    approximate_randomisation,
    mcnemar,
    p_of_counts,
    paired_bootstrap,
    significance,
)

TRIALS = 40_000


def tally(comparison, metric):
    return items_of(comparison, metric).tally(comparison.gold.columns.sentences)


def counts(correct, gold, system=None):
    return Tally(*(np.array(column) for column in (correct, gold, system or gold)))


CASES = {
    "clear": (counts([3, 2, 4, 1], [5, 4, 6, 3]), counts([5, 3, 5, 3], [5, 4, 6, 3])),
    "ties": (counts([1, 1, 0, 2, 1], [2, 2, 2, 2, 2]), counts([2, 1, 1, 1, 2], [2, 2, 2, 2, 2])),
    "worse": (counts([5, 2, 2, 6], [5, 4, 6, 7]), counts([1, 3, 2, 4], [5, 4, 6, 7])),
    "other words": (
        counts([3, 2, 4, 1], [5, 4, 6, 3], [9, 3, 8, 3]),
        counts([3, 4, 4, 2], [5, 4, 6, 3], [5, 8, 5, 7]),
    ),
}


def f1_difference(rows):
    """Second minus first F1 of rows (correct, correct too, gold, system, system too)."""
    correct, correct_too, gold, system, system_too = map(sum, zip(*rows, strict=True))
    return Fraction(2 * correct_too, gold + system_too) - Fraction(2 * correct, gold + system)


def rows_of(first, second):
    columns = (first.correct, second.correct, first.gold, first.system, second.system)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def near(p, exact):
    """Whether a simulated p-value is within four standard errors of the exact one."""
    return abs(p - exact) < 4 * math.sqrt(exact * (1 - exact) / TRIALS) + 2 / TRIALS


@pytest.mark.parametrize("case", CASES)
def test_randomisation_is_the_enumeration_of_all_swaps(case):
    first, second = CASES[case]
    rows = rows_of(first, second)
    observed = abs(f1_difference(rows))
    extreme = 0
    for swaps in product([False, True], repeat=len(rows)):
        drawn = [
            (b, a, g, t, s) if swap else (a, b, g, s, t) for swap, (a, b, g, s, t) in zip(swaps, rows, strict=True)
        ]
        extreme += abs(f1_difference(drawn)) >= observed
    assert near(approximate_randomisation(first, second, trials=TRIALS), extreme / 2 ** len(rows))


@pytest.mark.parametrize("case", CASES)
def test_the_bootstrap_is_the_enumeration_of_all_samples(case):
    first, second = CASES[case]
    rows = rows_of(first, second)
    observed = f1_difference(rows)
    drawn = [f1_difference(sample) for sample in product(rows, repeat=len(rows))]
    extreme = sum(abs(difference - observed) >= abs(observed) for difference in drawn)
    p, (low, high) = paired_bootstrap(first, second, trials=TRIALS)
    assert near(p, extreme / len(drawn))
    points = np.array([float(100 * difference) for difference in drawn])
    assert (points < low - 1e-9).mean() <= 0.03 and (points <= low + 1e-9).mean() >= 0.02
    assert (points > high + 1e-9).mean() <= 0.03 and (points >= high - 1e-9).mean() >= 0.02


@pytest.mark.parametrize("only_first", [0, 1, 2, 5, 9, 30])
@pytest.mark.parametrize("only_second", [0, 1, 3, 8, 31])
def test_mcnemar_is_the_binomial_sum(only_first, only_second):
    tosses, fewer = only_first + only_second, min(only_first, only_second)
    exact = min(Fraction(1), Fraction(2 * sum(math.comb(tosses, k) for k in range(fewer + 1)), 2**tosses))
    assert mcnemar(only_first, only_second) == pytest.approx(float(exact), rel=1e-12)


def test_mcnemar_stays_exact_for_many_words():
    tosses, fewer = 1500, 700
    exact = Fraction(2 * sum(math.comb(tosses, k) for k in range(fewer + 1)), 2**tosses)
    assert mcnemar(fewer, tosses - fewer) == pytest.approx(float(exact), rel=1e-9)
    assert mcnemar(400_000, 410_000) < 1e-10
    assert 0 < mcnemar(0, 2_000) < 1e-300


def test_equal_systems_differ_by_chance():
    same = counts([1, 0, 2], [2, 2, 2])
    assert approximate_randomisation(same, same, trials=99) == 1
    assert paired_bootstrap(same, same, trials=99) == (1.0, (0.0, 0.0))
    other = counts([0, 1, 2], [2, 2, 2])
    assert paired_bootstrap(same, other, trials=99)[0] == 1


def test_the_seed_decides():
    first, second = CASES["other words"]
    for test in (approximate_randomisation, paired_bootstrap):
        assert test(first, second, trials=500, seed=7) == test(first, second, trials=500, seed=7)
        assert test(first, second, trials=500, seed=7) != test(first, second, trials=500, seed=8)


def test_p_is_never_zero():
    first, second = counts([0] * 60, [9] * 60), counts([9] * 60, [9] * 60)
    assert approximate_randomisation(first, second, trials=99) == 1 / 100
    assert paired_bootstrap(first, second, trials=99)[0] == 1 / 100


def test_a_draw_of_several_steps_counts_every_trial(monkeypatch):
    first, second = counts([0] * 9, [1] * 9), counts([1] * 9, [1] * 9)
    always = counts([1] * 9, [1] * 9)
    monkeypatch.setattr("headway.evaluation.significance.CELLS", 9 * 7)
    assert near(approximate_randomisation(first, second, trials=TRIALS), 2 / 2**9)
    assert approximate_randomisation(always, always, trials=100) == 1
    assert paired_bootstrap(first, second, trials=100) == (1 / 101, (100.0, 100.0))


def comparisons(definition="conllx"):
    gold = [
        Sentence(forms=["a", "b", "."], heads=[2, 0, 2], deprels=["det", "root", "punct"]),
        Sentence(forms=["c"], heads=[0], deprels=["root"]),
    ]
    first = [gold[0].replace(heads=[0, 1, 1]), gold[1]]
    second = [gold[0].replace(deprels=["obj", "root", "dep"]), gold[1]]
    return [compare(gold, system, definition=definition) for system in (first, second)]


def test_a_tally_counts_what_counts():
    first, second = comparisons()
    assert tally(first, "LAS").correct.tolist() == [0, 1]
    assert tally(second, "UAS").correct.tolist() == [2, 1]
    assert tally(second, "LAS").correct.tolist() == [1, 1]
    assert tally(first, "LAS").gold.tolist() == tally(first, "LAS").system.tolist() == [2, 1]


def test_words_of_the_system_belong_to_the_sentence_they_begin_in():
    gold = [Sentence(forms=["ab"], heads=[0]), Sentence(forms=["cd"], heads=[0])]
    system = [Sentence(forms=["a", "bc", "d"], heads=[0, 1, 1])]
    found = tally(compare(gold, system), "UAS")
    assert (found.gold.tolist(), found.system.tolist()) == ([1, 1], [2, 1])


def test_the_difference_of_two_systems():
    first, second = comparisons()
    result = significance(first, second, "UAS", trials=200, seed=3)
    assert (result.first.correct, result.second.correct, result.first.gold) == (1, 3, 3)
    assert result.difference == pytest.approx(200 / 3)
    assert result.mcnemar == 0.5
    assert result.to_dict()["difference"] == result.difference
    assert (result.trials, result.seed) == (200, 3)


def flawed(sentence, random):
    """The sentence with some labels, tags and lemmas changed, and often all heads."""
    words = len(sentence)
    wrong = random.random((4, words)) < 0.25
    labels, tags, lemmas = (
        [other if flaw else cell for flaw, cell in zip(row, cells, strict=True)]
        for other, row, cells in zip(
            ("nsubj", "X", "?"), wrong, (sentence.deprels, sentence.upos, sentence.lemmas), strict=False
        )
    )
    heads = range(words) if wrong[3, 0] else sentence.heads
    return sentence.replace(heads=heads, deprels=labels, upos=tags, lemmas=lemmas)


def test_every_score_is_tested_as_if_all_swaps_were_evaluated():
    gold = list(generate(6, seed=4))
    random = np.random.default_rng(1)
    first, second = ([flawed(sentence, random) for sentence in gold] for _ in range(2))
    scores = evaluate(gold, first), evaluate(gold, second)
    swapped = []
    for swaps in product([False, True], repeat=len(gold)):
        sides = [[b, a] if swap else [a, b] for swap, a, b in zip(swaps, first, second, strict=True)]
        swapped.append([evaluate(gold, list(side)) for side in zip(*sides, strict=True)])
    assert len(scores[0]) == 17
    for name in scores[0]:
        observed = abs(scores[1][name].f1 - scores[0][name].f1)
        extreme = sum(abs(two[name].f1 - one[name].f1) >= observed - 1e-12 for one, two in swapped)
        found = significance(*scores, name, trials=4000)
        exact = extreme / len(swapped)
        assert abs(found.p - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000) + 1 / 2000, name
        assert (found.first, found.second) == (scores[0][name], scores[1][name])
        assert found.interval[0] <= found.difference <= found.interval[1]


def test_mcnemar_is_over_what_a_score_counts():
    gold = Sentence(forms=["a", "b", "c"], upos=["X"] * 3, heads=[0, 1, 1], deprels=["root", "nsubj", "punct"])
    bad = gold.replace(heads=[0, 1, 2], deprels=["root", "obj", "punct"], upos=["X", "X", "Y"])
    scores = evaluate([gold] * 6, [bad] * 6), evaluate([gold] * 6, [gold] * 6)
    wrong = {"LAS": 12, "UAS": 6, "CLAS": 6, "UPOS": 6, "UCM": 6, "LAS:nsubj": 6, "LAS:punct": 6, "RA": 0, "Tokens": 0}
    for name, count in wrong.items():
        assert significance(*scores, name, trials=10).mcnemar == (mcnemar(0, count) if count else 1.0), name


@pytest.mark.parametrize(
    ("options", "message"), [({"metric": "CLAS"}, "no score 'CLAS' with"), ({"trials": 0}, "trials = 0 is out of")]
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(HeadwayError, match=message):
        significance(*comparisons(), **options)


def test_only_what_was_compared_alike_can_be_tested():
    first, second = comparisons()
    other = compare([Sentence(forms=["a"], heads=[0])], [Sentence(forms=["a"], heads=[0])], definition="conllx")
    for wrong in (other, comparisons("all")[1]):
        with pytest.raises(HeadwayError, match="different gold trees or definitions"):
            significance(first, wrong)
    assert significance(first, second, trials=10).metric == "LAS"


def test_p_from_words_right_alone():
    rng = np.random.default_rng(3)
    words = rng.integers(3, 20, 60)
    first = np.array([rng.integers(0, n + 1) for n in words])
    second = np.minimum(words, first + rng.integers(0, 2, 60))
    whole = approximate_randomisation(Tally(first, words, words), Tally(second, words, words))
    assert p_of_counts(first.tolist(), second.tolist()) == whole < 0.01
    assert p_of_counts(first.tolist(), first.tolist()) == 1.0
