"""The report of a search from its journal, finished or under way: `report.md` and `report.html` in its folder.

Racing: how well a short look foretells the full measure, and what it would have cost where all were measured.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from headway.base.errors import HeadwayError, counted
from headway.base.files import write_text
from headway.discovery.history import DEV, Features, Generation, History, beams_needed, best_within
from headway.discovery.measure import Measure
from headway.evaluation.significance import TRIALS, p_of_counts
from headway.runs.journal import JOURNAL, records
from headway.show.reports.charts import lines
from headway.show.reports.figure import ACCURACY
from headway.show.reports.page import Page, Section, Table, bold_if, duration, html, markdown, number, p_text

IN_FULL = 2
"""So many generations are listed in full, as the paper's Table 4."""
LISTED, SHOWN = 10, 30
"""How many successors of a parent are listed later on, as in the paper's Table 5, and features of a set."""
BEAM = "Where in the beam the best sets came from"


def set_text(features: Features) -> str:
    """A feature set in the order in which its features entered."""
    return f"⟨{', '.join(features) if len(features) <= SHOWN else f'{len(features)} features'}⟩" if features else "∅"


def settings_table(history: History) -> Table:
    """What was searched in, and how."""
    rows = [
        (name.replace("_", " "), _setting(value))
        for part in ("treebank", "options")
        for name, value in history.search.get(part, {}).items()
        if value is not None and value not in ([], {})
    ]
    return Table("The search", ("setting", "value"), rows, names=2)


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_setting(one)}" for name, one in value.items() if one is not None)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def curve(history: History) -> dict[str, list[float | None]]:
    """The scores of each finished generation's best set; tests only where there are any."""
    parts = {
        history.held_out: [history.best(generation) for generation in history.finished],
        "test": [history.tested.get(generation.beam[0]) for generation in history.finished],
    }
    series: dict[str, list[float | None]] = {
        f"{part} {name}": [one.score(name) if one else None for one in found]
        for part, found in parts.items()
        for name in history.metrics
    }
    return {name: values for name, values in series.items() if any(value is not None for value in values)}


def growth_table(history: History) -> Table:
    """The best set of each generation, as the paper's Table 6, and whether its gain could be chance."""
    series, lineage = curve(history), history.lineage()
    best = {name: max(value for value in values if value is not None) for name, values in series.items()}
    rows, before = [], None
    for at, generation in enumerate(history.finished):
        measure = history.best(generation)
        rows.append(
            (
                str(generation.number),
                measure.successor if measure else "",
                lineage[generation.number].successor if generation.number in lineage else "",
                *(bold_if(number(values[at]), values[at] == best[name]) for name, values in series.items()),
                p_value(before, measure),
            )
        )
        before = measure
    header = ("generation", "entered the best set", "of the final set", *series, "p")
    return Table("Best set of each generation", header, rows, names=3)


def p_value(before: Measure | None, after: Measure | None) -> str:
    """Of the difference between two sets, by approximate randomisation over the sentences of the development set."""
    if before is None or after is None or not before.right or len(before.right) != len(after.right):
        return ""
    return p_text(p_of_counts(before.right, after.right), 3)


def ranking_tables(history: History, generation: Generation) -> Iterator[Table]:
    """The successors of each parent, best first; those in the beam are bold."""
    parents: dict[Features, list[Measure]] = {}
    for measure in generation.ranked(history.metric):
        parents.setdefault(measure.parent, []).append(measure)
    before = history.generations.get(generation.number - 1)
    order = {features: place for place, features in enumerate(before.beam if before else ())}
    for parent in sorted(parents, key=lambda one: order.get(one, len(order))):
        yield _ranking(history, generation, parent, parents[parent])


def _ranking(history: History, generation: Generation, parent: Features, found: Sequence[Measure]) -> Table:
    shown = found if generation.number <= IN_FULL else found[:LISTED]
    own = history.measured(parent)
    measures = [*((own,) if own else ()), *shown]
    tests = [history.tested.get(one.features) for one in measures]
    tested = history.metrics if any(tests) else ()
    rows = []
    for measure, test in zip(measures, tests, strict=True):
        kept = measure.features in generation.beam
        scores = (number(measure.score(name)) for name in history.metrics)
        cells = ("None" if measure is own else measure.successor, *scores)
        later = (number(test.score(name) if test else None) for name in tested)
        rows.append((*(bold_if(cell, kept) for cell in (*cells, *later)), measure.stage))
    columns = (*(f"{history.held_out} {name}" for name in history.metrics), *(f"test {name}" for name in tested))
    header = ("successor", *columns, "measure")
    more = f", the best {len(shown)} of {len(found)}" if len(shown) < len(found) else ""
    return Table(f"Successors of {set_text(parent)}{more}", header, rows)


