"""Small trainings and searches that visit the options which no recipe does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from option_corners import OTHER, Corner, another, corners, learners_of, of_recipes, of_training, owners, visited

from headway.base.option_kinds import Choice, Pairs, YesNo
from headway.base.options import StageOptions, default_of, kinds
from headway.discovery.options import DiscoveryOptions
from headway.learners.online import Online
from headway.learners.registry import SCIKIT, LearnerKind, kind_of
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.boosted.registry import SCHEMES
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.training.families import FAMILIES

Options = Mapping[str, Any]
SMALL: dict[str, StageOptions] = {
    "transition": TransitionOptions(passes=3, features="malt-14"),
    "transition, exploring, in two steps": TransitionOptions(passes=3, features="malt-14+pairs", two_step=True),
    "transition, linear": TransitionOptions(learner="linear-svm", features="malt-14"),
    "transition, kernel": TransitionOptions(learner="kernel-svm", features="malt-14"),
    "graph": GraphOptions(bits=16, passes=3, features="mst"),
    "graph, with variances": GraphOptions(bits=16, passes=3, features="mst", learner="arow"),
    "boosted": BoostedOptions(rounds=3),
    "boosted, ensemble": BoostedOptions(rounds=3, boosting="adaboost-m1"),
}
SMALL |= {family: FAMILIES[family]() for family in FAMILIES.own if family not in SMALL}
"""What `contracts.check_family` is run on."""
ELSEWHERE = {
    Corner("training", "stages", OTHER): "tests/test_pipeline.py",
    Corner("training", "without", OTHER): "tests/test_text_pipeline.py",
    Corner("training", "take", OTHER): "tests/test_text_pipeline.py",
    Corner("training", "calibrate", "dev"): "tests/calibration/test_confidence.py",
}
"""Corners that another test visits."""
REFUSED = {Corner("boosted", "label_learner", "kernel-svm"): "labels need a learner with weights of features"}
"""Corners where nothing can be trained, and the sentence that says so."""
BASE: Mapping[str, Options] = {
    "transition": {"features": "malt-14", "passes": 3},
    "graph": {"features": "mst", "passes": 3, "bits": 14, "label_bits": 14},
    "boosted": {"rounds": 2, "features": "local", "label_features": "mst"},
}
BASE = {family: BASE.get(family, {}) for family in FAMILIES.own}
"""What makes a training short."""
SAID: Mapping[tuple[str, str], Any] = {
    ("transition", "features"): "malt-14",
    ("graph", "features"): "mst",
    ("boosted", "features"): "local",
    ("boosted", "label_features"): "mst",
    ("boosted", "learner"): "sklearn:tree.DecisionTreeClassifier",
    ("boosted", "label_learner"): "sklearn:naive_bayes.BernoulliNB",
    ("training", "tune"): "cutoff",
}
"""Values that are not the default where nothing tells them, ..."""
SHORT: Options = {"settle": 1, "mark_cutoff": 1, "patience": 1, "smallest": 0.01, "minimum": 5, "split": "POS(STACK0)"}
"""... and by the name of the option alone, where the next best would make no difference to so few sentences."""
STATIC = {"dynamic": False}
COMPANY: Mapping[tuple[str, str, Any], Options] = {
    ("graph", "counts_labels", True): {"labels": "joint"},
    ("graph", "k", OTHER): {"learner": "mira", "order": 1},
    ("boosted", "passes", OTHER): {"learner": "pa"},
    ("boosted", "keep", "best"): {"dev": True},
    ("boosted", "learner", "kernel-svm"): STATIC,
    ("boosted", "learner", SCIKIT): {**STATIC, "partitioned": False},
    ("kernel-svm of boosted", "C", OTHER): STATIC,
    ("training", "patience", OTHER): {"dev": True},
    ("training", "folds", OTHER): {"passes": "auto"},
    ("training", "tune", OTHER): {"dev": True},
    ("training", "resume", False): {"output": True},
    ("transition", "passes", "auto"): {"folds": 2},
    ("graph", "passes", "auto"): {"folds": 2},
}
"""What must be said beside an option; `dev` and `output` are files of the test."""
SHARE = 0.4
"""How often an option is said by chance."""
LEFT_ALONE = ("passes", "bits", "label_bits", "threads", "rounds")
"""Options that only make a training longer."""
BESIDE = ("dev", "output")
SEARCHES: Mapping[str, Options] = {
    "all pairs, from a set, by UAS": {
        "metric": "UAS",
        "pairs": True,
        "start": "malt-14+pairs",
        "moves": "join,drop",
        "largest": 2,
        "beam": 1,
        "punctuation": True,
        "definition": "conllx",
        "seed": 2,
    },
    "in one step, cross-validated": {
        "folds": 2,
        "two_step": False,
        "pairs": False,
        "race": False,
        "encoding": "head",
        "definition": "all",
        "learner": "pa",
        "punctuation": False,
        "threshold": 0.1,
    },
    "a race that is checked": {
        "race": True,
        "check_racing": True,
        "keep": 0.5,
        "least": 2,
        "significance": 0.05,
        "patience": 1,
        "encoding": "path",
        "learner": "pa-1",
    },
    "the paper's learner": {"paper": True, "attributes": "POS", "passes": None, "learner": None},
    "of arcs": {"parser": "graph", "learner": "mira", "encoding": "head+path"},
    "of tags": {"parser": "tagger", "metric": "UPOS", "attributes": "SUFFIX3"},
    "of all tags": {"parser": "tagger", "metric": "AllTags", "attributes": "words"},
    "of lemmas": {"parser": "lemmatizer", "metric": "Lemmas", "attributes": "forms"},
    "of tokens": {"parser": "segmenter", "metric": "Tokens", "attributes": "FORM"},
    "of segments": {"parser": "segmenter", "metric": "Segments", "attributes": "characters"},
    "of trees": {"metric": "LAS", "definition": "ud", "attributes": "paper"},
    "arc-standard": {"system": "arc-standard", "root": "start", "attributes": "extended"},
    "swap": {"system": "swap", "prune": 0.0},
    "the root at the end": {"root": "end"},
    "no root": {"root": "none"},
}
"""Searches that together visit the options of discovery."""
SEARCHED = {"attributes": "POS", "learner": "perceptron", "passes": 1, "least": 2, "generations": 1, "race": False}
"""What makes a search short."""


def searches() -> dict[str, Options]:
    """Short searches: those above, and one with each learner that they do not have."""
    found = {name: {**SEARCHED, **given} for name, given in SEARCHES.items()}
    found["the paper's learner"].pop("race")
    known = {corner for given in found.values() for corner in visited("discovery", DiscoveryOptions(**given))}
    for corner in corners():
        if corner[:2] == ("discovery", "learner") and corner not in known:
            passes = {} if kind_of(corner.value).way == Online.way else {"passes": None}
            found[f"learner {corner.value}"] = {**SEARCHED, "learner": corner.value, **passes}
    return found


def trainings(known: Iterable[Corner]) -> dict[str, Options]:
    """A training for each corner that is neither known nor visited by a training before it."""
    visits, found = {*known, *ELSEWHERE, *REFUSED}, {}
    for corner in corners():
        if corner not in visits and corner.owner != "discovery":
            given = training_for(corner)
            visits |= set(of_training(without_files(given)))
            found[str(corner)] = given
    return found


def training_for(corner: Corner) -> Options:
    """Options of `headway.train` for a short training that visits the corner."""
    owner, option, value = corner
    if owner.startswith("scheme "):
        scheme = SCHEMES[owner.removeprefix("scheme ")]
        return {"parser": "boosted", **BASE["boosted"], "boosting": scheme(**{option: said(owner, option)})}
    learner, _, family = owner.rpartition(" of ")
    family = family if family in FAMILIES.own else "transition"
    base = {"parser": family, "passes": 3, **BASE[family]}
    if learner:
        base |= {"learner": learner, "options": _of_learner(learner, option, value)}
    else:
        base[option] = said(owner, option) if value in (OTHER, SCIKIT) else value
    base |= COMPANY.get(corner, {})
    return base if _makes_passes(family, base) else {name: one for name, one in base.items() if name != "passes"}


def _of_learner(learner: str, option: str, value: Any) -> Options:
    """Yes or no, or all numbers and names of a learner with values that are not the default."""
    kind = kind_of(learner)
    if value is not OTHER:
        return {option: value}
    others = [name for name, one in kinds(kind).items() if name != "passes" and not isinstance(one, YesNo)]
    return {name: said(learner, name) for name in others} | ({"average": True} if "settle" in others else {})


def said(owner: str, option: str) -> Any:
    """A value of an option that is not its default."""
    if (owner, option) in SAID:
        return SAID[owner, option]
    if option in SHORT:
        return SHORT[option]
    return another(owners()[owner] if owner in owners() else kind_of(owner), option)


def _makes_passes(family: str, given: Options) -> bool:
    if not learners_of(family):
        return False
    learner = given.get("learner", default_of(FAMILIES[family], "learner"))
    return learner in learners_of(family) and kind_of(learner).way == Online.way


def without_files(given: Options) -> dict[str, Any]:
    """The options without the files that a test adds."""
    return {name: value for name, value in given.items() if name not in BESIDE}


def by_recipes_and_families() -> set[Corner]:
    """What recipes and the contract of families visit."""
    return {*of_recipes(), *(corner for options in SMALL.values() for corner in visited(options.family, options))}


def by_cases(given: Iterable[Options]) -> set[Corner]:
    """What trainings visit, searches, and tests elsewhere."""
    found = {corner for options in given for corner in of_training(without_files(options))}
    found |= {corner for options in searches().values() for corner in visited("discovery", DiscoveryOptions(**options))}
    return found | set(ELSEWHERE) | set(REFUSED)


def drawn(number: int) -> tuple[dict[str, Any], bool]:
    """Options of `headway.train`, each said or not by chance, and whether there is a development treebank."""
    chance = Random(number)
    family = list(FAMILIES.own)[number % len(FAMILIES.own)]
    given = {"parser": family, **BASE[family]}
    for option, kind in kinds(FAMILIES[family]).items():
        if option not in LEFT_ALONE and not isinstance(kind, Pairs) and chance.random() < SHARE:
            given[option] = value(chance, family, option, kind)
    learner = given.get("learner")
    if isinstance(learner, str) and learner in learners_of(family):
        options = {name: one for name, one in kinds(kind_of(learner)).items() if name != "passes"}
        chosen = [name for name in options if chance.random() < SHARE]
        given["options"] = {name: value(chance, learner, name, options[name]) for name in chosen}
        if kind_of(learner).way != Online.way:
            given.pop("passes", None)
    return given, chance.random() < 0.5


def value(chance: Random, owner: str, option: str, kind: Any) -> Any:
    """A value of an option by chance."""
    if isinstance(kind, YesNo):
        return chance.random() < 0.5
    if isinstance(kind, LearnerKind):
        return chance.choice(learners_of(owner))
    if isinstance(kind, Choice):
        return chance.choice(list(kind.names))
    return said(owner, option)
