"""Aligned files: which word of one is which word of the other, by its place or by its characters.

By characters as the CoNLL 2018 shared task does it (Zeman et al. 2018): both files spell the same text, spaces aside.
Words that are tokens are the same where they span the same characters. Words of multiword tokens have no span of
their own: the stretch of text that a multiword token and all that overlap it take up is aligned by the longest common
subsequence of forms, whatever their case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from headway.base.errors import FormatError, HeadwayError, counted, shown
from headway.base.short_repr import ShortRepr
from headway.evaluation.columns import Ints, Mask, TreebankColumns


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
    remedy = "give the same words in both files, or align them with the definition 'ud'"
    return HeadwayError(f"{places}{counts}: {where}; {remedy}")


def _words(columns: TreebankColumns, sentence: int) -> list[str]:
    """The forms of a sentence as messages show them; none where the file has ended."""
    ends = columns.first[sentence : sentence + 2]
    return [shown(form) for form in columns.names.strings(columns.forms[slice(*ends)])] if len(ends) == 2 else []


SPACES = dict.fromkeys(map(ord, " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))))
"""The characters of Unicode category Zs, which do not count as text."""
Word = tuple[int, int, bool]
"""The first character, the one after the last, and whether the word belongs to a multiword token."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The text of a file without spaces, and where its tokens, words and sentences are in it."""

    text: str
    token_ends: Ints
    token: Ints
    """The token of each word."""
    multiword: Mask
    forms: Ints
    """The forms of words in lower case, as numbers of the names."""
    sentence_ends: Ints

    def words(self) -> list[Word]:
        """The place of each word in the text."""
        starts, ends = _starts(self.token_ends)[self.token], self.token_ends[self.token]
        return list(zip(starts.tolist(), ends.tolist(), self.multiword.tolist(), strict=True))


def same_characters(gold: TreebankColumns, system: TreebankColumns) -> Alignment:
    """The words that span the same text; an error shows where the texts differ.

    O(n), and O(nm) in a stretch of n gold and m system words with multiword tokens.
    """
    ours, theirs = surface(gold), surface(system)
    if ours.text != theirs.text:
        raise _other_text(gold, system, ours, theirs)
    pairs = np.array(_pairs(ours, theirs), np.int32).reshape(-1, 2)
    same_tokens, _ = _same_spans(ours.token_ends, theirs.token_ends)
    sentences = _same_spans(ours.sentence_ends, theirs.sentence_ends)
    home = np.searchsorted(_starts(ours.sentence_ends), _starts(theirs.token_ends)[theirs.token], "right") - 1
    return Alignment(pairs[:, 0], pairs[:, 1], *sentences, home.astype(np.int32), same_tokens)


def surface(columns: TreebankColumns) -> Surface:
    """Where the words of a file are in its text."""
    names = columns.names
    first, last, span_forms = columns.spans.T
    multiword, begins = np.zeros(len(columns), np.bool_), columns.token_begins
    for start, end in zip(first.tolist(), last.tolist(), strict=True):
        multiword[start:end] = True
    spelled = columns.forms.copy()
    spelled[first] = span_forms
    spelled = names.translate(spelled, lambda form: form.translate(SPACES))
    blank = (spelled == names[""]) & begins
    if blank.any():
        line = int(columns.lines[np.argmax(blank)])
        what = "a token has no characters other than spaces"
        raise FormatError(columns.source, line, what, "column 2 is FORM")
    tokens = names.strings(spelled[begins])
    ends = np.cumsum(np.fromiter(map(len, tokens), np.int32, len(tokens)), dtype=np.int32)
    token = np.cumsum(begins, dtype=np.int32) - 1
    return Surface(
        text="".join(tokens),
        token_ends=ends,
        token=token,
        multiword=multiword,
        forms=names.translate(np.where(multiword, columns.forms, spelled), str.lower),
        sentence_ends=ends[token[columns.first[1:] - 1]],
    )


