"""Which word of the system is which word of the gold file, where both must have the same words."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    """Every word with itself; an error names the first sentence or word that differs. O(n)."""
    shared = min(gold.sentences, system.sentences)
    lengths = np.diff(gold.first[: shared + 1]) != np.diff(system.first[: shared + 1])
    uneven = int(np.argmax(lengths)) if lengths.any() else shared
    until = int(gold.first[uneven])
    forms = gold.forms[:until] != system.forms[:until]
    if forms.any():
        word = int(np.argmax(forms))
        raise _another_word(gold, system, int(gold.sentence[word]), word, word)
    if gold.sentences != system.sentences:
        raise _another_count(gold, system, uneven)
    if uneven < shared:
        raise _another_length(gold, system, uneven)
    words = np.arange(len(gold), dtype=np.int32)
    sentences = np.arange(gold.sentences, dtype=np.int32)
    return Alignment(words, words, sentences, sentences, gold.sentence)


REMEDY = "give the same words in both files, or align them with the definition 'ud'"


def _another_word(
    gold: TreebankColumns, system: TreebankColumns, sentence: int, ours: int, theirs: int
) -> HeadwayError:
    where = f"word {gold.position[ours]} of sentence {sentence + 1}"
    forms = f"{_form(gold, ours)} in the gold file and {_form(system, theirs)} in the system file"
    return HeadwayError(f"{gold.place(ours)} and {system.place(theirs)}: {where} is {forms}; {REMEDY}")


def _another_length(gold: TreebankColumns, system: TreebankColumns, sentence: int) -> HeadwayError:
    ours, theirs = int(gold.first[sentence]), int(system.first[sentence])
    words = counted(_length(gold, sentence), "word")
    count = f"{words} in the gold file and {_length(system, sentence)} in the system file"
    return HeadwayError(
        f"{gold.place(ours)} and {system.place(theirs)}: sentence {sentence + 1} has {count}, "
        f"{_first_difference(gold, system, sentence)}; {REMEDY}"
    )


def _another_count(gold: TreebankColumns, system: TreebankColumns, sentence: int) -> HeadwayError:
    count = f"{gold.source} has {counted(gold.sentences, 'sentence')} and {system.source} has {system.sentences:,}"
    if sentence < min(gold.sentences, system.sentences):
        ours, theirs = int(gold.first[sentence]), int(system.first[sentence])
        where = f"sentence {sentence + 1} ({gold.place(ours)}, {system.place(theirs)})"
        what = f"the first that differs is {where}: {_first_difference(gold, system, sentence)}"
    else:
        longer = gold if gold.sentences > sentence else system
        place = longer.place(int(longer.first[sentence]))
        what = f"the first without a partner is sentence {sentence + 1}, {place}"
    return HeadwayError(f"{count}; {what}; {REMEDY}")


def _first_difference(gold: TreebankColumns, system: TreebankColumns, sentence: int) -> str:
    """Where two sentences of different length part."""
    ours, theirs = (c.forms[c.first[sentence] : c.first[sentence + 1]] for c in (gold, system))
    shared = min(len(ours), len(theirs))
    other = ours[:shared] != theirs[:shared]
    at = int(np.argmax(other)) if other.any() else shared
    texts = [_form(c, int(c.first[sentence]) + at) if at < _length(c, sentence) else "nothing" for c in (gold, system)]
    return f"from word {at + 1}: {texts[0]} against {texts[1]}"


def _length(columns: TreebankColumns, sentence: int) -> int:
    return int(columns.first[sentence + 1] - columns.first[sentence])


def _form(columns: TreebankColumns, word: int) -> str:
    return shown(columns.names.known[columns.forms[word]])
