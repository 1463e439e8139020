"""Learners by name: ours, and those that other distributions bring as entry points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from headway.base.errors import HeadwayError, known
from headway.base.options import KIND, Named, Options, built
from headway.base.registry import Registry
from headway.base.stage_options import pairs_from, plain
from headway.learners.online import Online

if TYPE_CHECKING:
    from headway.learners.batch import BatchLearner
    from headway.learners.exponential import Exponential


class Classifier(Protocol):
    """A classifier of scikit-learn, or one that is used as these are."""

    def fit(self, examples: Any, classes: Any, /) -> Any:
        """Learn the classes of examples."""


Learner: TypeAlias = "Online | BatchLearner | Exponential"
ONLINE: Registry[type[Online]] = Registry(
    "learner",
    "headway.learners",
    {
        "mira": "headway.learners.online:MIRA",
        "perceptron": "headway.learners.online:Perceptron",
        "pa": "headway.learners.online:PA",
        "pa-1": "headway.learners.online:PA1",
        "pa-2": "headway.learners.online:PA2",
        "cw": "headway.learners.online:CW",
        "cw-variance": "headway.learners.online:CWVariance",
        "arow": "headway.learners.online:AROW",
    },
)
"""They see one example at a time."""
BATCH: Registry[type[BatchLearner]] = Registry(
    "batch learner",
    "headway.batch_learners",
    {
        "linear-svm": "headway.learners.batch:LinearSVM",
        "logistic": "headway.learners.batch:Logistic",
        "kernel-svm": "headway.learners.kernel_svm:KernelSVM",
    },
)
"""They see all examples at once."""
WEIGHTED: Registry[type[Exponential]] = Registry(
    "learner of weighted examples",
    "headway.weighted_learners",
    {"exponential": "headway.learners.exponential:Exponential"},
)
"""They see all examples at once, each with its importance."""
EVERY: tuple[Registry[Any], ...] = (ONLINE, BATCH, WEIGHTED)
WAYS = {ONLINE.group: ("online",), BATCH.group: ("linear", "kernel"), WEIGHTED.group: ("weighted",)}
"""How the learners of each registry learn."""
SCIKIT = "sklearn:"
"""What the name of a classifier of scikit-learn begins with."""


def names(*registries: Registry[Any]) -> list[str]:
    """The names of the learners in some registries, in all where none is given."""
    return [name for registry in registries or EVERY for name in registry]


def kind_of(name: str, *registries: Registry[Any]) -> type[Learner]:
    """The class of learners of that name."""
    for registry in registries or EVERY:
        if name in registry:
            kind: type[Learner] = registry[name]
            return kind
    raise HeadwayError(f"unknown learner {name!r}; {known(names(*registries))}")


def learner(name: str, **options: Any) -> Learner:
    """The learner of that name with options of its own."""
    return built(kind_of(name), f"learner {name}", options)


def learner_from(
    wanted: str | Learner, given: Mapping[str, Any], default_text: Mapping[str, Mapping[str, Any]] | None = None
) -> Learner:
    """A learner by its name with the options given, or the one that it is with some of them changed.

    `default_text` are a family's own defaults for learners, by their names.
    """
    options = pairs_from(given)
    if isinstance(wanted, str):
        return learner(wanted, **{**(default_text or {}).get(wanted, {}), **options})
    possible = {one.name for one in fields(wanted)}
    for name in options:
        if name not in possible:
            raise HeadwayError(f"learner {name_of(wanted)} has no option {name!r}; {known(possible)}")
    return replace(wanted, **options)


def name_of(chosen: Learner) -> str:
    """The name under which a learner is known; `module:class` for one that has none."""
    for registry in EVERY:
        try:
            return registry.name_of(type(chosen))
        except HeadwayError:
            continue
    return f"{type(chosen).__module__}:{type(chosen).__qualname__}"


def described(chosen: Learner) -> dict[str, Any]:
    """A learner with its options, as a model file keeps it."""
    return {**plain(chosen), "name": name_of(chosen)}


def has_own_passes(chosen: Learner) -> bool:
    """Whether somebody chose the number of its passes: it is not what its class has."""
    return any(one.name == "passes" and one.default != getattr(chosen, "passes", None) for one in fields(chosen))


@dataclass(frozen=True, kw_only=True)
class LearnerKind(Named):
    """A learner of some registries, or its name."""

    registries: tuple[Registry[Any], ...]
    scikit: bool = False
    """Whether any classifier of scikit-learn will do."""

    def error_for(self, what: str, value: Any) -> str | None:
        every = names(*self.registries)
        if isinstance(value, str):
            is_known = value in every or (self.scikit and value.startswith(SCIKIT))
            return None if is_known else f"unknown learner {value!r}; {known(every)}"
        if not isinstance(value, Options):
            learns = self.scikit and hasattr(value, "fit")
            return None if learns else f"{what}: expected a learner or the name of one; {known(every)}"
        ways = [way for registry in self.registries for way in WAYS[registry.group]]
        if getattr(value, "way", None) in ways:
            return None
        return f"{name_of(cast(Learner, value))} does not learn in this way; {known(every)}"

    @property
    def metavar(self) -> str:
        return "|".join([*names(*self.registries), *([f"{SCIKIT}module.Class"] if self.scikit else [])])


def learner_option(
    default: str, *registries: Registry[Any], scikit: bool = False, help: str = "Learning algorithm."
) -> Any:
    """A field of options that holds a learner of these registries, or its name."""
    return field(default=default, metadata={KIND: LearnerKind(help=help, registries=registries, scikit=scikit)})
