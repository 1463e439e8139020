"""The tagger: words in, their tags and morphological features out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from headway.base.by_fields import PickledByFields
from headway.base.registry import method
from headway.base.schema import CELL, FLAG, TEXT, Each, Header, Kind, Numbers, Relation, Schema, one_of, whole
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch, Ints
from headway.data.formats.format import TAGS
from headway.features.language import parse as parse_features
from headway.features.sequences import SequenceTemplates, compile_sequence
from headway.stages.calibration.confidences import CALIBRATOR, Calibrator
from headway.stages.calibration.evidence import Evidence
from headway.stages.contract import PREDICTED, Packed
from headway.stages.weights import LATER, PACKED, arrays_in, packed_arrays, weights_in
from headway.text.sequence.deciding import (
    Choices,
    Dictionary,
    Keys,
    Margins,
    NumberLists,
    Positions,
    SequenceWeights,
)
from headway.text.tagger import DECODERS, WIDEST
from headway.text.tagger.analyses import Analyses
from headway.text.tagger.batch_words import word_keys
from headway.text.tagger.word_knowledge import ATTRIBUTES, WordKnowledge

FIELDS: dict[str, Kind] = {
    "parts": FLAG,
    "decoder": one_of(*DECODERS),
    "beam": whole(1, WIDEST),
    "probabilities": FLAG,
    "settled": whole(1),
    "rules": FLAG,
}
"""The fields of a tagger that a model file holds as they are."""
HEADER: dict[str, Kind] = {
    "columns": Each(one_of(*TAGS), fewest=1),
    "analyses": Each(Each(CELL), fewest=1),
    "features": Each(TEXT, fewest=1),
    "rare": whole(0),
    "inputs": Each(one_of(*TAGS)),
    **FIELDS,
}
DICTIONARIES = ("forms", "lower", "endings", "lexicon")
ARRAYS = {"keys": "keys", "start": "start", "analyses": "numbers", "counts": "counts"}
"""The arrays of a dictionary in a model file, and its fields."""


def _arrays(header: Header) -> dict[str, Numbers]:
    """Weights may be anything; dictionaries hold numbers of analyses."""
    high = len(header["analyses"]) - 1
    found = arrays_in(header)
    for name in DICTIONARIES:
        found |= {
            f"{name}_keys": Numbers("<u8"),
            f"{name}_start": Numbers("<i4", rising=True, fewest=1),
            f"{name}_analyses": Numbers("<i4", low=0, high=high),
            f"{name}_counts": Numbers("<i4", low=0),
        }
    return found


def _relations(header: Header, arrays: Any) -> Iterator[Relation]:
    columns = len(header["columns"])
    yield all(len(row) == columns for row in header["analyses"]), f"not every analysis has {columns} tags"
    for name in DICTIONARIES:
        keys, start, analyses, counts = (arrays[f"{name}_{what}"] for what in ARRAYS)
        fits = len(start) == len(keys) + 1 and int(start[-1]) == len(analyses) == len(counts)
        yield fits, f"the dictionary {name!r} has arrays that do not fit each other"
        if fits:
            yield bool((start[1:] > start[:-1]).all()), f"a word of the dictionary {name!r} has no analyses"
            yield bool((keys[1:] > keys[:-1]).all()), f"the dictionary {name!r} is not sorted"


@dataclass(frozen=True, eq=False)
class Tagger(PickledByFields, ShortRepr):
    """Gives each word an analysis: a tag in each of its columns."""

    kind: ClassVar[str] = "tagger"
    schema: ClassVar[Schema] = Schema(
        HEADER, _arrays, _relations, later={"calibrator": CALIBRATOR, "wholes": FLAG, **LATER}
    )
    analyses: Analyses
    templates: SequenceTemplates
    knowledge: WordKnowledge
    weights: SequenceWeights
    inputs: tuple[str, ...]
    """The columns that its features look at in the input."""
    parts: bool
    decoder: str
    beam: int
    probabilities: bool
    settled: int
    rules: bool
    about: dict[str, Any] = field(default_factory=dict)
    calibrator: Calibrator | None = None

    @property
    def needs(self) -> frozenset[str]:
        """The columns that its features look at."""
        return frozenset(("FORM", *self.inputs))

    @property
    def gives(self) -> frozenset[str]:
        """The columns that it fills."""
        return frozenset(self.analyses.columns)

    def with_about(self, **facts: Any) -> Tagger:
        """The same tagger with more facts in `about`."""
        return replace(self, about={**self.about, **facts})

    @cached_property
    def choices(self) -> Choices:
        """What there is to choose."""
        return choices_of(self.analyses, self.knowledge, self.parts)

    @cached_property
    def _attributes(self) -> Keys:
        return self.analyses.keys(self.templates.decided)

    def positions(self, batch: Batch) -> Positions:
        """The words of a batch as the kernels read them."""
        keys, allowed = word_keys(self.templates.columns, batch, self.knowledge, self.settled, self.rules)
        return Positions(keys, batch.sentence_word, self._attributes, allowed)

    def decide(self, positions: Positions) -> Ints:
        """The number of each word's analysis. Runs without the interpreter's lock."""
        what = (self.templates, self.choices, positions)
        if self.decoder == "greedy":
            return self.weights.decide(*what)
        width = self.beam if self.decoder == "beam" else WIDEST
        return self.weights.search(*what, width=width, probabilities=self.probabilities)

    def margins(self, positions: Positions) -> Margins:
        """The number of each word's analysis, and by how much it beats the next best, and that of another first tag."""
        chosen = None if self.decoder == "greedy" else self.decide(positions)
        return self.weights.margins(self.templates, self.choices, positions, self._kinds, chosen)

    @cached_property
    def _kinds(self) -> Ints:
        """The first tag of each analysis, as numbers."""
        return np.unique([row[0] for row in self.analyses.rows], return_inverse=True)[1].astype(np.int32)

    def annotate(self, batch: Batch) -> Batch:
        """The batch with a layer of tags."""
        return self.layered(batch, self.decide(self.positions(batch)))

    def annotate_with_evidence(self, batch: Batch) -> tuple[Batch, Evidence]:
        """The batch with a layer of tags, and the evidence for those of each word."""
        found = self.margins(self.positions(batch))
        margin, tag_margin = found.margins.T
        settled = np.isinf(margin).astype(np.int32)
        evidence = Evidence({"margin": margin, "tag margin": tag_margin}, {"settled": settled})
        return self.layered(batch, found.chosen), evidence

    def layered(self, batch: Batch, chosen: Ints) -> Batch:
        """The batch with a layer of these analyses."""
        return batch.with_layer(PREDICTED, columns=self.analyses.codes(chosen))

    def with_calibrator(self, calibrator: Calibrator | None) -> Tagger:
        """The same tagger with another calibrator."""
        return replace(self, calibrator=calibrator)

    corrected = method("headway.text.tagger.updating:corrected")
    explain = method("headway.text.tagger.explaining:explain")
    wrong_decisions = method("headway.text.tagger.explaining:wrong_decisions")
    training_sentences_with = method("headway.text.tagger.explaining:training_sentences_with")

    def continued(self, batches: Sequence[Batch], *, passes: int, shuffle: bool, seed: int) -> Tagger:
        """The tagger after it was corrected wherever a treebank has other tags; see `Continues`."""
        from headway.text.sequence.continuing import Passes
        from headway.text.tagger.updating import continued

        return continued(self, batches, Passes(passes, shuffle, seed))

    def pack(self) -> Packed:
        """The tagger as a file holds it."""
        header = {
            "kind": self.kind,
            "columns": list(self.analyses.columns),
            "analyses": [list(row) for row in self.analyses.rows],
            "features": [str(feature) for feature in self.templates.features],
            "rare": self.knowledge.rare,
            **{name: getattr(self, name) for name in FIELDS},
            "inputs": list(self.inputs),
            "weights": PACKED,
            "about": self.about,
            **({} if self.analyses.wholes is None else {"wholes": self.analyses.wholes}),
            **({} if self.calibrator is None else {"calibrator": self.calibrator.pack()}),
        }
        arrays = packed_arrays(self.weights.packed)
        for name in DICTIONARIES:
            dictionary = getattr(self.knowledge, name)
            arrays |= {f"{name}_{what}": getattr(dictionary, field) for what, field in ARRAYS.items()}
        return Packed(header, arrays)

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> Tagger:
        """The tagger that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        columns, inputs = tuple(header["columns"]), tuple(header["inputs"])
        analyses = Analyses(columns, tuple(map(tuple, header["analyses"])), header.get("wholes"))
        found = {
            name: Dictionary(**{field: arrays[f"{name}_{what}"] for what, field in ARRAYS.items()})
            for name in DICTIONARIES
        }
        features = parse_features("\n".join(header["features"]), source)
        classes = choice_parts(analyses, header["parts"]).member
        return cls(
            analyses=analyses,
            templates=compile_sequence(features, (*ATTRIBUTES, *inputs), columns),
            knowledge=WordKnowledge(
                **found,
                tag_of=analyses.keys(columns[:1])[:, 0],
                agreeing=analyses.agreeing,
                rare=header["rare"],
            ),
            weights=SequenceWeights(weights_in(header, arrays, 1 + int(classes.max()))),
            inputs=inputs,
            **{name: header[name] for name in FIELDS},
            about=header["about"],
            calibrator=Calibrator.unpack(header.get("calibrator")),
        )


def choices_of(analyses: Analyses, knowledge: WordKnowledge, parts: bool) -> Choices:
    """The analyses as choices: made of parts, or each as a whole; a set for each word of the dictionary."""
    return Choices(choice_parts(analyses, parts), knowledge.sets())


def choice_parts(analyses: Analyses, parts: bool) -> NumberLists:
    """The parts of each analysis, or each as a whole."""
    return analyses.parts if parts else NumberLists.of((number,) for number in range(len(analyses.rows)))
