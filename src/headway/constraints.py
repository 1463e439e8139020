"""What a tree must have and must not have: arcs, labels, spans that are subtrees; and the best tree that obeys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from numbers import Integral
from typing import Protocol, runtime_checkable
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Ints
from headway.cells import given_head
from headway.errors import FormatError, HeadwayError, shown
from headway.kernels.graph.decoding import TreeDecoder
from headway.tree_stage import Parsed, restored

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
MOST_TRIES = 10_000
"""How many ways to choose the top words of spans are tried at most."""


@dataclass(frozen=True, kw_only=True)
class Constraints:
    """What the tree of a sentence must be like; words are counted from 1, and 0 is the root.

    >>> Constraints(required={2: 0, 3: 2}, forbidden=[(2, 1)], spans=[(3, 4)])
    Constraints(required={2: 0, 3: 2}, labels={}, forbidden=[(2, 1)], spans=[(3, 4)])
    """

    required: Mapping[int, int] = field(default_factory=dict)
    """For some words, their heads."""
    labels: Mapping[int, str] = field(default_factory=dict)
    """For some words, their labels."""
    forbidden: Collection[tuple[int, int]] = ()
    """Arcs, as pairs of a head and a word, that must not be."""
    spans: Collection[tuple[int, int]] = ()
    """First and last word of spans, each of which must be all that lies below one of its words."""

    def __bool__(self) -> bool:
        """Whether there is any constraint."""
        return bool(self.required or self.labels or self.forbidden or self.spans)

    def assure_fits(self, words: int, place: str) -> None:
        """Refuse numbers that are no words of the sentence, and labels that no file can hold."""
        for pair in [*self.required.items(), *self.forbidden, *self.spans]:
            if not is_pair(pair):
                raise HeadwayError(f"{place}: {pair!r} in constraints is no pair of words; give their whole numbers")
        for word, label in self.labels.items():
            if not is_label(label):
                raise HeadwayError(
                    f"{place}: the label of word {word} is {label!r}; give a string other than '_', without blanks, "
                    "tabs and control characters"
                )
        inside = range(1, words + 1)
        arcs = [(head, word) for word, head in self.required.items()] + list(self.forbidden)
        for head, word in arcs:
            if word not in inside or (head and head not in inside) or head == word:
                raise HeadwayError(f"{place}: there is no arc from {head} to {word} in a sentence of {words} words")
        for first, last in self.spans:
            if not 1 <= first <= last <= words:
                raise HeadwayError(f"{place}: the span {first}-{last} is none of a sentence of {words} words")
        for word in self.labels:
            if word not in inside:
                raise HeadwayError(f"{place}: word {word} cannot get a label; the sentence has {words} words")

    def masks(self, words: int) -> Iterator[Mask]:
        """The arcs [head, word] that may be, once for each choice of the top words of spans."""
        allowed = np.ones((words + 1, words + 1), bool)
        np.fill_diagonal(allowed, False)
        allowed[:, 0] = False
        for head, word in self.forbidden:
            allowed[head, word] = False
        for word, head in self.required.items():
            others = np.arange(words + 1) != head
            allowed[others, word] = False
        for first, last in self.spans:
            outside = np.r_[1:first, last + 1 : words + 1]
            allowed[first : last + 1, outside] = False
        sizes = [last - first + 1 for first, last in self.spans]
        if prod(sizes) > MOST_TRIES:
            raise HeadwayError(
                f"the spans leave {prod(sizes):,} choices of their top words; give fewer or shorter spans"
            )
        for tops in product(*(range(first, last + 1) for first, last in self.spans)):
            mask = allowed.copy()
            for (first, last), top in zip(self.spans, tops, strict=True):
                inside = np.arange(first, last + 1)
                outer = np.r_[0:first, last + 1 : words + 1]
                mask[np.ix_(outer, inside[inside != top])] = False
                mask[inside, top] = False
            yield mask

    def hold(self, heads: Sequence[int]) -> bool:
        """Whether a tree obeys; labels are not looked at."""
        arcs = set(zip(heads, range(1, len(heads) + 1), strict=True))
        if any(heads[word - 1] != head for word, head in self.required.items()) or arcs & set(self.forbidden):
            return False
        for first, last in self.spans:
            inside = range(first, last + 1)
            leaving = [word for word in inside if heads[word - 1] not in inside]
            entering = [word for head, word in arcs if head in inside and word not in inside]
            if len(leaving) != 1 or entering:
                return False
        return True

    def conflict(self, projective: bool, single_root: bool) -> str:
        """Why the required arcs cannot be in one tree, in words; nothing where that is not to be seen."""
        for word in self.required:
            seen, at = [word], self.required[word]
            while at in self.required and at not in seen:
                seen.append(at)
                at = self.required[at]
            if at == word:
                return f"the heads of words {', '.join(map(str, sorted(seen)))} make a cycle"
        roots = [word for word, head in self.required.items() if head == 0]
        if single_root and len(roots) > 1:
            return f"words {', '.join(map(str, roots))} all hang on the root, and the parser builds trees of one root"
        if projective:
            arcs = [(*sorted((head, word)), head, word) for word, head in self.required.items()]
            for (a, b, head, word), (c, d, other_head, other) in combinations(sorted(arcs), 2):
                if a < c < b < d:
                    return (
                        f"the arcs from {head} to {word} and from {other_head} to {other} cross, and the parser builds"
                        " projective trees"
                    )
        return ""


def is_pair(pair: object) -> bool:
    """Whether these are two whole numbers."""
    return (
        isinstance(pair, tuple | list)
        and len(pair) == 2
        and all(isinstance(one, Integral) and not isinstance(one, bool) for one in pair)
    )


def is_label(label: object) -> bool:
    """Whether a label is one word of characters that a file may hold, and not the sign for none."""
    if not isinstance(label, str) or label.split() != [label] or label == "_":
        return False
    return not any(category(character) in ("Cc", "Cs") for character in label)


Decode = Callable[[Mask], tuple[float, Ints] | None]
"""The best tree of allowed arcs with its score; None where there is none."""


def best_under(
    constraints: Constraints, words: int, decode: Decode, projective: bool, single: bool, place: str
) -> Ints:
    """The heads of the best tree that obeys, by a decoder that is exact under a mask of arcs.

    The top words of spans are tried one by one, so that it is the best of all. O(product of the spans' lengths) calls.
    """
    constraints.assure_fits(words, place)
    best, heads = -np.inf, None
    for mask in constraints.masks(words):
        found = decode(mask)
        if found is not None and (heads is None or found[0] > best):
            best, heads = found
    if heads is None:
        kind = f"{'projective ' if projective else ''}tree{' of one root' if single else ''}"
        why = constraints.conflict(projective, single) or f"no {kind} obeys all constraints"
        raise HeadwayError(f"{place}: {why}; leave some of them out, or take another parser")
    return heads


def masked(decoder: TreeDecoder, scores: Floats, siblings: Floats | None, single: bool) -> Decode:
    """The decoder with forbidden arcs at -inf."""

    def decode(mask: Mask) -> tuple[float, Ints] | None:
        heads = np.zeros(len(mask), np.int32)
        total = decoder.decode(np.where(mask, scores, -np.inf), siblings, single, heads)
        return None if total == -np.inf else (total, heads[1:])

    return decode


def given_in(batch: Batch, index: int) -> Constraints:
    """The heads and labels that the cells of a sentence have, `_` apart."""
    first, last = map(int, batch.sentence_word[index : index + 2])
    bare = batch.bare
    required: dict[int, int] = {}
    for word, cell in enumerate(bare.column("HEAD", first, last), 1):
        if cell not in ("_", ""):
            line = int(batch.numbers[index]) + int(batch.word_line[first + word - 1] - batch.sentence_line[index])
            if not 0 <= (head := given_head(cell)) <= last - first or head == word:
                what = f"head {shown(cell)} of word {word} is no other word of the sentence"
                raise FormatError(
                    batch.source, line, what, "give its number, 0 for the root, or _ to have it filled in"
                )
            required[word] = head
    names = enumerate(bare.column("DEPREL", first, last), 1)
    return Constraints(required=required, labels={word: name for word, name in names if name not in ("_", "")})


@runtime_checkable
class Constrained(Protocol):
    """A parser that can be told what its trees must be like; a capability beside the contract of stages."""

    def constrained(self, batch: Batch, index: int, constraints: Constraints) -> Parsed:
        """The tree of one sentence of a batch that obeys; a HeadwayError of one sentence where there is none."""


def obeying(stage: object, batch: Batch, wanted: Sequence[Constraints]) -> Parsed:
    """The trees of all sentences of a batch, each under its constraints."""
    if not isinstance(stage, Constrained):
        kind = getattr(stage, "kind", "stage")
        raise HeadwayError(f"a {kind} takes no constraints; our transition, graph and boosted parsers do")
    names: dict[str, int] = {}
    heads, labels = np.empty(len(batch.word_line), np.int32), np.empty(len(batch.word_line), np.int32)
    for index, constraints in enumerate(wanted):
        found = stage.constrained(batch, index, constraints)
        own = [found.names[label] for label in found.labels]
        for word, name in constraints.labels.items():
            own[word - 1] = name
        span = slice(*batch.sentence_word[index : index + 2].tolist())
        heads[span], labels[span] = found.heads, [names.setdefault(name, len(names)) for name in own]
    return Parsed(heads, labels, list(names) or ["_"])


def restored_within(parsed: Parsed, encoding: str, constraints: Constraints) -> Parsed:
    """The tree with lifted arcs put back, where constraints allow it; else only the marks on labels go."""
    offsets = np.array([0, len(parsed.heads)], np.int32)
    before = parsed.heads.copy()
    found = restored(Parsed(parsed.heads.copy(), parsed.labels.copy(), list(parsed.names)), offsets, encoding)
    return found if constraints.hold(found.heads.tolist()) else found._replace(heads=before)
