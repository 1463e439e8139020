"""The training loop, for every family: steps, dev, early stopping, checkpoints, interruptions, going on after one."""

import signal
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import headway
from headway.base.errors import HeadwayError
from headway.base.version import __version__
from headway.data.sample import generate
from headway.data.sources import batches_of, digest_of, rebatched, sentences_of
from headway.learners.registry import learner
from headway.parsers.boosted.options import BoostedOptions
from headway.parsers.graph.options import GraphOptions
from headway.parsers.transition.options import TransitionOptions
from headway.stages import model_file as model
from headway.stages.contract import Packed
from headway.training import checkpoint as checkpoints
from headway.training.calibrating import NONE
from headway.training.dev_scores import Judgement, judged
from headway.training.loop import PATIENCE, Step, TrainingLoop
from headway.training.options import LIMIT, RunOptions
from headway.training.train import train_row
from headway.training.train_stages import Observer

SMALL = {"bits": 14, "label_bits": 13}
QUICK = {
    "features": "local",
    "label_features": "mst",
    "dynamic": False,
    "learner": learner("exponential", strength=4.0),
}
"""A strong prior, so that some pairs are still wrong after four rounds."""
LEXICAL = {"features": "malt-14+pairs", "explore": 0.9, "size": "full"}
OPTIONS = {
    "transition-cw": TransitionOptions(**LEXICAL, learner=learner("cw", passes=4)),
    "transition-mira": TransitionOptions(**LEXICAL, learner=learner("mira", passes=4)),
    "transition-static": TransitionOptions(
        features="malt-14", explore=0.0, size="full", learner=learner("pa-1", passes=4)
    ),
    "graph-pa-1": GraphOptions(**SMALL, learner=learner("pa-1", passes=4)),
    "graph-arow": GraphOptions(**SMALL, order=1, learner=learner("arow", passes=4)),
    "boosted": BoostedOptions(**QUICK, rounds=4),
}
QUICKEST = OPTIONS["transition-static"]
"""For what is the loop's own business."""
FIRST = ("transition-cw", "graph-pa-1", "boosted")
OTHERS = {
    "transition": {"cutoff": 2},
    "graph": {"loss": "sqrt"},
    "boosted": {"constant": 3.0},
}
"""For each family an option that makes another training of it."""


@pytest.fixture(scope="module")
def treebank():
    return list(batches_of(generate(60, seed=1)))


@pytest.fixture(scope="module")
def dev():
    return list(batches_of(generate(25, seed=2)))


@pytest.fixture(params=FIRST)
def options(request):
    """Options of each family, for four steps."""
    return OPTIONS[request.param]


def bytes_of(stage, path):
    model.save(path, [stage])
    return path.read_bytes()


def timeless(history):
    return [replace(step, seconds=0.0) for step in history]


def interrupted(loop, after):
    """Leave a loop after so many steps."""
    for step in loop:
        if step.number == after:
            break
    return loop


class Script:
    """A training whose scores on dev are known beforehand; its stages are numbers."""

    unit, digest, unwritable, keeps_best = "pass", "", "", True

    def __init__(self, scores, planned=100, *, keeps_best=True):
        self.scores, self.planned, self.keeps_best, self.number = scores, planned, keeps_best, 0

    def step(self, number, progress):
        progress(1.0)
        self.number = number
        return {} if number <= len(self.scores) else None

    def candidates(self):
        return [Numbered(self.number)]


class Numbered:
    needs = frozenset()

    def __init__(self, number, about=None):
        self.number, self.about = number, about or {}

    def with_about(self, **facts):
        return Numbered(self.number, {**self.about, **facts})


def scripted(monkeypatch, scores, patience=PATIENCE, *, dev=(), **how):
    """A loop over a script."""
    monkeypatch.setattr(
        "headway.training.loop.judged", lambda stage, dev: Judgement("all", {"LAS": scores[stage.number - 1]})
    )
    loop = TrainingLoop(TransitionOptions(), [], dev=dev, patience=patience)
    loop._training = Script(scores, **how)
    return loop


