"""Decoders of trees: Chu-Liu/Edmonds beside ufal.chu_liu_edmonds, and how time grows with the length of sentences.

    pip install '.[benchmark]'
    python benchmarks/decoders.py [--matrices 20] [--runs 7]

All times are those of calls from Python on random dense matrices, each decoder with the layout it asks for: the peer's
rows are the scores of all heads of a word. Both allow several words on the root.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from common import table

from headway import Sentence
from headway.data.sample import generate
from headway.features.arcs import compile_arcs
from headway.features.registry import feature_model
from headway.kernels.graph.explaining import scores_of
from headway.kernels.graph.parsing import Graph
from headway.parsers.graph.decoders import chu_liu_edmonds, eisner
from headway.parsers.graph.parser import GraphShape, graph_of

LENGTHS = (10, 20, 40, 60, 80, 100, 150, 200)


def fastest(decode: Callable[[np.ndarray], object], matrices: Sequence[np.ndarray], runs: int) -> float:
    """Mean seconds of a call: the least for each matrix."""
    total = 0.0
    for matrix in matrices:
        seconds = []
        for _ in range(runs):
            start = time.perf_counter()
            decode(matrix)
            seconds.append(time.perf_counter() - start)
        total += min(seconds)
    return total / len(matrices)


def beside_peer(count: int, runs: int) -> None:
    try:
        from ufal.chu_liu_edmonds import chu_liu_edmonds as peer
    except ImportError:
        sys.exit("ufal.chu_liu_edmonds is not installed; pip install ufal.chu_liu_edmonds")
    rows = []
    for n in LENGTHS:
        rng = np.random.default_rng(n)
        matrices = [rng.standard_normal((n + 1, n + 1)) for _ in range(count)]
        turned = [np.ascontiguousarray(matrix.T) for matrix in matrices]
        same = sum(
            chu_liu_edmonds.decode(matrix).tolist() == peer(other)[0][1:]
            for matrix, other in zip(matrices, turned, strict=True)
        )
        ours = fastest(chu_liu_edmonds.decode, matrices, runs)
        single = fastest(lambda matrix: chu_liu_edmonds.decode(matrix, single_root=True), matrices, runs)
        theirs = fastest(peer, turned, runs)
        times = (f"{seconds * 1e6:.1f}" for seconds in (ours, single, theirs))
        rows.append((n, *times, f"{theirs / ours:.1f}", f"{same} of {count}"))
    table(("words", "headway µs", "single root µs", "ufal µs", "times headway", "same trees"), rows)


def growth(count: int, runs: int) -> None:
    """Exponents: the slopes of straight lines through the logarithms of time and length."""
    rng = np.random.default_rng(0)
    cube = rng.standard_normal((max(LENGTHS) + 1,) * 3)
    cubes = {n: np.ascontiguousarray(cube[: n + 1, : n + 1, : n + 1]) for n in LENGTHS}
    decoders: dict[str, Callable[[np.ndarray], object]] = {
        "eisner": eisner.decode,
        "eisner, single root": lambda matrix: eisner.decode(matrix, single_root=True),
        "eisner, 10 best": lambda matrix: eisner.k_best(matrix, 10),
        "eisner, siblings": lambda matrix: eisner.kernel.decode(
            matrix, cubes[len(matrix) - 1], False, np.empty(len(matrix), np.int32)
        ),
        "chu-liu-edmonds": chu_liu_edmonds.decode,
        "chu-liu-edmonds, single root": lambda matrix: chu_liu_edmonds.decode(matrix, single_root=True),
        "chu-liu-edmonds, 10 best": lambda matrix: chu_liu_edmonds.k_best(matrix, 10),
    }
    rows = []
    for name, decode in decoders.items():
        seconds = []
        for n in LENGTHS:
            matrices = [rng.standard_normal((n + 1, n + 1)) for _ in range(count)]
            seconds.append(fastest(decode, matrices, runs))
        exponent = np.polyfit(np.log(LENGTHS), np.log(seconds), 1)[0]
        rows.append((name, *(f"{second * 1e6:.0f}" for second in seconds), f"{exponent:.2f}"))
    table(("µs for words:", *LENGTHS, "exponent"), rows)


def scoring(runs: int) -> None:
    """The same for the scores of all arcs of a sentence by the default features: words at random, weights at random."""
    chance = np.random.default_rng(1)
    words = [
        columns
        for sentence in generate(400, seed=1)
        for columns in zip(
            *(sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats), strict=True
        )
    ]
    features = [feature for feature in feature_model("graph-default") if "SIBLING" not in feature.places]
    templates, shape = compile_arcs(features), GraphShape()
    weights = chance.normal(size=shape.size).astype(np.float32)
    seconds = []
    for n in LENGTHS:
        forms, lemmas, upos, xpos, feats = zip(*(words[i] for i in chance.integers(0, len(words), n)), strict=True)
        sentence = Sentence(forms=forms, lemmas=lemmas, upos=upos, xpos=xpos, feats=feats)
        graph = graph_of(shape, templates, ("x",), templates.encode(sentence.batch), n)

        def score(arcs: np.ndarray, graph: Graph = graph) -> None:
            scores_of(graph, weights, 0, arcs, np.empty((0, 0, 0)), np.empty((0, 0), np.int32))

        seconds.append(fastest(score, [np.empty((n + 1, n + 1))], runs))
    exponent = np.polyfit(np.log(LENGTHS), np.log(seconds), 1)[0]
    row = ("scores of all arcs", *(f"{second * 1e6:.0f}" for second in seconds), f"{exponent:.2f}")
    table(("µs for words:", *LENGTHS, "exponent"), [row])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matrices", type=int, default=20)
    options.add_argument("--runs", type=int, default=7)
    chosen = options.parse_args()
    print(f"random dense matrices, mean of {chosen.matrices}, best of {chosen.runs} for each:\n")
    beside_peer(chosen.matrices, chosen.runs)
    print()
    growth(max(1, chosen.matrices // 4), chosen.runs)
    print()
    scoring(max(20, chosen.runs))


if __name__ == "__main__":
    main()
