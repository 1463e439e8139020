"""Places where text may be cut, or where tokens may go on, since somebody has corrected the segmenter there.

Between most characters text is never cut, and some strings are always one token (`Cuts`, patterns). A correction that
says otherwise opens the place, in this string and wherever it is met again: weights decide there. Like all that models
know of words, strings are keys; letters may be in upper or lower case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.short_repr import ShortRepr
from headway.data.batch import Ints
from headway.text.segmenter.characters import FORMAT, SPACE, Stretches
from headway.text.segmenter.clusters import Clusters
from headway.text.segmenter.multiword_tokens import keys_of_tokens
from headway.text.sequence.deciding import EVERYTHING, Keys


class Strings(NamedTuple):
    """Strings of a text: chunks between spaces, their cores without marks around them, two chunks with a space."""

    begins: Ints
    ends: Ints
    keys: Keys

    @classmethod
    def of(cls, text: Stretches) -> Strings:
        """Those of stretches. Linear time."""
        solid = text.classes != SPACE
        is_first, is_last = solid.copy(), solid.copy()
        is_first[1:] &= ~solid[:-1]
        is_last[:-1] &= ~solid[1:]
        stops = text.offsets[text.offsets < len(solid)]
        is_first[stops] = is_last[text.offsets[1:] - 1] = True
        begins, ends = np.flatnonzero(is_first), np.flatnonzero(is_last) + 1
        follows = ~np.isin(begins[1:], stops)
        words = np.flatnonzero(((text.classes > SPACE) & (text.classes <= FORMAT)) | (text.codes == ord("_")))
        first, last = np.searchsorted(words, begins), np.searchsorted(words, ends) - 1
        has_core = first <= last
        # In front stand the smallest strings that a place may be inside of.
        found = [
            (words[first[has_core]], words[last[has_core]] + 1),
            (begins, ends),
            (begins[:-1][follows], ends[1:][follows]),
        ]
        firsts, lasts = (np.concatenate(side).astype(np.int32) for side in zip(*found, strict=True))
        return cls(firsts, lasts, keys_of_tokens(text.lower, firsts, lasts, 0))


@dataclass(frozen=True, eq=False)
class LearnedPlaces(ShortRepr):
    """Places in strings, by the keys of the strings, in ascending order, and how many characters stand before them."""

    keys: Keys
    offsets: Ints

    def __len__(self) -> int:
        return len(self.keys)

    def in_text(self, text: Stretches) -> NDArray[np.int64]:
        """Where they are in stretches, in ascending order."""
        strings = Strings.of(text)
        first, last = (np.searchsorted(self.keys, strings.keys, side) for side in ("left", "right"))
        met = np.flatnonzero(last > first)
        counts = (last - first)[met]
        at = np.repeat(first[met] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        places = np.repeat(strings.begins[met], counts).astype(np.int64) + self.offsets[at]
        found: NDArray[np.int64] = np.unique(places[places < np.repeat(strings.ends[met], counts)])
        return found

    def opened(
        self, text: Stretches, clusters: Clusters | None, start: Ints, places: Ints, sets: Ints
    ) -> tuple[Ints, Ints, Ints]:
        """The places of stretches with these among them; everything may be decided there."""
        new = self.in_text(text)
        new = new[text.classes[new - 1] != SPACE]
        new = new if clusters is None else new[~clusters.inside[new]]
        if not len(new):
            return start, places, sets
        every = np.union1d(places, new).astype(np.int32)
        allowed = np.full(len(every), EVERYTHING, np.int32)
        allowed[np.searchsorted(every, places)] = sets
        allowed[np.searchsorted(every, new)] = EVERYTHING
        start = np.searchsorted(every, text.offsets, "right").astype(np.int32)
        start[0] = 0
        return start, every, allowed

    def with_places(self, text: Stretches, places: NDArray[np.int64]) -> LearnedPlaces:
        """These and more, each in the smallest string that it is inside of."""
        strings = Strings.of(text)
        found = set(zip(self.keys.tolist(), self.offsets.tolist(), strict=True))
        for place in places.tolist():
            inside = np.flatnonzero((strings.begins < place) & (place < strings.ends))
            if len(inside):
                found.add((int(strings.keys[inside[0]]), place - int(strings.begins[inside[0]])))
        ordered = sorted(found)
        keys, offsets = [key for key, _ in ordered], [offset for _, offset in ordered]
        return LearnedPlaces(np.array(keys, np.uint64), np.array(offsets, np.int32))


NO_PLACES = LearnedPlaces(np.empty(0, np.uint64), np.empty(0, np.int32))
