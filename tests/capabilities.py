"""Every kind of model, small, and all that can be asked of a model; each answer is tested by what must hold of it.

`MODELS` says how to train them and `CAPABILITIES` what to ask: a function of a parser and an empty folder, whose result
is the same for parsers that are the same. What a model cannot do it refuses with a HeadwayError.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import toy_tagger

import headway
from headway import Constraints, Document, Parser, Sentence
from headway.base.stage_options import StageOptions
from headway.data.sample import generate
from headway.data.sentence import views
from headway.data.trees import is_tree
from headway.learners.kernel_svm import KernelSVM
from headway.stages.updating import AdaptsCells
from headway.text.lemmatizer.options import LemmatizerOptions
from headway.text.segmenter.options import SegmenterOptions
from headway.text.segmenter.spaces import original_text
from headway.text.tagger.options import TaggerOptions

TRAIN, NEW = list(generate(20, seed=1, nonprojective=0.2)), [one for one in generate(9, seed=2) if len(one) < 12][:3]
TEXT = "Mr. Smith's dogs don't bark, do they?  \u6f22\u5b57 (see p. 3)\n\nCAN'T, won't; the company's"
TRANSITION = {"features": "malt-14", "passes": 1}
GRAPH = {"parser": "graph", "features": "mst", "bits": 12, "label_bits": 11, "passes": 1}
ORDER_2 = {**GRAPH, "features": "mst-siblings", "decoder": "eisner", "order": 2}
BOOSTED = {"parser": "boosted", "features": "local", "label_features": "mst", "rounds": 1}
TEXT_TO_TREES = {"pipeline": True, "folds": 2}
MODELS: dict[str, Any] = {
    **{
        name: {**TRANSITION, "learner": name, "updatable": True}
        for name in ("mira", "perceptron", "pa", "pa-1", "pa-2", "cw", "cw-variance", "arow")
    },
    "two-step": {**TRANSITION, "two_step": True, "updatable": True},
    "swap": {**TRANSITION, "system": "swap"},
    "arc-standard": {**TRANSITION, "system": "arc-standard", "updatable": True},
    "linear-svm": {"features": "malt-14", "learner": "linear-svm"},
    "logistic": {"features": "malt-14", "learner": "logistic"},
    "kernel-svm": {"features": "malt-14", "learner": KernelSVM(minimum=200)},
    "order 1": {**GRAPH, "order": 1, "updatable": True},
    "order 2": {**ORDER_2, "updatable": True},
    "spanning 1": {**GRAPH, "decoder": "chu-liu-edmonds", "order": 1, "updatable": True},
    "spanning 2": {**ORDER_2, "decoder": "chu-liu-edmonds"},
    "joint labels": {**GRAPH, "labels": "joint"},
    "boosted": BOOSTED,
    "votes": {**BOOSTED, "rounds": 2, "boosting": "adaboost-m1", "keep": "vote"},
    "weak linear": {**BOOSTED, "learner": "pa", "passes": 1},
    "weak batch": {**BOOSTED, "learner": "logistic"},
    "weak sklearn": {
        **BOOSTED,
        "learner": "sklearn:tree.DecisionTreeClassifier",
        "dynamic": False,
        "partitioned": False,
    },
    "tagger": TaggerOptions(passes=1),
    "lemmatizer": LemmatizerOptions(passes=1),
    "segmenter": SegmenterOptions(passes=1),
    "python stage": [toy_tagger.ToyTaggerOptions(), headway.TransitionOptions(features="malt-14", passes=1)],
    "text, transition": {**TEXT_TO_TREES, **TRANSITION},
    "text, graph": {**TEXT_TO_TREES, **GRAPH, "updatable": True},
    "text, boosted": {**TEXT_TO_TREES, **BOOSTED},
}
"""How each is trained: options of `headway.train`, or of the stages themselves."""


def trained(name: str) -> Parser:
    """A model of that kind, anew; `toy_tagger.ToyTagger` has to be registered for the Python stage."""
    how = MODELS[name]
    as_data = isinstance(how, (StageOptions, list))
    return headway.train(TRAIN, how) if as_data else headway.train(TRAIN, **how)


def takes_text(parser: Parser) -> bool:
    """Whether it cuts text, and does nothing else."""
    return not parser.row.running


def trees(sentences: Iterable[Sentence]) -> list[Any]:
    """What was found, sentence by sentence; each is whole, and its tree a tree."""
    found = list(sentences)
    for sentence in found:
        assert not sentence.is_parsed or is_tree(sentence.heads), f"{sentence.heads.tolist()} is no tree"
    return [str(sentence) for sentence in found]


def parse(parser: Parser, folder: Path) -> Any:
    """Trees, or a text cut into words without losing a character."""
    if not takes_text(parser):
        found = list(parser.parse(NEW))
        assert [one.forms for one in found] == [one.forms for one in NEW], "words have changed"
        return trees(found)
    found = list(views(parser.row.segmenter.segment(TEXT)))
    assert original_text(found) == TEXT, "text is lost"
    return trees(found)


def confidence(parser: Parser, folder: Path) -> Any:
    """Probabilities of all words; no tree is surer than its least sure word."""
    found = list(parser.parse(NEW, confidence=True))
    for sentence in found:
        told = sentence.confidence
        words = [value for word in told.words for value in word if value is not None]
        assert words and all(0 < value < 1 for value in words), "a confidence is no probability"
        if told.tree is not None:
            assert 0 < told.tree <= min(word.head_and_label for word in told.words), (
                "a tree is surer than one of its words"
            )
    return trees(found)


def calibrate(parser: Parser, folder: Path) -> Any:
    """The same trees, and confidences beside them."""
    surer = headway.calibrate(parser, NEW)
    assert trees(surer.parse(NEW)) == trees(parser.parse(NEW)), "calibrating changes trees"
    return confidence(surer, folder)


def k_best(parser: Parser, folder: Path) -> Any:
    """Different trees, sorted by their scores; the tree that is found is one of them."""
    told = []
    for sentence in NEW:
        ranked = parser.k_best(sentence, 5)
        scores = [float(one.metadata["parse_score"]) for one in ranked]
        assert scores == sorted(scores, reverse=True), f"the trees are not sorted: {scores}"
        arcs = [one.heads.tolist() for one in ranked]
        assert parser.parse(sentence).heads.tolist() in arcs, "the tree that is found is not among them"
        assert len({(*heads, *one.deprels) for heads, one in zip(arcs, ranked, strict=True)}) == len(ranked), "twice"
        told += trees(ranked)
    return told


def within(parser: Parser, sentence: Sentence, constraints: Constraints) -> str:
    """The best tree that obeys; it does obey."""
    found = parser.parse_within(sentence, constraints)
    assert is_tree(found.heads), "no tree"
    assert constraints.hold(found.heads.tolist()), f"{constraints} does not hold"
    assert all(found.deprels[word - 1] == label for word, label in constraints.labels.items()), "a label is lost"
    return str(found)


def heads(parser: Parser, folder: Path) -> Any:
    """Given heads and labels, of which the first was not what the parser thought."""
    return [within(parser, one, Constraints(required={2: int(one.heads[1])}, labels={2: "new"})) for one in NEW]


def forbidden(parser: Parser, folder: Path) -> Any:
    """Without the arcs that the parser finds best."""
    arcs = [[(int(head), 1 + at) for at, head in enumerate(one.heads[:3])] for one in NEW]
    return [within(parser, one, Constraints(forbidden=some)) for one, some in zip(NEW, arcs, strict=True)]


def spans(parser: Parser, folder: Path) -> Any:
    """With the words 2 to 4 below one of them."""
    return [within(parser, one, Constraints(spans=[(2, 4)])) for one in NEW]


def keep_heads(parser: Parser, folder: Path) -> Any:
    """Every third head stays as the input has it."""
    path, told = folder / "some.conllu", []
    for sentence in NEW:
        rows = [line.split("\t") for line in str(sentence).splitlines() if line[:1].isdigit()]
        for at, row in enumerate(rows):
            row[6:8] = row[6:8] if at % 3 == 0 else ["_", "_"]
        path.write_text("".join("\t".join(row) + "\n" for row in rows) + "\n")
        [found] = parser.parse(headway.read(path, partial=True), keep_heads=True)
        assert found.heads[::3].tolist() == sentence.heads[::3].tolist(), "a head is lost"
        assert found.deprels[::3] == sentence.deprels[::3], "a label is lost"
        told += trees([found])
    return told


CELLS = ("UPOS", lambda one: one.upos), ("FEATS", lambda one: one.feats), ("LEMMA", lambda one: one.lemmas)
"""What corrections are of, beside trees."""


def correction(parser: Parser, sentence: Sentence) -> Sentence | Document:
    """A sentence as a correction; a parser that cuts text gets it as a document, so that its cuts count."""
    return sentence if parser.row.segmenter is None else Document([sentence])


def update(parser: Parser, folder: Path) -> Any:
    """A copy learns from corrections, and the parser that was copied does not."""
    before, learned = parse(parser, folder), pickle.loads(pickle.dumps(parser))
    right = [learned.update(correction(parser, sentence)) for sentence in NEW]
    for sentence, is_right in zip(NEW[-1:], right[-1:], strict=True):
        if parser.row.segmenter is not None:
            forms = [form for found in learned(sentence.text) for form in found.forms]
            assert forms == sentence.forms or not is_right, "update says that a text is cut right, and it is not"
        if takes_text(parser):
            continue
        found = learned.parse(sentence)
        same = "HEAD" not in parser.gives or found.heads.tolist() == sentence.heads.tolist()
        able = {column for stage in parser.stages if isinstance(stage, AdaptsCells) for column in stage.gives}
        same = same and all(column not in able or cells(found) == cells(sentence) for column, cells in CELLS)
        assert same or not is_right, "update says that a sentence is right, and it is not"
    assert parse(parser, folder) == before, "the parser learns with its copy"
    return right, parse(learned, folder)


def go_on(parser: Parser, folder: Path) -> Any:
    """Training that goes on counts its sentences."""
    learned = headway.continue_training(parser, NEW)
    assert learned.about["sentences"] == parser.about["sentences"] + len(NEW), "sentences are not counted"
    return parse(learned, folder)


def explain(parser: Parser, folder: Path) -> Any:
    """Features add up to scores, and no rival wins."""
    every = parser.explain_text(TEXT) if takes_text(parser) else (parser.explain(sentence) for sentence in NEW)
    told = []
    for explanation in every:
        for decision in explanation.decisions:
            assert np.isclose(decision.given.sum(), decision.score, rtol=1e-3, atol=1e-3), "the features do not add up"
            for rows in (decision.groups(), decision.features()):
                told_sum = sum(row.chosen for row in rows)
                assert np.isclose(told_sum, decision.score, rtol=1e-3, atol=1e-3), "the groups do not add up"
        told.append(explanation.text())
    assert told, "nothing is explained"
    return told


def scores(parser: Parser, folder: Path) -> Any:
    """Each label and each transition is the best of those that were possible; arcs are those of a tree."""
    told = []
    for sentence in NEW:
        found = parser.scores(sentence)
        if isinstance(found, headway.TreeScores):
            words = np.arange(1, len(sentence) + 1)
            assert is_tree(found.heads) and not np.isnan(found.arcs[found.heads, words]).any(), "no scores of a tree"
            assert found.arcs.shape == (len(words) + 1,) * 2 and len(found.labels) == len(words) + 1
        else:
            best = found.scores.max(axis=1, initial=-np.inf)
            assert (found.scores[np.arange(len(best)), found.chosen] == best).all(), "another transition was better"
            assert (found.margins >= 0).all() and len(found.words) == len(found.chosen) == len(best)
        told.append([None if each is None else np.asarray(each).tolist() for each in found])
    return told


def marginals(parser: Parser, folder: Path) -> Any:
    """Each word has one head."""
    told = []
    for sentence in NEW:
        found = parser.marginals(sentence)
        assert (found >= -1e-6).all() and np.allclose(found[:, 1:].sum(axis=0), 1, atol=1e-5), "no probabilities"
        assert not found[:, 0].any() and not found.diagonal().any()
        told.append(found.tolist())
    return told


def select(parser: Parser, folder: Path) -> Any:
    """Different sentences, those first that have most errors."""
    found = headway.select(parser, NEW, 3)
    numbers = [one.number for one in found]
    assert len(set(numbers)) == 3 and all(np.isfinite(one.errors) and one.errors >= 0 for one in found)
    return numbers


def save(parser: Parser, folder: Path) -> Any:
    """A model that is opened again does the same and is saved as the same bytes."""
    parser.save(folder / "first")
    again = headway.load(folder / "first")
    again.save(folder / "second")
    data = (folder / "first").read_bytes()
    assert data == (folder / "second").read_bytes(), "saved again it is another file"
    assert parse(again, folder) == parse(parser, folder), "a saved model does something else"
    return data


def pickled(parser: Parser, folder: Path) -> Any:
    """A pickled model does the same."""
    found = parse(pickle.loads(pickle.dumps(parser)), folder)
    assert found == parse(parser, folder), "a pickled model does something else"
    return found


def longest(parser: Parser, folder: Path) -> Any:
    """In windows of ten words trees are trees; with a limit above all sentences they are what they were."""
    assert trees(parser.with_longest(50).parse(NEW)) == trees(parser.parse(NEW)), "a limit changes short sentences"
    return trees(parser.with_longest(10).parse(NEW))


def about(parser: Parser, folder: Path) -> Any:
    """What is said of a model is said of the new one alone."""
    told = parser.with_about(note="x")
    assert told.about["note"] == "x" and "note" not in parser.about, "with_about changes the parser itself"
    return parse(told, folder)


Capability = Callable[[Parser, Path], Any]
CAPABILITIES: dict[str, Capability] = {
    "parse": parse,
    "calibrate": calibrate,
    "confidence": confidence,
    "k-best": k_best,
    "heads": heads,
    "forbidden": forbidden,
    "spans": spans,
    "keep-heads": keep_heads,
    "update": update,
    "continue": go_on,
    "explain": explain,
    "scores": scores,
    "marginals": marginals,
    "select": select,
    "save": save,
    "pickle": pickled,
    "longest": longest,
    "about": about,
}
"""What can be asked of a model."""
