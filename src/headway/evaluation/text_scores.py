"""Scores of what was made of raw text, by sentence: which words a system has, and what is right of each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from headway.evaluation.attachment import per_sentence
from headway.evaluation.columns import Mask
from headway.evaluation.comparison import Comparison
from headway.evaluation.significance import Tally
from headway.evaluation.ud import same_columns

TESTED = ("Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
"""The scores that count words, in the order of the official scorer."""
SHOWN = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS")
"""Those that people look at where a system begins with text."""


def right_words(comparison: Comparison) -> Mapping[str, Mask]:
    """For each score which gold words are right; one that the system does not have is wrong."""
    pairs = comparison.alignment.gold
    found: dict[str, Mask] = {"Words": np.ones(len(pairs), np.bool_), **same_columns(comparison)}
    masks = {}
    for name, right in found.items():
        masks[name] = np.zeros(len(comparison.gold.columns), np.bool_)
        masks[name][pairs] = right
    masks |= {"UAS": comparison.gold.head_right, "LAS": comparison.gold.right}
    return {name: masks[name] for name in TESTED}


def tags_compared(comparison: Comparison) -> str:
    """Which tags a system's file has: `gold`, `predicted` with how many are right, or `none`."""
    theirs, names = comparison.system.columns, comparison.gold.columns.names
    if (theirs.upos == names["_"]).all() and (theirs.xpos == names["_"]).all():
        return "none"
    same = same_columns(comparison)
    if all(same[name].all() for name in ("UPOS", "XPOS", "UFeats")):
        return "gold"
    right = same["XPOS" if (theirs.upos == names["_"]).all() else "UPOS"]
    return f"predicted ({100 * right.mean():.2f} % right)"


def text_tallies(comparison: Comparison) -> Mapping[str, Tally]:
    """For each score and each gold sentence the words right, the gold words and those of the system."""
    gold, system = comparison.gold, comparison.system
    words = per_sentence(gold, gold.counted)
    theirs = np.bincount(comparison.alignment.home[system.counted], minlength=gold.columns.sentences)
    return {
        name: Tally(per_sentence(gold, gold.counted & right), words, theirs)
        for name, right in right_words(comparison).items()
    }
