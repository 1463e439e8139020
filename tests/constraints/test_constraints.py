"""Trees under constraints against all trees: the best that obeys where decoding is exact, one that obeys everywhere."""

import pickle
from functools import cache
from itertools import product

import numpy as np
import pytest
from scored_trees import sibling_total, totals, trees_of

import headway
from headway import Constraints, HeadwayError, Sentence
from headway.data.batch import scan
from headway.data.formats.format import CONLLU
from headway.data.sample import generate
from headway.data.sources import rebatched, sentences_of
from headway.data.trees import is_projective, is_tree
from headway.kernels.graph import explaining
from headway.parsers.boosted.decoder import decode

PARSERS = {
    "arc-eager": {},
    "arc-eager, several roots": {"single_root": False},
    "arc-eager, root first": {"root": "start"},
    "arc-standard": {"system": "arc-standard"},
    "swap": {"system": "swap"},
    "eisner": {"parser": "graph", "order": 1, "decoder": "eisner", "features": "mst"},
    "eisner, joint": {"parser": "graph", "order": 1, "decoder": "eisner", "labels": "joint", "features": "mst"},
    "eisner, siblings": {"parser": "graph", "order": 2, "decoder": "eisner", "features": "mst-siblings"},
    "spanning": {"parser": "graph", "order": 1, "decoder": "chu-liu-edmonds", "features": "mst"},
    "spanning, siblings": {"parser": "graph", "order": 2, "decoder": "chu-liu-edmonds", "features": "mst-siblings"},
    "split-head": {"parser": "boosted", "rounds": 1},
    "cky": {"parser": "boosted", "rounds": 1, "decoder": "cky"},
    "voting": {"parser": "boosted", "rounds": 2, "keep": "vote"},
    "machines": {"learner": "kernel-svm"},
}
PROJECTIVE = {name for name in PARSERS if name not in ("swap", "spanning", "spanning, siblings")}


@pytest.fixture(scope="module", params=PARSERS)
def named(request):
    how = PARSERS[request.param]
    passed = how.get("parser") != "boosted" and "learner" not in how
    how = {"passes": 1, "bits": 16, "label_bits": 14, **how} if passed else how
    if how.get("parser") != "graph":
        how = {name: value for name, value in how.items() if name not in ("bits", "label_bits")}
    if how.get("parser", "transition") == "transition":
        how = {"features": "malt-14", **how}
    return request.param, headway.train(generate(30, seed=2), **how)


@cache
def tokens():
    return [token for one in generate(4, seed=2) for token in one]


def sentence(seed, length):
    chance, known = np.random.default_rng(seed), tokens()
    picked = [known[at] for at in chance.integers(len(known), size=length)]
    columns = {name: [getattr(t, one) for t in picked] for name, one in (("lemmas", "lemma"), ("upos", "upos"))}
    return Sentence([t.form for t in picked], xpos=[t.xpos for t in picked], feats=[t.feats for t in picked], **columns)


def constraints_at_random(chance, length):
    words = range(1, length + 1)
    required = {w: int(chance.integers(0, length + 1)) for w in words if chance.random() < 0.3}
    required = {word: head for word, head in required.items() if head != word}
    arcs = [(h, w) for h, w in product(range(length + 1), words) if h != w]
    forbidden = [arc for arc in arcs if chance.random() < 0.2]
    spans = [tuple(sorted(map(int, chance.integers(1, length + 1, 2))))] if chance.random() < 0.4 else []
    return Constraints(required=required, forbidden=forbidden, spans=spans)


def single_root(parser):
    stage = parser.stages[-1]
    shape = getattr(stage, "shape", None) or getattr(stage, "system", None) or stage.linker.shape
    return bool(shape.single_root)


def obeys(heads, constraints):
    """By definition: what lies below a word is looked for from every word."""
    n = len(heads)
    if any(heads[w - 1] != h for w, h in constraints.required.items()):
        return False
    if any(heads[w - 1] == h for h, w in constraints.forbidden):
        return False

    def below(top):
        found = {top}
        while True:
            more = {w for w in range(1, n + 1) if heads[w - 1] in found} - found
            if not more:
                return found
            found |= more

    return all(any(below(t) == set(range(a, b + 1)) for t in range(a, b + 1)) for a, b in constraints.spans)


def score_of(parser, one, name):
    """A function from heads to the model's score, for parsers whose decoders are exact."""
    stage = parser.stages[-1]
    if name in ("eisner", "eisner, joint", "spanning", "eisner, siblings"):
        n = len(one)
        graph = stage.graph(stage.templates.encode(one.batch), n)
        second = stage.shape.order == 2
        arcs, cube = np.zeros((n + 1, n + 1)), np.zeros((n + 1,) * 3 if second else (0, 1, 1))
        explaining.scores_of(graph, stage.weights, 0, arcs, cube, np.zeros((n + 1, n + 1), np.int32))
        if second:
            return lambda heads: sibling_total(heads, arcs, cube)
        return lambda heads: totals(np.array([heads]), arcs)[0]
    if name in ("split-head", "cky"):
        linker = stage.linker
        encoded, offsets = linker.templates.encode(one.batch), one.batch.sentence_word
        return lambda heads: only(lambda cells: linker.logits(encoded, offsets, cells), heads)
    return None


