"""Which stage of a row explains itself: the one that is asked for, after those before it have run."""

import json
from types import SimpleNamespace

import pytest

import headway
from headway import HeadwayError
from headway.data.sample import generate
from headway.stages.explanation.explained import explained


@pytest.fixture(scope="module")
def pipeline():
    treebank = list(generate(60, seed=1))
    how = ({"parser": "segmenter"}, {"parser": "tagger"}, {"parser": "lemmatizer"}, {"features": "malt-14"})
    return headway.Parser([headway.train(treebank, passes=1, **one).stages[0] for one in how])


def test_each_stage_sees_what_those_before_it_have_found(pipeline):
    _, tagger, lemmatizer, parser = pipeline.stages
    bare = headway.Sentence(["Dogs", "bark", "."])
    assert {one.kind for one in pipeline.explain(bare).decisions} == {"transition"}
    assert str(pipeline.explain(bare, "parser")) == str(pipeline.explain(bare))
    assert str(pipeline.explain(bare, "tagger")) == str(headway.Parser([tagger]).explain(bare))
    tagged = headway.Parser([tagger, lemmatizer]).parse(bare)
    assert str(pipeline.explain(bare, "parser")) == str(headway.Parser([parser]).explain(tagged))


def test_stages_that_cannot_explain_themselves_say_so(pipeline):
    bare = headway.Sentence(["Dogs", "bark", "."])
    mute = SimpleNamespace(kind="toy tagger", annotate=lambda batch: batch)
    with pytest.raises(HeadwayError, match="a toy tagger does not explain its decisions; "):
        explained([mute, pipeline.stages[-1]], bare, "tagger")
    with pytest.raises(HeadwayError, match="the model has no tagger to explain; it has: transition parser"):
        headway.Parser(pipeline.stages[-1:]).explain(bare, "tagger")
    with pytest.raises(HeadwayError, match="the model has no taggers to explain"):
        pipeline.explain(bare, "taggers")


def test_the_command_explains_a_stage_of_a_pipeline_on_text(pipeline, tmp_path, run):
    pipeline.save(tmp_path / "model")
    (tmp_path / "story.txt").write_text("Dogs bark.\n\nCats sleep.\n")
    asked = ("explain", tmp_path / "model", tmp_path / "story.txt", "--sentence", "2", "--json")
    for stage, kind in (("tagger", "tags"), ("lemmatizer", "lemma"), ("parser", "transition")):
        told = json.loads(run(*asked, "--stage", stage).stdout)
        assert told["forms"] == ["Cats", "sleep", "."]
        assert {one["kind"] for one in told["decisions"]} == {kind}
    assert run(*asked, "--errors", "--stage", "tagger").exit_code == 2
