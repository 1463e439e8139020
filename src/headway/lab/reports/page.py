"""The page of results from the journals alone, as Markdown and as HTML with plots: the same bytes each time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from headway.base.errors import counted
from headway.base.files import write_text
from headway.evaluation.definitions import DEFINITIONS
from headway.lab.canaries import described
from headway.lab.claims import CONFIRMED, OPEN, REFUTED, UNMEASURED, UNTESTABLE, VERDICTS, Verdict, verdict
from headway.lab.metrics import is_score, mean, metric_of
from headway.lab.plans import Claim, HeatMapPlan, PlotPlan
from headway.lab.recipe import MeasureGrid, Recipe
from headway.lab.reports.numbers import as_csv
from headway.lab.reports.search_tables import search_notes, search_tables
from headway.lab.reports.tables import deviation, table_of, timed
from headway.lab.results import Results, results
from headway.lab.tasks import tags_are_predicted
from headway.show.reports.charts import heat_map, lines
from headway.show.reports.figure import ACCURACY, ANY, Figure
from headway.show.reports.latex import latex
from headway.show.reports.page import NOTHING, Bold, Page, Section, Table, html, markdown, p_text

TITLE = "Results"
OURS = "none: claims of headway's own"
TONES = {CONFIRMED: "yes", REFUTED: "no", OPEN: "unsure", UNTESTABLE: "none"}
WITH_CAUTION = ", with caution"
TONES |= dict.fromkeys([f"{name}{WITH_CAUTION}" for name in VERDICTS], "unsure")
"""How the verdicts look."""
YEAR = re.compile(r".*?\(\d{4}\)")
"""Authors and year of a paper."""
INTRODUCTION = """
Written by `headway experiment report`: every number on this page comes from the journal of a recipe. Each recipe is run
by `headway experiment run NAME`, as docs/experiments.md explains.

LAS and UAS are of all words, from gold tags, unless it says otherwise. Each recipe says whether its LAS compares labels
without their subtypes, as the UD scorer and `headway evaluate` on CoNLL-U do, or whole labels, as older recipes do: LAS
by one is not to be compared with LAS by the other. A dash stands for what is not measured.

Every claim of a paper is confirmed, refuted, open or not testable, and each of them could have come out otherwise.

A claim that one parser scores better is confirmed where it leads, in the mean over its treebanks and over all their
words, with p < 0.05 by approximate randomisation over the sentences of all of them together (the words wrong with
several seeds are added up first); refuted where the other one leads so; open where the difference may be chance, the
treebanks disagree, or something is not measured yet. A claim that one does not lose is confirmed where the 95 %
interval of the difference over all words lies above the margin (0.5 points below 0 unless it says otherwise), refuted
where it loses with p < 0.05 by more than the margin, and else open: that no difference was found is not enough.

A claim about costs is decided by ratios. On each treebank the logarithm of the ratio has a 95 % interval by Student's
t, its variance estimated from all repeats of both sides on all treebanks. A repeat is a training with another seed; for
the speed of parsing with one seed, another run in the same process. The claim is confirmed where the interval lies
above the ratio that is claimed (1 unless it says otherwise) on every treebank, refuted where it lies below it on every
treebank, and else open; without repeats it is open. A floor is confirmed where it is reached on every treebank, else
refuted; so is a ceiling. A difference in AUC, the mean over treebanks, is tested by a normal approximation whose
variance is that of what each sentence moves of it.

No p-value is corrected for the number of claims: of a hundred that hold nothing, a few have p < 0.05 by chance.

An explanation of what is not confirmed names the table or plot that shows it, or is called a guess.

