"""The scores of the CoNLL 2018 shared task (Zeman et al. 2018), with the numbers of its official scorer.

Sentences with several roots are scored too; the official scorer refuses them by default.
"""

from __future__ import annotations

import numpy as np

from headway.evaluation.columns import Ints, Mask, TreebankColumns
from headway.evaluation.comparison import Comparison
from headway.evaluation.scores import CountedItems, marked, sentences, words

TAGS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
"""The scores of tags and lemmas."""
CONTENT = ("CLAS", "MLAS", "BLEX")
"""The scores of content words."""
SHOWN = ("Tokens", "Sentences", "Words", *TAGS, "UAS", "LAS", *CONTENT)
"""All scores of the official scorer, in its order."""
CONTENT_LABELS = frozenset(
    {
        *("root", "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp"),
        *("obl", "vocative", "expl", "dislocated", "advcl", "advmod", "discourse"),
        *("nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list"),
        *("parataxis", "orphan", "goeswith", "reparandum", "dep"),
    }
)
"""The labels of content words, over which CLAS, MLAS and BLEX count."""
FUNCTION_LABELS = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
"""The labels of function words, which MLAS counts with their content word."""
UNIVERSAL = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case"),
        *("Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity"),
        *("Person", "Polite"),
    }
)
"""The features that count."""


def ud_scores(comparison: Comparison) -> dict[str, CountedItems]:
    """What the thirteen scores count, in the order of the official scorer."""
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    ours, theirs = gold.columns, system.columns
    partners = marked(alignment.gold, True, len(ours))
    same = {name: marked(alignment.gold, right, len(ours)) for name, right in same_columns(comparison).items()}
    tagged = same["UPOS"] & same["UFeats"]
    inside, system_inside = (ours.names.test(side.labels, CONTENT_LABELS.__contains__) for side in (gold, system))
    begins, system_begins = ours.token_begins, theirs.token_begins
    tokens = marked(alignment.tokens, True, int(begins.sum()))
    right = {
        "UPOS": same["UPOS"],
        "XPOS": same["XPOS"],
        "UFeats": same["UFeats"],
        "AllTags": tagged & same["XPOS"],
        "Lemmas": same["Lemmas"],
        "UAS": gold.head_right,
        "LAS": gold.right,
    }
    of_content = {
        "CLAS": gold.right,
        "MLAS": gold.right & tagged & _same_functions(comparison, gold.right & tagged),
        "BLEX": gold.right & same["Lemmas"],
    }
    return {
        "Tokens": CountedItems(tokens, ours.sentence[begins], alignment.home[system_begins]),
        "Sentences": sentences(comparison, marked(alignment.gold_sentences, True, ours.sentences)),
        **words(comparison, {"Words": partners}),
        **words(comparison, right, aligned=partners),
        **words(comparison, of_content, inside, system_inside, partners),
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


def tags_compared(comparison: Comparison) -> str:
    """Which tags a system's file has: `gold`, `predicted` with how many are right, or `none`."""
    theirs, names = comparison.system.columns, comparison.gold.columns.names
    no_upos = (theirs.upos == names["_"]).all()
    if no_upos and (theirs.xpos == names["_"]).all():
        return "none"
    same = same_columns(comparison)
    if all(same[name].all() for name in ("UPOS", "XPOS", "UFeats")):
        return "gold"
    return f"predicted ({100 * same['XPOS' if no_upos else 'UPOS'].mean():.2f} % right)"


def _same_functions(comparison: Comparison, right: Mask) -> Mask:
    """Which gold words have the same function words below them as their partners, all of them `right`."""
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    function, system_function = (
        side.columns.names.test(side.labels, FUNCTION_LABELS.__contains__) for side in (gold, system)
    )
    below = _children(gold.columns, function)[alignment.gold]
    system_below = _children(system.columns, system_function)[alignment.system]
    agreed = _children(gold.columns, function & right)[alignment.gold]
    return marked(alignment.gold, (agreed == below) & (agreed == system_below), len(gold.columns))


def _children(columns: TreebankColumns, mask: Mask) -> Ints:
    """How many words of the mask each word has as dependents; the root's are left out."""
    return np.bincount(columns.parents[mask], minlength=len(columns) + 1)[:-1].astype(np.int32)


def universal_features(feats: str) -> str:
    """The universal features of a FEATS cell, in order."""
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL))
