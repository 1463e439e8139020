"""Options of every family, of trainings and of learners: what is refused and how, what is the same, what is kept."""

import json
import math
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.base.options import Choice, Named, NameList, Number, Pairs, Text, Whole, YesNo, default_of, kinds
from headway.base.stage_options import pairs_from
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.language import parse
from headway.learners.exponential import Exponential
from headway.learners.online import CW, MIRA
from headway.learners.registry import LearnerKind, kind_of, learner, name_of, names
from headway.parsers.boosted.schemes import scheme
from headway.training.families import FAMILIES, PARSER, options_from
from headway.training.options import LIMIT, RunOptions

OPTIONS = {name: FAMILIES[name] for name in FAMILIES.own}
CHECKED = [*OPTIONS.values(), RunOptions, *map(kind_of, names())]
each_family = pytest.mark.parametrize("family", OPTIONS)
EVERY_FIELD = [(options, name) for options in CHECKED for name in kinds(options)]
each_field = pytest.mark.parametrize(
    ("options", "name"), EVERY_FIELD, ids=[f"{options.__name__}-{name}" for options, name in EVERY_FIELD]
)


def values_without_meaning(kind):
    """What an option of a kind must refuse, whatever its range."""
    never = [math.nan, math.inf, -math.inf, object]
    anything = [[], {}, (1,), b"3", 1j]
    if isinstance(kind, Whole):
        beyond = [kind.low - 1, *([kind.high + 1, 10**400] if kind.high < math.inf else [])]
        values = [*never, *anything, *beyond, "3", "often", "", True, False, 2.5, 3.0]
    elif isinstance(kind, Number):
        below = [kind.low] if kind.above else []
        below += [kind.low - 1] if kind.low > -math.inf else []
        beyond = [kind.high + 1, 10**400] if kind.high < math.inf else []
        values = [*never, *anything, *below, *beyond, "0.5", "much", "", True, False]
    elif isinstance(kind, Choice):
        values = [math.nan, True, False, 77, 2.5, "nonsense", "", *([] if kind.things else anything)]
    elif isinstance(kind, YesNo):
        values = [*never, *anything, 0, 1, "yes", "no", ""]
    elif isinstance(kind, LearnerKind):
        values = [math.nan, True, False, 77, 2.5, "nonsense", "", *([] if kind.scikit else anything)]
    elif isinstance(kind, Named):
        values = [math.nan, True, False, 77, 2.5]
    elif isinstance(kind, Text):
        values = [math.nan, True, False, 77, 2.5, *anything]
    elif isinstance(kind, NameList):
        values = [math.nan, True, False, 77, 2.5, {}, b"C", [3], ["C", None]]
    else:
        assert isinstance(kind, Pairs)
        values = [math.nan, True, False, 77, 2.5, None, ["phi"], [3], "phi"]
    return [*values, *([] if kind.optional else [None])]


def complaint(options, name, value):
    """What is wrong with how a value is refused; nothing where one sentence does it."""
    try:
        options(**{name: value})
    except HeadwayError as refusal:
        message = str(refusal)
        named = name in message or repr(value) in message or isinstance(kinds(options)[name], Pairs)
        is_one = message.count("; ") == 1 and "\n" not in message and not message.endswith(".")
        return None if named and is_one else message
    except Exception as error:
        return repr(error)
    return "was taken"


@each_field
def test_what_has_no_meaning_is_refused_with_one_sentence(options, name):
    found = [
        (repr(value)[:20], complaint(options, name, value)) for value in values_without_meaning(kinds(options)[name])
    ]
    assert [(value, wrong) for value, wrong in found if wrong] == []


@each_field
def test_a_default_is_taken_and_what_is_optional_may_be_left_out(options, name):
    kind, default = kinds(options)[name], default_of(options, name)
    assert options(**{name: default}) == options()
    if kind.optional:
        assert getattr(options(**{name: None}), name) is None
    assert kind.help.endswith(".")


@each_field
def test_values_that_are_tried_can_be_given_and_read(options, name):
    kind = kinds(options)[name]
    for value in kind.tried:
        assert kind.error_for(name, value) is None
        assert kind.read(str(value)) == value and type(kind.read(str(value))) is type(value)


