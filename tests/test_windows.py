"""Long sentences: in windows where a decoder's time is not linear, always a tree; and what is said of them."""

import logging
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import headway
from headway import Sentence
from headway.base.errors import HeadwayError
from headway.data.sample import generate
from headway.data.trees import is_projective, is_tree
from headway.stages.windows import SHORTEST, cuts, in_windows

OPTIONS = {
    "eisner": {"parser": "graph", "bits": 14, "label_bits": 13, "passes": 2},
    "chu-liu-edmonds": {"parser": "graph", "decoder": "chu-liu-edmonds", "bits": 14, "label_bits": 13, "passes": 2},
    "joint": {"parser": "graph", "labels": "joint", "bits": 14, "label_bits": 13, "passes": 2},
    "several roots": {"parser": "graph", "single_root": False, "bits": 14, "label_bits": 13, "passes": 2},
    "boosted": {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 1},
    "votes": {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 2, "keep": "vote"},
}


@pytest.fixture(scope="module")
def parsers():
    sentences = list(generate(60, seed=1, nonprojective=0.1))
    return {name: headway.train(sentences, **options) for name, options in OPTIONS.items()}


def long(count, seed=5):
    """Some sentences as one."""
    parts = list(generate(count, seed=seed))
    columns = {
        name: [cell for one in parts for cell in getattr(one, name)]
        for name in ("forms", "lemmas", "upos", "xpos", "feats")
    }
    return Sentence(**columns), parts


@pytest.mark.parametrize("name", OPTIONS)
def test_long_sentences_get_trees(name, parsers):
    sentence, parts = long(30)
    parser = parsers[name].with_longest(20)
    [short, parsed, last] = parser.parse([parts[0], sentence, parts[1]])
    assert len(parsed) == len(sentence) > 200
    assert is_tree(parsed.heads)
    if name != "several roots":
        assert np.count_nonzero(parsed.heads == 0) == 1
    if name == "eisner":
        assert any("↑" in label for label in parser.stages[0].labels) or is_projective(parsed.heads)
    limited = parsers[name].with_longest(len(parts[0]) + len(parts[1]) + 10)
    alone = list(limited.parse([parts[0], parts[1]]))
    assert [one.heads.tolist() for one in alone] == [one.heads.tolist() for one in parsers[name].parse(parts[:2])]
    if max(len(parts[0]), len(parts[1])) <= 20:
        assert str(short) == str(alone[0]) and str(last) == str(alone[1])


def test_windows_find_the_trees_of_sentences_that_nobody_has_split(parsers):
    sentence, parts = long(40, seed=9)
    begins = np.repeat(np.cumsum([0, *map(len, parts)])[:-1], [len(part) for part in parts])
    split = np.concatenate([one.heads for one in parsers["eisner"].parse(parts)])
    inside, split = split > 0, split + begins
    for longest in (30, 100, 300):
        heads = next(parsers["eisner"].with_longest(longest).parse([sentence])).heads
        assert np.mean(heads[inside] == split[inside]) > 0.75


def test_what_is_not_too_long_is_parsed_as_before(parsers):
    sentences = list(generate(20, seed=4))
    for parser in parsers.values():
        longest = max(map(len, sentences))
        assert b"".join(parser.with_longest(max(longest, SHORTEST)).parse_bytes(sentences)) == b"".join(
            parser.parse_bytes(sentences)
        )


