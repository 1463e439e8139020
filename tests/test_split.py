"""Parts of a treebank: which sentences go where, whole bytes, and all parts or none."""

import gzip
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import as_file, conllu_sentence

from headway import read
from headway.base.errors import HeadwayError
from headway.data import split


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Parts go into the folder where we are."""
    monkeypatch.chdir(tmp_path)


def sentence(number):
    """A sentence that can be told from all others, with comments, a multiword token and untidy spacing."""
    return (
        f"# sent_id = {number}\n#odd comment {number}\n"
        f"1-2\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        f"1\ta{number}\ta\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
        f"2\tb b\t_\tVERB\t_\t_\t0\troot\t_\tX= y\n\n"
    ).encode()


def treebank(tmp_path, size, name="train.conllu"):
    path = tmp_path / name
    path.write_bytes(b"".join(map(sentence, range(1, size + 1))))
    return path


def numbers(path):
    """The numbers of the sentences in a file, after a look at their bytes."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    found = [int(line.rpartition(b" ")[2]) for line in data.splitlines() if line.startswith(b"# sent_id")]
    assert data == b"".join(map(sentence, found))
    return found


def cut(tmp_path, size, plan, **options):
    """The numbers of the sentences of each part, by its name."""
    path = treebank(tmp_path, size)
    parts = split.split(read(path), plan, **options, force=True)
    for part in parts:
        assert part.sentences == len(numbers(part.path))
        assert part.words == 2 * part.sentences
    return {part.path.name.split(".")[1]: numbers(part.path) for part in parts}


def test_every_third_sentence(tmp_path):
    parts = cut(tmp_path, 10, split.every(3))
    assert parts == {"rest": [1, 2, 4, 5, 7, 8, 10], "every3": [3, 6, 9]}


def test_folds(tmp_path):
    parts = cut(tmp_path, 8, split.folds(3))
    assert parts == {"fold1": [1, 4, 7], "fold2": [2, 5, 8], "fold3": [3, 6]}


def test_folds_with_the_rest(tmp_path):
    parts = cut(tmp_path, 7, split.folds(3), with_rest=True, seed=4)
    assert list(parts) == ["fold1", "fold2", "fold3", "fold1-rest", "fold2-rest", "fold3-rest"]
    for fold in ("fold1", "fold2", "fold3"):
        assert sorted(parts[fold] + parts[f"{fold}-rest"]) == list(range(1, 8))
        assert parts[f"{fold}-rest"] == sorted(parts[f"{fold}-rest"])


@pytest.mark.parametrize(
    ("shares", "sizes"),
    [
        (("80", "10", "10"), {"train": 16, "dev": 2, "test": 2}),
        ((0.8, 0.1, 0.1), {"train": 16, "dev": 2, "test": 2}),
        ((" 0.90", "0.10 "), {"train": 18, "test": 2}),
        (("1/3", "1/3", "1/3"), {"train": 7, "dev": 6, "test": 7}),
        ((25, 25, 25, 25), {"part1": 5, "part2": 5, "part3": 5, "part4": 5}),
    ],
)
def test_proportions(tmp_path, shares, sizes):
    parts = cut(tmp_path, 20, split.proportions(shares))
    assert {name: len(found) for name, found in parts.items()} == sizes
    assert [number for found in parts.values() for number in found] == list(range(1, 21))


@pytest.mark.parametrize("plan", [split.every(4), split.folds(3), split.proportions((50, 30, 20))])
def test_a_seed_draws_parts_of_the_same_sizes(tmp_path, plan):
    plain, drawn = cut(tmp_path, 40, plan), cut(tmp_path, 40, plan, seed=7)
    assert {name: len(found) for name, found in plain.items()} == {n: len(f) for n, f in drawn.items()}
    assert plain != drawn
    assert sorted(number for found in drawn.values() for number in found) == list(range(1, 41))
    assert all(found == sorted(found) for found in drawn.values())


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    path = treebank(tmp_path, 30, "train.conllu")

    def drawn(prefix, seed):
        parts = split.split(read(path), split.proportions((60, 40)), tmp_path / prefix, seed=seed, force=True)
        return [part.path.read_bytes() for part in parts]

    assert drawn("a", 5) == drawn("b", 5)
    assert drawn("a", 5) != drawn("b", 6)


