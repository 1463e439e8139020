"""Structured boosting by round, as Tables 1 and 2 of Wang, Lin and Schuurmans (2007), and its schemes side by side.

    HEADWAY_TREEBANKS=… python benchmarks/boosting.py rounds [--part dev] [--features local] [--jobs 2]
    HEADWAY_TREEBANKS=… python benchmarks/boosting.py schemes --only ud-english-ewt [--static]
    HEADWAY_TREEBANKS=… python benchmarks/boosting.py final
    HEADWAY_TREEBANKS=… python benchmarks/boosting.py learners --part dev [--static]
    HEADWAY_TREEBANKS=… python benchmarks/boosting.py strengths --part dev
    HEADWAY_TREEBANKS=… python benchmarks/boosting.py generalising --part dev

`rounds`: static and dynamic features, a constant added to each mistake, the last round kept. `schemes`: the last
round, the ensemble of all rounds and their vote, of every scheme. `final`: the default model. `learners`: one round of
several local learners. `strengths`: one round with each λ, static and dynamic. `generalising`: rounds that learn from
held-out parses, from predicted states, from both. Nothing is chosen on the part that is measured. DA: words with the
right head; RA: sentences with the right roots; CM: sentences with all heads right.
Gold tags, all words count.
"""

from __future__ import annotations

import argparse
import resource
import time
from itertools import islice
from pathlib import Path
from typing import Any

from common import table, treebank, treebanks

from headway.boosting.registry import SCHEMES
from headway.formats.reading import read
from headway.learn import loops_for
from headway.training.loop import Step

SMALL = ("ud-czech-cltt", "ud-hungarian-szeged", "ud-latvian-lvtb")
LEARNERS = (
    "exponential",
    "logistic",
    "linear-svm",
    "sklearn:svm.LinearSVC",
    "sklearn:linear_model.RidgeClassifier",
    "pa-1",
)
STRENGTHS = (0.5, 1.0, 2.0)
WAYS: dict[str, dict[str, Any]] = {
    "as in the paper": {},
    "held-out parses": {"held_out": 2},
    "predicted states": {"states": "predicted"},
    "both": {"held_out": 2, "states": "predicted"},
}
TREEBANKS = ("ud-english-ewt", "ud-chinese-gsd", "ud-swedish-talbanken", "ud-italian-partut")


def trained(name: str, part: str, folder: Path, sentences: int | None = None, **options: Any) -> list[Step]:
    """The rounds of a training on the first sentences, each measured on a part of the treebank."""
    source = list(islice(read(treebank(name, "train", folder)), sentences))
    wanted = {"parser": "boosted", "keep": "last", **options}
    [loop] = loops_for(source, dev=treebank(name, part, folder), patience=wanted["rounds"], **wanted)
    return list(loop)


def scores_of(done: Step, *names: str) -> list[str]:
    """Scores of a round, in per cent."""
    assert done.dev is not None
    return [f"{done.dev.scores[name]:.2f}" for name in names]


def by_round(names: list[str], part: str, folder: Path, **options: Any) -> None:
    """DA, RA, CM of each round, with static features and with dynamic ones."""
    for name in names:
        ways = [trained(name, part, folder, dynamic=dynamic, **options) for dynamic in (False, True)]
        rows = [
            [
                one.number,
                *(score for done in (one, two) for score in scores_of(done, "UAS", "RA", "CM")),
                *(f"{done.seconds:.0f}" for done in (one, two)),
            ]
            for one, two in zip(*ways, strict=True)
        ]
        header = ["round", "DA", "RA", "CM", "dynamic DA", "RA", "CM", "seconds", "dynamic"]
        print(f"\n{name}, {part}\n")
        table(header, rows)


def by_scheme(names: list[str], part: str, folder: Path, **options: Any) -> None:
    """DA of the last round and of the ensemble of all, for every scheme."""
    rows = []
    for name in names:
        for scheme in SCHEMES:
            for keep in ("last", "ensemble", "vote"):
                done = trained(name, part, folder, boosting=scheme, keep=keep, **options)
                rows.append([name, scheme, keep, *(score for one in done for score in scores_of(one, "UAS"))])
    longest = max(map(len, rows))
    header = ["treebank", "scheme", "kept", *(f"round {number}" for number in range(1, longest - 2))]
    table(header, [row + [""] * (longest - len(row)) for row in rows])


