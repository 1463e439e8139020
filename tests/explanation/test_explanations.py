"""Explanations against the kernels: contributions add up, names say what was hashed, the tree is the parser's."""

import json
from functools import cache

import numpy as np
import pytest

import headway
from headway import HeadwayError, Sentence
from headway.data.sample import generate
from headway.data.sources import batches_of
from headway.features.encode import encode
from headway.features.language import parse
from headway.features.naming import NOTHING, ROOT, KeyColumn, SentenceCells
from headway.features.registry import feature_model, own_names
from headway.features.vocabulary import ARC_PLACES, PAIR_PLACES
from headway.kernels.features.templates import ROOT_KEY, mix_all
from headway.kernels.text.encode import key_of
from headway.parsers.boosted.decoder import decode
from headway.stages.explanation.contract import Explains

EACH_FEATURE = (
    "FEAT(STACK0), FEAT(QUEUE0) & XPOS(STACK0), DISTANCE(STACK0, QUEUE0), LEX(QUEUE0 lc), FEATS:Number(STACK0)"
)
FAMILIES = {
    "arc-eager": {},
    "arc-eager, several roots": {"single_root": False},
    "arc-standard, two steps": {"system": "arc-standard", "two_step": True},
    "swap": {"system": "swap", "learner": "pa-1"},
    "exploring": {"explore": 1},
    "graph": {"parser": "graph"},
    "graph, order 1": {"parser": "graph", "order": 1, "decoder": "chu-liu-edmonds"},
    "graph, joint labels": {"parser": "graph", "order": 1, "labels": "joint"},
    "boosted": {"parser": "boosted", "rounds": 2},
    "boosted, static": {"parser": "boosted", "rounds": 1, "dynamic": False},
    "voting": {"parser": "boosted", "rounds": 3, "keep": "vote"},
}


def family_of(name):
    places = {address.place for f in feature_model(name) for term in f.terms for address in term.addresses}
    if places & (set(PAIR_PLACES) - {"BETWEEN"}):
        return {"parser": "boosted", "rounds": 1}
    return {"parser": "graph"} if places & set(ARC_PLACES) else {}


@cache
def tokens():
    return [token for sentence in generate(5, seed=2) for token in sentence]


def trained(**how):
    if how.get("parser") != "boosted":
        how = {"passes": 2, **how}
    if how.get("parser") == "graph":
        how = {"bits": 16, "label_bits": 14, **how}
    return headway.train(generate(40, seed=2, nonprojective=0.2), **how)


def at_random(seed, length):
    """A sentence with known and unknown words and tags in any order, as no treebank has it."""
    chance = np.random.default_rng(seed)
    known = tokens()
    picked = [known[at] for at in chance.integers(len(known), size=length)]
    return Sentence(
        forms=[token.form if chance.random() < 0.8 else "Xyß" for token in picked],
        lemmas=[token.lemma for token in picked],
        upos=[token.upos for token in picked],
        xpos=[token.xpos for token in picked],
        feats=[token.feats for token in picked],
    )


def check(parser, sentence):
    explanation = parser.explain(sentence)
    parsed = parser.parse(sentence, force=True)
    assert explanation.sentence.heads.tolist() == parsed.heads.tolist()
    assert explanation.sentence.deprels == parsed.deprels
    for decision in explanation.decisions:
        close = 1e-4 * max(1, abs(decision.score))
        assert decision.given.sum() == pytest.approx(decision.score, abs=close)
        assert sum(reason.chosen for reason in decision.reasons()) == pytest.approx(decision.score, abs=close)
        if decision.over is None:
            assert decision.margin is None
            assert not decision.against.any()
        else:
            assert decision.against.sum() == pytest.approx(decision.rival_score, abs=close)
            assert sum(r.difference for r in decision.reasons()) == pytest.approx(decision.margin, abs=2 * close)
        for rows in (decision.groups(), decision.features()):
            assert sum(row.chosen for row in rows) == pytest.approx(decision.score, abs=close)
            assert sum(row.rival for row in rows) == pytest.approx(decision.rival_score or 0.0, abs=close)
            sizes = [abs(row.difference) for row in rows]
            assert sizes == sorted(sizes, reverse=True)
        for group in decision.groups():
            assert sum(share.chosen for share in group.attributes) == pytest.approx(group.chosen)
            assert sum(share.rival for share in group.attributes) == pytest.approx(group.rival)
    return explanation


