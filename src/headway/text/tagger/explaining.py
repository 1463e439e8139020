"""Why a tagger gave words their tags: each analysis beside the best other one, feature by feature."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from headway.data.batch import Batch, Ints
from headway.data.sentence import Sentence
from headway.features.compile import column_of
from headway.features.language import Term
from headway.features.naming import NOTHING, SentenceCells
from headway.stages.explanation.contract import Decision, Explanation
from headway.text.sequence.explaining import SequenceExplainer, WeighedPosition
from headway.text.sequence.training import Keys
from headway.text.tagger.analyses import AGREEING, EMPTY, FEATS, value_of
from headway.text.tagger.dictionary import Dictionary
from headway.text.tagger.endings import SIZES
from headway.text.tagger.word_columns import BatchWords, form_keys
from headway.text.tagger.word_facts import SHARE

if TYPE_CHECKING:
    from headway.text.tagger.tagger import Tagger


class TagExplainer:
    """One sentence with its analyses and what came next."""

    def __init__(self, tagger: Tagger, batch: Batch) -> None:
        self.tagger, self.batch, self.cells = tagger, batch, SentenceCells(batch)
        self.positions = tagger.positions(batch)
        self.found = tagger.margins(batch)
        self.chosen = self.found.chosen.tolist()

    def explanation(self) -> Explanation:
        """A decision for each word."""
        tagger = self.tagger
        explainer = SequenceExplainer(tagger.templates, tagger.choices, tagger.weights, self.positions, self.found)
        decisions = [self.decision(one) for one in explainer.weighed(0, self.cells.size)]
        return Explanation(Sentence.view(tagger.annotate(self.batch), 0), decisions)

    def decision(self, weighed: WeighedPosition) -> Decision:
        """The analysis of a word beside the best other one."""
        word = weighed.at + 1
        return weighed.decision(
            kind="tags",
            word=word,
            what=f"{self.cells.word(word)} ({word})",
            shown=self._shown,
            name=lambda template: self.name(word, template),
        )

    def _shown(self, choice: int) -> str:
        return " ".join(self.tagger.analyses.rows[choice])

    def name(self, word: int, template: int) -> str:
        """A feature with its values."""
        terms = self.tagger.templates.features[template].terms
        return " & ".join(f"{term}={self._text(term, word)}" for term in terms)

    def _text(self, term: Term, word: int) -> str:
        place, (column, _, name) = word + term.addresses[0].index, term.attribute.partition(":")
        if not 1 <= place <= self.cells.size:
            return NOTHING
        if column in self.tagger.analyses.columns and place < word:
            tags = dict(zip(self.tagger.analyses.columns, self._row(place), strict=True))[column]
            return value_of(tags, name) if name else tags
        if term.attribute in self._known:
            return self._known[term.attribute][place - 1]
        cells = column_of(term.attribute)
        if cells is None:
            at = self.tagger.templates.columns.index(term.attribute)
            return str(int(self.positions.keys[place - 1, at]))
        return self.cells.text(cells, place)

    def _row(self, place: int) -> tuple[str, ...]:
        return self.tagger.analyses.rows[self.chosen[place - 1]]

    @cached_property
    def _known(self) -> dict[str, list[str]]:
        """What the treebank says of each word, in the names of tags."""
        knowledge, rows = self.tagger.knowledge, self.tagger.analyses.rows
        first, whole = [row[0] for row in rows], [" ".join(row) for row in rows]
        forms, lower = form_keys(self.batch)
        found = {
            "KNOWN": _tags(knowledge.forms, forms, first),
            "LOWERKNOWN": _tags(knowledge.lower, lower, first),
            "ANALYSES": _tags(knowledge.lower, lower, whole),
            "AGREES": self._agreeing(lower),
        }
        return found | {"LIKELY": [tags.partition("/")[0] for tags in found["LOWERKNOWN"]]}

    def _agreeing(self, lower: Keys) -> list[str]:
        """Case, number and gender that each word may have, by itself or by its end."""
        tagger = self.tagger
        features = [
            dict(zip(tagger.analyses.columns, row, strict=True)).get(FEATS, EMPTY) for row in tagger.analyses.rows
        ]
        names = [",".join(value_of(some, name) for name in AGREEING) for some in features]
        own = _tags(tagger.knowledge.lower, lower, names)
        ends = BatchWords(self.batch).of_words(SIZES)
        by_end = _shown_tags(tagger.knowledge.endings.dictionary, tagger.knowledge.endings.find(ends), names)
        return [ending if found == NOTHING else found for found, ending in zip(own, by_end, strict=True)]


def _tags(dictionary: Dictionary, words: Keys, names: list[str]) -> list[str]:
    """The tags that words had, the most frequent first, without those that they seldom had."""
    return _shown_tags(dictionary, dictionary.find(words), names)


def _shown_tags(dictionary: Dictionary, words: Ints, names: list[str]) -> list[str]:
    """The same for words by their number in the dictionary."""
    shown = []
    for word in words.tolist():
        counts: dict[str, int] = {}
        if word >= 0:
            entries = slice(int(dictionary.start[word]), int(dictionary.start[word + 1]))
            for analysis, count in zip(dictionary.analyses[entries], dictionary.counts[entries], strict=True):
                counts[names[analysis]] = counts.get(names[analysis], 0) + int(count)
        often = [name for name, count in counts.items() if count * SHARE >= sum(counts.values())]
        shown.append("/".join(sorted(often, key=lambda name: -counts[name])) or NOTHING)
    return shown
