"""`headway train --parser boosted` and what it refuses."""

import pytest


@pytest.fixture(scope="module")
def treebanks(tmp_path_factory):
    from headway.data.formats.writing import write
    from headway.data.sample import generate

    folder = tmp_path_factory.mktemp("treebanks")
    write(generate(40, seed=1), folder / "train.conllu")
    write(generate(15, seed=2), folder / "dev.conllu")
    return folder


def test_train_parse_and_info(run, treebanks, tmp_path):
    model = tmp_path / "m.headway"
    words = ("--parser", "boosted", "--features", "local", "--rounds", 2, "-O", "strength=2.0", "--threads", 2)
    done = run("train", treebanks / "train.conllu", "-o", model, "--dev", treebanks / "dev.conllu", *words)
    assert done.exit_code == 0, done.stderr
    assert "round  1" in done.stderr
    assert "dev LAS" in done.stderr
    assert "the parser of round" in done.stderr
    parsed = run("parse", model, treebanks / "dev.conllu", "-o", tmp_path / "out.conllu")
    assert parsed.exit_code == 0, parsed.stderr
    about = run("info", model)
    assert about.exit_code == 0
    assert "boosted parser" in about.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--parser", "graph", "--rounds", "2"],
            "rounds belongs to boosted parsers; leave it out, or take parser boosted",
        ),
        (
            ["--parser", "boosted", "--shuffle"],
            "shuffle belongs to transition and graph parsers; leave it out, or take parser transition",
        ),
        (["--parser", "boosted", "--decoder", "eisner"], "unknown decoder 'eisner'; known are: cky, split-head"),
        (["--parser", "boosted", "--learner", "mirror"], "unknown learner 'mirror'; known are: arow, cw, "),
        (["--parser", "boosted", "--learner", "sklearn:svm.Nothing"], "scikit-learn has no classifier 'svm.Nothing'"),
        (["--parser", "boosted", "--keep", "best"], "the best round is found on a development treebank"),
        (["--parser", "boosted", "--boosting", "adaboost-m1", "--constant", "2"], "adaboost-m1 has no constant"),
        (["--parser", "boosted", "--passes", "auto"], "passes = 'auto' is not a whole number; give one from 1 on"),
        (
            ["--parser", "boosted", "--passes", "3"],
            "passes = 3: exponential makes no passes; leave them out, or say rounds",
        ),
        (["--parser", "boosted", "--held-out", "1"], "held_out = 1 is out of range; give a number from 2 on"),
        (["--learner", "exponential"], "unknown learner 'exponential'; known are: arow, cw, "),
    ],
)
def test_what_cannot_be_is_refused(run, treebanks, tmp_path, words, message):
    done = run("train", treebanks / "train.conllu", "-o", tmp_path / "m", *words)
    assert done.exit_code != 0
    assert message in done.stderr
    assert not (tmp_path / "m").exists()


def test_patience_and_tuning_are_for_rounds_too(run, treebanks, tmp_path):
    words = ("--parser", "boosted", "--features", "local", "--static", "--rounds", 2, "--patience", 1)
    done = run(
        *("train", treebanks / "train.conllu", "-o", tmp_path / "m", "--dev", treebanks / "dev.conllu"),
        *(*words, "--tune", "partitioned"),
    )
    assert done.exit_code == 0, done.stderr
    assert "is best on dev (LAS " in done.stderr
    assert "partitioned = " in done.stderr
