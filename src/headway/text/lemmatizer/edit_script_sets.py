"""Edit scripts as kernels choose between them: sets of scripts that a word may have, and the parts of scripts.

What is learned of a part holds for every script that has it: `lower|*|s>` and `capitalise|*|s>` share what they do at
the end of a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headway.base.by_fields import PickledByFields
from headway.data.batch import Ints
from headway.text.lemmatizer.edit_scripts import parts_of


@dataclass(frozen=True, eq=False)
class ScriptSets(PickledByFields):
    """Sets of scripts by number: set s has the scripts member[start[s] : start[s + 1]]; none is empty."""

    start: Ints
    member: Ints

    @classmethod
    def of(cls, sets: Sequence[Sequence[int]]) -> ScriptSets:
        """Sets from their members."""
        start = np.cumsum([0, *map(len, sets)], dtype=np.int32)
        return cls(start, np.array([script for some in sets for script in some], np.int32))

    def __len__(self) -> int:
        return len(self.start) - 1

    def __add__(self, other: ScriptSets) -> ScriptSets:
        """These sets and others behind them."""
        return ScriptSets(
            np.concatenate([self.start, other.start[1:] + self.start[-1]]), np.concatenate([self.member, other.member])
        )

    @cached_property
    def sizes(self) -> Ints:
        """How many scripts each set has."""
        return np.diff(self.start)


def parts_table(scripts: Sequence[str]) -> tuple[Ints, Ints, int]:
    """What scripts are made of: their casing, what happens at both ends, and themselves."""
    number: dict[tuple[str, str], int] = {}
    rows = [sorted(number.setdefault(part, len(number)) for part in parts_of(script)) for script in scripts]
    start = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    return start, np.array([part for row in rows for part in row], np.int32), len(number)
