"""What a tree must have and must not have: arcs, labels, spans; the best tree that obeys; what is contradictory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from numbers import Integral
from typing import Any
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, counted, described
from headway.data.batch import Ints
from headway.kernels.graph.decoding import TreeDecoder
from headway.stages.tree_stage import Parsed, restored

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
MOST_TRIES = 10_000
"""How many ways to choose the top words of spans are tried at most."""
KINDS = "required", "span", "forbidden"
Item = tuple[str, tuple[int, int]]
"""A single constraint: one of `KINDS`, and its pair."""


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

    def __post_init__(self) -> None:
        """Refuse what is of another kind."""
        for name in ("required", "labels"):
            if not isinstance(getattr(self, name), Mapping):
                raise HeadwayError(f"{name} = {getattr(self, name)!r} is not a mapping of words; write {{2: …}}")
        for name in ("forbidden", "spans"):
            if not isinstance(getattr(self, name), Collection):
                raise HeadwayError(f"{name} = {getattr(self, name)!r} is not a list of pairs; write [(2, 1)]")

    def __bool__(self) -> bool:
        """Whether there is any constraint."""
        return bool(self.required or self.labels or self.forbidden or self.spans)

    def assure_fits(self, words: int, place: str) -> None:
        """Refuse numbers that are no words of the sentence, and labels that no file can hold."""
        pairs: list[Any] = [*self.required.items(), *self.forbidden, *self.spans]
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(map(is_whole, pair)):
                raise HeadwayError(f"{place}: {pair!r} in constraints is not a pair of words; give their numbers")
        for word, label in self.labels.items():
            if not is_label(label):
                raise HeadwayError(
                    f"{place}: the label of word {word} is {label!r}; give a string other than '_', without blanks, "
                    "tabs and control characters"
                )
        inside, long = range(1, words + 1), counted(words, "word")
        arcs = [(head, word) for word, head in self.required.items()] + list(self.forbidden)
        for head, word in arcs:
            if word not in inside or (head and head not in inside) or head == word:
                raise HeadwayError(f"{place}: there is no arc from {head} to {word} in a sentence of {long}")
        for first, last in self.spans:
            if not 1 <= first <= last <= words:
                raise HeadwayError(f"{place}: there is no span {first}-{last} in a sentence of {long}")
        for word in self.labels:
            if not is_whole(word) or word not in inside:
                raise HeadwayError(f"{place}: word {word!r} cannot get a label; the sentence has {long}")

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


def assure_constraints(wanted: object) -> None:
    """Refuse other things than constraints."""
    if not isinstance(wanted, Constraints):
        raise HeadwayError(f"expected Constraints, got {described(wanted)}; write Constraints(required={{2: 0}})")


def is_whole(number: object) -> bool:
    """Whether this is a whole number."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def is_label(label: object) -> bool:
    """Whether a label is one word of characters that a file may hold, and not the sign for none."""
    if not isinstance(label, str) or label.split() != [label] or label == "_":
        return False
    return not any(category(character) in ("Cc", "Cs") for character in label)


Decode = Callable[[Mask], tuple[float, Ints] | None]
"""The best tree of allowed arcs with its score; None where there is none."""


def best_under(constraints: Constraints, words: int, decode: Decode) -> Ints | None:
    """The heads of the best tree that obeys, by a decoder that is exact under a mask of arcs; None where there is none.

    The top words of spans are tried one by one, so that it is the best of all. O(product of the spans' lengths) calls.
    """
    best, heads = -np.inf, None
    for mask in constraints.masks(words):
        found = decode(mask)
        if found is not None and (heads is None or found[0] > best):
            best, heads = found
    return heads


def nearest(heads: Ints, constraints: Constraints, projective: bool, single: bool) -> Ints | None:
    """The tree that obeys and has most of the arcs of another one; None where there is none.

    Words that lose their heads hang as near above them as may be.
    """
    words = len(heads)
    scores = np.zeros((words + 1,) * 2)
    for word in range(1, words + 1):
        above = [int(heads[word - 1])]
        while above[-1]:
            above.append(int(heads[above[-1] - 1]))
        scores[above, word] = 1 - np.arange(len(above)) / (words + 1)
        scores[above[0], word] += words
    decoder = TreeDecoder("eisner" if projective else "chu-liu-edmonds")
    return best_under(constraints, words, masked(decoder, scores, None, single))


