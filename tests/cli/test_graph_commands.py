"""`headway train --parser graph` and what can be done with its models."""

import json

import pytest

from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.parsers.graph.options import GraphOptions
from headway.parsers.graph.training import shape_for


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("graph")
    for name, count, seed in (("train", 150, 1), ("test", 30, 2)):
        text = "".join(f"{sentence}\n" for sentence in generate(count, seed=seed))
        (place / f"{name}.conllu").write_text(text, "utf-8")
    return place


def test_train_parse_evaluate_info(run, folder, tmp_path):
    model = tmp_path / "g.headway"
    words = ["--parser", "graph", "--decoder", "eisner", "--order", 2, "--learner", "mira", "--passes", 2, "--bits", 16]
    done = run("train", folder / "train.conllu", "-o", model, "--dev", folder / "test.conllu", *words)
    assert done.exit_code == 0, done.stderr
    assert "the parser of pass 2" in done.stderr
    parsed = tmp_path / "parsed.conllu"
    assert run("parse", model, folder / "test.conllu", "-o", parsed, "--threads", 2).exit_code == 0
    scores = run("evaluate", folder / "test.conllu", parsed, "--definition", "all")
    [las] = (line.split()[1] for line in scores.stdout.splitlines() if line.startswith("LAS"))
    assert float(las) > 75
    [header] = json.loads(run("info", "--json", model).stdout)
    assert header["kind"] == "graph parser"
    assert header["shape"] == {
        "decoder": "eisner",
        "order": 2,
        "single_root": True,
        "labels": "after",
        "bits": 16,
        "label_bits": header["shape"]["label_bits"],
    }
    assert "graph parser" in run("info", model).stdout


@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({}, 2),
        ({"order": 1}, 1),
        ({"features": "mst"}, 1),
        ({"features": "mst-siblings"}, 2),
        ({"learner": "mira", "k": 3}, 1),
    ],
)
def test_siblings_are_scored_where_features_and_learner_can(folder, options, order):
    batches = list(batches_of(folder / "train.conllu"))
    assert shape_for(GraphOptions(**options), batches).order == order


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--parser", "graph", "--system", "swap"],
            "system belongs to transition parsers; leave it out, or take parser transition",
        ),
        (["--order", "2"], "order belongs to graph parsers; leave it out, or take parser graph"),
        (["--tune", "explore"], "choosing explore needs a development treebank; name one with --dev"),
        (["--parser", "graph", "--tune", "C"], "choosing C needs a development treebank; name one with --dev"),
        (["--parser", "graph", "--features", "malt-14"], "belongs to transition parsers"),
        (["--features", "mst"], "belongs to graph parsers"),
        (["--parser", "graph", "--learner", "logistic"], "unknown learner 'logistic'; known are: arow, cw, "),
        (["--parser", "graph", "--order", "3"], "unknown order 3; known are: 1, 2"),
        (["--parser", "graph", "--bits", "99"], "bits = 99 is out of range; give a number from 8 to 29"),
        (
            ["--parser", "graph", "--passes", "many"],
            "passes = 'many' is not a whole number; give one from 1 on, or 'auto'",
        ),
        (["--parser", "chart"], "unknown family of parsers 'chart'; known are: boosted, graph, transition"),
    ],
)
def test_what_does_not_go_together_is_said_in_a_sentence(run, folder, tmp_path, words, message):
    done = run("train", folder / "train.conllu", "-o", tmp_path / "m", *words)
    assert done.exit_code != 0
    assert message in done.stderr
    assert not (tmp_path / "m").exists()