def by_learner(names: list[str], part: str, folder: Path, **options: Any) -> None:
    """DA of the first round with several local learners."""
    rows = [
        [
            name,
            *(
                score
                for one in names
                for score in scores_of(trained(one, part, folder, **{**options, "learner": name})[0], "UAS")
            ),
        ]
        for name in LEARNERS
    ]
    table(["learner", *names], rows)


def by_strength(names: list[str], part: str, folder: Path, **options: Any) -> None:
    """DA of the first round for each λ."""
    rows = [
        [
            kind,
            strength,
            *(
                score
                for one in names
                for score in scores_of(
                    trained(one, part, folder, **{**options, "dynamic": dynamic, "options": {"strength": strength}})[0],
                    "UAS",
                )
            ),
        ]
        for kind, dynamic in (("static", False), ("dynamic", True))
        for strength in STRENGTHS
    ]
    table(["features", "λ", *names], rows)


def by_way(names: list[str], part: str, folder: Path, **options: Any) -> None:
    """DA of each round, on what was learned from and on what is measured, in ways that might generalise better."""
    for name in names:
        rows = []
        for way, more in WAYS.items():
            done = trained(name, part, folder, **{**options, **more})
            rows.append([way, *(f"{one.told['train UAS']:.1f} {scores_of(one, 'UAS')[0]}" for one in done)])
        print(f"\n{name}: DA on the training part and on {part}\n")
        table(["", *(f"round {number}" for number in range(1, max(map(len, rows))))], rows)


def final(names: list[str], part: str, folder: Path, **options: Any) -> None:
    """The default parser."""
    rows = []
    for name in names:
        begun = time.perf_counter()
        done = trained(name, part, folder, **options)
        memory, slowest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, max(one.seconds for one in done)
        costs = [f"{time.perf_counter() - begun:.0f}", f"{slowest:.0f}", str(memory)]
        rows.append([name, *scores_of(done[-1], "UAS", "RA", "CM", "LAS"), *costs])
    table(["treebank", "UAS", "RA", "CM", "LAS", "training, s", "slowest round, s", "memory MiB"], rows)


MORE = {"learners": (by_learner, 1), "strengths": (by_strength, 1), "generalising": (by_way, 4)}
"""What is tried on small treebanks, and in how many rounds."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=["rounds", "schemes", "final", *MORE])
    options.add_argument("--treebanks", help="folder of treebanks")
    options.add_argument("--only", nargs="+", help="names of treebanks")
    options.add_argument("--part", default="test", help="what accuracy is measured on")
    options.add_argument("--features", help="feature model; local, and for final the default")
    options.add_argument("--static", action="store_true", help="schemes: without dynamic features")
    options.add_argument("--rounds", type=int)
    options.add_argument("--constant", type=float)
    options.add_argument("--held-out", type=int, help="folds in which sentences are judged by what the others taught")
    options.add_argument("--strength", type=float, help="λ of the exponential prior")
    options.add_argument("--sentences", type=int, help="sentences to learn from; all")
    options.add_argument("--jobs", type=int, default=2)
    chosen = options.parse_args()
    same: dict[str, Any] = {
        "rounds": chosen.rounds or MORE.get(chosen.what, (None, 4))[1],
        "jobs": chosen.jobs,
        "sentences": chosen.sentences,
        "constant": chosen.constant,
        "held_out": chosen.held_out,
    }
    if chosen.strength:
        same["options"] = {"strength": chosen.strength}
    same["features"] = chosen.features or ("default" if chosen.what == "final" else "local")
    folder, names = treebanks(chosen.treebanks), chosen.only or list(SMALL if chosen.what in MORE else TREEBANKS)
    if chosen.what in MORE:
        MORE[chosen.what][0](names, chosen.part, folder, dynamic=not chosen.static, **same)
    elif chosen.what == "rounds":
        by_round(names, chosen.part, folder, **same)
    elif chosen.what == "schemes":
        by_scheme(names, chosen.part, folder, dynamic=not chosen.static, **same)
    else:
        final(names, chosen.part, folder, **same)


if __name__ == "__main__":
    main()