def time_table(history: History) -> Table:
    """What each generation took, and how much work it was for all workers together."""
    rows = []
    for _, generation in sorted(history.generations.items()):
        work = sum(one.seconds for one in (*generation.looks.values(), *generation.full.values()))
        sets = ({*generation.looks, *generation.full}, generation.looks, generation.full)
        took = "under way" if generation.seconds is None else duration(generation.seconds)
        rows.append((str(generation.number), *(f"{len(some):,}" for some in sets), took, duration(work)))
    return Table("Time", ("generation", "candidates", "looked at", "measured in full", "time", "work"), rows)


def beam_table(history: History) -> Table:
    """For each generation the place of its best set's parent, and the beam that this set needed all in all."""
    rows, known = [], beams_needed(history)
    for generation in history.finished:
        best, before = history.best(generation), history.generations.get(generation.number - 1)
        if best is None or before is None or not before.beam:
            continue
        greedy = best_within(history, generation, 1)
        behind = best.score(history.metric) - greedy.score(history.metric) if greedy is not None else None
        place = before.beam.index(best.parent) + 1 if best.parent in before.beam else None
        rows.append((str(generation.number), str(place or ""), str(known[best.features]), number(behind)))
    header = ("generation", "parent's place in the beam", "beam needed", f"{history.metric} more than with a beam of 1")
    return Table(BEAM, header, rows)


def write_report(folder: str | os.PathLike[str]) -> None:
    """Write the report of the search in a folder, from its journal as it is now."""
    place = Path(folder)
    if not (place / JOURNAL).is_file():
        raise HeadwayError(f"{place}: there is no {JOURNAL} in it; give the folder of a search, FEATURES.search")
    history = History(records(place / JOURNAL, "search"))
    title = f"Feature discovery on {history.search.get('treebank', {}).get('train', 'a treebank')}"
    page = Page(title, [], list(_sections(history)))
    for name, text in (("report.md", markdown(page)), ("report.html", html(page))):
        write_text(place / name, text)


def _sections(history: History) -> Iterator[Section]:
    yield Section("What was found", state(history), tables=[settings_table(history)])
    yield _growth(history)
    for _, generation in sorted(history.generations.items()):
        tables = list(ranking_tables(history, generation))
        if tables:
            note = "Sets in bold go on to the next generation; None is the parent alone."
            under_way = "" if generation.beam else ", under way"
            yield Section(f"Generation {generation.number}{under_way}", [note], tables=tables)
    racing, check = racing_table(history), check_table(history)
    if racing.rows:
        notes = ["The rank correlation is Spearman's, of the scores of sets that were both looked at and measured."]
        if check.rows:
            notes.append(
                "The check takes the generations in which every set was measured: what would have come of measuring "
                "only those that looked best, at least as many as the beam holds. Losses are in points."
            )
        yield Section("Racing", notes, tables=[racing, *([check] if check.rows else [])])
    total = sum(generation.seconds or 0.0 for generation in history.generations.values())
    note = f"Finished generations took {duration(total)} in all; work is the time of all workers together."
    yield Section("Time", [note], tables=[time_table(history)])


def state(history: History) -> list[str]:
    """Where the search stands, and its set."""
    if history.end is not None:
        yet = f"The search has ended: {history.end['why']}."
    elif history.generations:
        last = history.generations[max(history.generations)]
        yet = f"The search is under way in generation {last.number}; {counted(len(last.full), 'set')} of it measured."
    else:
        yet = "The search has begun; nothing is measured yet."
    measure = history.measured(history.final)
    if measure is None:
        return [yet]
    scores = f"{measure.shown} {'on the development set' if history.held_out == DEV else 'by cross-validation'}"
    if history.final in history.tested:
        scores += f", {history.tested[history.final].shown} on the test set"
    return [yet, f"Best set: {set_text(history.final)}: {scores}."]