def test_every_step_is_told(options, treebank, dev):
    loop = TrainingLoop(options, treebank, dev=dev, patience=10)
    heard = []
    loop.on_progress = lambda number, share: heard.append((number, share))
    history = list(loop)
    assert history == loop.history and [step.number for step in history] == [1, 2, 3, 4]
    for step in history:
        assert isinstance(step, Step) and step.seconds > 0
        assert list(step.dev.scores) == ["LAS", "UAS", "RA", "CM"] and step.dev.main == step.dev.scores["LAS"]
        assert step.dev.scores["LAS"] <= step.dev.scores["UAS"] <= 100
    if options.family == "boosted":
        assert all({"pairs wrong", "train LAS (ud)", "train UAS (ud)"} <= set(step.told) for step in history)
        assert history[-1].told["pairs wrong"] < history[0].told["pairs wrong"]
    else:
        assert all(set(step.told) == {"mistakes %", "updates"} for step in history)
        assert history[-1].told["mistakes %"] < history[0].told["mistakes %"] <= 100
        assert all(step.told["updates"] == int(step.told["updates"]) > 0 for step in history)
    assert heard == sorted(heard) and {number for number, _ in heard} == {1, 2, 3, 4}
    assert all(0 < share <= 1 for _, share in heard)
    assert all((number, 1.0) in heard for number in range(1, 5))


def test_units(options, treebank):
    loop = TrainingLoop(options, treebank)
    assert loop.training.planned == loop.planned == 4
    assert loop.unit == loop.training.unit == ("round" if options.family == "boosted" else "pass")
    loop.run()
    assert loop.unit and loop.planned == 4 and loop._training is None


def test_without_dev_the_last_step_is_best(options, treebank, tmp_path):
    loop = TrainingLoop(options, treebank)
    stages = []
    for step in loop:
        assert step.dev is None and loop.best is None
        stages.append(loop.now())
    assert len(stages) == 4
    assert bytes_of(loop.best, tmp_path / "best") == bytes_of(stages[-1], tmp_path / "last")
    assert loop.best.about["passes"] == 4 and "dev" not in loop.best.about
    again = TrainingLoop(options, treebank).run()
    assert bytes_of(again, tmp_path / "again") == (tmp_path / "best").read_bytes()


def test_without_dev_the_last_step_before_an_interruption_is_best(options, treebank, tmp_path):
    loop = TrainingLoop(options, treebank)
    for step in loop:
        if step.number == 2:
            stage = loop.now()
            break
    assert bytes_of(loop.best, tmp_path / "best") == bytes_of(stage, tmp_path / "second")
    assert loop.best.about["passes"] == 2


def test_an_interruption_before_the_first_step_leaves_nothing(options, treebank):
    loop = TrainingLoop(options, treebank)

    def interrupt(number, share):
        raise KeyboardInterrupt

    loop.on_progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    assert loop.best is None and loop.history == []


def test_an_interruption_within_a_step_leaves_the_best_so_far(options, treebank, dev):
    loop = TrainingLoop(options, treebank, dev=dev)

    def interrupt(number, share):
        if number == 3:
            raise KeyboardInterrupt

    loop.on_progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    best = max(loop.history, key=lambda step: step.dev.main)
    assert [step.number for step in loop.history] == [1, 2]
    assert loop.best.about["passes"] == best.number and judged(loop.best, dev) == best.dev


def test_half_a_step_is_taken_back_and_the_steps_before_it_are_saved(options, treebank, tmp_path):
    whole = TrainingLoop(options, treebank)
    second = next(whole.now() for step in whole if step.number == 2)
    loop = TrainingLoop(options, treebank, checkpoint=tmp_path / "c", checkpoint_seconds=0.0)

    def interrupt(number, share):
        if number == 3:
            raise KeyboardInterrupt

    loop.on_progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    assert loop.kept == 2 and len(loop.history) == 2
    assert bytes_of(loop.best, tmp_path / "best") == bytes_of(second, tmp_path / "second")
    resumed = TrainingLoop(options, treebank, checkpoint=tmp_path / "c")
    assert [step.number for step in resumed] == [3, 4]
    assert bytes_of(resumed.best, tmp_path / "r") == bytes_of(TrainingLoop(options, treebank).run(), tmp_path / "w")


@pytest.mark.parametrize("when", [3, 4])
def test_steps_that_are_not_safe_yet_are_when_the_one_under_way_is_done(treebank, tmp_path, when, caplog):
    """Nothing has been written when Ctrl-C comes, in the last step or before it."""
    how = {"checkpoint": tmp_path / "c", "checkpoint_seconds": 1000.0}
    loop = TrainingLoop(QUICKEST, treebank, **how)

    def interrupt(number, share):
        assert not (tmp_path / "c").exists()
        if number == when and not caplog.messages:
            signal.raise_signal(signal.SIGINT)

    loop.on_progress = interrupt
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    assert signal.getsignal(signal.SIGINT) is before
    assert caplog.messages == [f"{loop.unit} {when} ends first; press Ctrl-C again to stop at once"]
    assert loop.kept == len(loop.history) == loop.best.about["passes"] == when
    resumed = TrainingLoop(QUICKEST, treebank, **how)
    assert [step.number for step in resumed] == [4][when - 3 :]
    assert bytes_of(resumed.best, tmp_path / "r") == bytes_of(TrainingLoop(QUICKEST, treebank).run(), tmp_path / "w")


