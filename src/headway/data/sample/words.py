"""The forms of words, with the tags and features of UD English: function words, inflection, invented stems."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

VOWELS = "aeiou"
DOUBLING = ("admit", "begin", "forget", "occur", "permit", "prefer", "refer", "regret")
"""Verbs of several syllables that double their last consonant: admitted, beginning."""
AGREEMENTS = {
    "1sg": "Number=Sing|Person=1",
    "2sg": "Number=Sing|Person=2",
    "3sg": "Number=Sing|Person=3",
    "1pl": "Number=Plur|Person=1",
    "3pl": "Number=Plur|Person=3",
}
BE = {"pres": "am are is are are", "past": "was were was were were"}
"""The forms of `be` for each of `AGREEMENTS`."""
INFLECTIONS = {
    "noun": ("NOUN", {"sg": ("NN", "Number=Sing"), "pl": ("NNS", "Number=Plur")}),
    "proper": ("PROPN", {"sg": ("NNP", "Number=Sing")}),
    "verb": (
        "VERB",
        {
            "inf": ("VB", "VerbForm=Inf"),
            "imp": ("VB", "Mood=Imp|VerbForm=Fin"),
            "past": ("VBD", "Mood=Ind|Tense=Past|VerbForm=Fin"),
            "part": ("VBN", "Tense=Past|VerbForm=Part"),
            "passive": ("VBN", "Tense=Past|VerbForm=Part"),
            "ing": ("VBG", "Tense=Pres|VerbForm=Part"),
        },
    ),
    "adjective": ("ADJ", {"pos": ("JJ", "Degree=Pos"), "cmp": ("JJR", "Degree=Cmp"), "sup": ("JJS", "Degree=Sup")}),
    "adverb": ("ADV", {"adv": ("RB", "_")}),
    "number": ("NUM", {"num": ("CD", "NumForm=Word|NumType=Card")}),
    "pronoun": ("PRON", {"nom": ("PRP", "Case=Nom"), "acc": ("PRP", "Case=Acc")}),
}
"""UPOS of each category of words, and XPOS and features of its forms."""
PARTICLES = ("up", "down", "off", "out", "on", "over", "away", "back")
ONSETS, NUCLEI, CODAS = map(
    str.split,
    (
        "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr r s sh sl sm sp st str sw t th tr v w wh z",
        "a e i o u ai ea oa oo ou",
        "b ck d dd ff g l ll lt m mp n nd nk nt p r rk rn st t tt v zz",
    ),
)
SYLLABLES = len(ONSETS) * len(NUCLEI)
SHORT = SYLLABLES * len(CODAS)
"""How many stems have one syllable."""
STRIDE = 6007
"""Has no factor in common with SHORT, so that its multiples visit every stem and neighbours look unlike."""


class Word(NamedTuple):
    """One form: its CoNLL-U cells FORM to FEATS, and what its surroundings must know.

    `tight` is "left" where no space precedes the word, "right" where none follows, "joined" where it makes one
    token with the word before it. `agreement` is the person and number that a pronoun demands of its verb.
    """

    text: str
    lemma: str
    upos: str
    xpos: str
    feats: str = "_"
    tight: str = ""
    agreement: str = ""

    @property
    def cells(self) -> str:
        """The five cells."""
        return "\t".join(self[:5])


Finite = dict[str, Word]
"""A form that agrees with its subject: agreement → word."""


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


def inflected(category: str, lemma: str, irregular: list[str], form: str) -> Word | Finite:
    """A form of a lemma: one of `INFLECTIONS`, or one that agrees with its subject.

    `irregular` holds forms of its own: a plural, a past and a participle, or the accusative and agreement of a pronoun.
    """
    if category == "existence":
        return agreeing("be", "VERB", form, BE[form].split())
    if category == "verb" and form == "pres":
        return agreeing(lemma, "VERB", form, [with_s(lemma) if a == "3sg" else lemma for a in AGREEMENTS])
    upos, forms = INFLECTIONS[category]
    (xpos, feats), agreement, text = forms[form], "", lemma
    if form == "pl":
        text = irregular[0] if irregular else with_s(lemma)
    elif form in ("past", "part", "passive"):
        text = irregular[form != "past"] if irregular else with_vowel(lemma, "ed")
    elif form in ("ing", "cmp", "sup"):
        text = with_vowel(lemma, {"ing": "ing", "cmp": "er", "sup": "est"}[form])
    elif category == "pronoun":
        accusative, agreement = irregular
        text = accusative if form == "acc" else lemma
        feats = f"{feats}|{AGREEMENTS[agreement]}|PronType=Prs"
    elif lemma.isdigit():
        feats = feats.replace("Word", "Digit")
    return Word(text, lemma, upos, xpos, feats, agreement=agreement)


def agreeing(lemma: str, upos: str, tense: str, texts: Sequence[str]) -> Finite:
    """The forms of a verb in the tense pres or past, in the order of `AGREEMENTS`."""
    return {
        agreement: Word(
            *(text, lemma, upos, "VBD" if tense == "past" else "VBZ" if agreement == "3sg" else "VBP"),
            f"Mood=Ind|{features}|Tense={tense.capitalize()}|VerbForm=Fin",
        )
        for text, (agreement, features) in zip(texts, AGREEMENTS.items(), strict=True)
    }


def function_words() -> dict[str, Word | Finite]:
    """All function words by name; particles are called `up/particle`, prepositions as they are spelled."""
    words: dict[str, Word | Finite] = {}
    text = resources.files("headway.data.sample").joinpath("english.function_words").read_text("utf-8")
    for line in filter(None, text.splitlines()):
        tags, is_word, names = line.partition(": ")
        if line[0] == "#":
            continue
        if not is_word:
            name, text, xpos, tight = line.split()
            words[name] = Word(text, text, "PUNCT", xpos, tight=tight)
        for entry in names.split():
            upos, xpos, feats = tags.split()
            name, _, lemma = entry.partition("<")
            text = name.replace(".", "/").partition("/")[0]
            third = name.endswith("/wh") or name in ("it", "there")
            tight = "joined" if "'" in text else ""
            words[name] = Word(text, lemma or text, upos, xpos, feats, tight, "3sg" if third else "")
    words |= {f"{text}/particle": Word(text, text, "ADP", "IN") for text in PARTICLES}
    words["be.part"] = Word("been", "be", "AUX", "VBN", "Tense=Past|VerbForm=Part")
    words["have.past"] = Word("had", "have", "AUX", "VBD", "Mood=Ind|Tense=Past|VerbForm=Fin")
    words["do.past"] = Word("did", "do", "AUX", "VBD", "Mood=Ind|Tense=Past|VerbForm=Fin")
    words |= {f"be.{tense}": agreeing("be", "AUX", tense, texts.split()) for tense, texts in BE.items()}
    for lemma, singular in (("have", "has"), ("do", "does")):
        words[f"{lemma}.pres"] = agreeing(lemma, "AUX", "pres", [lemma, lemma, singular, lemma, lemma])
    return words


def stem(rank: int, start: int = 0) -> str:
    """Invented stem number `rank`, counted from 0; different numbers have different stems, small ones short stems.

    `start` says which of the short stems comes first.
    """
    longer, rank = divmod(rank, SHORT)
    syllable, coda = divmod((start + rank) * STRIDE % SHORT, len(CODAS))
    text = _syllable(syllable) + CODAS[coda]
    while longer:
        longer, syllable = divmod(longer - 1, SYLLABLES)
        text = _syllable(syllable) + text
    return text


def _syllable(number: int) -> str:
    onset, nucleus = divmod(number, len(NUCLEI))
    return ONSETS[onset] + NUCLEI[nucleus]
