"""Sentences of two files side by side, aligned by their characters where words or sentences are cut differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, compress

import numpy as np

from headway.base.errors import FormatError, HeadwayError, counted, shown
from headway.data.formats.reading import Reader
from headway.data.sentence import Sentence
from headway.evaluation.alignment import SPACES, first_difference
from headway.evaluation.columns import left_out, masks_of_readable
from headway.evaluation.comparison import compare
from headway.evaluation.definitions import ALL
from headway.show.choose import Pair, Recut

REMEDY = "compare two parses of the same text"


def side_by_side(gold: Reader, system: Reader) -> Iterator[Pair]:
    """Each sentence of the first file with its counterpart: one of the same words, or how its text is cut there.

    Reads no more of the files than it must; sentences that a reader leaves out are left out of both. An error shows
    where the texts differ.
    """
    first, second = _readable(gold, system)
    count = 0
    for ours in first:
        theirs = next(second, None)
        if theirs is None:
            raise _ended(system, gold, count)
        count += 1
        if ours.forms == theirs.forms:
            yield ours, theirs
            continue
        stretch, cut = [ours], [theirs]
        text, other = _text(ours), _text(theirs)
        while text or other:
            common = min(len(text), len(other))
            if text[:common] != other[:common]:
                raise _other_text(stretch, cut)
            text, other = text[common:], other[common:]
            if text and (further := next(second, None)):
                cut.append(further)
                other = _text(further)
            elif other and (further := next(first, None)):
                stretch.append(further)
                text = _text(further)
                count += 1
            elif text or other:
                raise _other_text(stretch, cut)
        yield from _aligned(stretch, cut)
    if next(second, None) is not None:
        raise _ended(gold, system, count)


def _readable(gold: Reader, system: Reader) -> list[Iterator[Sentence]]:
    """The sentences that can be read in both files."""
    readers = (gold, system)
    if all(reader.report.on_error == "stop" for reader in readers):
        return [iter(reader) for reader in readers]
    sentences = [list(reader) for reader in readers]
    lines = [np.array([sentence.line for sentence in some], np.int32) for some in sentences]
    gaps = [left_out(reader, begun) for reader, begun in zip(readers, lines, strict=True)]
    names = [reader.report.source for reader in readers]
    kept = masks_of_readable(names, [len(some) for some in sentences], gaps)
    return [iter(list(compress(some, keep.tolist()))) for some, keep in zip(sentences, kept, strict=True)]


def _aligned(stretch: list[Sentence], cut: list[Sentence]) -> Iterator[Pair]:
    """Sentences of one file with those of the other that spell the same text."""
    found = compare(stretch, cut, definition=replace(ALL, same_words=False))
    gold, system = found.gold, found.system
    labels: list[str | None] = [None] * len(gold.columns)
    given = gold.columns.names.strings(system.columns.deprels[found.alignment.system])
    for word, label in zip(found.alignment.gold.tolist(), given, strict=True):
        labels[word] = label
    right, first = gold.head_right.tolist(), gold.columns.first.tolist()
    places = _places(cut)
    for number, (sentence, (begin, end)) in enumerate(zip(stretch, _places(stretch), strict=True)):
        words = slice(first[number], first[number + 1])
        within = [other for other, (start, stop) in zip(cut, places, strict=True) if start < end and begin < stop]
        yield sentence, Recut(tuple(within), labels[words], right[words])


def _places(sentences: Iterable[Sentence]) -> list[tuple[int, int]]:
    """Where each sentence begins and ends in their text, by characters."""
    ends = list(accumulate(len(_text(sentence)) for sentence in sentences))
    return list(zip([0, *ends], ends, strict=False))


def _text(sentence: Sentence) -> str:
    """The tokens of a sentence without spaces."""
    return "".join(form for form, _ in sentence.surface()).translate(SPACES)


def _ended(reader: Reader, longer: Reader, count: int) -> FormatError:
    what = f"the file ends after {counted(count, 'sentence')}, {longer.report.source} goes on"
    return FormatError(reader.report.source, None, what, REMEDY)


def _other_text(stretch: list[Sentence], cut: list[Sentence]) -> HeadwayError:
    text, other = ("".join(map(_text, some)) for some in (stretch, cut))
    at, before = first_difference(text, other)
    found = [shown(one[at : at + 20]) if one[at:] else "nothing" for one in (text, other)]
    where = f"{stretch[-1].place} and {cut[-1].place}: the texts differ: {before}"
    return HeadwayError(f"{where} stands {found[0]} in one, {found[1]} in the other; {REMEDY}")