def test_ctrl_c_twice_ends_at_once_with_what_was_safe(treebank, tmp_path):
    how = {"checkpoint": tmp_path / "c"}
    interrupted(TrainingLoop(QUICKEST, treebank, **how), 1)
    loop = TrainingLoop(QUICKEST, treebank, **how, checkpoint_seconds=1000.0)

    def interrupt(number, share):
        if number == 3:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    loop.on_progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    assert loop.kept == len(loop.history) == loop.best.about["passes"] == 1
    assert [step.number for step in TrainingLoop(QUICKEST, treebank, **how)] == [2, 3, 4]


def test_ctrl_c_counts_at_once_where_no_step_would_be_lost(treebank, tmp_path):
    for seconds, when in ((1000.0, 1), (0.0, 3)):
        loop = TrainingLoop(QUICKEST, treebank, checkpoint=tmp_path / f"{when}", checkpoint_seconds=seconds)

        def interrupt(number, share, when=when):
            if number == when:
                signal.raise_signal(signal.SIGINT)

        loop.on_progress = interrupt
        with pytest.raises(KeyboardInterrupt):
            loop.run()
        assert loop.kept == len(loop.history) == when - 1


def test_interruptions_that_nobody_handles_are_left_alone(treebank, tmp_path):
    """Those of other threads, too, which may not change how signals are handled."""
    loop = TrainingLoop(QUICKEST, treebank, checkpoint=tmp_path / "c", checkpoint_seconds=1000.0)
    handlers = []
    loop.on_progress = lambda number, share: handlers.append(signal.getsignal(signal.SIGINT))
    thread = threading.Thread(target=loop.run)
    thread.start()
    thread.join()
    assert loop.best is not None and set(handlers) == {signal.getsignal(signal.SIGINT)}
    loop, before = TrainingLoop(QUICKEST, treebank, checkpoint=tmp_path / "d", checkpoint_seconds=1000.0), handlers[0]
    loop.on_progress = lambda number, share: signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert loop.run().about["passes"] == 4
    finally:
        signal.signal(signal.SIGINT, before)


def test_with_dev_the_best_step_is_best_at_any_time(options, treebank, dev):
    loop = TrainingLoop(options, treebank, dev=dev, patience=10)
    for step in loop:
        best = max(loop.history, key=lambda step: step.dev.main)
        assert loop.best.about["passes"] == best.number
        assert loop.best.about["dev"] == {"definition": best.dev.definition, "tags": "gold tags", **best.dev.scores}
        assert loop.now().about["passes"] == step.number
        assert judged(loop.now(), dev).main <= step.dev.main
    assert judged(loop.best, dev) == best.dev


def test_rounds_that_dev_does_not_choose_between_are_judged_all_the_same(treebank, dev):
    for keep in ("last", "ensemble"):
        loop = TrainingLoop(replace(OPTIONS["boosted"], keep=keep), treebank, dev=dev, patience=1)
        best = loop.run()
        assert len(loop.history) == 4 and best.about["passes"] == 4
        assert best.about["dev"] == {"definition": "ud", "tags": "gold tags", **loop.history[-1].dev.scores}
        assert judged(best, dev) == loop.history[-1].dev


def test_the_stage_of_now_is_there_between_two_steps_only(options, treebank):
    loop = TrainingLoop(options, treebank)
    for when in ("before", "after"):
        with pytest.raises(HeadwayError, match="no training is under way; ask for its stage between two steps"):
            loop.now()
        if when == "before":
            steps = iter(loop)
            next(steps)
            assert loop.now().about["passes"] == 1
            steps.close()


def test_the_unit_can_be_asked_for_after_training_without_beginning_another_one(options, treebank, monkeypatch):
    loop = TrainingLoop(replace(options, **{"rounds" if options.family == "boosted" else "passes": 1}), treebank)
    loop.run()

    def begin(self, data):
        pytest.fail("another training was begun")

    monkeypatch.setattr(type(options), "begin", begin)
    assert loop.unit in ("pass", "round")


