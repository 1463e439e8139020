"""A row of stages: a tagger before a parser is nothing new to the loop, the model file and the command line."""

import json

import numpy as np
import pytest
import toy_tagger
from toy_tagger import ToyTagger, ToyTaggerOptions

import headway
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.sources import batches_of, sentences_of
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.stages.contract import PREDICTED, STAGES
from headway.training.dev_scores import judged
from headway.training.families import FAMILIES
from headway.training.jackknife import jackknifed
from headway.training.train import train_row
from headway.training.train_stages import Observer


@pytest.fixture(autouse=True)
def toy():
    STAGES.register(toy_tagger.KIND, ToyTagger)
    FAMILIES.register(toy_tagger.NAME, ToyTaggerOptions)
    yield
    STAGES.unregister(toy_tagger.KIND)
    FAMILIES.unregister(toy_tagger.NAME)


@pytest.fixture(scope="module")
def treebank():
    return [s.replace(xpos=["_"] * len(s), feats=["_"] * len(s)) for s in generate(120, seed=1)]


@pytest.fixture(scope="module")
def untagged():
    return [s.replace(upos=["_"] * len(s), xpos=["_"] * len(s), feats=["_"] * len(s)) for s in generate(30, seed=2)]


@pytest.mark.parametrize(
    "parser", [TransitionOptions(passes=2, features="malt-14"), GraphOptions(passes=2, bits=16, features="mst")]
)
def test_a_tagger_stands_before_a_parser(treebank, untagged, parser, tmp_path):
    row = headway.train(treebank, [ToyTaggerOptions(), parser])
    assert isinstance(row.stages[0], ToyTagger)
    assert row.gives == {"UPOS", "HEAD", "DEPREL"}
    assert row.needs == {"FORM"}
    alone = headway.Parser(row.stages[:1])
    parsed = list(row.parse(untagged))
    assert [s.upos for s in parsed] == [s.upos for s in alone.parse(untagged)]
    assert all("_" not in s.upos and s.is_parsed for s in parsed)
    row.save(tmp_path / "row")
    again = headway.load(tmp_path / "row")
    assert [str(s) for s in again.parse(untagged, threads=2)] == [str(s) for s in parsed]
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "row").read_bytes()


def test_stages_follow_each_other_without_being_written_and_read_again(treebank, untagged, monkeypatch):
    row = headway.train(treebank, [ToyTaggerOptions(), TransitionOptions(passes=1, features="malt-14")])
    [batch] = batches_of(untagged)
    monkeypatch.setattr("headway.data.batch.Batch.render", lambda *_: pytest.fail("rendered between two stages"))
    done = row.annotate(batch)
    assert [layer.name for layer in done.layers] == [PREDICTED, PREDICTED]
    assert set(done.bare.column("UPOS")) == {"_"} and "_" not in done.column("UPOS")
    assert (done.heads != batch.heads).any() and (done.bare.heads == batch.heads).all()


def test_the_parser_learns_from_tags_of_text_that_the_tagger_has_not_seen(treebank):
    odd = headway.Sentence(forms=["Zyx", "barks"], upos=["INTJ", "VERB"], heads=[2, 0], deprels=["nsubj", "root"])
    data = list(batches_of([*treebank[:29], odd, *treebank[29:]]))
    layered = sentences_of(jackknifed(ToyTaggerOptions(), data, 5))
    seen = ToyTaggerOptions().begin(data)
    seen.step(1, lambda share: None)
    known = sentences_of(map(seen.candidates()[0].annotate, data))
    assert known[29].upos == ["INTJ", "VERB"]
    assert layered[29].upos[0] == "NOUN"
    assert [s.forms for s in layered] == [s.forms for s in known]
    assert [s.heads.tolist() for s in layered] == [s.heads.tolist() for s in known]
    right = [sum(a == b for a, b in zip(s.upos, t.upos, strict=True)) for s, t in zip(layered, known, strict=True)]
    assert sum(right) < sum(map(len, known))


def test_each_stage_is_judged_by_what_it_gives(treebank):
    dev = list(generate(20, seed=3))
    stages = train_row(treebank, dev=dev, stages="toy-tagger", passes=1, features="malt-14")
    scores = [stage.loop.history[-1].dev for stage in stages]
    assert list(scores[0].scores) == ["UPOS"] and 50 < scores[0].main <= 100
    assert list(scores[1].scores) == ["LAS", "UAS", "RA", "CM"]
    gold = headway.train(treebank, passes=1, features="malt-14").stages[0]
    assert judged(gold, list(batches_of(dev))).main > scores[1].main


