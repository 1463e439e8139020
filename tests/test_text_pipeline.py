"""From text to trees: what is learned from a treebank, what is given and kept, and what each stage costs."""

import json
import logging
import re
import threading

import pytest
import toy_tagger
from toy_tagger import ToyTagger, ToyTaggerOptions

import headway
from headway.base.errors import HeadwayError
from headway.data.formats.recognition import INPUTS
from headway.data.formats.writing import running_text
from headway.data.sample import generate
from headway.stages.contract import STAGES
from headway.training.families import EARLIER
from headway.training.jackknife import jackknifed
from headway.training.stage_costs import stage_costs
from headway.training.train import train_row
from headway.training.train_stages import Observer

FAST = {"pipeline": True, "passes": 2, "features": "malt-14", "folds": 3}


@pytest.fixture(autouse=True, scope="module")
def toy():
    STAGES.register(toy_tagger.KIND, ToyTagger)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EARLIER.own, "tagger", "toy_tagger:PipelineTaggerOptions")
        patch.delitem(EARLIER.own, "pretagger")
        patch.setattr(EARLIER, "_imported", {})
        yield
    STAGES.unregister(toy_tagger.KIND)


@pytest.fixture(scope="module")
def treebank():
    return [s.replace(xpos=["_"] * len(s), feats=["_"] * len(s)) for s in generate(120, seed=1)]


@pytest.fixture(scope="module")
def gold():
    return [s.replace(xpos=["_"] * len(s), feats=["_"] * len(s)) for s in generate(30, seed=2)]


@pytest.fixture(scope="module")
def model(treebank, gold):
    return headway.train(treebank, dev=gold, **FAST)


def kinds(parser):
    return [stage.kind for stage in parser.stages]


def written(sentences):
    return "".join(f"{sentence}\n" for sentence in sentences)


def test_all_stages_that_the_treebank_allows_are_learned(model, treebank, caplog):
    assert kinds(model) == ["segmenter", "toy tagger", "lemmatizer", "transition parser"]
    assert model.needs == {"FORM"} and model.gives == {"FORM", "UPOS", "LEMMA", "HEAD", "DEPREL"}
    bare = [headway.Sentence(s.forms, heads=s.heads, deprels=s.deprels) for s in treebank[:30]]
    with caplog.at_level(logging.WARNING, "headway"):
        alone = headway.train(bare, **FAST)
    assert kinds(alone) == ["transition parser"]
    assert "the treebank has no tags, so that the pipeline has no toy tagger" in caplog.messages
    assert "the treebank has no lemmas, so that the pipeline has no lemmatizer" in caplog.messages


def test_text_becomes_sentences_with_all_columns(model, gold, run, tmp_path):
    text = "".join(running_text(gold))
    found = model(text)
    assert all(s.is_parsed and "_" not in s.upos and "_" not in s.lemmas for s in found)
    scores = headway.evaluate(gold, found, definition="ud")
    assert scores["Words"].f1 > 0.95 and scores["Lemmas"].f1 > 0.85 and scores["LAS"].f1 > 0.5
    (tmp_path / "story.txt").write_text(text)
    model.save(tmp_path / "model")
    assert [str(s) for s in model.parse(tmp_path / "story.txt", threads=2)] == [str(s) for s in found]
    done = run("parse", tmp_path / "model", tmp_path / "story.txt", "--threads", 2)
    assert done.exit_code == 0 and not done.stderr
    assert done.stdout == written(found)
    done = run("parse", tmp_path / "model", tmp_path / "story.txt", "-o", f"{tmp_path}/out/")
    assert done.exit_code == 0 and (tmp_path / "out" / "story.conllu").read_text() == written(found)


def test_a_list_is_words(model):
    sentence = model(["Dogs", "bark", "."])
    assert sentence.forms == ["Dogs", "bark", "."] and sentence.is_parsed


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("tokens", "Dogs bark .\n\n  It is 3 o'clock . \n"),
        ("vertical", "Dogs\nbark\n.\n\nIt\nis\n3\no'clock\textra\n.\n"),
        ("sentences", "Dogs bark.\nIt is 3 o'clock.\n"),
    ],
)
def test_what_the_input_is_is_respected(model, kind, content, tmp_path, run):
    path = tmp_path / "a"
    path.write_text(content)
    found = list(model.parse(path, input=kind))
    assert [len(s) >= 3 for s in found] == [True, True]
    assert found[0].forms == ["Dogs", "bark", "."]
    if kind != "sentences":
        assert found[1].forms == ["It", "is", "3", "o'clock", "."] and found[1].text == "It is 3 o'clock ."
    model.save(tmp_path / "model")
    done = run("parse", tmp_path / "model", path, "--input", kind)
    assert done.stdout == written(found)


