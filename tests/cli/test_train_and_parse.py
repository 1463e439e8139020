import subprocess
import sys
from codecs import BOM_UTF8
from datetime import datetime
from types import SimpleNamespace

import click
import pytest

import headway
from headway.cli.train import _stop
from headway.data.sample import generate


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from headway.data.formats.writing import write

    place = tmp_path_factory.mktemp("train")
    write(generate(200, seed=1), place / "train.conllu")
    write(generate(50, seed=2), place / "dev.conllu")
    headway.train(place / "train.conllu", passes=2).save(place / "model")
    return place


def test_train_says_what_it_does_and_writes_a_model(run, folder, tmp_path):
    model = tmp_path / "model"
    result = run("train", folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", model, "--passes", 3)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.count("dev LAS") == 3
    assert "the parser of pass" in result.stderr
    assert headway.load(model).about["learner"]["name"] == "mira"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("none/model", "none/model: No such file or directory; name a folder that can be written to"),
        (".", "this is a folder; name a file in it"),
        ("file/model", "file/model: Not a directory; name a folder that can be written to"),
        ("model.gz", "give a name without .gz"),
        ("-", "name a file"),
    ],
)
def test_a_model_that_cannot_be_written_is_refused_before_training(run, folder, tmp_path, monkeypatch, output, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    result = run("train", folder / "train.conllu", "-o", output)
    assert result.exit_code == 2
    assert result.stderr.endswith(f"{words}\n")
    assert "pass" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_options_reach_the_trainer(run, folder, tmp_path):
    model = tmp_path / "model"
    words = (
        "--learner cw -O phi=0.5 --passes 1 --system arc-standard --features malt-14 --two-step --seed 3 --single-root"
    )
    result = run("train", folder / "train.conllu", "-o", model, "--licence", "CC0", *words.split())
    assert result.exit_code == 0, result.stderr
    parser = headway.load(model)
    assert parser.about["learner"]["phi"] == 0.5
    assert parser.about["licence"] == "CC0" and parser.about["options"]["seed"] == 3
    [stage] = parser.stages
    assert stage.system.name == "arc-standard" and stage.system.single_root and stage.classes.two_step


def test_parse_reads_many_files_and_standard_input(run, shell, folder, tmp_path):
    dev = folder / "dev.conllu"
    once = shell("parse", folder / "model", stdin=dev.read_bytes())
    assert once.returncode == 0
    twice = run("parse", folder / "model", dev, dev)
    assert twice.stdout == once.stdout.decode() * 2
    several = run("parse", folder / "model", dev, folder / "train.conllu", "-o", f"{tmp_path}/out/", "--threads", 2)
    assert several.exit_code == 0
    assert (tmp_path / "out" / "dev.conllu").read_bytes() == once.stdout
    score = run("evaluate", dev, tmp_path / "out" / "dev.conllu", "--definition", "all", "--json")
    assert score.exit_code == 0


@pytest.mark.parametrize(
    ("kind", "content"), [("tokens", "Dogs bark\n"), ("vertical", "Dogs\nbark\n"), ("conllu", None)], ids=str
)
def test_a_byte_order_mark_is_left_out_of_files_and_of_standard_input(kind, content, shell, run, folder, tmp_path):
    data = (folder / "dev.conllu").read_bytes() if content is None else content.encode()
    words = ("parse", folder / "model", "--input", kind, "--force")
    (tmp_path / "without").write_bytes(data)
    (tmp_path / "with").write_bytes(BOM_UTF8 + data)
    expected = run(*words, tmp_path / "without").stdout
    of_file, of_input = run(*words, tmp_path / "with"), shell(*words, stdin=BOM_UTF8 + data)
    assert of_file.stdout == of_input.stdout.decode() == expected != ""
    for said, name in ((of_file.stderr, tmp_path / "with"), (of_input.stderr.decode(), "<stdin>")):
        assert f"{name}: a byte-order mark at the start was left out" in said


def test_parse_does_not_overwrite_its_input(run, folder):
    before = (folder / "dev.conllu").read_bytes()
    result = run("parse", folder / "model", folder / "dev.conllu", "-o", f"{folder}/")
    assert result.exit_code == 2
    assert "overwrite this input" in result.stderr
    assert (folder / "dev.conllu").read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"something else", b"headway\n" + b"\xff" * 100])
