"""How hard the generated treebank is: parsers that know more or less of it, trained on one sample, tested on another.

python benchmarks/sample.py
"""

from __future__ import annotations

import logging

from common import table

import headway
from headway.data import batches_of
from headway.sample import generate
from headway.sentence import Sentence
from headway.training.judging import judged


def without_words(sentences: list[Sentence]) -> list[Sentence]:
    return [s.replace(forms=["x"] * len(s), lemmas=["x"] * len(s)) for s in sentences]


def main() -> None:
    logging.getLogger("headway").setLevel(logging.ERROR)
    train, test = list(generate(3000, seed=1)), list(generate(500, seed=99))
    small = {"features": "malt-14", "learner": "perceptron", "passes": 5, "explore": 0.0}
    rows = []
    for name, seen, asked, options in (
        ("default features, 3,000 sentences", train, test, {"passes": 6}),
        ("malt-14 without pairs, perceptron", train, test, small),
        ("tags only: all words the same", without_words(train), without_words(test), {"passes": 6}),
        ("default features, 200 sentences", train[:200], test, {"passes": 6}),
    ):
        [stage] = headway.train(seen, **options).stages
        scores = judged(stage, list(batches_of(asked))).scores
        rows.append((name, f"{scores['LAS']:.2f}", f"{scores['UAS']:.2f}"))
    table(("parser", "LAS", "UAS"), rows)
    known = {form for sentence in train[:1000] for form in sentence.forms}
    words = [form for sentence in test for form in sentence.forms]
    share = sum(form not in known for form in words) / len(words)
    print(f"\nwords that 1,000 sentences do not have: {share:.1%} of {len(words):,}")


if __name__ == "__main__":
    main()
