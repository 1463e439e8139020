"""Aligned files: which word of one is which word of the other; here for files that must have the same words."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from headway.base.errors import HeadwayError, counted, shown
from headway.base.short_repr import ShortRepr
from headway.evaluation.columns import Ints, TreebankColumns


@dataclass(frozen=True, eq=False)
class Alignment(ShortRepr):
    """The pairs of words, and of sentences, that are the same in two files, in increasing order."""

    gold: Ints
    system: Ints
    gold_sentences: Ints
    system_sentences: Ints
    home: Ints
    """For every word of the system, the gold sentence in which it begins."""
    tokens: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """The tokens of the gold text that the system has, by number, where words were aligned by their characters."""


def same_words(gold: TreebankColumns, system: TreebankColumns) -> Alignment:
    """Every word with itself; an error names the first word that differs. O(n)."""
    shared = min(gold.sentences, system.sentences)
    lengths = np.diff(gold.first[: shared + 1]) != np.diff(system.first[: shared + 1])
    uneven = int(np.argmax(lengths)) if lengths.any() else shared
    forms = gold.forms[: gold.first[uneven]] != system.forms[: gold.first[uneven]]
    if forms.any():
        raise _difference(gold, system, int(gold.sentence[np.argmax(forms)]))
    if uneven < max(gold.sentences, system.sentences):
        raise _difference(gold, system, uneven)
    words = np.arange(len(gold), dtype=np.int32)
    sentences = np.arange(gold.sentences, dtype=np.int32)
    return Alignment(words, words, sentences, sentences, gold.sentence)


REMEDY = "give the same words in both files, or align them with the definition 'ud'"


def _difference(gold: TreebankColumns, system: TreebankColumns, sentence: int) -> HeadwayError:
    """Where the words of a sentence differ, which one of the files may not have."""
    ours, theirs = (_words(columns, sentence) for columns in (gold, system))
    pairs = zip_longest(ours, theirs, fillvalue="nothing")
    word, (one, other) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
    places = " and ".join(
        columns.place(int(columns.first[sentence]) + min(word, len(words) - 1)) if words else columns.source
        for columns, words in ((gold, ours), (system, theirs))
    )
    counts = ""
    if gold.sentences != system.sentences:
        counts = f" ({counted(gold.sentences, 'sentence')} and {system.sentences:,})"
    where = f"word {word + 1} of sentence {sentence + 1} is {one} in the gold file and {other} in the system file"
    return HeadwayError(f"{places}{counts}: {where}; {REMEDY}")


def _words(columns: TreebankColumns, sentence: int) -> list[str]:
    """The forms of a sentence as messages show them; none where the file has ended."""
    ends = columns.first[sentence : sentence + 2]
    return [shown(form) for form in columns.names.strings(columns.forms[slice(*ends)])] if len(ends) == 2 else []