@pytest.mark.parametrize(
    ("family", "given", "message"),
    [
        ("transition", {"explore": 3}, "explore = 3 is out of range; give a number from 0 to 1"),
        ("transition", {"explore": -0.1}, "explore = -0.1 is out of range; give a number from 0 to 1"),
        ("transition", {"explore": True}, "explore = True is not a number; give a number from 0 to 1"),
        ("transition", {"explore": math.nan}, "explore = nan is not a number; give a number from 0 to 1"),
        ("transition", {"passes": "3"}, "passes = '3' is not a whole number; give one from 1 on, or 'auto'"),
        ("transition", {"passes": 0}, "passes = 0 is out of range; give a number from 1 on, or 'auto'"),
        ("transition", {"seed": -1}, "seed = -1 is out of range; give a number from 0 on"),
        ("transition", {"two_step": 1}, "two_step = 1 is neither yes nor no; give one"),
        ("transition", {"features": 3}, "features = 3 is not a name; give a name, or the thing itself"),
        ("transition", {"root": "middle"}, "unknown place of the root 'middle'; known are: end, none, start"),
        ("transition", {"system": "swap", "root": "end"}, "swap knows no root at 'end'; known are: start"),
        (
            "transition",
            {"system": "swap", "explore": 0.5},
            "explore = 0.5: swap has no dynamic oracle; leave explore out",
        ),
        (
            "transition",
            {"learner": "logistic", "passes": 3},
            "logistic sees all examples at once, in no passes; leave passes out",
        ),
        ("graph", {"bits": 40}, "bits = 40 is out of range; give a number from 8 to 29"),
        ("graph", {"order": 3}, "unknown order 3; known are: 1, 2"),
        ("graph", {"order": True}, "unknown order True; known are: 1, 2"),
        ("graph", {"decoder": "cky"}, "unknown decoder 'cky'; known are: auto, chu-liu-edmonds, eisner"),
        ("graph", {"k": 2, "order": 2}, "k = 2: at order 2 one tree is found at a time; take order 1, or leave it out"),
        (
            "graph",
            {"counts_labels": True},
            "counts_labels needs labels that are chosen together with arcs; take labels joint, or leave it out",
        ),
        ("boosted", {"held_out": 1}, "held_out = 1 is out of range; give a number from 2 on"),
        ("boosted", {"constant": 0}, "constant = 0 is not positive; give a number above 0"),
        (
            "boosted",
            {"boosting": "adaboost-m1", "constant": 2.0},
            "adaboost-m1 has no constant; leave it out, or take additive",
        ),
        ("boosted", {"passes": 3}, "passes = 3: exponential makes no passes; leave them out, or say rounds"),
    ],
)
def test_sentences_about_mistakes(family, given, message):
    for make in (lambda: OPTIONS[family](**given), lambda: options_from(family, given)):
        with pytest.raises(HeadwayError) as refusal:
            make()
        assert str(refusal.value) == message
    with pytest.raises(HeadwayError) as refusal:
        headway.train("no file is read before options are checked", parser=family, **given)
    assert str(refusal.value) == message


@each_family
def test_an_unknown_option_lists_the_known_ones(family):
    title, own = OPTIONS[family].title, set(kinds(OPTIONS[family]))
    others = {*kinds(RunOptions), "dev", "force", "output", "parser", "progress"}
    for make, possible in (
        (options_from, own),
        (lambda parser, given: headway.train("nowhere", parser=parser, **given), own | others),
    ):
        with pytest.raises(HeadwayError) as refusal:
            make(family, {"speed": 3})
        known = ", ".join(sorted(possible))
        perhaps = ", perhaps 'seed'" if "seed" in possible else ""
        assert str(refusal.value) == f"a {title} has no option 'speed'{perhaps}; known are: {known}"


@each_family
def test_options_of_other_families_are_refused(family):
    others = {name for other in OPTIONS for name in kinds(OPTIONS[other])} - set(kinds(OPTIONS[family]))
    assert others
    for name in others:
        owners = [other for other in OPTIONS if name in kinds(OPTIONS[other])]
        with pytest.raises(HeadwayError) as refusal:
            options_from(family, {name: 1})
        expected = f"{name} belongs to {' and '.join(owners)} parsers; leave it out, or take parser {owners[0]}"
        assert str(refusal.value) == expected


def test_an_unknown_family_lists_the_known_ones():
    assert set(OPTIONS) == {"transition", "graph", "boosted"} and PARSER in OPTIONS
    with pytest.raises(HeadwayError, match="unknown family of parsers 'neural'; known are: boosted, graph, transition"):
        options_from("neural", {})
    with pytest.raises(HeadwayError, match="unknown family of parsers 'neural'"):
        headway.train("nowhere", parser="neural")
    with pytest.raises(HeadwayError, match="unknown family of parsers 'neural'"):
        RunOptions(stages="neural")


