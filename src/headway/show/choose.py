"""Which sentences of a file, or of two side by side, are to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from headway.base.errors import FormatError, HeadwayError, counted, shown
from headway.data.sentence import Sentence

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
        _check_found(source, number, end, names)


def _check_found(source: str, count: int, end: int, names: set[str]) -> None:
    """Raise where more was asked for than a file of `count` sentences has."""
    size = counted(count, "sentence")
    if end > count:
        what = f"the file has {size}, there is no sentence {end}"
        raise FormatError(source, None, what, f"ask for 1 to {count}")
    if names:
        what = f"none of its {size} has the sent_id {shown(min(names))}"
        raise FormatError(source, None, what, f"ask for a number from 1 to {count}")
