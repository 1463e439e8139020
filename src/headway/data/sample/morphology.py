"""Words in their inflected forms, with the tags and features of UD English."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

VOWELS = "aeiou"
DOUBLING = ("admit", "begin", "forget", "occur", "permit", "prefer", "refer", "regret")
"""Verbs of several syllables that double their last consonant: admitted, beginning."""


class Word(NamedTuple):
    """One form: its text, its five CoNLL-U cells FORM to FEATS, and what its surroundings must know.

    `tight` is "left" where no space precedes the word, "right" where none follows, "joined" where it makes one
    token with the word before it. `agreement` is the person and number that a pronoun demands of its verb.
    """

    text: str
    cells: str
    tight: str = ""
    agreement: str = ""


Finite = dict[str, Word]
"""A form that agrees with its subject: agreement → word."""
AGREEMENTS = {
    "1sg": "Number=Sing|Person=1",
    "2sg": "Number=Sing|Person=2",
    "3sg": "Number=Sing|Person=3",
    "1pl": "Number=Plur|Person=1",
    "3pl": "Number=Plur|Person=3",
}
NUMBERS = {"sg": "3sg", "pl": "3pl"}
"""The agreement that the form of a noun asks for."""


def word(text: str, lemma: str, upos: str, xpos: str, feats: str = "_", tight: str = "", agreement: str = "") -> Word:
    """A word from its columns."""
    return Word(text, f"{text}\t{lemma}\t{upos}\t{xpos}\t{feats}", tight, agreement)


def with_s(stem: str) -> str:
    """The plural of a noun, the third person of a verb."""
    if stem.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{stem}es"
    if stem.endswith("y") and stem[-2] not in VOWELS:
        return f"{stem[:-1]}ies"
    return f"{stem}s"


def with_vowel(stem: str, suffix: str) -> str:
    """The stem before a suffix that begins with a vowel: hope → hoped, stop → stopping, cry → cried, die → dying."""
    if stem.endswith("ie") and suffix == "ing":
        return f"{stem[:-2]}y{suffix}"
    if stem.endswith("e") and (suffix[0] == "e" or stem[-2:] not in ("ee", "ye")):
        return f"{stem[:-1]}{suffix}"
    if stem.endswith("y") and stem[-2] not in VOWELS and suffix[0] != "i":
        return f"{stem[:-1]}i{suffix}"
    return f"{stem}{stem[-1] if _doubles(stem) else ''}{suffix}"


def _doubles(stem: str) -> bool:
    if len(stem) < 3 or stem[-1] in f"{VOWELS}wxy" or stem[-2] not in VOWELS or stem[-3] in VOWELS:
        return False
    return sum(letter in VOWELS for letter in stem) == 1 or stem in DOUBLING


def noun(lemma: str, irregular: list[str], form: str) -> Word:
    """Forms sg and pl; `irregular` holds the plural if it has one of its own."""
    plural = irregular[0] if irregular else with_s(lemma)
    text, xpos, feats = {"sg": (lemma, "NN", "Number=Sing"), "pl": (plural, "NNS", "Number=Plur")}[form]
    return word(text, lemma, "NOUN", xpos, feats)


def proper(lemma: str, irregular: list[str], form: str) -> Word:
    """Proper nouns have the form sg alone."""
    text, xpos, feats = {"sg": (lemma, "NNP", "Number=Sing")}[form]
    return word(text, lemma, "PROPN", xpos, feats)


def verb(lemma: str, irregular: list[str], form: str) -> Word | Finite:
    """Forms inf, imp, pres, past, part, passive and ing; `irregular` holds past and participle if it has its own."""
    if form == "pres":
        return agreeing(lemma, "VERB", "Pres", [with_s(lemma) if a == "3sg" else lemma for a in AGREEMENTS])
    past, participle = irregular or [with_vowel(lemma, "ed")] * 2
    text, xpos, feats = {
        "inf": (lemma, "VB", "VerbForm=Inf"),
        "imp": (lemma, "VB", "Mood=Imp|VerbForm=Fin"),
        "past": (past, "VBD", "Mood=Ind|Tense=Past|VerbForm=Fin"),
        "part": (participle, "VBN", "Tense=Past|VerbForm=Part"),
        "passive": (participle, "VBN", "Tense=Past|VerbForm=Part"),
        "ing": (with_vowel(lemma, "ing"), "VBG", "Tense=Pres|VerbForm=Part"),
    }[form]
    return word(text, lemma, "VERB", xpos, feats)


def agreeing(lemma: str, upos: str, tense: str, texts: Sequence[str]) -> Finite:
    """The forms of a verb in one tense, in the order of `AGREEMENTS`."""
    tags = dict.fromkeys(AGREEMENTS, "VBD" if tense == "Past" else "VBP")
    if tense == "Pres":
        tags["3sg"] = "VBZ"
    return {
        agreement: word(text, lemma, upos, tags[agreement], f"Mood=Ind|{features}|Tense={tense}|VerbForm=Fin")
        for text, (agreement, features) in zip(texts, AGREEMENTS.items(), strict=True)
    }


def be(form: str, upos: str) -> Finite:
    """The forms of `be` in the tense pres or past."""
    tense, texts = {"pres": ("Pres", "am are is are are"), "past": ("Past", "was were was were were")}[form]
    return agreeing("be", upos, tense, texts.split())


def existence(lemma: str, irregular: list[str], form: str) -> Finite:
    """The verb of existence, `be`, in the forms pres and past."""
    return be(form, "VERB")


def adjective(lemma: str, irregular: list[str], form: str) -> Word:
    """Forms pos, cmp and sup."""
    text, xpos, degree = {
        "pos": (lemma, "JJ", "Pos"),
        "cmp": (with_vowel(lemma, "er"), "JJR", "Cmp"),
        "sup": (with_vowel(lemma, "est"), "JJS", "Sup"),
    }[form]
    return word(text, lemma, "ADJ", xpos, f"Degree={degree}")


def adverb(lemma: str, irregular: list[str], form: str) -> Word:
    """Adverbs have the form adv alone."""
    text = {"adv": lemma}[form]
    return word(text, lemma, "ADV", "RB")


def number(lemma: str, irregular: list[str], form: str) -> Word:
    """Numerals have the form num alone."""
    text, written = {"num": (lemma, "Digit" if lemma.isdigit() else "Word")}[form]
    return word(text, lemma, "NUM", "CD", f"NumForm={written}|NumType=Card")


def pronoun(lemma: str, irregular: list[str], form: str) -> Word:
    """Forms nom and acc; `irregular` holds the accusative and the agreement, as in I/me/1sg."""
    accusative, agreement = irregular
    text, case = {"nom": (lemma, "Nom"), "acc": (accusative, "Acc")}[form]
    feats = f"Case={case}|{AGREEMENTS[agreement]}|PronType=Prs"
    return word(text, lemma, "PRON", "PRP", feats, agreement=agreement)


INFLECTIONS: dict[str, Callable[[str, list[str], str], Word | Finite]] = {
    "adjective": adjective,
    "adverb": adverb,
    "existence": existence,
    "noun": noun,
    "number": number,
    "pronoun": pronoun,
    "proper": proper,
    "verb": verb,
}
"""For each category of words, what makes a form of a lemma."""
