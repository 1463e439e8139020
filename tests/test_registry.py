"""Things by name: ours, those of other distributions, those that a program registers."""

import logging
import subprocess
import sys

import pytest

import headway
from headway.base.errors import HeadwayError, known
from headway.base.registry import Registry
from headway.data.sample import generate
from headway.learners.registry import BATCH, ONLINE, WEIGHTED
from headway.parsers.boosted.registry import SCHEMES
from headway.parsers.graph.registry import DECODERS
from headway.parsers.transition.registry import SYSTEMS
from headway.stages.contract import STAGES
from headway.training.families import FAMILIES

MODULE = '''
"""A decoder and a learner from elsewhere."""

from dataclasses import dataclass

from headway.learners.online import Online

projective = True


def decode(scores, *, single_root):
    """Every word hangs on the one before it."""
    return list(range(len(scores) - 1))


@dataclass(frozen=True, kw_only=True)
class Careful(Online):
    """A quarter of the way that PA would go."""

    share: float = 0.25

    def step(self, margin, variance, wanted):
        return max(0.0, self.share * (wanted - margin) / variance), 0.0
'''
ENTRIES = """
[headway.decoders]
chain = elsewhere
eisner = elsewhere

[headway.learners]
careful = elsewhere:Careful
broken = nowhere:Nothing
absent = elsewhere:Missing

[headway.things]
zebra = elsewhere:Careful
ape = elsewhere:decode
"""


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A distribution that brings a decoder and an online learner."""
    (tmp_path / "elsewhere.py").write_text(MODULE)
    about = tmp_path / "elsewhere_parsing-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere-parsing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    return tmp_path


def fresh(registry):
    """The same registry before anybody asked it for anything."""
    return Registry(registry.kind, registry.group, registry.own, needs=registry.needs)


EVERY = [DECODERS, ONLINE, BATCH, WEIGHTED, SCHEMES, FAMILIES, STAGES]


@pytest.mark.parametrize("registry", EVERY, ids=lambda one: one.kind)
def test_ours(registry):
    assert registry.names()[: len(registry.own)] == list(registry.own)
    for name, place in registry.own.items():
        assert name in registry
        assert registry[name] is registry[name]
        assert place.endswith(f":{getattr(registry[name], '__name__', name.replace('-', '_'))}")
        assert registry.name_of(registry[name]) == name


def test_transition_systems_are_told_apart():
    assert SYSTEMS.names()[: len(SYSTEMS.own)] == list(SYSTEMS.own)
    assert [SYSTEMS.name_of(SYSTEMS[name]) for name in SYSTEMS] == SYSTEMS.names()


@pytest.mark.parametrize("family", FAMILIES.own)
def test_a_family_knows_its_name(family):
    assert FAMILIES[family].family == family
    assert FAMILIES[family].title == f"{family} parser"


@pytest.mark.parametrize("kind", STAGES.own)
def test_a_kind_of_stages_knows_its_name(kind):
    assert STAGES[kind].kind == kind


def test_others_come_after_ours_and_are_sorted(elsewhere):
    things = Registry("thing", "headway.things", {"second": "json:loads", "first": "json"})
    assert things.names() == list(things) == ["second", "first", "ape", "zebra"]
    assert "elsewhere" not in sys.modules
    assert things["zebra"].__name__ == "Careful"
    assert things["second"] is sys.modules["json"].loads
    assert things["first"] is sys.modules["json"]
    assert [things.name_of(things[name]) for name in things] == things.names()
    things.register("monkey", object())
    assert things.names() == ["second", "first", "ape", "monkey", "zebra"]


def test_nothing_is_imported_before_it_is_asked_for():
    code = (
        "import sys\n"
        "from headway.parsers.graph.registry import DECODERS\n"
        "from headway.learners.registry import BATCH, ONLINE, learner, names\n"
        "names(), DECODERS.names(), 'eisner' in DECODERS\n"
        "heavy = {'headway.learners.batch', 'headway.learners.kernel_svm', 'headway.parsers.graph.decoders'}\n"
        "assert not heavy & set(sys.modules)\n"
        "learner('pa-1', C=0.1)\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reading_imports_neither_options_nor_models():
    code = (
        "import sys, headway.data.formats.writing\n"
        "assert not {'headway.base.options', 'headway.base.schema', 'json'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_name_of_something_not_yet_imported_is_not_imported(elsewhere):
    things = Registry("thing", "headway.things", {"first": "nobody.imports.this"})
    with pytest.raises(HeadwayError, match="is no thing with a name; register it first"):
        things.name_of(object())
    assert "elsewhere" not in sys.modules


def test_an_unknown_name_lists_the_known_ones(elsewhere):
    with pytest.raises(HeadwayError, match="unknown thing 'bee'; known are: ape, first, zebra"):
        Registry("thing", "headway.things", {"first": "json"})["bee"]
    assert "bee" not in DECODERS
    assert 3 not in DECODERS


def test_ours_win_over_others_of_the_same_name(elsewhere, caplog):
    decoders = fresh(DECODERS)
    with caplog.at_level(logging.WARNING, "headway"):
        assert decoders.names() == [*DECODERS.own, "chain"]
        assert decoders["eisner"] is DECODERS["eisner"]
        assert "chain" in decoders
    assert [record.getMessage() for record in caplog.records] == [
        "decoder 'eisner' of elsewhere-parsing is left out, since headway has one of that name"
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "'broken' of elsewhere-parsing cannot be imported (ModuleNotFoundError: No module named 'nowhere')"),
        ("absent", "'absent' of elsewhere-parsing cannot be imported (AttributeError: "),
    ],
)
def test_what_cannot_be_imported_is_told_with_its_distribution(name, message, elsewhere):
    with pytest.raises(HeadwayError) as caught:
        fresh(ONLINE)[name]
    assert str(caught.value).startswith(f"learner {message}")
    assert str(caught.value).endswith("; repair that distribution or remove it")


def test_what_lacks_something_is_refused(elsewhere):
    things = Registry("thing", "headway.things", {}, needs=("decode",))
    with pytest.raises(HeadwayError, match="thing 'zebra' of elsewhere-parsing has no attribute 'decode'; give it one"):
        things["zebra"]
    with pytest.raises(HeadwayError, match="thing 'mine', which is to be registered, has no attribute 'decode'"):
        things.register("mine", object())


def test_names_are_given_and_taken_back(elsewhere):
    things = Registry("thing", "headway.things", {"first": "json"})
    mine = object()
    for name in ("first", "ape"):
        with pytest.raises(HeadwayError, match=f"there is a thing '{name}' already; take another name"):
            things.register(name, mine)
    things.register("mine", mine)
    assert things["mine"] is mine
    assert things.name_of(mine) == "mine"
    with pytest.raises(HeadwayError, match="there is a thing 'mine' already"):
        things.register("mine", mine)
    things.unregister("mine")
    assert "mine" not in things
    with pytest.raises(HeadwayError, match="no thing 'mine' was registered"):
        things.unregister("mine")
    with pytest.raises(HeadwayError, match="no thing 'first' was registered"):
        things.unregister("first")


@pytest.fixture
def installed(elsewhere, monkeypatch):
    """The same distribution, known to the registries that all use, as to those who have installed it."""
    for registry in (DECODERS, ONLINE):
        monkeypatch.setitem(vars(registry), "_others", fresh(registry)._others)
        monkeypatch.setitem(vars(registry), "_imported", dict(registry._imported))


def test_a_decoder_and_a_learner_from_elsewhere_make_a_parser(installed):
    """Both by their names, as somebody uses them who has installed the distribution."""
    treebank = list(generate(15, seed=1))
    parser = headway.train(
        treebank,
        parser="graph",
        decoder="chain",
        learner="careful",
        options=["share=0.5"],
        passes=2,
        bits=16,
        label_bits=14,
    )
    assert parser.about["options"]["learner"] == "careful"
    assert parser.about["options"]["decoder"] == "chain"
    assert parser.about["learner"] == {"name": "careful", "passes": 2, "average": True, "settle": 0, "share": 0.5}
    for sentence in parser.parse(treebank):
        assert sentence.heads.tolist() == list(range(len(sentence)))


def test_options_name_what_comes_from_elsewhere(installed):
    with pytest.raises(HeadwayError, match=f"unknown decoder 'cky'; {known(['auto', 'chain', *DECODERS.own])}"):
        headway.train([], parser="graph", decoder="cky")
    with pytest.raises(HeadwayError, match="unknown learner 'pb'; known are: absent, arow, broken, careful, cw, "):
        headway.train([], parser="graph", learner="pb")
    with pytest.raises(HeadwayError, match="learner careful has no option 'C'; known are: average, passes, settle, sh"):
        headway.train([], parser="graph", learner="careful", options={"C": 1})
