"""Features in the words of a sentence: `FORM(STACK0)=saw & XPOS(QUEUE0)=IN`.

Models hold hashes, no words. The words are those of the sentence that is explained, so that no vocabulary is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from headway.data.batch import Batch, Ints
from headway.features.arcs import DISTANCE, EACH, OFFSETS, SIDE
from headway.features.compile import KeyColumn, Keys, column_of
from headway.features.language import Address, Feature, Term
from headway.kernels.features.templates import ROOT_KEY, SLOTS
from headway.kernels.graph.labels import KIND_NUMBERS

NOTHING, ROOT = "–", "root"
"""What is said of a node that is not there, and of the root."""
LENGTHS = ("", "1", "2", "3", "4", "5", "6-10", "11 and more")
"""Distances are told apart by their class, as `length_class` in kernels/features/templates.pxd has it."""
NEAR = 10
PARENT_CHILD = (Address("PARENT", 0), Address("CHILD", 0))


class SentenceCells:
    """The cells of one sentence as features see them; node 0 is the root, -1 none."""

    def __init__(self, batch: Batch, index: int = 0) -> None:
        first, last = map(int, batch.sentence_word[index : index + 2])
        self.batch, self.first, self.size = batch, first, last - first
        self._columns: dict[str, list[str]] = {}

    def cell(self, field: str, word: int) -> str:
        """A cell as it stands in the sentence."""
        if field not in self._columns:
            self._columns[field] = self.batch.column(field, self.first, self.first + self.size)
        return self._columns[field][word - 1]

    def word(self, node: int) -> str:
        """The form of a node."""
        return ROOT if node == 0 else NOTHING if node < 0 else self.cell("FORM", node)

    def text(self, column: KeyColumn, node: int) -> str:
        """What a column of features takes from a node, as kernels/text/encode.pyx does."""
        if node <= 0:
            return ROOT if node == 0 else NOTHING
        cell = self.cell(column.field, node)
        if column.kind == "lower":
            return cell.lower()
        if column.kind == "prefix":
            return cell[: column.argument]
        if column.kind == "suffix":
            return cell[-column.argument :]
        if column.kind == "shape":
            return shape(cell)
        if column.kind == "feature":
            pairs = (single.partition("=") for single in cell.split("|"))
            return next((value for name, equals, value in pairs if equals and name == column.name), "_")
        return cell

    def single(self, node: int) -> list[str]:
        """The morphological features of a word one by one."""
        cell = self.cell("FEATS", node) if node > 0 else "_"
        return [] if cell in ("_", "") else [single for single in cell.split("|") if single]


def shape(form: str) -> str:
    """The shape of a word as kernels/text/encode.pyx has it: `Xxd` for case and digits, at most two in a row."""
    kinds = [_character_kind(character) for character in form]
    return "".join(kind for at, kind in enumerate(kinds) if at < 2 or kinds[at - 2 : at] != [kind, kind])


def _character_kind(character: str) -> str:
    if character.isupper() or character.istitle():
        return "X"
    if character.islower():
        return "x"
    return "d" if character.isdigit() else "c" if character.isalpha() else character


def length(start: int, end: int) -> str:
    """The class of a distance."""
    if start < 0 or end < 0:
        return NOTHING
    if start == 0 or end == 0:
        return ROOT
    gap = abs(start - end)
    return LENGTHS[gap if gap <= 5 else 6 if gap <= NEAR else 7]


def arc_text(cells: SentenceCells, head: int, word: int) -> str:
    """An arc in words: `saw (2) ← root (0)`."""
    return f"{cells.word(word)} ({word}) ← {cells.word(head)} ({head})"


class SeenNodes(NamedTuple):
    """What templates over addresses have found: a node for each address, its label so far, a value for each slot."""

    nodes: Ints
    labels: Ints
    values: Keys


class TemplateNames:
    """The names of features over addresses: those of configurations, and those of labels."""

    def __init__(
        self,
        features: Sequence[Feature],
        columns: Sequence[KeyColumn],
        arrays: Mapping[str, Ints],
        labels: Sequence[str],
    ) -> None:
        """`arrays` are `slot`, `start` and `member`, as `kernels/features/templates.pxd` describes them."""
        self.features, self.columns, self.labels = features, columns, labels
        self.slot = arrays["slot"].tolist()
        start, member = arrays["start"].tolist(), arrays["member"].tolist()
        self.members = [member[begin:end] for begin, end in pairwise(start)]
        self.terms = [[str(term) for term in feature.terms if term.attribute != "LABEL"] for feature in features]
        self.each = [next((s for s in some if self.slot[s][0] == SLOTS["FEAT"]), None) for some in self.members]
        self._last: tuple[SeenNodes, list[tuple[int, int]]] | None = None

    def name_of(self, cells: SentenceCells, seen: SeenNodes, at: int, label: str = "") -> str:
        """The feature with key number `at`, with its values; `label` is that of the arc, for features of labels."""
        # All features of a decision are mostly asked for one after the other.
        if self._last is None or self._last[0] is not seen:
            self._last = seen, list(self._origins(cells, seen))
        template, single = self._last[1][at]
        pairs = zip(self.terms[template], self.members[template], strict=True)
        parts = [f"{term}={self._value(cells, seen, slot, single)}" for term, slot in pairs]
        return " & ".join([*parts, *([f"LABEL(CHILD)={label}"] if label else [])])

    def _origins(self, cells: SentenceCells, seen: SeenNodes) -> Iterator[tuple[int, int]]:
        """For each key, in the order of the kernel: its template, and which single feature of a word it stands for."""
        for template, each in enumerate(self.each):
            if each is None:
                yield template, -1
            else:
                node = int(seen.nodes[self.slot[each][1]])
                yield from ((template, number) for number in range(len(cells.single(node))))

    def _value(self, cells: SentenceCells, seen: SeenNodes, slot: int, single: int) -> str:
        kind, address, argument = self.slot[slot]
        node = int(seen.nodes[address])
        if node < 0:
            return NOTHING
        if kind == SLOTS["column"]:
            return cells.text(self.columns[argument], node)
        if kind == SLOTS["DEP"]:
            return self.labels[seen.labels[address]] if seen.labels[address] >= 0 else NOTHING
        if kind == SLOTS["DISTANCE"]:
            return length(node, int(seen.nodes[argument]))
        if kind == SLOTS["FEAT"]:
            return cells.single(node)[single]
        if kind == SLOTS["SIDE"]:
            return "right" if node < int(seen.nodes[argument]) else "left"
        value = int(seen.values[slot])
        return ROOT if value == ROOT_KEY else str(value)


class AskedTerm(NamedTuple):
    """A term as text, how far from its place it looks, and into which column."""

    text: str
    offset: int
    column: KeyColumn | None


@cache
def _asked(term: Term) -> AskedTerm:
    """What a term asks of a word and its neighbours; kept, as the few terms of a model are asked for all the time."""
    offset = sum(OFFSETS.get(step, 0) for step in term.addresses[0].path)
    return AskedTerm(str(term), offset, column_of(term.attribute))


class ArcPlaces(NamedTuple):
    """The nodes of an arc's roles; a sibling that is not there is -1."""

    parent: int
    child: int
    sibling: int | None = None
    """None where the feature is of the arc alone."""
    between: int = -1
    of_parent: int = -1
    """Which single feature of the parent."""
    of_child: int = -1


