"""Words that nobody has written down: any number of them, each made from its number."""

from __future__ import annotations

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


def stem(rank: int, start: int = 0) -> str:
    """Stem number `rank`, counted from 0; different numbers have different stems, small ones short stems.

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