def only(logits, heads):
    """The score of one tree: all other links are forbidden."""
    n = len(heads)
    forbidden = np.ones((n + 1, n + 1), np.uint8)
    forbidden[heads, np.arange(1, n + 1)] = 0
    return decode(logits(forbidden.reshape(-1))).totals[0]


@pytest.mark.parametrize("length", [1, 2, 4, 5])
def test_the_result_is_the_best_of_all_trees_that_obey(named, length):
    name, parser = named
    every = trees_of(length, single=single_root(parser))
    chance = np.random.default_rng(length)
    met = 0
    for seed in range(4 if length < 5 else 2):
        one, constraints = sentence(seed, length), constraints_at_random(chance, length)
        good = [heads for heads in every.tolist() if obeys(heads, constraints)]
        if not good:
            with pytest.raises(HeadwayError, match=r"drop (it|one of them)$"):
                parser.parse_within(one, constraints)
            continue
        met += 1
        found = parser.parse_within(one, constraints, force=True).heads.tolist()
        assert is_tree(found)
        assert obeys(found, constraints)
        if parser.stages[-1].encoding if hasattr(parser.stages[-1], "encoding") else None:
            continue
        if name in PROJECTIVE:
            good = [heads for heads in good if is_projective(heads)] or good
        assert found in good
        score = score_of(parser, one, name)
        if score is not None:
            assert score(found) == pytest.approx(max(map(score, good)), abs=1e-6)
    assert met or length == 1


def test_without_constraints_the_tree_is_that_of_parsing(named):
    _, parser = named
    for seed in range(4):
        one = sentence(seed, 9)
        free, bound = parser.parse(one, force=True), parser.parse_within(one, Constraints(), force=True)
        assert free.heads.tolist() == bound.heads.tolist()
        assert free.deprels == bound.deprels


def test_the_label_of_roots_is_kept_for_them_under_constraints(named):
    parser = named[1]
    if parser.about["family"] != "transition" or parser.stages[-1].kind != "transition parser":
        return
    for seed in range(60):
        one = sentence(seed, 8)
        chance = np.random.default_rng(seed)
        given = {int(word): int(chance.integers(0, word)) for word in chance.choice(range(1, 9), 3, replace=False)}
        try:
            found = parser.parse_within(one, Constraints(required=given))
        except HeadwayError:
            continue
        roots = [head for head, label in zip(found.heads, found.deprels, strict=True) if label == "root"]
        # Given arcs that cross others are lifted first, and keep the label that they had there.
        assert not any(roots) or not is_projective(found.heads)


def test_given_heads_and_labels_are_kept_in_long_sentences(named):
    name, parser = named
    for number, gold in enumerate(generate(6, seed=5)):
        chance = np.random.default_rng(number)
        given = {w: h for w, h in enumerate(gold.heads.tolist(), 1) if chance.random() < 0.4}
        labels = {w: gold.deprels[w - 1] for w in given}
        found = parser.parse_within(gold, Constraints(required=given, labels={**labels, 1: "new:label"}))
        assert is_tree(found.heads.tolist())
        assert {w: int(found.heads[w - 1]) for w in given} == given
        assert {w: found.deprels[w - 1] for w in given} == {**labels, **({1: "new:label"} if 1 in given else {})}
        assert found.deprels[0] == "new:label"
        if name in PROJECTIVE and is_projective(gold.heads):
            assert is_projective(found.heads) or parser.stages[-1].encoding


def test_the_whole_tree_given_is_the_whole_tree_kept(named):
    _, parser = named
    for gold in generate(5, seed=6):
        wanted = Constraints(required=dict(enumerate(gold.heads.tolist(), 1)), labels=dict(enumerate(gold.deprels, 1)))
        found = parser.parse_within(gold, wanted)
        assert found.heads.tolist() == gold.heads.tolist()
        assert found.deprels == gold.deprels


PARTIAL = (
    b"1\tDogs\tdog\tNOUN\tNNS\t_\t_\t_\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n"
    b"3\tloudly\tloudly\tADV\tRB\t_\t2\t_\t_\t_\n\n"
)


def test_the_command_keeps_heads(named, tmp_path, run):
    _, parser = named
    model, text = tmp_path / "model.headway", tmp_path / "partial.conllu"
    parser.save(model)
    text.write_bytes(PARTIAL)
    assert run("parse", model, text).exit_code == 2
    done = run("parse", model, text, "--keep-heads")
    assert done.exit_code == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.strip().split("\n")]
    assert (rows[1][6], rows[1][7], rows[2][6]) == ("0", "root", "2")
    assert rows[0][6] in "023"


