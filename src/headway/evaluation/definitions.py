"""What counts as right: the definitions of the scores, by name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from headway.base.errors import HeadwayError, assure_yes_no, known


@dataclass(frozen=True)
class Definition:
    """Which words count, which labels are the same, and whether both files must have the same words."""

    name: str
    title: str
    subtypes: bool
    """Labels are compared whole; otherwise without what follows the colon."""
    punctuation: bool
    """Words made only of punctuation count too."""
    same_words: bool
    """Both files must have the same words; otherwise words are aligned by their characters."""

    @property
    def brief(self) -> str:
        """What is counted, for where words are the same in any case."""
        labels = "whole labels" if self.subtypes else "labels without subtypes"
        return f"{'all words count' if self.punctuation else 'punctuation does not count'}, {labels}"

    @property
    def of_words(self) -> Definition:
        """The definition for files that have the same words: these need not be aligned."""
        return replace(self, same_words=True)

    def __str__(self) -> str:
        """The definition as a reader of a result needs it."""
        words = "the same words in both files" if self.same_words else "words aligned by their characters"
        return f"{self.name} ({self.title}): {self.brief}, {words}"


UD = Definition("ud", "CoNLL 2018 UD scorer", subtypes=False, punctuation=True, same_words=False)
CONLLX = Definition("conllx", "CoNLL-X eval.pl", subtypes=True, punctuation=False, same_words=True)
ALL = Definition("all", "plain", subtypes=True, punctuation=True, same_words=True)
DEFINITIONS = {definition.name: definition for definition in (UD, CONLLX, ALL)}


def definition_for(gold_format: str, name: str | None = None, *, punctuation: bool | None = None) -> Definition:
    """The definition of that name; by default `ud` where the gold format is CoNLL-U, `conllx` elsewhere.

    `punctuation` overrides whether punctuation counts; the UD scorer has no such choice.
    """
    name = name or (UD.name if gold_format == "conllu" else CONLLX.name)
    if name not in tuple(DEFINITIONS):
        raise HeadwayError(f"unknown definition {name!r}; {known(DEFINITIONS)}")
    if punctuation is not None:
        assure_yes_no("punctuation", punctuation)
    definition = DEFINITIONS[name]
    if punctuation is None or punctuation == definition.punctuation:
        return definition
    if definition == UD:
        raise HeadwayError("the definition 'ud' counts punctuation; leave it out with 'conllx'")
    return replace(definition, punctuation=punctuation)


def is_punctuation(form: str) -> bool:
    r"""Whether every character is of a Unicode category P*, as `^\p{Punctuation}+$` in eval.pl."""
    return bool(form) and all(unicodedata.category(character)[0] == "P" for character in form)


def without_subtype(label: str) -> str:
    """The universal part of a label: `nsubj` of `nsubj:pass`."""
    return label.partition(":")[0]
