"""What goes to other processes and threads: parsers with what they have learned, and all that they give."""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from copy import copy, deepcopy

import joblib
import pytest

import headway
from headway.data.sample import generate

TEXT = "The dogs bark. They do not sleep!"
FAMILIES = {
    "transition": {"features": "malt-14", "passes": 1},
    "graph": {"parser": "graph", "bits": 12, "label_bits": 11, "passes": 1},
    "boosted": {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 1},
}


@pytest.fixture(scope="module", params=FAMILIES)
def used(request):
    """A pipeline that has parsed, explained itself and learned."""
    parser = headway.train(list(generate(30, seed=1)), pipeline=True, folds=2, **FAMILIES[request.param])
    [sentence] = generate(1, seed=2)
    parser(TEXT)
    parser.explain(sentence)
    parser.update(sentence)
    return parser


def conllu(parser, text=TEXT):
    return parser(text).to_conllu()


def test_a_used_pipeline_is_pickled_and_copied_with_what_it_learned(used, tmp_path):
    for again in (pickle.loads(pickle.dumps(used)), copy(used), deepcopy(used)):
        assert conllu(again) == conllu(used)
        again.save(tmp_path / "again")
        used.save(tmp_path / "used")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "used").read_bytes()


def test_a_copy_learns_alone(used):
    again = deepcopy(used)
    before, sentence = conllu(used), used(TEXT)[0]
    wrong = sentence.replace(heads=[0, *range(1, len(sentence))], deprels=["root", *["punct"] * (len(sentence) - 1)])
    for _ in range(3):
        again.update(wrong)
    assert conllu(used) == before


def test_explanations_are_pickled_without_their_model(used):
    [sentence] = generate(1, seed=2)
    explanations = [used.explain(sentence, stage) for stage in ("tagger", "lemmatizer", "parser")]
    explanations += used.explain_text(TEXT)
    for explanation in explanations:
        data = pickle.dumps(explanation)
        for again in (pickle.loads(data), copy(explanation), deepcopy(explanation)):
            assert again.text(None) == explanation.text(None) and again.to_dict() == explanation.to_dict()
        assert len(data) < 1_000_000 < len(pickle.dumps(used))


def test_scores_are_pickled(used):
    gold = list(generate(10, seed=3))
    scores = headway.evaluate(gold, used.parse(gold, keep="tags,lemmas"))
    tested = headway.significance(scores, headway.evaluate(gold, gold))
    for thing in (scores, tested, *scores.values()):
        for again in (pickle.loads(pickle.dumps(thing)), copy(thing), deepcopy(thing)):
            assert str(again) == str(thing)
    assert float(pickle.loads(pickle.dumps(scores))["LAS"]) == float(scores["LAS"])


def test_a_parser_goes_to_spawned_processes_and_documents_come_back(used):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        [document] = pool.map(used, [TEXT])
    assert document == used(TEXT) and document[1].start == used(TEXT)[1].start


def test_a_parser_goes_through_joblib(used):
    found = joblib.Parallel(n_jobs=2, backend="threading")(joblib.delayed(used)(text) for text in [TEXT, "A dog."])
    assert [document.text for document in found] == [TEXT, "A dog."] and found[0] == used(TEXT)
    assert isinstance(joblib.hash(used), str)


def test_a_parser_survives_a_fork_while_another_thread_has_its_lock(used):
    wanted, held = conllu(used), threading.Event()

    def hold():
        with used._lock:
            held.set()
            time.sleep(0.2)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    pid = os.fork()
    if pid == 0:
        os._exit(0 if conllu(used) == wanted else 1)
    thread.join()
    deadline = time.monotonic() + 20
    while not (done := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < deadline:
        time.sleep(0.01)
    if not done[0]:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert done[0] and os.waitstatus_to_exitcode(done[1]) == 0
    assert conllu(used) == wanted