def _starts(ends: Ints) -> Ints:
    return np.concatenate([np.zeros(1, np.int32), ends[:-1]])


def _same_spans(ends: Ints, others: Ints) -> tuple[Ints, Ints]:
    """The numbers of the spans that are in both lists; one span begins where the last one ends, none is empty."""
    _, ours, theirs = np.intersect1d(_starts(ends), _starts(others), assume_unique=True, return_indices=True)
    same = ends[ours] == others[theirs]
    return ours[same].astype(np.int32), theirs[same].astype(np.int32)


def _pairs(ours: Surface, theirs: Surface) -> list[tuple[int, int]]:
    gold, system = ours.words(), theirs.words()
    gold_forms, system_forms = ours.forms.tolist(), theirs.forms.tolist()
    pairs = []
    g = s = 0
    while g < len(gold) and s < len(system):
        mine, other = gold[g], system[s]
        if mine[2] or other[2]:
            from_g, from_s, g, s = _stretch(gold, system, g, s)
            common = common_subsequence(gold_forms[from_g:g], system_forms[from_s:s])
            pairs += [(from_g + i, from_s + j) for i, j in common]
        elif mine == other:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif mine[0] <= other[0]:
            g += 1
        else:
            s += 1
    return pairs


def _stretch(gold: list[Word], system: list[Word], g: int, s: int) -> tuple[int, int, int, int]:
    """The words from g and s on that a multiword token at g or s draws in: where they begin, where they end.

    Both ends move past all words within `reach`, in the order of the text, and every multiword token met on
    the way moves `reach` to its own end.
    """
    (start, end, multiword), (other_start, other_end, other_multiword) = gold[g], system[s]
    reach = end if multiword else other_end
    if not other_multiword and other_start < start:
        s += 1
    elif not multiword and start < other_start:
        g += 1
    from_g, from_s = g, s
    while _within(gold, g, reach) or _within(system, s, reach):
        if s == len(system) or (g < len(gold) and gold[g][0] <= system[s][0]):
            word, g = gold[g], g + 1
        else:
            word, s = system[s], s + 1
        if word[2]:
            reach = max(reach, word[1])
    return from_g, from_s, g, s


def _within(words: list[Word], at: int, reach: int) -> bool:
    if at == len(words):
        return False
    start, end, multiword = words[at]
    return start < reach if multiword else end <= reach


def common_subsequence(gold: list[int], system: list[int]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence; of several, the one that skips gold items first. O(nm)."""
    longest = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for g in reversed(range(len(gold))):
        row, below = longest[g], longest[g + 1]
        for s in reversed(range(len(system))):
            row[s] = 1 + below[s + 1] if gold[g] == system[s] else max(below[s], row[s + 1])
    pairs = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1
    return pairs


def first_difference(text: str, other: str) -> tuple[int, str]:
    """The first place where two texts differ, or where the shorter one ends; and what stands before it, in words."""
    pairs = enumerate(zip(text, other, strict=False))
    at = next((place for place, (one, another) in pairs if one != another), min(len(text), len(other)))
    return at, f"after {shown(text[max(0, at - 20) : at])}" if at else "right at the beginning"


def _other_text(gold: TreebankColumns, system: TreebankColumns, ours: Surface, theirs: Surface) -> HeadwayError:
    """Where the texts of the two files part."""
    at, before = first_difference(ours.text, theirs.text)
    places = []
    for columns, spelled in ((gold, ours), (system, theirs)):
        token = min(int(np.searchsorted(spelled.token_ends, at, "right")), len(spelled.token_ends) - 1)
        word = int(np.searchsorted(spelled.token, token))
        what = f"has {shown(spelled.text[at : at + 20])}" if at < len(spelled.text) else "ends"
        places.append(f"{columns.place(word)} (sentence {columns.sentence[word] + 1}) {what}")
    where = f"{before} {' and '.join(places)}"
    return HeadwayError(f"the texts of the two files differ: {where}; give the same text in both, spaces aside")