def with_heads(parsed: Parsed, heads: Ints) -> Parsed:
    """The tree with other heads; a new root and the word that was one instead exchange their labels."""
    labels, before, after = parsed.labels.copy(), np.flatnonzero(parsed.heads == 0), np.flatnonzero(heads == 0)
    for was, now in zip(np.setdiff1d(before, after), np.setdiff1d(after, before), strict=False):
        labels[[was, now]] = labels[[now, was]]
    return Parsed(heads, labels, parsed.names)


def masked(decoder: TreeDecoder, scores: Floats, siblings: Floats | None, single: bool) -> Decode:
    """The decoder with forbidden arcs at -inf."""

    def decode(mask: Mask) -> tuple[float, Ints] | None:
        heads = np.zeros(len(mask), np.int32)
        total = decoder.decode(np.where(mask, scores, -np.inf), siblings, single, heads)
        # A decoder of Python says nothing of forbidden arcs.
        obeys = total > -np.inf and mask[heads[1:], np.arange(1, len(mask))].all()
        return (total, heads[1:]) if obeys else None

    return decode


def restored_within(parsed: Parsed, encoding: str | None, constraints: Constraints) -> Parsed:
    """The tree with lifted arcs put back, where constraints allow it; else only the marks on labels go."""
    offsets = np.array([0, len(parsed.heads)], np.int32)
    found = restored(parsed, offsets, encoding)
    return found if constraints.hold(found.heads.tolist()) else found._replace(heads=parsed.heads)


def contradiction(required: Mapping[int, int], single_root: bool) -> list[int]:
    """The words of a cycle, or two roots where there is one only; none where a tree has all of these arcs. O(n)."""
    done: set[int] = set()
    for word in required:
        path: dict[int, int] = {}
        at = word
        while at in required and at not in done and at not in path:
            path[at] = len(path)
            at = required[at]
        if at in path:
            cycle = list(path)[path[at] :]
            first = cycle.index(min(cycle))
            return cycle[first:] + cycle[:first]
        done |= path.keys()
    roots = [word for word, head in required.items() if head == 0]
    return sorted(roots)[:2] if single_root and len(roots) > 1 else []


def is_possible(constraints: Constraints, words: int, single: bool) -> bool:
    """Whether any tree obeys."""
    return nearest(np.zeros(words, np.int32), constraints, False, single) is not None


def least_impossible(constraints: Constraints, words: int, single: bool) -> Constraints:
    """Of constraints that no tree obeys, some that no tree obeys either, of which none can be spared.

    Each is the one with which the first, beside those chosen, begin to be impossible. O(found · log all) questions.
    """

    def made(some: Sequence[Item]) -> Constraints:
        required, spans, forbidden = ([item for name, item in some if name == kind] for kind in KINDS)
        return Constraints(required=dict(required), spans=spans, forbidden=forbidden)

    def fail(some: Sequence[Item]) -> bool:
        return not is_possible(made(some), words, single)

    several = constraints.required.items(), constraints.spans, constraints.forbidden
    rest: list[Item] = [(kind, item) for kind, items in zip(KINDS, several, strict=True) for item in items]
    kept: list[Item] = []
    while rest and not fail(kept):
        low, high = 1, len(rest)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if fail([*kept, *rest[:middle]]) else (middle + 1, high)
        kept.append(rest[low - 1])
        del rest[low - 1 :]
    return made(kept)


def contradictory(least: Constraints, size: int, single: bool) -> tuple[str, str]:
    """What is wrong with constraints of which none can be spared, and what to do."""
    words = [f"{word}→{head}" for word, head in least.required.items()]
    others = [f"no {word}→{head}" for head, word in least.forbidden]
    others += [f"the span {first}-{last}" for first, last in least.spans]
    *several, last = [*words, *others]
    listed = f"{', '.join(several)} and {last}" if several else last
    why = ", as trees of this parser have one root" if single and is_possible(least, size, False) else ""
    what = f"{'words ' if words else ''}{listed} contradict{'' if several else 's'} each other{why}"
    return what if several else f"{listed} leaves no tree{why}", "drop one of them" if several else "drop it"
