"""Models at work: confidence, explanations, k best trees, constraints, corrections, more sentences, interruptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

from files import BOOSTED, GRAPH, PARSERS, SMALL
from parsers import ONLINE
from workplace import Cases

import headway

MODELS = tuple(f"{name}.model" for name in PARSERS)
RANKING = tuple(model for model in MODELS if PARSERS[model.removesuffix(".model")].startswith(GRAPH))
STAGES = ("segmenter", "tagger", "lemmatizer", "parser")
WIDEST = 12
"""Words of a sentence under constraints; what constraints do to longer ones is no other thing and takes longer."""


def parse_under_constraints(model: str, treebank: str) -> str:
    """Trees with a required head, a forbidden arc, a span and a label, as far as headway finds one."""
    parser = headway.load(model)
    way = getattr(parser, "parse_within", None) or parser.parse_constrained
    lines = []
    for sentence in islice((one for one in headway.read(treebank) if 4 <= len(one) <= WIDEST), 8):
        found = parser.parse(sentence).heads.tolist()
        word = len(found) // 2
        kinds = {
            "required": headway.Constraints(required={word: 0}, labels={word: "root"}),
            "forbidden": headway.Constraints(forbidden=[(head, word) for word, head in enumerate(found[:3], 1)]),
            "spans": headway.Constraints(spans=[(1, word)]),
            "labels": headway.Constraints(labels={1: "vocative"}),
        }
        for name, constraints in kinds.items():
            try:
                tree = str(way(sentence, constraints))
            except headway.HeadwayError:
                tree = "none"
            lines.append(f"{name}\n{tree}")
    return "\n".join(lines)


def update(model: str, treebank: str, path: str) -> str:
    """Correct the first wrong sentences one by one; what is parsed right then, and the parser as a file."""
    parser = headway.load(model)
    wrong = (gold for gold in headway.read(treebank) if parser.parse(gold).heads.tolist() != gold.heads.tolist())
    answers = [parser.update(sentence) for sentence in islice(wrong, 5)]
    parser.save(path)
    return f"{answers}\n"


def interrupt(after: int, resume: bool, treebank: str, **options: object) -> None:
    """Train with an interruption after some steps; then go on or leave the checkpoint."""
    steps: Iterator[int] = iter(range(1, after + 1))

    def stop(step: object) -> None:
        if next(steps) == after:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        headway.train(treebank, output="model", progress=stop, **options)
    if resume:
        headway.train(treebank, output="model", **options)


INTERRUPTED = {
    "a transition parser": {"passes": 4, "features": "malt-14"},
    "a transition parser of cw": {"passes": 4, "features": "malt-14", "learner": "cw"},
    "a transition parser with dev": {"dev": "dev.conllu", "features": "malt-14"},
    "a graph parser": {"parser": "graph", "passes": 4, "bits": 14, "label_bits": 14},
    "a graph parser of arow": {"parser": "graph", "passes": 4, "bits": 14, "label_bits": 14, "learner": "arow"},
    "a boosted parser": {"parser": "boosted", "rounds": 4},
    "a boosted parser with an ensemble": {"parser": "boosted", "rounds": 4, "boosting": "adaboost-m2"},
    "a segmenter": {"pipeline": True, "without": "pretagger,tagger,lemmatizer,parser", "segmenter.passes": 4},
    "a tagger": {"pipeline": True, "without": "pretagger,segmenter,lemmatizer,parser", "tagger.passes": 4},
    "a lemmatizer": {"pipeline": True, "without": "pretagger,segmenter,tagger,parser", "lemmatizer.passes": 4},
}
"""Trainings of four steps or more, as options of `headway.train`."""
CONTINUED = {
    **{f"--learner {learner}": f"{SMALL} --passes 2 --learner {learner} --updatable" for learner in ONLINE},
    "--two-step": f"{SMALL} --passes 2 --two-step --updatable",
    "--explore 0": f"{SMALL} --passes 2 --explore 0 --updatable",
    **{f"--parser graph --learner {name}": f"{GRAPH} --passes 2 --learner {name} --updatable" for name in ONLINE},
    "--parser graph --labels joint": f"{GRAPH} --passes 2 --labels joint --updatable",
    "--parser boosted": BOOSTED,
    "--stages tagger": f"{SMALL} --passes 2 --stages tagger --updatable",
}
"""Parsers that training goes on from."""

CASES: Cases = {
    **{
        f"confidence of {model}": (f"parse -q {model} test.conllu --confidence",)
        for model in (*MODELS, "tagger.model", "pipeline.model")
    },
    "calibrate into another file": ("calibrate plain.model dev.conllu -o calibrated",),
    "--calibrate cross-validation": (
        f"train -q train.conllu -o model {SMALL} --passes 2 --calibrate cross-validation --folds 2",
    ),
    "--calibrate cross-validation with dev": (
        f"train -q train.conllu --dev dev.conllu -o model {SMALL} --calibrate cross-validation --folds 2",
    ),
    "--calibrate none": (f"train -q train.conllu --dev dev.conllu -o model {SMALL} --calibrate none",),
    **{f"{k} best of {model}": (f"parse -q {model} test.conllu --k-best {k}",) for model in RANKING for k in (1, 5)},
    **{
        f"{what} of {model}": steps
        for model in MODELS
        for what, steps in {
            "kept heads": (f"parse -q {model} partial.conllu --keep-heads",),
            "constraints": (partial(parse_under_constraints, model, "test.conllu"),),
            "explanation": (f"explain {model} test.conllu --sentence 1-4 --top 0 --json",),
            "errors": (f"explain {model} test.conllu --errors --treebank train.conllu --top 20",),
            "updates": (partial(update, model, "more.conllu", "updated"), "parse -q updated test.conllu"),
        }.items()
    },
    **{f"windows of {model}": (f"parse -q {model} test.conllu --longest 10",) for model in MODELS},
    **{
        f"explanation of the {stage}": (f"explain pipeline.model test.txt --stage {stage} --sentence 1-4 --json",)
        for stage in STAGES
    },
    **{
        f"explanation of {name}": (f"explain {words}",)
        for name, words in {
            "a word": "arc-eager.model test.conllu --word 3",
            "a lemma": "pipeline.model test.conllu --stage lemmatizer --word 2",
            "sentences on a page": "eisner-1.model test.conllu --sentence 1-3 --page page.html",
            "tags on a page": "tagger.model test.conllu --page page.html",
            "cuts on a page": "segmenter.model test.txt --page page.html",
        }.items()
    },
    **{
        f"--continue {name}": (
            f"train -q train.conllu -o model {options}",
            "train -q more.conllu --continue model -o continued",
            "parse -q continued test.conllu",
        )
        for name, options in CONTINUED.items()
    },
    "--continue for two passes": (
        f"train -q train.conllu -o model {SMALL} --passes 2 --updatable",
        "train -q more.conllu --continue model -o continued --passes 2 --no-shuffle --seed 3",
    ),
    **{
        f"{what} of {name}": (partial(interrupt, 2, what == "resumed training", "train.conllu", **options),)
        for name, options in INTERRUPTED.items()
        for what in ("checkpoint", "resumed training")
    },
}
