"""Claims about costs: the ratio on each treebank, with an interval from the spread of repeats."""

import pytest
from recipe_files import GOOD, recipe_text, results_of

from headway.lab.claims import verdict
from headway.lab.differences import t_quantile

RECIPE = recipe_text(
    """
[[configuration]]
name = "mira"
options = {learner = "mira"}
[[part]]
name = "test"
[[claim]]
text = "parses faster"
metric = "parsing words/s"
better = {configuration = "cw"}
worse = {configuration = "mira"}
[[claim]]
text = "does not parse more slowly"
metric = "parsing words/s"
better = {configuration = "cw"}
worse = {configuration = "mira"}
ratio = 0.9
[[claim]]
text = "trains faster"
metric = "training CPU seconds"
better = {configuration = "cw"}
worse = {configuration = "mira"}
[sources.second]
sample = {sentences = 50}
""",
    treebanks="TREEBANKS",
)
FAST, SLOW = [23059, 22900, 23100], [21229, 21400, 21100]


def verdicts(folder, costs, treebanks=("sample",), seeds=(1,)):
    text = f"seeds = {list(seeds)}\n" + RECIPE.replace("TREEBANKS", str(list(treebanks)))
    found = results_of(text, folder, lambda task, number: GOOD, costs=costs)
    return [verdict(claim, found) for claim in found.recipe.claims]


def speeds(**of):
    """Runs of the parsers of each learner, on one treebank or by treebank."""

    def costs(task):
        runs = of[task.options["learner"]]
        return {"parsing": runs if isinstance(runs, list) else runs[task.treebank]}

    return costs


def test_faster_beyond_the_spread_is_confirmed(tmp_path):
    faster, not_slower, _ = verdicts(tmp_path, speeds(cw=FAST, mira=SLOW))
    assert faster.verdict == not_slower.verdict == "confirmed" and faster.p is None
    assert faster.shown == "parsing words/s 23,100 against 21,400; times better: sample 1.08 (1.07 to 1.1)"


def test_slower_beyond_the_spread_is_refuted(tmp_path):
    faster, not_slower, _ = verdicts(tmp_path, speeds(cw=SLOW, mira=FAST))
    assert faster.verdict == "refuted" and faster.shown.endswith("; it is not better")
    assert not_slower.verdict == "confirmed"
    _, much_slower, _ = verdicts(tmp_path, speeds(cw=[one // 2 for one in SLOW], mira=FAST))
    assert much_slower.verdict == "refuted" and much_slower.shown.endswith("; it is not 0.9 times as good")


def test_within_the_spread_it_is_open(tmp_path):
    noisy = speeds(cw=[21229, 25000, 18500], mira=[23059, 20000, 26000])
    faster, not_slower, _ = verdicts(tmp_path, noisy)
    assert faster.verdict == not_slower.verdict == "open"
    assert faster.shown.endswith("; within the spread of repeats it may be better or not")
    assert not_slower.shown.endswith("it may be 0.9 times as good or not")


def test_all_treebanks_have_to_agree(tmp_path):
    both = {"sample": FAST, "second": SLOW}, {"sample": SLOW, "second": FAST}
    faster, *_ = verdicts(tmp_path, speeds(cw=both[0], mira=both[1]), ("sample", "second"))
    assert faster.verdict == "open" and faster.shown.endswith("; the treebanks disagree: better on sample only")
    same = dict.fromkeys(("sample", "second"), FAST), dict.fromkeys(("sample", "second"), SLOW)
    faster, *_ = verdicts(tmp_path, speeds(cw=same[0], mira=same[1]), ("sample", "second"))
    assert faster.verdict == "confirmed" and "sample 1.08 (" in faster.shown and "second 1.08 (" in faster.shown


def test_journals_without_repeats_decide_nothing(tmp_path):
    for faster in verdicts(tmp_path, speeds(cw=[23059], mira=[21229]))[:2]:
        assert faster.verdict == "open"
        assert faster.shown.endswith("; no repeats, so that nothing says how much it varies")
    old = verdicts(tmp_path, lambda task: {"parsing": 23059 if task.options["learner"] == "cw" else 21229})[0]
    assert old.verdict == "open" and "no repeats" in old.shown
    assert verdicts(tmp_path, speeds(cw=FAST, mira=SLOW))[2].shown.endswith("nothing says how much it varies")


def test_seeds_are_repeats_of_training_and_count_instead_of_runs(tmp_path):
    def costs(task):
        slower = {"cw": 1.0, "mira": 3.0}[task.options["learner"]]
        return {"training": slower * (10 + task.seed), "parsing": [20000, 20001, 20000 + 5000 * task.seed]}

    faster, _, trains = verdicts(tmp_path, costs, seeds=(1, 2, 3))
    assert trains.verdict == "confirmed" and trains.shown.startswith("training CPU seconds 12.0 against 36.0; ")
    assert "times better: sample 3 (" in trains.shown
    assert faster.verdict == "open" and "sample 1 (0.6" in faster.shown


def test_one_repeat_on_one_side_is_enough_where_the_other_has_several(tmp_path):
    faster, *_ = verdicts(tmp_path, speeds(cw=FAST, mira=[10000]))
    assert faster.verdict == "confirmed"


@pytest.mark.parametrize("free", [1, 2, 3, 4, 5, 8, 9, 30, 101])
def test_quantiles_are_those_of_scipy(free):
    stats = pytest.importorskip("scipy.stats")
    assert t_quantile(free) == pytest.approx(stats.t.ppf(0.975, free))
