"""Why a lemmatizer took a lemma: the edit script of each word beside the best other one, feature by feature."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.features.compile import column_of
from headway.features.language import Term
from headway.features.naming import NOTHING
from headway.stages.explanation.contract import Decision
from headway.text.lemmatizer.word_keys import PIECES, LemmaWords, look_up, shape_of
from headway.text.sequence.deciding import Keys
from headway.text.sequence.explaining import WordExplainer

if TYPE_CHECKING:
    from headway.text.lemmatizer.lemmatizer import DecidedLemmas, Lemmatizer

FAMILIAR = "the runner-up scores a little better, but the treebank does not have its lemma"


class LemmaExplainer(WordExplainer):
    """Explains the lemmas of one sentence."""

    kind = "lemma"

    def __init__(self, lemmatizer: Lemmatizer, batch: Batch, words: LemmaWords, decided: DecidedLemmas) -> None:
        found = lemmatizer.margins(*decided)
        super().__init__(batch, lemmatizer.templates, decided.choices, lemmatizer.weights, decided.positions, found)
        self.lemmatizer, self.words = lemmatizer, words

    def decision(self, at: int, keys: Keys, is_there: NDArray[np.bool_]) -> Decision:
        """The decision about a word; a lemma known by heart needs no features."""
        if self.found.rivals[at, 0] < 0:
            return replace(super().decision(at, keys, np.zeros_like(is_there)), is_usual=True)
        made = super().decision(at, keys, is_there)
        return replace(made, situation=FAMILIAR) if made.score < (made.rival_score or 0.0) else made

    def choice_text(self, at: int, choice: int) -> str:
        """A lemma, and the script that makes it."""
        form = self.cells.word(at + 1)
        return f"{self.lemmatizer.makers[choice](form) or form.lower()} ({self.lemmatizer.scripts[choice]})"

    def value(self, word: int, place: int, term: Term) -> str:
        """What a lexicon has for a word, pieces and shapes of its form, cells of the sentence."""
        if term.attribute == "KNOWN":
            return self._listed[place - 1]
        column = column_of(term.attribute)
        assert column is not None
        form, size = self.cells.word(place), column.argument
        if column.kind == "shape":
            return shape_of(form)
        if column.kind in PIECES:
            # Pieces are made of the form in lower case, as `LemmaWords` makes them.
            return form.lower()[:size] if column.kind == "prefix" else form.lower()[-size:]
        return self.cells.text(column, place)

    @cached_property
    def _listed(self) -> list[str]:
        """The scripts that the lexicon has for each word."""
        sets, scripts = self.lemmatizer.sets, self.lemmatizer.scripts
        found = look_up(self.lemmatizer.lexicon, self.words.tagged())
        return ["/".join(scripts[script] for script in sets[one]) if one >= 0 else NOTHING for one in found.tolist()]
