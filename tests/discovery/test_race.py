"""The search from a feature model: what helps is found, what harms goes, nothing worse than the start comes back."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from inline import Inline

from headway import Sentence, discover
from headway.data.formats.writing import write
from headway.discovery.discover import discovery_from
from headway.discovery.groups import GroupMoves, dropped, ends, morphology
from headway.discovery.report import write_report
from headway.features.language import parse
from headway.features.registry import feature_model
from headway.runs.journal import JOURNAL, records

SHORT = {"learner": "perceptron", "passes": 2, "attributes": "FEATS:Kind,UPOS,LEMMA"}
TAGS = "UPOS(STACK0)\nUPOS(QUEUE0)\nUPOS(STACK0) & UPOS(QUEUE0)\n"
KINDS = "FEATS:Kind(STACK0)\nFEATS:Kind(QUEUE0)\nUPOS(STACK0) & UPOS(QUEUE0) & FEATS:Kind(QUEUE0)\n"
NODES = ("STACK0", "STACK1", "QUEUE0", "QUEUE1", "QUEUE2")
NOISE = "".join(f"FORM({one}) & FORM({other})\n" for one in NODES for other in NODES if one < other)


def planted(count, seed, lies=0.0):
    """FEATS alone say whether a word hangs on the one before it or on the first; forms and lemmas say nothing."""
    chance, found = random.Random(seed), []
    for _ in range(count):
        size = chance.randrange(4, 8)
        kinds = ["far", *(chance.choice(["near", "far"]) for _ in range(size - 1))]
        told = ["near" if (kind == "near") != (chance.random() < lies) else "far" for kind in kinds]
        found.append(
            Sentence(
                forms=[f"{chance.choice('abcdefgh')}{chance.choice('abc')}" for _ in kinds],
                lemmas=[chance.choice("abcd") for _ in kinds],
                upos=["X"] * (size - 1) + ["Y"],
                feats=[f"Kind={kind}" for kind in told],
                heads=[0, *(at if kind == "near" else 1 for at, kind in enumerate(kinds[1:], 1))],
                deprels=["root", *kinds[1:]],
            )
        )
    return found


TRAIN, DEV = planted(64, 1), planted(40, 2)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    def named(text, name="start.features"):
        path = tmp_path_factory.mktemp("start") / name
        path.write_text(text)
        return str(path)

    return named


def searched(output, start, engine=None, train=TRAIN, dev=DEV, **options):
    found = discovery_from(train, output=output, dev=dev, start=start, **{**SHORT, **options})
    events = list(found.run(engine or Inline()))
    found.save()
    return found, events


@pytest.fixture(scope="module")
def plain(tmp_path_factory, model):
    return searched(tmp_path_factory.mktemp("plain") / "found.features", model(TAGS), generations=2)[0]


def test_a_planted_group_is_found(plain):
    first = plain.history[0].beam[0]
    assert plain.best.scores["LAS"] > 95 > 70 > first.scores["LAS"]
    assert any(feature.has("FEATS:Kind") for feature in plain.best.candidate.features)
    assert feature_model(str(plain.output)) == list(plain.best.candidate.features)
    assert "against" in plain.why and "returned" not in plain.why
    write_report(plain.folder)
    assert plain.history[1].beam[0].step in (plain.folder / "report.md").read_text()


def test_a_planted_harm_is_dropped(tmp_path, model):
    noisy = {"train": planted(64, 1, lies=0.2), "dev": planted(64, 2, lies=0.2)}
    found, _ = searched(tmp_path / "found", model(KINDS + NOISE), attributes="UPOS", generations=1, **noisy)
    assert found.history[1].beam[0].step == "drop FORM"
    assert list(found.best.candidate.features) == parse(KINDS)


def test_nothing_worse_than_the_start_comes_back(tmp_path, model):
    found, _ = searched(tmp_path / "found", model(KINDS), generations=1, significance=0.0)
    assert "which is returned" in found.why
    assert feature_model(str(found.output)) == list(found.start) == parse(KINDS)


def test_progress_comes_at_once(tmp_path, model):
    found = discovery_from(TRAIN, output=tmp_path / "found", dev=DEV, start=model(TAGS), generations=1, **SHORT)
    engine = Inline()
    next(found.run(engine))
    assert engine.jobs <= 2


@pytest.mark.parametrize("fails_at", [2, 20, 40])
def test_it_goes_on_where_it_was_stopped(plain, fails_at, tmp_path, model):
    output, start = tmp_path / "found.features", list(plain.start)
    found = discovery_from(TRAIN, output=output, dev=DEV, start=start, generations=2, **SHORT)
    with pytest.raises(KeyboardInterrupt):
        list(found.run(Inline(fails_at)))
    searched(output, start, generations=2)
    assert output.read_bytes() == plain.output.read_bytes()
    nothing = Inline()
    searched(output, start, nothing, generations=2)
    assert nothing.jobs == 0


def test_when_the_time_is_over(tmp_path, model):
    found, _ = searched(tmp_path / "found.features", model(TAGS), minutes=1e-6)
    assert found.why.startswith("1e-06 minutes were over; ")
    assert {record["stage"] for record in records(found.folder / JOURNAL, "search") if record["kind"] == "cut"}
    again = Inline()
    searched(
        tmp_path / "found.features",
        list(found.start),
        again,
        minutes=1e-6,
    )
    assert again.jobs == 0


def test_the_same_bytes_with_several_workers(plain, tmp_path):
    output, start = tmp_path / "found.features", list(plain.start)
    with ThreadPoolExecutor(2) as engine:
        found = discover(TRAIN, output=output, start=start, dev=DEV, generations=2, engine=engine, jobs=2, **SHORT)
    assert output.read_bytes() == plain.output.read_bytes()
    assert found == list(plain.best.candidate.features)


def test_the_command(tmp_path, run, model):
    for name, some in (("train", TRAIN), ("dev", DEV)):
        write(some, tmp_path / f"{name}.conllu")
    files = (tmp_path / "train.conllu", "--dev", tmp_path / "dev.conllu", "--start", model(TAGS))
    short = ("--learner", "perceptron", "--passes", 1, "--generations", 1, "--attributes", "FEATS:Kind", "--jobs", 1)
    result = run("discover", *files, "-o", tmp_path / "found.features", *short)
    assert result.exit_code == 0, result.stderr
    assert "FEATS:Kind" in (tmp_path / "found.features").read_text()
    assert "generation 1 was reached; on dev.conllu: LAS" in result.stderr
    assert run("train", *files[:1], "--features", tmp_path / "found.features", "-o", tmp_path / "model").exit_code == 0


def test_groups():
    start = tuple(
        parse("UPOS(STACK0)\nFORM(STACK0) & UPOS(QUEUE0)\nUPOS(STACK0) & UPOS(QUEUE0)\nFORM(STACK1)\nDEP(STACK1)")
    )
    assert [str(node) for node in ends(start)] == ["STACK0", "QUEUE0"]
    found = {one.step: one for one in GroupMoves(attributes=("UPOS", "LEMMA", "FEATS:Case")).candidates(start)}
    new = set(found["read UPOS as UPOS & FEATS:Case where it stands alone"].features) - set(start)
    assert new == set(
        parse(
            "UPOS(STACK0) & FEATS:Case(STACK0)\nUPOS(STACK0) & FEATS:Case(STACK0) & UPOS(QUEUE0) & FEATS:Case(QUEUE0)"
        )
    )
    assert set(found["read FORM as LEMMA"].features) - set(start) == set(
        parse("LEMMA(STACK0) & UPOS(QUEUE0), LEMMA(STACK1)")
    )
    assert set(found["see STACK2 as STACK1"].features) - set(start) == set(parse("FORM(STACK2), DEP(STACK2)"))
    assert found["drop STACK1"].features == start[:3]
    assert all(len(one.identity) == len(one.features) for one in found.values())
    assert dict(dropped(start))["drop FORM"] == [start[1], start[3]]


def test_the_morphology_of_a_treebank():
    from headway.data.sources import batches_of

    assert morphology(batches_of(TRAIN)) == ["FEATS:Kind"]
