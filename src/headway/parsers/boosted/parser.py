"""The boosted parser: a local model of word pairs, a decoder, and labels in a second stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from headway.base.errors import HeadwayError
from headway.base.registry import method
from headway.base.schema import (
    FLAG,
    POSITIVE,
    TEXT,
    Arrays,
    Each,
    Header,
    Kind,
    Numbers,
    Record,
    Relation,
    Schema,
    whole,
)
from headway.data.batch import Batch, Ints
from headway.features.arcs import compile_labels
from headway.features.encode import Encoded
from headway.features.language import parse as parse_features
from headway.features.pairs import compile_pairs
from headway.parsers.boosted.labels import Labeller
from headway.parsers.boosted.linear import LinearModel, numbers, relations, unpacked
from headway.parsers.boosted.linker import Committee, Linker, LinkerShape
from headway.parsers.boosted.pair_features import CLASSES
from headway.stages import tree_stage
from headway.stages.calibration.confidences import Calibrator
from headway.stages.calibration.evidence import Floats
from headway.stages.contract import Packed
from headway.stages.tree_stage import fields_of
from headway.stages.windows import WindowedStage

LONGEST = 500
"""Words of the longest sentence that is parsed as a whole, unless `--longest` says otherwise."""
VERSION = 2
"""What dynamic features mean: from 2 on a pair is one example that sees the states of both words."""
PAIR, LABEL = "pair", "label"
"""What the names of arrays begin with, of the model of links and of that of labels."""
UNWRITTEN = "a classifier without weights of features cannot be written; use it in Python, or take a linear one"


HEADER: dict[str, Kind] = {
    "form": Record({"decoder": TEXT, "single_root": FLAG, "partitioned": FLAG, "dynamic": FLAG, "tag": TEXT}),
    **tree_stage.HEADER,
    "label_features": Each(TEXT, fewest=1),
}
"""What the header of a boosted parser holds."""


def _numbers(header: Header) -> dict[str, Numbers]:
    """The arrays of all linear models, and the tags of prepositions."""
    found = {"prepositions": Numbers("<u8")} | numbers(LABEL, len(header["labels"]))
    for prefix in _voters(header.get("shares")):
        found |= numbers(prefix, CLASSES)
    return found


def _relations(header: Header, arrays: Arrays) -> Iterator[Relation]:
    """Those of all linear models."""
    for prefix in (LABEL, *_voters(header.get("shares"))):
        yield from relations(arrays, prefix)


@dataclass(frozen=True, eq=False)
class BoostedParser(WindowedStage):
    """A parser whose local model of word pairs was trained in rounds; see `schemes.py`."""

    kind: ClassVar[str] = "boosted parser"
    schema: ClassVar[Schema] = Schema(
        HEADER,
        _numbers,
        _relations,
        later={"version": whole(1), "shares": Each(POSITIVE, fewest=1), **tree_stage.LATER},
    )
    linker: Linker
    labeller: Labeller
    encoding: str | None
    about: dict[str, Any] = field(default_factory=dict)
    """Where the model comes from: rounds, learner, treebank, scores."""
    limit: int | None = None
    calibrator: Calibrator | None = None
    single_labels: tuple[str, ...] = ()

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

    def encoded(self, batch: Batch) -> tuple[Encoded, ...]:
        """The words of a batch as the features of pairs see them, and those of labels."""
        return self.linker.templates.encode(batch), self.labeller.templates.encode(batch)

    def find(self, words: tuple[Encoded, ...], offsets: Ints, evidence: Floats | None) -> tuple[Ints, Ints]:
        """Heads and labels of sentences of these words."""
        heads = self.linker.heads(words[0], offsets, evidence)
        return heads, self.labeller.label(words[1], offsets, heads, evidence)

    def rate_labels(self, words: Encoded, offsets: Ints, heads: Ints, labels: Ints, scores: Floats) -> None:
        """Write the scores of all labels; the labeller finds those before each again."""
        self.labeller.label(words, offsets, heads, None, scores)

    explain = method("headway.parsers.boosted.explaining:explain")
    wrong_decisions = method("headway.parsers.boosted.explaining:wrong_decisions")
    training_sentences_with = method("headway.parsers.boosted.explaining:training_sentences_with")
    scores = method("headway.parsers.boosted.scoring:scores")
    marginals = method("headway.parsers.boosted.scoring:marginals")
    constrained = method("headway.parsers.boosted.constraining:constrained")
    updated = method("headway.parsers.boosted.updating:updated")
    continued = method("headway.parsers.boosted.updating:continued")

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
        shares = header.get("shares")
        models = tuple(unpacked(arrays, prefix) for prefix in _voters(shares))
        linker = Linker(
            shape=shape,
            templates=compile_pairs(features, shape.tag),
            prepositions=arrays["prepositions"],
            model=models[0] if shares is None else Committee(models, tuple(shares)),
        )
        labeller = Labeller(compile_labels(label_features), names, unpacked(arrays, LABEL))
        return cls(linker, labeller, **cls.unpacked(header))

    def pack(self) -> Packed:
        """The parser as a file holds it."""
        linker, labeller = self.linker, self.labeller
        shares = linker.model.shares if isinstance(linker.model, Committee) else None
        header = self.packed_header(
            linker.templates.features,
            labeller.names,
            version=VERSION,
            form=asdict(linker.shape),
            label_features=[str(feature) for feature in labeller.templates.features],
            **({} if shares is None else {"shares": shares}),
        )
        arrays = {"prepositions": linker.prepositions}
        for prefix, one in zip(_voters(shares), linker.members, strict=True):
            if not isinstance(one.model, LinearModel):
                raise HeadwayError(UNWRITTEN)
            arrays |= one.model.packed(prefix)
        return Packed(header, arrays | labeller.model.packed(LABEL))


def _voters(shares: Sequence[float] | None) -> list[str]:
    """What the names of arrays begin with, of the model of links or of each model of a committee with these shares."""
    return [PAIR] if shares is None else [f"{number}{PAIR}" for number in range(len(shares))]
