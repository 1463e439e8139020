"""The script that lays out a release of Universal Dependencies, and the manifest of the recipes' treebanks."""

import gzip
import importlib.util
import re
from pathlib import Path

import pytest

from headway import write
from headway.data.sample import generate
from headway.lab.reading import names, recipe

SCRIPT = Path(__file__).parents[2] / "experiments" / "treebanks.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("treebanks", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def release(tmp_path):
    for folder, code, parts in (("UD_English-EWT", "en_ewt", ("train", "dev")), ("UD_Old_Irish-X", "sga_x", ("test",))):
        (tmp_path / "release" / folder).mkdir(parents=True)
        for seed, part in enumerate(parts):
            write(generate(3, seed=seed), tmp_path / "release" / folder / f"{code}-ud-{part}.conllu")
    return tmp_path / "release"


@pytest.mark.parametrize("how", [[], ["--copies"]])
def test_a_release_is_laid_out(script, release, tmp_path, capsys, how):
    assert script.main(["lay-out", str(release), str(tmp_path / "treebanks"), *how]) == 0
    assert "2 treebanks in" in capsys.readouterr().out
    found = sorted(str(path.relative_to(tmp_path / "treebanks")) for path in (tmp_path / "treebanks").glob("*/*"))
    assert found == ["ud-english-ewt/dev.conllu", "ud-english-ewt/train.conllu", "ud-old-irish-x/test.conllu"]
    train = tmp_path / "treebanks" / "ud-english-ewt" / "train.conllu"
    assert train.is_symlink() == (not how)
    assert train.read_bytes() == (release / "UD_English-EWT" / "en_ewt-ud-train.conllu").read_bytes()


def test_a_treebank_alone_is_laid_out(script, release, tmp_path, capsys):
    assert script.main(["lay-out", str(release / "UD_English-EWT"), str(tmp_path / "treebanks")]) == 0
    assert "1 treebank in" in capsys.readouterr().out
    assert (tmp_path / "treebanks" / "ud-english-ewt" / "dev.conllu").exists()


def test_what_is_not_there_cannot_be_described(script, tmp_path, capsys):
    assert script.main(["describe", str(tmp_path), "ud-klingon-hol"]) == 2
    assert "ud-klingon-hol: there are no files like train.conllu here; name the folder" in capsys.readouterr().err


def test_a_folder_without_treebanks_is_said(script, tmp_path, capsys):
    assert script.main(["lay-out", str(tmp_path), str(tmp_path / "treebanks")]) == 2
    assert "there are no folders like UD_English-EWT here; give an unpacked release" in capsys.readouterr().err


def test_files_are_compared_with_the_manifest(script, tmp_path, capsys, monkeypatch):
    (tmp_path / "one").mkdir()
    write(generate(3), tmp_path / "one" / "train.conllu")
    text = (tmp_path / "one" / "train.conllu").read_bytes()
    (tmp_path / "one" / "dev.conllu.gz").write_bytes(gzip.compress(text + text))
    manifest = tmp_path / "treebanks.toml"
    manifest.write_text("")
    monkeypatch.setattr(script, "MANIFEST", manifest)
    script.main(["describe", str(tmp_path), "one"])
    described = capsys.readouterr().out
    assert "sentences = { dev = 6, train = 3 }" in described
    manifest.write_text(described.replace("[one]", '[one]\nversion = "UD 9"') + 'test = "missing"\n')
    assert script.main(["check", str(tmp_path)]) == 1
    assert capsys.readouterr().out == "one/dev: same\none/train: same\none/test: missing (UD 9)\n"
    (tmp_path / "one" / "train.conllu").write_bytes(text + b"\n")
    script.main(["check", str(tmp_path)])
    assert "one/train: other content (UD 9)" in capsys.readouterr().out


def test_the_manifest_has_every_treebank_and_part_of_the_recipes(script):
    listed = script.manifest()
    used = {source.treebank for name in names() for source in recipe(name).sources.values() if source.treebank}
    assert set(listed) == used
    for entry in listed.values():
        assert entry["version"] and entry["licence"]
        assert set(entry["sha256"]) == set(entry["sentences"]) == set(entry["words"])
        assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in entry["sha256"].values())
