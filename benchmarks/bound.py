"""What bounds the speed of parsing: the parts of the time, and how far the kernel is from what memory allows.

    HEADWAY_TREEBANKS=… python benchmarks/bound.py [--model MODEL] [--treebank ud-english-ewt]

Each feature needs its slot and, where the model knows it, its row: two places in arrays that are larger than the
processor's caches. The bound is the time for as many reads at random from arrays of those sizes, with nothing done to
what was read. All in one process, one thread, the best of several runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from common import scratch, table, treebank, treebanks

import headway
from headway.data.layers import Codes
from headway.data.sources import batches_of
from headway.kernels.transition import parsing
from headway.parsers.transition.parser import TransitionParser


def quickest(work: Callable[[], object], runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def features_of(parser: TransitionParser, batches: list) -> tuple[int, int]:
    """How many features are looked up: in each of the two configurations a word has, and once for each word.

    A template with FEAT counts as often as a word has morphological features in the mean.
    """
    words = sum(len(batch.heads) for batch in batches)
    single = sum(len(parser.templates.encode(batch).features) for batch in batches) / words
    counts = [
        single if any(term.attribute == "FEAT" for term in feature.terms) else 1.0
        for feature in parser.templates.features
    ]
    split = parser.templates.part[1]
    return round(2 * words * sum(counts[:split])), round(words * sum(counts[split:]))


def random_reads(array: np.ndarray, count: int, runs: int) -> float:
    """Seconds to read one number from each of `count` places, a million at a time."""
    chance = np.random.default_rng(1)
    places = chance.integers(0, len(array), min(count, 1 << 20))
    out = np.empty(len(places), array.dtype)
    return quickest(lambda: np.take(array, places, out=out, mode="clip"), runs) * count / len(places)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--treebank", default="ud-english-ewt")
    options.add_argument("--model", help="a parser of that treebank; learned first where there is none")
    options.add_argument("--runs", type=int, default=5)
    chosen = options.parse_args()
    source = treebank(chosen.treebank, "train", treebanks(chosen.treebanks))
    with scratch() as place:
        if not chosen.model:
            headway.train(source).save(place / "model")
        whole = headway.load(chosen.model or place / "model")
        [parser] = whole.stages
        assert isinstance(parser, TransitionParser)
        batches = list(batches_of(source))
        words = sum(len(batch.heads) for batch in batches)
        ready, gold = [], []
        for batch in batches:
            longest = int(np.diff(batch.sentence_word).max(initial=1))
            encoded = parser.templates.encode(batch)
            ready.append((parser.setup(encoded, longest), batch.sentence_word, np.empty_like(batch.heads)))
            gold.append((batch, np.zeros(len(batch.heads), np.int32)))

        def kernel() -> None:
            for setup, offsets, out in ready:
                parsing.parse(setup, parser.weights, offsets, parser.root_label, out, np.empty_like(out))

        def writing() -> None:
            for batch, labels in gold:
                columns = {"DEPREL": Codes(labels, ("x",))}
                batch.with_layer("x", heads=batch.heads.copy(), columns=columns).render(batch.format)

        everything = quickest(lambda: list(whole.parse_bytes(source)), chosen.runs)
        parts = {
            "reading and scanning": quickest(lambda: list(batches_of(source)), chosen.runs),
            "keys of the words": quickest(lambda: [parser.templates.encode(b) for b in batches], chosen.runs),
            "transitions": quickest(kernel, chosen.runs),
            "writing": quickest(writing, chosen.runs),
        }
        often, once = features_of(parser, batches)
        lines = random_reads(np.array(parser.weights.lines).view(np.uint64), often + once, chosen.runs)
    print(f"{chosen.treebank}: {words:,} words in {everything:.2f} s, {words / everything:,.0f} words/s\n")
    table(("part", "seconds", "%"), [(n, f"{s:.2f}", f"{100 * s / everything:.0f}") for n, s in parts.items()])
    each, bound = (1e9 * seconds / (often + once) for seconds in (parts["transitions"], lines))
    print(
        f"\n{(often + once) / words:.0f} features are looked up for each word, {each:.1f} ns each; reading a line "
        f"of the table at random takes {bound:.1f} ns: the kernel takes {each / bound:.1f} times the bound"
    )


if __name__ == "__main__":
    main()
