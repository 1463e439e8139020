"""The boosted parser: a local model of word pairs, a decoder, and labels in a second stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Ints
from headway.boosting import explaining
from headway.boosting.decoder import Logits, decode
from headway.boosting.dynamic import CLASSES, tables_of
from headway.boosting.estimators import EstimatorModel, Mixture
from headway.boosting.labels import Labeller
from headway.boosting.linear import Keys, LinearModel, named, numbers, relations
from headway.boosting.nodes import nodes_of
from headway.boosting.registry import FORMS
from headway.boosting.voting import EISNER, Committee, elected
from headway.constraints import Constraints, Mask, best_under, masked, restored_within
from headway.encodings import ENCODINGS
from headway.errors import HeadwayError, known
from headway.explanation.contract import Explanation
from headway.features.arcs import compile_labels
from headway.features.compile import Encoded, chosen
from headway.features.language import parse as parse_features
from headway.features.pairs import PairTemplates, compile_pairs
from headway.schema import (
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
from headway.stage import Packed
from headway.tree_stage import Parsed, fields_of, restored
from headway.windows import Find, WindowedStage

LONGEST = 500
"""Words of the longest sentence that is parsed as a whole, unless `--longest` says otherwise."""
CELLS = 1 << 18
"""Cells, the square of a sentence's nodes, of the sentences that are decoded in one call."""
TAGS = ("UPOS", "XPOS")
"""Columns of tags by which pairs may be divided into parts; the first that says something is taken."""
VERSION = 2
"""What dynamic features mean: from 2 on a pair is one example that sees the states of both words."""
PAIR, LABEL = "pair", "label"
"""What the names of arrays begin with, of the model of links and of that of labels."""
UNWRITTEN = "a classifier without weights of features cannot be written; use it in Python, or take a linear one"
LocalModel = LinearModel | EstimatorModel | Mixture | Committee


@dataclass(frozen=True, kw_only=True)
class LinkerShape:
    """How trees are found, and what pairs are scored by."""

    decoder: str = "split-head"
    """A name of `boosting.registry.FORMS`; both find the same trees."""
    single_root: bool = True
    partitioned: bool = True
    """Whether pairs with different tags have models of their own."""
    dynamic: bool = True
    """Whether links are scored by what both words have already."""
    tag: str = "UPOS"
    """The tags of parts and of dynamic features."""

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        if self.decoder not in FORMS:
            raise HeadwayError(f"unknown decoder {self.decoder!r}; {known(FORMS)}")
        if self.tag not in TAGS:
            raise HeadwayError(f"unknown column of tags {self.tag!r}; {known(TAGS)}")


@dataclass(frozen=True, eq=False)
class Linker:
    """Finds trees without labels."""

    shape: LinkerShape
    templates: PairTemplates
    prepositions: Keys
    """Tags of words whose first child counts when they are linked."""
    model: LocalModel

    def heads(self, encoded: Encoded, offsets: Ints) -> Ints:
        """Heads of the words of some sentences. Mostly runs without the interpreter's lock."""
        if isinstance(self.model, Committee):
            trees = [replace(self, model=model).heads(encoded, offsets) for model in self.model.models]
            return elected(trees, self.model.shares, offsets, self.shape.single_root)
        found = np.empty(int(offsets[-1]), np.int32)
        for first, last in _slices(offsets):
            words = slice(offsets[first], offsets[last])
            some = offsets[first : last + 1] - offsets[first]
            found[words] = self._decoded(Encoded(encoded.keys[words], encoded.start, encoded.features), some)
        return found

    def _decoded(self, encoded: Encoded, offsets: Ints) -> Ints:
        logits = self.logits(encoded, offsets)
        return decode(logits, form=self.shape.decoder, single_root=self.shape.single_root).heads

    def within(self, encoded: Encoded, offsets: Ints, mask: Mask) -> tuple[float, Ints] | None:
        """The best tree of one sentence in which only some arcs [head, word] may be, and its score; None without."""
        if isinstance(self.model, Committee):
            votes, words = np.zeros(mask.shape), np.arange(1, len(mask))
            for model, share in zip(self.model.models, self.model.shares, strict=True):
                found = replace(self, model=model).within(encoded, offsets, mask)
                if found is None:
                    return None
                votes[found[1], words] += share
            return masked(EISNER, votes, None, self.shape.single_root)(mask)
        logits = self.logits(encoded, offsets, (~mask).reshape(-1).astype(np.uint8))
        try:
            decoded = decode(logits, form=self.shape.decoder, single_root=self.shape.single_root)
        except HeadwayError:
            return None
        return float(decoded.totals[0]), decoded.heads

    def logits(self, encoded: Encoded, offsets: Ints, forbidden: NDArray[np.uint8] | None = None) -> Logits:
        """What the decoder looks at, with cells of links that must not be."""
        assert not isinstance(self.model, Committee)
        nodes = nodes_of(self.templates, encoded, offsets, self.shape.partitioned)
        static = self.model.static(nodes)
        if not self.shape.dynamic or not isinstance(self.model, LinearModel):
            return Logits(offsets, static, forbidden=forbidden)
        return Logits(offsets, static, **vars(tables_of(self.model, nodes, self.prepositions)), forbidden=forbidden)


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


