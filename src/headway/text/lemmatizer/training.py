"""Training a lemmatizer in passes over the words of a treebank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headway.base.errors import HeadwayError
from headway.data.batch import Batch, Ints
from headway.data.formats.format import TAGS
from headway.data.sources import digest_of
from headway.features.encode import keys_of
from headway.features.reduce import fitted
from headway.features.registry import features_from
from headway.features.sequences import COLUMN, SequenceTemplates, compile_sequence
from headway.text.lemmatizer.edit_scripts import (
    UNSAID,
    FittingScripts,
    parsed,
    script_for,
)
from headway.text.lemmatizer.file_schema import ALWAYS
from headway.text.lemmatizer.lemmatizer import Lemmatizer
from headway.text.lemmatizer.options import RULES, LemmatizerOptions
from headway.text.lemmatizer.script_parts import numbered_parts, script_parts
from headway.text.lemmatizer.word_keys import (
    ATTRIBUTES,
    EXACT,
    EXACT_UPOS,
    LOWER,
    LOWERED,
    OUTLINE,
    WHOLE,
    LemmaWords,
    TaggedWords,
    joined,
    key_columns,
    known_keys,
    lemma_keys,
    look_up,
)
from headway.text.lexicon import Lexicon, read_lexicon
from headway.text.sequence.deciding import Choices, Dictionary, Keys, KeyTable, NumberLists, Positions, SequenceWeights
from headway.text.sequence.training import SequenceLearning, SequenceTraining

FITS_ALL = 3
"""A script that fits every word is used for new ones where it was seen with so many; others are mostly misspellings."""
Sets = dict[tuple[int, ...], int]
"""Sets of scripts, ascending, and their numbers."""


class LemmatizerTraining(SequenceTraining):
    """A training of a lemmatizer; scripts, dictionary and the keys of all words are made once.

    New words are learned from the words of the treebank as if each were new: a word with its tags and its lemma counts
    once, and every script that fits its form may be chosen. Words that have several lemmas are learned from in all
    their places, and choose between those.
    """

    def __init__(self, options: LemmatizerOptions, data: Sequence[Batch]) -> None:
        self.options = options
        if not any(len(batch.word_line) for batch in data):
            raise HeadwayError("the treebank has no sentences; give one with lemmas")
        self.lexicon = read_lexicon(options.lexicon) if options.lexicon else {}
        kept = fitted(features_from(options.features, options.default_features), data, level=0)
        self.templates = compile_sequence(kept, ATTRIBUTES)
        self.tags = tuple(tag for tag in TAGS if tag == TAGS[0] or any(_is_filled(batch, tag) for batch in data))
        self._learn_scripts(data)
        words = sum(len(batch.word_line) for batch in data)
        counts = {"sentences": sum(map(len, data)), "words": words, "scripts": len(self.scripts)}
        super().__init__(options, self._prepared(data), _digest(data, self.lexicon), counts)

    def _learn_scripts(self, data: Sequence[Batch]) -> None:
        """Number the scripts: those for new words first, the more frequent before the others."""
        columns = [(batch.column("FORM"), batch.bare.column("LEMMA")) for batch in data]
        pairs = [(form, lemma or UNSAID) for some in columns for form, lemma in zip(*some, strict=True)]
        of_pair = {pair: script_for(*pair) for pair in set(pairs)}
        forms_of: defaultdict[str, set[str]] = defaultdict(set)
        for (form, _), script in of_pair.items():
            forms_of[script].add(form.lower())
        if set(forms_of) == {UNSAID}:
            raise HeadwayError("the treebank has no lemmas; give one with lemmas, or leave the lemmatizer out")
        listed = [line.script for lines in self.lexicon.values() for line in lines]
        counts = {script: len(forms_of.get(script, ())) for script in {*forms_of, *ALWAYS, *listed}}
        is_open = {
            script: script in ALWAYS or count >= (self.options.cutoff if _names_characters(script) else FITS_ALL)
            for script, count in counts.items()
        }
        order = sorted(counts, key=lambda one: (not is_open[one], one not in ALWAYS, -counts[one], one))
        self.scripts, self.open = tuple(order), sum(is_open.values())
        self.number = {script: number for number, script in enumerate(order)}
        self.gold = np.array([self.number[of_pair[pair]] for pair in pairs], np.int32)

    def _prepared(self, data: Sequence[Batch]) -> SequenceLearning:
        """The dictionary, the lemmas that are familiar, and the positions that weights are learned from."""
        parts = [LemmaWords(batch, self.tags) for batch in data]
        tagged = _together(parts)
        forms = [form for words in parts for form in words.form.strings()]
        is_lower = np.array([form == form.lower() for form in forms])
        folds = is_lower | np.array([script.startswith("lower|") for script in self.scripts])[self.gold]
        self.sets: Sets = {(number,): number for number in range(len(self.scripts))}
        # Words are known with the tags that stages before gave them, and with right ones.
        bare = [LemmaWords(batch.bare, self.tags) for batch in data] if any(batch.layers for batch in data) else []
        seen, times = _together([*parts, *bare]), 2 if bare else 1
        right = np.tile(self.gold, times), np.tile(folds, times)
        self.dictionary = learned_lemmas(seen, *right, self.sets, self.options.sure)
        self.listed = lexicon_lemmas(self.lexicon, self.number, self.tags, self.sets)
        lemmas = [lemma for batch in data for lemma in batch.bare.column("LEMMA")]
        self.lemmas = np.unique(lemma_keys(lemmas))
        known, of_lexicon = look_up(self.dictionary, tagged), look_up(self.listed, tagged)
        several = NumberLists.of(self.sets).sizes[known] > 1
        sets, of_word, learned = self._sets_of(forms, known, several, _first_of_types(tagged, self.gold))
        keys, offsets, listed = [], [0], known_keys(of_lexicon)
        for words in parts:
            here = slice(offsets[-1], offsets[-1] + len(words))
            keys.append(words.keys(self.templates, several[here], listed[here]))
            _forget_unreached(keys[-1], words.form.codes, self.templates, learned[here])
            offsets += (here.start + words.offsets[1:]).tolist()
        no_attributes = np.zeros((len(self.scripts), 1), np.uint64)
        positions = Positions(np.concatenate(keys), np.array(offsets, np.int32), no_attributes, of_word)
        choices = Choices(script_parts(self.scripts, numbered_parts(self.scripts)), sets)
        return SequenceLearning(self.templates, choices, positions, self.gold, self.options.chosen)

    def _sets_of(
        self, forms: Sequence[str], known: Ints, several: NDArray[np.bool_], first: NDArray[np.bool_]
    ) -> tuple[NumberLists, Ints, NDArray[np.bool_]]:
        """The sets that words choose from, the set of each word, and which words are learned from.

        Where nothing is to be learned, the set has the right script only.
        """
        fitting = FittingScripts(self.scripts, range(self.open))
        sets = dict(self.sets)
        found = np.where(several, known, self.gold).astype(np.int32)
        learned = several.copy()
        for place in np.flatnonzero(first & ~several & (self.gold < self.open)).tolist():
            found[place], learned[place] = sets.setdefault(fitting.fitting(forms[place]), len(sets)), True
        return NumberLists.of(sets), found, learned

    def stage(self, weights: SequenceWeights, about: dict[str, Any]) -> Lemmatizer:
        """The lemmatizer with these weights."""
        return Lemmatizer(
            templates=self.templates,
            tags=self.tags,
            scripts=self.scripts,
            open=self.open,
            sets=NumberLists.of(self.sets),
            dictionary=self.dictionary,
            lexicon=self.listed,
            rules=self.options.lexicon_as == RULES,
            lemmas=self.lemmas,
            familiar=self.options.familiar,
            weights=weights,
            about=about,
        )


def _forget_unreached(keys: Keys, forms: Ints, templates: SequenceTemplates, learned: NDArray[np.bool_]) -> None:
    """Take pieces and outlines of forms at which no feature of a learned word looks, so that they cost no weights."""
    offsets: list[set[int]] = [set() for _ in templates.columns]
    for kind, offset, at in templates.slot.tolist():
        if kind == COLUMN:
            offsets[at].add(offset)
    for at, column in enumerate(key_columns(templates.columns)):
        if column.field != LOWERED and column != OUTLINE:
            continue
        reached = np.zeros_like(learned)
        for offset in offsets[at]:
            size = len(learned) - abs(offset)
            if size > 0:
                reached[max(0, offset) :][:size] |= learned[max(0, -offset) :][:size]
        keys[~np.isin(forms, forms[reached]), at] = 0


def learned_lemmas(words: TaggedWords, scripts: Ints, folds: NDArray[np.bool_], sets: Sets, sure: float) -> KeyTable:
    """The scripts that words had in a treebank; `folds` are those whose script is right for them in lower case, too.

    Where one script has at least the share `sure` of a word's occurrences, it is the only one.
    """
    exact, exact_upos, lower, lower_upos = words.ways()
    known = Dictionary.of(
        np.concatenate([exact, exact_upos, lower[folds], lower_upos[folds]]),
        np.concatenate([scripts, scripts, scripts[folds], scripts[folds]]),
    )
    members = known.numbers.tolist()
    found = np.empty(len(known.keys), np.int32)
    for at, (first, last) in enumerate(pairwise(known.start.tolist())):
        some: tuple[int, ...] = tuple(members[first:last])
        if len(some) > 1:
            counts = known.counts[first:last]
            best = int(counts.argmax())
            some = some[best : best + 1] if counts[best] >= sure * counts.sum() else some
        found[at] = sets.setdefault(some, len(sets))
    return KeyTable(known.keys, found)


def lexicon_lemmas(lexicon: Lexicon, scripts: dict[str, int], tags: Sequence[str], sets: Sets) -> KeyTable:
    """The lemmas that a lexicon gives its forms; lines without XPOS and FEATS apply whatever these are."""
    lines = [line for some in lexicon.values() for line in some]
    forms = keys_of([form for form, some in lexicon.items() for _ in some], WHOLE)
    of_script = np.array([scripts[line.script] for line in lines], np.int32)
    columns = [[line[TAGS.index(tag)] for line in lines] for tag in tags]
    said = [np.array([tag != UNSAID for tag in column], np.bool_) for column in columns]
    keys = [keys_of(column, WHOLE) for column in columns]
    entries: defaultdict[int, set[int]] = defaultdict(set)
    ways = [(EXACT, keys, np.logical_and.reduce(said)), (EXACT_UPOS, keys[:1], said[0])]
    for way, some, is_said in ways:
        # A lexicon has words of lower case in lower case, so that they are found at the start of a sentence, too.
        for kind in (way, way + LOWER):
            known = joined(kind, [forms, *some])[is_said].tolist()
            for key, script in zip(known, of_script[is_said].tolist(), strict=True):
                entries[key].add(script)
    return KeyTable.of({key: sets.setdefault(tuple(sorted(entries[key])), len(sets)) for key in sorted(entries)})


def _digest(data: Sequence[Batch], lexicon: Lexicon) -> str:
    """A digest of the treebank and of the lexicon."""
    if not lexicon:
        return digest_of(data)
    digest = blake2b(digest_of(data).encode(), digest_size=16)
    keys, lines = keys_of(list(lexicon), WHOLE), list(lexicon.values())
    order = np.argsort(keys, kind="stable").tolist()
    start = np.cumsum([0, *(len(lines[place]) for place in order)], dtype=np.int32)
    columns = np.array([line for place in order for line in lines[place]], object).T
    names, numbers = zip(*(np.unique(column, return_inverse=True) for column in columns), strict=True)
    for array in (keys[order], start, np.stack(numbers, axis=1).astype(np.int32)):
        digest.update(array.tobytes())
    digest.update("\n".join(name for some in names for name in some).encode())
    return digest.hexdigest()


def _names_characters(script: str) -> bool:
    """Whether a script says which characters of the form it replaces, so that it does not fit every form."""
    ready = parsed(script)
    return ready is not None and any(one.old for one in (*ready.left, *ready.right))


def _is_filled(batch: Batch, tag: str) -> bool:
    return any(name not in ("_", "") for name in batch.codes(tag).names)


def _together(parts: Sequence[LemmaWords]) -> TaggedWords:
    """The words of several batches."""
    return TaggedWords(*map(np.concatenate, zip(*(words.tagged() for words in parts), strict=True)))


def _first_of_types(words: TaggedWords, gold: Ints) -> NDArray[np.bool_]:
    """Which words are the first with their form, tags and script."""
    exact = words.ways()[0]
    _, first = np.unique(np.stack([exact, gold.astype(np.uint64)], axis=1), axis=0, return_index=True)
    found = np.zeros(len(gold), np.bool_)
    found[first] = True
    return found
