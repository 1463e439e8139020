"""Learn from corrected lemmas: what is known by heart gives way, and weights learn where there is a choice.

A word with these tags is known by heart from then on. Where it has several lemmas, the new one is among them, and the
weights learn to choose it here. For words that were not known, they learn it for others like them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from headway.data.batch import Batch, Ints
from headway.stages.updating import MOST_ROUNDS, Cells, Learned
from headway.text.lemmatizer.edit_scripts import maker_of, script_for, whole_script
from headway.text.lemmatizer.lemmatizer import DecidedLemmas, Lemmatizer
from headway.text.lemmatizer.script_parts import script_parts
from headway.text.lemmatizer.word_keys import EXACT, LOWER, LemmaWords, lemma_keys, look_up
from headway.text.sequence.deciding import find_keys
from headway.text.sequence.updating import MARGIN, apart_from, learning_weights

LEMMA = "LEMMA"
LONGEST = 200
"""Longer forms and lemmas are replaced as a whole: to find what they have in common takes more than linear time."""


class _Type(NamedTuple):
    """A form with its tags."""

    first: int
    """A word of it."""
    scripts: list[int]
    """Those that its words are to have."""


def corrected(lemmatizer: Lemmatizer, batch: Batch, cells: Cells, *, in_place: bool = False) -> Learned:
    """The lemmatizer after a correction."""
    wanted = {word - 1: lemma for word, lemma in cells.get(LEMMA, {}).items()}
    words = LemmaWords(batch, lemmatizer.tags)
    decided = lemmatizer.decide(words)
    wrong = _wrong(lemmatizer, words, wanted, decided.chosen)
    if not wrong:
        return Learned(lemmatizer, True)
    forms = words.form.strings()
    scripts, chosen = dict(zip(lemmatizer.scripts, range(len(lemmatizer.scripts)), strict=True)), decided.chosen.copy()
    for word in wrong:
        pair = forms[word], wanted[word]
        script = script_for(*pair) if max(map(len, pair)) <= LONGEST else whole_script(*pair)
        chosen[word] = scripts.setdefault(script, len(scripts))
    stage = _generalised(lemmatizer, words, decided, wrong, chosen, in_place)
    stage = _with_lemmas(_with_scripts(stage, tuple(scripts)), [wanted[word] for word in wrong])
    types = _types(words, wrong, wanted, chosen)
    stage = _remembered(stage, words, types, overrule=False)
    stage, wrong = _stepped(stage, words, wanted, chosen, in_place or stage.weights is not lemmatizer.weights)
    if wrong:
        stage = _remembered(stage, words, _types(words, wrong, wanted, chosen), overrule=True)
        wrong = _wrong(stage, words, wanted, stage.decide(words).chosen)
    if not in_place:
        stage = _derived(stage, weights=apart_from(lemmatizer.weights, stage.weights))
    return Learned(stage, not wrong)


def _wrong(stage: Lemmatizer, words: LemmaWords, wanted: Mapping[int, str], chosen: Ints) -> list[int]:
    """The words whose lemmas are not those wanted."""
    forms, names = words.form.codes.tolist(), words.form.names
    made = {word: stage.makers[chosen[word]](names[forms[word]]) or names[forms[word]].lower() for word in wanted}
    return [word for word, lemma in wanted.items() if made[word] != lemma]


def _derived(stage: Lemmatizer, **changes: object) -> Lemmatizer:
    """The lemmatizer with changes that leave its scripts as they are, and with what it has derived from these."""
    found = replace(stage, **changes)  # type: ignore[arg-type]
    kept = ("fitting", "parts", "part_numbers", "makers")
    found.__dict__.update((name, stage.__dict__[name]) for name in kept if name in stage.__dict__)
    return found


def _generalised(
    stage: Lemmatizer, words: LemmaWords, decided: DecidedLemmas, wrong: list[int], chosen: Ints, in_place: bool
) -> Lemmatizer:
    """The lemmatizer after a step for words that are not known, where their scripts are among those that fit."""
    choices, positions, before = decided
    tagged = words.tagged(np.array(wrong, np.int64))
    is_new = (look_up(stage.dictionary, tagged) < 0) & (look_up(stage.lexicon, tagged) < 0)
    mask = np.zeros(len(words), np.bool_)
    for word, new in zip(wrong, is_new.tolist(), strict=True):
        mask[word] = new and chosen[word] in choices.allowed(int(positions.sets[word]))
    if not mask.any():
        return stage
    size = choices.classes
    weights = learning_weights(stage.weights, size, size, in_place=in_place)
    weights.step(stage.templates, choices, positions, np.where(mask, chosen, before).astype(np.int32), mask, MARGIN)
    return _derived(stage, weights=weights)


def _with_scripts(stage: Lemmatizer, scripts: tuple[str, ...]) -> Lemmatizer:
    """The lemmatizer with more scripts behind its own, for words that are known to have them."""
    before = len(stage.scripts)
    if len(scripts) == before:
        return stage
    found = replace(stage, scripts=scripts, learned=before if stage.learned is None else stage.learned)
    new = scripts[before:]
    found.__dict__.update(
        fitting=stage.fitting,
        part_numbers=stage.part_numbers,
        parts=stage.parts + script_parts(new, stage.part_numbers),
        makers=[*stage.makers, *map(maker_of, new)],
    )
    return found


def _with_lemmas(stage: Lemmatizer, lemmas: list[str]) -> Lemmatizer:
    """The lemmatizer to which these lemmas are familiar, too."""
    keys = np.unique(lemma_keys(lemmas))
    new = keys[find_keys(stage.lemmas, keys) < 0]
    return _derived(stage, lemmas=np.insert(stage.lemmas, np.searchsorted(stage.lemmas, new), new))


def _types(words: LemmaWords, wrong: list[int], wanted: Mapping[int, str], chosen: Ints) -> list[_Type]:
    """The types of words that are wrong."""
    first, type_of = words.types
    found = []
    for number in sorted({int(type_of[word]) for word in wrong}):
        own = [word for word in np.flatnonzero(type_of == number).tolist() if word in wanted]
        found.append(_Type(int(first[number]), sorted({int(chosen[word]) for word in own})))
    return found


def _remembered(stage: Lemmatizer, words: LemmaWords, types: list[_Type], *, overrule: bool) -> Lemmatizer:
    """The lemmatizer that knows the scripts of types by heart, beside others only where the type has several.

    With `overrule`, others are forgotten. How a word is written with all its tags is remembered in any case; with
    other case or tags, only what was known in the same way before, or was not known.
    """
    sets, dictionary, lexicon = stage.sets, stage.dictionary, stage.lexicon
    forms = words.form.strings()
    for one in types:
        tagged = words.tagged(np.array([one.first], np.int64))
        ways = [int(keys[0]) for keys in tagged.ways()]
        known, listed = int(look_up(dictionary, tagged)[0]), int(look_up(lexicon, tagged)[0])
        is_listed = stage.rules and listed >= 0
        before = listed if is_listed else known
        scripts = set(one.scripts)
        if before >= 0 and not overrule and len(sets[before]) > 1:
            scripts |= set(sets[before])
        sets, number = sets.with_list(sorted(scripts))
        if is_listed:
            lexicon = lexicon.replaced(ways[EXACT], number)
        form = forms[one.first]
        folds = form == form.lower() or all(stage.scripts[script].startswith("lower|") for script in one.scripts)
        for way, key in enumerate(ways):
            own = int(dictionary.look_up(np.array([key], np.uint64))[0])
            is_same = way == LOWER and own == known
            if way == EXACT or ((own < 0 or is_same) and (way < LOWER or folds)):
                dictionary = dictionary.replaced(key, number)
    return _derived(stage, sets=sets, dictionary=dictionary, lexicon=lexicon)


def _stepped(
    stage: Lemmatizer, words: LemmaWords, wanted: Mapping[int, str], chosen: Ints, in_place: bool
) -> tuple[Lemmatizer, list[int]]:
    """The lemmatizer after steps for words that it knows with several lemmas, and words that are still wrong."""
    decided = stage.decide(words)
    wrong = _wrong(stage, words, wanted, decided.chosen)
    if not wrong:
        return stage, wrong
    size = decided.choices.classes
    weights = learning_weights(stage.weights, size, size, in_place=in_place)
    stage = _derived(stage, weights=weights)
    mask = np.zeros(len(words), np.bool_)
    for rounds in range(1, MOST_ROUNDS + 1):
        mask[wrong] = True
        choices, positions, before = decided
        right = np.where(mask, chosen, before).astype(np.int32)
        weights.step(stage.templates, choices, positions, right, mask, MARGIN * rounds)
        decided = stage.decide(words)
        wrong = _wrong(stage, words, wanted, decided.chosen)
        if not wrong:
            break
    return stage, wrong
