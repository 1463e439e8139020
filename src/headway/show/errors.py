"""Sentences whose trees differ in two files, by what stands in place of what: the most frequent confusion first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from headway.errors import counted
from headway.sentence import Sentence
from headway.show.arcs import legible, same_words
from headway.show.choose import ChosenSentence


class ConfusedArc(NamedTuple):
    """The label of a word in one file, its label in the other, and whether its head is another one there."""

    label: str
    instead: str
    other_head: bool

    def __str__(self) -> str:
        """In words: `obl instead of nmod, at another head`."""
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
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))

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
        return f"{self.counts.total():,} of {counted(self.words, 'word')} differ in head or label, in {sentences}"


def errors_in(chosen: Iterable[ChosenSentence]) -> TreeErrors:
    """The errors of sentences with their counterparts."""
    found = TreeErrors()
    for one in chosen:
        assert one.other is not None
        found.sentences += 1
        found.words += len(one.sentence)
        confusions = confused(one.sentence, one.other)
        if confusions:
            found.counts.update(confusions)
            found.wrong.append((one, frozenset(confusions)))
    return found


def confused(sentence: Sentence, other: Sentence) -> list[ConfusedArc]:
    """The confusions of all words that differ in head or label."""
    same_words(sentence, other)
    rows = zip(sentence.heads.tolist(), other.heads.tolist(), sentence.deprels, other.deprels, strict=True)
    return [
        ConfusedArc(label, instead, head != other_head)
        for head, other_head, label, instead in rows
        if (head, label) != (other_head, instead)
    ]
