"""Checks that every learner, decoder, transition system, family and stage passes: run them on your own.

>>> from headway.parsers.contracts import check_learner
>>> from headway.learners.online import Perceptron
>>> check_learner(Perceptron)

Each raises an AssertionError that says what is wrong. headway's own parts are tested with them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from headway.base.errors import HeadwayError
from headway.base.options import Options, kinds
from headway.base.stage_options import StageOptions, plain
from headway.data.batch import Batch, Ints
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.sources import batches_of
from headway.data.trees import is_projective, is_tree
from headway.learners.batch import BatchLearner, library
from headway.learners.online import Online
from headway.parsers.graph.registry import Decoder
from headway.parsers.transition.enumeration import Derivations, derive, losses, reachable, replay
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import SYSTEMS, ChosenSystem
from headway.stages.contract import Stage
from headway.stages.parsing.parser import Parser
from headway.stages.stage_checks import check_stage
from headway.training.contract import unheard
from headway.training.loop import TrainingLoop
from headway.training.train import train

MARGINS = (-3.0, -0.5, 0.0, 0.5, 1.0, 2.0)


def check_options(options: type[Options]) -> None:
    """Options are a frozen dataclass; all fields have a kind with help, and refuse what has no meaning."""
    assert is_dataclass(options), f"{options.__name__} is not a dataclass"
    made = options()
    assert replace(made) == made, "a copy of the options is not equal to them"
    assert json.loads(json.dumps(plain(made))) == plain(made), "the options are not JSON"
    for field in fields(options):
        kind = kinds(options).get(field.name)
        assert kind is not None, f"{field.name} has no kind; make the field with headway.base.options"
        assert kind.help, f"{field.name} has no help"
        try:
            setattr(made, field.name, None)
        except FrozenInstanceError:
            pass
        else:
            raise AssertionError(f"{field.name} can be changed; freeze the dataclass")
        try:
            options(**{field.name: object() if kind.metavar != "TEXT" else 3.5j})
        except HeadwayError as refusal:
            assert "\n" not in str(refusal), f"the refusal of {field.name} is not one sentence"
        except TypeError as error:
            raise AssertionError(f"{field.name} refuses a value with {error!r}, not with a sentence") from None


def check_learner(learner: type[Online]) -> None:
    """An online learner steps towards the right class only where it must, and learns a small treebank."""
    check_options(learner)
    made = learner()
    rule = made.step_rule()
    for margin in MARGINS:
        for variance in (0.5, 4.0):
            step, shrink = rule.step(margin, variance)
            assert np.isfinite(step) and step >= 0, f"the step at margin {margin} and variance {variance} is {step}"
            assert np.isfinite(shrink) and shrink >= 0, f"the shrink at margin {margin} is {shrink}"
            assert not margin <= -0.5 or step > 0, f"a mistake by {-margin} teaches nothing"
    rule.check()
    _check_parser(replace(made, passes=3))


def check_batch_learner(learner: type[BatchLearner]) -> None:
    """A batch learner separates what can be separated, with few weights to spare, and learns a small treebank."""
    check_options(learner)
    made: Any = learner()
    assert made.way in ("linear", "kernel"), f"way = {made.way!r}; a batch learner is linear or has a kernel"
    if made.way == "linear":
        random = np.random.default_rng(1)
        targets = random.integers(0, 3, 200).astype(np.int32) * 2
        dense = random.random((200, 12)) < 0.2
        dense[np.arange(200), targets] = True
        dense[:, [0, 2, 4]] &= np.arange(0, 5, 2) == targets[:, None]
        examples, shares = library("scipy.sparse").csr_matrix(dense.astype(np.float32)), [0.0]
        first, second = (made.fit(examples, targets, 6, seed=1, progress=shares.append).toarray() for _ in range(2))
        assert np.array_equal(examples.toarray(), dense), "the learner has changed the examples"
        assert first.shape == (12, 6), f"12 features and 6 classes have weights of shape {first.shape}"
        assert np.isfinite(first).all(), "there are weights that are not finite"
        assert not first[:, 1::2].any(), "a class without examples has weights"
        assert ((dense @ first).argmax(axis=1) == targets).all(), (
            "classes that one feature tells apart are not told apart"
        )
        assert np.array_equal(first, second), "the same seed does not give the same weights"
        assert 0 <= min(shares) <= max(shares) <= 1, "progress is a share from 0 to 1"
        one = made.fit(examples, targets * 0, 6, seed=1)
        assert one.shape == (12, 6), f"where there is one class, weights have the shape {one.shape}"
    _check_parser(made)


def _check_parser(learner: Any) -> None:
    """A learner teaches a parser a small treebank, twice the same."""
    data = list(batches_of(generate(60, seed=1)))
    options = TransitionOptions(learner=learner, features="malt-14", explore=0.0)
    first, second = (TrainingLoop(options, data, dev=data).run().pack() for _ in range(2))
    assert first.header["about"]["dev"]["LAS"] > 60, "60 sentences are not learned"
    same = all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
    assert same, "the same seed does not give the same weights"


def check_decoder(decoder: Decoder, *, words: int = 6, rounds: int = 50) -> None:
    """A decoder gives trees, with a single root where asked, and does not write into the scores it is given."""
    random = np.random.default_rng(1)
    for _ in range(rounds):
        size = int(random.integers(1, words + 1))
        scores = random.standard_normal((size + 1, size + 1))
        before = scores.copy()
        for single in (False, True):
            heads = np.asarray(decoder.decode(scores, single_root=single))
            assert heads.shape == (size,), f"there are {heads.shape} heads for {size} words"
            assert is_tree(heads), f"{heads.tolist()} is not a tree"
            assert not single or (heads == 0).sum() == 1, f"{heads.tolist()} has several roots"
            assert not decoder.projective or is_projective(heads), f"{heads.tolist()} is not projective"
        assert np.array_equal(scores, before), "the decoder has changed the scores"


def check_system(name: str, *, words: int = 4) -> None:
    """A transition system builds all trees that it is made for and no others; its oracles know the way to each.

    The static oracle builds every tree; a cost of the dynamic one is the number of arcs that are lost. Enumerates all
    derivations of up to so many words, for each place of the root: with five words some minutes.
    """
    for root, single in product(SYSTEMS[name].roots, (False, True)):
        system = ChosenSystem(name=name, root=root, single_root=single)
        for n in range(1, words + 1):
            trees = [heads for heads in product(range(n + 1), repeat=n) if _suits(system, np.array(heads, np.int32))]
            found = reachable(system, n)
            for actions, here in found.items():
                known = here.final or set(here.legal) & set(system.actions)
                assert known, f"{n} words, after {list(actions)} only actions are legal that `actions` does not name"
            ends = {here.heads for here in found.values() if here.final}
            assert ends <= set(trees), f"{min(ends - set(trees))} is built, but the system is not made for this tree"
            assert ends == set(trees), f"{min(set(trees) - ends)} is not built"
            for gold in trees:
                end = replay(system, derive(system, gold), gold)
                assert end.final and end.heads == gold, f"the static oracle does not build {gold}"
                if SYSTEMS[name].explores and not single:
                    _check_costs(system, found, gold)


def _suits(system: ChosenSystem, heads: Ints) -> bool:
    """Whether a system is made for a tree."""
    return (
        is_tree(heads)
        and (is_projective(heads) or not system.projective)
        and ((heads == 0).sum() == 1 or not system.single_root)
    )


def _check_costs(system: ChosenSystem, found: Derivations, gold: Sequence[int]) -> None:
    fewest = losses(found, gold)
    for actions, here in found.items():
        costs = replay(system, actions, gold).costs
        for action in () if here.final else here.legal:
            lost = fewest[(*actions, action)] - fewest[actions]
            assert costs[action] == lost, f"{gold}, after {list(actions)}: {action} loses {lost}, not {costs[action]}"


def check_family(options: StageOptions, data: Sequence[Batch] | None = None) -> Stage:
    """A training gives stages, reports its steps, and resumes from what it packed as if nothing had happened.

    `data` are batches to learn from, by default of generated sentences. Returns the stage that was learned.
    """
    check_options(type(options))
    assert options.with_dev().with_dev() == options.with_dev(), "with_dev twice is not the same as once"
    batches = list(batches_of(generate(60, seed=1))) if data is None else data
    whole, broken, resumed = (options.begin(batches) for _ in range(3))
    assert whole.planned >= 1 and whole.unit, "a training has at least one step, and a name for it"
    assert whole.digest == broken.digest, "the digest of the same data is not the same"
    for number in range(1, min(whole.planned, 3) + 1):
        facts = whole.step(number, unheard)
        if facts is None:
            break
        json.dumps(dict(facts))
        if number == 1:
            broken.step(1, unheard)
            if not whole.unwritable and whole.planned > 1:
                packed = broken.pack()
                json.dumps(packed.header)
                wrong = next(resumed.state.wrong(*packed), None)
                assert wrong is None, f"what is packed is not what `state` says: {wrong}"
                resumed.restore(packed)
        elif not whole.unwritable:
            resumed.step(number, unheard)
    stages = whole.candidates()
    assert stages, "a training has at least one candidate"
    if not whole.unwritable and whole.planned > 1:
        first, second = stages[0].pack(), resumed.candidates()[0].pack()
        same = all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
        assert same and first.arrays.keys() == second.arrays.keys(), "a resumed training learns something else"
    check_stage(stages[0], batches, writable=not whole.unwritable)
    return stages[0]


def check_training(data: Sequence[Sentence], dev: Sequence[Sentence] | None = None, **options: Any) -> Parser:
    """A training with these options of `headway.train` ends in finite weights and whole trees, twice in the same model.

    Returns what was learned from the sentences; dev is parsed, or what was learned from.
    """
    first, second = (train(data, dev=dev, **options) for _ in range(2))
    tested = data if dev is None else dev
    trees = [(sentence.heads.tolist(), sentence.deprels) for sentence in first.parse(tested)]
    assert all(is_tree(np.asarray(heads)) for heads, _ in trees), "a parse is not a tree"
    single = all(heads.count(0) == 1 for heads, _ in trees)
    assert single or not options.get("single_root"), "a parse has several roots"
    again = [(sentence.heads.tolist(), sentence.deprels) for sentence in second.parse(tested)]
    assert trees == again, "the same seed does not parse in the same way"
    try:
        packs = [[stage.pack() for stage in parser.stages] for parser in (first, second)]
    except HeadwayError:  # Learned by something that no file can hold, which says so.
        return first
    for one, two in zip(*packs, strict=True):
        for name, array in one.arrays.items():
            assert np.array_equal(array, two.arrays[name]), f"the same seed does not give the same {name}"
            assert array.dtype.kind != "f" or np.isfinite(array).all(), f"{name} holds numbers that are not finite"
    check_stage(first.stages[-1], list(batches_of(tested)))
    return first
