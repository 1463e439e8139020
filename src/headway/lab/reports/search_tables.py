"""The tables of a recipe's searches: ours beside the paper's, and several searches beside each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

from headway.base.errors import counted
from headway.discovery.history import History, full_measures, successors_of
from headway.discovery.report import BEAM, beam_table, growth_table, rank_correlation, ranking_tables, set_text
from headway.lab.plans import PaperFigures
from headway.lab.recipe import Recipe, SearchPlan
from headway.lab.reports.tables import beside
from headway.lab.results import Results
from headway.lab.tasks import FOUND
from headway.show.reports.page import NOTHING, Table, duration, number

GROWTH = "Best set of each generation"
ENTERED = "In which generation features entered"
FEATURE = "feature of the final set"
"""The column of a paper's figures that says which feature each generation brought."""
RANKED = {1: (1, 16), 2: (2, 16), 3: (1, 9)}
"""For the first generations of a search, how many parents are listed, and with how many successors each."""


def titled(search: SearchPlan, title: str) -> str:
    """The title of a table of a search, which has the search's name where there are several."""
    return title if search.name == FOUND else f"{search.name.removeprefix(f'{FOUND}:')}: {title}"


def searched_titles(recipe: Recipe) -> list[str]:
    """The titles of the tables that searches have."""
    found = [TAKEN, AGREEMENT] if len(recipe.searches) > 1 else []
    for search in recipe.searches.values():
        own = [GROWTH, BEAM, *([ENTERED] if _features(search.paper) else []), *(one.title for one in search.rankings)]
        found += [titled(search, title) for title in own]
    return found


def search_notes(found: Results) -> Iterator[str]:
    """How long each search took, and what it found."""
    for name, history in found.histories.items():
        seconds = sum(generation.seconds or 0.0 for generation in history.generations.values())
        ended = f", ended as {history.end['why']}" if history.end else ""
        which = titled(found.recipe.searches[name], "the search took")
        yield f"{which[0].upper()}{which[1:]} {duration(seconds)}{ended}. Best set: {set_text(history.final)}."


def search_tables(found: Results) -> Iterator[Table]:
    """The tables of each search, then those that compare them."""
    for name, history in found.histories.items():
        search = found.recipe.searches[name]
        for table in _tables(search, history):
            yield table._replace(title=titled(search, table.title))
        alone = len(found.recipe.searches) == 1 and not search.rankings
        for at, generation in sorted(history.generations.items()) if alone else ():
            parents, most = RANKED.get(at, (0, 0))
            for table in islice(ranking_tables(history, generation), parents):
                title = titled(search, f"Generation {at}: {table.title}")
                yield table._replace(title=title, rows=table.rows[:most])
    if len(found.histories) > 1:
        short = {name.removeprefix(f"{FOUND}:"): history for name, history in found.histories.items()}
        yield taken_table(short)._replace(notes=["The features are those of the final sets."])
        note = (
            "The rank correlation is Spearman's, of the scores of the sets of two features that both searches "
            "measured in full. Times are those of the processor."
        )
        yield agreement_table(short)._replace(notes=[note])


def _tables(search: SearchPlan, history: History) -> Iterator[Table]:
    paper = search.paper
    yield beside(growth_table(history), paper)._replace(notes=[paper.data] if paper else [])
    if features := _features(paper):
        yield entries_beside(history, ENTERED, features)
    for wanted in search.rankings:
        figures = wanted.paper
        found = ranking_beside(history, wanted.title, wanted.parent, figures.columns, figures.rows)
        yield found._replace(notes=[*found.notes, figures.data])
    if history.options.get("beam", 1) > 1:
        note = (
            "A beam of the needed width meets the same best set, where it measures the same sets in full. In the last "
            "column nothing stands where no set that a beam of 1 leads to was measured in full."
        )
        yield beam_table(history)._replace(notes=[note])


def _features(paper: PaperFigures | None) -> Mapping[int, str]:
    """Which feature each generation of the paper brought, where its figures say so."""
    if paper is None or FEATURE not in paper.columns:
        return {}
    at = paper.columns.index(FEATURE)
    return {int(generation): str(figures[at]) for generation, figures in paper.rows.items()}


TAKEN = "What each search took, generation by generation"
AGREEMENT = "How far the searches agree"
PAIR = 2
"""Sets of so many features are ranked: one generation, of which all searches measure most."""


