"""A report as tables, for the terminal and for pages, and as a page with plots: scores, tests, breakdowns, errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple

from headway.evaluation.breakdowns import BREAKDOWNS, ScoredGroup, groups
from headway.evaluation.metrics.confidence import BINS, LEFT_OUT, confidences_of
from headway.evaluation.metrics.ud import tags_compared
from headway.evaluation.report import LISTS, PARTS, EvaluationReport
from headway.show.reports.charts import bars, lines, reliability_diagram
from headway.show.reports.figure import ACCURACY, Figure
from headway.show.reports.page import NOTHING, Page, Section, Table, bold_if, p_text

TREES = ("LAS", "UAS", "LA", "CLAS", "MLAS", "BLEX", "DA", "RA", "UCM", "LCM")
"""The scores of trees, which come before those of tokens, tags and lemmas."""
ALWAYS = ("LAS", "UAS")
"""The scores that are shown even where everything is right."""
OTHERS = {"Tokens": "tokens", **dict.fromkeys(("Sentences", "RA", "UCM", "LCM"), "sentences")}
"""What scores count that do not count words."""
LISTED_AS = {
    "confusions": ("Confused labels", ("gold", "system", "count", "head right")),
    "errors": ("Kinds of error", ("tag", "gold head", "gold label", "system head", "system label", "wrong", "count")),
}
"""The titles and headers of lists."""
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
    tags = {scores.system: tags_compared(scores.comparison) for scores in report.scores}
    alike = len(set(tags.values())) == 1
    shown = next(iter(tags.values())) if alike else "; ".join(f"{system} {what}" for system, what in tags.items())
    return [f"gold: {gold.source}, {words}", *systems, f"definition: {report.definition}", f"tags: {shown}"]


def score_table(report: EvaluationReport) -> Table:
    """Of one system each score with its counts, or precision and recall; of several a row each, the best first."""
    return _of_one(report) if len(report.scores) == 1 else _of_several(report)


def _of_one(report: EvaluationReport) -> Table:
    metrics = report.scores[0].metrics
    shown, perfect = _shown_and_hidden(metrics, [name for name, score in metrics.items() if score.f1 == 1.0])
    notes = [f"all right: {', '.join(perfect)}"] if perfect else []
    scores = [(name, metrics[name]) for name in shown]
    if report.definition.same_words:
        header: tuple[str, ...] = ("", "%", "correct", "of")
        rows: list[tuple[str, ...]] = [(name, str(s), f"{s.correct:,}", f"{s.gold:,}") for name, s in scores]
    else:
        header = ("", "precision", "recall", "F1", "aligned")
        rows = [
            (name, percent(s.precision), percent(s.recall), str(s), percent(s.aligned_accuracy)) for name, s in scores
        ]
    return Table("Scores", header, rows, notes=notes)


def _of_several(report: EvaluationReport) -> Table:
    every = [scores.metrics for scores in report.scores]
    alike = [name for name in every[0] if len({str(metrics[name]) for metrics in every}) == 1]
    shown, same = _shown_and_hidden(every[0], alike)
    best = {name: max(metrics[name].f1 for metrics in every) for name in shown}
    rows = [
        (f"{number}", scores.system, *(bold_if(str(scores[name]), scores[name].f1 == best[name]) for name in shown))
        for number, scores in enumerate(report.scores, 1)
    ]
    of_value: dict[str, list[str]] = {}
    for name in same:
        of_value.setdefault(str(every[0][name]), []).append(name)
    values = [f"{', '.join(names)} {value}" for value, names in of_value.items()]
    notes = [f"the same for all: {'; '.join(values)}"] if values else []
    return Table("Scores (F1)", ("", "system", *shown), rows, names=2, notes=notes)


def _shown_and_hidden(names: Iterable[str], alike: Sequence[str]) -> tuple[list[str], list[str]]:
    """The scores to show, those of trees first; and the others, which would say the same in every row."""
    rank = {name: place for place, name in enumerate(TREES)}
    ordered = sorted(names, key=lambda name: rank.get(name, len(rank)))
    hidden = [name for name in ordered if name in alike and name not in ALWAYS]
    return [name for name in ordered if name not in hidden], hidden


def confidence_tables(report: EvaluationReport) -> list[Table]:
    """How good the confidences in the file of each system are; nothing for those that have none."""
    left_out = [f"without {share} %" for share in LEFT_OUT]
    header = ("", "words", "mean", "right", "ECE", "by chance", "AUC", *left_out)
    notes = [
        f"ECE: expected calibration error, {BINS} bins of as many words; by chance: that of perfect calibration",
        "AUC: how often a right word is surer than a wrong one; without 20 %: right among the others",
    ]
    tables = []
    for scores in report.scores:
        rows = [
            (
                *(one.name, f"{one.words:,}", percent(one.confidence), percent(one.right)),
                *(f"{one.error:.4f}", f"{one.chance:.4f}", NOTHING if one.auc is None else f"{one.auc:.4f}"),
                *(percent(share) for share in one.surest.values()),
            )
            for one in confidences_of(scores.comparison)
        ]
        title = f"Confidence, {scores.system}" if len(report.scores) > 1 else "Confidence"
        if rows:
            tables.append(Table(title, header, rows, notes=notes))
    return tables


def significance_table(report: EvaluationReport) -> Table:
    """The tests of each two systems."""
    several = len(report.scores) > 2
    header = ("systems", "", "difference", "95 % interval", "p bootstrap", "p randomisation", "p McNemar")
    rows = []
    for pair, test in [(each, test) for each in report.pairs for test in each.tests]:
        corrected = pair.corrected[test.metric]
        ps = (test.bootstrap, test.p, test.mcnemar, *([corrected] if several else []))
        rows.append(
            (
                *(f"{pair.first + 1} − {pair.second + 1}", test.metric),
                bold_if(f"{test.difference:+.2f}", corrected < LIKELY),
                f"{test.interval[0]:+.2f} … {test.interval[1]:+.2f}",
                *(p_text(p, 4) for p in ps),
            )
        )
    tests = report.pairs[0].tests
    items = dict.fromkeys(OTHERS.get(test.metric, "words") for test in tests)
    draws = f"{tests[0].trials:,} draws of sentences with seed {tests[0].seed}"
    title = f"Significance, two-sided, {draws}; McNemar over {' or '.join(items)}"
    notes = ["p Holm: that of randomisation, corrected for the number of pairs"] if several else []
    return Table(title, (*header, *(["p Holm"] if several else [])), rows, names=2, notes=notes)


def part_table(report: EvaluationReport, part: str, limit: int) -> list[Table]:
    """The table of a breakdown, or of a list cut to `limit` rows, one for each system."""
    if part in BREAKDOWNS:
        return [breakdown_table(report, part)]
    title, header = LISTED_AS[part]
    tables = []
    for number, comparison in enumerate(report.comparisons, 1):
        found = LISTS[part](comparison)
        cells = map(astuple, found[:limit])
        rows = [tuple(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) for row in cells]
        cut = "" if len(found) <= limit else f", the {limit} most frequent of {len(found):,}"
        system = "" if len(report.comparisons) == 1 else f", system {number}"
        tables.append(Table(f"{title}{cut}{system}", header, rows, names=header.index("count")))
    return tables


def breakdown_table(report: EvaluationReport, part: str) -> Table:
    """The groups of a breakdown; precision, recall and F1 are of head and label together."""
    title = BREAKDOWNS[part].title
    found = [groups(comparison, part) for comparison in report.comparisons]
    if len(found) == 1:
        header: tuple[str, ...] = (title, "gold", "system", "correct", "precision", "recall", "F1", "UAS", "LA")
        rows: list[tuple[str, ...]] = [
            (
                *(g.value, f"{g.gold:,}", f"{g.system:,}", f"{g.right:,}"),
                *map(percent, (g.precision, g.recall, g.f1, g.uas, g.la)),
            )
            for g in found[0]
        ]
    else:  # Every measure of many systems would be wider than any screen.
        names = ("precision", "recall", "F1", "UAS") if len(found) == 2 else ("F1",)
        header = (title, "gold", *(f"{name} {n}" for name in names for n in range(1, len(found) + 1)))
        rows = [
            (
                row[0].value,
                f"{row[0].gold:,}",
                *(percent(getattr(group, name.lower())) for name in names for group in row),
            )
            for row in by_value(found)
        ]
    return Table(f"By {part}", header, rows)


def by_value(found: Sequence[Sequence[ScoredGroup]]) -> list[tuple[ScoredGroup, ...]]:
    """The groups of several systems by value; a value that one of them never has counts as nothing there."""
    known = [{group.value: group for group in groups} for groups in found]
    gold = {group.value: group.gold for groups in known for group in groups.values()}
    return [
        tuple(groups.get(value) or ScoredGroup(value, count, *[0] * 5) for groups in known)
        for value, count in gold.items()
    ]


LISTED = 50
"""How many rows of a list are shown."""
PLOTTED = 30
"""How many bars at most."""
CURVES = ("exact-length", "distance", "depth")
"""Breakdowns by numbers, drawn as lines."""
FEWEST = 20
"""How many gold words a point of a line needs: fewer say nothing."""


def report_page(report: EvaluationReport, parts: Sequence[str] = PARTS) -> Page:
    """The scores, the tests of differences, and these breakdowns and lists."""
    tables = [score_table(report), *([significance_table(report)] if report.pairs else [])]
    sections = [Section(table.title, tables=[table]) for table in tables]
    sure = filter(None, map(confidences_of, report.comparisons))
    for table, found in zip(confidence_tables(report), sure, strict=True):
        figure = reliability_diagram({one.name: [(b.confidence, b.right) for b in one.bins] for one in found})
        sections.append(Section(table.title, figures=[figure], tables=[table]))
    for part in parts:
        for table in part_table(report, part, LISTED):
            if [row[0] for row in table.rows] not in ([], ["_"]):
                notes = [BREAKDOWNS[part].note] if part in BREAKDOWNS else []
                figures = list(_figures(report, part)) if part in BREAKDOWNS else []
                sections.append(Section(table.title, list(filter(None, notes)), figures, [table]))
    return Page(f"Evaluation of {' and '.join(scores.system for scores in report.scores)}", heading(report), sections)


def _figures(report: EvaluationReport, part: str) -> Iterator[Figure]:
    """LAS and UAS of the gold words of each group, of several systems LAS; nothing where no group is large."""
    found = [groups(comparison, part) for comparison in report.comparisons]
    rows = by_value(found)
    if part in CURVES:
        numbers = (row for row in rows if row[0].value != "root" and row[0].gold >= FEWEST)
        rows = sorted(numbers, key=lambda row: int(row[0].value))
    else:
        rows = rows[:PLOTTED]
    if not rows:
        return
    if len(found) == 1:
        series = {"LAS": _values(rows, 0, "recall"), "UAS": _values(rows, 0, "uas")}
    else:
        series = {f"LAS, system {n + 1}": _values(rows, n, "recall") for n in range(len(found))}
    title = f"{' and '.join(series)} by {part}"
    if part in CURVES:
        title += f", where at least {FEWEST} gold words have the value"
        xs = [int(row[0].value) for row in rows]
        yield lines(xs, series, title=title, unit=" %", x_title=BREAKDOWNS[part].title, scale=ACCURACY)
    else:
        yield bars([row[0].value for row in rows], series, title=title, unit=" %")


def _values(rows: list[tuple[ScoredGroup, ...]], system: int, measure: str) -> list[float | None]:
    return [100 * getattr(row[system], measure) if row[system].gold else None for row in rows]
