"""The words of a batch as a lemmatizer sees them: distinct forms and tags by number, and the keys of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from headway.batch import Batch, Codes, Ints
from headway.features.compile import KeyColumn, column_of, keys_of
from headway.features.sequences import SequenceTemplates
from headway.kernels.sequence.templates import KINDS
from headway.text.lemma_dictionary import Keys, TaggedWords

PIECES = ("prefix", "suffix")
WHOLE = KeyColumn("FORM")
ATTRIBUTES = (
    "FORM",
    "LOWER",
    "UPOS",
    "XPOS",
    "FEATS",
    "SHAPE",
    "KNOWN",
    *(f"{piece}{size}" for piece in ("PREFIX", "SUFFIX") for size in range(1, 13)),
)
"""What features of lemmatizers may look at."""
REPEATED = re.compile(r"(.)\1+")


class LemmaWords:
    """The words of one batch; `tags` are the columns of tags that count, UPOS first."""

    def __init__(self, batch: Batch, tags: Sequence[str]) -> None:
        self.offsets: Ints = np.asarray(batch.sentence_word, np.int32)
        self.form = batch.codes("FORM")
        self.tags: dict[str, Codes] = {tag: batch.codes(tag) for tag in tags}

    def __len__(self) -> int:
        return len(self.form.codes)

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The distinct forms in lower case."""
        return tuple(name.lower() for name in self.form.names)

    @cached_property
    def form_keys(self) -> Keys:
        """The keys of the distinct forms."""
        return keys_of(self.form.names, WHOLE)

    @cached_property
    def lower_keys(self) -> Keys:
        """The keys of the distinct forms in lower case."""
        return keys_of(self.lower, WHOLE)

    @cached_property
    def types(self) -> tuple[NDArray[np.int64], Ints]:
        """A word of each type, those that differ in form or tags, and the type of each word."""
        number = self.form.codes.astype(np.int64)
        for codes in self.tags.values():
            number = number * len(codes.names) + codes.codes
        _, first, inverse = np.unique(number, return_index=True, return_inverse=True)
        return first, inverse.astype(np.int32)

    def tagged(self, words: NDArray[np.int64]) -> TaggedWords:
        """Some words as dictionaries look for them."""
        forms = self.form.codes[words]
        tags = [keys_of(codes.names, WHOLE)[codes.codes[words]] for codes in self.tags.values()]
        return TaggedWords(self.form_keys[forms], self.lower_keys[forms], tags)

    def keys(
        self, templates: SequenceTemplates, needed: NDArray[np.bool_], several: NDArray[np.bool_], known: Keys
    ) -> Keys:
        """The values that features look at: [word, column], 0 where there is none.

        Only words that are `needed` are decided about, so that pieces and shapes are made only of those in their
        reach. LOWER is told of words that have `several` lemmas; `known` is the key of what a lexicon knows of each.
        """
        keys = np.zeros((len(self), max(1, len(templates.columns))), np.uint64)
        for at, attribute in enumerate(templates.columns):
            if attribute == "KNOWN":
                keys[:, at] = known
            elif attribute == "LOWER":
                keys[:, at] = np.where(several, self.lower_keys[self.form.codes], 0)
            elif attribute == "SHAPE":
                keys[:, at] = self._of_forms(_reached(templates, at, needed), self._shapes)
            else:
                keys[:, at] = self._column(attribute, _reached(templates, at, needed))
        return keys

    def _column(self, attribute: str, reached: NDArray[np.bool_]) -> Keys:
        column = column_of(attribute)
        if column is None:
            return np.zeros(len(self), np.uint64)
        if column.kind in PIECES:
            return self._of_forms(reached, lambda forms: self._pieces(forms, column))
        if column.field == "FORM":
            return self.form_keys[self.form.codes]
        codes = self.tags.get(column.field)
        return np.zeros(len(self), np.uint64) if codes is None else keys_of(codes.names, column)[codes.codes]

    def _of_forms(self, reached: NDArray[np.bool_], keys: Callable[[NDArray[np.int64]], Keys]) -> Keys:
        """Keys of the forms of reached words, made once for each form; of others 0."""
        is_wanted = np.zeros(len(self.form.names), np.bool_)
        is_wanted[self.form.codes[reached]] = True
        wanted = np.flatnonzero(is_wanted)
        table = np.zeros(len(self.form.names), np.uint64)
        if len(wanted):
            table[wanted] = keys(wanted)
        return table[self.form.codes]

    def _pieces(self, forms: NDArray[np.int64], column: KeyColumn) -> Keys:
        """Pieces of forms in lower case; 0 where the form is no longer than the piece."""
        names = [self.lower[form] for form in forms.tolist()]
        sizes = np.fromiter(map(len, names), np.int64, len(names))
        return np.where(sizes > column.argument, keys_of(names, column), 0)

    def _shapes(self, forms: NDArray[np.int64]) -> Keys:
        return keys_of([shape_of(self.form.names[form]) for form in forms.tolist()], WHOLE)


def _reached(templates: SequenceTemplates, column: int, needed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The words at which features of needed words look at a column; a few too many at the ends of sentences."""
    of_column = (templates.slot[:, 0] == KINDS["column"]) & (templates.slot[:, 2] == column)
    reached = np.zeros_like(needed)
    for offset in set(templates.slot[of_column, 1].tolist()):
        size = len(needed) - abs(offset)
        if size > 0:
            reached[max(0, offset) :][:size] |= needed[max(0, -offset) :][:size]
    return reached


@lru_cache(1 << 14)
def shape_of(form: str) -> str:
    """Upper and lower case, digits and other characters, with one of several alike: `X x+`, `d+.d`."""
    kinds = (
        "X" if character.isupper() else "x" if character.isalpha() else "d" if character.isdigit() else character
        for character in form
    )
    return REPEATED.sub(r"\1+", "".join(kinds))
