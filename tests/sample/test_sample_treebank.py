import tracemalloc
from itertools import islice

import pytest

from headway.base.errors import HeadwayError
from headway.data.formats.reading import read
from headway.data.sample import Sample, generate, generate_text
from headway.data.trees import is_projective, is_tree


def rows(texts):
    """The word lines of each sentence, split into cells."""
    for text in texts:
        cells = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
        yield [row for row in cells if row[0].isdigit()]


def is_projective_by_definition(heads):
    """Every word between a head and its dependent descends from the head; heads count from 1, 0 is above all."""

    def descends(word, ancestor):
        while word != ancestor and word:
            word = heads[word - 1]
        return word == ancestor

    return all(
        descends(between, head)
        for dependent, head in enumerate(heads, 1)
        for between in range(min(dependent, head) + 1, max(dependent, head))
    )


def test_seeds_differ_and_a_longer_sample_begins_as_a_shorter_one():
    short, long = list(generate_text(50, seed=4)), list(generate_text(120, seed=4))
    assert short == long[:50]
    assert len(set(long)) == 120
    assert all(one != other for one, other in zip(rows(short), rows(generate_text(50, seed=5)), strict=True))


def test_tokens_end_the_sample_with_a_full_sentence():
    lengths = [len(sentence) for sentence in generate(None, tokens=500, seed=2)]
    assert sum(lengths[:-1]) < 500 <= sum(lengths)


def test_every_sentence_is_a_tree_with_one_root_and_sorted_features():
    for sentence in generate(400, seed=7, nonprojective=0.3, empty_nodes=0.1):
        assert is_tree(sentence.heads)
        assert (sentence.heads == 0).sum() == 1
        assert sentence.deprels[int((sentence.heads == 0).argmax())] == "root"
        for feats in sentence.feats:
            names = [feature.split("=")[0] for feature in feats.split("|")]
            assert names == sorted(set(names), key=str.lower)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_share_of_crossing_arcs(share):
    crossing = 0
    for words in rows(generate_text(400, seed=9, nonprojective=share)):
        heads = [int(row[6]) for row in words]
        assert is_projective(heads) == is_projective_by_definition(heads)
        crossing += not is_projective(heads)
    assert abs(crossing / 400 - share) <= 3.5 * (share * (1 - share) / 400) ** 0.5


def test_share_of_empty_nodes():
    gapped = 0
    for sentence in generate(500, seed=10, empty_nodes=0.2):
        assert "_" not in sentence.deps
        for node in sentence.empty_nodes:
            gapped += 1
            empty = f"{node.after}.{node.number}"
            assert {f"{empty}:nsubj", f"{empty}:obj"} <= set(sentence.deps)
            assert sentence.forms[int(node.deps.split(":")[0]) - 1] == node.form
    assert abs(gapped / 500 - 0.2) < 0.07
    assert all(deps == "_" for sentence in generate(20) for deps in sentence.deps)


def test_unknown_words_get_rarer_and_never_end():
    test = [row[1].lower() for words in rows(generate_text(500, seed=99)) for row in words]
    known, unknown, sizes = set(), [], []
    training = rows(generate_text(4000, seed=1))
    for sentences in (1000, 3000):
        known |= {row[1].lower() for words in islice(training, sentences) for row in words}
        unknown.append(sum(word not in known for word in test) / len(test))
        sizes.append(len(known))
    assert 0.05 < unknown[0] < 0.10
    assert 0.03 < unknown[1] < unknown[0] - 0.01
    assert sizes[1] > 1.8 * sizes[0]


def test_vocabulary_is_the_share_of_invented_words():
    def types(share):
        return len({row[2] for words in rows(generate_text(300, vocabulary=share)) for row in words})

    assert types(0.0) < types(0.15) < types(1.0)
    assert types(0.0) < 700


def test_memory_stays_constant():
    texts = generate_text(None, seed=6, vocabulary=0.0)
    for _ in islice(texts, 1500):
        pass
    tracemalloc.start()
    try:
        written = sum(len(text) for text in islice(texts, 1000))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert written > 800_000
    assert kept < 200_000


def test_a_file_reads_back_as_it_was_generated(tmp_path):
    sample = Sample(sentences=250, seed=11, empty_nodes=0.1)
    sample.write(tmp_path / "sample.conllu.gz")
    assert [str(sentence) for sentence in read(tmp_path / "sample.conllu.gz")] == [str(s) for s in sample]


def test_other_formats_lose_what_they_have_no_place_for(tmp_path):
    losses = Sample(sentences=50).write(tmp_path / "sample.conllx")
    assert losses["comment lines"] == sum(len(sentence.comments) for sentence in generate(50)) > 100
    assert [len(s) for s in read(tmp_path / "sample.conllx")] == [len(s) for s in generate(50)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sentences": -1}, "sentences = -1"),
        ({"tokens": 0}, "tokens = 0"),
        ({"seed": -3}, "seed = -3"),
        ({"labels": 1}, "labels = 1"),
        ({"nonprojective": 1.5}, "nonprojective = 1.5"),
        ({"difficulties": -1.0}, "difficulties = -1.0"),
        ({"vocabulary": float("nan")}, "vocabulary = nan"),
        ({"nonprojective": 0.7, "empty_nodes": 0.5}, "at most 1 together"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(options, said):
    with pytest.raises(HeadwayError, match=said):
        Sample(**options)
