"""The words of a batch as features of taggers see them; what depends on the form alone is found once for each form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from headway.data.batch import Batch, Ints
from headway.features.encode import KeyColumn, column_of, encode, keys_by
from headway.kernels.sequence import words as kernel
from headway.text.sequence.deciding import Keys
from headway.text.tagger.word_knowledge import CASED, KNOWN_OF_WORDS, OF_FORMS, SIZES, WordKnowledge


class BatchWords:
    """The different forms of a batch; what depends on the form alone is found once for each."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.numbers = batch.forms.codes
        """For each word the number of its form."""
        self.forms = batch.forms.names

    def keys(self, names: Sequence[str]) -> Keys:
        """Keys of the forms by the names of their attributes: [form, name]."""
        return keys_by(self.forms, tuple(map(known_column, names)))

    def column(self, name: str) -> Keys:
        """An attribute of all words as keys; what stages before have predicted where there is a layer."""
        if name in OF_FORMS:
            return self.keys([name])[:, 0][self.numbers]
        return self.cased() if name == CASED else encode([known_column(name)], False, self.batch).keys[:, 0]

    def cased(self) -> Keys:
        """For each word how its sentence is written: how long, how much of it in upper case."""
        keys = np.empty(len(self.numbers), np.uint64)
        kernel.written(self.forms, self.numbers, self.batch.sentence_word, keys)
        return keys


def known_column(name: str) -> KeyColumn:
    """The column of an attribute that words have."""
    column = column_of(name)
    assert column is not None
    return column


class Attributes(NamedTuple):
    """Attributes of words by where they are found; all else are facts about words."""

    of_forms: tuple[KeyColumn, ...]
    """A column for each attribute, anything for those of which forms say nothing; then all that facts need."""
    facts: dict[str, int]
    cased: list[int]
    others: list[int]
    of_others: tuple[KeyColumn, ...]


@lru_cache(maxsize=64)
def attributes_of(names: tuple[str, ...]) -> Attributes:
    """Where these attributes are found."""
    places = {name: at for at, name in enumerate(names) if name not in OF_FORMS}
    others = {name: at for name, at in places.items() if name not in KNOWN_OF_WORDS and name != CASED}
    of_forms = (name if name in OF_FORMS else "FORM" for name in names)
    return Attributes(
        tuple(map(known_column, (*of_forms, *SIZES, "FORM", "LOWER"))),
        {name: at for name, at in places.items() if name in KNOWN_OF_WORDS},
        [at for name, at in places.items() if name == CASED],
        list(others.values()),
        tuple(map(known_column, others)),
    )


def word_keys(
    columns: tuple[str, ...], batch: Batch, knowledge: WordKnowledge, settled: int, rules: bool
) -> tuple[Keys, Ints]:
    """The attributes of all words of a batch as keys [word, column], and the set of analyses that each may have."""
    words, wanted, count = BatchWords(batch), attributes_of(columns), len(columns)
    table = keys_by(words.forms, wanted.of_forms)
    ends, forms, lower = table[:, count:-2], table[:, -2], table[:, -1]
    facts_of = knowledge.columns(forms, lower, ends, None)
    for name, at in wanted.facts.items():
        table[:, at] = facts_of[name]
    keys = table[:, :count][words.numbers]
    for at in wanted.cased:
        keys[:, at] = words.cased()
    if wanted.others:
        keys[:, wanted.others] = encode(wanted.of_others, False, batch).keys
    return keys, knowledge.allowed(forms, lower, settled, rules)[words.numbers]