@given(st.lists(st.integers(0, 2), max_size=300), st.integers(10, 60))
def test_windows_are_neither_short_nor_long(ends, size):
    bounds = [0, *cuts(np.array(ends, np.int8), size).tolist(), len(ends)]
    lengths = np.diff(bounds)
    assert (lengths <= size).all() and (lengths[:-1] > size // 2).all()
    for before, at in pairwise(bounds[:-1]):
        assert ends[at - 1] == max(ends[before + size // 2 : before + size])


@given(st.lists(st.integers(0, 400), max_size=5), st.integers(10, 50), st.integers(0, 2**32 - 1), st.booleans())
def test_trees_of_windows_make_a_tree(lengths, longest, seed, single):
    """Whatever trees a decoder finds; here random ones, from left to right or right to left."""
    chance = np.random.default_rng(seed)
    offsets = np.cumsum([0, *lengths], dtype=np.int32)

    def find(words, offsets):
        heads = []
        for n in np.diff(offsets):
            assert n <= longest
            tree, above = [], [0]  # the last word and those above it, any of which may be the next one's head
            for word in range(1, n + 1):
                least = 1 if single and word > 1 else 0
                above = above[: int(chance.integers(least, len(above))) + 1]
                tree.append(above[-1])
                above.append(word)
            heads += tree if chance.integers(2) else [0 if head == 0 else n + 1 - head for head in reversed(tree)]
        return np.array(heads, np.int32), np.zeros(len(heads), np.int32), np.zeros((len(heads), 0), np.float32)

    ends = chance.integers(0, 3, int(offsets[-1])).astype(np.int8)
    heads, _, _ = in_windows(find, None, offsets, ends, longest)
    for begin, end in pairwise(offsets):
        tree = heads[begin:end]
        assert len(tree) == 0 or is_tree(tree)
        assert not single or len(tree) == 0 or np.count_nonzero(tree == 0) == 1
        assert len(tree) == 0 or is_projective(tree)


def test_it_is_said_once(parsers, tmp_path, caplog):
    sentence, _ = long(10)
    path = tmp_path / "long.conllu"
    path.write_text(f"{sentence}\n\n".replace("\n\n\n", "\n\n") * 3)
    with caplog.at_level(logging.WARNING, "headway"):
        list(parsers["eisner"].with_longest(30).parse(path))
        list(parsers["eisner"].with_longest(30).parse(path))
    said = [record.getMessage() for record in caplog.records if "window" in record.getMessage()]
    assert len(said) == 1
    assert said[0] == (
        f"{path}:1: this sentence has {len(sentence)} words; those of more than 30 are parsed window by window, in"
        " linear time (--longest sets the limit)"
    )


def test_limits_that_make_no_sense(parsers):
    for words in (0, 9, 20_001):
        with pytest.raises(HeadwayError, match=rf"longest = {words} is not between 10 and 20,000; 1,000 is a good"):
            parsers["eisner"].with_longest(words)


def test_the_command_has_the_option(parsers, run, tmp_path):
    parsers["eisner"].save(tmp_path / "m")
    sentence, _ = long(10)
    (tmp_path / "long.conllu").write_text(f"{sentence}\n\n")
    result = run("parse", tmp_path / "m", tmp_path / "long.conllu", "--longest", 20, "-o", tmp_path / "out.conllu")
    assert result.exit_code == 0 and "parsed window by window" in result.stderr
    assert len(next(iter(headway.read(tmp_path / "out.conllu")))) == len(sentence)
    assert run("parse", tmp_path / "m", tmp_path / "long.conllu", "--longest", 3).exit_code == 2


MEMORY = """
import resource, sys
import headway
parser = headway.load(sys.argv[1]).with_longest(20_000)
list(parser.parse(headway.read(sys.argv[2])))
resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))
try:
    list(parser.parse(headway.read(sys.argv[3])))
except headway.HeadwayError as error:
    print(error)
"""


@pytest.mark.parametrize("name", ["eisner", "boosted"])
def test_memory_that_does_not_suffice_is_a_sentence(name, parsers, tmp_path):
    """The limit on memory holds for a process of its own."""
    parsers[name].save(tmp_path / "m")
    (tmp_path / "short.conllu").write_text("".join(f"{one}\n" for one in generate(2, seed=3)))
    words = "".join(f"{n}\tword\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n" for n in range(1, 12_001))
    (tmp_path / "long.conllu").write_text(words + "\n")
    files = [str(tmp_path / file) for file in ("m", "short.conllu", "long.conllu")]
    done = subprocess.run([sys.executable, "-c", MEMORY, *files], capture_output=True, text=True, timeout=300)
    assert done.stdout == (
        f"{tmp_path / 'long.conllu'}:1: memory does not suffice for a sentence of 12,000 words; cut it into several, or"
        " parse long sentences in windows with --longest 1000\n"
    ), done.stderr
