"""Learn from corrected tags: steps on the weights, and new analyses where the tagger does not have them yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from headway.data.batch import Batch, Ints
from headway.stages.updating import MOST_ROUNDS, Cells, Learned
from headway.text.sequence.continuing import Passes, continued_by_sentences
from headway.text.sequence.deciding import Dictionary, NumberLists, Positions
from headway.text.sequence.updating import MARGIN, learning_weights
from headway.text.tagger.analyses import EMPTY, FEATS, Analyses, analyses_in
from headway.text.tagger.batch_words import BatchWords
from headway.text.tagger.tagger import Tagger
from headway.text.tagger.word_knowledge import SIZES, endings_of

Wanted = Mapping[int, Mapping[int, str]]
"""For some words, counted from 0, what their analyses must have, by the place of the column."""


def corrected(tagger: Tagger, batch: Batch, cells: Cells, *, in_place: bool = False) -> Learned:
    """The tagger after at most ten rounds of steps towards analyses that have what is wanted."""
    wanted: dict[int, dict[int, str]] = {}
    for column, values in cells.items():
        for word, value in values.items():
            wanted.setdefault(word - 1, {})[tagger.analyses.columns.index(column)] = value
    positions = tagger.positions(batch)
    found = tagger.decide(positions)
    wrong = _wrong(tagger.analyses, wanted, found)
    if not wrong:
        return Learned(tagger, True)
    chosen, analyses = _targets(tagger, positions, wanted, found)
    larger = _allowing(_enlarged(tagger, analyses), positions.sets, chosen, wanted)
    weights = learning_weights(tagger.weights, tagger.choices.classes, larger.choices.classes, in_place=in_place)
    kept = larger.__dict__
    larger = replace(larger, weights=weights)
    larger.__dict__.update((name, kept[name]) for name in ("choices", "_attributes", "_kinds") if name in kept)
    if analyses is not tagger.analyses or larger.knowledge is not tagger.knowledge:
        positions = larger.positions(batch)
    mask = np.zeros(len(chosen), np.bool_)
    for rounds in range(1, MOST_ROUNDS + 1):
        mask[list(wrong)] = True
        history = np.where(mask | np.isin(np.arange(len(chosen)), list(wanted)), chosen, found).astype(np.int32)
        weights.step(larger.templates, larger.choices, positions, history, mask, MARGIN * rounds)
        found = larger.decide(positions)
        wrong = _wrong(analyses, wanted, found)
        if not wrong:
            return Learned(larger, True)
    return Learned(larger, False)


def _wrong(analyses: Analyses, wanted: Wanted, found: Ints) -> list[int]:
    """The words whose analyses do not have what is wanted."""
    rows = analyses.rows
    return [word for word, tags in wanted.items() if not _has(rows[found[word]], tags)]


def _has(row: tuple[str, ...], tags: Mapping[int, str]) -> bool:
    return all(row[at] == value for at, value in tags.items())


def _targets(tagger: Tagger, positions: Positions, wanted: Wanted, found: Ints) -> tuple[Ints, Analyses]:
    """An analysis for each word, and all analyses with those that are new.

    Where only some columns are wanted, the tagger chooses the rest: among analyses that have them, else it keeps what
    it found.
    """
    rows, analyses = tagger.analyses.rows, tagger.analyses
    fitting: dict[int, list[int]] = {}
    new: dict[int, tuple[str, ...]] = {}
    for word, tags in wanted.items():
        row = tuple(tags.get(at, cell) for at, cell in enumerate(rows[found[word]]))
        if row in analyses.number:
            fitting[word] = [analyses.number[row]]
        elif len(tags) < len(row) and (some := [at for at, one in enumerate(rows) if _has(one, tags)]):
            fitting[word] = some
        else:
            new[word] = row
    chosen = found.copy()
    if several := [word for word, some in fitting.items() if len(some) > 1]:
        sets, choices = positions.sets.copy(), tagger.choices
        sets[several] = len(choices.sets) + np.arange(len(several), dtype=np.int32)
        more = NumberLists.of([fitting[word] for word in several])
        chosen = tagger.weights.decide(tagger.templates, choices.with_more(more), positions._replace(sets=sets))
    for word, some in fitting.items():
        if len(some) == 1:
            chosen[word] = some[0]
    analyses = analyses.enlarged(new.values())
    for word, row in new.items():
        chosen[word] = analyses.number[row]
    return chosen, analyses


def _enlarged(tagger: Tagger, analyses: Analyses) -> Tagger:
    """The tagger with more analyses."""
    if analyses is tagger.analyses:
        return tagger
    tag_of = analyses.keys(analyses.columns[:1])[:, 0]
    knowledge = replace(tagger.knowledge, tag_of=tag_of, agreeing=analyses.agreeing)
    return replace(tagger, analyses=analyses, knowledge=knowledge)


def _allowing(tagger: Tagger, sets: Ints, chosen: Ints, wanted: Iterable[int]) -> Tagger:
    """The tagger that allows words what was chosen for them, as if they had it once more in the treebank or lexicon."""
    knowledge = tagger.knowledge
    lower, lexicon = knowledge.lower, knowledge.lexicon
    known = len(lower.keys)
    for word in wanted:
        number, analysis = int(sets[word]), int(chosen[word])
        if number < 0:
            continue
        dictionary, place = (lower, number) if number < known else (lexicon, number - known)
        if analysis in dictionary.numbers[dictionary.start[place] : dictionary.start[place + 1]]:
            continue
        larger = dictionary.with_entry(place, analysis)
        lower, lexicon = (larger, lexicon) if number < known else (lower, larger)
    if lower is knowledge.lower and lexicon is knowledge.lexicon:
        return tagger
    return replace(tagger, knowledge=replace(knowledge, lower=lower, lexicon=lexicon))


def continued(tagger: Tagger, batches: Sequence[Batch], how: Passes) -> Tagger:
    """The tagger after it was corrected, sentence by sentence; it knows the words of the treebank, too."""
    return continued_by_sentences(_knowing(tagger, batches), batches, how)


def _knowing(tagger: Tagger, batches: Sequence[Batch]) -> Tagger:
    """The tagger that knows the words of a treebank, and has weights for their analyses; words without one say nothing.

    Of ends, those count that rare words of the treebank share, as if it stood alone.
    """
    columns, knowledge = tagger.analyses.columns, tagger.knowledge
    found, gold = analyses_in(batches, columns)
    whole = [
        all(cell != EMPTY or column == FEATS for cell, column in zip(row, columns, strict=True)) for row in found.rows
    ]
    analyses = tagger.analyses.enlarged(row for row, is_whole in zip(found.rows, whole, strict=True) if is_whole)
    is_known = np.array(whole, np.bool_)[gold]
    if not is_known.any():
        return tagger
    number = np.array([analyses.number.get(row, -1) for row in found.rows], np.int32)[gold][is_known]
    words = [BatchWords(batch) for batch in batches]
    forms, lower, *ends = (
        np.concatenate([some.column(name) for some in words])[is_known] for name in ("FORM", "LOWER", *SIZES)
    )
    larger = _enlarged(tagger, analyses)
    knowledge = replace(
        larger.knowledge,
        forms=knowledge.forms + Dictionary.of(forms, number),
        lower=knowledge.lower + Dictionary.of(lower, number),
        endings=knowledge.endings + endings_of(forms, np.column_stack(ends), number, knowledge.rare),
    )
    larger = replace(larger, knowledge=knowledge)
    before, after = tagger.choices.classes, larger.choices.classes
    return replace(larger, weights=learning_weights(tagger.weights, before, after, in_place=False))
