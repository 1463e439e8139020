"""Corrections from several threads, beside parsing and saving, and parsers that were made from one that learns."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from importlib import import_module
from itertools import cycle
from threading import Event, Thread

import numpy as np
import pytest

import headway
from headway.data.sample import generate
from headway.stages import shared_pipeline as shared_row
from headway.stages.shared_pipeline import SharedPipeline
from headway.stages.updating import learn

KINDS = {
    "transition": {"features": "zhang-nivre", "passes": 2},
    "graph": {"parser": "graph", "features": "mst", "bits": 18, "label_bits": 16, "passes": 2},
    "boosted": {"parser": "boosted", "rounds": 1},
}
TEST = list(generate(12, seed=9))


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


def test_corrections_from_threads_are_all_kept(model, monkeypatch):
    """What four threads teach is what one teaches in the same order."""
    golds, order = list(generate(80, seed=8)), []
    at_once, one_by_one = headway.load(model), headway.load(model)

    def noted(running, batch, wanted, **how):
        order.append((batch, wanted))
        return learn(running, batch, wanted, **how)

    monkeypatch.setattr(shared_row, "learn", noted)
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(at_once.update, golds))
    monkeypatch.undo()
    assert np.mean(told) > 0.9 and len(order) == len(golds)
    for batch, wanted in order:
        one_by_one._learn_sentence(batch, wanted)
    assert trees(at_once) == trees(one_by_one)


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
    known = list(generate(300, seed=8, nonprojective=0))  # no correction brings new transitions
    parser = headway.train(known, passes=1, features="malt-14")
    golds = cycle(known)

    def is_copied():
        before = parser._now.running[-1]
        while parser._now.running[-1] is before:
            parser.update(next(golds))
        return parser._now.running[-1].weights is not before.weights

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
    shared = SharedPipeline(parser.row)
    reading = shared.lent()
    reading.__enter__()
    with shared._lock:
        reading.__exit__(None, None, None)
    with shared.lent() as row:
        assert row.running


@pytest.mark.parametrize("label", ["new", None], ids=["a new label", "labels that are known"])
def test_an_interrupted_correction_leaves_a_parser_that_is_whole(model, label, monkeypatch, tmp_path):
    """Steps that were made may stay; nothing that was known is lost, and what is saved is what parses."""
    parser = headway.load(model)
    teach(parser, 10)
    before = right_arcs(parser)
    module = import_module(f"{type(parser.stages[-1]).__module__.rpartition('.')[0]}.updating")
    name = next(name for name in ("step_towards", "_step_to_labels", "_labelled") if hasattr(module, name))
    step = getattr(module, name)

    def interrupted(*given):
        step(*given)
        raise KeyboardInterrupt

    wrong = [gold for gold in generate(60, seed=28) if parser.parse(gold).heads.tolist() != gold.heads.tolist()]
    parser.update(wrong[0])
    monkeypatch.setattr(module, name, interrupted)
    for gold in wrong[1:10]:
        changed = gold if label is None else gold.replace(deprels=[label, *gold.deprels[1:]])
        with pytest.raises(KeyboardInterrupt):
            parser.update(changed)
    monkeypatch.undo()
    assert right_arcs(parser) > before - 0.05
    parser.save(tmp_path / "model")
    assert trees(headway.load(tmp_path / "model")) == trees(parser)
    teach(parser, 20)
    assert right_arcs(parser) > before - 0.05


def right_arcs(parser):
    both = zip(TEST, parser.parse(TEST), strict=True)
    return np.mean(np.concatenate([one.heads == other.heads for one, other in both]))
