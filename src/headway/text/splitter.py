"""Which tokens are multiword tokens, and how each is split: a dictionary of forms, and suffixes for other tokens."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.batch import Ints
from headway.kernels.text.segments import token_keys
from headway.text.aligned import WrittenToken
from headway.text.characters import Codes, codes_of, lowered
from headway.text.splitting import script_for, split

Keys = NDArray[np.uint64]
WHOLE = 0
"""The number of the script that leaves a token as it is."""
LONGEST = 6
"""Characters of the longest suffix."""
FEWEST = 2
"""Forms that a suffix must have been seen in."""


@dataclass(frozen=True, eq=False)
class Splitter:
    """Keys of forms and suffixes in lower case, in ascending order, and the number of the script of each, from 1 on."""

    scripts: tuple[str, ...]
    form_keys: Keys
    form_scripts: Ints
    suffix_keys: Keys
    suffix_scripts: Ints

    def chosen(self, lower: Codes, begins: Ints, ends: Ints) -> Ints:
        """The number of the script of each token, 0 for those that are one word."""
        found = np.zeros(len(begins), np.int32)
        if not self.scripts or not len(begins):
            return found
        open_ones = np.ones(len(begins), np.bool_)
        _look_up(self.form_keys, self.form_scripts, _keys(lower, begins, ends, 0), found, open_ones)
        for size in range(LONGEST, 0, -1):
            _look_up(self.suffix_keys, self.suffix_scripts, _keys(lower, begins, ends, size), found, open_ones)
        return found

    def words(self, script: int, token: str) -> list[str] | None:
        """The words of a token by a script; None where it stays one word."""
        words = split(self.scripts[script - 1], token) if script else None
        return words if words is None or len(words) > 1 else None


def _keys(lower: Codes, begins: Ints, ends: Ints, size: int) -> Keys:
    keys = np.empty(len(begins), np.uint64)
    token_keys(lower, begins, ends, size, keys)
    return keys


def _look_up(table: Keys, scripts: Ints, keys: Keys, found: Ints, open_ones: NDArray[np.bool_]) -> None:
    """Give open tokens whose key is in the table its script; they are then no longer open."""
    if not len(table):
        return
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    hit = (table[at] == keys) & open_ones
    found[hit] = scripts[at[hit]]
    open_ones[hit] = False


def learned(tokens: Iterable[WrittenToken]) -> Splitter:
    """What a treebank tells of multiword tokens."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for token in tokens:
        counts[lowered(token.form)][script_for(token.form, token.words) if len(token.words) > 1 else ""] += 1
    best = {form: max(sorted(some), key=lambda script: some[script]) for form, some in counts.items()}
    endings: dict[str, Counter[str]] = defaultdict(Counter)
    for form, script in best.items():
        for size in range(1, min(LONGEST, len(form) - 1) + 1):
            endings[form[-size:]][script] += 1
    rules = {
        ending: max(sorted(some), key=lambda script: some[script])
        for ending, some in endings.items()
        if any(some.keys() - {""}) and some.total() >= FEWEST
    }
    scripts = tuple(sorted({script for script in (*best.values(), *rules.values()) if script}))
    number = {"": WHOLE, **{script: place for place, script in enumerate(scripts, 1)}}
    # A form without an entry is split as its suffix says.
    forms = {form: number[script] for form, script in best.items() if script or _ruled(rules, form)}
    suffixes = {ending: number[script] for ending, script in rules.items()}
    return Splitter(scripts, *_table(forms, whole=True), *_table(suffixes, whole=False))


def _ruled(rules: dict[str, str], form: str) -> str:
    """The script that suffixes have for a form."""
    sizes = range(min(LONGEST, len(form) - 1), 0, -1)
    return next((rules[form[-size:]] for size in sizes if form[-size:] in rules), "")


def _table(numbers: dict[str, int], *, whole: bool) -> tuple[Keys, Ints]:
    """Keys in ascending order and the number of each."""
    found: dict[int, int] = {}
    for text, number in numbers.items():
        codes = codes_of(text if whole else "_" + text)
        span = np.array([0], np.int32), np.array([len(codes)], np.int32)
        found[int(_keys(codes, *span, 0 if whole else len(text))[0])] = number
    keys = np.array(sorted(found), np.uint64)
    return keys, np.array([found[key] for key in keys.tolist()], np.int32)
