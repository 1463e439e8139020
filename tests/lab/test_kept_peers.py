"""Peers that train for long are kept, with what their training cost."""

import json

import pytest

from headway.base.errors import HeadwayError
from headway.data.formats.reading import read
from headway.data.formats.writing import running_text
from headway.data.sample import Sample
from headway.evaluation.evaluate import evaluate
from headway.lab import peers
from headway.lab.tested_parsers import train_and_use

FAST = {"tokenizer": "epochs=1", "tagger": "iterations=1", "parsing": "iterations=1"}


def trained(train, options, every_pass=False):
    found = []
    train_and_use(train, options, found.append, every_pass=every_pass)
    return found


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.conllu" for name in ("train", "dev")]
    for seed, path in enumerate(paths, 1):
        Sample(sentences=20, seed=seed).write(path)
    return paths


def test_udpipe_begins_with_text_and_is_trained_once(files, tmp_path, monkeypatch):
    pytest.importorskip("ufal.udpipe")
    monkeypatch.setenv(peers.VARIABLE, str(tmp_path / "kept"))
    options = {"parser": "udpipe-pipeline", "dev": str(files[1]), "seed": 1, **FAST}
    ((_, system, _),) = trained(files[0], options, every_pass=False)
    assert system.described() == {}
    text, found = tmp_path / "dev.txt", tmp_path / "parsed.conllu"
    text.write_text("".join(running_text(read(files[1]))), "utf-8")
    system.parse(text, found)
    scores = evaluate(files[1], found, definition="ud")
    assert scores["Words"].f1 > 0.8 and scores["UAS"].f1 > 0.1
    before = found.read_bytes()

    monkeypatch.setattr(peers, "_trained", lambda *_: pytest.fail("trained again"))
    ((_, again, _),) = trained(files[0], options, every_pass=False)
    again.parse(text, found)
    assert found.read_bytes() == before
    [cost] = (tmp_path / "kept").glob("*.json")
    known = json.loads(cost.read_text())
    assert again.described() == {"training": round(known["cpu"], 2), "memory": int(known["mib"]), "kept": True}
    with pytest.raises(pytest.fail.Exception, match="trained again"):
        list(trained(files[0], {**options, "parsing": "iterations=2"}, every_pass=False))
    cost.write_text("{}")
    with pytest.raises(HeadwayError, match="the peer that was kept here cannot be read; remove both files"):
        list(trained(files[0], options, every_pass=False))


def test_nothing_is_kept_without_a_folder(monkeypatch, tmp_path):
    monkeypatch.delenv(peers.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert peers.kept("a") is None
    assert peers.keep("a", peers.KeptPeer(b"model", 1, 2, 3)).described() == {}
    assert not list(tmp_path.iterdir())
