"""What a call costs: one sentence, many short texts one by one, through `pipe`, and as lines of a file.

    python benchmarks/calls.py
    python benchmarks/calls.py --model english.headway

Without a model, a small pipeline is trained on sentences of the sample grammar. Times are the fastest of some runs,
in turns, so that whatever else the machine does falls on all of them.
"""

import argparse
import tempfile
from pathlib import Path
from time import perf_counter

import headway
from headway.data.sample import generate

WORDS = 20


def main() -> None:
    """Print a line for each kind of call."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="A pipeline; by default one is trained on sample sentences.")
    parser.add_argument("--texts", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    model = headway.load(options.model) if options.model else trained()
    texts = [sentence.text for sentence in generate(options.texts, seed=7)]
    words = next(sentence.forms for sentence in generate(1_000, seed=8) if len(sentence) == WORDS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.txt"
        path.write_text("\n".join(texts))
        calls = {
            "file": lambda: list(model.parse_bytes(path, input="sentences")),
            "pipe": lambda: list(model.pipe(texts)),
            "pipe, all sentences": lambda: [list(document) for document in model.pipe(texts)],
            "one by one": lambda: [model(text) for text in texts[: options.texts // 10]],
            "one sentence": lambda: [model(words) for _ in range(100)],
            "one sentence alone": lambda: alone(found),
        }
        found = model(" ".join(texts)).batches[0]
        fastest = dict.fromkeys(calls, float("inf"))
        for _ in range(options.runs):
            for name, call in calls.items():
                begin = perf_counter()
                call()
                fastest[name] = min(fastest[name], perf_counter() - begin)
    size = sum(map(len, map(str.split, texts)))
    fastest["one by one"] *= options.texts / (options.texts // 10)
    for name in ("file", "pipe", "pipe, all sentences", "one by one"):
        speed = size / fastest[name]
        print(
            f"{name:20} {fastest[name]:7.3f} s  {speed:9,.0f} words/s  {fastest['file'] / fastest[name]:5.2f} of file"
        )
    print(f"a list of {WORDS} words   {fastest['one sentence'] * 10:7.3f} ms")
    print(f"cut from its batch   {fastest['one sentence alone'] / len(found) * 1e6:7.1f} µs a sentence")


def trained() -> headway.Parser:
    """A small pipeline."""
    return headway.train(list(generate(300, seed=1)), pipeline=True, folds=2, passes=2)


def alone(batch: object) -> None:
    """Each sentence of a batch on its own."""
    for index in range(len(batch)):  # type: ignore[arg-type]
        batch.alone(index)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
