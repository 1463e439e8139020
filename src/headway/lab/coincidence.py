"""Configurations that parse every sentence alike: one parser under several names."""

from __future__ import annotations

from collections.abc import Iterator

from headway.lab.recipe import MeasureGrid
from headway.lab.results import Cell, Results


def alike(one: Cell, other: Cell) -> bool:
    """Whether two cells hold the same parses; where a journal does not tell, they do not."""
    digests = [[point.parsed for point in cell] for cell in (one, other)]
    return digests[0] == digests[1] and None not in digests[0]


def coinciding(part: MeasureGrid, results: Results) -> Iterator[str]:
    """A sentence for each group of configurations of a part that coincide, all along its axis."""
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
