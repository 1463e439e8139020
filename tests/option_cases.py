"""Small trainings and searches: one for each value of each option, and options said by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from headway.base.options import Choice, OptionKind, Pairs, Whole, YesNo, default_of, kinds
from headway.base.options import Options as OptionsOfAThing
from headway.base.stage_options import StageOptions
from headway.learners.online import Online
from headway.learners.registry import LearnerKind, kind_of, names
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
}
"""Values that are not the default where nothing tells them, ..."""
SHORT: Options = {"settle": 1, "mark_cutoff": 1, "patience": 1, "smallest": 0.01, "minimum": 5, "split": "POS(STACK0)"}
"""... and by the name of the option alone, where the next best would make no difference to so few sentences."""
STATIC = {"dynamic": False}
COMPANY: Mapping[tuple[str, str, Any], Options] = {
    ("graph", "counts_labels", True): {"labels": "joint"},
    ("graph", "k", None): {"learner": "mira", "order": 1},
    ("graph", "order", 2): {"features": "mst-siblings"},
    ("boosted", "passes", None): {"learner": "pa"},
    ("boosted", "learner", "kernel-svm"): STATIC,
}
"""What must be said beside an option, or beside one value of it."""
SHARE = 0.4
"""How often an option is said by chance."""
LEFT_ALONE = ("passes", "bits", "label_bits", "threads", "rounds")
"""Options that only make a training longer."""
SEARCHES: Mapping[str, Options] = {
    "from a model": {
        "start": "malt-14",
        "minutes": 1e-6,
        "attributes": "UPOS",
        "learner": None,
        "least": 12,
        "race": None,
    },
    "all pairs, by UAS": {
        "metric": "UAS",
        "pairs": True,
        "moves": "add,join,drop",
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


def trainings() -> dict[str, Options]:
    """Options of `headway.train`: each value of each option of a family, and all options of each learner and scheme."""
    found = {}
    for family in FAMILIES.own:
        for option, kind in kinds(FAMILIES[family]).items():
            for one in values_of(family, option, kind):
                company = COMPANY.get((family, option, one)) or COMPANY.get((family, option, None), {})
                found[f"{family}: {option} = {one}"] = {"parser": family, **BASE[family], option: one, **company}
    for learner in learners_of("transition"):
        options = {name: said(learner, name) for name in kinds(kind_of(learner)) if name != "passes"}
        found[f"all of {learner}"] = {
            "parser": "transition",
            **BASE["transition"],
            "learner": learner,
            "options": options,
        }
    for name in SCHEMES.own:
        scheme = SCHEMES[name](**{option: said(f"scheme {name}", option) for option in kinds(SCHEMES[name])})
        found[f"all of {name}"] = {"parser": "boosted", **BASE["boosted"], "boosting": scheme}
    return {name: without_idle_passes(given) for name, given in found.items()}


def values_of(family: str, option: str, kind: OptionKind) -> list[Any]:
    """Each value of a choice, yes and no; for numbers and names one that is not the default."""
    if isinstance(kind, Pairs):  # What can be said there are the options of learners.
        return []
    if isinstance(kind, Choice):
        return list(kind.names)
    if isinstance(kind, YesNo):
        return [True, False]
    if isinstance(kind, LearnerKind):
        return names(*kind.registries)
    return [said(family, option), *((word for word in kind.words if word != "auto") if isinstance(kind, Whole) else ())]


def learners_of(family: str) -> list[str]:
    """The learners that a family takes; none where it learns in one way only."""
    kind = kinds(FAMILIES[family]).get("learner")
    return names(*kind.registries) if isinstance(kind, LearnerKind) else []


def without_idle_passes(given: Options) -> dict[str, Any]:
    """The options, without passes where a learner makes none."""
    learner = given.get("learner")
    online = not (isinstance(learner, str) and learner in learners_of(given["parser"])) or (
        kind_of(learner).way == Online.way
    )
    return {name: one for name, one in given.items() if online or name != "passes"}


def said(owner: str, option: str) -> Any:
    """A value of an option that is not its default."""
    if (owner, option) in SAID:
        return SAID[owner, option]
    if option in SHORT:
        return SHORT[option]
    return another(options_of(owner), option)


def options_of(owner: str) -> type[OptionsOfAThing]:
    """The options of a family, a learner or a scheme."""
    if owner.startswith("scheme "):
        return SCHEMES[owner.removeprefix("scheme ")]
    return FAMILIES[owner] if owner in FAMILIES.own else kind_of(owner)


def another(options: type[OptionsOfAThing], option: str) -> Any:
    """A value that is not the default, one that tuning tries where there is one."""
    kind, default = kinds(options)[option], default_of(options, option)
    possible = kind.names if isinstance(kind, Choice) else (True, False) if isinstance(kind, YesNo) else ()
    for value in (*kind.tried, *possible, *_near(kind, default)):
        if value != default and kind.error_for(option, value) is None:
            return value
    raise AssertionError(f"{options.__name__}.{option}: no value but the default is known; add one to SAID")


def _near(kind: OptionKind, default: Any) -> Iterator[Any]:
    start = default if isinstance(default, (int, float)) else max(getattr(kind, "low", 0), 0)
    yield from (start / 2, start * 2, 0.75, start + 1, 2)


def drawn(number: int) -> tuple[dict[str, Any], bool]:
    """Options of `headway.train`, each said or not by chance, and whether there is a development treebank."""
    chance = Random(number)
    family = list(FAMILIES.own)[number % len(FAMILIES.own)]
    given = {"parser": family, **BASE[family]}
    for option, kind in kinds(FAMILIES[family]).items():
        if option not in LEFT_ALONE and not isinstance(kind, Pairs) and chance.random() < SHARE:
            given[option] = chance.choice(values_of(family, option, kind))
    learner = given.get("learner")
    if isinstance(learner, str) and learner in learners_of(family):
        options = [name for name in kinds(kind_of(learner)) if name != "passes" and chance.random() < SHARE]
        given["options"] = {name: said(learner, name) for name in options}
    return without_idle_passes(given), chance.random() < 0.5
