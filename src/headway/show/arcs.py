"""What all pictures of a tree share: its arcs, their levels, and where the words go."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from headway.base.errors import HeadwayError, counted, shown
from headway.data.sentence import Sentence, assure_sentence
from headway.data.trees import nonprojective_arcs

UNSAFE = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff")
"""Characters that turn the order of what follows them, and two that XML has no place for."""
LONGEST = 1000
"""Words of the longest sentence whose arcs are drawn; the work grows with the square of their number."""
ONE_BY_ONE = "draw one sentence at a time; show.html draws many on a page"
"""What to do with several sentences."""
WRONG = "✗"
"""Marks words and labels that differ from those of another tree."""


class Arc(NamedTuple):
    """An arc to a word from its head, 0 for the root."""

    head: int
    dependent: int
    label: str
    crossing: bool = False
    """Some word between the two is not dominated by the head: the arc is not projective."""
    differs: bool = False
    """The tree that this one is compared with has another head or label for the word."""

    @property
    def caption(self) -> str:
        """The label, marked where it or the head differs."""
        return f"{WRONG} {self.label}" if self.differs else self.label


class Arch(NamedTuple):
    """An arc over words in a row: the places of its ends, both the same for a root, and its level from 1."""

    arc: Arc
    head: int
    dependent: int
    level: int

    @property
    def left(self) -> int:
        return min(self.head, self.dependent)

    @property
    def right(self) -> int:
        return max(self.head, self.dependent)


class WordRow(NamedTuple):
    """Words side by side: the place of each word, from 0 at the left, and three measures of each place."""

    place: dict[int, int]
    middle: list[float]
    half: list[float]
    """How far the word reaches to each side of its middle."""
    reach: list[float]
    """How far from the middle the arcs to its dependents begin; the arc from its head ends in the middle."""

    def ends(self, arch: Arch) -> tuple[float, float]:
        """Where an arch begins at its head and ends at its dependent."""
        side = (arch.dependent > arch.head) - (arch.dependent < arch.head)
        return self.middle[arch.head] + side * self.reach[arch.head], self.middle[arch.dependent]

    def edges(self, first: int, last: int) -> tuple[float, float]:
        """The left and the right end of two words with all between them."""
        left, right = sorted((self.place[first], self.place[last]))
        return self.middle[left] - self.half[left], self.middle[right] + self.half[right]


def arcs(sentence: Sentence) -> list[Arc]:
    """The arcs of a sentence, one for each word in order; an error where it has no heads."""
    heads = sentence.heads
    rows = zip(heads.tolist(), sentence.deprels, nonprojective_arcs(heads).tolist(), strict=True)
    return [Arc(head, word, legible(label), crossing) for word, (head, label, crossing) in enumerate(rows, 1)]


def trees(sentence: Sentence, other: Sentence | None = None) -> tuple[list[Arc], list[Arc]]:
    """The arcs of one tree, or of two over the same words, those marked that differ in head or label.

    The second list is empty without another tree; both are empty if a single sentence has no heads.
    """
    assure_sentence(sentence, ONE_BY_ONE)
    if other is None:
        return (arcs(sentence) if sentence.is_parsed else []), []
    assure_sentence(other, ONE_BY_ONE)
    same_words(sentence, other)
    first, second = arcs(sentence), arcs(other)
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        if (a.head, a.label) != (b.head, b.label):
            first[at], second[at] = a._replace(differs=True), b._replace(differs=True)
    return first, second


def same_words(sentence: Sentence, other: Sentence) -> None:
    """Raise where two sentences do not have the same words."""
    places = f"{sentence.place} and {other.place}"
    remedy = "compare two parses of the same sentences in the same order"
    for number, (first, second) in enumerate(zip(sentence.forms, other.forms, strict=False), 1):
        if first != second:
            what = f"word {number} is {shown(first)} in one, {shown(second)} in the other"
            raise HeadwayError(f"{places}: {what}; {remedy}")
    if len(sentence) != len(other):
        raise HeadwayError(f"{places}: {counted(len(sentence), 'word')} in one, {len(other)} in the other; {remedy}")


def tags(sentence: Sentence) -> list[str]:
    """The part-of-speech tags to show: the universal ones where there are any, and nothing for `_`."""
    chosen = sentence.upos if any(tag != "_" for tag in sentence.upos) else sentence.xpos
    return ["" if tag == "_" else legible(tag) for tag in chosen]


def notes(sentence: Sentence, first: Sequence[Arc], second: Sequence[Arc], where: str) -> list[str]:
    """What to say under the picture: that there is no tree, empty nodes, and how many words differ."""
    found = [] if first else ["no tree: these words have no heads"]
    for node in sentence.empty_nodes:
        cells = [legible(cell) for cell in (node.form, node.upos, node.deps) if cell != "_"]
        found.append(" ".join([f"empty node {node.after}.{node.number}", *cells]))
    if second:
        wrong = sum(arc.differs for arc in second)
        differ = f"{wrong} of {counted(len(second), 'word')} differ in head or label"
        found.append(f"{WRONG} {differ}, the second tree is {where}" if wrong else "the two trees are the same")
    return found


def legible(text: str) -> str:
    """The text with a replacement character for whatever a terminal would act upon or XML refuse."""
    if text.isprintable():
        return text
    refused = ("Cc", "Cs", "Zl", "Zp")
    return "".join("\ufffd" if c in UNSAFE or unicodedata.category(c) in refused else c for c in text)


def is_right_to_left(text: str) -> bool:
    """Whether some character is written from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def places(words: Sequence[str]) -> dict[int, int]:
    """Where each word stands in a row, from 0 at the left; from the right where most words are written so."""
    backwards = sum(map(is_right_to_left, words)) > len(words) / 2
    return {number: len(words) - number if backwards else number - 1 for number in range(1, len(words) + 1)}


