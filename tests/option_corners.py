"""Every option of every family as a list of corners: values that somebody has to visit, and who does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from headway.base.option_kinds import Choice, NameList, OptionKind, Pairs, Whole, YesNo, listed
from headway.base.options import Options, default_of, kinds
from headway.discovery.families import SETS
from headway.discovery.moves import MOVES
from headway.discovery.options import DiscoveryOptions
from headway.lab.peers import PEERS
from headway.lab.reading import names as recipe_names
from headway.lab.reading import recipe
from headway.lab.tasks import expand, training_of
from headway.learners.registry import SCIKIT, LearnerKind, kind_of, learner_from, name_of, names
from headway.parsers.boosted.registry import SCHEMES
from headway.parsers.boosted.schemes import Scheme
from headway.training.families import FAMILIES
from headway.training.parser_options import PassOptions
from headway.training.rows import row_from
from headway.training.run_options import RunOptions

OTHER = "another value than the default"
WORDS: Mapping[tuple[str, str], Iterable[str]] = {
    ("discovery", "moves"): MOVES,
    ("discovery", "attributes"): SETS,
}
"""The names that options with several of them know by heart."""


class Corner(NamedTuple):
    """A value of an option; `owner` is a family, a learner of a family, a scheme, `training` or `discovery`."""

    owner: str
    option: str
    value: Any

    def __str__(self) -> str:
        return f"{self.owner}: {self.option} = {self.value}"


def owners() -> dict[str, type[Options]]:
    """Everything that has options."""
    return {
        **{name: FAMILIES[name] for name in FAMILIES.own},
        **{f"{name} of {family}": kind_of(name) for family in FAMILIES.own for name in learners_of(family)},
        **{f"scheme {name}": SCHEMES[name] for name in SCHEMES.own},
        "training": RunOptions,
        "discovery": DiscoveryOptions,
    }


def learners_of(family: str) -> list[str]:
    """The learners that a family takes; none where it learns in one way only."""
    kind = kinds(FAMILIES[family]).get("learner")
    return names(*kind.registries) if isinstance(kind, LearnerKind) else []


def corners() -> list[Corner]:
    """Every option: each value of a choice, yes and no, for numbers and names one that is not the default."""
    return [
        Corner(owner, option, value)
        for owner, options in owners().items()
        for option, kind in kinds(options).items()
        for value in _values(owner, option, kind)
    ]


def _values(owner: str, option: str, kind: OptionKind) -> list[Any]:
    if isinstance(kind, Pairs):  # What can be said there are the options of learners.
        return []
    if isinstance(kind, Choice):
        return list(kind.names)
    if isinstance(kind, YesNo):
        return [True, False]
    if isinstance(kind, LearnerKind):
        return [*names(*kind.registries), *([SCIKIT] if kind.scikit else [])]
    if isinstance(kind, NameList) and (owner, option) in WORDS:
        return list(WORDS[owner, option])
    return [OTHER, *(kind.words if isinstance(kind, Whole) else ())]


def visited(owner: str, given: Options) -> Iterator[Corner]:
    """The corners that options visit, those of their learners and schemes too."""
    for option, kind in kinds(type(given)).items():
        value = getattr(given, option)
        if isinstance(kind, LearnerKind) and value is not None:
            yield from _of_learner(owner, option, given, value)
        elif isinstance(kind, Choice) and isinstance(value, Scheme):
            name = SCHEMES.name_of(type(value))
            yield Corner(owner, option, name)
            yield from visited(f"scheme {name}", value)
        elif isinstance(kind, (Choice, YesNo)):
            yield Corner(owner, option, value)
        elif isinstance(kind, NameList) and (owner, option) in WORDS:
            yield from (Corner(owner, option, word) for word in listed(value))
        elif isinstance(kind, Whole) and value in kind.words:
            yield Corner(owner, option, value)
        elif value != default_of(type(given), option):
            yield Corner(owner, option, OTHER)


def _of_learner(owner: str, option: str, given: Options, value: Any) -> Iterator[Corner]:
    if isinstance(value, str) and value.startswith(SCIKIT):
        yield Corner(owner, option, SCIKIT)
        return
    main = option == "learner"
    found = (
        given.chosen if main and isinstance(given, PassOptions) else learner_from(value, _more(given) if main else {})
    )
    yield Corner(owner, option, name_of(found))
    if owner in FAMILIES.own:
        yield from visited(f"{name_of(found)} of {owner}", found)


def _more(given: Options) -> Mapping[str, Any]:
    """The options of the learner."""
    passes = getattr(given, "passes", None)
    return {**getattr(given, "options", {}), **({"passes": passes} if passes else {})}


def of_training(given: Mapping[str, Any]) -> Iterator[Corner]:
    """The corners of a training with these options of `headway.train`."""
    how, row = row_from(None, given)
    yield from visited("training", how)
    for options in row:
        yield from visited(options.family, options)


def of_recipes() -> dict[Corner, str]:
    """What recipes visit, and one recipe that does."""
    found: dict[Corner, str] = {}
    for name in recipe_names():
        whole = recipe(name)
        for options in _trainings(whole):
            for corner in of_training(options):
                found.setdefault(corner, name)
        for search in whole.searches.values():
            for corner in visited("discovery", DiscoveryOptions(**search.options)):
                found.setdefault(corner, name)
    return found


def _trainings(whole: Any) -> Iterator[dict[str, Any]]:
    for _, task in expand(whole):
        options = {"seed": task.seed, **training_of(task.options)}
        if options.get("parser") not in PEERS:
            yield {**options, **({"features": "default"} if options.get("features") in whole.searches else {})}


def another(options: type[Options], option: str) -> Any:
    """A value that is not the default, one that tuning tries where there is one."""
    kind, default = kinds(options)[option], default_of(options, option)
    possible = kind.names if isinstance(kind, Choice) else (True, False) if isinstance(kind, YesNo) else ()
    for value in (*kind.tried, *possible, *_near(kind, default)):
        if value != default and kind.error_for(option, value) is None:
            return value
    raise AssertionError(
        f"{options.__name__}.{option}: no value but the default is known; add one to the list of cases"
    )


def _near(kind: OptionKind, default: Any) -> Iterator[Any]:
    start = default if isinstance(default, (int, float)) else max(getattr(kind, "low", 0), 0)
    yield from (start / 2, start * 2, 0.75, start + 1, 2)