@pytest.fixture(scope="module")
def rooted(tmp_path_factory):
    """The model of a parser whose trees have one root."""
    path = tmp_path_factory.mktemp("rooted") / "model.headway"
    headway.train(generate(30), passes=1, features="malt-14", single_root=True).save(path)
    return path


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ("2 1 _", "words 1→2 and 2→1 contradict each other; drop one of them"),
        ("0 0 _", "words 1→0 and 2→0 contradict each other, as trees of this parser have one root; drop one of them"),
        ("x _ _", "head 'x' of word 1 is not another word"),
        ("7 _ _", "head '7' of word 1 is not another word"),
        ("_ 2 _", "head '2' of word 2 is not another word"),
    ],
)
def test_arcs_that_cannot_be_in_a_tree_are_named(heads, message, rooted, tmp_path, run):
    rows = [f"{n}\tw\tw\tX\tX\t_\t{h}\t_\t_\t_" for n, h in enumerate(heads.split(), 1)]
    (tmp_path / "bad.conllu").write_text("\n".join([*rows, "", ""]))
    done = run("parse", rooted, tmp_path / "bad.conllu", "--keep-heads", "--force")
    assert done.exit_code == 2
    assert message in done.stderr
    assert "bad.conllu:" in done.stderr


def test_partial_sentences_count_as_not_parsed():
    batch, problems, _ = scan(PARTIAL, CONLLU, "x", partial=True)
    assert not problems
    assert (batch.heads == -1).all()
    assert batch.column("HEAD") == ["_", "0", "2"]


def test_partial_sentences_give_the_heads_that_are_there(tmp_path):
    path = tmp_path / "partial.conllu"
    rows = "".join(f"{n}\tw\tw\tX\tX\t_\t{head}\t_\t_\t_\n" for n, head in enumerate("9x9_", 1))
    path.write_bytes(PARTIAL + PARTIAL.replace(b"\t0\troot", b"\t_\troot").replace(b"ADV\tRB\t_\t2", b"ADV\tRB\t_\t_"))
    path.write_bytes(path.read_bytes() + f"{rows}\n".encode())
    some, none, wrong = sentences = list(headway.read(path, partial=True))
    assert [one.heads.tolist() for one in sentences] == [[-1, 0, 2], [-1, -1, -1], [-1, -1, -1, -1]]
    assert not any(one.is_parsed for one in sentences)
    assert [token.head for token in some] == [-1, 0, 2]
    assert [token.parent and token.parent.id for token in some] == [None, None, 2]
    assert [token.id for token in some[1].children] == [3]
    assert [token["head"] for token in some.to_dict()["tokens"]] == [None, 0, 2]
    assert pickle.loads(pickle.dumps(some)).heads.tolist() == [-1, 0, 2]
    assert [one.heads.tolist() for one in sentences_of(rebatched(sentences))] == [
        one.heads.tolist() for one in sentences
    ]
    for use in (headway.train, lambda given: headway.evaluate(given, given)):
        with pytest.raises(HeadwayError, match=r"this sentence has no heads|has no trees"):
            use([some, none, wrong])


def test_impossible_numbers_are_refused():
    parser = headway.train(generate(20), passes=1, features="malt-14")
    one = next(iter(generate(1)))
    for wrong in ({"required": {1: 99}}, {"forbidden": [(1, 1)]}, {"spans": [(3, 2)]}, {"labels": {99: "x"}}):
        with pytest.raises(HeadwayError, match="sentence"):
            parser.parse_within(one, Constraints(**wrong))


@pytest.mark.parametrize("wrong", [{"required": {2: 0}}, {"spans": [(1, 2)]}, {"labels": {2: "root"}}], ids=repr)
def test_a_sentence_of_one_word_has_one_word(wrong):
    with pytest.raises(HeadwayError, match=r"sentence (of|has) 1 word$"):
        Constraints(**wrong).assure_fits(1, "here")


NO_CONSTRAINTS = {
    "required": [{1.0: 2}, {"1": 2}, {1: None}, [(1, 2)], "x", None],
    "labels": [{1.0: "x"}, {"1": "x"}, {True: "x"}, ["x"], "x", None],
    "forbidden": [5, None, "ab", [(1,)], [(0, 1.0)]],
    "spans": [5, None, [1, 2], [(1, "2")]],
}


@pytest.mark.parametrize("field", NO_CONSTRAINTS)
def test_what_is_no_constraint_is_refused_in_a_sentence(field):
    parser = headway.train(generate(10), passes=1, features="malt-14")
    sentence = next(iter(generate(1)))
    for value in NO_CONSTRAINTS[field]:
        for use in (parser.update, parser.parse_within):
            with pytest.raises(
                HeadwayError, match=r"in constraints|cannot get a label|is not a mapping|is not a list of pairs"
            ):
                use(sentence, Constraints(**{field: value}))
