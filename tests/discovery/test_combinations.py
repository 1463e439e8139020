"""Options of a search in random combinations: a set is found, or a sentence says why not."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import headway
from headway.base.errors import HeadwayError
from headway.base.options import kinds
from headway.data.encodings import ENCODINGS
from headway.data.sample import generate
from headway.discovery.discover import discovery_from
from headway.discovery.evaluators import unsplit
from headway.discovery.measure import model_of
from headway.discovery.options import DiscoveryOptions
from headway.discovery.report import write_report
from headway.evaluation.comparison import compare
from headway.evaluation.evaluate import scores_of
from headway.features.registry import feature_model
from headway.kernels.transition.systems.system import ROOTS
from headway.learners.registry import BATCH, ONLINE
from headway.parsers.transition.registry import SYSTEMS
from headway.runs.engines import engine_from

TRAIN, DEV, TEST = (list(generate(size, seed=seed)) for size, seed in ((16, 3), (8, 4), (8, 5)))
VALUES = {
    "folds": [None, None, None, 2],
    "metric": ["LAS", "UAS"],
    "beam": [1, 2],
    "generations": [1, 2],
    "threshold": [0.0, 1.0],
    "patience": [1, 2],
    "significance": [None, None, 0.05, 1.0],
    "attributes": ["paper", "extended", "POS,LEX", ["UPOS"], "SUFFIX2,DEP", "FEATS:Case,POS"],
    "moves": ["add", "add,join", "add,drop", "add,join,drop"],
    "largest": [2, 3],
    "start": [()],
    "minutes": [30.0],
    "parser": ["transition", "transition", "transition", "graph"],
    "system": ["arc-eager", *SYSTEMS.own],
    "root": [None, None, None, *ROOTS],
    "learner": [None, *ONLINE.own, *BATCH.own],
    "options": [{}],
    "passes": [None, None, 1, 2],
    "pairs": [None, True, False],
    "two_step": [True, False],
    "encoding": list(ENCODINGS),
    "prune": [None, 0.0, 0.5],
    "paper": [False, False, False, False, True],
    "race": [None, True, False],
    "keep": [0.05, 0.1, 1.0],
    "least": [1, 2, 4],
    "check_racing": [False, False, True],
    "definition": [None, "conllx", "all"],
    "punctuation": [None, True, False],
    "seed": [0, 1, 7],
}


def test_every_option_is_here():
    assert {*VALUES} == {*kinds(DiscoveryOptions)}


def drawn(seed):
    chance = random.Random(seed)
    options = {name: chance.choice(values) for name, values in VALUES.items()}
    if options["parser"] == "graph":
        options |= {"system": "arc-eager", "root": None, "prune": None}
    if options["paper"]:
        options |= {"learner": None, "pairs": None, "race": None}
    if options["learner"] in BATCH.own or options["paper"]:
        options |= {"passes": None}
    if options["attributes"] == "extended":
        options |= {"pairs": False, "generations": 1, "moves": "add"}
    dev = DEV if options["folds"] is None and chance.random() < 0.5 else None
    return options, dev, TEST if chance.random() < 0.3 else None


@pytest.mark.parametrize("seed", range(12))
def test_a_set_or_a_sentence(seed, tmp_path):
    options, dev, test = drawn(seed)
    try:
        found = discovery_from(TRAIN, output=tmp_path / "found", dev=dev, test=test, **options)
        with ThreadPoolExecutor(1) as threads:
            for _ in found.run(engine_from(threads, 1)):
                pass
    except HeadwayError as error:
        assert "; " in str(error)
        return
    found.save()
    write_report(found.folder)
    best = found.best
    assert feature_model(str(found.output)) == model_of(found.setting, best.candidate.features)
    if dev is None or options["parser"] == "graph":
        return
    setting = found.setting
    names = ("two_step", "encoding", "prune", "seed", "system", "root")
    how = {name: options[name] for name in names}
    learner = unsplit(setting.learner, best.candidate.features)
    parser = headway.train(TRAIN, features=str(found.output), learner=learner, explore=0.0, **how)
    scores = scores_of(compare(dev, list(parser.parse(dev)), definition=setting.definition.of_words))
    assert (best.scores["LAS"], best.scores["UAS"]) == pytest.approx((100 * scores["LAS"].f1, 100 * scores["UAS"].f1))