def arc_name(core: Feature, kind: int, second: bool, places: ArcPlaces, cells: SentenceCells) -> str:
    """A feature of an arc or of siblings with its values; direction and length as its kind has them."""
    parts = [f"{_asked(term).text}={_arc_value(term, places, cells)}" for term in core.terms]
    start = places.parent if places.sibling is None else places.sibling
    if kind in (KIND_NUMBERS["side"], KIND_NUMBERS["both"], KIND_NUMBERS["directed"]):
        side = "right" if places.child > places.parent else "left"
        parts.append(f"{_asked(Term(SIDE, PARENT_CHILD)).text}={side}")
    if kind in (KIND_NUMBERS["distance"], KIND_NUMBERS["both"]) or (kind == KIND_NUMBERS["directed"] and second):
        first = Address("PARENT" if places.sibling is None else "SIBLING", 0)
        parts.append(f"{_asked(Term(DISTANCE, (first, PARENT_CHILD[1]))).text}={length(start, places.child)}")
    return " & ".join(parts) or "every arc"


def _arc_value(term: Term, places: ArcPlaces, cells: SentenceCells) -> str:
    """A value of a node, or of a neighbour of it in the sentence."""
    address = term.addresses[0]
    sibling = -1 if places.sibling is None else places.sibling
    nodes = {"PARENT": places.parent, "CHILD": places.child, "SIBLING": sibling, "BETWEEN": places.between}
    node = nodes[address.place]
    if term.attribute == EACH:
        return cells.single(node)[places.of_parent if address.place == "PARENT" else places.of_child]
    _, offset, column = _asked(term)  # the root has no neighbours
    place = node + offset if node > 0 else node if not offset else -1
    assert column is not None
    return cells.text(column, place if place <= cells.size and (place > 0 or not offset) else -1)


def pair_name(feature: Feature, first: int, second: int, between: int, cells: SentenceCells) -> str:
    """A feature of two words, of which node `first` stands before node `second`, with its values."""
    parts = []
    for term in feature.terms:
        if term.attribute == DISTANCE:
            value = length(first, second)
        else:
            place = term.addresses[0].place
            node = {"FIRST": first, "SECOND": second, "BETWEEN": between}[place]
            _, offset, column = _asked(term)
            assert column is not None
            value = cells.text(column, node + offset if 0 <= node + offset <= cells.size else -1)
        parts.append(f"{_asked(term).text}={value}")
    return " & ".join(parts)
