"""From one domain to another: a graph parser learned from some genres, its options chosen on a second, tested there.

    HEADWAY_TREEBANKS=… python benchmarks/domain.py [--source weblog newsgroup] [--target reviews answers]

Sentences of UD English-EWT have their genre in `sent_id`. `as it is` takes the defaults, with arcs alone; `tuned` is
`headway train --parser graph --order 1 --tune C,decoder --dev DEV`, where DEV is the development part of the target
genres. For comparison, what the same options reach with the source genres' own test sentences.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from common import scratch, table, treebank, treebanks

import headway
from headway.evaluation.comparison import compare
from headway.evaluation.significance import significance, tally


def genre_file(packed: Path, genres: list[str], target: Path) -> Path:
    """The sentences of some genres."""
    chosen = [
        sentence
        for sentence in headway.read(packed)
        if any(comment.startswith(f"# sent_id = {genre}-") for comment in sentence.comments for genre in genres)
    ]
    headway.write(chosen, target)
    return target


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--source", nargs="+", default=["weblog", "newsgroup"])
    options.add_argument("--target", nargs="+", default=["reviews", "answers"])
    options.add_argument("--passes", type=int, default=6)
    chosen = options.parse_args()
    folder = treebanks(chosen.treebanks)
    with scratch() as place:
        train = genre_file(treebank("ud-english-ewt", "train", folder), chosen.source, place / "train.conllu")
        dev = genre_file(treebank("ud-english-ewt", "dev", folder), chosen.target, place / "dev.conllu")
        packed = treebank("ud-english-ewt", "test", folder)
        tests = {
            "source": genre_file(packed, chosen.source, place / "source.conllu"),
            "target": genre_file(packed, chosen.target, place / "target.conllu"),
        }
        ways = {
            "as it is": {"parser": "graph", "order": 1, "passes": chosen.passes},
            "tuned": {"parser": "graph", "order": 1, "passes": chosen.passes, "tune": "C,decoder", "dev": dev},
        }
        rows, found = [], {}
        for way, wanted in ways.items():
            parser = headway.train(train, **wanted)
            [stage] = parser.stages
            row = [way, f"{stage.about['learner'].get('C')}", stage.shape.decoder]
            for name, gold in tests.items():
                headway.write(parser.parse(gold), place / "parsed.conllu")
                found[way, name] = compare(gold, place / "parsed.conllu", definition="all")
                for metric in ("LAS", "UAS"):
                    counts = tally(found[way, name], metric)
                    row.append(f"{100 * counts.correct.sum() / counts.gold.sum():.2f}")
            rows.append(row)
        drawn = significance(found["tuned", "target"], found["as it is", "target"], "LAS")
    print(f"learned from {', '.join(chosen.source)}; options chosen on and for {', '.join(chosen.target)}\n")
    table(("", "C", "decoder", "LAS, source", "UAS, source", "LAS, target", "UAS, target"), rows)
    print(f"\ntuned against as it is on the target, LAS: p = {drawn.randomisation:.4f}")


if __name__ == "__main__":
    main()
