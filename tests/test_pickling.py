"""Parsers, sentences and batches go to other processes: they are pickled, and small."""

import pickle
from copy import copy, deepcopy

import pytest
from sklearn.ensemble import RandomForestClassifier

import headway
from headway.data.sample import generate
from headway.data.sources import rebatched
from headway.learners.kernel_svm import KernelSVM

OPTIONS = {
    "transition": {"features": "malt-14", "passes": 1},
    "kernel": {"features": "malt-14", "learner": KernelSVM(minimum=300)},
    "graph": {"parser": "graph", "bits": 12, "label_bits": 11, "passes": 1},
    "boosted": {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 1},
    "votes": {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 2, "keep": "vote"},
    "forest": {
        "parser": "boosted",
        "features": "local",
        "label_features": "mst",
        "rounds": 1,
        "learner": RandomForestClassifier(n_estimators=3, random_state=1),
        "dynamic": False,
    },
}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_fresh_parser_is_pickled(name, tmp_path):
    sentences = list(generate(25, seed=1))
    parser = headway.train(sentences, **OPTIONS[name])
    wanted = b"".join(parser.parse_bytes(sentences))
    again = pickle.loads(pickle.dumps(parser))
    assert b"".join(again.parse_bytes(sentences)) == wanted
    if name != "forest":
        parser.save(tmp_path / "m")
        loaded = headway.load(tmp_path / "m")
        assert b"".join(pickle.loads(pickle.dumps(loaded)).parse_bytes(sentences)) == wanted
        pickle.loads(pickle.dumps(loaded)).save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


TEXT_TO_TREES = {"pipeline": True, "folds": 2, "features": "malt-14", "passes": 1}


@pytest.mark.parametrize("how", [*(OPTIONS[name] for name in OPTIONS if name != "forest"), TEXT_TO_TREES])
def test_use_adds_nothing_to_a_pickle(how, tmp_path):
    """Otherwise a parser could not be pickled or copied while another thread uses it for the first time."""
    headway.train(list(generate(25, seed=1)), **how).save(tmp_path / "m")
    parser = headway.load(tmp_path / "m")
    before = pickle.dumps(parser)
    parser("A dog barked." if "pipeline" in how else ["A", "dog", "barked"], force=True)
    other = headway.Parser(parser.stages)
    for sentence in generate(5, seed=2):
        other.parse(sentence)
        if how is not OPTIONS["kernel"]:
            other.explain(sentence)
            other.update(sentence)
    assert pickle.dumps(parser) == before


@pytest.fixture(scope="module")
def parsed():
    parser = headway.train(list(generate(30, seed=1)), passes=1, features="malt-14")
    return list(parser.parse(list(generate(200, seed=2))))


def test_a_sentence_is_pickled_alone(parsed, tmp_path):
    path = tmp_path / "t.conllu"
    path.write_text("".join(f"# sent_id = {n}\n{one}\n" for n, one in enumerate(generate(300, seed=2))))
    read = list(headway.read(path))
    for sentence in (read[7], parsed[7], read[-1], parsed[-1], next(iter(generate(1)))):
        data = pickle.dumps(sentence)
        again = pickle.loads(data)
        assert len(data) < 6_000 + 4 * len(str(sentence))
        assert (str(again), again.place, again.deprels) == (str(sentence), sentence.place, sentence.deprels)
        assert again.heads.tolist() == sentence.heads.tolist() and not again.heads.flags.writeable
        assert str(copy(sentence)) == str(deepcopy(sentence)) == str(sentence)
        assert [layer.name for layer in again.batch.layers] == [layer.name for layer in sentence.batch.layers]
        bare = again.batch.bare.render(again.batch.format), sentence.batch.bare.raw(sentence.index) + b"\n"
        assert bare[0] == bare[1]


def test_a_batch_is_pickled_as_its_bytes(parsed):
    batch = next(rebatched(parsed))
    data = pickle.dumps(batch)
    again = pickle.loads(data)
    assert len(data) < 2 * len(batch.text)
    assert again.render(again.format) == batch.render(batch.format)
    assert again.numbers.tolist() == batch.numbers.tolist()
    assert again.bare.text == batch.bare.text
