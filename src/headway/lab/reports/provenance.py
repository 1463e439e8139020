"""What the numbers of a part are about: gold or predicted tags, words or raw text, peers that were trained before."""

from __future__ import annotations

from collections.abc import Iterator

from headway.lab.recipe import MeasureGrid
from headway.lab.results import Results
from headway.lab.tasks import tags_are_predicted

FROM_TEXT = (
    "From raw text, scored as the UD scorer does: F1, labels without subtypes. Sentences, words, tags and lemmas are"
    " predicted."
)


def provenance(part: MeasureGrid, results: Results) -> Iterator[str]:
    """A sentence each, where a part differs from what the page says of all."""
    options = {name: results.recipe.configurations[name].options for name in part.configurations}
    predicting = [name for name, some in options.items() if tags_are_predicted(some)]
    if part.text:
        yield FROM_TEXT
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
