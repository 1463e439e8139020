"""What `headway info` says of a model: everything once, and what options came to."""

import pytest

import headway
from headway.base.options import kinds
from headway.data.sample import generate
from headway.stages import model_file as model
from headway.stages.contract import Packed
from headway.training.families import FAMILIES
from headway.training.model_facts import facts_of

SMALL = {"transition": {"passes": 1}, "graph": {"passes": 1, "bits": 12, "label_bits": 12}, "boosted": {"rounds": 1}}


@pytest.fixture(scope="module", params=list(FAMILIES.own))
def packed(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / request.param
    dev = list(generate(5, seed=2))
    headway.train(generate(20), dev=dev, parser=request.param, **SMALL[request.param]).save(path)
    return model.row_of(path)[0]


def test_no_word_stands_twice(packed):
    found = facts_of(packed, model.stage_of(packed, "model"))
    names = [name for name, _ in (*found.facts, *found.options)]
    assert len(set(names)) == len(names), names
    assert all(value and "{" not in value for _, value in (*found.facts, *found.options))


def test_every_option_is_told_with_what_it_came_to(packed):
    found = dict(facts_of(packed, None).options)
    family = FAMILIES[packed.header["about"]["family"]]
    wanted = {name.replace("_", " ") for name in kinds(family) if name not in ("options", "threads")}
    assert wanted - set(found) <= {"passes"} and set(found) <= wanted
    assert found["single root"] in ("yes", "no") and found["encoding"] == "head"
    if family.family == "transition":
        assert found["root"] == "end" and found["learner"].startswith("mira (average yes")
    if family.family == "graph":
        assert found["decoder"] in ("eisner", "chu-liu-edmonds") and found["order"] in ("1", "2")


def test_the_facts_are_those_of_the_stage(packed):
    stage = model.stage_of(packed, "model")
    found = dict(facts_of(packed, stage).facts)
    assert set(found["needs the columns"].split(", ")) == stage.needs
    assert found["trained on"].startswith("20 sentences, ") and stage.about["treebank_digest"] in found["trained on"]
    assert found["scores on dev"].startswith("LAS ") and found["scores on dev"].endswith(" (ud, gold tags)")


def test_a_stage_that_cannot_be_opened_is_described_all_the_same(packed, run, tmp_path):
    header = {**packed.header, "kind": "unknown parser"}
    model.write(tmp_path / "model", {"kind": "model", "stages": [header]}, {})
    done = run("info", tmp_path / "model")
    assert done.exit_code == 0 and "unknown parser" in done.stdout and "cannot be used" in done.stdout
    assert facts_of(Packed({"kind": "toy"}, {}), None).facts[0] == ("kind", "toy")


def test_info_says_whether_a_treebank_is_the_one(run, tmp_path):
    for name, seed in (("train", 1), ("other", 2)):
        headway.write(generate(20, seed=seed), tmp_path / f"{name}.conllu")
    headway.train(tmp_path / "train.conllu", passes=1).save(tmp_path / "model")
    done = run(
        "info", tmp_path / "model", "--compare", tmp_path / "train.conllu", "--compare", tmp_path / "other.conllu"
    )
    assert f"train.conllu is the treebank that {tmp_path / 'model'} was trained on" in done.stderr
    assert f"other.conllu is not the treebank that {tmp_path / 'model'} was trained on" in done.stderr


def test_info_says_which_headway_trained_a_model(run, tmp_path):
    headway.train(generate(20), passes=1, features="malt-14").save(tmp_path / "model")
    said = run("info", tmp_path / "model").stdout
    assert f"headway {headway.__version__}" in said and said.count("trained by") == 1
