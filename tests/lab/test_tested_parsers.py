"""Parsers as experiments see them: passes of our own, and peers."""

import sys
from types import SimpleNamespace

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import Sample, generate
from headway.data.sources import batches_of
from headway.evaluation.evaluate import evaluate
from headway.lab.peers import PEERS
from headway.lab.peers import _parsed as parsed_by_spacy
from headway.lab.tested_parsers import HeadwayParser, train_and_use
from headway.parsers.transition.options import TransitionOptions
from headway.training.loop import TrainingLoop


def trained(train, options, every_pass=False):
    found = []
    train_and_use(train, options, found.append, every_pass=every_pass)
    return found


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.conllu" for name in ("train", "dev", "gold")]
    for seed, path in enumerate(paths, 1):
        Sample(sentences=60, seed=seed).write(path)
    return paths


@pytest.mark.parametrize("family", [{"features": "malt-14", "explore": 0.0}, {"parser": "graph", "bits": 16}])
def test_the_parser_after_a_pass_is_that_of_so_many_passes(files, tmp_path, family):
    train, _, gold = files
    options = {**family, "learner": "perceptron"}
    for number, system, _ in trained(train, {**options, "passes": 3}, every_pass=True):
        system.parse(gold, tmp_path / "after")
        ((passes, alone, _),) = trained(train, {**options, "passes": number}, every_pass=False)
        alone.parse(gold, tmp_path / "alone")
        assert passes == number and (tmp_path / "after").read_bytes() == (tmp_path / "alone").read_bytes()
    assert number == 3


def test_no_parser_of_a_training_that_is_not_under_way():
    loop = TrainingLoop(TransitionOptions(features="malt-14", passes=1), list(batches_of(generate(20))))
    for _ in loop:
        assert loop.now().about["passes"] == 1
    with pytest.raises(HeadwayError, match="no training is under way"):
        loop.now()


def test_what_is_known_of_a_parser(files):
    known = HeadwayParser(headway.train(files[0], features="malt-14", passes=1)).described()
    assert known["features"] > 100 and known["weights"] > 100


@pytest.mark.parametrize(("name", "module"), [("udpipe", "ufal.udpipe"), ("spacy", "spacy")])
def test_a_peer_that_is_not_installed_is_a_sentence(files, monkeypatch, name, module):
    monkeypatch.setitem(sys.modules, module, None)
    options = {"dev": str(files[1])} if name == "spacy" else {}
    with pytest.raises(HeadwayError, match=f"^{module} is not installed; pip install {module}$"):
        PEERS[name](files[0], **options)


def test_udpipe_learns_and_parses(files, tmp_path):
    pytest.importorskip("ufal.udpipe")
    train, _, gold = files
    ((_, system, _),) = trained(train, {"parser": "udpipe", "iterations": 1, "seed": 1}, every_pass=False)
    system.parse(gold, tmp_path / "parsed.conllu")
    assert evaluate(gold, tmp_path / "parsed.conllu", definition="all")["UAS"].f1 > 0.3
    system.save(tmp_path / "model")
    assert (tmp_path / "model").stat().st_size > 1000
    with pytest.raises(HeadwayError, match=r"^UDPipe: "):
        PEERS["udpipe"](train, iterations="many")


def test_spacy_learns_from_tags_and_parses(files, tmp_path):
    pytest.importorskip("spacy")
    train, dev, gold = files
    ((_, system, _),) = trained(train, {"parser": "spacy", "dev": str(dev), "steps": 60, "seed": 1}, every_pass=False)
    seen = system.pipeline.config["components"]["tok2vec"]["model"]["embed"]["attrs"]
    assert {"TAG", "POS", "MORPH", "LEMMA"} <= set(seen)
    system.parse(gold, tmp_path / "parsed.conllu")
    scores = evaluate(gold, tmp_path / "parsed.conllu", definition="all")
    assert scores["UAS"].f1 > 0.4
    parsed = list(headway.read(tmp_path / "parsed.conllu"))
    assert all("ROOT" not in sentence.deprels and "root" in sentence.deprels for sentence in parsed)


def test_roots_have_the_label_of_the_treebank():
    """spaCy calls them all ROOT, which would be wrong in every sentence."""
    sentence = headway.Sentence(forms=["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    tokens = [SimpleNamespace(i=0, dep_="nsubj"), SimpleNamespace(i=1, dep_="ROOT")]
    for token in tokens:
        token.head = tokens[1]
    assert str(parsed_by_spacy("root", sentence, tokens)) == str(sentence)