def test_the_command_line_knows_what_to_do(treebank, untagged, run, tmp_path):
    for name, sentences in (("train", treebank), ("raw", untagged)):
        headway.write(sentences, tmp_path / f"{name}.conllu")
    model = tmp_path / "model"
    words = ["--stages", "toy-tagger", "-O", "toy-tagger.rare=2", "-O", "settle=0", "--passes", 2]
    done = run("train", tmp_path / "train.conllu", "-o", model, "--features", "malt-14", *words)
    assert done.exit_code == 0, done.stderr
    assert "count  1" in done.stderr and "pass  2" in done.stderr
    parser = headway.load(model)
    assert parser.stages[0].about["options"] == {"rare": 2}
    assert parser.about["learner"]["settle"] == 0
    parsed = run("parse", model, tmp_path / "raw.conllu")
    assert parsed.exit_code == 0 and "\t_\t_\t_\t_\t0\t" not in parsed.stdout
    told = run("info", model)
    assert "stage 1" in told.stdout and "toy tagger" in told.stdout and "transition parser" in told.stdout
    assert [stage["kind"] for stage in json.loads(run("info", "--json", model).stdout)] == [
        "toy tagger",
        "transition parser",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stages": "tokenizer"}, "unknown family of parsers 'tokenizer'; known are: boosted, graph, toy-tagger"),
        ({"toy-tagger.rare": 1}, "there is no stage 'toy-tagger' before the parser; name it in stages"),
        ({"stages": "toy-tagger", "toy-tagger.rare": 0}, "rare = 0 is out of range; give a number from 1 on"),
        ({"stages": "toy-tagger", "toy-tagger.width": 1}, "a toy tagger has no option 'width'; known are: rare"),
    ],
)
def test_mistakes(treebank, options, message):
    with pytest.raises(HeadwayError, match=message):
        headway.train(treebank, **options)


def test_recipes_know_rows_of_stages(tmp_path):

    from headway.lab.reading import check_training
    from headway.lab.tested_parsers import train_and_use

    headway.write(generate(40, seed=1), tmp_path / "train.conllu")
    options = {"stages": "toy-tagger", "toy-tagger.rare": 2, "passes": 2, "features": "malt-14"}
    check_training(options)
    with pytest.raises(HeadwayError, match="a toy tagger has no option 'width'"):
        check_training({**options, "toy-tagger.width": 3})
    found = []
    train_and_use(tmp_path / "train.conllu", options, found.append, every_pass=True)
    assert [one.at for one in found] == [1, 2]
    assert [len(one.parser.parser.stages) for one in found] == [2, 2]


def test_an_interrupted_row_goes_on(treebank, tmp_path):
    wanted = {"stages": "toy-tagger", "passes": 3, "features": "malt-14"}
    whole = headway.train(treebank, **wanted)
    whole.save(tmp_path / "whole")

    class Interrupt(Observer):
        def on_stage(self, stage):
            stage.loop.checkpoint_seconds = 0.0

        def on_step(self, stage, step):
            if stage.is_last and step.number == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_row(treebank, output=tmp_path / "model", observer=Interrupt(), **wanted)
    assert (tmp_path / "model.checkpoint").exists()
    headway.train(treebank, output=tmp_path / "model", **wanted).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()
    assert not (tmp_path / "model.checkpoint").exists()


@pytest.mark.parametrize("how", [{}, {"jackknife": False, "calibrate": "cross-validation"}])
def test_too_few_sentences_for_the_parts_are_refused_before_anything_is_learned(treebank, how):
    with pytest.raises(HeadwayError, match="4 folds need at least as many sentences, and there are 3; use fewer"):
        train_row(treebank[:3], stages="toy-tagger", passes=1, features="malt-14", folds=4, **how)


def test_a_stage_that_finds_nothing_leaves_a_batch_as_it_is(treebank):
    class Idle(ToyTagger):
        def annotate(self, batch):
            return batch

    idle = Idle(np.zeros(1, np.uint64), np.zeros(1, np.int32), ("NOUN",), 0)
    found = list(headway.Parser([idle]).parse(treebank[:2], keep="xpos"))
    assert [str(one) for one in found] == [str(one) for one in treebank[:2]]
