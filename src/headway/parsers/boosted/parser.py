"""The boosted parser: a local model of word pairs, a decoder, and labels in a second stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.schema import (
    CELL,
    FLAG,
    POSITIVE,
    TEXT,
    Array,
    Arrays,
    Each,
    Header,
    Kind,
    Numbers,
    Optional,
    Record,
    Relation,
    Schema,
    one_of,
    whole,
)
from headway.data.batch import Batch, Ints
from headway.data.encodings import ENCODINGS
from headway.features.arcs import compile_labels
from headway.features.compile import chosen
from headway.features.language import parse as parse_features
from headway.features.pairs import compile_pairs
from headway.kernels.graph.evidence import EVIDENCE
from headway.parsers.boosted import constraining, continuing, explaining, updating
from headway.parsers.boosted.dynamic import CLASSES
from headway.parsers.boosted.labels import Labeller
from headway.parsers.boosted.linear import LinearModel, numbers, relations, unpacked
from headway.parsers.boosted.linker import Committee, Linker, LinkerShape, LocalModel
from headway.stages.calibration.confidences import CALIBRATOR, Calibrator
from headway.stages.contract import Packed
from headway.stages.tree_stage import fields_of
from headway.stages.windows import Find, Found, WindowedStage

LONGEST = 500
"""Words of the longest sentence that is parsed as a whole, unless `--longest` says otherwise."""
VERSION = 2
"""What dynamic features mean: from 2 on a pair is one example that sees the states of both words."""
PAIR, LABEL = "pair", "label"
"""What the names of arrays begin with, of the model of links and of that of labels."""
UNWRITTEN = "a classifier without weights of features cannot be written; use it in Python, or take a linear one"


HEADER: dict[str, Kind] = {
    "form": Record({"decoder": TEXT, "single_root": FLAG, "partitioned": FLAG, "dynamic": FLAG, "tag": TEXT}),
    "features": Each(TEXT, fewest=1),
    "label_features": Each(TEXT, fewest=1),
    "labels": Each(CELL, fewest=1),
    "encoding": Optional(one_of(*ENCODINGS)),
}
"""What the header of a boosted parser holds."""


def _numbers(header: Header) -> dict[str, Numbers]:
    """The arrays of all linear models, and the tags of prepositions."""
    found = {"prepositions": Numbers("<u8")} | numbers(LABEL, len(header["labels"]))
    for prefix in [PAIR] if "shares" not in header else _voters(header["shares"]):
        found |= numbers(prefix, CLASSES)
    return found


def _relations(header: Header, arrays: Arrays) -> Iterator[Relation]:
    """Those of all linear models."""
    for prefix in (LABEL, *([PAIR] if "shares" not in header else _voters(header["shares"]))):
        yield from relations(arrays, prefix)


@dataclass(frozen=True, eq=False)
class BoostedParser(WindowedStage):
    """A parser whose local model of word pairs was trained in rounds; see `rounds.py`."""

    kind: ClassVar[str] = "boosted parser"
    schema: ClassVar[Schema] = Schema(
        HEADER,
        _numbers,
        _relations,
        later={"version": whole(1), "shares": Each(POSITIVE, fewest=1), "calibrator": CALIBRATOR},
    )
    linker: Linker
    labeller: Labeller
    encoding: str | None
    about: dict[str, Any] = field(default_factory=dict)
    """Where the model comes from: rounds, learner, treebank, scores."""
    limit: int | None = None
    calibrator: Calibrator | None = None

    @property
    def needs(self) -> frozenset[str]:
        """The columns that the features of links and labels look at."""
        return fields_of([*self.linker.templates.columns, *self.labeller.templates.columns])

    @property
    def single_root(self) -> bool:
        """Whether its trees have one root."""
        return self.linker.shape.single_root

    @property
    def names(self) -> tuple[str, ...]:
        """The labels."""
        return self.labeller.names

    @property
    def longest(self) -> int:
        """Words of the longest sentence that is parsed as a whole."""
        return self.limit or LONGEST

    def finder(self, batch: Batch, with_evidence: bool = False) -> Find:
        """Heads and labels of sentences made of words of this batch."""
        linker, labeller = self.linker, self.labeller
        pairs, tree = linker.templates.encode(batch), labeller.templates.encode(batch)

        def find(words: Ints | None, offsets: Ints) -> Found:
            of_pairs, of_tree = (pairs, tree) if words is None else (chosen(pairs, words), chosen(tree, words))
            rows = np.zeros((int(offsets[-1]), len(EVIDENCE) if with_evidence else 0), np.float32)
            if not len(rows):
                return Found(np.zeros(0, np.int32), np.zeros(0, np.int32), rows)
            if not with_evidence:
                heads = linker.heads(of_pairs, offsets)
                return Found(heads, labeller.label(of_tree, offsets, heads), rows)
            heads = linker.heads_with_evidence(of_pairs, offsets, rows)
            return Found(heads, labeller.label(of_tree, offsets, heads, rows), rows)

        return find

    explain = explaining.explain
    wrong_decisions = explaining.wrong_decisions
    training_sentences_with = explaining.training_sentences_with
    constrained = constraining.constrained
    updated = updating.updated
    continued = continuing.continued

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> BoostedParser:
        """The parser that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        shape, names = LinkerShape(**header["form"]), tuple(header["labels"])
        if shape.dynamic and header.get("version", 1) != VERSION:
            raise HeadwayError(
                f"{source}: another version of headway has other dynamic features; train the parser again"
            )
        features, label_features = (
            parse_features("\n".join(header[name]), source) for name in ("features", "label_features")
        )
        linker = Linker(
            shape=shape,
            templates=compile_pairs(features, shape.tag),
            prepositions=arrays["prepositions"],
            model=_model(arrays, header.get("shares")),
        )
        labeller = Labeller(compile_labels(label_features), names, unpacked(arrays, LABEL))
        calibrator = Calibrator.unpack(header.get("calibrator"))
        return cls(linker, labeller, header["encoding"], header["about"], calibrator=calibrator)

    def pack(self) -> Packed:
        """The parser as a file holds it."""
        linker, labeller = self.linker, self.labeller
        shares = linker.model.shares if isinstance(linker.model, Committee) else None
        header = {
            "kind": self.kind,
            "version": VERSION,
            "form": asdict(linker.shape),
            "features": [str(feature) for feature in linker.templates.features],
            "label_features": [str(feature) for feature in labeller.templates.features],
            "labels": labeller.names,
            "encoding": self.encoding,
            "about": self.about,
            **({} if shares is None else {"shares": shares}),
            **self.packed_calibrator,
        }
        arrays = {
            "prepositions": linker.prepositions,
            **_arrays(linker.model),
            **labeller.model.packed(LABEL),
        }
        return Packed(header, arrays)


def _arrays(model: LocalModel) -> dict[str, Array]:
    """The arrays of a local model for a file, those of a committee with the number of each."""
    if isinstance(model, Committee):
        return {f"{n}{name}": array for n, one in enumerate(model.models) for name, array in _arrays(one).items()}
    if not isinstance(model, LinearModel):
        raise HeadwayError(UNWRITTEN)
    return model.packed(PAIR)


def _model(arrays: Arrays, shares: Sequence[float] | None) -> LocalModel:
    """What `_arrays` gave; `shares` are those of a committee."""
    if shares is None:
        return unpacked(arrays, PAIR)
    return Committee(tuple(unpacked(arrays, prefix) for prefix in _voters(shares)), tuple(shares))


def _voters(shares: Sequence[float]) -> list[str]:
    """What the arrays of each model of a committee are called."""
    return [f"{number}{PAIR}" for number in range(len(shares))]
