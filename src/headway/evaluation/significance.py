"""Could the difference between two systems be chance? p-values for any score on the same gold file.

All tests are two-sided. Bootstrap and randomisation draw whole sentences, as words of a sentence stand and
fall together; where b of n trials are as extreme as what was observed, p = (b + 1) / (n + 1), which counts
the observation itself and so is never 0 (Davison and Hinkley 1997, 4.2). McNemar's test takes the words, or what
else of the gold file a score counts, as independent and is usually the most optimistic.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.base.errors import HeadwayError, assure_whole, described
from headway.evaluation.comparison import Comparison
from headway.evaluation.evaluate import SystemScores, items_of
from headway.evaluation.scores import Score, Tally
from headway.show.reports.page import p_text

TRIALS = 10_000
METRICS = ("LAS", "UAS")
"""The scores that are tested where nothing else is asked for."""
INTERVAL = (2.5, 97.5)
CELLS = 1 << 20
"""How many numbers one step of the simulation holds."""
BOTH_WAYS = np.array([[1.0, -1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, -1.0]])
"""What one system gains when sentences are swapped, in words right and in words, the other one loses."""


@dataclass(frozen=True)
class Significance:
    """A difference between two systems (second minus first, in points of F1) and its p-values."""

    metric: str
    definition: str
    """The name of the definition by which both were scored."""
    first: Score
    second: Score
    interval: tuple[float, float]
    """The middle 95 per cent of the bootstrap's differences."""
    bootstrap: float
    p: float
    """That of approximate randomisation, the one to report."""
    mcnemar: float
    trials: int
    seed: int

    @property
    def difference(self) -> float:
        """Second minus first, in percentage points."""
        return 100 * (self.second.f1 - self.first.f1)

    def __str__(self) -> str:
        """The difference, and the p-value of approximate randomisation."""
        scores = f"{self.metric} {self.first} and {self.second} ({self.definition})"
        return f"{scores}: {self.difference:+.2f}, p = {p_text(self.p, 4)} (approximate randomisation)"

    def __repr__(self) -> str:
        return f"<Significance: {self}>"

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        scores = {"first": self.first.to_dict(), "second": self.second.to_dict()}
        return {**asdict(self), **scores, "difference": self.difference}


def significance(
    first: SystemScores | Comparison,
    second: SystemScores | Comparison,
    metric: str = "LAS",
    *,
    trials: int = TRIALS,
    seed: int = 1,
) -> Significance:
    """Test whether two systems, evaluated on the same gold trees by the same definition, differ by more than chance.

    `metric` is any score that the definition has, or `LAS:LABEL`, that of the words with a label.

    >>> from headway import evaluate
    >>> from headway.data.sample import generate
    >>> gold = list(generate(50))
    >>> chain = [sentence.replace(heads=range(len(sentence))) for sentence in gold]
    >>> found = significance(evaluate(gold, chain), evaluate(gold, gold), "UAS")
    >>> found.difference > 50, found.p < 0.001
    (True, True)
    """
    first, second = _compared(first), _compared(second)
    assure_whole("trials", trials)
    assure_whole("seed", seed, low=0)
    ours, theirs = first.gold.columns, second.gold.columns
    is_same = np.array_equal(ours.first, theirs.first) and np.array_equal(ours.heads, theirs.heads)
    if first.definition != second.definition or not is_same:
        raise HeadwayError("the systems were compared with different gold trees or definitions; use the same for both")
    items = items_of(first, metric), items_of(second, metric)
    if not np.array_equal(items[0].home, items[1].home):
        raise HeadwayError("the systems were compared with different gold files; use the same for both")
    tallies = [one.tally(ours.sentences) for one in items]
    bootstrap, interval = paired_bootstrap(*tallies, trials=trials, seed=seed)
    right, right_too = (one.right for one in items)
    return Significance(
        metric=metric,
        definition=first.definition.name,
        first=items[0].score,
        second=items[1].score,
        interval=interval,
        bootstrap=bootstrap,
        p=approximate_randomisation(*tallies, trials=trials, seed=seed),
        mcnemar=mcnemar(int((right & ~right_too).sum()), int((right_too & ~right).sum())),
        trials=trials,
        seed=seed,
    )


def _compared(system: object) -> Comparison:
    found = system.comparison if isinstance(system, SystemScores) else system
    if isinstance(found, Comparison):
        return found
    raise HeadwayError(f"expected scores, got {described(system)}; give headway.evaluate(gold, system) of each system")


