"""Is confidence from CW's variances better than from the margin alone?

    HEADWAY_TREEBANKS=… python benchmarks/variances.py [--take ud-hungarian-szeged,ud-czech-cltt]

A parser is learned with CW and keeps its variances (--updatable). Three calibrators learn on dev: from margins as they
are, from margins by their standard deviations (Dredze, Crammer and Pereira 2008), and from both; all see the rest of
the evidence. On test: AUC of error detection, ECE less what chance makes of it, and p-values of differences in AUC to
margins alone, two-sided, by drawing sentences 1,000 times.
"""

from __future__ import annotations

import argparse

import numpy as np
from common import table, treebank, treebanks

import headway
from headway.calibration.additive import fit
from headway.calibration.evidence import Evidence, joined, tree_evidence
from headway.data import batches_of
from headway.evaluation.confidence import auc_of, scores_of_confidence
from headway.kernels.transition.evidence import EVIDENCE
from headway.kernels.transition.variances import spread
from headway.kernels.weights import freezing
from headway.kernels.weights.table import Weights
from headway.learners.confidence_weighted import CW
from headway.training.calibrating import right_in

TREEBANKS = (
    "ud-hungarian-szeged",
    "ud-czech-cltt",
    "ud-italian-partut",
    "ud-latvian-lvtb",
    "ud-swedish-talbanken",
    "ud-english-ewt",
)
MARGINS = ("least", "arc", "path")
DRAWS = 1000


def certainty_of(parser, initial):
    """By how much the variance of each weight is below that of the beginning, in the layout of a model's weights."""
    keys, sizes, classes, planes = (parser.state.arrays[name] for name in ("keys", "sizes", "classes", "planes"))
    weights = Weights(len(parser.classes), variance=False, average=False)
    weights.restore(keys, sizes, classes, np.ascontiguousarray(initial - planes[1:2]))
    return freezing.frozen(weights, 1.0)[:2]


def collected(parser, path, initial):
    """Evidence of both kinds for all words of a file, whether their heads are right, and where sentences begin."""
    certain = certainty_of(parser, initial)
    parts, right, lengths = [], [], []
    for batch in batches_of(path):
        found, evidence = parser.annotate_surely(batch)
        rows = np.zeros((len(batch.heads), len(EVIDENCE)), np.float32)
        ready = parser.setup(parser.templates.encode(batch), int(np.diff(batch.sentence_word).max(initial=1)))
        spread(ready, *parser.weights, *certain, initial, batch.sentence_word, rows)
        scaled = dict(zip(EVIDENCE, rows.T, strict=True))
        own = Evidence({f"scaled {name}": scaled[name] for name in MARGINS}, {})
        around = tree_evidence(found, own).numbers
        extra = {f"scaled {name}": around[name] for name in ("head", "before", "after")}
        parts.append(Evidence({**evidence.numbers, **own.numbers, **extra}, evidence.groups))
        right.append(right_in(batch, found)["arc"])
        lengths += np.diff(batch.sentence_word).tolist()
    return joined(parts), np.concatenate(right), np.repeat(np.arange(len(lengths)), lengths)


def only(evidence, kind):
    """The evidence with margins as they are, by standard deviations, or both."""
    plain = {*MARGINS, "head", "before", "after"}
    scaled = {f"scaled {name}" for name in plain}
    without = {"margin": scaled, "variance": plain, "both": set()}[kind]
    return Evidence({name: each for name, each in evidence.numbers.items() if name not in without}, evidence.groups)


def p_value(first, second, right, sentences, seed=1):
    """How often drawn sentences turn the difference of two AUCs around, twice; the smallest is 1 / draws."""
    rng, count = np.random.default_rng(seed), int(sentences[-1]) + 1
    order = np.argsort(sentences, kind="stable")
    begins = np.searchsorted(sentences[order], np.arange(count + 1))
    below = 0
    for _ in range(DRAWS):
        words = np.concatenate([order[begins[s] : begins[s + 1]] for s in rng.integers(0, count, count)])
        below += auc_of(first[words], right[words]) <= auc_of(second[words], right[words])
    return max(1 / DRAWS, 2 * min(below, DRAWS - below) / DRAWS)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--take", default=",".join(TREEBANKS))
    chosen = options.parse_args()
    folder, rows = treebanks(chosen.treebanks), []
    learner = CW()
    for name in chosen.take.split(","):
        train, dev, test = (treebank(name, part, folder) for part in ("train", "dev", "test"))
        parser = headway.train(train, dev=dev, learner=learner, updatable=True, calibrate="none").stages[-1]
        (seen, told, _), (evidence, right, sentences) = (
            collected(parser, path, learner.initial_variance) for path in (dev, test)
        )
        kinds = ("margin", "variance", "both")
        chances = {kind: fit(only(seen, kind), told).probabilities(only(evidence, kind)) for kind in kinds}
        for kind in kinds:
            scores = scores_of_confidence(kind, chances[kind], right)
            p = "" if kind == "margin" else f"{p_value(chances[kind], chances['margin'], right, sentences):.3f}"
            rows.append((name, kind, f"{scores.auc:.4f}", f"{scores.error - scores.chance:.4f}", p))
    table(("treebank", "evidence", "AUC", "ECE − chance", "p of AUC"), rows)


if __name__ == "__main__":
    main()
