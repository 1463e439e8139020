"""Local learners by name, of the toolkit and of scikit-learn, and how they learn pairs of words part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.options import Options
from headway.base.stage_options import plain
from headway.kernels.features import lookup
from headway.kernels.weights import online
from headway.learners.batch import BatchLearner, library, quiet
from headway.learners.online import Online
from headway.learners.registry import SCIKIT, Learner, described, learner_from
from headway.parsers.boosted.estimators import OpaqueLocal, is_linear
from headway.parsers.boosted.linear import Floats, LinearModel, WeightEntries, linear_model
from headway.parsers.boosted.pair_features import CLASSES, ExamplesByFeature, PairExamples


class LinearLearner(Protocol):
    """What learns weights of features from examples with their importance."""

    def fit(self, columns: ExamplesByFeature, importance: Floats, weights: Floats) -> None:
        """Change weights [feature, class], from which learning begins, to what is learned."""


@dataclass(frozen=True)
class OnlineLocal:
    """An online learner of the toolkit; an important example comes several times in a row (`weights/online.pyx`)."""

    learner: Online
    seed: int = 1

    def fit(self, columns: ExamplesByFeature, importance: Floats, weights: Floats) -> None:
        """Learn from nothing, pass by pass, in an order that depends on the seed."""
        learner, examples = self.learner, len(columns.target)
        start, features = rows_of(columns)
        none = np.empty((0, weights.shape[1]))
        sums = np.zeros_like(weights) if learner.average else none
        variances = np.full_like(weights, learner.initial_variance) if learner.variance else none
        weights[:] = 0
        steps, rule = 0, learner.step_rule()
        for number in range(1, learner.passes + 1):
            if learner.begins_average(number):
                sums[:] = 0
                steps = 0
            order = np.random.Generator(np.random.PCG64([self.seed, number])).permutation(examples).astype(np.int32)
            online.learn(
                *(start, features, columns.target, np.ascontiguousarray(importance), order),
                *(weights, sums, variances),
                rule=rule,
                time=float(steps),
            )
            steps += examples
        if learner.average:
            weights -= sums / max(1, steps)


@dataclass(frozen=True)
class EstimatorLocal:
    """A linear classifier of scikit-learn: any that takes sample weights and has coefficients."""

    estimator: Any
    against_rest: bool = False
    """Whether each class is a problem of its own, for classifiers that know two classes only."""
    learner: BatchLearner | None = None
    """The learner of ours that the classifier stands for."""

    def fit(self, columns: ExamplesByFeature, importance: Floats, weights: Floats) -> None:
        """Fit a copy of the estimator; its decision values are the scores of the classes."""
        used = np.flatnonzero(importance > 0)
        present = np.unique(columns.target[used])
        weights[:] = 0
        if len(present) == 1:
            weights[0, present] = 1 + np.log(1 + importance.sum())
        if len(present) < 2:
            return
        matrix = library("scipy.sparse").csc_matrix(
            (np.ones(len(columns.member)), columns.member, columns.start), (len(columns.target), len(columns.keys))
        )
        # An example without importance may have a class that no other has.
        matrix = matrix.tocsr()[used]
        target = columns.target[used]
        if self.against_rest and len(present) > 2:
            each = [self._fitted(matrix, target == one, importance[used]) for one in present]
            coefficients, intercepts = (np.concatenate(parts) for parts in zip(*each, strict=True))
        else:
            coefficients, intercepts = self._fitted(matrix, target, importance[used])
        if len(present) == 2 and len(coefficients) == 1:
            coefficients, intercepts = np.concatenate([0 * coefficients, coefficients]), np.append(0, intercepts)
        weights[:, present] = coefficients.T
        weights[0, present] += intercepts
        if len(present) < weights.shape[1]:
            absent = np.setdiff1d(np.arange(weights.shape[1]), present)
            weights[0, absent] = unseen(matrix @ coefficients.T + intercepts, float(importance.sum()))

    def _fitted(self, matrix: Any, target: Any, importance: Floats) -> tuple[Floats, Floats]:
        """Coefficients [class, feature], or of two classes of the second alone, and intercepts of a fitted copy."""
        estimator = library("sklearn.base").clone(self.estimator)
        with quiet():
            estimator.fit(matrix, target, sample_weight=importance)
        if hasattr(estimator, "feature_log_prob_"):
            return naive_bayes(estimator)
        if not hasattr(estimator, "coef_"):
            raise HeadwayError(f"{type(estimator).__name__} has no coefficients; take a linear classifier")
        coefficients = np.atleast_2d(estimator.coef_)
        return coefficients, np.broadcast_to(estimator.intercept_, len(coefficients))


def unseen(scores: Floats, examples: float) -> float:
    """The score of a class that no example has, from those of the classes that are there [example, class].

    Its probability is then about one in so many examples, and one more. A score of 0 would make it as likely as any.
    """
    highest = scores.max(axis=1)
    together = highest + np.log(np.exp(scores - highest[:, None]).sum(axis=1))
    return float(together.mean() - np.log(1 + examples))


def naive_bayes(estimator: Any) -> tuple[Floats, Floats]:
    """Naive Bayes as coefficients and intercepts of binary features."""
    logs, prior = estimator.feature_log_prob_, estimator.class_log_prior_
    if type(estimator).__name__ != "BernoulliNB":
        return logs, prior
    absent = np.log1p(-np.exp(logs))
    return logs - absent, prior + absent.sum(axis=1)


def rows_of(columns: ExamplesByFeature) -> tuple[Any, Any]:
    """The features of each example: where they begin, and their numbers."""
    examples = len(columns.target)
    start = np.concatenate([[0], np.cumsum(np.bincount(columns.member, minlength=examples))]).astype(np.int64)
    features = np.empty(len(columns.member), np.int32)
    same = np.arange(examples, dtype=np.int32)
    lookup.columns(columns.start, columns.member, same, np.full(examples, -1, np.int32), start[:-1].copy(), features)
    return start, features


def local_learner(
    wanted: str | Learner | LinearLearner | Any,
    given: Mapping[str, Any],
    default_text: Mapping[str, Mapping[str, Any]],
    *,
    passes: int | None = None,
    seed: int = 1,
) -> LinearLearner | OpaqueLocal:
    """The local learner of that name: one of the toolkit, `sklearn:module.Class`; or what a learner or classifier is.

    `given` are its options, `default_text` the defaults that learners of some names have here.
    """
    if isinstance(wanted, str) and wanted.startswith(SCIKIT):
        return _around(_estimator(wanted.removeprefix(SCIKIT), given))
    if not isinstance(wanted, (str, Options)):
        if not hasattr(wanted, "get_params"):
            return cast(LinearLearner, wanted)
        try:
            return _around(cast(Any, wanted).set_params(**given))
        except ValueError as error:
            raise HeadwayError(f"{type(wanted).__name__}: {error}; give options that it has") from None
    learner: Any = learner_from(cast(Learner, wanted), given, default_text)
    if learner.way == Online.way:
        return OnlineLocal(learner if passes is None else replace(learner, passes=passes), seed)
    if learner.way == "linear":
        return EstimatorLocal(learner.checked_estimator(seed), against_rest=not learner.joint, learner=learner)
    if learner.way == "kernel":
        return OpaqueLocal(learner.with_probabilities())
    return cast(LinearLearner, learner)


def _around(estimator: Any) -> LinearLearner | OpaqueLocal:
    """A local learner with an estimator of scikit-learn: linear where it has weights of features, else opaque."""
    if is_linear(estimator):
        return EstimatorLocal(estimator)
    if not hasattr(estimator, "predict_proba"):
        raise HeadwayError(f"{type(estimator).__name__} has neither weights nor probabilities; take another classifier")
    return OpaqueLocal(estimator)


def _estimator(path: str, options: Mapping[str, Any]) -> Any:
    """An estimator of scikit-learn by its name within the library, as in linear_model.LogisticRegression."""
    module, _, kind = path.rpartition(".")
    found = getattr(library(f"sklearn.{module}" if module else "sklearn"), kind, None)
    if found is None or not hasattr(found, "fit"):
        raise HeadwayError(f"scikit-learn has no classifier {path!r}; name one as linear_model.LogisticRegression")
    try:
        return found(**options)
    except TypeError as error:
        raise HeadwayError(f"{path}: {error}; give options that it has") from None


def local_described(learner: Any) -> Any:
    """A local learner with its options, as a model file keeps it."""
    inner = (isinstance(learner, (OnlineLocal, EstimatorLocal)) and learner.learner) or learner
    if isinstance(inner, (EstimatorLocal, OpaqueLocal)):
        return plain(inner.estimator)
    return described(cast(Learner, inner)) if isinstance(inner, Options) else repr(inner)


def understood(learner: object, importance: Floats) -> Floats:
    """The importance of each example, where that of its wrong classes [example, class] is more than a learner takes."""
    if importance.ndim == 1 or getattr(learner, "takes_mislabels", False):
        return importance
    total: Floats = importance.sum(axis=1)
    return total


def learn(
    pairs: PairExamples,
    importance: Floats,
    learner: LinearLearner,
    *,
    begin: LinearModel | None = None,
    threads: int = 1,
    progress: Callable[[float], None] = lambda share: None,
) -> LinearModel:
    """The model of all parts, each learned on its own; it does not depend on the number of threads.

    `begin` is a model to begin with, such as that of the last round.
    """
    importance = understood(learner, importance)

    def learn_part(part: int) -> WeightEntries:
        columns = pairs.columns(part)
        weights = np.zeros((len(columns.keys), CLASSES)) if begin is None else begin.rows(columns.keys, CLASSES)
        learner.fit(columns, importance[pairs.members(part)], weights)
        return WeightEntries.of(columns.keys, weights)

    largest_first = np.argsort(-np.diff(pairs.bounds), kind="stable").tolist()
    found, done = [], 0
    with ThreadPoolExecutor(threads) as pool:
        for part, entries in zip(largest_first, pool.map(learn_part, largest_first), strict=True):
            found.append(entries)
            done += int(pairs.bounds[part + 1] - pairs.bounds[part])
            progress(done / len(pairs))
    return linear_model(found)
