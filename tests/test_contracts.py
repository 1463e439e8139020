"""The contracts that third parties can run hold for everything of ours, and notice what does not hold."""

import dataclasses

import numpy as np
import pytest
import toy_tagger
from option_cases import SMALL

from headway.base.options import whole
from headway.discovery.options import DiscoveryOptions
from headway.features.language import parse
from headway.features.registry import feature_model, own_names
from headway.learners.online import Online
from headway.learners.registry import BATCH, ONLINE, WEIGHTED
from headway.parsers import contracts
from headway.parsers.graph.decoders import eisner
from headway.parsers.graph.registry import DECODERS
from headway.parsers.transition.registry import SYSTEMS
from headway.stages.contract import STAGES
from headway.training.families import FAMILIES
from headway.training.options import RunOptions

EVERY = [(registry, name) for registry in (ONLINE, BATCH, WEIGHTED) for name in registry]


@pytest.fixture
def toy():
    STAGES.register(toy_tagger.KIND, toy_tagger.ToyTagger)
    FAMILIES.register(toy_tagger.NAME, toy_tagger.ToyTaggerOptions)
    yield
    STAGES.unregister(toy_tagger.KIND)
    FAMILIES.unregister(toy_tagger.NAME)


@pytest.mark.parametrize("name", list(ONLINE))
def test_online_learners(name):
    contracts.check_learner(ONLINE[name])


@pytest.mark.parametrize(("registry", "name"), EVERY, ids=lambda value: value if isinstance(value, str) else "")
def test_options_of_learners(registry, name):
    contracts.check_options(registry[name])


@pytest.mark.parametrize("options", [*map(FAMILIES.__getitem__, FAMILIES), RunOptions, DiscoveryOptions])
def test_options(options):
    contracts.check_options(options)


@pytest.mark.parametrize("name", list(DECODERS))
def test_decoders(name):
    contracts.check_decoder(DECODERS[name])


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_transition_systems(name):
    contracts.check_system(name, words=3)


@pytest.mark.parametrize("name", own_names())
def test_feature_models(name):
    features = feature_model(name)
    assert features and parse("\n".join(map(str, features))) == list(features)


@pytest.mark.parametrize("name", SMALL)
def test_families(name):
    assert contracts.check_family(SMALL[name]).gives == {"HEAD", "DEPREL"}


def test_a_family_of_another_kind(toy):
    assert contracts.check_family(toy_tagger.ToyTaggerOptions()).gives == {"UPOS"}


def test_a_learner_that_learns_nothing_is_noticed():
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Idle(Online):
        """Never moves."""

        def step(self, margin, variance, wanted):
            return 0.0, 0.0

    with pytest.raises(AssertionError, match="teaches nothing"):
        contracts.check_learner(Idle)


def test_options_without_help_or_kind_are_noticed():
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Mute(Online):
        """An option that nobody explains."""

        rule = "pa"
        size: int = 3

    with pytest.raises(AssertionError, match="size has no kind"):
        contracts.check_options(Mute)

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Silent(Online):
        """The same with an empty help."""

        rule = "pa"
        size: int = whole(3, "")

    with pytest.raises(AssertionError, match="size has no help"):
        contracts.check_options(Silent)


def test_decoders_that_give_no_trees_or_change_scores_are_noticed():
    class Chain:
        projective = True

        @staticmethod
        def decode(scores, *, single_root):
            return np.arange(1, len(scores)) % len(scores)

    with pytest.raises(AssertionError, match="is not a tree"):
        contracts.check_decoder(Chain())

    class Spoiler:
        projective = True

        @staticmethod
        def decode(scores, *, single_root):
            found = eisner.decode(scores, single_root=single_root)
            scores[0, 0] += 1
            return found

    with pytest.raises(AssertionError, match="has changed the scores"):
        contracts.check_decoder(Spoiler())


def test_a_stage_that_gives_something_else_is_noticed(toy):
    class Liar(toy_tagger.ToyTagger):
        gives = frozenset({"XPOS"})

    stage = contracts.check_family(toy_tagger.ToyTaggerOptions())
    liar = Liar(**{field.name: getattr(stage, field.name) for field in dataclasses.fields(stage)})
    from headway.data.sample import generate
    from headway.data.sources import batches_of

    with pytest.raises(AssertionError, match=r"gave \['UPOS'\] and said \['XPOS'\]"):
        contracts.check_stage(liar, list(batches_of(generate(3))))
