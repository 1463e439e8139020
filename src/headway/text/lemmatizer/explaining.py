"""Why a lemmatizer took a lemma: the edit script of each word beside the best other one, feature by feature."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from headway.data.batch import Batch
from headway.data.sentence import Sentence
from headway.features.compile import column_of
from headway.features.language import Term
from headway.features.naming import NOTHING, SentenceCells
from headway.stages.explanation.contract import Decision, Explanation
from headway.text.lemmatizer.positions import PIECES, LemmaWords, shape_of
from headway.text.sequence.explaining import SequenceExplainer, WeighedPosition
from headway.text.sequence.training import Choices, Positions

if TYPE_CHECKING:
    from headway.text.lemmatizer.lemmatizer import Lemmatizer

FAMILIAR = "the runner-up scores a little better, but the treebank does not have its lemma"


class LemmaExplainer:
    """One sentence with its scripts and what came next."""

    def __init__(self, lemmatizer: Lemmatizer, batch: Batch) -> None:
        self.lemmatizer, self.batch, self.cells = lemmatizer, batch, SentenceCells(batch)
        self.words = LemmaWords(batch, lemmatizer.tags)
        keys, sets, of_word, chosen = lemmatizer.decided(self.words)
        start, member, _ = lemmatizer.parts
        choices = Choices(
            tuple(tuple(member[begin:end].tolist()) for begin, end in pairwise(start.tolist())),
            listed=(sets.start, sets.member),
        )
        nothing, alike = np.zeros((len(start) - 1, 1), np.uint64), np.zeros(len(start) - 1, np.int32)
        positions = Positions(keys, self.words.offsets, nothing, of_word.astype(np.int32))
        found = lemmatizer.weights.margins(lemmatizer.templates, choices, positions, alike, chosen)
        self.explainer = SequenceExplainer(lemmatizer.templates, choices, lemmatizer.weights, positions, found)

    def explanation(self) -> Explanation:
        """A decision for each word."""
        decisions = [self.decision(one) for one in self.explainer.weighed(0, self.cells.size)]
        return Explanation(Sentence.view(self.lemmatizer.annotate(self.batch), 0), decisions)

    def decision(self, weighed: WeighedPosition) -> Decision:
        """The lemma of a word; of one that is known by heart no features are looked at."""
        word = weighed.at + 1
        if weighed.rival < 0:
            weighed = weighed._replace(templates=[], given=np.zeros(0), against=np.zeros(0))
        return weighed.decision(
            kind="lemma",
            word=word,
            what=f"{self.cells.word(word)} ({word})",
            shown=lambda script: self._shown(word, script),
            name=lambda template: self.name(word, template),
            situation=FAMILIAR if weighed.given.sum() < weighed.against.sum() else "",
            is_usual=weighed.rival < 0,
        )

    def _shown(self, word: int, script: int) -> str:
        """A lemma, and the script that makes it."""
        form = self.cells.word(word)
        return f"{self.lemmatizer.makers[script](form) or form.lower()} ({self.lemmatizer.scripts[script]})"

    def name(self, word: int, template: int) -> str:
        """A feature with its values."""
        terms = self.lemmatizer.templates.features[template].terms
        return " & ".join(f"{term}={self._text(term, word)}" for term in terms)

    def _text(self, term: Term, word: int) -> str:
        place, column = word + term.addresses[0].index, column_of(term.attribute)
        if not 1 <= place <= self.cells.size:
            return NOTHING
        if term.attribute == "KNOWN":
            return self._listed[place - 1]
        assert column is not None
        form, size = self.cells.word(place), column.argument
        if column.kind == "shape":
            return shape_of(form)
        if column.kind in PIECES:
            # Pieces are made of the form in lower case, as `lemma_positions` makes them.
            return form.lower()[:size] if column.kind == "prefix" else form.lower()[-size:]
        return self.cells.text(column, place)

    @cached_property
    def _listed(self) -> list[str]:
        """The scripts that the lexicon has for each word."""
        sets, scripts = self.lemmatizer.sets, self.lemmatizer.scripts
        found = self.lemmatizer.lexicon.look_up(self.words.tagged(np.arange(self.cells.size))).tolist()
        members = [sets.member[sets.start[one] : sets.start[one + 1]].tolist() if one >= 0 else [] for one in found]
        return ["/".join(scripts[script] for script in some) or NOTHING for some in members]
