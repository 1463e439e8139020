"""The lemmatizer: from words with their tags to lemmas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.base.registry import method
from headway.base.schema import Schema
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch, Ints
from headway.data.layers import Codes
from headway.features.language import parse as parse_features
from headway.features.sequences import SequenceTemplates, compile_sequence
from headway.stages.contract import PREDICTED, Packed
from headway.stages.weights import PACKED, packed_arrays, weights_in
from headway.text.lemmatizer.edit_scripts import FittingScripts, maker_of
from headway.text.lemmatizer.file_schema import ALWAYS, FIELDS, SCHEMA
from headway.text.lemmatizer.script_parts import Part, numbered_parts, script_parts
from headway.text.lemmatizer.word_keys import ATTRIBUTES, LemmaWords, known_keys, lemma_keys, look_up
from headway.text.sequence.deciding import (
    Choices,
    Keys,
    KeyTable,
    Margins,
    NumberLists,
    Positions,
    SequenceWeights,
    find_keys,
)

TRIES = 2
"""Further lemmas that are tried where the best one is not familiar."""
Mask = NDArray[np.bool_]


class DecidedLemmas(NamedTuple):
    """The script of each word, and what it was chosen from; words that may have one script only lack some keys."""

    choices: Choices
    positions: Positions
    chosen: Ints


@dataclass(frozen=True, eq=False)
class Lemmatizer(PickledByFields, ShortRepr):
    """Edit scripts with what chooses between them: a dictionary for known words, weights for others."""

    kind: ClassVar[str] = "lemmatizer"
    gives: ClassVar[frozenset[str]] = frozenset({"LEMMA"})
    schema: ClassVar[Schema] = SCHEMA
    templates: SequenceTemplates
    tags: tuple[str, ...]
    scripts: tuple[str, ...]
    open: int
    """How many scripts, the first ones, may be chosen for any form they fit; others only for known words."""
    sets: NumberLists
    dictionary: KeyTable
    lexicon: KeyTable
    rules: bool
    """Whether the lexicon decides, or only advises."""
    lemmas: Keys
    """Keys of the lemmas of the treebank, ascending."""
    familiar: float
    weights: SequenceWeights
    about: dict[str, Any] = field(default_factory=dict)
    learned: int | None = None
    """How many scripts, the first ones, have weights of their own; others, of corrections, share theirs. None: all."""

    def __post_init__(self) -> None:
        """Refuse a model without a script that fits every form."""
        if not {*ALWAYS} <= {*self.scripts[: self.open]}:
            raise HeadwayError(f"the model lacks the script {ALWAYS[0]!r} or {ALWAYS[1]!r}; train the lemmatizer again")

    @property
    def needs(self) -> frozenset[str]:
        """The columns that it looks at."""
        return frozenset({"FORM", *self.tags})

    @cached_property
    def fitting(self) -> FittingScripts:
        """The scripts that fit forms which are not known."""
        return FittingScripts(self.scripts, range(self.open))

    @cached_property
    def parts(self) -> NumberLists:
        """What scripts are made of."""
        return script_parts(self.scripts, self.part_numbers)

    @cached_property
    def part_numbers(self) -> dict[Part, int]:
        """The parts that have weights."""
        return numbered_parts(self.scripts[: self.learned])

    @cached_property
    def choices(self) -> Choices:
        """All scripts, and the sets of those of known words."""
        return Choices(self.parts, self.sets)

    @cached_property
    def makers(self) -> list[Callable[[str], str | None]]:
        """For each script what makes a lemma of a form."""
        return [maker_of(script) for script in self.scripts]

    def annotate(self, batch: Batch) -> Batch:
        """The batch with a layer of lemmas."""
        words = LemmaWords(batch, self.tags)
        return self.layered(batch, words, self.decide(words).chosen if len(words) else words.form.codes)

    def decide(self, words: LemmaWords) -> DecidedLemmas:
        """The script of each word: the one that is known, or the best of those that are or that fit the form."""
        tagged = words.tagged()
        sets, listed = look_up(self.dictionary, tagged), look_up(self.lexicon, tagged)
        if self.rules:
            sets = np.where(listed >= 0, listed, sets)
        is_new = sets < 0
        more = NumberLists.of(self._fitting_sets(words, sets))
        several = np.concatenate([self.sets.sizes, more.sizes])[sets] > 1
        keys = words.keys(self.templates, several & ~is_new, known_keys(listed))
        no_attributes = np.zeros((len(self.scripts), 1), np.uint64)
        choices, positions = self.choices.with_more(more), Positions(keys, words.offsets, no_attributes, sets)
        found = self.margins(choices, positions)
        if self.familiar > 0 and len(self.lemmas):
            self._prefer_familiar(words, several & is_new, choices, positions, found)
        return DecidedLemmas(choices, positions, found.chosen)

    def margins(self, choices: Choices, positions: Positions, chosen: Ints | None = None) -> Margins:
        """The best script of each word, or the `chosen` one, and by how much it beats the best other one."""
        return self.weights.margins(self.templates, choices, positions, chosen=chosen)

    def _fitting_sets(self, words: LemmaWords, sets: Ints) -> list[tuple[int, ...]]:
        """The sets of scripts for words that are not known, which get their numbers behind those of the model."""
        found: dict[tuple[int, ...], int] = {}
        new, names = np.flatnonzero(sets < 0), words.form.names
        for one, form in zip(new.tolist(), words.form.codes[new].tolist(), strict=True):
            sets[one] = len(self.sets) + found.setdefault(self.fitting.fitting(names[form]), len(found))
        return list(found)

    def _prefer_familiar(
        self, words: LemmaWords, is_new: Mask, choices: Choices, positions: Positions, found: Margins
    ) -> None:
        """Give new words a familiar lemma where one scores nearly as well as the best."""
        chosen, behind = found.chosen, found.margins[:, 0]
        left = np.flatnonzero(is_new & (behind < self.familiar))
        if not len(left):
            return
        left = left[~self._is_familiar(words, left, chosen[left])]
        of_word, own = positions.sets.tolist(), chosen.tolist()
        rest = {at: [one for one in choices.allowed(of_word[at]) if one != own[at]] for at in left.tolist()}
        for _ in range(TRIES):
            left = np.array([at for at in left.tolist() if rest[at]], np.int64)
            if not len(left):
                return
            of_rest = np.full(len(words), len(self.sets), np.int32)
            of_rest[left] += np.arange(1, len(left) + 1, dtype=np.int32)
            others = self.choices.with_more(NumberLists.of([(0,), *(rest[at] for at in left.tolist())]))
            best, _, margins = self.margins(others, positions._replace(sets=of_rest))
            good = self._is_familiar(words, left, best[left])
            chosen[left[good]] = best[left[good]]
            behind[left] += margins[left, 0]
            left = left[~good & (behind[left] < self.familiar)]
            for at in left.tolist():
                rest[at].remove(int(best[at]))

    def _is_familiar(self, words: LemmaWords, which: NDArray[np.int64], scripts: Ints) -> Mask:
        """Whether the treebank has the lemmas that scripts make of words; any tags will do, since tags may be wrong."""
        forms, names = words.form.codes[which].tolist(), words.form.names
        lemmas = [self.makers[script](names[form]) or "" for form, script in zip(forms, scripts.tolist(), strict=True)]
        found: Mask = find_keys(self.lemmas, lemma_keys(lemmas)) >= 0
        return found

    def layered(self, batch: Batch, words: LemmaWords, scripts: Ints) -> Batch:
        """The batch with lemmas, each made once for a form and a script; forms that no script fits are lowered."""
        names, makers = words.form.names, self.makers
        number: dict[str, int] = {}
        made: dict[tuple[int, int], int] = {}
        for pair in (pairs := list(zip(words.form.codes.tolist(), scripts.tolist(), strict=True))):
            if pair not in made:
                form, script = names[pair[0]], pair[1]
                made[pair] = number.setdefault(makers[script](form) or form.lower(), len(number))
        codes = Codes(np.array([made[pair] for pair in pairs], np.int32), tuple(number) or ("_",))
        return batch.with_layer(PREDICTED, columns={"LEMMA": codes})

    corrected = method("headway.text.lemmatizer.updating:corrected")
    explain = method("headway.text.lemmatizer.explaining:explain")
    wrong_decisions = method("headway.text.lemmatizer.explaining:wrong_decisions")
    training_sentences_with = method("headway.text.lemmatizer.explaining:training_sentences_with")

    def continued(
        self, batches: Sequence[Batch], *, passes: int = 1, shuffle: bool = True, seed: int = 1
    ) -> Lemmatizer:
        """The lemmatizer after it was corrected wherever a treebank has other lemmas; see `Continues`."""
        from headway.text.sequence.continuing import Passes, continued_by_sentences

        return continued_by_sentences(self, batches, Passes(passes, shuffle, seed))

    def with_about(self, **facts: Any) -> Lemmatizer:
        """The same lemmatizer with more facts in `about`."""
        return replace(self, about={**self.about, **facts})

    def pack(self) -> Packed:
        """The lemmatizer as a file holds it."""
        header = {
            "kind": self.kind,
            "features": [str(feature) for feature in self.templates.features],
            "tags": list(self.tags),
            "scripts": list(self.scripts),
            **{name: getattr(self, name) for name in FIELDS},
            "weights": PACKED,
            "about": self.about,
            **({} if self.learned is None else {"learned": self.learned}),
        }
        arrays = {
            **packed_arrays(self.weights.packed),
            "set_start": self.sets.start,
            "set_member": self.sets.member,
            "keys": self.dictionary.keys,
            "sets": self.dictionary.numbers,
            "lexicon_keys": self.lexicon.keys,
            "lexicon_sets": self.lexicon.numbers,
            "lemmas": self.lemmas,
        }
        return Packed(header, arrays)

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> Lemmatizer:
        """The lemmatizer that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        scripts, learned = tuple(header["scripts"]), header.get("learned")
        classes = 1 + max(numbered_parts(scripts[:learned]).values())
        return cls(
            templates=compile_sequence(parse_features("\n".join(header["features"]), source), ATTRIBUTES),
            tags=tuple(header["tags"]),
            scripts=scripts,
            sets=NumberLists(arrays["set_start"], arrays["set_member"]),
            dictionary=KeyTable(arrays["keys"], arrays["sets"]),
            lexicon=KeyTable(arrays["lexicon_keys"], arrays["lexicon_sets"]),
            lemmas=arrays["lemmas"],
            **{name: header[name] for name in FIELDS},
            weights=SequenceWeights(weights_in(header, arrays, classes)),
            about=header["about"],
            learned=learned,
        )
