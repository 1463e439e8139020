"""Sentences whose trees differ in two files, by what stands in place of what: the most frequent confusion first.

Words that the other file does not have, because it cuts the text differently, count among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from headway.base.errors import counted
from headway.data.sentence import Sentence
from headway.show.arcs import legible, same_words
from headway.show.choose import ChosenSentence, Counterpart, Recut


class ConfusedArc(NamedTuple):
    """The label of a word in one file, its label in the other, and whether its head is another one there."""

    label: str
    instead: str | None
    """None where the other file cuts the text differently and does not have the word."""
    other_head: bool

    def __str__(self) -> str:
        """In words: `obl instead of nmod, at another head`."""
        if self.instead is None:
            return legible(f"{self.label}, of a word that is cut differently")
        what = self.label if self.label == self.instead else f"{self.instead} instead of {self.label}"
        return legible(f"{what}{', at another head' if self.other_head else ''}")


@dataclass
class TreeErrors:
    """All sentences that differ, and how often each confusion occurs."""

    sentences: int = 0
    words: int = 0
    counts: Counter[ConfusedArc] = field(default_factory=Counter)
    """Words of each confusion."""
    wrong: list[tuple[ChosenSentence, frozenset[ConfusedArc]]] = field(default_factory=list)
    """The sentences that differ, with their confusions."""

    def ranked(self) -> list[tuple[ConfusedArc, int]]:
        """The confusions with their numbers of words, the most frequent first."""
        return sorted(
            self.counts.items(), key=lambda item: (-item[1], item[0].label, item[0].instead or "", item[0].other_head)
        )

    def examples(self, limit: int | None = None) -> list[ChosenSentence]:
        """Every sentence once, under its most frequent confusion; with a limit, the shortest of each comes first."""
        ranked = self.ranked()
        place = {confusion: rank for rank, (confusion, _) in enumerate(ranked)}
        under = sorted(((min(map(place.__getitem__, some)), chosen) for chosen, some in self.wrong), key=itemgetter(0))
        if limit is not None:
            by_length = sorted(under, key=lambda one: (len(one[1].sentence), one[1].number), reverse=True)
            firsts = dict(by_length)
            others = [(rank, chosen) for rank, chosen in under if firsts[rank] is not chosen]
            under = [*sorted(firsts.items()), *others][:limit]
        return [chosen._replace(reason=self._reason(rank, *ranked[rank])) for rank, chosen in under]

    def _reason(self, rank: int, confusion: ConfusedArc, words: int) -> str:
        shares = f"{words:,} of {counted(self.counts.total(), 'word')} that differ"
        return f"confusion {rank + 1} of {len(self.counts):,}: {confusion}, {shares}"

    def __str__(self) -> str:
        """How much differs."""
        sentences = f"{len(self.wrong):,} of {counted(self.sentences, 'sentence')}"
        missing = sum(words for one, words in self.counts.items() if one.instead is None)
        recut = f", {missing:,} of them because they are cut differently" if missing else ""
        words = f"{self.counts.total():,} of {counted(self.words, 'word')}"
        return f"{words} differ in head or label{recut}, in {sentences}"


def errors_in(chosen: Iterable[ChosenSentence]) -> TreeErrors:
    """The errors of sentences with their counterparts."""
    found = TreeErrors()
    for one in chosen:
        found.sentences += 1
        found.words += len(one.sentence)
        confusions = confused(one.sentence, one.other)
        if confusions:
            found.counts.update(confusions)
            found.wrong.append((one, frozenset(confusions)))
    return found


def confused(sentence: Sentence, other: Counterpart) -> list[ConfusedArc]:
    """The confusions of all words that differ in head or label."""
    assert other is not None
    instead: list[str] | list[str | None]
    if isinstance(other, Recut):
        same_heads, instead = other.same_heads, other.labels
    else:
        same_words(sentence, other)
        same_heads, instead = (sentence.heads == other.heads).tolist(), other.deprels
    rows = map(ConfusedArc, sentence.deprels, instead, (not same for same in same_heads))
    return [one for one in rows if one.other_head or one.label != one.instead]


def pictures(one: ChosenSentence) -> list[tuple[Sentence, Sentence | None, str]]:
    """What to draw of a sentence: trees with their counterparts, and what to say above them.

    Where the other file cuts the text differently, its trees follow by themselves.
    """
    if not isinstance(one.other, Recut):
        return [(one.sentence, one.other, one.reason)]
    found = Counter(each.instead is None for each in confused(one.sentence, one.other))
    missing = f"{found[True]:,} of {counted(len(one.sentence), 'word')} cut differently"
    recut = f"{missing}, {found[False]:,} others differ in head or label"
    first = one.sentence, None, "; ".join(filter(None, (one.reason, recut)))
    return [first, *((each, None, "the same text in the other file") for each in one.other.sentences)]