def test_kept_columns_stay_and_their_stages_do_not_run(model, gold, caplog):
    odd = [s.replace(upos=["X"] * len(s), lemmas=["x"] * len(s)) for s in gold[:5]]
    with caplog.at_level(logging.WARNING, "headway"):
        anew = list(model.parse(odd))
    assert any(
        "the model finds LEMMA, UPOS anew; keep what the input has with --keep" in one for one in caplog.messages
    )
    assert all("X" not in s.upos and "x" not in s.lemmas for s in anew)
    caplog.clear()
    kept = list(model.parse(odd, keep="lemmas", threads=2))
    assert [s.lemmas for s in kept] == [s.lemmas for s in odd] and [s.upos for s in kept] == [s.upos for s in anew]
    with pytest.raises(HeadwayError, match="no word has a tag that the model was trained on"):
        list(model.parse(odd, keep=["tags"]))
    both = list(model.parse(odd, keep="tags,lemmas,tokens", force=True))
    assert [s.upos for s in both] == [s.upos for s in odd]
    empty = [s.replace(upos=["_"] * len(s), lemmas=["_"] * len(s)) for s in odd]
    assert [s.upos for s in model.parse(empty, keep="tags")] == [s.upos for s in anew]
    with pytest.raises(HeadwayError, match="unknown thing to keep 'trees'; known are: feats, lemmas"):
        list(model.parse(odd, keep="trees"))


@pytest.mark.parametrize(
    ("name", "content", "is_text"),
    [
        ("a.txt", b"1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n", True),
        ("a.conllu", b"1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n", False),
        ("a", b"# newdoc\n1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n", False),
        ("a", b"Dogs bark.\n", True),
        ("a", b"(Reuters) Dogs bark.\n", True),
        ("a", b"# Dogs\n\nDogs bark.\n", True),
        ("a", b"( (S (NP (NNS Dogs)) (VP (VBP bark))))\n", False),
        ("a.txt.gz", b"", True),
        ("a", b"", True),
    ],
)
def test_the_rule_what_is_text(name, content, is_text):
    from headway.data.formats.recognition import input_of

    assert (input_of(content, name) == "text") == is_text


@pytest.mark.parametrize(
    ("content", "how", "message"),
    [
        (b"Dogs bark \xff.\n", [], r"story:1: the byte '\\xff' \(byte 11\) is not UTF-8; convert the text"),
        (b"Dogs bark \xff .\n", ["--input", "tokens"], r"story:1: the byte '\\xff' is not UTF-8; convert the file"),
        (b"\0\0\0\1\0\2" * 50, [], "story:1: 200 NUL bytes from byte 1 on are not text"),
    ],
)
def test_what_is_no_text_is_refused_or_skipped(model, content, how, message, run, tmp_path):
    (tmp_path / "story").write_bytes(content)
    model.save(tmp_path / "model")
    done = run("parse", tmp_path / "model", tmp_path / "story", *how)
    assert done.exit_code == 2
    assert re.search(message, done.stderr), done.stderr
    if b"\xff" in content:
        done = run("parse", tmp_path / "model", tmp_path / "story", *how, "--on-error", "skip")
        assert done.exit_code == 0 and ("U+FFFD" in done.stderr or "left out" in done.stderr)


@pytest.mark.parametrize("content", ["", "\n \n"])
@pytest.mark.parametrize("how", [(), *(("--input", kind) for kind in INPUTS), ("--from", "conllu")])
def test_nothing_is_parsed_to_nothing_whatever_it_is(model, run, tmp_path, content, how):
    (tmp_path / "empty").write_text(content)
    headway.Parser([model.stages[-1]]).save(tmp_path / "model")
    done = run("parse", tmp_path / "model", tmp_path / "empty", *how)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.count("the file is empty, so there is nothing to parse") == 1
    assert list(model(content)) == []