@pytest.mark.parametrize("name", FAMILIES)
def test_contributions_add_up_to_the_scores_of_every_family(name):
    parser = trained(**FAMILIES[name])
    assert isinstance(parser.stages[-1], Explains)
    for seed, length in enumerate((1, 2, 5, 11, 17)):
        check(parser, at_random(seed, length))


def of_parsers():
    """The feature models that look at stacks, arcs or pairs; others are those of stages before parsers."""
    known = {"STACK", "QUEUE", *ARC_PLACES, *PAIR_PLACES}
    for name in own_names():
        try:
            features = feature_model(name)
        except HeadwayError:
            continue
        if {address.place for feature in features for term in feature.terms for address in term.addresses} <= known:
            yield name


@pytest.mark.parametrize("name", list(of_parsers()))
def test_contributions_add_up_for_every_feature_model(name):
    check(trained(features=name, **family_of(name)), at_random(3, 9))


def test_choices_are_the_best_and_the_second_best():
    parser = trained()
    decisions = check(parser, at_random(1, 12)).decisions
    assert all(decision.margin is None or decision.margin >= 0 for decision in decisions)
    for decision in check(trained(two_step=True), at_random(1, 12)).decisions:
        assert decision.margin is None or decision.margin >= 0


def test_the_arcs_of_an_arc_factored_model_lose_only_where_the_tree_wants_it():
    parser, sentence = trained(parser="graph", order=1, decoder="chu-liu-edmonds"), at_random(4, 10)
    explanation = check(parser, sentence)
    total = sum(one.score for one in explanation.decisions if one.kind == "head")
    for word in range(1, 11):
        rival = next(one for one in explanation.of(word) if one.kind == "head")
        assert rival.margin >= 0 or total >= rival.score


def test_scores_of_links_add_up_to_that_of_the_tree():
    parser, sentence = trained(parser="boosted", rounds=2), at_random(2, 9)
    linker, batch = parser.stages[-1].linker, sentence.batch
    decoded = decode(linker.logits(linker.templates.encode(batch), batch.sentence_word), single_root=True)
    links = [one.score for one in parser.explain(sentence).decisions if one.kind == "head"]
    assert sum(links) == pytest.approx(decoded.totals[0], abs=1e-6)


def mixed(key, value):
    found = np.empty(1, np.uint64)
    mix_all(np.array([key], np.uint64), np.array([value], np.uint64), found)
    return int(found[0])


def test_names_lead_back_to_the_keys_that_were_looked_up():
    """Hash what a name says, as the kernels hash it: the weight under that key is the one that is told."""
    parser = trained(features="malt-14+pairs-lexical")
    stage, checked = parser.stages[-1], 0
    features = {str(feature): feature for feature in stage.templates.features}
    for decision in parser.explain(at_random(5, 12)).decisions:
        for reason in decision.reasons():
            parts = [part.rpartition("=") for part in reason.feature.split(" & ")]
            feature = features[" & ".join(term for term, _, _ in parts)]
            if any(term.attribute in ("DEP", "DISTANCE", "LEFT", "RIGHT", "FEAT") for term in feature.terms):
                continue
            key = key_of(str(feature).encode())
            for _, _, value in parts:
                special = {NOTHING: 0x51ED270B, ROOT: ROOT_KEY}
                key = mixed(key, special.get(value, key_of(value.encode()) if value not in special else 0))
            which = np.arange(len(stage.classes), dtype=np.int32)
            row = stage.weights.of(np.array([key], np.uint64), which)[0]
            assert np.float32(reason.chosen) in row
            checked += 1
    assert checked > 50


