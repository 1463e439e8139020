"""Searches and repeated trainings: features, options, cross-validation."""

from __future__ import annotations

from files import BOOSTED, GRAPH, SMALL, TEXT
from workplace import Cases

SHORT = "discover train.conllu -o found --jobs 1 --beam 2 --generations 2 --least 3"
SEARCHES = (
    "--dev dev.conllu --test test.conllu",
    "--folds 3 --metric UAS",
    "--dev dev.conllu --moves add,join,drop --attributes POS,UPOS",
    "--dev dev.conllu --no-race --one-step --no-pairs --system swap",
    "--dev dev.conllu --check-racing --significance 0.1 --no-punctuation",
    "--parser graph --learner mira --generations 1",
    "--learner logistic",
    "--parser tagger --generations 1 --passes 1",
    "--parser lemmatizer --generations 1 --passes 1",
    "--parser segmenter --generations 1 --passes 1",
)
TUNED = {
    "cutoff": f"{SMALL} --passes 2 --tune cutoff",
    "explore and encoding": f"{SMALL} --passes 2 --tune explore,encoding",
    "C and decoder": f"{GRAPH} --passes 2 --tune C,decoder",
    "boosting": f"{BOOSTED} --tune boosting",
}
VALIDATED = {
    "a transition parser": f"{SMALL} --passes 2",
    "a transition parser with dev": f"{SMALL} --dev dev.conllu",
    "a graph parser": f"{GRAPH} --passes 2",
    "a boosted parser": BOOSTED,
    "a pipeline": f"{TEXT} {SMALL} --passes 2",
}

CASES: Cases = {
    **{f"discover {words}": (f"{SHORT} {words}",) for words in SEARCHES},
    "discover --start": (
        "discover train.conllu --dev dev.conllu -o found --jobs 1 --start few.features --generations 1 --passes 1",
    ),
    "report of a search": (f"{SHORT} --dev dev.conllu", "discover --report found.search"),
    **{f"tune {name}": (f"train train.conllu --dev dev.conllu -o model {words}",) for name, words in TUNED.items()},
    **{
        f"crossvalidate {name}": (f"crossvalidate train.conllu --jobs 1 --folds 3 -o parsed.conllu {words}",)
        for name, words in VALIDATED.items()
    },
}