def test_a_seed_means_the_same_in_every_python(tmp_path):
    """The sentences with the smallest of the numbers that `random()` promises to draw."""
    parts = cut(tmp_path, 10, split.proportions((30, 70)), seed=1)
    assert parts["train"] == [1, 9, 10] == smallest(3, 10, seed=1)


def smallest(count, total, seed):
    generator = random.Random(seed)
    keys = [(generator.random(), number) for number in range(1, total + 1)]
    return sorted(number for _, number in sorted(keys)[:count])


@settings(max_examples=20)
@given(st.lists(conllu_sentence(), min_size=3, max_size=5), st.integers(2, 3))
def test_any_sentences_keep_their_bytes(tmp_path_factory, sentences, k):
    path = tmp_path_factory.mktemp("any") / "all.conllu"
    path.write_bytes(as_file(sentences))
    parts = split.split(read(path, format="conllu"), split.folds(k), path.parent / "all")
    assert [part.path.read_bytes() for part in parts] == [as_file(sentences[i::k]) for i in range(k)]


def test_names(tmp_path, run):
    (tmp_path / "folder").mkdir()
    packed = tmp_path / "train.v1.conll.gz"
    lines = b"".join(b"%d\tx\t_\tN\tN\t_\t%d\tdep\t_\t_\n" % (i, i - 1) for i in (1, 2)) + b"\n"
    packed.write_bytes(gzip.compress(lines * 4))
    assert run("split", packed, "--every", 2).exit_code == 0
    assert run("split", packed, "--every", 2, "-o", tmp_path / "folder").exit_code == 0
    assert run("split", packed, "--every", 2, "-o", tmp_path / "folder" / "mine").exit_code == 0
    assert sorted(path.name for path in tmp_path.glob("*.gz")) == [
        "train.v1.conll.gz",
        "train.v1.every2.conll.gz",
        "train.v1.rest.conll.gz",
    ]
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == [
        "mine.every2.conll.gz",
        "mine.rest.conll.gz",
        "train.v1.every2.conll.gz",
        "train.v1.rest.conll.gz",
    ]
    assert gzip.decompress((tmp_path / "folder" / "mine.rest.conll.gz").read_bytes()) == lines * 2


def test_a_name_without_a_suffix_gets_that_of_its_format(tmp_path):
    path = treebank(tmp_path, 4, "corpus-2.16")
    assert [part.path.name for part in split.split(read(path), split.every(2))] == [
        "corpus-2.16.rest.conllu",
        "corpus-2.16.every2.conllu",
    ]


def test_the_command_says_what_it_wrote(tmp_path, run):
    path = treebank(tmp_path, 10)
    result = run("split", path, "--every", 10)
    assert result.exit_code == 0
    assert result.stdout == ("train.rest.conllu: 9 sentences, 18 words\ntrain.every10.conllu: 1 sentence, 2 words\n")


def test_the_command_draws_where_it_says_so(tmp_path, run):
    path = treebank(tmp_path, 20)

    def parts(*options):
        assert run("split", path, "--force", *options).exit_code == 0
        return numbers(tmp_path / "train.test.conllu")

    assert parts("--proportions", "80,20") == parts("--proportions", "80,20", "--seed", 1)
    assert parts("--proportions", "80,20") != parts("--proportions", "80,20", "--seed", 2)
    assert parts("--proportions", "80,20", "--no-shuffle") == [17, 18, 19, 20]
    assert run("split", path, "--force", "--every", 4).exit_code == 0
    assert numbers(tmp_path / "train.every4.conllu") == [4, 8, 12, 16, 20]
    assert run("split", path, "--force", "--every", 4, "--shuffle").exit_code == 0
    drawn = numbers(tmp_path / "train.every4.conllu")
    assert len(drawn) == 5 and drawn != [4, 8, 12, 16, 20]
    assert run("split", path, "--force", "--every", 4, "--seed", 1).exit_code == 0
    assert numbers(tmp_path / "train.every4.conllu") == drawn


