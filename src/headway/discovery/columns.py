"""The columns of a search: a term's values in all configurations, found once and shared by all candidates and workers.

With a static oracle the configurations of a treebank are the same whatever the features. So a term, such as
`POS(STACK0 lc)`, is one column of numbers. It is kept in a file that all processes of a machine map into their memory;
conjunctions are made from the columns of their terms.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Ints
from headway.features.compile import compile_features
from headway.features.language import Address, Feature, Term
from headway.kernels.text import encode
from headway.kernels.transition import examples as kernel
from headway.parsers.transition.training import Configurations, TreeData, configurations
from headway.stages import model_file as files

AT_ONCE = 32
"""Terms that are looked up on one way through the treebank."""
ANY = Term("DEP", (Address("STACK", 0),))
ROOM = 1 << 29
"""Bytes of conjunctions that a process keeps, about."""
Keys = NDArray[np.uint64]


class FeatureColumn(NamedTuple):
    """For each configuration the number of its value, and the values: one row for each number, one column per term."""

    ids: Ints
    values: Keys

    def joined(self, other: FeatureColumn) -> FeatureColumn:
        """The column of both together."""
        ids, first = kernel.join(self.ids, other.ids, len(other.values))
        return FeatureColumn(ids, np.hstack([self.values[self.ids[first]], other.values[other.ids[first]]]))

    def keys(self, feature: Feature) -> Keys:
        """The keys that a parser computes for the values of the feature."""
        return np.asarray(kernel.keys(encode.key_of(str(feature).encode()), self.values))


class ColumnStore:
    """The columns of a treebank, found when they are asked for."""

    def __init__(self, data: TreeData, folder: str | os.PathLike[str]) -> None:
        self.data = data
        self.folder = Path(folder)
        self.terms: dict[Term, FeatureColumn] = {}
        self.features: dict[str, tuple[Ints, Keys]] = {}
        """Conjunctions and their keys, those asked for last at the end."""
        self.bytes = 0
        self.configurations, _ = self._walked([ANY])

    def prepare(self, terms: Iterable[Term]) -> None:
        """Find the columns of terms that have no file yet, many on one way through the treebank.

        Two workers may find the same one at once: a file appears when it is complete, and its content is the same.
        """
        wanted = (term for term in dict.fromkeys(terms) if term not in self.terms)
        missing = [term for term in wanted if not self._path(term).exists()]
        for first in range(0, len(missing), AT_ONCE):
            some = missing[first : first + AT_ONCE]
            for term, column in zip(some, self._walked(some)[1], strict=True):
                files.write(self._path(term), {"term": str(term)}, column._asdict())

    def term(self, term: Term) -> FeatureColumn:
        """The column of a term, mapped from its file."""
        if term not in self.terms:
            self.prepare([term])
            self.terms[term] = FeatureColumn(**files.read(self._path(term)).arrays)
        return self.terms[term]

    def feature(self, feature: Feature) -> tuple[Ints, Keys]:
        """For each configuration the number of the feature's value, and the keys of these values."""
        name = str(feature)
        if (known := self.features.pop(name, None)) is None:
            column = self.term(feature.terms[0])
            for term in feature.terms[1:]:
                column = column.joined(self.term(term))
            known = column.ids, column.keys(feature)
            self.bytes += _size(known)
        self.features[name] = known
        while self.bytes > ROOM and len(self.features) > 1:
            self.bytes -= _size(self.features.pop(next(iter(self.features))))
        return known

    def _path(self, term: Term) -> Path:
        name = blake2b(f"{self.data.digest} {term}".encode(), digest_size=12).hexdigest()
        return self.folder / f"{name}.column"

    def _walked(self, terms: Sequence[Term]) -> tuple[Configurations, list[FeatureColumn]]:
        """The configurations, and the columns of terms in them."""
        templates = compile_features([Feature((term,)) for term in terms])
        found, values = configurations(self.data.setup(templates), self.data.trees)
        slots = {feature.terms[0]: templates.member[at] for at, feature in enumerate(templates.features)}
        numbered = (np.unique(values[slots[term]], return_inverse=True) for term in terms)
        return found, [FeatureColumn(ids.astype(np.int32), distinct[:, None]) for distinct, ids in numbered]


def _size(arrays: tuple[Ints, Keys]) -> int:
    return sum(array.nbytes for array in arrays)
