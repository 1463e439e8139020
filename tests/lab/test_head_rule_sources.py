from headway.data.formats.penn import dependencies
from headway.data.sample import Sample
from headway.lab.experiment import run, status
from headway.lab.reading import recipe
from headway.lab.recipe import Source
from headway.lab.sources import sentences_of

BOOSTED = """
title = "Boosting on trees from brackets"
treebanks = ["by-rules"]
[sources.by-rules]
sample = {sentences = 60, rules = "english"}
[[configuration]]
name = "boosted"
options = {parser = "boosted", features = "local", rounds = 2}
[[part]]
name = "rounds"
on = "dev"
axis = "rounds"
"""


def test_a_sample_is_read_through_head_rules():
    source = Source(sample={"sentences": 30, "rules": "english"})
    expected = dependencies("".join(Sample(sentences=30, seed=1, difficulties=0.0).brackets()))
    found = list(sentences_of(source, "train", {}))
    assert [sentence.heads.tolist() for sentence in found] == [one.heads.tolist() for one in expected]
    assert {label for one in found for label in one.deprels} > {"SUB", "OBJ", "NMOD", "PMOD", "VC"}


def test_it_is_boosted_by_a_recipe(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boosted.toml").write_text(BOOSTED)
    read = recipe("boosted.toml", quick=False)
    assert [done.why for done in run(read)] == [""]
    assert status(read).done == 1
