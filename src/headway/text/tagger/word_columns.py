"""The words of a batch as features see them: forms and their pieces, what a dictionary knows of them, the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch, Ints
from headway.features.compile import KeyColumn, column_of, encode
from headway.features.vocabulary import WORD_ATTRIBUTES
from headway.kernels.text import encode as encoding
from headway.kernels.text import scanning
from headway.text.sequence.training import EVERYTHING, Keys
from headway.text.tagger.dictionary import UNKNOWN, Dictionary
from headway.text.tagger.endings import SIZES, Endings
from headway.text.tagger.word_facts import WordFacts, facts, facts_without_own

PIECES = tuple(f"{name}{size}" for name in ("PREFIX", "SUFFIX") for size in range(1, 13))
ATTRIBUTES = ("FORM", "LOWER", *PIECES, *WORD_ATTRIBUTES)
"""What taggers know of every word."""


@dataclass(frozen=True, eq=False)
class WordKnowledge(PickledByFields, ShortRepr):
    """What a tagger knows of words: analyses by form, by form in lower case, by ends, and those of a lexicon."""

    forms: Dictionary
    lower: Dictionary
    endings: Endings
    lexicon: Dictionary | None
    tag_of: Keys
    """For each analysis the key of its first tag."""
    agreeing: Keys
    """And that of what neighbours may agree in."""
    rare: int
    """Words seen fewer times are rare."""

    def dictionary(self, name: str) -> Dictionary:
        """A dictionary as a file holds it: `forms`, `lower`, `endings` or `lexicon`."""
        if name == "endings":
            return self.endings.dictionary
        return {"forms": self.forms, "lower": self.lower, "lexicon": self.lexicon}[name] or Dictionary.empty()

    @cached_property
    def _facts(self) -> dict[str, WordFacts]:
        each = np.arange(1, len(self.tag_of) + 1).astype(np.uint64)
        found = {
            "forms": facts(self.forms, self.tag_of),
            "lower": facts(self.lower, self.tag_of),
            "analyses": facts(self.lower, each),
            "agreeing": facts(self.lower, self.agreeing),
            "endings": facts(self.endings.dictionary, self.agreeing),
        }
        if self.lexicon is not None:
            found["lexicon"] = facts(self.lexicon, self.tag_of)
        return found

    @cached_property
    def _totals(self) -> NDArray[np.int64]:
        return self.forms.totals()

    def columns(self, forms: Keys, lower: Keys, ends: Keys, gold: Ints | None) -> dict[str, Keys]:
        """Attributes of words by the keys of their forms and ends; with gold analyses, each without its own."""
        words, small = self.forms.find(forms), self.lower.find(lower)
        if gold is None:
            by_form, by_lower = self._facts["forms"].of(words), self._facts["lower"].of(small)
            analyses, agreeing = self._facts["analyses"].of(small), self._facts["agreeing"].of(small)
        else:
            each = np.arange(1, len(self.tag_of) + 1).astype(np.uint64)
            by_form = facts_without_own(self.forms, self.tag_of, words, gold)
            by_lower = facts_without_own(self.lower, self.tag_of, small, gold)
            analyses = facts_without_own(self.lower, each, small, gold)
            agreeing = facts_without_own(self.lower, self.agreeing, small, gold)
        own = 0 if gold is None else 1
        seen = self._totals[words] if len(self._totals) else np.zeros(len(words), np.int64)
        found = {
            "KNOWN": by_form.known,
            "LOWERKNOWN": by_lower.known,
            "LIKELY": by_lower.likely,
            "ANALYSES": analyses.known,
            "AGREES": self._agrees(agreeing.known, ends),
            "RARE": ((words < 0) | (seen - own < self.rare)).astype(np.uint64),
        }
        if self.lexicon is not None:
            found["LEXICON"] = self._facts["lexicon"].of(self._in_lexicon(forms, lower)).known
        else:
            found["LEXICON"] = np.zeros(len(forms), np.uint64)
        return found

    def _agrees(self, known: Keys, ends: Keys) -> Keys:
        """What words may agree in, by themselves; by their ends where nothing is known of them."""
        if not self.agreeing.any():
            return np.zeros(len(known), np.uint64)
        found = known.copy()
        new = np.flatnonzero(known == UNKNOWN)
        found[new] = self._facts["endings"].of(self.endings.find(ends[new])).known
        return found

    def _in_lexicon(self, forms: Keys, lower: Keys) -> Ints:
        assert self.lexicon is not None
        found = self.lexicon.find(forms)
        return np.where(found >= 0, found, self.lexicon.find(lower)).astype(np.int32)

    def allowed(self, forms: Keys, lower: Keys, settled: int, rules: bool, own: int = 0) -> Ints:
        """The set of analyses that each word may have, by number: first the sets of `lower`, then those of the lexicon.

        Words seen `settled` times have the analyses that they had; with `rules`, words of the lexicon those that it
        says.
        """
        small = self.lower.find(lower)
        totals = self.lower.totals()
        found = np.full(len(forms), EVERYTHING, np.int32)
        if len(totals):
            found = np.where((small >= 0) & (totals[small] - own >= settled), small, EVERYTHING).astype(np.int32)
        if rules and self.lexicon is not None:
            listed = self._in_lexicon(forms, lower)
            found = np.where(listed >= 0, listed + len(self.lower.keys), found).astype(np.int32)
        return found

    def sets(self) -> tuple[Ints, Ints]:
        """Where each set of analyses begins, and their members."""
        start, member = self.lower.start, self.lower.analyses
        if self.lexicon is not None:
            start = np.concatenate([start, start[-1] + self.lexicon.start[1:]]).astype(np.int32)
            member = np.concatenate([member, self.lexicon.analyses]).astype(np.int32)
        return start, member


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
        return self.keys([_column(name) for name in names])[self.numbers]

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
    pieces = words.keys([_column(name) for name in (*of_forms, *SIZES, "FORM", "LOWER")])
    facts_of = knowledge.columns(pieces[:, -2], pieces[:, -1], pieces[:, -2 - len(SIZES) : -2], None)
    table = np.empty((len(words.lines), len(columns)), np.uint64)
    of_words: dict[int, Keys] = {}
    for at, name in enumerate(columns):
        if name in of_forms:
            table[:, at] = pieces[:, of_forms.index(name)]
        elif name in facts_of:
            table[:, at] = facts_of[name]
        else:
            of_words[at] = words.cased() if name == "CASED" else encode([_column(name)], False, batch).keys[:, 0]
    keys = table[words.numbers]
    for at, column in of_words.items():
        keys[:, at] = column
    allowed = knowledge.allowed(pieces[:, -2], pieces[:, -1], settled, rules)
    return np.ascontiguousarray(keys), np.ascontiguousarray(allowed[words.numbers])


def form_keys(batch: Batch) -> tuple[Keys, Keys]:
    """The keys by which dictionaries know the words of a batch: of forms, and of forms in lower case."""
    forms, lower = BatchWords(batch).of_words(("FORM", "LOWER")).T
    return forms, lower


def _column(name: str) -> KeyColumn:
    column = column_of(name)
    assert column is not None
    return column
