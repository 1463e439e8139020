"""Trees of any parser under constraints: each that some tree has is obeyed, also where the parser's own cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from headway.base.errors import FormatError, HeadwayError, shown
from headway.data.batch import Batch
from headway.data.cells import given_head
from headway.kernels.graph.decoding import TreeDecoder
from headway.stages.constraints import Constraints, assure_constraints, best_under, masked, nearest, with_heads
from headway.stages.given_arcs import contradiction, lifted
from headway.stages.tree_stage import Parsed

Item = TypeVar("Item")
KINDS = "required", "span", "forbidden"


@runtime_checkable
class Constrained(Protocol):
    """A parser that can be told what its trees must be like; a capability beside the contract of stages."""

    @property
    def single_root(self) -> bool:
        """Whether its trees have one root."""

    def constrained(self, batch: Batch, index: int, constraints: Constraints) -> Parsed | None:
        """The tree of one sentence of a batch that obeys; None where none that it can build does."""


class Obeyed(NamedTuple):
    """A tree that obeys constraints, and whether arcs were lifted and put back for it."""

    tree: Parsed
    lifted: bool


def obeyed(stage: object, batch: Batch, index: int, constraints: Constraints) -> Obeyed:
    """The tree of one sentence that obeys constraints.

    Where the stage cannot build one, it parses with given arcs lifted, and if need be without the other constraints.
    The tree with most of the arcs found then, among all trees of any kind that obey, is the result.
    """
    if not isinstance(stage, Constrained):
        kind = getattr(stage, "kind", "stage")
        raise HeadwayError(f"a {kind} takes no constraints; our parsers do")
    first, last = map(int, batch.sentence_word[index : index + 2])
    source, line, size, single = batch.source, int(batch.numbers[index]), last - first, stage.single_root
    assure_constraints(constraints)
    constraints.assure_fits(size, f"{source}:{line}")
    if words := contradiction(constraints.required, single):
        required = {word: constraints.required[word] for word in words}
        raise FormatError(source, line, *_contradictory(Constraints(required=required), size, single))
    found = stage.constrained(batch, index, constraints)
    if found is not None:
        return Obeyed(found, lifted=False)
    if not _is_possible(constraints, size, single):
        raise FormatError(source, line, *_contradictory(_least(constraints, size, single), size, single))
    heads, closing = lifted(constraints.required, single)
    labelled = Constraints(labels=constraints.labels)
    under_all = replace(constraints, required=heads, forbidden=[*constraints.forbidden, *closing])
    for less in (under_all, replace(labelled, required=heads), labelled):
        found = stage.constrained(batch, index, less) if found is None else found
    assert found is not None
    tree = nearest(found.heads, constraints, False, single)
    assert tree is not None
    return Obeyed(with_heads(found, tree), lifted=True)


def _is_possible(constraints: Constraints, words: int, single: bool) -> bool:
    """Whether any tree obeys."""
    decode = masked(TreeDecoder("chu-liu-edmonds"), np.zeros((words + 1,) * 2), None, single)
    return best_under(constraints, words, decode) is not None


def _least(constraints: Constraints, words: int, single: bool) -> Constraints:
    """Constraints that no tree obeys, of which none can be spared."""
    items: list[tuple[str, tuple[int, int]]] = [
        *(("required", item) for item in constraints.required.items()),
        *(("span", item) for item in constraints.spans),
        *(("forbidden", item) for item in constraints.forbidden),
    ]

    def made(some: Sequence[tuple[str, tuple[int, int]]]) -> Constraints:
        required, spans, forbidden = ([item for name, item in some if name == kind] for kind in KINDS)
        return Constraints(required=dict(required), spans=spans, forbidden=forbidden)

    return made(_irreducible(items, lambda some: not _is_possible(made(some), words, single)))


def _irreducible(items: Sequence[Item], fail: Callable[[Sequence[Item]], bool]) -> list[Item]:
    """Items that fail together and no longer where one is left out, from some that fail.

    Each is the one with which the first items, beside those chosen, begin to fail. O(found · log items) questions.
    """
    kept: list[Item] = []
    rest = list(items)
    while rest and not fail(kept):
        low, high = 1, len(rest)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if fail([*kept, *rest[:middle]]) else (middle + 1, high)
        kept.append(rest[low - 1])
        del rest[low - 1 :]
    return kept


def _contradictory(least: Constraints, size: int, single: bool) -> tuple[str, str]:
    """What is wrong with constraints of which none can be spared, and what to do."""
    words = [f"{word}→{head}" for word, head in least.required.items()]
    others = [f"no {word}→{head}" for head, word in least.forbidden]
    others += [f"the span {first}-{last}" for first, last in least.spans]
    *several, last = [*words, *others]
    listed = f"{', '.join(several)} and {last}" if several else last
    why = ", as trees of this parser have one root" if single and _is_possible(least, size, False) else ""
    what = f"{'words ' if words else ''}{listed} contradict{'' if several else 's'} each other{why}"
    return what if several else f"{listed} leaves no tree{why}", "drop one of them" if several else "drop it"


def given_in(batch: Batch, index: int) -> Constraints:
    """The heads and labels that the cells of a sentence have, `_` apart."""
    first, last = map(int, batch.sentence_word[index : index + 2])
    bare = batch.bare
    required: dict[int, int] = {}
    labels: dict[int, str] = {}
    cells = zip(bare.column("HEAD", first, last), bare.column("DEPREL", first, last), strict=True)
    for word, (cell, label) in enumerate(cells, 1):
        line = int(batch.numbers[index]) + int(batch.word_line[first + word - 1] - batch.sentence_line[index])
        if cell not in ("_", ""):
            if not 0 <= (head := given_head(cell)) <= last - first or head == word:
                what = f"head {shown(cell)} of word {word} is not another word of the sentence"
                raise FormatError(
                    batch.source, line, what, "give its number, 0 for the root, or _ to have it filled in"
                )
            required[word] = head
        if label not in ("_", ""):
            labels[word] = label
    return Constraints(required=required, labels=labels)


class ManyObeyed(NamedTuple):
    """The trees of a batch; those of some sentences needed arcs to be lifted, others have none for some reason."""

    trees: Parsed
    lifted: list[int]
    faults: dict[int, HeadwayError]


def all_obeyed(stage: object, batch: Batch, wanted: Sequence[Constraints] | None, *, skip: bool = False) -> ManyObeyed:
    """The trees of all sentences of a batch, each under its constraints; None are the heads and labels of its cells.

    With `skip`, a sentence that no tree obeys is a fault and gets no tree; without, it is an error.
    """
    names: dict[str, int] = {"_": 0}
    heads, labels = np.full(len(batch.word_line), -1, np.int32), np.zeros(len(batch.word_line), np.int32)
    crossed, faults = [], {}
    for index in range(len(batch)):
        try:
            constraints = given_in(batch, index) if wanted is None else wanted[index]
            found, was_lifted = obeyed(stage, batch, index, constraints)
        except HeadwayError as error:
            if not skip:
                raise
            faults[index] = error
            continue
        own = [found.names[label] for label in found.labels]
        for word, name in constraints.labels.items():
            own[word - 1] = name
        span = slice(*batch.sentence_word[index : index + 2].tolist())
        heads[span], labels[span] = found.heads, [names.setdefault(name, len(names)) for name in own]
        crossed += [index] * was_lifted
    return ManyObeyed(Parsed(heads, labels, list(names)), crossed, faults)