def _slices(offsets: Ints) -> list[tuple[int, int]]:
    """Sentences in pieces that the decoder takes at once."""
    sizes = (np.diff(offsets).astype(np.int64) + 1) ** 2
    piece = (np.cumsum(sizes) - sizes) // CELLS
    bounds = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), len(sizes)]
    return [(first, last) for first, last in pairwise(bounds) if first < last]


@dataclass(frozen=True, eq=False)
class BoostedParser(WindowedStage):
    """A parser whose local model of word pairs was trained in rounds; see `boosting.rounds`."""

    kind: ClassVar[str] = "boosted parser"
    schema: ClassVar[Schema] = Schema(
        HEADER, _numbers, _relations, later={"version": whole(1), "shares": Each(POSITIVE, fewest=1)}
    )
    linker: Linker
    labeller: Labeller
    encoding: str | None
    about: dict[str, Any] = field(default_factory=dict)
    """Where the model comes from: rounds, learner, treebank, scores."""
    limit: int | None = None

    @property
    def needs(self) -> frozenset[str]:
        """The columns that the features of links and labels look at."""
        return fields_of([*self.linker.templates.columns, *self.labeller.templates.columns])

    @property
    def names(self) -> tuple[str, ...]:
        """The labels."""
        return self.labeller.names

    @property
    def longest(self) -> int:
        """Words of the longest sentence that is parsed as a whole."""
        return self.limit or LONGEST

    def trees(self, batch: Batch) -> Parsed:
        """Heads and labels for all words of a batch."""
        parsed = self.found(batch)
        return parsed if self.encoding is None else restored(parsed, batch.sentence_word, self.encoding)

    def finder(self, batch: Batch) -> Find:
        """Heads and labels of sentences made of words of this batch."""
        linker, labeller = self.linker, self.labeller
        pairs, tree = linker.templates.encode(batch), labeller.templates.encode(batch)

        def find(words: Ints | None, offsets: Ints) -> tuple[Ints, Ints]:
            of_pairs, of_tree = (pairs, tree) if words is None else (chosen(pairs, words), chosen(tree, words))
            heads = linker.heads(of_pairs, offsets) if offsets[-1] else np.zeros(0, np.int32)
            return heads, labeller.label(of_tree, offsets, heads)

        return find

    def constrained(self, batch: Batch, index: int, constraints: Constraints) -> Parsed:
        """The best tree of one sentence that obeys."""
        first, last = map(int, batch.sentence_word[index : index + 2])
        place = f"{batch.source}:{batch.numbers[index]}"
        self.assure_short(last - first, place)
        words, offsets = np.arange(first, last, dtype=np.int32), np.array([0, last - first], np.int32)
        pairs = chosen(self.linker.templates.encode(batch), words)
        single = self.linker.shape.single_root

        def decode(mask: Mask) -> tuple[float, Ints] | None:
            return self.linker.within(pairs, offsets, mask)

        heads = best_under(constraints, last - first, decode, True, single, place)
        of_tree = chosen(self.labeller.templates.encode(batch), words)
        found = Parsed(heads, self.labeller.label(of_tree, offsets, heads), list(self.names))
        return found if self.encoding is None else restored_within(found, self.encoding, constraints)

    def explain(self, batch: Batch) -> Explanation:
        """The links and labels of the one sentence of a batch, with the features that decided."""
        self.assure_whole(batch)
        return explaining.explain(self, batch)

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
        labeller = Labeller(compile_labels(label_features), names, named(arrays, LABEL))
        return cls(linker, labeller, header["encoding"], header["about"])

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
        }
        arrays = {
            "prepositions": linker.prepositions,
            **_arrays(linker.model),
            **{f"{LABEL}_{name}": array for name, array in labeller.model.arrays.items()},
        }
        return Packed(header, arrays)


def _arrays(model: LocalModel) -> dict[str, Array]:
    """The arrays of a local model for a file, those of a committee with the number of each."""
    if isinstance(model, Committee):
        return {f"{n}{name}": array for n, one in enumerate(model.models) for name, array in _arrays(one).items()}
    if not isinstance(model, LinearModel):
        raise HeadwayError(UNWRITTEN)
    return {f"{PAIR}_{name}": array for name, array in model.arrays.items()}


def _model(arrays: Arrays, shares: Sequence[float] | None) -> LocalModel:
    """What `_arrays` gave; `shares` are those of a committee."""
    if shares is None:
        return named(arrays, PAIR)
    return Committee(tuple(named(arrays, prefix) for prefix in _voters(shares)), tuple(shares))


def _voters(shares: Sequence[float]) -> list[str]:
    """What the arrays of each model of a committee are called."""
    return [f"{number}{PAIR}" for number in range(len(shares))]