@pytest.mark.parametrize(
    "column",
    [
        KeyColumn("FORM"),
        KeyColumn("FORM", "lower"),
        KeyColumn("FORM", "prefix", 3),
        KeyColumn("FORM", "suffix", 2),
        KeyColumn("FEATS", "feature", name="Number"),
        KeyColumn("XPOS"),
    ],
)
def test_texts_of_cells_have_the_keys_of_the_kernel(column):
    sentence = Sentence(
        ["Ärger", "a", "ΣΑΣ", "x"],
        xpos=["N", "V", "_", "P"],
        feats=["Number=Sing|Case=Nom", "_", "Case=Dat", "Number="],
    )
    cells = SentenceCells(sentence.batch)
    keys = encode([column], False, sentence.batch).keys[:, 0].tolist()
    assert [key_of(cells.text(column, word).encode()) for word in range(1, 5)] == keys


def test_single_morphological_features_have_their_names():
    parser = headway.train(generate(40, seed=2), passes=2, features=_file(EACH_FEATURE))
    explanation = check(parser, next(iter(generate(1, seed=2))))
    names = {reason.feature for decision in explanation.decisions for reason in decision.reasons()}
    assert any(name.startswith("FEAT(STACK0)=Number=") for name in names)


def _file(text):
    import tempfile
    from pathlib import Path

    path = Path(tempfile.mkdtemp()) / "own.features"
    path.write_text("\n".join(str(feature) for feature in parse(text)), "utf-8")
    return str(path)


def test_lifted_arcs_are_told():
    parser = headway.train(generate(300, seed=2, nonprojective=0.5), passes=6, features="zhang-nivre")
    notes = [note for sentence in generate(80, seed=9, nonprojective=0.5) for note in parser.explain(sentence).notes]
    assert notes
    assert "back to" in notes[0]


def test_what_cannot_be_explained_says_so():
    sentence = at_random(1, 4)
    with pytest.raises(HeadwayError, match="no weights of single features"):
        headway.train(generate(20), learner="kernel-svm", features="malt-14").explain(sentence)
    forest = trained(
        parser="boosted",
        rounds=1,
        dynamic=False,
        learner="sklearn:ensemble.RandomForestClassifier",
        options={"n_estimators": 2},
    )
    with pytest.raises(HeadwayError, match="no weights of single features"):
        forest.explain(sentence)
    with pytest.raises(HeadwayError, match="windows"):
        trained(parser="graph").with_longest(10).explain(at_random(1, 11))
    with pytest.raises(HeadwayError, match="one sentence at a time"):
        trained().explain(["Dogs", "bark"])
    with pytest.raises(HeadwayError, match="there is no word 5"):
        trained().explain(sentence).of(5)


@pytest.fixture
def files(tmp_path):
    headway.write(generate(3, seed=4), tmp_path / "some.conllu")
    trained().save(tmp_path / "model.headway")
    return tmp_path


def test_the_command_tells_what_python_tells(files, run):
    sentence = list(headway.read(files / "some.conllu"))[1]
    explanation = headway.load(files / "model.headway").explain(sentence)
    done = run("explain", files / "model.headway", files / "some.conllu", "--sentence", 2)
    assert done.stdout == f"{explanation}\n"
    done = run("explain", files / "model.headway", files / "some.conllu", "--sentence", 2, "--word", 1, "--top", 2)
    assert done.stdout == f"{explanation.text(2, 1)}\n"
    done = run("explain", files / "model.headway", files / "some.conllu", "--sentence", 2, "--features", "--top", 3)
    assert done.stdout == f"{explanation.text(3, features=True)}\n"
    done = run("explain", files / "model.headway", files / "some.conllu", "--sentence", 2, "--json", "--top", 0)
    assert json.loads(done.stdout) == json.loads(json.dumps(explanation.to_dict()))
    done = run("explain", files / "model.headway", files / "some.conllu", "--word", 99)
    assert done.exit_code == 2
    assert "there is no word 99" in done.stderr


def test_batches_of_a_row_are_explained_after_the_stages_before(files):
    batch = next(iter(batches_of(files / "some.conllu")))
    parser = headway.load(files / "model.headway")
    alone = parser.explain(Sentence.view(batch, 2))
    assert alone.sentence.place.endswith(f":{batch.numbers[2]}")
