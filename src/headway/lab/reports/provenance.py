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
