"""The lemmatizer: from words with their tags to lemmas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headway.base.by_fields import PickledByFields
from headway.base.errors import HeadwayError
from headway.base.schema import (
    FLAG,
    TEXT,
    Arrays,
    Each,
    Header,
    Numbers,
    Relation,
    Schema,
    Single,
    is_number,
    one_of,
    whole,
)
from headway.base.short_repr import ShortRepr
from headway.data.batch import Batch, Codes, Ints
from headway.features.compile import keys_of
from headway.features.language import parse as parse_features
from headway.features.sequences import SequenceTemplates, compile_sequence
from headway.kernels.sequence.choices import ChoiceTable
from headway.kernels.sequence.deciding import Deciding
from headway.stages.contract import PREDICTED, Packed
from headway.stages.explanation.contract import Explanation
from headway.text.lemmatizer.dictionary import Keys, LemmaDictionary, known_keys, lemma_keys
from headway.text.lemmatizer.edit_script_sets import ScriptSets, parts_table
from headway.text.lemmatizer.edit_scripts import UNSAID, maker_of, parsed
from headway.text.lemmatizer.explaining import LemmaExplainer
from headway.text.lemmatizer.fitting import FittingScripts
from headway.text.lemmatizer.positions import ATTRIBUTES, WHOLE, LemmaWords
from headway.text.sequence.training import SequenceWeights

TAGS = ("UPOS", "XPOS", "FEATS")
ALWAYS = ("lower|*", "keep|*")
"""Scripts that every lemmatizer has, so that one fits every form."""
TRIES = 2
"""Further lemmas that are tried where the best one is not familiar."""
Mask = NDArray[np.bool_]


def _arrays(header: Header) -> dict[str, Numbers]:
    most = len(header["scripts"]) - 1
    return {
        "slots": Numbers("<u8", fewest=1),
        "rows": Numbers("<u4", fewest=1),
        "set_start": Numbers("<i4", low=0, rising=True, fewest=1),
        "set_member": Numbers("<i4", low=0, high=most),
        "keys": Numbers("<u8"),
        "sets": Numbers("<i4", low=0),
        "lexicon_keys": Numbers("<u8"),
        "lexicon_sets": Numbers("<i4", low=0),
        "lemmas": Numbers("<u8"),
    }


def _relations(header: Header, arrays: Arrays) -> Iterator[Relation]:
    start, member = arrays["set_start"], arrays["set_member"]
    yield int(start[-1]) == len(member) and bool((np.diff(start) > 0).all()), "sets of scripts are empty or cut off"
    for keys, sets in (("keys", "sets"), ("lexicon_keys", "lexicon_sets")):
        fits = len(arrays[keys]) == len(arrays[sets]) and int(arrays[sets].max(initial=-1)) < len(start) - 1
        yield fits, f"{keys} and {sets} do not go together"
    yield header["open"] <= len(header["scripts"]), "more scripts are open than there are"


SCRIPT = Single(
    "an edit script",
    lambda value: (
        isinstance(value, str) and not {"\t", "\n"} & set(value) and (value == UNSAID or parsed(value) is not None)
    ),
)


class DecidedLemmas(NamedTuple):
    """The script of each word, the sets of scripts and which of them the word may have, and the keys of its features.

    Words that may have one script only have not all of their keys.
    """

    keys: Keys
    sets: ScriptSets
    of_word: Ints
    chosen: Ints


@dataclass(frozen=True, eq=False)
class Lemmatizer(PickledByFields, ShortRepr):
    """Edit scripts with what chooses between them: a dictionary for known words, weights for others."""

    kind: ClassVar[str] = "lemmatizer"
    gives: ClassVar[frozenset[str]] = frozenset({"LEMMA"})
    schema: ClassVar[Schema] = Schema(
        {
            "features": Each(TEXT, fewest=1),
            "tags": Each(one_of(*TAGS), fewest=1),
            "scripts": Each(SCRIPT, fewest=len(ALWAYS)),
            "open": whole(len(ALWAYS)),
            "familiar": Single("a number from 0 on", lambda value: is_number(value) and value >= 0),
            "rules": FLAG,
        },
        _arrays,
        _relations,
    )
    templates: SequenceTemplates
    tags: tuple[str, ...]
    scripts: tuple[str, ...]
    open: int
    """The first so many scripts may be chosen for any form they fit, others only for words that are known."""
    sets: ScriptSets
    dictionary: LemmaDictionary
    lexicon: LemmaDictionary
    rules: bool
    """Whether the lexicon decides, or only tells something."""
    lemmas: Keys
    """Keys of the lemmas of the treebank, ascending."""
    familiar: float
    weights: SequenceWeights
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a model in which nothing may fit a form."""
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
    def parts(self) -> tuple[Ints, Ints, int]:
        """What scripts are made of, as kernels read it: where the parts of each begin, the parts, and their number."""
        return parts_table(self.scripts)

    @cached_property
    def makers(self) -> list[Callable[[str], str | None]]:
        """For each script what makes a lemma of a form."""
        return [maker_of(script) for script in self.scripts]

    def annotate(self, batch: Batch) -> Batch:
        """The batch with a layer of lemmas."""
        words = LemmaWords(batch, self.tags)
        lemmas = self._lemmas(words, self.decide(words)) if len(words) else Codes(words.form.codes, ("_",))
        return batch.with_layer(PREDICTED, columns={"LEMMA": lemmas})

    def decide(self, words: LemmaWords) -> Ints:
        """The number of the script of each word."""
        return self.decided(words).chosen

    def decided(self, words: LemmaWords) -> DecidedLemmas:
        """The script of each word, and what it was chosen from by which keys."""
        first, type_of = words.types
        tagged = words.tagged(first)
        by_type = self.dictionary.look_up(tagged)
        listed = self.lexicon.look_up(tagged)
        if self.rules:
            by_type = np.where(listed >= 0, listed, by_type)
        is_new = by_type < 0
        sets = self.sets + ScriptSets.of(self._fitting_sets(words, by_type, first))
        of_word = by_type[type_of]
        needed = sets.sizes[of_word] > 1
        if not needed.any():
            keys = np.zeros((len(words), max(1, len(self.templates.columns))), np.uint64)
            return DecidedLemmas(keys, sets, of_word, sets.member[sets.start[of_word]])
        keys = words.keys(self.templates, needed, needed & ~is_new[type_of], known_keys(listed)[type_of])
        chosen, margins = self._decided(keys, words.offsets, sets, of_word)
        if self.familiar > 0 and len(self.lemmas):
            self._prefer_familiar(words, keys, sets, of_word, needed & is_new[type_of], chosen, margins)
        return DecidedLemmas(keys, sets, of_word, chosen)

    def _fitting_sets(self, words: LemmaWords, by_type: Ints, first: NDArray[np.int64]) -> list[tuple[int, ...]]:
        """The sets of scripts for forms that are not known, which get their numbers behind those of the model."""
        found: dict[tuple[int, ...], int] = {}
        of_form: dict[int, int] = {}
        names, forms = words.form.names, words.form.codes[first]
        for place in np.flatnonzero(by_type < 0).tolist():
            form = int(forms[place])
            if form not in of_form:
                of_form[form] = found.setdefault(self.fitting.fitting(names[form]), len(found))
            by_type[place] = len(self.sets) + of_form[form]
        return list(found)

    def _decided(self, keys: Keys, offsets: Ints, sets: ScriptSets, of_word: Ints) -> tuple[Ints, NDArray[np.float32]]:
        """The best script of each word, and by how much it beats the second best."""
        start, member, parts = self.parts
        table = ChoiceTable(start=start, member=member, parts=parts, set_start=sets.start, set_member=sets.member)
        size, choices = len(keys), len(self.scripts)
        chosen, rivals = np.empty(size, np.int32), np.empty((size, 2), np.int32)
        margins = np.empty((size, 2), np.float32)
        nothing, one_kind = np.zeros((choices, 1), np.uint64), np.zeros(choices, np.int32)
        Deciding(self.templates.kernel, table, *self.weights).greedily(
            keys, offsets, nothing, of_word.astype(np.int32), chosen, one_kind, rivals, margins, True
        )
        return chosen, margins[:, 0]

    def _prefer_familiar(
        self,
        words: LemmaWords,
        keys: Keys,
        sets: ScriptSets,
        of_word: Ints,
        is_new: Mask,
        chosen: Ints,
        margins: NDArray[np.float32],
    ) -> None:
        """Where the lemma of a new word is not familiar, one that is and scores nearly as well takes its place."""
        left = np.flatnonzero(is_new & (margins < self.familiar))
        left = left[~self._is_familiar(words, left, chosen[left])]
        tried, behind = [chosen[left]], margins[left]
        for _ in range(TRIES):
            if not len(left):
                return
            members = [
                tuple(
                    script for script in sets.member[sets.start[s] : sets.start[s + 1]].tolist() if script not in gone
                )
                for s, gone in zip(
                    of_word[left].tolist(), map(set, zip(*map(np.ndarray.tolist, tried), strict=True)), strict=True
                )
            ]
            some = np.array([bool(one) for one in members])
            left, behind = left[some], behind[some]
            tried = [one[some] for one in tried]
            rest = ScriptSets.of([(0,), *(one for one in members if one)])
            of_rest = np.zeros(len(words), np.int32)
            of_rest[left] = np.arange(1, len(left) + 1)
            found, further = self._decided(keys, words.offsets, rest, of_rest)
            good = self._is_familiar(words, left, found[left])
            chosen[left[good]] = found[left[good]]
            open_ = ~good & (behind + further[left] < self.familiar)
            tried = [*(one[open_] for one in tried), found[left[open_]]]
            behind = behind[open_] + further[left[open_]]
            left = left[open_]

    def _is_familiar(self, words: LemmaWords, which: NDArray[np.int64], scripts: Ints) -> Mask:
        """Whether the treebank has the lemmas that scripts make of words; any tags will do, since tags may be wrong."""
        forms, names = words.form.codes[which].tolist(), words.form.names
        lemmas = [self.makers[script](names[form]) or "" for form, script in zip(forms, scripts.tolist(), strict=True)]
        keys = lemma_keys(keys_of(lemmas, WHOLE))
        at = np.minimum(np.searchsorted(self.lemmas, keys), len(self.lemmas) - 1)
        found: Mask = self.lemmas[at] == keys
        return found

    def _lemmas(self, words: LemmaWords, scripts: Ints) -> Codes:
        """The lemmas, each made once for a form and a script; a form that its script does not fit is lowered."""
        pairs, inverse = np.unique(words.form.codes.astype(np.int64) * len(self.scripts) + scripts, return_inverse=True)
        names = words.form.names
        makers = self.makers
        number: dict[str, int] = {}
        codes = np.empty(len(pairs), np.int32)
        for at, (form, script) in enumerate(
            zip(*(some.tolist() for some in np.divmod(pairs, len(self.scripts))), strict=True)
        ):
            lemma = makers[script](names[form]) or names[form].lower()
            codes[at] = number.setdefault(lemma, len(number))
        return Codes(codes[inverse], tuple(number))

    def explain(self, batch: Batch) -> Explanation:
        """Why each word of the one sentence of a batch got its lemma."""
        return LemmaExplainer(self, batch).explanation()

    def with_about(self, **facts: Any) -> Lemmatizer:
        """The same lemmatizer with more said about it."""
        return replace(self, about={**self.about, **facts})

    def pack(self) -> Packed:
        """The lemmatizer as a file holds it."""
        header = {
            "kind": self.kind,
            "features": [str(feature) for feature in self.templates.features],
            "tags": list(self.tags),
            "scripts": list(self.scripts),
            "open": self.open,
            "familiar": self.familiar,
            "rules": self.rules,
            "about": self.about,
        }
        arrays = {
            **self.weights._asdict(),
            "set_start": self.sets.start,
            "set_member": self.sets.member,
            "keys": self.dictionary.keys,
            "sets": self.dictionary.sets,
            "lexicon_keys": self.lexicon.keys,
            "lexicon_sets": self.lexicon.sets,
            "lemmas": self.lemmas,
        }
        return Packed(header, arrays)

    @classmethod
    def unpack(cls, packed: Packed, source: str) -> Lemmatizer:
        """The lemmatizer that `pack` packed; in an open file its weights are read when they are used."""
        header, arrays = packed
        return cls(
            templates=compile_sequence(parse_features("\n".join(header["features"]), source), "WORD", ATTRIBUTES),
            tags=tuple(header["tags"]),
            scripts=tuple(header["scripts"]),
            open=header["open"],
            sets=ScriptSets(arrays["set_start"], arrays["set_member"]),
            dictionary=LemmaDictionary(arrays["keys"], arrays["sets"]),
            lexicon=LemmaDictionary(arrays["lexicon_keys"], arrays["lexicon_sets"]),
            rules=header["rules"],
            lemmas=arrays["lemmas"],
            familiar=float(header["familiar"]),
            weights=SequenceWeights(arrays["slots"], arrays["rows"]),
            about=header["about"],
        )
