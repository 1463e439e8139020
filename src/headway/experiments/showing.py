"""What a recipe file says is to be shown and claimed: tables, plots, heat maps, figures of papers, claims."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from headway.experiments.entries import Entries
from headway.experiments.metrics import METRICS, SCORES, testable
from headway.experiments.papers import elsewhere_from, paper_from
from headway.experiments.recipe import (
    DIMENSIONS,
    MARGIN,
    Claim,
    Configuration,
    Difference,
    HeatMap,
    Part,
    Plot,
    Recipe,
    Side,
    TableOf,
)
from headway.experiments.reports.search_tables import searched_titles
from headway.experiments.search_entries import of_search_from

BOTH = 2


class Known(NamedTuple):
    """What has been declared before, for names to be checked against."""

    parts: Mapping[str, Part]
    configurations: Mapping[str, Configuration]
    treebanks: Collection[str]
    punctuation: bool
    searches: Sequence[str] = ()
    quick: bool = False


def table_from(entries: Entries, known: Known) -> TableOf:
    """A `[[table]]`."""
    metrics = entries.choices("metrics", METRICS, ["LAS"])
    elsewhere = tuple(elsewhere_from(one, metrics) for one in entries.tables("elsewhere"))
    found = TableOf(
        title=entries.take("title", str),
        part=entries.choice("part", known.parts),
        rows=entries.choices("rows", DIMENSIONS, ["treebank"]),
        metrics=metrics,
        against=entries.choice("against", known.configurations, None),
        mean=entries.take("mean", bool, False),
        ranks=entries.take("ranks", bool, False),
        fit=entries.take("fit", bool, False),
        choose=entries.choice("choose", known.parts, None),
        over=entries.choice("over", DIMENSIONS[1:], "configuration"),
        by=entries.choice("by", METRICS, "LAS"),
        paper=paper_from(entries.table("paper")) if entries.has("paper") else None,
        elsewhere=() if known.quick else elsewhere,  # The quick form measures something else.
    )
    if found.fit and "at" not in found.rows:
        raise entries.wrong("exponents are fitted to rows along the axis", 'write rows = ["at"]')
    several = len(known.parts[found.part].treebanks) > 1 and not found.mean
    if found.elsewhere and (found.rows != ("configuration",) or found.choose or several):
        wanted = 'write rows = ["configuration"], of one treebank'
        raise entries.wrong("figures from elsewhere stand in a row like those of a configuration", wanted)
    if found.mean and "treebank" in found.rows:
        raise entries.wrong("a mean over the treebanks has no row for each", 'write rows = ["configuration"]')
    if found.ranks and (found.rows != ("treebank",) or found.choose):
        raise entries.wrong("configurations are ranked on each treebank", 'write rows = ["treebank"]')
    entries.end()
    return found


def difference_from(entries: Entries) -> Difference:
    """A `[[differs]]`."""
    found = Difference(what=entries.take("what", str), paper=entries.take("paper", str), ours=entries.take("ours", str))
    entries.end()
    return found


def check_explanations(recipe: Recipe, entries: Entries) -> None:
    """Refuse an explanation that is shown in no table or plot of the recipe."""
    declared: list[TableOf | Plot | HeatMap] = [*recipe.tables, *recipe.plots, *recipe.heat_maps]
    titles = [one.title for one in declared]
    titles += searched_titles(recipe)
    for claim in recipe.claims:
        if claim.shown_in:
            entries.one_of("shown_in", claim.shown_in, titles)


def plot_from(entries: Entries, known: Known) -> Plot:
    """A `[[plot]]`."""
    found = Plot(
        title=entries.take("title", str),
        part=entries.choice("part", known.parts),
        metric=entries.choice("metric", METRICS, "LAS"),
        level=entries.choice("level", known.parts, None),
    )
    entries.end()
    return found


def heat_map_from(entries: Entries, known: Known) -> HeatMap:
    """A `[[heatmap]]`."""
    found = HeatMap(
        title=entries.take("title", str),
        part=entries.choice("part", known.parts),
        metric=entries.choice("metric", METRICS, "LAS"),
    )
    entries.end()
    return found


def claim_from(entries: Entries, known: Known) -> Claim:
    """A `[[claim]]`."""
    part = entries.choice("part", known.parts, next(iter(known.parts)))
    ratio: float | None = entries.take("ratio", float, None)
    found = Claim(
        text=entries.take("text", str),
        metric=entries.choice("metric", METRICS, "LAS"),
        better=_side(entries, "better", part, known),
        worse=_side(entries, "worse", part, known),
        or_equal=entries.take("or_equal", bool, False),
        at_least=entries.take("at_least", float, None),
        treebanks=entries.choices("treebanks", known.treebanks, None),
        part=part,
        choose=entries.choice("choose", known.parts, None),
        of_search=of_search_from(entries, known.searches),
        drop=entries.take("drop", float, None),
        untestable=entries.take("untestable", str, ""),
        margin=entries.take("margin", float, MARGIN),
        ratio=1.0 if ratio is None else ratio,
        why=entries.take("why", str, ""),
        shown_in=entries.take("shown_in", str, ""),
        guess=entries.take("guess", str, ""),
    )
    if bool(found.why) != bool(found.shown_in):
        raise entries.wrong(
            "why and shown_in go together", "name the table or plot that shows it, or call it a guess = …"
        )
    if found.ratio <= 0 or found.margin < 0:
        raise entries.wrong("a ratio is more than 0, a margin 0 or more", "write ratio = 0.9 or margin = 0.5")
    if found.metric in SCORES and ratio is not None:
        raise entries.wrong("a ratio is for costs", "write or_equal = true and margin = 0.5 for scores")
    if found.metric not in SCORES and found.or_equal and ratio is None:
        raise entries.wrong("nothing says how much worse a cost may be", "write ratio = 0.9, or another")
    compared = found.better and found.worse
    floored = (found.better or found.choose) and found.at_least is not None
    if found.drop is not None and (not found.better or len(found.treebanks or ()) != BOTH):
        raise entries.wrong("a drop goes from one treebank to another", "give better, and treebanks with two names")
    if not (found.untestable or found.of_search or found.drop is not None or compared or floored):
        raise entries.wrong("nothing says how to test it", "give better and worse, at_least, search, or untestable")
    if compared and found.metric in SCORES and not testable(found.metric, known.punctuation):
        counted = "all words" if known.punctuation else "words without punctuation"
        raise entries.wrong(
            f"no journal can test {found.metric}", f"take LAS or UAS of {counted}, as the recipe counts"
        )
    entries.end()
    return found


def _side(entries: Entries, name: str, part: str, known: Known) -> Side | None:
    if not entries.has(name):
        return None
    side = entries.table(name)
    found = Side(
        configuration=side.choice("configuration", known.configurations),
        at=side.take("at", object, None),  # type: ignore[arg-type]
        part=side.choice("part", known.parts, part),
    )
    side.end()
    return found
