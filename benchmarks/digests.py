"""What every combination of parts computes, as digests: the same before and after a change that should change nothing.

    python benchmarks/digests.py > before          # in the old tree
    python benchmarks/digests.py --against before  # in the new one

The combinations come from the registries: every family, system, root, decoder, order, way to label, learner, scheme
and encoding. Each is trained and run by the commands that users give, on a small generated treebank with fixed seeds.
A line has the options, the digest of the parsed text and that of the model's arrays; for a search, those of the feature
model and of the journal without its times. Floating-point sums differ between machines, so both runs belong on one.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from headway.boosting.registry import FORMS, SCHEMES
from headway.cli import run
from headway.encodings import ENCODINGS
from headway.features.registry import names as feature_models
from headway.graph.options import LABELS, LOSSES
from headway.graph.registry import DECODERS
from headway.learners.registry import BATCH, ONLINE
from headway.transition.registry import SYSTEMS

FEW = "--features malt-14+pairs"
GRAPH = "--parser graph --bits 16"
BOOSTED = "--parser boosted --rounds 2"
DISCOVER = "discover"


def transition() -> Iterator[str]:
    """Systems × roots × ways to learn, learners, encodings, feature models."""
    for system in SYSTEMS:
        for root in SYSTEMS[system].roots:
            for single in ("--single-root", "--several-roots"):
                for explore in (0, 0.9) if system == "arc-eager" else (0,):
                    yield f"--system {system} --root {root} {single} --explore {explore} --passes 3 {FEW}"
        for learner in (*ONLINE, *BATCH):
            few = "--features malt-14" if learner == "kernel-svm" else FEW
            passes = "--passes 3" if learner in ONLINE else ""
            for steps in ("", "--two-step"):
                yield f"--system {system} --learner {learner} {passes} {steps} {few}"
        for encoding in ENCODINGS:
            yield f"--system {system} --encoding {encoding} --passes 2 {FEW}"
    for model in feature_models():
        if not model.startswith(("graph", "local", "mst")):
            yield f"--features {model} --passes 2"
    yield from (
        "",
        "--dev DEV",
        "--dev DEV --learner cw --patience 2",
        "--small",
        "--prune 0",
        "--cutoff 3",
        "--no-shuffle --seed 7",
    )
    yield f"--passes auto --folds 2 --learner perceptron --explore 0 {FEW}"


def graph() -> Iterator[str]:
    """Decoders × orders × ways to label × learners, losses, encodings, feature models."""
    for decoder in DECODERS:
        for order in (1, 2):
            for labels in LABELS:
                for learner in ONLINE:
                    how = f"--decoder {decoder} --order {order} --labels {labels}"
                    yield f"{GRAPH} {how} --learner {learner} --passes 2"
        for loss in LOSSES:
            for cost in ("--cost-augmented", "--best-tree"):
                yield f"{GRAPH} --decoder {decoder} --loss {loss} {cost} --passes 2"
        yield f"{GRAPH} --decoder {decoder} --learner mira --k 3 --passes 2"
        yield f"{GRAPH} --decoder {decoder} --labels joint --counts-labels --passes 2"
    for encoding in ENCODINGS:
        yield f"{GRAPH} --decoder eisner --encoding {encoding} --passes 2"
    for model in feature_models():
        if model.startswith(("graph", "mst")):
            yield f"{GRAPH} --features {model} --passes 2"
    yield from (f"{GRAPH} {words}" for words in ("", "--dev DEV", "--dev DEV --tune C,decoder --passes 2"))


def boosted() -> Iterator[str]:
    """Decoders × features, schemes × what is kept, learners, encodings."""
    for decoder in FORMS:
        for dynamic in ("--dynamic", "--static"):
            for parts in ("--partitioned", "--whole"):
                yield f"{BOOSTED} --decoder {decoder} {dynamic} {parts}"
    for scheme in SCHEMES:
        for keep in ("", "--keep last", "--keep ensemble", "--dev DEV", "--dev DEV --keep best"):
            yield f"{BOOSTED} --boosting {scheme} {keep}"
    for learner in ("exponential", *ONLINE, *(name for name in BATCH if name != "kernel-svm")):
        yield f"{BOOSTED} --learner {learner} --label-learner {learner}"
    yield f"{BOOSTED} --learner sklearn:linear_model.SGDClassifier -O random_state=1 --static"
    for encoding in ENCODINGS:
        yield f"{BOOSTED} --encoding {encoding}"
    yield from (f"{BOOSTED} {words}" for words in ("--held-out 2", "--constant 3", "--cutoff 2", "--threads 2"))


def searches() -> Iterator[str]:
    """Searches for features: families, steps, ways to measure and to choose."""
    for words in (
        "--dev DEV --test TEST",
        "--folds 3 --metric UAS",
        "--dev DEV --moves add,join,drop --attributes extended --start malt-14",
        "--dev DEV --no-race --one-step --no-pairs --system swap",
        "--dev DEV --check-racing --significance 0.1 --no-punctuation",
        "--parser graph --learner mira --generations 1",
        "--learner logistic",
    ):
        yield f"{DISCOVER} --jobs 1 --beam 2 --generations 2 --least 3 {words}"


def command(words: list[str]) -> None:
    """Run a command of headway quietly; its failure is an error here."""
    with contextlib.redirect_stderr(io.StringIO()):
        run.main(["-q", *words], prog_name="headway", standalone_mode=False)


def digest(*contents: bytes) -> str:
    """A short digest of bytes one after the other."""
    whole = blake2b(digest_size=8)
    for content in contents:
        whole.update(content)
    return whole.hexdigest()


def arrays_of(path: str) -> list[bytes]:
    """Names, types, shapes and numbers of a model's arrays, without the number of the stage that they belong to."""
    from headway import model

    arrays = model.read(path).arrays
    named = sorted((name.rpartition("/")[2], array) for name, array in arrays.items())
    return [part for name, array in named for part in (f"{name} {array.dtype} {array.shape}".encode(), array.tobytes())]