def test_a_loop_that_has_ended_keeps_what_it_has(options, treebank, tmp_path):
    loop = TrainingLoop(options, treebank)
    first = bytes_of(loop.run(), tmp_path / "first")
    with pytest.raises(HeadwayError, match="has been run; make another loop"):
        list(loop)
    assert len(loop.history) == 4
    assert bytes_of(loop.best, tmp_path / "second") == first


def test_a_loop_without_a_checkpoint_never_goes_on_from_nothing(options, treebank, tmp_path):
    """After an interruption it goes on from where it was, or begins anew, or says that it cannot."""
    whole = bytes_of(TrainingLoop(options, treebank).run(), tmp_path / "whole")
    loop = interrupted(TrainingLoop(options, treebank), 2)
    try:
        again = loop.run()
    except HeadwayError:
        return
    assert bytes_of(again, tmp_path / "again") == whole


@pytest.mark.parametrize("patience", [1, 2, 4])
def test_training_stops_when_so_many_steps_brought_nothing_better(monkeypatch, patience):
    scores = [50.0, 60.0, 60.0, 59.0, 60.5, 60.4, 60.3, 60.5, 60.1, 99.0]
    loop = scripted(monkeypatch, scores, patience)
    steps = [step.number for step in loop]
    assert steps == list(range(1, {1: 3, 2: 4, 4: 9}[patience] + 1))
    assert loop.best.number == {1: 2, 2: 2, 4: 5}[patience]
    dev = {"definition": "all", "LAS": scores[loop.best.number - 1]}
    assert loop.best.about["passes"] == loop.best.number
    assert loop.best.about.items() >= {"columns": {}, "dev": dev, "headway": __version__}.items()


