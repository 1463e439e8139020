"""The segmenter: text to sentences, tokens and the words of multiword tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Ints, scan
from headway.brief import Brief
from headway.errors import HeadwayError
from headway.features.characters import CharacterTemplates, compile_characters
from headway.features.language import parse as parse_features
from headway.features.sequences import compile_sequence
from headway.formats.conllu import CONLLU
from headway.formats.report import ReadingReport
from headway.kernels.text.characters import describe_places, find_places
from headway.kernels.text.segments import conllu
from headway.schema import TEXT, Each, Header, Kind, Numbers, Schema, Single, whole
from headway.stage import Packed
from headway.text.aligned import INSIDE, SENTENCE, TOKEN
from headway.text.characters import CLASSES, Codes, Stretches, codes_of, stretches
from headway.text.decoding import Text, decoded
from headway.text.exceptions import Exceptions
from headway.text.paragraphs import WINDOW, Paragraphs, Stretch
from headway.text.sequence_learning import Choices, Positions, SequenceWeights
from headway.text.splitter import COLUMNS, KeyTable, Splitter
from headway.text.splitting import is_script

CHOICES = Choices.plain(3, sets=((TOKEN, SENTENCE), (SENTENCE,), (INSIDE,), (TOKEN,), (INSIDE, TOKEN)))
"""What may be decided at a place, and the sets that `kernels/text/characters.pyx` and exceptions restrict it to."""
ENDS, STOP, JOINED, TOKEN_ENDS, NO_STOP = range(5)
ATTRIBUTES = np.array([[1], [2], [3]], np.uint64)
"""What earlier decisions look like to features."""
AT_ONCE = 1 << 16
"""Characters of text in a batch."""
SURE = WINDOW * 3 // 4
"""Of a window of a long paragraph, sentences that end before this are taken; later ones see too little of the rest."""
NEW_PARAGRAPH, NEW_DOCUMENT = 1, 2
SCRIPT = Single("a script that splits tokens", lambda value: isinstance(value, str) and is_script(value))
HEADER: dict[str, Kind] = {
    "features": Each(TEXT, fewest=1),
    "scripts": Each(SCRIPT),
    "sets": Each(Each(whole(0), fewest=1), fewest=1),
    "split_features": Each(TEXT, fewest=1),
}


def _arrays(header: Header) -> dict[str, Numbers]:
    """The kernels that read weights are safe whatever numbers they hold."""
    sets = Numbers("<i4", low=0, high=len(header["sets"]) - 1)
    slots, rows, keys = Numbers("<u8", fewest=1), Numbers("<u4", fewest=1), Numbers("<u8")
    classes = Numbers("|u1", (CLASSES, CLASSES), 0, 1)
    return {
        "slots": slots,
        "rows": rows,
        "split_slots": slots,
        "split_rows": rows,
        "cuts": classes,
        "joins": classes,
        "form_keys": keys,
        "form_sets": sets,
        "ending_keys": keys,
        "ending_sets": sets,
    }


def _relations(header: Header, arrays: Any) -> Iterator[tuple[bool, str]]:
    for name in ("form", "ending"):
        keys, sets = arrays[f"{name}_keys"], arrays[f"{name}_sets"]
        yield len(keys) == len(sets), f"there are {len(keys)} {name} keys and {len(sets)} sets"
    choices = [choice for some in header["sets"] for choice in some]
    yield max(choices) <= len(header["scripts"]), f"there are {len(header['scripts'])} scripts and more choices"


class Cuts(NamedTuple):
    """Between which classes of characters tokens may end, and over a space between which they may go on."""

    cuts: NDArray[np.uint8]
    joins: NDArray[np.uint8]

    def places(self, text: Stretches) -> tuple[Ints, Ints, Ints]:
        """Where text may be cut: the first place of each stretch, all places, and what each allows."""
        size = len(text.codes) + len(text.offsets)
        start, places, sets = np.empty(len(text.offsets), np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
        count = find_places(text.classes, text.offsets, *self, start, places, sets)
        return start, places[:count], sets[:count]


class Found(NamedTuple):
    """The tokens of a text: where each begins and ends, and what it ends."""

    begins: Ints
    ends: Ints
    kinds: Ints


@dataclass(frozen=True, eq=False)
class Segmenter(Brief):
    """Cuts text into sentences and tokens, together, and splits multiword tokens into words."""

    kind: ClassVar[str] = "segmenter"
    schema: ClassVar[Schema] = Schema(HEADER, _arrays, _relations)
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"FORM"})
    templates: CharacterTemplates
    weights: SequenceWeights
    cuts: Cuts
    splitter: Splitter
    about: dict[str, Any] = field(default_factory=dict)

    def segment(
        self,
        text: Text,
        *,
        source: str = "<text>",
        on_error: str = "stop",
        ranges: bool = False,
        lines: bool = False,
        exceptions: Exceptions | None = None,
        report: ReadingReport | None = None,
    ) -> Iterator[Batch]:
        """The sentences of a text, some hundred at a time, in memory that does not grow with its length.

        `text` is a string, bytes in UTF-8, or chunks of either; blank lines end paragraphs. `source` is what messages
        call it; with `on_error="skip"`, bytes that are not UTF-8 are replaced. With `ranges`, TokenRange in MISC says
        where each token stands. With `lines`, every line is one sentence. MISC tells of all spaces, so that `text_of`
        gives the text again, character for character.
        """
        report = report or ReadingReport(source, on_error)
        paragraphs = Paragraphs(decoded(text, report), lines=lines)
        writer = _Writer(self, report.source, ranges, lines, exceptions)
        for stretch in paragraphs:
            if stretch.is_whole:
                writer.add(stretch)
            else:
                yield from writer.flush(paragraphs.before)
                size = writer.good_part(stretch)
                writer.add(Stretch(stretch.text[:size], paragraphs.keep(stretch, size), stretch.is_new, True))
            if writer.size >= AT_ONCE:
                yield from writer.flush(paragraphs.before)
        yield from writer.flush(paragraphs.before)

    def tokens(
        self, codes: Codes, begins: Sequence[int], ends: Sequence[int], lines: bool, exceptions: Exceptions | None
    ) -> Found:
        """The tokens of stretches of a text."""
        text = stretches(codes, begins, ends)
        start, places, sets = self.cuts.places(text)
        if lines:
            sets = np.where(sets == ENDS, TOKEN_ENDS, np.where(sets == STOP, STOP, NO_STOP)).astype(np.int32)
        if exceptions:
            start, places, sets = exceptions.restricted(text, start, places, sets)
        keys = np.empty((len(places), len(self.templates.terms)), np.uint64)
        described = (text.codes, text.lower, text.classes, text.offsets, start, places)
        describe_places(*described, self.templates.columns, keys)
        chosen = self.weights.decide(self.templates.sequence, CHOICES, Positions(keys, start, ATTRIBUTES, sets))
        cut = np.flatnonzero(chosen)
        stops = places[cut]
        first = np.concatenate([[0], stops[:-1]]).astype(np.int32) if len(stops) else stops
        first += text.codes[first] == ord(" ") if len(stops) else 0
        return Found(text.origin[first], text.ends(stops), chosen[cut])

    def annotate(self, batch: Batch) -> Batch:
        """Nothing: a segmenter takes text."""
        raise HeadwayError(f"{batch.source}: a segmenter takes text, and here are sentences; leave it out for them")

    def with_about(self, **facts: Any) -> Segmenter:
        """The same segmenter with more said about it."""
        return replace(self, about={**self.about, **facts})

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> Segmenter:
        """The segmenter that `pack` packed."""
        header, arrays = packed
        features, split_features = (
            parse_features("\n".join(header[name]), source) for name in ("features", "split_features")
        )
        splitter = Splitter(
            tuple(header["scripts"]),
            tuple(map(tuple, header["sets"])),
            KeyTable(arrays["form_keys"], arrays["form_sets"]),
            KeyTable(arrays["ending_keys"], arrays["ending_sets"]),
            compile_sequence(split_features, "WORD", COLUMNS),
            SequenceWeights(arrays["split_slots"], arrays["split_rows"]),
        )
        weights = SequenceWeights(arrays["slots"], arrays["rows"])
        cuts = Cuts(arrays["cuts"], arrays["joins"])
        return cls(compile_characters(features), weights, cuts, splitter, header["about"])

    def pack(self) -> Packed:
        """The segmenter as a file holds it."""
        splitter = self.splitter
        header = {
            "kind": self.kind,
            "features": [str(feature) for feature in self.templates.sequence.features],
            "scripts": list(splitter.scripts),
            "sets": [list(some) for some in splitter.sets],
            "split_features": [str(feature) for feature in splitter.templates.features],
            "about": self.about,
        }
        tables: dict[str, Any] = {
            "form_keys": splitter.forms.keys,
            "form_sets": splitter.forms.numbers,
            "ending_keys": splitter.endings.keys,
            "ending_sets": splitter.endings.numbers,
            "split_slots": splitter.weights.slots,
            "split_rows": splitter.weights.rows,
        }
        return Packed(header, {**self.weights._asdict(), **self.cuts._asdict(), **tables})


class _Writer:
    """Stretches that wait to become a batch."""

    def __init__(
        self, segmenter: Segmenter, source: str, ranges: bool, lines: bool, exceptions: Exceptions | None
    ) -> None:
        self.segmenter, self.source = segmenter, source
        self.ranges, self.lines, self.exceptions = ranges, lines, exceptions
        self.waiting: list[Stretch] = []
        self.size = self.offset = 0
        self.sentences = 0

    def add(self, stretch: Stretch) -> None:
        """Let a stretch wait."""
        self.waiting.append(stretch)
        self.size += len(stretch.text) + len(stretch.spaces)

    def good_part(self, stretch: Stretch) -> int:
        """How much of a window to take: to the last sure end of a sentence, else of a token, else all of it."""
        codes = codes_of(stretch.text)
        found = self.segmenter.tokens(codes, [0], [len(codes)], self.lines, self.exceptions)
        sentences = found.ends[(found.kinds == SENTENCE) & (found.ends <= SURE)]
        tokens = found.ends[:-1]
        return int(sentences[-1] if len(sentences) else tokens[-1] if len(tokens) else len(codes))

    def flush(self, before: str) -> Iterator[Batch]:
        """The batch of all stretches that wait; `before` are the spaces at the very beginning of the text."""
        if not self.waiting:
            return
        lead = before if self.offset == 0 else ""
        pieces = [lead, *(piece for stretch in self.waiting for piece in stretch[:2])]
        codes = codes_of("".join(pieces))
        sizes = np.cumsum([len(piece) for piece in pieces]).tolist()
        begins, ends = sizes[:-1:2], sizes[1::2]
        found = self.segmenter.tokens(codes, begins, ends, self.lines, self.exceptions)
        text = self._conllu(codes, found, begins)
        batch, problems, _ = scan(text, CONLLU, self.source)
        assert not problems, problems
        self.sentences += len(batch)
        self.offset += len(codes)
        self.waiting, self.size = [], 0
        yield batch

    def _conllu(self, codes: Codes, found: Found, paragraphs: Sequence[int]) -> bytes:
        new = np.zeros(len(found.begins), np.uint8)
        is_new = [begin for begin, stretch in zip(paragraphs, self.waiting, strict=True) if stretch.is_new]
        if not self.lines:
            new[np.searchsorted(found.begins, is_new)] = NEW_PARAGRAPH
        if self.offset == 0:
            new[0] |= NEW_PARAGRAPH | NEW_DOCUMENT
        last = (found.kinds == SENTENCE).astype(np.uint8)
        parts, words, starts = self._words(codes, found)
        base = self.offset if self.ranges else -1
        return conllu(codes, found.begins, found.ends, last, new, parts, words, starts, self.sentences + 1, base)

    def _words(self, codes: Codes, found: Found) -> tuple[Ints, bytes, Ints]:
        """The words of multiword tokens: how many each token has, all of them as one text, and where each begins."""
        splitter = self.segmenter.splitter
        scripts = splitter.chosen(codes, found.begins, found.ends, found.kinds == SENTENCE)
        counts = np.zeros(len(scripts) + 1, np.int32)
        words: list[bytes] = []
        given = self.exceptions.words(codes, found) if self.exceptions else {}
        for token in sorted({*np.flatnonzero(scripts).tolist(), *given}):
            form = codes[found.begins[token] : found.ends[token]].tobytes().decode("utf-32-le")
            parts = given[token] if token in given else splitter.words(int(scripts[token]), form)
            if parts is not None and len(parts) > 1:
                counts[token + 1] = len(parts)
                words += [part.encode() for part in parts]
        starts = np.cumsum([0, *map(len, words)], dtype=np.int32)
        return np.cumsum(counts, dtype=np.int32), b"".join(words), starts
