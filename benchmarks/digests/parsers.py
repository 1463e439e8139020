"""Every combination of what parsers are made of: families, systems, roots, decoders, orders, labels, learners."""

from __future__ import annotations

from collections.abc import Iterator

from files import BOOSTED, SMALL
from workplace import Cases

SYSTEMS = {"arc-eager": ("end", "start", "none"), "arc-standard": ("start",), "swap": ("start",)}
"""Transition systems, and where the root may stand in each."""
ONLINE = ("mira", "perceptron", "pa", "pa-1", "pa-2", "cw", "cw-variance", "arow")
BATCH = ("linear-svm", "logistic", "kernel-svm")
ENCODINGS = ("head", "path", "head+path", "none")
FEATURES = ("default", "default-stack", "malt-14", "malt-14+pairs", "malt-14+pairs-lexical", "zhang-nivre")
GRAPH_FEATURES = ("graph-default", "mst", "mst-siblings")
LOCAL_FEATURES = ("local-default", "local", "local+between", "mst-pairs")
DECODERS = ("eisner", "chu-liu-edmonds")
LABELS = ("after", "joint")
LOSSES = ("rho", "sqrt")
FORMS = ("split-head", "cky")
SCHEMES = ("additive", "adaboost-m1", "adaboost-m2", "logistic-loss")
DEV = "--dev dev.conllu"
GRAPH = "--parser graph --bits 16"


def transition() -> Iterator[str]:
    """Systems × roots × ways to learn, learners, encodings, feature models."""
    for system, roots in SYSTEMS.items():
        for root in roots:
            for single in ("--single-root", "--several-roots"):
                for explore in (0, 0.9) if system == "arc-eager" else (0,):
                    yield f"--system {system} --root {root} {single} --explore {explore} --passes 3 {SMALL}"
        for learner in (*ONLINE, *BATCH):
            few = "--features malt-14" if learner == "kernel-svm" else SMALL
            passes = "--passes 3 " if learner in ONLINE else ""
            for steps in ("", "--two-step "):
                yield f"--system {system} --learner {learner} {passes}{steps}{few}"
        for encoding in ENCODINGS:
            yield f"--system {system} --encoding {encoding} --passes 2 {SMALL}"
    yield from (f"--features {model} --passes 2" for model in (*FEATURES, "few.features"))
    yield from (
        "",
        DEV,
        f"{DEV} --learner cw --patience 2",
        "--size small",
        "--exact",
        "--prune 0",
        "--cutoff 3",
        "--no-shuffle --seed 7",
        "--mark-cutoff 1 --licence CC0",
    )
    yield f"--passes auto --folds 2 --learner perceptron --explore 0 {SMALL}"


def graph() -> Iterator[str]:
    """Decoders × orders × ways to label × learners, losses, encodings, feature models."""
    for decoder in DECODERS:
        for order in (1, 2):
            for labels in LABELS:
                for learner in ONLINE:
                    yield (
                        f"{GRAPH} --decoder {decoder} --order {order} --labels {labels} --learner {learner} --passes 2"
                    )
        for loss in LOSSES:
            for cost in ("--cost-augmented", "--best-tree"):
                yield f"{GRAPH} --decoder {decoder} --loss {loss} {cost} --passes 2"
        yield f"{GRAPH} --decoder {decoder} --learner mira --k 3 --passes 2"
        yield f"{GRAPH} --decoder {decoder} --rivals wrong --passes 2"
        yield f"{GRAPH} --decoder {decoder} --labels joint --counts-labels --passes 2"
    yield from (f"{GRAPH} --decoder eisner --encoding {encoding} --passes 2" for encoding in ENCODINGS)
    yield from (f"{GRAPH} --features {model} --passes 2" for model in GRAPH_FEATURES)
    yield from (f"{GRAPH} {words}".strip() for words in ("", DEV, "--several-roots --label-bits 14 --passes 2"))


def boosted() -> Iterator[str]:
    """Decoders × features, schemes × what is kept, learners, encodings."""
    for decoder in FORMS:
        for dynamic in ("--dynamic", "--static"):
            for parts in ("--partitioned", "--whole"):
                yield f"{BOOSTED} --decoder {decoder} {dynamic} {parts}"
    for scheme in SCHEMES:
        for keep in ("", " --keep last", " --keep ensemble", f" {DEV}", f" {DEV} --keep best", " --keep vote"):
            yield f"{BOOSTED} --boosting {scheme}{keep}"
    for learner in ("exponential", *ONLINE, *(name for name in BATCH if name != "kernel-svm")):
        yield f"{BOOSTED} --learner {learner} --label-learner {learner}"
    yield f"{BOOSTED} --learner sklearn:linear_model.SGDClassifier -O random_state=1 --static"
    yield from (f"{BOOSTED} --encoding {encoding}" for encoding in ENCODINGS)
    yield from (f"{BOOSTED} --features {model}" for model in LOCAL_FEATURES)
    for words in (
        "--held-out 2",
        "--constant 3",
        "--cutoff 2",
        "--threads 2",
        "--states predicted",
        "--label-features mst",
    ):
        yield f"{BOOSTED} {words}"


CASES: Cases = {
    f"train {options or 'with defaults'}": (
        f"train -q train.conllu -o model {options}",
        "parse -q model test.conllu -o parsed.conllu",
    )
    for options in (*transition(), *graph(), *boosted())
}