@each_family
def test_what_is_not_there_is_refused_before_anything_is_read(family):
    for name in (one for one in kinds(OPTIONS[family]) if one.endswith("features")):
        with pytest.raises(HeadwayError, match="'nowhere' is neither a feature model nor a file that can be read"):
            headway.train("no file is read", parser=family, **{name: "nowhere"})


@pytest.mark.parametrize(
    ("family", "wrong"), [("transition", Exponential()), ("graph", Exponential()), ("graph", learner("logistic"))]
)
def test_a_learner_that_learns_in_another_way_is_refused(family, wrong):
    known = ", ".join(sorted(names(*kinds(OPTIONS[family])["learner"].registries)))
    with pytest.raises(HeadwayError) as refusal:
        OPTIONS[family](learner=wrong)
    assert str(refusal.value) == f"{name_of(wrong)} does not learn in this way; known are: {known}"


@pytest.mark.parametrize("family", ["transition", "graph"])
def test_passes_that_are_still_to_be_found_begin_no_training(family):
    with pytest.raises(HeadwayError, match="passes = 'auto': find their number by cross-validation first"):
        OPTIONS[family](passes="auto").begin(list(batches_of(generate(3))))


def test_options_are_said_in_one_place():
    with pytest.raises(HeadwayError, match="order: options stand in GraphOptions already; say them there"):
        headway.train("nowhere", OPTIONS["graph"](), order=1)
    with pytest.raises(HeadwayError, match=r"tagger\.learner: there is no stage 'tagger' before the parser; name it"):
        headway.train("nowhere", **{"tagger.learner": "mira"})


def said(options):
    """Every option with its default."""
    return {name: default_of(options, name) for name in kinds(options)}


QUICK = {
    "transition": {"features": "malt-14", "learner": "mira", "passes": 2},
    "graph": {"bits": 14, "label_bits": 13, "passes": 2},
    "boosted": {"features": "local", "label_features": "mst", "rounds": 1, "dynamic": False},
}


@each_family
def test_to_say_every_default_is_to_say_nothing(family, tmp_path):
    options, quick = OPTIONS[family], QUICK.get(family, {})
    assert options(**said(options)) == options()
    assert options(**said(options)).identity() == options().identity()
    assert options_from(family, said(options)) == options_from(family, {}) == options()
    treebank = list(generate(25, seed=1))
    ways = [options(**quick), options(**{**said(options), **quick})]
    parsers = [headway.train(treebank, one) for one in ways]
    parsers.append(headway.train(treebank, parser=family, **{**said(options), **quick}))
    for number, parser in enumerate(parsers):
        parser.save(tmp_path / str(number))
    first, *others = ((tmp_path / str(number)).read_bytes() for number in range(len(parsers)))
    assert all(other == first for other in others)


THINGS = {
    "transition": {"learner": CW(phi=0.3), "features": parse("POS(STACK0)\nPOS(QUEUE0)"), "options": {"average": True}},
    "graph": {"learner": MIRA(passes=2), "features": parse("POS(CHILD)\nPOS(PARENT)"), "options": ["settle=1"]},
    "boosted": {"learner": CW(), "label_learner": MIRA(), "boosting": scheme("additive", 2.0), "passes": 2},
}


@each_family
@pytest.mark.parametrize("things", [False, True], ids=["defaults", "things"])
def test_an_identity_is_json(family, things):
    options = OPTIONS[family](**(THINGS.get(family, {}) if things else {}))
    identity = options.identity()
    assert json.loads(json.dumps(identity)) == identity
    assert set(identity) == {name for name, kind in kinds(OPTIONS[family]).items() if kind.decides}
    assert replace(options).identity() == identity


NEEDS = {("graph", "k"): {"learner": "mira", "order": 1}, ("graph", "counts_labels"): {"labels": "joint"}}
NEEDS |= {("boosted", "passes"): {"learner": "mira"}}


def another(options, name):
    """A good value of an option that is not the default."""
    kind, default = kinds(options)[name], default_of(options, name)
    if isinstance(kind, Whole):
        return int(kind.low) + 1 if default is None or default <= kind.low else int(default) - 1
    if isinstance(kind, Number):
        return 0.5 if default is None or default != 0.5 else 0.25
    if isinstance(kind, YesNo):
        return not default
    if isinstance(kind, Choice):
        return next(one for one in kind.names if one != default)
    if isinstance(kind, LearnerKind):
        return "perceptron"
    if isinstance(kind, Pairs):
        return {"strength": 3.0} if options.family == "boosted" else {"passes": 3}
    return "malt-14"