Each recipe names the versions of headway that made its results, and the commit and machine of their times. This page is
made of journals alone and does not know today's code: `headway experiment status --stale` says which results would come
out differently today, by what their options give on a small treebank, and `headway experiment run NAME --stale`
measures them again.
"""


def write_page(recipes: Sequence[Recipe], output: str | os.PathLike[str], target: Path) -> list[Path]:
    """Write the page, and beside it the same as HTML; its tables alone as `.tex`, or all numbers as `.csv`.

    Returns the files.
    """
    if target.suffix == ".csv":
        texts = {target: as_csv(results(recipe, Path(output)) for recipe in recipes)}
    else:
        page = results_page(recipes, output)
        both = {target: markdown(page), target.with_suffix(".html"): html(page)}
        texts = {target: latex(page)} if target.suffix == ".tex" else both
    for path, text in texts.items():
        write_text(path, text)
    return [*texts]


def results_page(recipes: Sequence[Recipe], output: str | os.PathLike[str]) -> Page:
    """What the journals in a folder tell of recipes."""
    found = [results(recipe, Path(output)) for recipe in recipes]
    verdicts = [[verdict(claim, one) for claim in one.recipe.claims] for one in found]
    sections = [_summary(found, verdicts)] if any(verdicts) else []
    sections += [_section(one, said) for one, said in zip(found, verdicts, strict=True)]
    return Page(TITLE, INTRODUCTION.strip().split("\n\n"), sections, TONES)


def _summary(found: Sequence[Results], verdicts: Sequence[Sequence[Verdict]]) -> Section:
    """All claims with what came of them."""
    rows = [
        (one.recipe.identity, claim.text, *_shown(claim, said))
        for one, several in zip(found, verdicts, strict=True)
        for claim, said in zip(one.recipe.claims, several, strict=True)
    ]
    table = Table("Every claim", ("recipe", "claim", "verdict", "p"), rows, names=3)
    every = [said for several in verdicts for said in several]
    counts = ", ".join(f"{count} {name}" for count, name in zip(_counts(every), VERDICTS, strict=True))
    waiting = sum(said.verdict == OPEN and UNMEASURED in said.shown for said in every)
    more = f" Of the open ones {waiting} are not measured yet, or not everywhere." if waiting else ""
    careful = sum(bool(claim.caution) for one in found for claim in one.recipe.claims)
    verb = "is" if careful == 1 else "are"
    more += f" Of all claims {careful} {verb} to be read with the caution that stands beside them." if careful else ""
    summary = f"{counted(len(every), 'claim')}: {counts}.{more}"
    return Section("Claims", [summary], tables=[_by_paper(found, verdicts), table])


def _shown(claim: Claim, said: Verdict) -> tuple[Bold, str]:
    """The verdict and its p-value."""
    p = NOTHING if said.p is None else p_text(said.p, 4)
    return Bold(f"{said.verdict}{WITH_CAUTION if claim.caution else ''}"), p


def _counts(verdicts: Sequence[Verdict]) -> list[int]:
    """How many there are of each verdict."""
    return [sum(said.verdict == name for said in verdicts) for name in VERDICTS]


def _by_paper(found: Sequence[Results], verdicts: Sequence[Sequence[Verdict]]) -> Table:
    """How many claims of each paper came out how."""
    papers: dict[str, list[Verdict]] = {}
    for one, several in zip(found, verdicts, strict=True):
        named = YEAR.match(one.recipe.paper)
        papers.setdefault(named[0] if named else one.recipe.paper or OURS, []).extend(several)
    rows = [(name, *map(str, _counts(said))) for name, said in sorted(papers.items()) if said]
    return Table("By paper", ("paper", *VERDICTS), rows)


def _section(found: Results, verdicts: Sequence[Verdict]) -> Section:
    recipe = found.recipe
    title = f"{recipe.identity}: {recipe.title}"
    caution = recipe.caution and f"Caution: {recipe.caution}"
    notes = [*(text for text in (recipe.paper and f"{recipe.paper}.", recipe.about, caution) if text)]
    notes += search_notes(found)
    if not found.cells and not found.searches:
        reasons = sorted({f"Not measured: {why}." for why in found.failures.values()})
        return Section(title, [*notes, *(reasons or ["Not run yet."])])
    labels = "whole labels, with subtypes" if DEFINITIONS[recipe.definition].subtypes else "labels without subtypes"
    makers = " and ".join(sorted({described(record) for record in found.done}))
    notes.append(f"LAS: {labels} (definition `{recipe.definition}`).")
    notes.append(f"Made by {makers}; results: {len(found.done)}.")
    differs = [(one.what, one.paper, one.ours) for one in recipe.differs]
    tables = [Table("What differs from the paper", ("what", "paper", "ours"), differs, names=3)]
    tables += search_tables(found)
    said: set[str] = set()
    for declared in recipe.tables:  # The first of a part says which configurations coincide.
        shown, part = table_of(declared, found), recipe.parts[declared.part]
        same = () if part.name in said else coinciding(part, found)
        tables.append(shown._replace(notes=[*shown.notes, *provenance(part, found), *same]))
        said.add(part.name)
    figures = [figure for declared in recipe.plots for figure in figures_of(declared, found)]
    for wanted in recipe.heat_maps:
        if drawn := heat_map_of(wanted, found):
            figures.append(drawn[0])
            tables.append(drawn[1]._replace(notes=list(timed([wanted.metric], found))))
    if verdicts:
        rows = []
        for claim, one in zip(recipe.claims, verdicts, strict=True):
            word, p = _shown(claim, one)
            rows.append((claim.text, word, one.shown + (f". Caution: {claim.caution}" if claim.caution else ""), p))
        tables.append(Table("Claims", ("claim", "verdict", "ours", "p"), rows, names=3))
    failed: dict[str, list[str]] = {}
    for place, why in found.failures.items():
        failed.setdefault(why, []).append(f"{place.configuration} on {place.treebank}")
    notes += [f"Not measured: {', '.join(dict.fromkeys(several))}: {why}." for why, several in failed.items()]
    return Section(title, notes, figures, [one for one in tables if one.rows])


def provenance(part: MeasureGrid, results: Results) -> Iterator[str]:
    """A sentence each, where a part differs from what the page says of all."""
    options = {name: results.recipe.configurations[name].options for name in part.configurations}
    predicting = [name for name, some in options.items() if tags_are_predicted(some)]
    if part.text:
        scored = "From raw text, scored as the UD scorer does: F1, labels without subtypes."
        yield f"{scored} Sentences, words, tags and lemmas are predicted."
    elif predicting:
        others = [name for name in options if name not in predicting]
        yield f"Tags are predicted, for gold words: {'; '.join(predicting)}."
        if others:
            yield f"Tags are gold: {'; '.join(others)}."
    taken: dict[str, list[str]] = {}
    for place, cell in results.cells.items():
        if place.part == part.name and any(point.kept for point in cell):
            taken.setdefault(place.configuration, []).append(place.treebank)
    for name, treebanks in taken.items():
        where = ", ".join(dict.fromkeys(treebanks))
        yield f"{name} was not trained in this run but before, on the same files ({where}); its costs are of then."


def coinciding(part: MeasureGrid, results: Results) -> Iterator[str]:
    """A sentence for each group of configurations that parse every sentence alike: one parser under several names."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for treebank in part.treebanks:
        same: dict[tuple[str, ...], list[str]] = {}
        for name in part.configurations:
            cells = [results.cell(part.name, treebank, name, at) for at in results.axis(part)]
            digests = tuple((point.parsed or "") for cell in cells for point in cell or ())
            if all(cells) and all(digests):
                same.setdefault(digests, []).append(name)
        for names in same.values():
            if len(names) > 1:
                groups.setdefault(tuple(names), []).append(treebank)
    for group, treebanks in groups.items():
        where = "" if len(treebanks) == len(part.treebanks) else f" of {', '.join(treebanks)}"
        yield f"{' = '.join(group)}: they parse every sentence{where} alike."


