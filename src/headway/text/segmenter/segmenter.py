"""The segmenter: text to sentences, tokens and the words of multiword tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError, ReadingReport
from headway.base.registry import method
from headway.base.schema import FLAG, TEXT, Each, Header, Kind, Numbers, Optional, Schema, Single, one_of, whole
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch, Ints
from headway.features.language import parse as parse_features
from headway.features.sequences import CharacterTemplates, compile_characters, compile_sequence
from headway.kernels.text.characters import describe_places, find_places
from headway.stages.contract import Packed, TextsInBatch
from headway.stages.weights import LATER as LATER_WEIGHTS
from headway.stages.weights import PACKED, arrays_in, packed_arrays, weights_in
from headway.text.segmenter import ENDS, INSIDE, NO_STOP, SENTENCE, STOP, TOKEN, TOKEN_ENDS
from headway.text.segmenter.characters import CLASSES, Codes, Stretches
from headway.text.segmenter.clusters import Clusters
from headway.text.segmenter.learned_places import NO_PLACES, LearnedPlaces
from headway.text.segmenter.multiword_tokens import COLUMNS, Splitter, is_script
from headway.text.segmenter.paragraphs import Paragraphs, Text, decoded
from headway.text.segmenter.patterns import ADDRESSES, PATTERNS, matches_in
from headway.text.segmenter.several_texts import in_one_batch
from headway.text.segmenter.writer import Found, SegmentWriter, with_words
from headway.text.sequence.deciding import Choices, KeyTable, Positions, SequenceWeights

if TYPE_CHECKING:
    from headway.text.segmenter.exceptions import Exceptions

CHOICES = Choices.plain(3, sets=((TOKEN, SENTENCE), (SENTENCE,), (INSIDE,), (TOKEN,), (INSIDE, TOKEN)))
"""What may be decided at a place, and the sets that `kernels/text/characters.pyx` and exceptions restrict it to."""
ATTRIBUTES = np.array([[1], [2], [3]], np.uint64)
"""What earlier decisions look like to features."""
SCRIPT = Single("a script that splits tokens", lambda value: isinstance(value, str) and is_script(value))
HEADER: dict[str, Kind] = {
    "features": Each(TEXT, fewest=1),
    "scripts": Each(SCRIPT),
    "sets": Each(Each(whole(0), fewest=1), fewest=1),
    "split_features": Each(TEXT, fewest=1),
}
LATER: dict[str, Kind] = {
    "patterns": Optional(Each(one_of(*PATTERNS))),
    "learned_places": FLAG,
    **LATER_WEIGHTS,
}


def _arrays(header: Header) -> dict[str, Numbers]:
    """The arrays in a model file; kernels are safe whatever numbers the weights hold."""
    learned = {"place_keys": Numbers("<u8"), "place_offsets": Numbers("<i4", low=1)}
    return {
        **(learned if header.get("learned_places") else {}),
        **arrays_in(header),
        **arrays_in(header, "split_"),
        **dict.fromkeys(("cuts", "joins"), Numbers("|u1", (CLASSES, CLASSES), 0, 1)),
        **dict.fromkeys(("form_keys", "ending_keys"), Numbers("<u8")),
        **dict.fromkeys(("form_sets", "ending_sets"), Numbers("<i4", low=0, high=len(header["sets"]) - 1)),
    }


def _relations(header: Header, arrays: Any) -> Iterator[tuple[bool, str]]:
    for name in ("form", "ending"):
        keys, sets = arrays[f"{name}_keys"], arrays[f"{name}_sets"]
        yield len(keys) == len(sets), f"there are {len(keys)} {name} keys and {len(sets)} sets"
    if header.get("learned_places"):
        keys, offsets = arrays["place_keys"], arrays["place_offsets"]
        yield len(keys) == len(offsets), f"there are {len(keys)} keys of places and {len(offsets)} offsets"
        yield bool((keys[1:] >= keys[:-1]).all()), "the keys of places are not sorted"
    choices = [choice for some in header["sets"] for choice in some]
    yield max(choices) <= len(header["scripts"]), f"there are {len(header['scripts'])} scripts and more choices"


class Cuts(NamedTuple):
    """Between which classes of characters tokens may end, and over a space between which they may go on."""

    cuts: NDArray[np.uint8]
    joins: NDArray[np.uint8]

    def places(self, text: Stretches, clusters: Clusters | None = None) -> tuple[Ints, Ints, Ints]:
        """Where text may be cut: the first place of each stretch, all places, and what each allows.

        Clusters are not cut, and have the class of their first character.
        """
        size = len(text.codes) + len(text.offsets)
        start, places, sets = np.empty(len(text.offsets), np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
        classes = text.classes if clusters is None else clusters.classes
        count = find_places(classes, text.offsets, *self, start, places, sets)
        places, sets = places[:count], sets[:count]
        if clusters is None or not clusters.inside.any():
            return start, places, sets
        kept = ~clusters.inside[places]
        start = np.concatenate([[0], np.cumsum(kept)])[start].astype(np.int32)
        return start, places[kept], sets[kept]


@dataclass(frozen=True, eq=False)
class Segmenter(ShortRepr):
    """Cuts text into sentences and tokens, together, and splits multiword tokens into words."""

    kind: ClassVar[str] = "segmenter"
    schema: ClassVar[Schema] = Schema(HEADER, _arrays, _relations, LATER)
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset({"FORM"})
    choices: ClassVar[Choices] = CHOICES
    templates: CharacterTemplates
    weights: SequenceWeights
    cuts: Cuts
    splitter: Splitter
    about: dict[str, Any] = field(default_factory=dict)
    patterns: tuple[str, ...] | None = None
    """The names of the patterns that hold; None in models of former versions, which do not know of clusters either."""
    learned: LearnedPlaces = NO_PLACES
    """Places that corrections have opened."""

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
        where each token stands. With `lines`, every line is one sentence. MISC holds all spaces: `original_text` gives
        the text again, character for character, but for a byte-order mark at its start.
        """
        report = report or ReadingReport(source, on_error)
        writer = SegmentWriter(self, report.source, ranges, lines, exceptions)
        for written in writer.written(Paragraphs(decoded(text, report), lines=lines)):
            spans = written.batch.spans
            assert spans is not None
            yield replace(written.batch, spans=spans.moved(1)) if report.is_marked else written.batch

    def segment_texts(self, texts: Sequence[str], *, source: str = "<text>", lines: bool = False) -> TextsInBatch:
        """The sentences of many short texts as one batch, each text cut as if it had come alone."""
        return in_one_batch(self, texts, source, lines)

    def split(self, batch: Batch, *, exceptions: Exceptions | None = None) -> Batch:
        """A batch of given tokens, which have nothing but forms, with the words of those that are multiword tokens."""
        return with_words(self.splitter, batch, exceptions)

    explain_text = method("headway.text.segmenter.explaining:explain_text")

    def tokens(
        self, codes: Codes, begins: Sequence[int], ends: Sequence[int], lines: bool, exceptions: Exceptions | None
    ) -> Found:
        """The tokens of stretches of a text."""
        text = Stretches.of(codes, begins, ends)
        places, positions = self.positions(text, lines, exceptions)
        chosen = self.weights.decide(self.templates.sequence, CHOICES, positions)
        cut = np.flatnonzero(chosen)
        stops = places[cut]
        first = np.concatenate([[0], stops])[: len(stops)].astype(np.int32)
        first += text.codes[first] == ord(" ")
        return Found(text.origin[first], text.ends(stops), chosen[cut])

    def positions(
        self, text: Stretches, lines: bool = False, exceptions: Exceptions | None = None
    ) -> tuple[Ints, Positions]:
        """The places where text may be cut, and the same as the kernels read them."""
        clusters = None if self.patterns is None else Clusters.of(text)
        start, places, sets = self.cuts.places(text, clusters)
        found = matches_in(text, self.patterns or ())
        if clusters is not None and found.names:
            start, places, sets = found.restricted(text, clusters, places, sets)
        if len(self.learned):
            start, places, sets = self.learned.opened(text, clusters, start, places, sets)
        if lines:
            sets = np.where(sets == ENDS, TOKEN_ENDS, np.where(sets == STOP, STOP, NO_STOP)).astype(np.int32)
        if exceptions:
            solid = found.inside(len(text.codes), ADDRESSES)
            if clusters is not None:
                solid |= clusters.inside
            start, places, sets = exceptions.restricted(text, solid, start, places, sets)
        return places, positions_of(self.templates, text, start, places, sets)

    recut = method("headway.text.segmenter.updating:recut")

    def continued(self, batches: Sequence[Batch], *, passes: int, shuffle: bool, seed: int) -> Segmenter:
        """The segmenter after it was corrected wherever the text of a treebank is cut otherwise; see `Continues`."""
        from headway.text.segmenter.updating import continued
        from headway.text.sequence.continuing import Passes

        return continued(self, batches, Passes(passes, shuffle, seed))

    def annotate(self, batch: Batch) -> Batch:
        """Refuse a batch: a segmenter takes text."""
        raise HeadwayError(f"{batch.source}: a segmenter takes text, got sentences; leave the segmenter out for them")

    def with_about(self, **facts: Any) -> Segmenter:
        """The same segmenter with more facts in `about`."""
        return replace(self, about={**self.about, **facts})

    def without_patterns(self) -> Segmenter:
        """The same segmenter without patterns; one that has none is as it was."""
        return replace(self, patterns=()) if self.patterns else self

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> Segmenter:
        """The segmenter that `pack` packed."""
        header, arrays = packed
        features, of_splitter = (
            parse_features("\n".join(header[name]), source) for name in ("features", "split_features")
        )
        splitter = Splitter(
            scripts=tuple(header["scripts"]),
            sets=tuple(map(tuple, header["sets"])),
            forms=KeyTable(arrays["form_keys"], arrays["form_sets"]),
            endings=KeyTable(arrays["ending_keys"], arrays["ending_sets"]),
            templates=compile_sequence(of_splitter, COLUMNS),
            weights=SequenceWeights(weights_in(header, arrays, len(header["scripts"]) + 1, "split_")),
        )
        weights, cuts = (
            SequenceWeights(weights_in(header, arrays, CHOICES.classes)),
            Cuts(arrays["cuts"], arrays["joins"]),
        )
        patterns = None if header.get("patterns") is None else tuple(header["patterns"])
        learned = NO_PLACES
        if header.get("learned_places"):
            learned = LearnedPlaces(arrays["place_keys"], arrays["place_offsets"])
        return cls(compile_characters(features), weights, cuts, splitter, header["about"], patterns, learned)

    def pack(self) -> Packed:
        """The segmenter as a file holds it."""
        splitter = self.splitter
        header: dict[str, Any] = {
            "kind": self.kind,
            "features": [str(feature) for feature in self.templates.sequence.features],
            "scripts": list(splitter.scripts),
            "sets": [list(some) for some in splitter.sets],
            "split_features": [str(feature) for feature in splitter.templates.features],
            "weights": PACKED,
            "about": self.about,
        }
        if self.patterns is not None:
            header["patterns"] = list(self.patterns)
        arrays = {
            **packed_arrays(self.weights.packed),
            **packed_arrays(splitter.weights.packed, "split_"),
            **self.cuts._asdict(),
            "form_keys": splitter.forms.keys,
            "form_sets": splitter.forms.numbers,
            "ending_keys": splitter.endings.keys,
            "ending_sets": splitter.endings.numbers,
        }
        if len(self.learned):
            header["learned_places"] = True
            arrays |= {"place_keys": self.learned.keys, "place_offsets": self.learned.offsets}
        return Packed(header, arrays)


def positions_of(templates: CharacterTemplates, text: Stretches, start: Ints, places: Ints, sets: Ints) -> Positions:
    """Places of a text as the kernels read them: `start` says where those of each stretch begin."""
    keys = np.empty((len(places), len(templates.terms)), np.uint64)
    stretches = (text.codes, text.lower, text.classes, text.offsets)
    describe_places(*stretches, start, places, templates.columns, keys)
    return Positions(keys, start, ATTRIBUTES, sets)