def searched(options: list[str]) -> str:
    """Digests of what a search found, and of its journal without its times."""
    shutil.rmtree("found.search", ignore_errors=True)
    command([DISCOVER, "train.conllu", "-o", "found", *options])
    records = [json.loads(line) for line in Path("found.search", "journal.jsonl").read_text().splitlines()]
    untimed = [{name: value for name, value in record.items() if name != "seconds"} for record in records]
    features = [line for line in Path("found").read_text("utf-8").splitlines() if not line.startswith("#")]
    return f"{digest(json.dumps(features).encode())}\t{digest(json.dumps(untimed).encode())}"


def measured(words: str) -> str:
    """The line of a combination."""
    name = " ".join(words.split()) or "(defaults)"
    options = words.replace("DEV", "dev.conllu").replace("TEST", "test.conllu").split()
    if options[:1] == [DISCOVER]:
        return f"{name}\t{searched(options[1:])}"
    command(["train", "train.conllu", "-o", "model", *options])
    command(["parse", "model", "test.conllu", "-o", "parsed.conllu"])
    return f"{name}\t{digest(Path('parsed.conllu').read_bytes())}\t{digest(*arrays_of('model'))}"


def _without_paragraphs(path: Path) -> None:
    """Leave out where paragraphs begin, which no parser looks at, and which treebanks of older trees do not say."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(("# newdoc", "# newpar"))), "utf-8")


def main() -> None:
    """Print a line for each combination; with --against, those that differ, and exit with 1 where there are any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", help="a file of earlier lines to compare with")
    parser.add_argument("--only", default="", help="combinations that hold this text")
    options = parser.parse_args()
    before = (
        dict(line.split("\t", 1) for line in Path(options.against).read_text().splitlines()) if options.against else {}
    )
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, size, seed in (("train", 60, 1), ("dev", 30, 2), ("test", 40, 3)):
            words = ["sample", "-n", str(size), "--seed", str(seed), "--nonprojective", "0.2", "--difficulties", "0"]
            command([*words, "-o", f"{name}.conllu"])
            _without_paragraphs(Path(f"{name}.conllu"))
        for words in (*transition(), *graph(), *boosted(), *searches()):
            if options.only not in words:
                continue
            line = measured(words)
            name, found = line.split("\t", 1)
            if not options.against:
                print(line, flush=True)
            elif before.pop(name, found) != found:
                different += 1
                print(line, flush=True)
    if options.against:
        print(f"{different} combinations differ, {0 if options.only else len(before)} were not tried")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
