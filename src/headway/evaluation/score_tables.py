"""The scores of systems and the tests of their differences as tables, with what differs first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headway.evaluation.metrics.confidence import BINS, LEFT_OUT, ConfidenceScores, confidences_of
from headway.evaluation.metrics.score import Score
from headway.evaluation.metrics.text import tags_compared
from headway.evaluation.report import EvaluationReport, SystemPair
from headway.evaluation.significance import Significance
from headway.show.reports.table import NOTHING, Table, bold_if, p_text

TREES = ("LAS", "UAS", "LA", "CLAS", "MLAS", "BLEX", "DA", "RA", "UCM", "LCM")
"""The scores of trees, which come before those of tokens, tags and lemmas."""
ALWAYS = ("LAS", "UAS")
"""The scores that are shown even where everything is right."""
OTHERS = {"Tokens": "tokens", **dict.fromkeys(("Sentences", "RA", "UCM", "LCM"), "sentences")}
"""What scores count that do not count words."""
LIKELY = 0.05
"""Differences with a p-value below this are in bold."""


def percent(fraction: float | None) -> str:
    """A fraction in per cent, with two decimals."""
    return NOTHING if fraction is None else f"{100 * fraction:.2f}"


def heading(report: EvaluationReport) -> list[str]:
    """What was compared, and how: a line for each file and one for the definition."""
    gold = report.gold
    words = f"sentences: {gold.sentences:,}, words: {len(gold):,}"
    if report.counted < len(gold):
        words += f", counted: {report.counted:,}"
    systems = [f"system: {report.scores[0].system}"] if len(report.scores) == 1 else []
    return [f"gold: {gold.source}, {words}", *systems, f"definition: {report.definition}", f"tags: {_tags(report)}"]


def _tags(report: EvaluationReport) -> str:
    """Which tags the files of the systems have, those of all or of each."""
    found = [tags_compared(comparison) for comparison in report.comparisons]
    if len(set(found)) == 1:
        return found[0]
    return "; ".join(f"{scores.system} {tags}" for scores, tags in zip(report.scores, found, strict=True))


def score_table(report: EvaluationReport) -> Table:
    """Of one system each score with its counts, or precision and recall; of several a row each, the best first."""
    return _of_one(report) if len(report.scores) == 1 else _of_several(report)


def _of_one(report: EvaluationReport) -> Table:
    metrics = report.scores[0].metrics
    shown, perfect = _shown_and_hidden(metrics, [name for name, score in metrics.items() if score.f1 == 1.0])
    notes = [f"all right: {', '.join(perfect)}"] if perfect else []
    rows: list[tuple[str, ...]]
    if report.definition.same_words:
        rows = [(name, str(metrics[name]), f"{metrics[name].correct:,}", f"{metrics[name].gold:,}") for name in shown]
        return Table("Scores", ("", "%", "correct", "of"), rows, notes=notes)
    rows = [_rates(name, metrics[name]) for name in shown]
    return Table("Scores", ("", "precision", "recall", "F1", "aligned"), rows, notes=notes)


def _rates(name: str, score: Score) -> tuple[str, ...]:
    return name, percent(score.precision), percent(score.recall), str(score), percent(score.aligned_accuracy)


def _of_several(report: EvaluationReport) -> Table:
    every = [scores.metrics for scores in report.scores]
    alike = [name for name in every[0] if len({str(metrics[name]) for metrics in every}) == 1]
    shown, same = _shown_and_hidden(every[0], alike)
    best = {name: max(metrics[name].f1 for metrics in every) for name in shown}
    rows = [
        (
            *(f"{number}", scores.system),
            *(bold_if(str(scores[name]), scores[name].f1 == best[name]) for name in shown),
        )
        for number, scores in enumerate(report.scores, 1)
    ]
    of_value: dict[str, list[str]] = {}
    for name in same:
        of_value.setdefault(str(every[0][name]), []).append(name)
    told = [f"{', '.join(names)} {value}" for value, names in of_value.items()]
    notes = [f"the same for all: {'; '.join(told)}"] if told else []
    return Table("Scores (F1)", ("", "system", *shown), rows, names=2, notes=notes)


def _shown_and_hidden(names: Iterable[str], alike: Sequence[str]) -> tuple[list[str], list[str]]:
    """The scores to show, those of trees first; and the others, which would say the same in every row."""
    rank = {name: place for place, name in enumerate(TREES)}
    ordered = sorted(names, key=lambda name: rank.get(name, len(rank)))
    hidden = [name for name in ordered if name in alike and name not in ALWAYS]
    return [name for name in ordered if name not in hidden], hidden


def confidence_tables(report: EvaluationReport) -> list[Table]:
    """How good the confidences in the file of each system are; nothing for those that have none."""
    tables = []
    for scores, comparison in zip(report.scores, report.comparisons, strict=True):
        found = confidences_of(comparison)
        of_system = f", {scores.system}" if len(report.scores) > 1 else ""
        if found:
            tables.append(_confidence_table(found, f"Confidence{of_system}"))
    return tables


def _confidence_table(found: Sequence[ConfidenceScores], title: str) -> Table:
    left_out = [f"without {share} %" for share in LEFT_OUT]
    header = ("", "words", "mean", "right", "ECE", "by chance", "AUC", *left_out)
    rows = [
        (
            *(one.name, f"{one.words:,}", percent(one.confidence), percent(one.right)),
            *(f"{one.error:.4f}", f"{one.chance:.4f}", NOTHING if one.auc is None else f"{one.auc:.4f}"),
            *(percent(share) for share in one.surest.values()),
        )
        for one in found
    ]
    notes = [
        f"ECE: expected calibration error, {BINS} bins of as many words; by chance: that of perfect calibration",
        "AUC: how often a right word is surer than a wrong one; without 20 %: right among the others",
    ]
    return Table(title, header, rows, notes=notes)


def significance_table(report: EvaluationReport) -> Table:
    """The tests of each two systems."""
    several = len(report.scores) > 2
    header = ("systems", "", "difference", "95 % interval", "p bootstrap", "p randomisation", "p McNemar")
    rows = [_tested(pair, test, several) for pair in report.pairs for test in pair.tests]
    drawn = report.pairs[0].tests[0]
    draws = f"{drawn.trials:,} draws of sentences with seed {drawn.seed}"
    title = f"Significance, two-sided, {draws}; McNemar over {_items(report)}"
    notes = ["p Holm: that of randomisation, corrected for the number of pairs"] if several else []
    return Table(title, (*header, *(["p Holm"] if several else [])), rows, names=2, notes=notes)


def _items(report: EvaluationReport) -> str:
    """What McNemar's test takes for independent."""
    others = {OTHERS.get(test.metric, "words"): None for test in report.pairs[0].tests}
    return " or ".join(others)


def _tested(pair: SystemPair, test: Significance, several: bool) -> tuple[str, ...]:
    corrected = pair.corrected[test.metric]
    shown = (test.bootstrap, test.p, test.mcnemar, *([corrected] if several else []))
    return (
        *(f"{pair.first + 1} − {pair.second + 1}", test.metric),
        bold_if(f"{test.difference:+.2f}", corrected < LIKELY),
        f"{test.interval[0]:+.2f} … {test.interval[1]:+.2f}",
        *(p_text(p, 4) for p in shown),
    )
