"""Why a segmenter cut a text where it did: each place where it could beside the best other decision.

Features are named with what they see: `TAIL(CHUNK)=. & CASE(CHUNK+1)=Xx`. Models hold hashes, no text, so what
kernels/text/characters.pyx hashes is written out here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import ReadingReport
from headway.data.sentence import Sentence
from headway.features.language import Address, Term
from headway.features.looks import TermValue
from headway.features.naming import NOTHING
from headway.features.sequences import CUT
from headway.stages.explanation.contract import Decision, Explanation
from headway.text.segmenter import INSIDE, SENTENCE, TOKEN
from headway.text.segmenter.characters import CATEGORIES, FORMAT, SPACE, UPPER_CASE, Stretches
from headway.text.segmenter.paragraphs import Paragraphs, Text, decoded
from headway.text.segmenter.writer import SegmentWriter, WrittenText
from headway.text.sequence.deciding import Keys
from headway.text.sequence.explaining import SequenceExplainer

if TYPE_CHECKING:
    from headway.text.segmenter.segmenter import Segmenter

NAMES = {INSIDE: "the token goes on", TOKEN: "the token ends", SENTENCE: "the sentence ends"}
CLOSEST = 3
"""How many of the closest decisions of a sentence are shown, whatever they are about."""
SHOWN = 15
"""How many characters are shown on either side of a place."""
BLANK, EMPTY = "␣", '""'
"""A space, and a part of a chunk that is empty."""
OWN_CLASS = 32
"""From here on classes are ASCII punctuation marks."""
SYMBOLS = {number: f"<{name}>" for name, number in CATEGORIES.items()} | dict(enumerate(f"{BLANK}xXc漢あアdnmf", SPACE))
"""Classes of characters in shapes; those without a sign of their own are named by their Unicode category."""
UPPER_CASES, LONGEST_SHAPE, CASE, LONGEST_LENGTH, ENDING = 3, 10, 3, 6, 3
SIDES = {"LEFT", "RIGHT"}
PLAIN = {"SPACE", "INSIDE"}
"""Attributes that say yes where their feature is there at all."""


def explain_text(segmenter: Segmenter, text: Text, *, report: ReadingReport | None = None) -> Iterator[Explanation]:
    """Why a text is cut as it is, sentence by sentence; `text` is as in `segment`."""
    report = report or ReadingReport("<text>", "stop")
    writer = SegmentWriter(segmenter, report.source, ranges=False, lines=False, exceptions=None)
    for written in writer.written(Paragraphs(decoded(text, report))):
        explainer = SegmentExplainer(segmenter, written)
        yield from map(explainer.explanation, range(len(written.batch)))


class SegmentExplainer(SequenceExplainer):
    """Explains the cuts of one piece of text."""

    kind = "cut"

    def __init__(self, segmenter: Segmenter, written: WrittenText) -> None:
        self.batch = written.batch
        text = Stretches.of(written.codes, written.begins, written.ends)
        self.names = PlaceNames(text)
        self.places, positions = segmenter.positions(text)
        what = (segmenter.templates.sequence, segmenter.choices)
        found = segmenter.weights.margins(*what, positions)
        super().__init__(*what, segmenter.weights, positions, found)
        # A place belongs to the token and to the sentence that go on up to it at least.
        ends, stops = found.chosen != INSIDE, found.chosen == SENTENCE
        self.sentences, tokens = np.cumsum(stops) - stops, np.cumsum(ends) - ends
        first_words = np.cumsum(written.words) - written.words
        self.words = first_words[tokens] - self.batch.sentence_word[self.sentences] + 1

    def explanation(self, index: int) -> Explanation:
        """The places of a sentence, in their order; the closest decisions are never usual."""
        first, last = map(int, np.searchsorted(self.sentences, [index, index + 1]))
        decisions = self.decisions(first, last)
        for place in np.argsort(self.found.margins[first:last, 0], kind="stable")[:CLOSEST].tolist():
            if decisions[place].over is not None:
                decisions[place] = replace(decisions[place], is_usual=False)
        return Explanation(Sentence.view(self.batch, index), decisions)

    def decision(self, at: int, keys: Keys, is_there: NDArray[np.bool_], right: int | None = None) -> Decision:
        """A place; that a token ends before a space, or that it goes on elsewhere, is usual."""
        made = super().decision(at, keys, is_there, right)
        usual = TOKEN if self.names.is_end_of_chunk(int(self.places[at])) else INSIDE
        return replace(made, is_usual=made.over is None or bool(self.found.chosen[at] == usual))

    def word_of(self, at: int) -> int:
        """The word that begins the token of a place."""
        return int(self.words[at])

    def place_text(self, at: int) -> str:
        """The text around."""
        return self.names.around(int(self.places[at]), SHOWN)

    def choice_text(self, at: int, choice: int) -> str:
        """What happens at a place."""
        return NAMES[choice]

    def said(self, at: int, choice: int) -> tuple[str, str]:
        """What happens at a place."""
        return f"at “{self.place_text(at)}”", NAMES[choice]

    def looks_at(self, at: int, address: Address) -> tuple[int, str]:
        """The characters around a place, or a chunk."""
        if address.place == "CHAR":
            return 0, "the characters around"
        place, text = self.names.chunk(int(self.places[at]), address.index)
        return (place + 1, f"“{text}”") if text else (-1, "end of the text")

    def term_value(self, at: int, term: Term) -> TermValue:
        """A term with what it sees in the text, or of earlier decisions."""
        if term.attribute in PLAIN:
            return TermValue(str(term), None)
        if term.attribute != CUT:
            return TermValue(str(term), self.names.value(term, int(self.places[at])))
        begin = self.positions.offsets[np.searchsorted(self.positions.offsets, at, side="right") - 1]
        before = at + term.addresses[0].index
        return TermValue(str(term), NAMES[int(self.found.chosen[before])] if before >= begin else NOTHING)


class Chunk(NamedTuple):
    """What stands between two spaces: where it begins and ends, and its core."""

    begin: int
    end: int
    core: int
    tail: int


class PlaceNames:
    """The text of some stretches, and what features see of it around a place."""

    def __init__(self, text: Stretches) -> None:
        self.text, self.lower = (codes.tobytes().decode("utf-32-le") for codes in (text.codes, text.lower))
        self.classes, self.offsets = text.classes.tolist(), text.offsets.tolist()
        self.chunks = cache(self._chunks)

    def value(self, term: Term, place: int) -> str:
        """What a term that looks at the text says of a place."""
        name, address = term.attribute, term.addresses[0]
        number, here = self._found(place)
        chunks = self.chunks(number)
        if address.place == "CHUNK":
            at = here + address.index
            return self._of_chunk(name, chunks[at]) if 0 <= at < len(chunks) else NOTHING
        side = next((side for side in SIDES if name.startswith(side)), None)
        if side is not None:
            chunk = chunks[here]
            span = (chunk.begin, place) if side == "LEFT" else (place, chunk.end)
            return self._part(name.removeprefix(side), *span)
        at = place - 1 + address.index
        if not self.offsets[number] <= at < self.offsets[number + 1]:
            return NOTHING
        return self._part(name, at, at + 1)

    def chunk(self, place: int, offset: int) -> tuple[int, str]:
        """Where a chunk begins, counted from that of a place, and its text; nothing beyond the ends of the text."""
        number, here = self._found(place)
        chunks, at = self.chunks(number), here + offset
        return (chunks[at].begin, self.text[chunks[at].begin : chunks[at].end]) if 0 <= at < len(chunks) else (-1, "")

    def around(self, place: int, longest: int) -> str:
        """The text around a place, with a bar there: from the beginning of its chunk to the end of the next one."""
        number, here = self._found(place)
        chunks = self.chunks(number)
        chunk = chunks[here]
        end = chunk.end if place < chunk.end or here + 1 == len(chunks) else chunks[here + 1].end
        before, after = self.text[chunk.begin : place], self.text[place:end]
        left = before if len(before) <= longest else f"…{before[-longest:]}"
        return f"{left}|{after if len(after) <= longest else f'{after[:longest]}…'}"

    def is_end_of_chunk(self, place: int) -> bool:
        """Whether a space follows, or nothing."""
        number, here = self._found(place)
        return self.chunks(number)[here].end == place

    def _found(self, place: int) -> tuple[int, int]:
        """The number of the stretch of a place, and of its chunk there."""
        number = bisect_left(self.offsets, place) - 1
        return number, bisect_left(self.chunks(number), place, key=lambda chunk: chunk.end)

    def _part(self, what: str, begin: int, end: int) -> str:
        if what == "SHAPE":
            return self._shape(begin, end, LONGEST_SHAPE)
        found = (self.lower if what == "LOWER" else self.text)[begin:end]
        return found.replace(" ", BLANK) or EMPTY

    def _of_chunk(self, name: str, chunk: Chunk) -> str:
        begin, end, core, tail = chunk
        if name.startswith("CORE") and name != "COREEND":
            return self._part(name.removeprefix("CORE"), core, tail)
        if name == "COREEND":
            return self._part("LOWER", max(core, tail - ENDING), tail)
        if name == "LENGTH":
            return f"{tail - core}" if tail - core < LONGEST_LENGTH else f"{LONGEST_LENGTH} and more"
        if name == "DOTTED":
            return "yes" if "." in self.text[core:tail] else "no"
        if name == "CASE":
            return self._shape(core if core < end else begin, end, CASE)
        span = {"LEAD": (begin, core), "TAIL": (tail, end)}.get(name, (begin, end))
        return self._part(name, *span)

    def _shape(self, begin: int, end: int, longest: int) -> str:
        """The classes of characters; of the same ones in a row one counts, of upper case at the beginning three."""
        found: list[int] = []
        for one in self.classes[begin:end]:
            is_new = not found or one != found[-1] or (one == UPPER_CASE and len(found) < UPPER_CASES)
            if is_new and len(found) < longest:
                found.append(one)
        return "".join(SYMBOLS.get(one) or (chr(one) if one >= OWN_CLASS else "<Cn>") for one in found) or EMPTY

    def _chunks(self, number: int) -> list[Chunk]:
        """The chunks of a stretch."""
        begin, last = self.offsets[number], self.offsets[number + 1]
        found = []
        for piece in self.text[begin:last].split(" "):
            end = begin + len(piece)
            core = next((at for at in range(begin, end) if self._is_word(at)), end)
            tail = next((at + 1 for at in range(end - 1, core - 1, -1) if self._is_word(at)), end)
            found.append(Chunk(begin, end, core, tail))
            begin = end + 1
        return found

    def _is_word(self, at: int) -> bool:
        return SPACE < self.classes[at] <= FORMAT or self.text[at] == "_"