def test_parts_go_where_we_are_and_overwrite_nothing(tmp_path, run, monkeypatch):
    (tmp_path / "treebanks").mkdir()
    (tmp_path / "work").mkdir()
    path = treebank(tmp_path / "treebanks", 4)
    monkeypatch.chdir(tmp_path / "work")
    assert run("split", path, "--every", 2).exit_code == 0
    assert [one.name for one in (tmp_path / "treebanks").iterdir()] == ["train.conllu"]
    assert numbers(tmp_path / "work" / "train.every2.conllu") == [2, 4]
    (tmp_path / "work" / "train.every2.conllu").write_text("precious")
    refused = run("split", path, "--every", 2)
    assert refused.exit_code == 2
    assert refused.stderr == (
        "train.rest.conllu: there is a file of this name already; name another prefix with -o, or overwrite it with"
        " --force\n"
    )
    assert (tmp_path / "work" / "train.every2.conllu").read_text() == "precious"
    assert run("split", path, "--every", 2, "--force").exit_code == 0
    assert numbers(tmp_path / "work" / "train.every2.conllu") == [2, 4]


def test_standard_input(tmp_path, shell):
    data = treebank(tmp_path, 6).read_bytes()
    options = ("--proportions", "50,50", "--no-shuffle", "-o", tmp_path / "in")
    assert shell("split", "-", *options, stdin=data).returncode == 0
    assert numbers(tmp_path / "in.test.conllu") == [4, 5, 6]
    refused = shell("split", "-", "--folds", 2, stdin=data)
    assert refused.returncode == 2
    assert refused.stderr == b"standard input gives the parts no name; name a prefix with -o\n"


@pytest.mark.parametrize("options", [("--every", 2), ("--folds", 3, "--rest"), ("--proportions", "50,50")])
def test_a_failure_leaves_everything_as_it_was(tmp_path, run, options):
    path = treebank(tmp_path, 3000)
    with path.open("ab") as stream:
        stream.write(b"1\tbroken\n\n")
    (tmp_path / "train.rest.conllu").write_text("precious")
    result = run("split", path, *options, "--force")
    assert result.exit_code == 2
    assert f"{path}:18001: 2 columns" in result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["train.conllu", "train.rest.conllu"]
    assert (tmp_path / "train.rest.conllu").read_text() == "precious"


def test_sentences_that_cannot_be_read_may_be_left_out(tmp_path, run):
    path = treebank(tmp_path, 4)
    path.write_bytes(b"1\tbroken\n\n" + path.read_bytes())
    result = run("split", path, "--from", "conllu", "--folds", 2, "--on-error", "skip")
    assert result.exit_code == 0
    assert numbers(tmp_path / "train.fold1.conllu") == [1, 3]
    assert "1 sentence could not be read" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--every", 1), "every 1-th sentence cannot be held out"),
        (("--folds", 1), "cannot be cut into 1 fold"),
        (("--proportions", "80,10"), "the proportions 80,10 do not add up to 100 or 1"),
        (("--proportions", "90,x"), "the proportions 90,x do not add up"),
        (("--proportions", "110,-10"), "do not add up"),
        (("--proportions", "100"), "do not add up"),
        (("--every", 6), "train.every6.conllu: nothing is left for this part of 5 sentences"),
        (("--folds", 6), "train.fold6.conllu: nothing is left for this part"),
        (("--proportions", "98,1,1"), "train.dev.conllu: nothing is left for this part"),
        ((), "give one of --every, --folds and --proportions"),
        (("--every", 2, "--folds", 2), "give one of --every, --folds and --proportions"),
        (("--every", 2, "--rest"), "--rest goes with --folds"),
        (("--folds", 2, "--no-shuffle", "--seed", 3), "--seed has no effect with --no-shuffle"),
        (("--folds", 2, "-o", "none/at/all"), "name a folder that can be written to with -o"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path, run, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    treebank(tmp_path, 5)
    result = run("split", "train.conllu", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["train.conllu"]


def test_the_treebank_itself_is_never_replaced(tmp_path):
    path = treebank(tmp_path, 4, "a.rest.conllu")
    with pytest.raises(HeadwayError, match="would overwrite the treebank itself"):
        split.split(read(path), split.every(2), tmp_path / "a")
    (tmp_path / "b.fold1.conllu").mkdir()
    with pytest.raises(HeadwayError, match="would overwrite a folder"):
        split.split(read(path), split.folds(2), tmp_path / "b")
