r"""Strings that are one token: addresses, names and tags of social networks, numbers.

Each pattern is tried in a few characters around a sign that it cannot do without, never goes over a space, and takes
linear time. A treebank says in training which of them hold: all that it does not cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.text.segmenter import ENDS
from headway.text.segmenter.characters import DIGIT, SPACE, Stretches, compiled
from headway.text.segmenter.clusters import Clusters
from headway.text.sequence.deciding import EVERYTHING

EAST = r"\p{Han}\p{Hiragana}\p{Katakana}"
"""Scripts that put nothing between words: addresses are taken to end before them."""
WORD, PART = rf"[\w--[{EAST}]]", rf"[[\w\-]--[{EAST}]]"
IN_URL = rf'[^\s()<>"«»“”„{EAST}\u3000-\u303f\uff00-\uffef]'
HOST = rf"{PART}{{1,63}}(?:\.{PART}{{1,63}}){{0,8}}\.(?:xn--[a-z0-9\-]{{2,59}}|[[\p{{L}}\p{{M}}]--[{EAST}]]{{2,63}})"
NUMBER, ALONE = r"\d{1,40}(?:[.,٫٬]\d{1,40}){0,20}", rf"(?![\w--[{EAST}]])"
PATTERNS = {
    "url": rf"(?<![A-Za-z0-9_@])(?i:[a-z][a-z0-9+.\-]{{1,15}}://|www\.|mailto:)"
    rf"(?:{IN_URL}|\({IN_URL}{{0,200}}\)){{1,2000}}(?<![.,;:!?'’‘\]}}…*])",
    "email": rf"(?<![[\w.+%\-]--[{EAST}]]){WORD}(?:[[\w.+%\-]--[{EAST}]]{{0,62}}{WORD})?@{HOST}",
    "name": rf"(?<![[\w@.+/%$*&\-]--[{EAST}]])@(?=[^\W\d])\w{{1,64}}(?:@{HOST})?",
    "tag": rf"(?<![[\w@#/%$*&\-]--[{EAST}]])#(?=\w{{0,64}}[^\W\d])\w{{1,100}}",
    "percentage": rf"(?<![[\w.,%]--[{EAST}]])(?:{NUMBER}[%‰٪]|%{NUMBER}){ALONE}",
    "number": rf"(?<![[\w.,]--[{EAST}]])\d{{1,40}}(?:[.,:٫٬]\d{{1,40}}){{1,20}}{ALONE}",
}
"""All patterns by their names; where several fit, the first one counts."""
PLAIN = frozenset(["number"])
"""Patterns that may be parts of longer tokens, as in `12.5.`; where others begin and end, tokens do."""
ADDRESSES = frozenset(["url", "email"])
"""Patterns inside of which exceptions of users do not count: `gr` may be one, and `www.example.gr` is no such token."""
SIGNS, JOINTS, LAST = (np.isin(np.arange(128), [ord(sign) for sign in signs]) for signs in (".:,@#%", ".:,", "woWO"))
ODD_SIGNS = [ord(sign) for sign in "٫٬‰٪"]
"""Signs that make patterns worth trying; joints do only beside some characters, as the last of `www` and `mailto`."""
DOUBTS, MOST_CUT = 2, 0.1
"""A pattern does not hold that a treebank cuts so often, and in a greater share than this."""


@dataclass(frozen=True, eq=False)
class Matches:
    """The strings that patterns find in some stretches of text."""

    names: list[str]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]

    def inside(self, size: int, names: frozenset[str] = frozenset(PATTERNS)) -> NDArray[np.bool_]:
        """Whether each place of a text of this size is inside of a match of these patterns."""
        some = [name in names for name in self.names]
        change = np.zeros(size + 2, np.int32)
        np.add.at(change, self.begins[some] + 1, 1)
        np.add.at(change, self.ends[some], -1)
        return np.cumsum(change)[:-1] > 0

    def restricted(self, text: Stretches, clusters: Clusters, places: Ints, sets: Ints) -> tuple[Ints, Ints, Ints]:
        """The places of stretches without those inside of matches; where most of them begin and end, tokens end."""
        kept = ~self.inside(len(text.codes))[places]
        places, sets = places[kept], sets[kept]
        bound = [name not in PLAIN for name in self.names]
        is_edge = np.zeros(len(text.codes) + 1, np.bool_)
        is_edge[self.begins[bound]] = is_edge[self.ends[bound]] = True
        is_edge[1:] &= text.classes != SPACE
        is_edge &= ~clusters.inside
        is_edge[text.offsets] = False
        sets = np.where(is_edge[places] & (sets == EVERYTHING), ENDS, sets).astype(np.int32)
        is_edge[places] = False
        new = np.flatnonzero(is_edge).astype(np.int32)
        at = np.searchsorted(places, new)
        places, sets = np.insert(places, at, new), np.insert(sets, at, ENDS)
        start = np.searchsorted(places, text.offsets, "right").astype(np.int32)
        start[0] = 0
        return start, places, sets


def matches_in(text: Stretches, names: Sequence[str]) -> Matches:
    """The strings that the patterns of these names find; linear time, and next to none where there are no signs."""
    found = []
    wanted = "|".join(f"(?P<{name}>{PATTERNS[name]})" for name in PATTERNS if name in names)
    for begin, end in _chunks(text) if wanted else ():
        chunk = text.codes[begin:end].tobytes().decode("utf-32-le")
        matches = compiled(f"(?V1){wanted}").finditer(chunk)
        found += [(match.lastgroup or "", begin + match.start(), begin + match.end()) for match in matches]
    spans = np.array([span[1:] for span in found], np.int64).reshape(-1, 2)
    return Matches([span[0] for span in found], spans[:, 0], spans[:, 1])


def learned_patterns(text: Stretches, marks: NDArray[np.uint8]) -> tuple[str, ...]:
    """The patterns that hold in a treebank; `marks` say where its tokens end, for each place of the stretches."""
    return tuple(name for name in PATTERNS if _holds(matches_in(text, [name]), text, marks > 0))


def _holds(found: Matches, text: Stretches, cut: NDArray[np.bool_]) -> bool:
    counts = np.concatenate([[0], np.cumsum(cut)])
    wrong = counts[found.ends] > counts[np.minimum(found.begins + 1, found.ends)]
    if not PLAIN & set(found.names):
        begins = cut[found.begins] | np.isin(found.begins, text.offsets) | (text.classes[found.begins - 1] == SPACE)
        wrong |= ~begins | ~cut[found.ends]
    return bool(wrong.sum() < DOUBTS or wrong.sum() <= MOST_CUT * len(wrong))


def _chunks(text: Stretches) -> list[tuple[int, int]]:
    """What stands between spaces and has a sign inside that some pattern needs."""
    codes, low = text.codes, np.minimum(text.codes, 127)
    signs = SIGNS[low]
    if len(codes) and codes.max() > 127:
        signs |= np.isin(codes, ODD_SIGNS)
    at = np.flatnonzero(signs)
    if not len(at):
        return []
    # A dot, a comma or a colon stands between digits, or ends `www.`, `mailto:`, or what has `//` behind.
    before, behind = np.maximum(at - 1, 0), np.minimum(at + 1, len(codes) - 1)
    between = (text.classes[before] == DIGIT) & (text.classes[behind] == DIGIT)
    at = at[~JOINTS[low[at]] | between | LAST[low[before]] | (codes[behind] == ord("/"))]
    if not len(at):
        return []
    space = np.append(text.classes == SPACE, False)
    stops = space.copy()
    stops[text.offsets] = True
    stops = np.flatnonzero(stops)
    number = np.searchsorted(stops, at, "right")
    number = number[np.diff(number, prepend=0) > 0]
    begins = stops[number - 1]
    begins = begins + space[begins]
    return list(zip(begins.tolist(), stops[number].tolist(), strict=True))
