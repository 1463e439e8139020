"""Features in the words of a sentence: `FORM(STACK0)=saw & XPOS(QUEUE0)=IN`.

Models hold hashes, no words. The words are those of the sentence that is explained, so that no vocabulary is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from headway.data.batch import Batch, Ints
from headway.features.encode import KeyColumn, Keys
from headway.features.language import Address, Feature
from headway.features.looks import FeatureName, Look, TermValue, anchors_of, attribute_of
from headway.features.own_columns import MY, own_cells
from headway.kernels.features.templates import ROOT_KEY, SLOTS, TAKE_STEP

NOTHING, ROOT = "–", "root"
"""What is said of a node that is not there, and of the root."""
LENGTHS = ("", "1", "2", "3", "4", "5", "6-10", "11 and more")
"""Distances are told apart by their class, as `length_class` in kernels/features/templates.pxd has it."""
NEAR = 10
ENDS = {"STACK": "end of the stack", "QUEUE": "end of the queue"}
"""What is told of places where no word is."""


class SentenceCells:
    """The cells of one sentence as features see them; node 0 is the root, -1 none."""

    def __init__(self, batch: Batch, index: int = 0) -> None:
        first, last = map(int, batch.sentence_word[index : index + 2])
        self.batch, self.index, self.first, self.size = batch, index, first, last - first
        self._columns: dict[str, list[str]] = {}

    def cell(self, field: str, word: int) -> str:
        """A cell as it stands in the sentence."""
        if field not in self._columns:
            own = field.startswith(MY)
            self._columns[field] = (
                own_cells(field, self.batch, self.index, self.index + 1)
                if own
                else self.batch.column(field, self.first, self.first + self.size)
            )
        return self._columns[field][word - 1]

    def word(self, node: int) -> str:
        """The form of a node."""
        return ROOT if node == 0 else NOTHING if node < 0 else self.cell("FORM", node)

    @cached_property
    def _forms(self) -> list[str]:
        """The words as a reader finds them, with their number where the sentence has them twice."""
        forms = [self.cell("FORM", node) for node in range(1, self.size + 1)]
        often = {form for form, count in Counter(forms).items() if count > 1}
        return [ROOT, *(f"{form} ({at})" if form in often else form for at, form in enumerate(forms, 1))]

    def shown(self, node: int) -> str:
        """A node as a reader finds it."""
        return NOTHING if node < 0 else self._forms[node]

    @cached_property
    def _tags(self) -> str:
        """The column with the tags of this sentence."""
        return "UPOS" if any(self.cell("UPOS", node) != "_" for node in range(1, self.size + 1)) else "XPOS"

    def tag(self, node: int) -> str:
        """The tag of a node, the coarse one where there are such."""
        return self.cell(self._tags, node) if node > 0 else self.word(node)

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


def look_at(cells: SentenceCells, anchors: Sequence[Address], nodes: Sequence[int], attribute: str) -> Look:
    """What is told of a feature that looks at some nodes: their words, or that one of them is not there."""
    there = sorted(node for node in nodes if node >= 0)
    missing = next((anchor.place for anchor, node in zip(anchors, nodes, strict=True) if node < 0), None)
    told = attribute if missing is None else ENDS.get(missing, f"no {missing.lower()}")
    return Look(tuple(map(cells.shown, there)), told, tuple(map(str, anchors)))


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
        """`arrays` are `address`, `slot`, `start` and `member` of `kernels/features/templates.pxd`."""
        self.features, self.columns, self.labels = features, columns, labels
        self.slot = arrays["slot"].tolist()
        start, member = arrays["start"].tolist(), arrays["member"].tolist()
        self.members = [member[begin:end] for begin, end in pairwise(start)]
        self.terms = [[str(term) for term in feature.terms if term.attribute != "LABEL"] for feature in features]
        self.each = [next((s for s in some if self.slot[s][0] == SLOTS["FEAT"]), None) for some in self.members]
        address = arrays["address"].tolist()
        self.base: dict[Address, int] = {}
        for feature, members in zip(features, self.members, strict=True):
            terms = (term for term in feature.terms if term.attribute != "LABEL")
            for term, slot in zip(terms, members, strict=True):
                kind, number, second = self.slot[slot]
                numbers = (number, second) if kind in (SLOTS["DISTANCE"], SLOTS["SIDE"]) else (number,)
                for one, node in zip(term.addresses, numbers, strict=False):
                    while address[node][0] == TAKE_STEP:
                        node = address[node][2]
                    self.base[Address(one.place, one.index)] = node
        own = [[term for term in feature.terms if term.attribute != "LABEL"] for feature in features]
        # Templates with the same look share its number; few looks stand for many templates.
        known: dict[tuple[tuple[Address, ...], str], int] = {}
        looks = ((anchors_of(terms), attribute_of(terms)) for terms in own)
        self.look_numbers = [known.setdefault(look, len(known)) for look in looks]
        self.looks = [*known]
        self._last: tuple[SeenNodes, list[tuple[int, int]], dict[int, Look]] | None = None

    def _of(self, cells: SentenceCells, seen: SeenNodes) -> tuple[list[tuple[int, int]], dict[int, Look]]:
        """Templates and single features by key number, and looks by number: kept for one decision."""
        # All features of a decision are mostly asked for one after the other.
        if self._last is None or self._last[0] is not seen:
            self._last = seen, list(self._origins(cells, seen)), {}
        return self._last[1:]

    def name_of(self, cells: SentenceCells, seen: SeenNodes, at: int, label: str = "") -> FeatureName:
        """The feature with key number `at`, with its values; `label` is that of the arc, for features of labels."""
        template, single = self._of(cells, seen)[0][at]
        pairs = zip(self.terms[template], self.members[template], strict=True)
        parts = [TermValue(term, self._value(cells, seen, slot, single)) for term, slot in pairs]
        return FeatureName([*parts, *([TermValue("LABEL(CHILD)", label)] if label else [])])

    def look_of(self, cells: SentenceCells, seen: SeenNodes, at: int) -> Look:
        """What the feature with key number `at` looks at."""
        origins, looks = self._of(cells, seen)
        number = self.look_numbers[origins[at][0]]
        if number not in looks:
            anchors, attribute = self.looks[number]
            looks[number] = look_at(cells, anchors, [int(seen.nodes[self.base[one]]) for one in anchors], attribute)
        return looks[number]

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
