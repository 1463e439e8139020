"""The scores of the CoNLL 2018 shared task (Zeman et al. 2018), with the numbers of its official scorer.

Sentences with several roots are scored too, where the official scorer refuses them unless told otherwise.
"""

from __future__ import annotations

import numpy as np

from headway.evaluation.columns import Ints, Mask, TreebankColumns
from headway.evaluation.comparison import Comparison
from headway.evaluation.score import Score

CONTENT = frozenset(
    {
        *("root", "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp"),
        *("obl", "vocative", "expl", "dislocated", "advcl", "advmod", "discourse"),
        *("nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list"),
        *("parataxis", "orphan", "goeswith", "reparandum", "dep"),
    }
)
"""The labels of content words, over which CLAS, MLAS and BLEX count."""
FUNCTION = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
"""The labels of function words, which MLAS counts with their content word."""
UNIVERSAL = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case"),
        *("Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity"),
        *("Person", "Polite"),
    }
)
"""The features that count."""


def ud_scores(comparison: Comparison) -> dict[str, Score]:
    """The thirteen scores, in the order of the official scorer."""
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    ours, theirs = gold.columns, system.columns
    names = ours.names
    g = alignment.gold
    same = same_columns(comparison)
    las = gold.right[g]
    tagged = same["UPOS"] & same["UFeats"]
    content = names.test(gold.labels, CONTENT.__contains__)
    totals = int(content.sum()), int(names.test(system.labels, CONTENT.__contains__).sum())
    inside = content[g]
    with_functions = las & tagged & _same_functions(comparison, las & tagged)

    def words(right: Mask) -> Score:
        return Score(int(right.sum()), len(ours), len(theirs), len(g))

    def contents(right: Mask) -> Score:
        return Score(int((right & inside).sum()), *totals, int(inside.sum()))

    return {
        "Tokens": Score(alignment.tokens or 0, surface_tokens(ours), surface_tokens(theirs)),
        "Sentences": Score(len(alignment.gold_sentences), ours.sentences, theirs.sentences),
        "Words": Score(len(g), len(ours), len(theirs)),
        "UPOS": words(same["UPOS"]),
        "XPOS": words(same["XPOS"]),
        "UFeats": words(same["UFeats"]),
        "AllTags": words(tagged & same["XPOS"]),
        "Lemmas": words(same["Lemmas"]),
        "UAS": words(gold.head_right[g]),
        "LAS": words(las),
        "CLAS": contents(las),
        "MLAS": contents(with_functions),
        "BLEX": contents(las & same["Lemmas"]),
    }


def same_columns(comparison: Comparison) -> dict[str, Mask]:
    """Of the aligned words, which have the same tags, features and lemmas; any lemma will do where gold has none."""
    ours, theirs = comparison.gold.columns, comparison.system.columns
    names, g, s = ours.names, comparison.alignment.gold, comparison.alignment.system
    feats, system_feats = (names.translate(c.feats, universal_features) for c in (ours, theirs))
    return {
        "UPOS": ours.upos[g] == theirs.upos[s],
        "XPOS": ours.xpos[g] == theirs.xpos[s],
        "UFeats": feats[g] == system_feats[s],
        "Lemmas": (ours.lemmas[g] == theirs.lemmas[s]) | (ours.lemmas[g] == names["_"]),
    }


def _same_functions(comparison: Comparison, right: Mask) -> Mask:
    """Which pairs have the same function words below them, all of them `right`."""
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    function, system_function = (side.columns.names.test(side.labels, FUNCTION.__contains__) for side in (gold, system))
    agreed = np.zeros_like(function)
    agreed[alignment.gold] = right
    below = _children(gold.columns, function)[alignment.gold]
    system_below = _children(system.columns, system_function)[alignment.system]
    agreed_below = _children(gold.columns, function & agreed)[alignment.gold]
    result: Mask = (agreed_below == below) & (agreed_below == system_below)
    return result


def _children(columns: TreebankColumns, mask: Mask) -> Ints:
    """How many words of the mask each word has as dependents; the root's are left out."""
    return np.bincount(columns.parents[mask], minlength=len(columns) + 1)[:-1].astype(np.int32)


def universal_features(feats: str) -> str:
    """The universal features of a FEATS cell, in order."""
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL))


def surface_tokens(columns: TreebankColumns) -> int:
    """How many tokens the words of a file are written as."""
    first, end, _ = columns.spans.T
    return int(len(columns) - (end - first - 1).sum())