def test_the_first_of_equal_steps_is_kept(monkeypatch):
    loop = scripted(monkeypatch, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert [step.number for step in loop] == [1, 2, 3, 4]
    assert loop.best.number == 1


def test_training_ends_where_nothing_is_left_to_be_learned(monkeypatch):
    loop = scripted(monkeypatch, [1.0, 2.0], dev=None)
    assert [step.number for step in loop] == [1, 2]
    assert loop.best is not None


def test_steps_between_which_dev_does_not_choose_do_not_stop_early(monkeypatch):
    loop = scripted(monkeypatch, [3.0, 2.0, 1.0, 0.0, 0.0, 1.0], patience=1, planned=6, keeps_best=False)
    assert len(list(loop)) == 6
    assert (loop.best.number, loop.best.about["dev"]["LAS"]) == (6, 1.0)


@pytest.mark.parametrize("name", ["transition-cw", "graph-pa-1"])
def test_training_stops_when_dev_no_longer_improves(name, treebank, dev):
    options = replace(OPTIONS[name], learner=replace(OPTIONS[name].learner, passes=50))
    loop = TrainingLoop(options, treebank, dev=dev, patience=2)
    history = list(loop)
    best = max(history, key=lambda step: step.dev.main)
    assert len(history) == best.number + 2 < 50
    assert loop.best.about["passes"] == best.number
    assert judged(loop.best, dev).main == pytest.approx(best.dev.main)


def without_passes(name):
    """The options of the family where nobody says how many passes."""
    options = OPTIONS[name]
    return replace(options, learner=replace(options.learner, passes=type(options.learner)().passes))


@pytest.mark.parametrize("name", ["transition-static", "graph-pa-1"])
def test_without_passes_dev_stops_training_and_there_are_thirty_at_most(name, treebank, dev):
    options, few = without_passes(name), list(batches_of(generate(8, seed=1)))
    assert TrainingLoop(options, few).training.planned == options.learner.passes < LIMIT == 30
    loop = TrainingLoop(options, few, dev=dev[:1], patience=1000)
    assert loop.training.planned == LIMIT
    assert [step.number for step in loop] == list(range(1, LIMIT + 1))
    assert loop.best.about["options"]["passes"] == loop.best.about["learner"]["passes"] == LIMIT
    stopped = TrainingLoop(options, few, dev=dev[:1], patience=2)
    history = list(stopped)
    best = max(history, key=lambda step: step.dev.main)
    assert len(history) == min(LIMIT, best.number + 2)
    said = TrainingLoop(replace(options, passes=2), few, dev=dev[:1], patience=1000)
    assert [step.number for step in said] == [1, 2]


def test_the_definition_is_that_of_evaluation(options, treebank, dev):
    loop = TrainingLoop(options, treebank, dev=dev)
    stage = loop.run()
    gold = sentences_of(dev)
    parsed = list(headway.Parser([stage]).parse(gold))
    best = max(loop.history, key=lambda step: step.dev.main).dev
    scores = headway.evaluate(gold, parsed, definition=best.definition)
    assert best.scores["LAS"] == pytest.approx(100 * scores["LAS"].f1)
    assert best.scores["UAS"] == pytest.approx(100 * scores["UAS"].f1)


AVERAGED = {
    "transition": TransitionOptions(features="malt-14", explore=0.0, learner=learner("pa-1", passes=7, settle=2)),
    "transition-exploring": TransitionOptions(features="malt-14", learner=learner("pa-1", passes=7, settle=2)),
    "transition-variance": TransitionOptions(
        features="malt-14", explore=0.0, learner=learner("arow", passes=7, settle=2)
    ),
    "graph": GraphOptions(**SMALL, order=1, decoder="eisner", learner=learner("pa-1", passes=7, settle=2)),
}


def with_fresh_average(packed):
    """What was learned, as if the average had nothing to go over yet."""
    arrays = {name: np.array(array) for name, array in packed.arrays.items()}
    (arrays["planes"][-1] if "planes" in arrays else arrays["sums"])[:] = 0
    return Packed({**packed.header, "steps": 0}, arrays)


def after(options, packed, numbers, treebank):
    """The stage after some more passes."""
    training = options.begin(treebank)
    training.restore(Packed(dict(packed.header), {name: np.array(array) for name, array in packed.arrays.items()}))
    for number in numbers:
        training.step(number, lambda share: None)
    return training.candidates()[0]


def weights_of(stage):
    return b"".join(np.ascontiguousarray(array).tobytes() for _, array in sorted(stage.pack().arrays.items()))


@pytest.mark.parametrize("name", AVERAGED)
def test_the_average_begins_anew_after_so_many_passes_at_the_beginning_of_the_next(name, treebank):
    """Passes 3 and 4 after a settling of 2 are those of a training that averages from the third pass on."""
    options = AVERAGED[name]
    always = replace(options, learner=replace(options.learner, settle=0))
    settling, straight = options.begin(treebank), always.begin(treebank)
    for number in (1, 2):
        for training in (settling, straight):
            training.step(number, lambda share: None)
        assert weights_of(settling.candidates()[0]) == weights_of(straight.candidates()[0]), "too early"
    packed = settling.pack()
    for numbers in ((3,), (3, 4)):
        found = weights_of(after(options, packed, numbers, treebank))
        assert found == weights_of(after(always, with_fresh_average(packed), numbers, treebank))
        assert found != weights_of(after(always, packed, numbers, treebank))


@pytest.mark.parametrize("name", AVERAGED)
def test_the_average_does_not_begin_anew_where_passes_are_few(name, treebank):
    options = AVERAGED[name]
    few = [replace(options, learner=replace(options.learner, passes=4, settle=settle)) for settle in (0, 2)]
    one, other = (TrainingLoop(one, treebank).run() for one in few)
    assert weights_of(one) == weights_of(other)


def test_dev_has_enough_passes_for_an_average_that_begins_anew(treebank, dev):
    """The number of passes that counts is that of the training, with dev 30, not that of the learner."""
    options = TransitionOptions(features="malt-14", explore=0.0, learner="pa-1", options={"settle": 5})
    assert not options.chosen.begins_average(6)
    assert TrainingLoop(options, treebank, dev=dev).options.chosen.begins_average(6)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("judges", [False, True], ids=["alone", "with-dev"])
def test_an_interrupted_training_goes_on_as_if_it_had_not_stopped(name, judges, treebank, dev, tmp_path):
    options, path = OPTIONS[name], tmp_path / "checkpoint"
    how = {"dev": dev if judges else None, "patience": 10, "checkpoint_seconds": 0.0}
    whole = TrainingLoop(options, treebank, **how)
    whole.run()
    interrupted(TrainingLoop(options, treebank, **how, checkpoint=path), 2)
    assert path.exists()
    resumed = TrainingLoop(options, treebank, **how, checkpoint=path)
    assert [step.number for step in resumed] == [3, 4]
    assert path.exists()
    checkpoints.remove(path)
    assert not path.exists()
    assert timeless(resumed.history) == timeless(whole.history)
    assert [step.dev and step.dev.main for step in resumed.history] == [s.dev and s.dev.main for s in whole.history]
    assert bytes_of(resumed.best, tmp_path / "resumed") == bytes_of(whole.best, tmp_path / "whole")


def test_a_training_can_be_interrupted_after_every_step(options, treebank, dev, tmp_path):
    how = {"dev": dev, "patience": 10, "checkpoint_seconds": 0.0}
    whole = TrainingLoop(options, treebank, **how)
    whole.run()
    for number in (1, 2, 3):
        loop = interrupted(TrainingLoop(options, treebank, **how, checkpoint=tmp_path / "c"), number)
        assert len(loop.history) == number
    last = TrainingLoop(options, treebank, **how, checkpoint=tmp_path / "c")
    last.run()
    assert timeless(last.history) == timeless(whole.history)
    assert bytes_of(last.best, tmp_path / "last") == bytes_of(whole.best, tmp_path / "whole")


def test_steps_before_and_after_an_interruption_are_compared_by_the_same_score(
    options, treebank, monkeypatch, tmp_path
):
    """The best step came before the interruption, and its other scores are lower than any LAS after it."""
    las = [80.0, 90.0, 70.0, 60.0]
    monkeypatch.setattr(
        "headway.training.loop.judged",
        lambda stage, dev: Judgement(
            "ud", {"LAS": las[stage.about["passes"] - 1], "UAS": 95.0, "RA": 50.0, "CM": 10.0}
        ),
    )
    how = {"dev": [], "patience": 10, "checkpoint": tmp_path / "checkpoint", "checkpoint_seconds": 0.0}
    interrupted(TrainingLoop(options, treebank, **how), 2)
    resumed = TrainingLoop(options, treebank, **how)
    resumed.run()
    assert [step.dev.main for step in resumed.history] == las
    assert resumed.best.about["passes"] == 2 and resumed.best.about["dev"]["LAS"] == 90.0


@pytest.mark.parametrize("name", ["transition-mira", "graph-pa-1"])
def test_an_average_that_begins_anew_survives_an_interruption(name, treebank, tmp_path):
    options = replace(OPTIONS[name], learner=replace(OPTIONS[name].learner, passes=6, settle=2))
    how = {"checkpoint_seconds": 0.0}
    whole = TrainingLoop(options, treebank).run()
    for number in (2, 3):
        path = tmp_path / f"checkpoint{number}"
        interrupted(TrainingLoop(options, treebank, **how, checkpoint=path), number)
        again = TrainingLoop(options, treebank, **how, checkpoint=path).run()
        assert bytes_of(again, tmp_path / f"{number}") == bytes_of(whole, tmp_path / "whole")


def test_a_training_that_dev_had_ended_is_ended_when_it_goes_on(options, treebank, dev, tmp_path):
    """The interruption came between the last step and the model."""
    how = {"dev": dev, "patience": 1, "checkpoint": tmp_path / "checkpoint", "checkpoint_seconds": 0.0}
    more = {"rounds": 9} if options.family == "boosted" else {"passes": 9}
    first = TrainingLoop(replace(options, **more), treebank, **how)
    for step in first:
        best = max(first.history, key=lambda step: step.dev.main)
        if step.number > best.number:
            break
    if not (tmp_path / "checkpoint").exists():
        pytest.fail("dev never stopped this training; the treebank of this test is badly chosen")
    second = TrainingLoop(replace(options, **more), treebank, **how)
    assert list(second) == []
    assert second.best.about["passes"] == best.number


def test_a_checkpoint_is_written_when_it_is_time_and_not_after_the_last_step(options, treebank, tmp_path):
    path = tmp_path / "checkpoint"
    never = TrainingLoop(options, treebank, checkpoint=path, checkpoint_seconds=1000.0)
    assert [path.exists() for _ in never] == [False] * 4 and not path.exists()
    always = TrainingLoop(options, treebank, checkpoint=path, checkpoint_seconds=0.0)
    seen = [path.read_bytes() for _ in always]
    assert len(set(seen[:3])) == 3 and seen[3] == seen[2]
    assert path.read_bytes() == seen[3]
    checkpoints.remove(path)
    assert not path.exists()


@pytest.fixture
def begun(options, treebank, dev, tmp_path):
    """A training with dev and a patience of 3 that was interrupted after its first step; makes others."""

    def loop(given=options, data=treebank, judges=dev, patience=3):
        return TrainingLoop(
            given, data, dev=judges, patience=patience, checkpoint=tmp_path / "checkpoint", checkpoint_seconds=0.0
        )

    interrupted(loop(), 1)
    return loop


def test_a_checkpoint_of_another_training_is_refused(begun, options, treebank, dev, tmp_path):
    path, family = tmp_path / "checkpoint", options.family
    before = path.read_bytes()
    others = [
        begun(replace(options, **OTHERS[family])),
        begun(replace(options, seed=2)),
        begun(data=list(batches_of(generate(30, seed=5)))),
        begun(judges=None),
        begun(judges=list(batches_of(generate(20, seed=5)))),
        begun(judges=[*dev, *dev]),
        begun(patience=4),
        begun(next(OPTIONS[name] for name in FIRST if OPTIONS[name].family != family)),
    ]
    for other in others:
        with pytest.raises(HeadwayError) as refusal:
            next(iter(other))
        assert str(refusal.value).startswith(f"{path}: this checkpoint is of another training (with another value of ")
        assert str(refusal.value).endswith(
            "); start over with --restart (in Python resume=False), or name another model"
        )
        assert other.best is None and other.history == []
        assert path.read_bytes() == before
    assert next(iter(begun())).number == 2


def test_a_learner_of_its_own_is_part_of_the_identity(treebank, tmp_path):
    options = {"checkpoint_seconds": 0.0, "checkpoint": tmp_path / "checkpoint"}
    first = TransitionOptions(features="malt-14", learner=learner("mira", passes=3))
    interrupted(TrainingLoop(first, treebank, **options), 1)
    for other in (learner("cw", passes=3), learner("mira", passes=4), learner("mira", passes=3, settle=0)):
        with pytest.raises(HeadwayError, match="another training"):
            next(iter(TrainingLoop(replace(first, learner=other), treebank, **options)))


def test_threads_are_no_part_of_the_identity(treebank, tmp_path):
    how = {"checkpoint": tmp_path / "checkpoint", "checkpoint_seconds": 0.0}
    interrupted(TrainingLoop(OPTIONS["boosted"], treebank, **how), 1)
    resumed = TrainingLoop(replace(OPTIONS["boosted"], threads=2), treebank, **how)
    assert next(iter(resumed)).number == 2


def test_dev_that_is_split_into_other_batches_is_the_same_dev(begun, dev):
    sentences = sentences_of(dev)
    again = list(rebatched(sentences, 7))
    assert len(again) > len(dev) and digest_of(again) == digest_of(dev)
    assert next(iter(begun(judges=again))).number == 2


@pytest.mark.parametrize("content", [b"", b"no model at all", b"headway\n" + b"\0" * 100])
def test_a_damaged_checkpoint_is_refused(content, options, treebank, tmp_path):
    (tmp_path / "checkpoint").write_bytes(content)
    with pytest.raises(HeadwayError, match=r"^[^\n]*checkpoint: [^\n]*; [^\n]*$"):
        next(iter(TrainingLoop(options, treebank, checkpoint=tmp_path / "checkpoint")))


def test_a_model_is_no_checkpoint(options, treebank, tmp_path):
    model.save(tmp_path / "model", [interrupted(TrainingLoop(options, treebank), 1).best])
    with pytest.raises(HeadwayError, match="this is not a checkpoint, and one would overwrite it"):
        next(iter(TrainingLoop(options, treebank, checkpoint=tmp_path / "model")))


def test_a_checkpoint_keeps_what_it_is_given(begun, treebank, dev, tmp_path):
    loop = begun()
    identity = loop._identity(loop.training)
    found = checkpoints.load(tmp_path / "checkpoint", identity, loop.training)
    judgement = judged(found.best, dev)
    assert [entry["number"] for entry in found.history] == [1]
    scores = list(map(list, judgement.scores.items()))
    assert found.history[0]["dev"] == [judgement.definition, scores, judgement.tags]
    assert found.best.about["passes"] == 1
    assert (identity["dev"], identity["patience"]) == (digest_of(dev), 3)
    assert identity["data"] == digest_of(treebank)


def test_what_cannot_be_written_makes_no_checkpoint(treebank, tmp_path):
    pytest.importorskip("sklearn")
    opaque = replace(OPTIONS["boosted"], learner="sklearn:tree.DecisionTreeClassifier", rounds=1)
    loop = TrainingLoop(opaque, treebank[:1], checkpoint=tmp_path / "checkpoint")
    assert loop.training.unwritable
    with pytest.raises(HeadwayError) as refusal:
        next(iter(loop))
    assert str(refusal.value) == f"{tmp_path / 'checkpoint'}: {loop.training.unwritable}"


def family_of(options):
    """What `train` is to be told for such options."""
    names = {"transition": ["features", "explore"], "graph": ["bits", "label_bits"]}
    names["boosted"] = [*QUICK, "rounds"]
    given = {name: getattr(options, name) for name in names[options.family]}
    steps = {} if options.family == "boosted" else {"passes": 4, "learner": options.learner}
    return {"parser": options.family, **given, **steps}


def test_train_goes_on_with_the_checkpoint_of_its_output(options, treebank, tmp_path):
    sentences, given = sentences_of(treebank), family_of(options)
    output, path = tmp_path / "m.headway", Path(tmp_path / "m.headway.checkpoint")
    whole = headway.train(sentences, **given)

    class Interrupt(Observer):
        steps = 0

        def on_stage(self, stage):
            stage.loop.checkpoint_seconds = 0.0

        def on_step(self, stage, step):
            self.steps += 1
            if self.steps == 2:
                raise KeyboardInterrupt

    def interrupt():
        with pytest.raises(KeyboardInterrupt):
            train_row(sentences, output=output, observer=Interrupt(), **given)

    def numbers(**how):
        [stage] = train_row(sentences, output=output, **given, **how)
        return [step.number for step in stage.loop.history]

    interrupt()
    assert path.exists()
    again = headway.train(sentences, output=output, **given)
    assert not path.exists()
    assert bytes_of(again.stages[0], tmp_path / "again") == bytes_of(whole.stages[0], tmp_path / "whole")
    for how in ({}, {"resume": False}):
        interrupt()
        assert numbers(**how) == [1, 2, 3, 4]
        checkpoints.remove(path)


def test_patience_is_three_where_nobody_says_otherwise(treebank, dev):
    [stage] = train_row(sentences_of(treebank), dev=sentences_of(dev), features="malt-14", calibrate=NONE)
    assert stage.loop.patience == RunOptions().patience == PATIENCE == 3
    assert stage.loop.planned == LIMIT


@pytest.mark.parametrize("judges", [None, "dev"])
def test_progress_that_says_false_ends_training_and_keeps_the_best(options, judges, treebank, dev, tmp_path):
    sentences, given, told = sentences_of(treebank), {**family_of(options), "calibrate": NONE}, []
    given |= (
        {"size": "full"} if hasattr(options, "size") else {}
    )  # a model is cut at the end, not where it is interrupted
    judges = judges and sentences_of(dev)

    def at_most_two(step):
        told.append(step)
        return step.number < 2

    parser = headway.train(sentences, dev=judges, progress=at_most_two, output=tmp_path / "m.headway", **given)
    assert [step.number for step in told] == [1, 2]

    class Interrupt(Observer):
        def on_stage(self, stage):
            self.loop = stage.loop

        def on_step(self, stage, step):
            if step.number == 2:
                raise KeyboardInterrupt

    watch = Interrupt()
    with pytest.raises(KeyboardInterrupt):
        train_row(sentences, dev=judges, observer=watch, **given)
    kept = watch.loop.best
    assert bytes_of(parser.stages[0], tmp_path / "told") == bytes_of(kept, tmp_path / "kept")
    assert (tmp_path / "m.headway").read_bytes() == (tmp_path / "told").read_bytes()
    assert not list(tmp_path.glob("*.checkpoint"))


def test_each_stage_of_a_pipeline_ends_where_progress_says_false(treebank, tmp_path):
    units = []

    def stop(step):
        units.append(step.number)
        return np.bool_(False)

    how = {"pipeline": True, "folds": 2, "features": "malt-14", "without": "pretagger"}
    parser = headway.train(sentences_of(treebank), progress=stop, output=tmp_path / "m.headway", **how)
    assert units == [1, 1, 1, 1] and len(parser.stages) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["m.headway"]


@pytest.mark.parametrize("answer", [None, 0, "", [], True])
def test_other_answers_of_progress_do_not_end_training(answer, treebank):
    told = []
    headway.train(
        sentences_of(treebank), passes=2, features="malt-14", progress=lambda step: (told.append(1), answer)[1]
    )
    assert len(told) == 2


def test_what_progress_raises_is_raised(treebank):
    with pytest.raises(ZeroDivisionError):
        headway.train(sentences_of(treebank), passes=2, features="malt-14", progress=lambda step: 1 / 0)