def figures_of(wanted: PlotPlan, results: Results) -> Iterator[Figure]:
    """Lines along the axis of a part, a picture for each treebank."""
    part = results.recipe.parts[wanted.part]
    places = [at for at in results.axis(part) if isinstance(at, (int, float))]
    seeds = {name: len(results.recipe.configurations[name].seeds or part.seeds) for name in part.configurations}
    for treebank in part.treebanks:
        cells = {name: [results.cell(part.name, treebank, name, at) for at in places] for name in part.configurations}
        series = {name: [metric_of(wanted.metric).of(cell) for cell in along] for name, along in cells.items()}
        if wanted.level:  # What has no axis, as horizontal lines.
            for name in results.recipe.parts[wanted.level].configurations:
                level = results.value(wanted.metric, wanted.level, treebank, name)
                series[f"{name}, level"] = [level] * len(places)
        series = {name: values for name, values in series.items() if any(value is not None for value in values)}
        if series:
            accuracy, most = is_score(wanted.metric), max(seeds.values())
            title = f"{wanted.title}, {treebank}" if len(part.treebanks) > 1 else wanted.title
            yield lines(
                places,
                series,
                title=title + (f" (bars: standard deviation over {most} seeds)" if most > 1 else ""),
                unit=" %" if accuracy else "",
                digits=metric_of(wanted.metric).digits,
                x_title=str(part.axis),
                spread={
                    name: [deviation([results.of_seeds(wanted.metric, part.name, treebank, name, at)]) for at in places]
                    for name in part.configurations
                },
                scale=ACCURACY if accuracy else ANY,
                zero=not accuracy,
            )


def heat_map_of(wanted: HeatMapPlan, results: Results) -> tuple[Figure, Table] | None:
    """Decoders × learners as a picture and as a table: means over all treebanks; None where nothing is measured."""
    part = results.recipe.parts[wanted.part]
    found = [results.recipe.configurations[name] for name in part.configurations]
    names = {(one.decoder, one.learner): one.name for one in found if one.decoder}
    decoders, learners = (list(dict.fromkeys(pair[at] for pair in names)) for at in (0, 1))
    means = {
        pair: mean([results.value(wanted.metric, part.name, treebank, name) for treebank in part.treebanks])
        for pair, name in names.items()
    }
    values = [[means.get((decoder, learner)) for learner in learners] for decoder in decoders]
    if all(value is None for row in values for value in row):
        return None
    title = f"{wanted.title}, mean of {len(part.treebanks)} treebanks" if len(part.treebanks) > 1 else wanted.title
    metric = metric_of(wanted.metric)
    scale = ACCURACY if is_score(wanted.metric) else ANY
    figure = heat_map(decoders, learners, values, title=title, digits=metric.digits, scale=scale)
    rows = [(name, *map(metric.text, row)) for name, row in zip(decoders, values, strict=True)]
    return figure, Table(title, ("decoder", *learners), rows)
