"""Corrections from several threads, beside parsing and saving, and parsers that were made from one that learns."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from threading import Event, Thread

import numpy as np
import pytest

import headway
from headway.sample import generate
from headway.shared_row import SharedRow

KINDS = {
    "transition": {"features": "zhang-nivre", "passes": 2},
    "graph": {"parser": "graph", "features": "mst", "bits": 18, "label_bits": 16, "passes": 2},
    "boosted": {"parser": "boosted", "rounds": 1},
}
TEST = list(generate(30, seed=9))


@pytest.fixture(scope="module", params=KINDS)
def model(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.headway"
    sentences = list(generate(60, seed=2))
    headway.calibrate(headway.train(sentences, **KINDS[request.param]), list(generate(40, seed=4))).save(path)
    return path


def trees(parser):
    return [(sentence.heads.tolist(), sentence.deprels) for sentence in parser.parse(TEST)]


def teach(parser, count=20):
    for gold in generate(count, seed=8):
        parser.update(gold)


DERIVED = {
    "with_longest": lambda parser: parser.with_longest(50),
    "with_about": lambda parser: parser.with_about(note="x"),
    "calibrate": lambda parser: headway.calibrate(parser, TEST),
    "its stages": lambda parser: headway.Parser(parser.stages),
    "a copy": deepcopy,
    "a pickle": lambda parser: pickle.loads(pickle.dumps(parser)),
}


@pytest.mark.parametrize("way", DERIVED)
def test_what_is_made_of_a_parser_stays_as_it_is(model, way):
    parser = headway.load(model)
    teach(parser, 5)
    derived = DERIVED[way](parser)
    before = trees(derived)
    assert before == trees(parser)
    teach(parser, 40)
    assert trees(derived) == before != trees(parser)
    learned = trees(parser)
    for gold in generate(40, seed=18):
        derived.update(gold)
    assert trees(parser) == learned != trees(derived)


def test_a_parse_does_not_change_while_it_runs(model):
    parser = headway.load(model)
    teach(parser, 5)
    expected = b"".join(parser.parse_bytes(TEST * 10))
    parsing = parser.parse_bytes(TEST * 10)
    found = [next(parsing)]
    teach(parser, 40)
    assert b"".join([*found, *parsing]) == expected
    assert b"".join(parser.parse_bytes(TEST * 10)) != expected


def test_corrections_from_threads_are_all_kept(model):
    """Whatever the order of the corrections is, nearly as many are kept as one by one."""
    golds = list(generate(80, seed=8))

    def right(parser):
        pairs = zip(golds, parser.parse(golds), strict=True)
        return sum(a.heads.tolist() == b.heads.tolist() and a.deprels == b.deprels for a, b in pairs)

    one_by_one, at_once = headway.load(model), headway.load(model)
    for gold in golds:
        one_by_one.update(gold)
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(at_once.update, golds))
    assert np.mean(told) > 0.9
    assert right(at_once) >= right(one_by_one) - 4


def test_models_that_are_saved_beside_corrections_can_be_opened(model, tmp_path):
    parser, done = headway.load(model), Event()

    def learn():
        for gold in generate(10_000, seed=8):
            parser.update(gold)
            if done.is_set():
                return

    teacher = Thread(target=learn)
    teacher.start()
    try:
        for number in range(12):
            parser.save(tmp_path / f"{number}")
            saved = headway.load(tmp_path / f"{number}")
            assert len(trees(saved)) == len(TEST)
    finally:
        done.set()
        teacher.join()


def test_weights_are_copied_only_where_somebody_else_has_them():
    """In place after the first correction; a copy after the stages were given away, and while somebody parses."""
    parser = headway.train(generate(60, seed=2), passes=2, features="malt-14")
    golds = generate(10_000, seed=8)

    def is_copied():
        before = parser._shared.now().running[-1]
        while parser._shared.now().running[-1] is before:
            parser.update(next(golds))
        return parser._shared.now().running[-1].own is not before.own

    assert [is_copied() for _ in range(3)] == [True, False, False]
    assert parser.stages and [is_copied() for _ in range(2)] == [True, False]
    parsing = parser.parse(TEST * 50)
    next(parsing)
    assert [is_copied() for _ in range(2)] == [True, False]
    parsing.close()
    with parser.lent():
        assert is_copied()
    assert not is_copied()
    list(parser.parse(TEST))
    assert not is_copied()


def test_a_reader_that_nobody_wants_does_not_stop_learning():
    """Generators may be thrown away while the lock is held."""
    parser = headway.train(generate(20), passes=1, features="malt-14")
    shared = SharedRow(parser.row)
    reading = shared.lent()
    reading.__enter__()
    with shared._lock:
        reading.__exit__(None, None, None)
    with shared.lent() as row:
        assert row.running
