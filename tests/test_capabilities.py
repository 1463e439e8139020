"""Whatever can be asked of a model, with every kind of model, from threads, after saving, pickling and corrections.

Each cell works and fulfils what `capabilities.py` asks of it, or is refused in one sentence; `REFUSED` says which are.
What is asked of forged models of the same kinds is in `campaigns/models.py`.
"""

import logging
import pickle
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

import pytest
import toy_tagger
from capabilities import CAPABILITIES, MODELS, NEW, correction, trained

import headway
from headway.base.errors import HeadwayError
from headway.learners.registry import BATCH, ONLINE
from headway.stages.contract import STAGES

TREES = "heads forbidden spans keep-heads scores marginals"
"""What only parsers can do."""
STEPS = "k-best marginals"
"""What asks for scores of trees, which parsers that decide step by step have not."""
REFUSED = {
    **dict.fromkeys(("mira", "perceptron", "pa", "pa-1", "pa-2", "cw", "cw-variance", "arow"), STEPS),
    **dict.fromkeys(("two-step", "arc-standard"), STEPS),
    **dict.fromkeys(("swap", "linear-svm", "logistic"), f"{STEPS} continue"),
    "kernel-svm": f"{STEPS} update continue explain scores",
    **dict.fromkeys(("order 1", "order 2", "spanning 1"), ""),
    **dict.fromkeys(("spanning 2", "joint labels"), "continue"),
    **dict.fromkeys(("boosted", "votes", "weak linear", "weak batch"), "k-best"),
    "weak sklearn": "k-best update continue explain save",
    "tagger": f"k-best {TREES} select",
    "lemmatizer": f"calibrate confidence k-best {TREES} select",
    "segmenter": f"calibrate confidence k-best {TREES} select",
    "python stage": f"{STEPS} continue",
    "text, transition": f"{STEPS} continue",
    "text, graph": "",
    "text, boosted": "k-best",
}
"""What a model of each kind refuses; it can do all else."""


@pytest.fixture(autouse=True, scope="module")
def toy():
    STAGES.register(toy_tagger.KIND, toy_tagger.ToyTagger)
    yield
    STAGES.unregister(toy_tagger.KIND)


def saved(parser, folder):
    parser.save(folder / "model")
    return headway.load(folder / "model")


def asked(parser, folder, threads=1):
    """What each question came to: a digest of the answer, or the sentence that refuses it."""

    def ask(name):
        place = folder / name
        place.mkdir(exist_ok=True)
        try:
            return blake2b(repr(CAPABILITIES[name](parser, place)).encode()).hexdigest()
        except HeadwayError as refusal:
            assert str(refusal).isprintable() and len(str(refusal)) > 20
            return refusal
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error

    with ThreadPoolExecutor(threads) as pool:
        return dict(zip(CAPABILITIES, pool.map(ask, CAPABILITIES), strict=True))


def refused(answers):
    return {name for name, answer in answers.items() if isinstance(answer, HeadwayError)}


def compared(answers):
    """Answers without refusals, which name other files."""
    return {name: answer for name, answer in answers.items() if isinstance(answer, str)}


@pytest.mark.parametrize("name", MODELS)
def test_what_a_model_can_do(name, tmp_path, caplog):
    caplog.set_level(logging.ERROR, "headway")
    declared = set(REFUSED[name].split())
    parser = trained(name)
    if "calibrate" not in declared:
        parser = headway.calibrate(parser, NEW)
    answers = asked(parser, tmp_path)
    assert refused(answers) == declared, {key: answers[key] for key in refused(answers)}
    situations = {
        "from four threads": lambda: asked(parser, tmp_path, threads=4),
        "after pickling": lambda: asked(pickle.loads(pickle.dumps(parser)), tmp_path),
    }
    if "save" not in declared:
        situations["after saving"] = lambda: asked(saved(parser, tmp_path), tmp_path)
    for situation, again in situations.items():
        found = again()
        changed = {key for key in answers if compared(found).get(key) != compared(answers).get(key)}
        assert not changed, f"{situation} {changed} is not what it was"
    if "update" not in declared:
        for sentence in NEW:
            parser.update(correction(parser, sentence))
        learned = asked(parser, tmp_path)
        assert refused(learned) == declared, f"after corrections: {learned}"


def test_every_kind_of_stage_and_learner_is_asked():
    assert {*ONLINE.own, *BATCH.own} <= set(MODELS) == set(REFUSED)
    kinds = {stage.kind for name in ("mira", "kernel-svm", "text, graph", "boosted") for stage in trained(name).stages}
    assert kinds >= set(STAGES.own)