def ranking_beside(
    history: History, title: str, parent: Sequence[str], columns: Sequence[str], figures: Mapping[str, Sequence[object]]
) -> Table:
    """The paper's successors of a set in its order with our ranks; then ours that are as good and not in its list."""
    ours = successors_of(history, parent)
    rank = {feature: place for place, feature in enumerate(ours, 1)}
    theirs = {feature: place for place, feature in enumerate(figures, 1)}
    others = [feature for feature in ours if feature not in theirs and rank[feature] <= len(theirs)]
    rows = []
    for feature in (*theirs, *others):
        measure, said = ours.get(feature), figures.get(feature, ())
        cells = [number(measure.score(name)) if measure else NOTHING for name in history.metrics]
        paper = [f"{one:.2f}" if isinstance(one, float) else str(one) for one in said] or [NOTHING] * len(columns)
        places = (str(theirs.get(feature, NOTHING)), str(rank.get(feature, NOTHING)))
        look = "" if measure is None or measure.full else " (a short look)"
        rows.append((f"{feature}{look}", *places, *cells, *paper))
    scores = (f"dev {name}" for name in history.metrics)
    header = ("successor", "paper's rank", "our rank", *scores, *(f"paper: {one}" for one in columns))
    return Table(title, header, rows, notes=_agreement(theirs, rank, len(ours)))


def _agreement(theirs: Mapping[str, int], ours: Mapping[str, int], tried: int) -> list[str]:
    both = [feature for feature in theirs if feature in ours]
    correlation = rank_correlation([theirs[one] for one in both], [ours[one] for one in both])
    if correlation is None:
        return []
    top = min(len(theirs), 8)
    same = sum(ours.get(feature, math.inf) <= top for feature, place in theirs.items() if place <= top)
    found = f"Rank correlation {correlation:.2f} (Spearman's) over {counted(len(both), 'feature')}"
    return [f"{found}; of the paper's first {top}, {same} are among our first {top}, of {tried} that were tried."]


def entries_beside(history: History, title: str, theirs: Mapping[int, str]) -> Table:
    """In which generation each feature of the final set entered, here and in the paper."""
    ours = {one.successor: generation for generation, one in sorted(history.lineage().items())}
    paper = {feature: generation for generation, feature in theirs.items()}
    last = max(ours.values(), default=0)
    rows = [
        (feature, str(paper.get(feature, NOTHING)), str(ours.get(feature, NOTHING)))
        for feature in dict.fromkeys((*(one for one in paper if paper[one] <= last), *ours))
    ]
    early = {feature for feature, generation in paper.items() if generation <= last}
    shared = len(early & {*ours})
    taken = f"{counted(len(early), 'feature')} that the paper's set takes in {counted(last, 'generation')}"
    note = f"Of the {taken}, ours has {shared}."
    return Table(title, ("feature", "paper: generation", "generation"), rows, notes=[note])


def taken_table(searches: Mapping[str, History]) -> Table:
    """The feature of each generation that the final set has, and the best score, for each search."""
    ways = {name: history.lineage() for name, history in searches.items()}
    best = {name: {one.number: history.best(one) for one in history.finished} for name, history in searches.items()}
    last = max((number for way in best.values() for number in way), default=0)
    rows = []
    for generation in range(1, last + 1):
        cells: list[str] = []
        for name, history in searches.items():
            step, measure = ways[name].get(generation), best[name].get(generation)
            cells.append(step.successor if step else NOTHING)
            cells.append(number(measure.score(history.metric)) if measure else NOTHING)
        rows.append((str(generation), *cells))
    header = [f"{name}: {what}" for name, one in searches.items() for what in ("feature", f"best {one.metric}")]
    return Table(TAKEN, ("generation", *header), rows)


def agreement_table(searches: Mapping[str, History]) -> Table:
    """For each two searches: how they rank the sets that both measured, which features both took, what a set costs."""
    rows = []
    for (one, first), (other, second) in combinations(searches.items(), 2):
        mine, yours = full_measures(first), full_measures(second)
        both = [features for features in mine if features in yours]
        pairs = [features for features in both if len(features) == PAIR]
        scores = ([mine[a].score(first.metric) for a in pairs], [yours[a].score(second.metric) for a in pairs])
        shared = {*first.final} & {*second.final}
        costs = [duration(sum(of[features].seconds for features in both)) for of in (mine, yours)]
        sizes = dict.fromkeys((len(first.final), len(second.final)))
        common = f"{len(shared)} of {' and '.join(map(str, sizes))}"
        rows.append((f"{one}, {other}", f"{len(both):,}", number(rank_correlation(*scores)), common, *costs))
    header = ("searches", "sets that both measured", "rank correlation of those of two", "features in both final sets")
    return Table(AGREEMENT, (*header, "time of these sets, first", "second"), rows)
