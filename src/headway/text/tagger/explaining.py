"""Why a tagger gave words their tags: each analysis beside the best other one, feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headway.data.batch import Batch, Ints
from headway.features.encode import column_of
from headway.features.language import Term
from headway.features.naming import NOTHING
from headway.stages.explanation.contract import Decision, Explanation
from headway.stages.explanation.trees import marked
from headway.text.sequence.deciding import Dictionary, Margins, Positions
from headway.text.sequence.explaining import WordExplainer, sentences_with
from headway.text.tagger.analyses import AGREEING, FEATS
from headway.text.tagger.batch_words import BatchWords
from headway.text.tagger.word_knowledge import SHARE, SIZES, longest_endings

if TYPE_CHECKING:
    from headway.text.tagger.tagger import Tagger


def explain(tagger: Tagger, batch: Batch) -> Explanation:
    """Why each word of the one sentence of a batch got its tags."""
    explainer = _explainer(tagger, batch)
    return explainer.explanation(tagger.layered(batch, explainer.found.chosen))


def wrong_decisions(tagger: Tagger, batch: Batch) -> list[Decision]:
    """The wrong analyses of the one sentence of a batch beside the right ones, where the tagger knows these."""
    return _explainer(tagger, batch).wrong(_right(tagger, batch).tolist())


def training_sentences_with(
    tagger: Tagger, batches: Sequence[Batch], ids: NDArray[np.uint64]
) -> dict[int, dict[int, int]]:
    """How often features, by key, stand at the words of which training sentences."""
    found: dict[int, dict[int, int]] = {}
    first = 0
    for batch in batches:
        sentences_with(tagger.templates, tagger.positions(batch), _right(tagger, batch), ids, first, found)
        first += len(batch)
    return found


def _explainer(tagger: Tagger, batch: Batch) -> TagExplainer:
    positions = tagger.positions(batch)
    return TagExplainer(tagger, batch, positions, tagger.margins(positions))


def _right(tagger: Tagger, batch: Batch) -> Ints:
    """The analyses that were read with a batch, by number; -1 where the tagger does not know them."""
    number = {row: at for at, row in enumerate(tagger.analyses.rows)}
    columns = [batch.bare.column(column) for column in tagger.analyses.columns]
    return np.array([number.get(row, -1) for row in zip(*columns, strict=True)], np.int32)


class TagExplainer(WordExplainer):
    """Explains the tags of one sentence."""

    kind = "tags"

    def __init__(self, tagger: Tagger, batch: Batch, positions: Positions, found: Margins) -> None:
        super().__init__(batch, tagger.templates, tagger.choices, tagger.weights, positions, found)
        self.analyses, self.knowledge = tagger.analyses, tagger.knowledge

    def choice_text(self, at: int, choice: int) -> str:
        """An analysis."""
        return " ".join(self.analyses.rows[choice])

    def wrong(self, right: Sequence[int]) -> list[Decision]:
        """The wrong analyses; what is typical of them is what differs, beside the first tag."""
        rows = self.analyses.rows
        pairs = (((one.word - 1), one) for one in super().wrong(right))
        return [
            replace(one, typical=" instead of ".join(self._differing(rows[self.found.chosen[at]], rows[right[at]])))
            for at, one in pairs
        ]

    def _differing(self, chosen: Sequence[str], right: Sequence[str]) -> tuple[str, str]:
        """What of two analyses is not the same, each with its first tag."""
        both = ([chosen[0]], [right[0]])
        for name, *tags in zip(self.analyses.columns[1:], chosen[1:], right[1:], strict=True):
            single = [tag.split("|") if name == FEATS else [tag] for tag in tags]
            for own, mine, other in zip(both, single, single[::-1], strict=True):
                own += [value for value in mine if value not in other]
        return " ".join(both[0]), " ".join(both[1])

    def said(self, at: int, choice: int) -> tuple[str, str]:
        """A word with its tags."""
        return f"{marked(self.cells, at + 1)} is", self.choice_text(at, choice)

    def value(self, word: int, place: int, term: Term) -> str:
        """Tags where they are decided already, what is known of words, cells of the sentence."""
        if term.attribute.partition(":")[0] in self.analyses.columns and place < word:
            return self.analyses.value(int(self.found.chosen[place - 1]), term.attribute)
        if term.attribute in self._known:
            return self._known[term.attribute][place - 1]
        cells = column_of(term.attribute)
        if cells is None:
            return str(int(self.positions.keys[place - 1, self.templates.columns.index(term.attribute)]))
        return self.cells.text(cells, place)

    @cached_property
    def _known(self) -> dict[str, list[str]]:
        """What the treebank says about each word, as tags."""
        knowledge, rows = self.knowledge, self.analyses.rows
        first, whole = [row[0] for row in rows], [" ".join(row) for row in rows]
        words = BatchWords(self.batch)
        forms, small, *ends = words.keys(("FORM", "LOWER", *SIZES))[words.numbers].T
        lower, of = knowledge.lower.find(small), self.analyses.value
        agreeing = [",".join(of(number, f"{FEATS}:{name}") for name in AGREEING) for number in range(len(rows))]
        # Words agree in what they had; new ones in what words with the same end had.
        by_word = _tags(knowledge.lower, lower, agreeing)
        by_end = _tags(knowledge.endings, longest_endings(knowledge.endings, np.column_stack(ends)), agreeing)
        known = _tags(knowledge.lower, lower, first)
        return {
            "KNOWN": _tags(knowledge.forms, knowledge.forms.find(forms), first),
            "LOWERKNOWN": known,
            "LIKELY": [tags.partition("/")[0] for tags in known],
            "ANALYSES": _tags(knowledge.lower, lower, whole),
            "AGREES": [end if own == NOTHING else own for own, end in zip(by_word, by_end, strict=True)],
        }


def _tags(dictionary: Dictionary, words: Ints, names: list[str]) -> list[str]:
    """The tags that words had, the most frequent first, without those that they seldom had; words by number."""
    shown = []
    for word in words.tolist():
        counts: dict[str, int] = {}
        if word >= 0:
            entries = slice(int(dictionary.start[word]), int(dictionary.start[word + 1]))
            for analysis, count in zip(dictionary.numbers[entries], dictionary.counts[entries], strict=True):
                counts[names[analysis]] = counts.get(names[analysis], 0) + int(count)
        often = [name for name, count in counts.items() if count * SHARE >= sum(counts.values())]
        shown.append("/".join(sorted(often, key=lambda name: -counts[name])) or NOTHING)
    return shown
