"""A stage that is no parser: the tag that each word had most often, and that of rare words for unknown ones.

It knows nothing of the loop, the model file or the command line; they must know what to do with it.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from headway.base.options import whole as whole_number
from headway.base.schema import CELL, Each, Layout, Numbers, Schema, whole
from headway.base.stage_options import StageOptions
from headway.data.layers import Codes
from headway.data.sources import digest_of
from headway.kernels.text.encode import key_of
from headway.stages.contract import PREDICTED, Packed

NAME, KIND = "toy-tagger", "toy tagger"


HEADER = {"names": Each(CELL, fewest=1), "unknown": whole(0)}


def arrays(header):
    return {"keys": Numbers("<u8", fewest=1), "tags": Numbers("<i4", low=0, high=len(header["names"]) - 1)}


def relations(header, arrays):
    yield len(arrays["keys"]) == len(arrays["tags"]), "there are not as many tags as keys"
    yield header["unknown"] < len(header["names"]), "unknown words have a tag that has no name"


@dataclass(frozen=True, eq=False)
class ToyTagger:
    """Keys of words in ascending order, and the number of the tag of each."""

    kind: ClassVar[str] = KIND
    schema: ClassVar[Schema] = Schema(HEADER, arrays, relations)
    needs: ClassVar[frozenset[str]] = frozenset({"FORM"})
    gives: ClassVar[frozenset[str]] = frozenset({"UPOS"})
    keys: np.ndarray
    tags: np.ndarray
    names: tuple[str, ...]
    unknown: int
    about: dict = field(default_factory=dict)

    def annotate(self, batch):
        words = np.array([key_of(form.encode()) for form in batch.column("FORM")], np.uint64)
        at = np.minimum(np.searchsorted(self.keys, words), len(self.keys) - 1)
        codes = np.where(self.keys[at] == words, self.tags[at], self.unknown).astype(np.int32)
        return batch.with_layer(PREDICTED, columns={"UPOS": Codes(codes, self.names)})

    def with_about(self, **facts):
        return replace(self, about={**self.about, **facts})

    def pack(self):
        header = {"kind": KIND, "names": list(self.names), "unknown": self.unknown, "about": self.about}
        return Packed(header, {"keys": self.keys, "tags": self.tags})

    @classmethod
    def unpack(cls, packed, source):
        header, arrays = packed
        names = tuple(header["names"])
        return cls(arrays["keys"], arrays["tags"], names, header["unknown"], header["about"])


class ToyTraining:
    """All is learned in one step."""

    unit, planned, keeps_best, unwritable = "count", 1, True, ""
    state = Layout(HEADER, arrays)

    def __init__(self, options, data):
        self.options, self.data, self.digest = options, data, digest_of(data)

    def step(self, number, progress):
        pairs = Counter(
            pair for batch in self.data for pair in zip(batch.column("FORM"), batch.bare.column("UPOS"), strict=True)
        )
        best, counts = {}, Counter()
        for (form, tag), count in pairs.items():
            best[form] = max(best.get(form, (0, "")), (count, tag))
            counts[form] += count
        rare = Counter(best[form][1] for form in counts if counts[form] <= self.options.rare)
        self.names = tuple(sorted({tag for _, tag in pairs}))
        self.unknown = self.names.index(min(rare or self.names, key=lambda tag: (-rare[tag], tag)))
        known = sorted((key_of(form.encode()), self.names.index(tag)) for form, (_, tag) in best.items())
        self.keys = np.array([key for key, _ in known], np.uint64)
        self.tags = np.array([tag for _, tag in known], np.int32)
        progress(1.0)
        return {"words": len(known)}

    def candidates(self):
        about = {"family": self.options.family, "options": self.options.identity(), "passes": 1}
        return [ToyTagger(self.keys, self.tags, self.names, self.unknown, about)]

    def pack(self):
        return Packed({"names": list(self.names), "unknown": self.unknown}, {"keys": self.keys, "tags": self.tags})

    def restore(self, packed):
        self.names, self.unknown = tuple(packed.header["names"]), packed.header["unknown"]
        self.keys, self.tags = packed.arrays["keys"], packed.arrays["tags"]


@dataclass(frozen=True, kw_only=True)
class ToyTaggerOptions(StageOptions):
    """One option of its own."""

    family: ClassVar[str] = NAME
    title: ClassVar[str] = "toy tagger"
    rare: int = whole_number(1, "Words seen so often or less say what unknown words are.", tried=(1, 2))

    def begin(self, data):
        return ToyTraining(self, data)


@dataclass(frozen=True, kw_only=True)
class PipelineTaggerOptions(ToyTaggerOptions):
    """The same in the place of the tagger of a pipeline."""

    family: ClassVar[str] = "tagger"

    def lack(self, data):
        has_tags = any(tag != "_" for batch in data for tag in batch.column("UPOS"))
        return None if has_tags else "tags"
