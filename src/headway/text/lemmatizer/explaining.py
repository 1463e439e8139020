"""Why a lemmatizer took a lemma: the edit script of each word beside the best other one, feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch
from headway.features.encode import column_of
from headway.features.language import Term
from headway.features.naming import NOTHING
from headway.stages.explanation.contract import Decision, Explanation
from headway.stages.explanation.trees import marked
from headway.text.lemmatizer.word_keys import PIECES, LemmaWords, known_keys, look_up, shape_of
from headway.text.sequence.deciding import Keys, Positions
from headway.text.sequence.explaining import WordExplainer, sentences_with

if TYPE_CHECKING:
    from headway.text.lemmatizer.lemmatizer import DecidedLemmas, Lemmatizer

FAMILIAR = "the runner-up scores a little better, but the treebank does not have its lemma"


def explain(lemmatizer: Lemmatizer, batch: Batch) -> Explanation:
    """Why each word of the one sentence of a batch got its lemma."""
    words = LemmaWords(batch, lemmatizer.tags)
    decided = lemmatizer.decide(words)
    annotated = lemmatizer.layered(batch, words, decided.chosen)
    return LemmaExplainer(lemmatizer, batch, words, decided).explanation(annotated)


def wrong_decisions(lemmatizer: Lemmatizer, batch: Batch) -> list[Decision]:
    """The wrong lemmas of the one sentence of a batch beside the right ones.

    Left out are lemmas known by heart, and words for which no script that was allowed makes the right lemma.
    """
    words = LemmaWords(batch, lemmatizer.tags)
    if not len(words):
        return []
    decided, makers = lemmatizer.decide(words), lemmatizer.makers
    right = []
    for at, (form, lemma) in enumerate(zip(batch.column("FORM"), batch.bare.column("LEMMA"), strict=True)):
        allowed = decided.choices.allowed(int(decided.positions.sets[at]))
        made = (makers[int(decided.chosen[at])](form) or form.lower()) if len(allowed) > 1 else lemma
        fitting = (script for script in allowed if makers[script](form) == lemma)
        right.append(-1 if made == lemma else next(fitting, -1))
    return LemmaExplainer(lemmatizer, batch, words, decided).wrong(right)


def training_sentences_with(lemmatizer: Lemmatizer, batches: Sequence[Batch], ids: Keys) -> dict[int, dict[int, int]]:
    """How often features, by key, stand at the words of which training sentences, as if each word were new."""
    found: dict[int, dict[int, int]] = {}
    first = 0
    for batch in batches:
        words = LemmaWords(batch.bare, lemmatizer.tags)
        nothing = np.zeros((1, 1), np.uint64)
        known = known_keys(look_up(lemmatizer.lexicon, words.tagged()))
        keys = words.keys(lemmatizer.templates, np.zeros(len(words), np.bool_), known)
        positions = Positions(keys, words.offsets, nothing, np.zeros(len(words), np.int32))
        sentences_with(lemmatizer.templates, positions, np.zeros(len(words), np.int32), ids, first, found)
        first += len(batch)
    return found


class LemmaExplainer(WordExplainer):
    """Explains the lemmas of one sentence."""

    kind = "lemma"

    def __init__(self, lemmatizer: Lemmatizer, batch: Batch, words: LemmaWords, decided: DecidedLemmas) -> None:
        found = lemmatizer.margins(*decided)
        super().__init__(batch, lemmatizer.templates, decided.choices, lemmatizer.weights, decided.positions, found)
        self.lemmatizer, self.words = lemmatizer, words

    def decision(self, at: int, keys: Keys, is_there: NDArray[np.bool_], right: int | None = None) -> Decision:
        """The decision about a word; a lemma known by heart needs no features."""
        if self.found.rivals[at, 0] < 0:
            return replace(super().decision(at, keys, np.zeros_like(is_there), right), is_usual=True)
        made = super().decision(at, keys, is_there, right)
        if right is not None:
            return made
        return replace(made, situation=FAMILIAR) if made.score < (made.rival_score or 0.0) else made

    def choice_text(self, at: int, choice: int) -> str:
        """A lemma, and the script that makes it."""
        form = self.cells.word(at + 1)
        return f"{self.lemmatizer.makers[choice](form) or form.lower()} ({self.lemmatizer.scripts[choice]})"

    def said(self, at: int, choice: int) -> tuple[str, str]:
        """A word with its lemma."""
        lemma = self.lemmatizer.makers[choice](self.cells.word(at + 1)) or self.cells.word(at + 1).lower()
        return f"the lemma of {marked(self.cells, at + 1)} is", f"*{lemma}*"

    def typical(self, choice: int, at: int) -> str:
        """The script."""
        return self.lemmatizer.scripts[choice]

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
