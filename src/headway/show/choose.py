"""Which sentences of a file, or of two side by side, are to be shown; those whose trees differ, by what they confuse.

Words that the other file does not have, because it cuts the text differently, count among the errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple, TypeAlias, TypeVar

from headway.base.errors import FormatError, HeadwayError, counted, shown
from headway.data.sentence import Sentence
from headway.show.arcs import legible, same_words

Item = TypeVar("Item")


class Recut(NamedTuple):
    """How another file cuts the text of a sentence, where its words are not the same."""

    sentences: tuple[Sentence, ...]
    """Those of the other file that the text lies in."""
    labels: list[str | None]
    """For each word of the sentence, what the other file labels it; None where it does not have the word."""
    same_heads: list[bool]
    """Whether the word has the same head there."""


Counterpart: TypeAlias = Sentence | Recut | None
Pair: TypeAlias = tuple[Sentence, Counterpart]


class ChosenSentence(NamedTuple):
    """A sentence with its number from 1, its counterpart in the other file, and why it is shown."""

    number: int
    sentence: Sentence
    other: Counterpart
    reason: str = ""


class Wanted(NamedTuple):
    """Sentences asked for: ranges of numbers, and values of sent_id."""

    ranges: list[tuple[int, int]]
    names: set[str]

    @classmethod
    def parse(cls, values: Iterable[str]) -> Wanted:
        """From values like `7`, `3-7` or a sent_id.

        >>> Wanted.parse(["7", "3-5", "s-1"])
        Wanted(ranges=[(7, 7), (3, 5)], names={'s-1'})
        """
        wanted = cls([], set())
        for value in values:
            first, dash, last = value.partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()):
                wanted.names.add(value)
            elif 1 <= int(first) <= int(last or first):
                wanted.ranges.append((int(first), int(last or first)))
            else:
                raise HeadwayError(f"{value!r} is not a range; sentences are counted from 1, as in 3 or 3-7")
        return wanted


def choose(
    pairs: Iterable[Pair], source: str, *, wanted: Wanted | None = None, limit: int | None = None
) -> Iterator[ChosenSentence]:
    """The wanted sentences of a file, at most `limit`, with their counterparts. Reads no more of the file."""
    for number, pair in items_wanted(pairs, lambda pair: pair[0].sent_id, source, wanted=wanted, limit=limit):
        yield ChosenSentence(number, *pair)


def items_wanted(
    items: Iterable[Item],
    sent_id: Callable[[Item], str | None],
    source: str,
    *,
    wanted: Wanted | None = None,
    limit: int | None = None,
) -> Iterator[tuple[int, Item]]:
    """The items of the sentences asked for, with their numbers; `items` has one for each sentence of a file."""
    ranges, names = (wanted.ranges, set(wanted.names)) if wanted else ([], set())
    end = max((last for _, last in ranges), default=0)
    number = found = 0
    for number, item in enumerate(items, 1):
        asked = wanted is None or any(first <= number <= last for first, last in ranges)
        if names and (name := sent_id(item)) in names:
            names.remove(name)
            asked = True
        if asked:
            found += 1
            yield number, item
        if found == limit or (wanted and number >= end and not names):
            break
    else:
        size = counted(number, "sentence")
        if end > number:
            what = f"the file has {size}, there is no sentence {end}"
            raise FormatError(source, None, what, f"ask for 1 to {number}")
        if names:
            what = f"none of its {size} has the sent_id {shown(min(names))}"
            raise FormatError(source, None, what, f"ask for a number from 1 to {number}")


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
        of, every = f"of {len(self.counts):,}", counted(self.counts.total(), "word")
        reasons = [f"{of}: {one}, {words:,} of {every} that differ" for one, words in ranked]
        return [chosen._replace(reason=f"confusion {rank + 1} {reasons[rank]}") for rank, chosen in under]

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
