"""Training and parsing from end to end, on the generated treebank."""

import pytest

import headway
from headway.data.formats.writing import write
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.data.trees import is_projective, is_tree
from headway.learners.registry import learner
from headway.parsers.transition.options import TransitionOptions
from headway.parsers.transition.registry import SYSTEMS
from headway.stages.parsing.parser import Parser
from headway.training.dev_scores import judged
from headway.training.loop import TrainingLoop

CHOICES = [(name, root, single) for name in SYSTEMS.own for root in SYSTEMS[name].roots for single in (False, True)]


@pytest.fixture(scope="module")
def treebank():
    return list(generate(300, seed=1, nonprojective=0.2))


@pytest.fixture(scope="module")
def unseen():
    return list(generate(80, seed=2, nonprojective=0.2))


def trained(treebank, **options):
    default_text = {"features": "malt-14+pairs", "learner": learner("mira", passes=3), "explore": 0.0}
    return TrainingLoop(TransitionOptions(**{**default_text, **options}), list(batches_of(treebank))).run()


def parsed(stage, sentences):
    return list(Parser([stage]).parse(sentences, force=True))


def las(parser, sentences):
    return judged(parser, list(batches_of(sentences))).scores["LAS"]


@pytest.mark.parametrize(("name", "root", "single"), CHOICES)
def test_every_system_gives_trees(name, root, single, treebank, unseen):
    system = {"system": name, "root": root, "single_root": single}
    features = "default" if name == "arc-eager" else "malt-14+pairs"
    parser = trained(treebank, **system, features=features, learner=learner("mira", passes=2))
    for sentence in parsed(parser, unseen):
        assert is_tree(sentence.heads)
        if single and name != "swap" and parser.encoding == "none":
            assert (sentence.heads == 0).sum() == 1


@pytest.mark.parametrize("single", [True])
@pytest.mark.parametrize("name", list(SYSTEMS))
def test_a_single_root_is_kept_whatever_was_learned(name, single, unseen):
    several = [headway.Sentence(forms=list("abcd"), upos=list("NVNV"), heads=[0, 0, 0, 0], deprels=["root"] * 4)] * 20
    system = {"system": name, "single_root": single}
    parser = trained(several, **system, encoding="none", learner=learner("perceptron", passes=1))
    for sentence in parsed(parser, unseen):
        assert (sentence.heads == 0).sum() == 1


def test_pseudo_projective_parsing_finds_crossing_arcs(treebank):
    assert any(not is_projective(s.heads) for s in parsed(trained(treebank, encoding="head"), treebank))
    assert all(is_projective(s.heads) for s in parsed(trained(treebank, encoding="none"), treebank))


def test_only_heads_and_labels_change(treebank, unseen):
    for before, after in zip(unseen, parsed(trained(treebank), unseen), strict=True):
        assert str(before) == str(after.replace(heads=before.heads, deprels=before.deprels))


def test_predicted_trees_lie_over_the_gold_ones(treebank, unseen, tmp_path):
    write(unseen, tmp_path / "gold.conllu")
    parser = Parser([trained(treebank)])
    [batch] = parser.parse_batches(tmp_path / "gold.conllu")
    [text] = parser.parse_bytes(tmp_path / "gold.conllu")
    found = list(parser.parse(tmp_path / "gold.conllu"))
    assert "".join(f"{sentence}\n" for sentence in found).encode() == text == batch.render(batch.format)
    for gold, sentence in zip(unseen, found, strict=True):
        assert sentence.batch.text == gold.batch.bare.raw(gold.index) + b"\n"
        assert str(headway.Sentence.view(sentence.batch.beneath("predicted"), sentence.index)) == str(gold)
    assert [s.line for s in found] == [s.line for s in headway.read(tmp_path / "gold.conllu")]


def test_a_parser_sees_tags_in_a_layer(treebank, unseen):
    parser = trained(treebank)
    [batch] = batches_of(unseen)
    blind = [s.replace(xpos=["_"] * len(s), upos=["_"] * len(s)) for s in unseen]
    [untagged] = batches_of(blind)
    tagged = untagged.with_layer("tags", columns={name: batch.codes(name) for name in ("UPOS", "XPOS")})
    assert parser.trees(tagged).heads.tolist() == parser.trees(batch).heads.tolist()
    assert parser.trees(untagged).heads.tolist() != parser.trees(batch).heads.tolist()
    assert parser.annotate(tagged).render(batch.format) == parser.annotate(batch).render(batch.format)


def test_the_same_seed_gives_the_same_bytes(treebank, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        Parser([trained(treebank, seed=seed, explore=0.9)]).save(tmp_path / name)
    first, second, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == second
    assert first != other


def test_threads_change_nothing(treebank, unseen, tmp_path):
    write(unseen * 60, tmp_path / "many.conllu")
    parser = Parser([trained(treebank)])
    one, three = (list(parser.parse_bytes(tmp_path / "many.conllu", threads=n)) for n in (1, 3))
    assert one == three and len(one) > 4
    batches = list(parser.parse_batches(tmp_path / "many.conllu", threads=3))
    assert [batch.render(batch.format) for batch in batches] == one


def test_rare_features_are_left_out(treebank):
    every, some = (trained(treebank, cutoff=cutoff) for cutoff in (1, 3))
    assert some.about["weights"] < every.about["weights"] * 0.7


def test_columns_without_content_are_left_out(treebank, caplog):
    import logging

    logging.getLogger("headway").propagate = True
    bare = [s.replace(xpos=["_"] * len(s), lemmas=["_"] * len(s), feats=["_"] * len(s)) for s in treebank]
    with caplog.at_level("WARNING"):
        parser = trained(bare, features="default", learner=learner("mira", passes=1))
    said = " ".join(record.getMessage() for record in caplog.records)
    assert "XPOS is empty or constant; UPOS takes its place" in said
    assert "LEMMA is empty or constant" in said and "FEATS is empty or constant" in said
    names = {column.field for column in parser.templates.columns}
    assert names == {"FORM", "UPOS"}


def test_an_unparsed_treebank_is_refused(tmp_path):
    (tmp_path / "blind.conllu").write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(headway.HeadwayError, match=r"blind.conllu:1: this sentence has no heads"):
        headway.train(tmp_path / "blind.conllu")


def test_a_cutoff_that_leaves_nothing_is_refused(treebank):
    with pytest.raises(headway.HeadwayError, match=r"^cutoff = 100000: no feature is seen so often, the most frequent"):
        headway.train(treebank, cutoff=100_000, passes=1)
