"""The contracts that third parties can run hold for everything of ours, and notice what does not hold."""

import dataclasses

import numpy as np
import pytest
import toy_tagger
from option_cases import SMALL
from scipy.sparse import csr_matrix

from headway.base.options import whole
from headway.base.schema import CELL, Each, Schema
from headway.base.schema import whole as whole_number
from headway.data.layers import Codes
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.discovery.options import DiscoveryOptions
from headway.features.language import parse
from headway.features.registry import feature_model, own_names
from headway.learners.batch import LinearSVM
from headway.learners.online import Online
from headway.learners.registry import BATCH, ONLINE, WEIGHTED
from headway.parsers import contracts
from headway.parsers.graph.decoders import eisner
from headway.parsers.graph.registry import DECODERS
from headway.parsers.transition.registry import SYSTEMS
from headway.stages.calibration.evidence import Evidence
from headway.stages.contract import STAGES
from headway.stages.updating import Learned
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


@pytest.mark.parametrize("name", list(BATCH))
def test_batch_learners(name):
    contracts.check_batch_learner(BATCH[name])


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


class Faults:
    """Toy taggers that break the contract of stages, each in its way."""

    class GivesOther(toy_tagger.ToyTagger):
        gives = frozenset({"XPOS"})

    class GivesUnknown(toy_tagger.ToyTagger):
        gives = frozenset({"TAG"})

    class LooksAtLemmas(toy_tagger.ToyTagger):
        def annotate(self, batch):
            codes = np.array([lemma == "_" for lemma in batch.column("LEMMA")], np.int32)
            return batch.with_layer("predicted", columns={"UPOS": Codes(codes, ("X", "Y"))})

    class Changes(toy_tagger.ToyTagger):
        def annotate(self, batch):
            self.tags[:] = (self.tags + 1) % len(self.names)
            return super().annotate(batch)

    class Notes(toy_tagger.ToyTagger):
        def with_about(self, **facts):
            self.about.update(facts)
            return self

    class Careless(toy_tagger.ToyTagger):
        schema = Schema({"names": Each(CELL), "unknown": whole_number(0)})

    class Unsure(toy_tagger.ToyTagger):
        calibrator = None

        def annotate_with_evidence(self, batch):
            return self.annotate(batch), Evidence({"margin": np.array([1.0, np.nan], np.float32)}, {})

        def with_calibrator(self, calibrator):
            return self

    class Boasts(toy_tagger.ToyTagger):
        def corrected(self, batch, cells, *, in_place=False):
            return Learned(dataclasses.replace(self, tags=(self.tags + 1) % len(self.names)), True)

    class Stingy(toy_tagger.ToyTagger):
        def k_best(self, batch, k):
            return self.annotate(batch).part(0, 1)

    class Undecided(toy_tagger.ToyTagger):
        def k_best(self, batch, k):
            return batch


@pytest.mark.parametrize(
    ("fault", "said"),
    {
        Faults.GivesOther: r"gave \['UPOS'\] and said \['XPOS'\]",
        Faults.GivesUnknown: r"gives \['TAG'\]; name columns of sentences",
        Faults.LooksAtLemmas: "UPOS depends on a column that `needs` does not name",
        Faults.Changes: "UPOS depends on what the input says of it",
        Faults.Notes: "with_about changes the stage itself",
        Faults.Careless: "the schema lets a forged '(keys|tags)' pass, which ends in (Key|Index|Value)Error",
        Faults.Unsure: "the evidence 'margin' is not one number for each word",
        Faults.Boasts: "UPOS is said to be learned, and is not",
        Faults.Stingy: "k_best gives too many results, or too few",
        Faults.Undecided: "UPOS of the best of k is not what the stage finds",
    }.items(),
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_stage_with_a_fault_is_noticed(fault, said, toy):
    stage = toy_tagger.ToyTaggerOptions().begin(list(batches_of(generate(20))))
    stage.step(1, lambda share: None)
    [found] = stage.candidates()
    contracts.check_stage(found, list(batches_of(generate(3))))
    if fault is Faults.Careless:
        STAGES.unregister(toy_tagger.KIND)
        STAGES.register(toy_tagger.KIND, fault)
    faulty = fault(**{field.name: getattr(found, field.name) for field in dataclasses.fields(found)})
    with pytest.raises(AssertionError, match=said):
        contracts.check_stage(faulty, list(batches_of(generate(3))))


class Spoiled(LinearSVM):
    """A batch learner whose weights somebody spoils."""

    def fit(self, examples, targets, classes, **how):
        return self.spoil(super().fit(examples, targets, classes, **how))


@pytest.mark.parametrize(
    ("spoil", "said"),
    {
        "turned": (lambda weights: weights.T, r"12 features and 6 classes have weights of shape \(6, 12\)"),
        "infinite": (lambda weights: weights * np.inf, "weights that are not finite"),
        "reversed": (lambda weights: -weights, "classes that one feature tells apart are not told apart"),
        "everywhere": (lambda weights: csr_matrix(weights.toarray() - 1), "a class without examples has weights"),
        "by chance": (
            lambda weights: weights * np.random.default_rng().uniform(1, 2),
            "the same seed does not give the same weights",
        ),
    }.values(),
    ids=lambda value: "",
)
def test_a_batch_learner_with_a_fault_is_noticed(spoil, said, monkeypatch):
    monkeypatch.setattr(Spoiled, "spoil", staticmethod(spoil), raising=False)
    with pytest.raises(AssertionError, match=said), np.errstate(invalid="ignore"):
        contracts.check_batch_learner(Spoiled)