def test_what_is_no_model_is_refused(run, folder, tmp_path, content):
    (tmp_path / "model").write_bytes(content)
    result = run("parse", tmp_path / "model", folder / "dev.conllu")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and ";" in result.stderr


def test_info_describes_a_model(run, folder):
    result = run("info", folder / "model")
    assert result.exit_code == 0
    for expected in ("transition parser", "arc-eager", "mira (average yes", "labels", "features", "model format 3"):
        assert expected in result.stdout
    assert "needs the columns   FORM, " in result.stdout and "gives the columns   HEAD, DEPREL" in result.stdout
    assert "trained on" in result.stdout and headway.load(folder / "model").about["treebank_digest"] in result.stdout
    written = datetime.fromtimestamp((folder / "model").stat().st_mtime).astimezone()
    assert f"file of {written.isoformat(' ', 'minutes')}" in result.stdout
    assert '"kind": "transition parser"' in run("info", folder / "model", "--json").stdout


@pytest.mark.parametrize(
    ("stages", "kept", "said"),
    [
        (["segmenter"], None, "there is nothing to keep yet, and the same command starts over"),
        (["segmenter", "tagger"], None, "kept: segmenter, and the same command goes on with the tagger"),
        (["segmenter", "tagger"], 3, "kept: segmenter, and the same command goes on after pass 3, from place"),
    ],
)
def test_an_interrupted_pipeline_says_which_stages_it_keeps(stages, kept, said, capsys):
    loops = [
        SimpleNamespace(options=SimpleNamespace(title=title), best=None, kept=kept, unit="pass", checkpoint="place")
        for title in stages
    ]
    begun = [SimpleNamespace(loop=loop, is_last=False) for loop in loops]
    with click.Context(click.Command("train")), pytest.raises(click.exceptions.Exit):
        _stop(begun, "model", None)
    assert capsys.readouterr().err == f"interrupted; {said}\n"


def test_a_stage_before_the_parser_is_trained_with_stage(run, folder, tmp_path):
    words = ("train", folder / "dev.conllu", "-o", tmp_path / "model", "--passes", 1)
    assert run(*words, "--stage", "tagger").exit_code == 0
    assert "UPOS" in headway.load(tmp_path / "model").gives
    for more, said in (
        (("--parser", "segmenter"), "--parser segmenter: expected a family of parsers; write --stage segmenter"),
        (("--stage", "graph"), "--stage graph: expected one of segmenter, pretagger, tagger, lemmatizer"),
        (("--stage", "tagger", "--parser", "graph"), "--parser and --stage exclude each other"),
    ):
        refused = run(*words, *more)
        assert refused.exit_code == 2 and said in refused.stderr


def test_parsing_loads_nothing_that_only_training_or_explaining_needs(tmp_path):
    treebank = list(generate(20, seed=1))
    headway.train(treebank, pipeline=True, passes=1, folds=2).save(tmp_path / "transition")
    headway.train(treebank, parser="graph", passes=1, bits=12).save(tmp_path / "graph")
    headway.train(treebank, parser="boosted", rounds=2).save(tmp_path / "boosted")
    (tmp_path / "story.txt").write_text("Dogs bark. They never sleep!\n")
    headway.write(treebank[:2], tmp_path / "two.conllu")
    code = """if True:
        import sys
        from headway.cli import run
        for model, source in ("transition", "story.txt"), ("graph", "two.conllu"), ("boosted", "two.conllu"):
            run(["parse", model, source, "-o", "out"], standalone_mode=False)
            print(model, *sorted(sys.modules))
    """
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    rooms = {"training", "runs", "show", "evaluation", "learners"}
    files = {"explaining", "updating", "constraining", "scoring", "training", "options"}
    others = {"concurrent", "html", "importlib.metadata", "numpy.ma", "regex", "rich", "scipy", "sklearn"}
    for model, *loaded in map(str.split, result.stdout.splitlines()):
        parts = [name.split(".") for name in loaded if name.startswith("headway.")]
        found = {room for _, room, *_ in parts if room in rooms} | {name for name in loaded if name in others}
        found |= {".".join(part) for part in parts if part[1] in ("parsers", "text") and part[-1] in files}
        assert found <= ({"learners", "concurrent"} if model == "boosted" else set())  # Its links are learners.