def _growth(history: History) -> Section:
    series = curve(history)
    generations = [generation.number for generation in history.finished]
    columns = (
        "Bold: the best score of each column. The second column is the step that led to the best set of a generation, "
        "the third the step of that generation that the final set contains; with a beam they may differ."
    )
    chance = (
        f"p: whether {history.metric} of the best set differs from that of the generation before by chance, two-sided "
        f"approximate randomisation over sentences, {TRIALS:,} trials."
    )
    title = "Scores of the best set by generation"
    drawn = []
    if series:
        drawn.append(lines(generations, series, title=title, x_title="generation", unit=" %", digits=2, scale=ACCURACY))
    tables = [growth_table(history), *([beam_table(history)] if history.options.get("beam", 1) > 1 else [])]
    return Section("Best set of each generation", [columns, chance], drawn, [one for one in tables if one.rows])


SHARES = (5, 10, 20, 30, 50)
"""Per cent of a generation's candidates that are measured in full."""
FEWEST = 3
"""So many candidates a rank correlation needs."""


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's, equal values sharing the mean of their ranks; None for few values or where all of them are equal."""
    if len(first) < FEWEST or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    ranks = []
    for values in (first, second):
        _, inverse, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
        ranks.append((np.cumsum(counts) - (counts - 1) / 2)[inverse])
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def racing_table(history: History) -> Table:
    """How many candidates each generation looked at and measured, and whether looks and measures agree."""
    rows = []
    for _, generation in sorted(history.generations.items()):
        both = [features for features in generation.looks if features in generation.full]
        kinds = (generation.looks, generation.full)
        scores = ([of[features].score(history.metric) for features in both] for of in kinds)
        if generation.looks:
            counts = (f"{len(one):,}" for one in kinds)
            rows.append((str(generation.number), *counts, number(rank_correlation(*scores))))
    header = ("generation", "looked at", "measured in full", "rank correlation")
    return Table("Racing: a look at all, a full measure of the best", header, rows)


def raced(generation: Generation, metric: str, keep: int) -> tuple[bool, bool, float, float]:
    """What would have come of measuring only the `keep` best-looking candidates of a generation in full.

    Whether the best set and the beam would be others, what the best set would be worse by, in points, and the seconds
    of work saved.
    """
    looks, full = generation.looks, generation.full
    hopeful = [look.features for look in sorted(looks.values(), key=lambda look: look.rank(metric))]
    ranking = sorted(full.values(), key=lambda measure: measure.rank(metric))
    left = [measure for measure in ranking if measure.features in hopeful[:keep]]
    beam = slice(len(generation.beam))
    saved = sum(full[features].seconds for features in hopeful[keep:]) - sum(look.seconds for look in looks.values())
    loss = ranking[0].score(metric) - left[0].score(metric)
    return ranking[0] != left[0], ranking[beam] != left[beam], loss, saved


def check_table(history: History) -> Table:
    """What racing would have changed, by how many candidates it measures, where all were measured in full."""
    whole = [one for one in history.finished if one.full and one.full.keys() == one.looks.keys()]
    work = sum(measure.seconds for one in whole for measure in one.full.values())
    rows = []
    for name, counts in _choices(history, whole) if whole else ():
        races = [raced(one, history.metric, keep) for one, keep in zip(whole, counts, strict=True)]
        best, beams, losses, saved = zip(*races, strict=True)
        changed = [f"{sum(one)} of {len(races)}" for one in (best, beams)]
        mean, largest = number(sum(losses) / len(races)), number(max(losses))
        rows.append((name, *changed, mean, largest, f"{100 * sum(saved) / work:.0f} %" if work else ""))
    header = ("measured in full", "best set changed", "beam changed", "mean loss", "largest loss", "work saved")
    return Table(f"Check of racing ({history.metric})", header, rows)


def _choices(history: History, whole: Sequence[Generation]) -> list[tuple[str, list[int]]]:
    """Names of ways to race, and how many candidates each keeps in each generation: at least the beam."""
    sizes = [len(one.full) for one in whole]
    ways = [(f"{share} %", share / 100, 1) for share in SHARES]
    keep, least = (history.options.get(name) for name in ("keep", "least"))
    if keep is not None and least is not None:
        ways.insert(0, (f"{100 * keep:g} %, at least {least} (as set)", keep, least))
    return [
        (name, [max(least, math.ceil(share * size), len(one.beam)) for size, one in zip(sizes, whole, strict=True)])
        for name, share, least in ways
    ]