def test_stages_are_left_out_and_taken_from_other_models(model, treebank, gold, tmp_path, caplog):
    model.save(tmp_path / "model")
    some = headway.train(treebank, **FAST, without="segmenter,parser")
    assert kinds(some) == ["toy tagger", "lemmatizer"] and some(["Dogs", "bark"]).upos
    with caplog.at_level(logging.WARNING, "headway"):
        taken = headway.train(treebank, **FAST, without="lemmatizer", take=f"tagger={tmp_path / 'model'}")
    assert any("the tagger that is taken was trained on this treebank" in one for one in caplog.messages)
    assert kinds(taken) == ["segmenter", "toy tagger", "transition parser"]
    assert taken.stages[1].keys.tolist() == model.stages[1].keys.tolist()
    untagged = [s.replace(upos=["_"] * len(s)) for s in gold]
    assert [s.upos for s in taken.parse(untagged)] == [s.upos for s in model.parse(untagged)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pipeline": True, "stages": "tagger"}, "pipeline names all stages; leave stages out"),
        (
            {"pipeline": True, "without": "speller"},
            "without: a pipeline has no stage 'speller'; known are",
        ),
        ({"without": "tagger"}, "without speaks of stages of a pipeline; add pipeline"),
        ({"pipeline": True, "take": "tagger"}, "take = 'tagger' names no model; write STAGE=MODEL"),
        ({"pipeline": True, "speller.size": 1}, "there is no stage 'speller' before the parser"),
        ({"pipeline": True, "workers": 0}, "workers = 0 is out of range"),
    ],
)
def test_mistakes(treebank, options, message):
    with pytest.raises(HeadwayError, match=message):
        headway.train(treebank, **options)


def test_the_number_of_workers_changes_nothing(treebank, tmp_path):
    for workers in (1, 3):
        headway.train(treebank, **FAST, workers=workers, output=tmp_path / f"{workers}")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "3"]


def test_parts_that_were_learned_are_not_learned_again(treebank, tmp_path, monkeypatch):
    data = list(headway.data.sources.batches_of(treebank))
    whole = jackknifed(ToyTaggerOptions(), data, 4)
    done, real = [], toy_tagger.ToyTraining.step
    monkeypatch.setattr(toy_tagger.ToyTraining, "step", lambda *some: done.append(1) or real(*some))
    path = tmp_path / "parts"

    def stopping(share):
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jackknifed(ToyTaggerOptions(), data, 4, path=path, on_progress=stopping)
    before = len(done)
    again = jackknifed(ToyTaggerOptions(), data, 4, path=path, workers=2)
    assert 4 <= len(done) < before + 4
    assert [batch.render(batch.format) for batch in again] == [batch.render(batch.format) for batch in whole]
    path.write_bytes(b"something else")
    with pytest.raises(HeadwayError, match="this file has to make place for what is learned in parts"):
        jackknifed(ToyTaggerOptions(), data, 4, path=path)
    assert threading.active_count() < 10


def test_an_interrupted_pipeline_goes_on_after_each_stage(treebank, tmp_path):
    headway.train(treebank, **FAST, output=tmp_path / "whole")

    class Interrupt(Observer):
        trained = 0

        def on_stage(self, stage):
            if len(stage.before) == self.trained:
                raise KeyboardInterrupt

    watch = Interrupt()
    for watch.trained in (1, 2, 3):
        with pytest.raises(KeyboardInterrupt):
            train_row(treebank, output=tmp_path / "model", observer=watch, **FAST)
    headway.train(treebank, **FAST, output=tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "whole"]


def test_what_each_stage_costs(model, gold, run, tmp_path):
    rows = stage_costs(model, gold)
    assert [row.given for row in rows] == [("words", "tags", "lemmas"), ("words", "tags"), ("words",), ("text",)]
    assert [row.stage for row in rows] == [None, "lemmatizer", "toy tagger", "segmenter"]
    assert float(rows[0].scores["UPOS"]) == float(rows[0].scores["Lemmas"]) == 100
    assert float(rows[1].scores["UPOS"]) == 100 > float(rows[2].scores["UPOS"])
    assert sum(row.cost or 0 for row in rows) == pytest.approx(
        float(rows[0].scores["LAS"]) - float(rows[-1].scores["LAS"])
    )
    text = headway.evaluate(gold, model("".join(running_text(gold))), definition="ud")
    assert float(text["LAS"]) == float(rows[-1].scores["LAS"])
    headway.write(gold, tmp_path / "gold.conllu")
    model.save(tmp_path / "model")
    told = run("evaluate", "--stages", tmp_path / "model", tmp_path / "gold.conllu")
    assert told.exit_code == 0 and "words, tags, lemmas" in told.stdout and str(rows[-1].scores["LAS"]) in told.stdout
    found = json.loads(run("evaluate", "--json", "--stages", tmp_path / "model", tmp_path / "gold.conllu").stdout)
    assert [row["tags"] for row in found] == ["gold tags", "gold tags", "predicted tags", "predicted tags"]
    told = run("info", tmp_path / "model")
    assert "1 segmenter" in told.stdout and "predicted tags)" in told.stdout
    assert run("evaluate", tmp_path / "gold.conllu").exit_code == 2


def test_a_pipeline_explains_sentences_whose_words_are_given(model, gold):
    told = model.explain(gold[0])
    assert told is not None and str(told)