def arches(arcs: Sequence[Arc], place: Mapping[int, int]) -> list[Arch]:
    """The arcs between words on their levels, then those from the root on a level above all."""
    between = [arc for arc in arcs if arc.head]
    ends = [(place[arc.head], place[arc.dependent]) for arc in between]
    levels = stack([(min(pair), max(pair)) for pair in ends])
    top = max(levels, default=0) + 1
    return [
        *(Arch(arc, *pair, level) for arc, pair, level in zip(between, ends, levels, strict=True)),
        *(Arch(arc, place[arc.dependent], place[arc.dependent], top) for arc in arcs if not arc.head),
    ]


def stack(spans: Sequence[tuple[int, int]]) -> list[int]:
    """A level from 1 for each span, so that a span is above all spans inside it and no two on a level overlap.

    Shorter spans come first, each on the lowest level left: what is inside a span has overlapped all that kept it
    from lower levels, and so does the span. Spans that only touch may share a level. O(n²) time.
    """
    levels: dict[int, int] = {}
    for at in sorted(range(len(spans)), key=lambda at: (spans[at][1] - spans[at][0], spans[at])):
        left, right = spans[at]
        taken = {level for i, level in levels.items() if spans[i][0] < right and left < spans[i][1]}
        levels[at] = next(level for level in count(1) if level not in taken)
    return [levels[at] for at in range(len(spans))]


def combs(arcs: Iterable[Arc]) -> dict[int, tuple[int, int, int]]:
    """For each word with dependents, the line that they all hang on: its level from 1, first and last word.

    A head's level is above those of its dependents: going outwards from a word one meets the line of its own
    dependents first and that of its head last. Lines that share a word have different levels; a projective
    tree has no more levels than its height. O(n²) time.
    """
    dependents: dict[int, list[int]] = {}
    for arc in arcs:
        dependents.setdefault(arc.head, []).append(arc.dependent)
    attached = {word for words in dependents.values() for word in words}
    downwards = [head for head in dependents if head not in attached]
    for head in downwards:  # it grows while it is gone through
        downwards += [word for word in dependents[head] if word in dependents]
    placed: dict[int, tuple[int, int, int]] = {}
    for head in (head for head in reversed(downwards) if head):
        words = dependents[head]
        first, last = min(head, *words), max(head, *words)
        taken = {level for level, left, right in placed.values() if left <= last and first <= right}
        lowest = 1 + max((placed[word][0] for word in words if word in placed), default=0)
        placed[head] = next(level for level in count(lowest) if level not in taken), first, last
    return placed


def middles(half: Sequence[float], gap: float, demands: Iterable[tuple[int, int, float]]) -> list[float]:
    """The middles of words in a row, as far left as can be.

    Word i reaches `half[i]` to each side of its middle, `gap` lies between neighbours, and each demand
    (left, right, distance) keeps the middles of two words at least that far apart.
    """
    wanted: dict[int, list[tuple[int, float]]] = {}
    for left, right, distance in demands:
        if left < right:
            wanted.setdefault(right, []).append((left, distance))
    row: list[float] = []
    for at, before in enumerate(half):
        least = row[-1] + half[at - 1] + gap + before if row else before
        row.append(max([least, *(row[left] + distance for left, distance in wanted.get(at, ()))]))
    return row
