"""All that users do with parsers, in one script with type hints: it runs, and mypy and pyright find nothing in it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import headway
from headway.data.sample import generate
from headway.features.own_columns import COLUMNS
from headway.show import text as draw

NAMES = {"Anna", "Berlin"}


def names(forms: list[str]) -> list[str]:
    return ["name" if form in NAMES else "_" for form in forms]


def learn(folder: Path) -> headway.Parser:
    """A parser of text, saved and opened again."""
    COLUMNS.register("in_list", names)
    (folder / "own.features").write_text("UPOS(STACK0) & UPOS(QUEUE0)\nFORM(QUEUE0)\nMY:in_list(QUEUE0)", "utf-8")
    treebank: list[headway.Sentence] = list(generate(40, seed=1))
    headway.write(treebank, folder / "train.conllu")
    steps: list[str] = []
    parser = headway.train(
        folder / "train.conllu",
        pipeline=True,
        features=str(folder / "own.features"),
        passes=2,
        folds=2,
        updatable=True,
        calibrate="none",
        dev=list(generate(10, seed=2)),
        output=folder / "model",
        progress=lambda step: steps.append(str(step)),
    )
    assert steps and "HEAD" in parser.gives
    about: object = headway.load(folder / "model").about["options"]
    assert isinstance(about, dict)
    return headway.load((folder / "model").read_bytes(), mapped=False)


def read_documents(parser: headway.Parser) -> None:
    """Texts, with places in them; some stages only; many at once."""
    text = "The dogs bark.  They do not sleep."
    document: headway.Document = parser(text)
    places: list[tuple[int | None, int | None]] = [(token.start, token.end) for one in document for token in one]
    assert places[0] == (0, 3) and document[0].start == 0
    first: headway.Sentence = document[0]
    several: list[headway.Sentence] = document[:1]
    token: headway.Token = first[0]
    parent: headway.Token | None = token.parent
    case: str | None = token.feats.get("Case")
    forms: list[str] = [word.form for word in first.root.subtree if case is None or word.upos != "PUNCT"]
    heads: NDArray[np.int32] = first.heads
    table: dict[str, list[object]] = document.to_table()
    assert several == [first] and forms and len(heads) == len(first) and "form" in table
    assert (parent is None) == (token.head == 0) and token.ancestors is not None
    assert document.to_conllu() and document.to_dict() and draw.draw(first)
    cut: headway.Sentence = parser("They sleep.", stages="tokens")[0]
    tagged: headway.Sentence = parser(["They", "sleep"], stages="tags")
    posts: list[tuple[str, int]] = [("The dogs bark.", 1), ("They sleep.", 2)]
    numbers: list[int] = [number for found, number in parser.pipe(posts, as_tuples=True, threads=2) if len(found)]
    plain: Iterator[headway.Document] = parser.pipe([one for one, _ in posts], batch_words=1_000)
    assert numbers == [1, 2] and len(list(plain)) == 2 and len(cut) == 3 and not tagged.is_parsed
    again: headway.Parser = pickle.loads(pickle.dumps(parser))
    copied: headway.Document = pickle.loads(pickle.dumps(document))
    assert again(text) == document == copied


def look_inside(parser: headway.Parser, graph: headway.Parser, sentence: headway.Sentence) -> None:
    """Scores and marginals as arrays, reasons, confidence, constraints."""
    found: headway.TreeScores | headway.TransitionScores = parser.scores(sentence)
    assert isinstance(found, headway.TransitionScores)
    margins: NDArray[np.float64] = found.margins
    arcs = graph.scores(sentence)
    assert isinstance(arcs, headway.TreeScores) and arcs.arcs.ndim == 2 and len(margins) == len(found.chosen)
    probable: NDArray[np.float64] = graph.marginals(sentence)
    best: list[headway.Sentence] = graph.k_best(sentence, 2)
    explanation: headway.Explanation = parser.explain(sentence, "tagger")
    decisions: list[headway.Decision] = list(explanation.decisions)
    reasons: list[headway.Reason] = decisions[0].reasons(3)
    assert reasons[0].feature and explanation.text() and probable.shape[0] == len(sentence) + 1 and best
    sure: headway.Parser = headway.calibrate(parser, list(generate(20, seed=3)))
    confidence: headway.TreeConfidence = sure.parse(sentence, confidence=True).confidence
    of_word: headway.WordConfidence = confidence.words[0]
    arc: float | None = of_word.arc
    assert arc is not None and 0 < arc < 1
    obeys = headway.Constraints(required={2: 0}, labels={2: "root"}, forbidden=[(2, 1)])
    assert int(graph.parse_within(sentence, obeys).heads[1]) == 0


def correct(parser: headway.Parser, sentence: headway.Sentence, folder: Path) -> headway.Parser:
    """Corrections, a session of them, and going on with more trees."""
    wrong = sentence.replace(upos=["X"] * len(sentence), misc=None)
    right: bool = parser.update(wrong, corrected=["UPOS"])
    fixed: bool = parser.update(sentence, corrected="tree")
    with headway.Annotation(parser, folder / "train.conllu", every=50, journal=folder / "journal") as session:
        guess: headway.Sentence = session.parse(sentence)
        is_right: bool = session.correct(guess.replace(deprels=sentence.deprels))
        assert session.trainings == 0 and len(session.corrections) == 1
        better: headway.Parser = session.wait()
    assert {right, fixed, is_right} <= {True, False}
    chosen: list[headway.ChosenToAnnotate] = headway.select(parser, list(generate(10, seed=4)), 2)
    assert chosen[0].errors >= 0 and chosen[0].sentence.is_parsed
    return headway.continue_training(better, [one.sentence for one in chosen], passes=1)


def compare(parser: headway.Parser, other: headway.Parser) -> headway.Significance:
    """Scores of two parsers, whether they differ, and how good one can be expected to be."""
    test: list[headway.Sentence] = list(generate(20, seed=5))
    first: headway.SystemScores = headway.evaluate(test, parser.parse(test))
    second = headway.evaluate(test, other.parse(test))
    las: headway.Score = first["LAS"]
    difference: headway.Significance = headway.significance(first, second, trials=100)
    assert 0 <= float(las) <= 100 and las.correct <= las.gold and 0 <= difference.p <= 1
    expected: headway.CrossValidation = headway.cross_validate(test, folds=2, features="malt-14", passes=1, jobs=1)
    assert expected.mean() > 0 and expected.folds[0].scores["LAS"].gold > 0
    try:
        headway.Sentence(["Dogs"], heads=[3])
    except headway.HeadwayError as error:
        assert "head" in str(error)
    return difference


def main(folder: Path) -> None:
    parser = learn(folder)
    graph = headway.train(folder / "train.conllu", parser="graph", order=1, bits=12, label_bits=11, passes=1)
    read_documents(parser)
    [sentence] = generate(1, seed=6)
    look_inside(parser, graph, sentence)
    print(compare(parser, correct(parser, sentence, folder)))