def paired_bootstrap(
    first: Tally, second: Tally, *, trials: int = TRIALS, seed: int = 1
) -> tuple[float, tuple[float, float]]:
    """The p-value of the difference in F1, and the middle 95 per cent of the differences, in points.

    Draws as many sentences as there are, with replacement. Under the null hypothesis the differences vary
    around 0 as the drawn ones vary around the observed one, so a draw is extreme where it lies at least as
    far from the observed difference as that lies from 0 (Efron and Tibshirani 1993, ch. 16; one-sided in
    Berg-Kirkpatrick et al. 2012). O(trials · sentences).
    """
    counts = _counts_of_both(first, second)
    observed = _difference(counts.sum(axis=0, keepdims=True))[0]
    sentences = len(counts)
    random = np.random.default_rng(seed)
    drawn = np.empty(trials)
    for begin, end in _steps(trials, sentences):
        picked = random.integers(0, sentences, (end - begin, sentences))
        picked += sentences * np.arange(end - begin)[:, None]
        times = np.bincount(picked.ravel(), minlength=picked.size).reshape(picked.shape)
        drawn[begin:end] = _difference(times.astype(np.float64) @ counts)
    gained, twice = np.sign(observed) * drawn, 2 * abs(observed)
    extreme = (gained <= 0) | (gained >= twice)
    low, high = np.percentile(100 * drawn, INTERVAL)
    return (int(extreme.sum()) + 1) / (trials + 1), (float(low), float(high))


def approximate_randomisation(first: Tally, second: Tally, *, trials: int = TRIALS, seed: int = 1) -> float:
    """The p-value of the difference in F1 when the systems' sentences are swapped by the toss of a coin.

    A trial is extreme where its difference is at least as large as the observed one (Noreen 1989; Yeh 2000).
    O(trials · sentences).
    """
    counts = _counts_of_both(first, second)
    total = counts.sum(axis=0, keepdims=True)
    observed = abs(_difference(total)[0])
    gained = np.ascontiguousarray((counts[:, [1, 4]] - counts[:, [0, 3]]).T)
    sentences = len(counts)
    random = np.random.default_rng(seed)
    extreme = 0
    for begin, end in _steps(trials, sentences):
        tossed = random.integers(0, 2, (end - begin, sentences), np.uint8)
        moved = np.einsum("ts,gs->tg", tossed, gained)  # A product of matrices would convert all tosses first.
        extreme += int((np.abs(_difference(total + moved @ BOTH_WAYS)) >= observed).sum())
    return (extreme + 1) / (trials + 1)


def p_of_counts(first: ArrayLike, second: ArrayLike) -> float:
    """The same for two systems that parse the same words, from the words right, or wrong, in each sentence alone.

    With the same words in all, differences in F1 are as large as those in words right, whatever the number of words.
    """
    counts = np.array(first, np.int64), np.array(second, np.int64)
    words = counts[0] + counts[1]
    tallies = (Tally(right, words, words) for right in counts)
    return approximate_randomisation(*tallies)


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact p-value of McNemar's test: words that only one system has right are tosses of a fair coin. Never 0.

    min(1, 2 · P(X ≤ min)) for X binomial with n = only_first + only_second and 1/2. O(n).
    """
    tosses, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer >= tosses - 1:
        return 1.0
    k = np.arange(fewer)
    logarithms = np.concatenate([[0.0], np.cumsum(np.log(tosses - k) - np.log(k + 1))])
    largest = logarithms.max()
    tail = np.exp(logarithms - largest).sum()
    p = float(np.exp(largest + np.log(tail) - (tosses - 1) * np.log(2)))
    return min(1.0, max(p, sys.float_info.min))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected so that all of them together are as strict as one. Holm (1979).

    The smallest of n is multiplied by n, the next one by n - 1, and so on; none may be less than one before it.

    >>> holm([0.5, 0.01, 0.02])
    [0.5, 0.03, 0.04]
    """
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[at] * (len(p_values) - rank)))
        corrected[at] = largest
    return corrected


def _counts_of_both(first: Tally, second: Tally) -> NDArray[np.float64]:
    """A row for each sentence: words right in both systems, gold words, words of both systems."""
    columns = (first.correct, second.correct, first.gold, first.system, second.system)
    return np.stack(columns, axis=1).astype(np.float64)


def _difference(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Second minus first F1, for rows of summed counts.

    The counts are integers below 2²⁶, so their products are exact, and one division makes the difference:
    equal differences are equal numbers.
    """
    correct, correct_too, gold, system, system_too = sums.T
    total, total_too = gold + system, gold + system_too
    product = total * total_too
    points = 2 * (correct_too * total - correct * total_too)
    return np.asarray(np.divide(points, product, out=np.zeros_like(points), where=product > 0))


def _steps(trials: int, sentences: int) -> list[tuple[int, int]]:
    size = max(1, CELLS // sentences)
    return [(begin, min(begin + size, trials)) for begin in range(0, trials, size)]
