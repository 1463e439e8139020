"""The words of a batch as features see them: forms and their pieces, what a dictionary knows of them, the sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headway.data.batch import Batch, Ints
from headway.features.compile import KeyColumn, column_of, encode
from headway.features.vocabulary import WORD_ATTRIBUTES
from headway.kernels.text import encode as encoding
from headway.kernels.text import scanning
from headway.text.sequence.dictionary import Keys
from headway.text.tagger.word_knowledge import SIZES, WordKnowledge

PIECES = tuple(f"{name}{size}" for name in ("PREFIX", "SUFFIX") for size in range(1, 13))
ATTRIBUTES = ("FORM", "LOWER", *PIECES, *WORD_ATTRIBUTES)
"""What taggers know of every word."""


class BatchWords:
    """The different forms of a batch; what depends on the form alone is found once for each."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        words, at = len(batch.word_line), batch.format.index("FORM")
        numbers, first = np.empty(words, np.int32), np.empty(words, np.int32)
        table = np.full(1 << (words.bit_length() + 1), -1, np.int32)
        where = (batch.text, batch.cells, batch.first_cell)
        count = encoding.number(*where, batch.word_line, at, -1, table, numbers, first) if words else 0
        self.numbers, self.lines, self.at = numbers, batch.word_line[first[:count]], at
        """For each word the number of its form, and for each form a line where it stands."""

    def keys(self, columns: Sequence[KeyColumn]) -> Keys:
        """Keys of the forms: [form, column]."""
        batch, found = self.batch, np.empty((len(self.lines), max(1, len(columns))), np.uint64)
        if len(self.lines):
            where = (batch.text, batch.cells, batch.first_cell, self.lines)
            for number, (_, kind, argument, name) in enumerate(columns):
                encoding.column(*where, self.at, -1, encoding.KINDS[kind], argument, name.encode(), found, number)
        return found

    def of_words(self, names: Sequence[str]) -> Keys:
        """Keys of all words by the names of their attributes, which look at the form alone: [word, name]."""
        return self.keys([known_column(name) for name in names])[self.numbers]

    def cased(self) -> Keys:
        """For each word how its sentence is written: how long, how much of it in upper case."""
        batch, count = self.batch, len(self.lines)
        where = (batch.text, batch.cells, batch.first_cell, self.lines)
        forms = scanning.column(*where, 0, count, self.at, -1) if count else []
        flags = np.array([_case(form) for form in forms], np.int32).reshape(-1, 3)[self.numbers]
        offsets = batch.sentence_word
        if not len(flags):
            return np.empty(0, np.uint64)
        letters, upper, capitals = (np.add.reduceat(flags[:, kind], offsets[:-1]) for kind in range(3))
        some = np.maximum(letters, 1)
        found = 1 + np.minimum(3, 4 * upper // some) + 4 * np.minimum(3, 4 * capitals // some)
        found += 16 * np.minimum(letters // 4, 2)
        return np.repeat(found, np.diff(offsets)).astype(np.uint64)


def _case(form: str) -> tuple[int, int, int]:
    """Whether a form begins with a letter, with one in upper case, and is in capitals."""
    first = form[:1]
    return int(first.isalpha()), int(first.isupper()), int(len(form) > 1 and form.isupper())


def word_keys(
    columns: Sequence[str], batch: Batch, knowledge: WordKnowledge, settled: int, rules: bool
) -> tuple[Keys, Ints]:
    """The attributes of all words of a batch as keys [word, column], and the set of analyses that each may have."""
    words = BatchWords(batch)
    of_forms = [name for name in columns if name in ("FORM", "LOWER", "SHAPE", *PIECES)]
    pieces = words.keys([known_column(name) for name in (*of_forms, *SIZES, "FORM", "LOWER")])
    facts_of = knowledge.columns(pieces[:, -2], pieces[:, -1], pieces[:, -2 - len(SIZES) : -2], None)
    table = np.empty((len(words.lines), len(columns)), np.uint64)
    of_words: dict[int, Keys] = {}
    for at, name in enumerate(columns):
        if name in of_forms:
            table[:, at] = pieces[:, of_forms.index(name)]
        elif name in facts_of:
            table[:, at] = facts_of[name]
        else:
            of_words[at] = words.cased() if name == "CASED" else encode([known_column(name)], False, batch).keys[:, 0]
    keys = table[words.numbers]
    for at, column in of_words.items():
        keys[:, at] = column
    allowed = knowledge.allowed(pieces[:, -2], pieces[:, -1], settled, rules)
    return np.ascontiguousarray(keys), np.ascontiguousarray(allowed[words.numbers])


def known_column(name: str) -> KeyColumn:
    """The column of an attribute that words have."""
    column = column_of(name)
    assert column is not None
    return column