@each_family
def test_whatever_the_result_depends_on_is_part_of_the_identity(family):
    options = OPTIONS[family]
    for name, kind in kinds(options).items():
        needed = NEEDS.get((family, name), {})
        one, other = options(**needed), options(**{**needed, name: another(options, name)})
        assert one != other
        assert (one.identity() != other.identity()) == kind.decides, name
    assert [name for name, kind in kinds(options).items() if not kind.decides] == ["threads"] * (family == "boosted")


@each_family
def test_options_do_not_change(family):
    options, name = (
        OPTIONS[family](),
        "seed" if "seed" in kinds(OPTIONS[family]) else next(iter(kinds(OPTIONS[family]))),
    )
    value = another(OPTIONS[family], name)
    with pytest.raises(FrozenInstanceError):
        setattr(options, name, value)
    assert replace(options, **{name: value}) != options == OPTIONS[family]()


@pytest.mark.parametrize("family", ["transition", "graph"])
def test_whole_numbers_of_numpy_are_whole_numbers(family):
    options = OPTIONS[family](passes=np.int64(3), seed=np.int32(5))
    assert options.chosen.passes == 3
    assert options == OPTIONS[family](passes=3, seed=5)
    assert options.identity() == OPTIONS[family](passes=3, seed=5).identity()


@pytest.mark.parametrize("family", ["transition", "graph"])
def test_passes_are_those_that_somebody_said_and_else_dev_decides(family):
    options = OPTIONS[family]
    assert options().chosen.passes == learner(options().learner).passes
    assert options().with_dev().chosen.passes == LIMIT == 30
    for one in (options(passes=4), options(options={"passes": 4}), options(learner=MIRA(passes=4))):
        assert one.chosen.passes == one.with_dev().chosen.passes == 4
    assert options(passes=4, options={"passes": 6}).chosen.passes == 4
    assert options(learner=MIRA()).with_dev().chosen.passes == LIMIT


def test_a_batch_learner_makes_no_passes_with_dev_either():
    options = OPTIONS["transition"](learner="logistic")
    assert options.with_dev() == options


def test_dev_chooses_the_best_round_where_each_stands_for_itself():
    boosted = OPTIONS["boosted"]
    assert (boosted().kept, boosted().with_dev().kept) == ("last", "best")
    assert (boosted(boosting="adaboost-m1").kept, boosted(boosting="adaboost-m1").with_dev().kept) == ("ensemble",) * 2
    assert boosted(keep="last").with_dev().kept == "last"


def test_defaults_that_follow_from_other_options():
    transition = OPTIONS["transition"]
    assert [transition(**given).exploration for given in ({}, {"explore": 0.0}, {"explore": 0.4})] == [0.9, 0.0, 0.4]
    assert transition(system="swap").exploration == transition(learner="linear-svm").exploration == 0
    assert transition().smallest > transition(prune=0).smallest == transition(exact=True).smallest == 0
    assert OPTIONS["graph"]().chosen == learner("pa-1", settle=2)
    assert OPTIONS["graph"](options={"settle": 1}).chosen == learner("pa-1", settle=1)


def test_options_of_learners_come_as_words_or_by_name():
    words = OPTIONS["transition"](learner="cw", options=["phi=0.5", "average=yes"])
    assert words == OPTIONS["transition"](learner="cw", options={"phi": 0.5, "average": True})
    assert words.chosen == CW(phi=0.5, average=True)
    assert OPTIONS["transition"](learner=CW(phi=0.2), options={"average": True}).chosen == CW(phi=0.2, average=True)
    assert pairs_from(["a=1", "b=x=y", "c=None", "d=no"]) == {"a": 1, "b": "x=y", "c": None, "d": False}
    for wrong, message in (
        (["phi"], "'phi' is not an option; write NAME=VALUE, as in phi=0.5"),
        (
            {"psi": 2},
            "learner cw has no option 'psi', perhaps 'phi'; known are: average, eta, initial, passes, phi, settle",
        ),
        ({"phi": -1}, "phi = -1 of CW is not positive; give a number above 0"),
    ):
        with pytest.raises(HeadwayError) as refusal:
            OPTIONS["transition"](learner="cw", options=wrong)
        assert str(refusal.value) == message


def test_options_import_the_standard_library_only():
    program = (
        "import sys\n"
        "import headway.training.families, headway.training.options\n"
        "options = [headway.training.families.FAMILIES[name]() for name in ('transition', 'graph', 'boosted')]\n"
        "headway.training.options.RunOptions()\n"
        "assert len(options) == 3\n"
        "print(*sorted({'numpy', 'scipy', 'sklearn', 'joblib', 'click', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
