"""Random settings of parsing on models of random options: Python, shell and threads agree, or all refuse alike."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from option_cases import drawn

import headway
from campaigns.campaign import Tell, ensure, one_sentence
from campaigns.commands import command
from campaigns.mutations import good_files
from headway.base.errors import HeadwayError
from headway.data.formats.reading import InputReader
from headway.data.formats.recognition import INPUTS
from headway.data.sample import generate
from headway.data.sentence import Sentence
from headway.data.trees import is_tree
from headway.stages.parsing.options import KEEP
from headway.stages.parsing.parser import Parser

MODELS = 122
TRAIN = [sentence for sentence in generate(40, seed=3, nonprojective=0.3) if len(sentence) <= 10]
DEV = [sentence for sentence in generate(20, seed=4, nonprojective=0.3) if len(sentence) <= 10]


class Settings:
    """Options of parsing, each said or not."""

    cases, patience = 1_100, 120.0

    def prepare(self, folder: Path, seed: int) -> None:
        self.folder, self.seed, self.models = folder, seed, dict[int, Parser | None]()

    def model(self, number: int, tell: Tell) -> Parser | None:
        """A model of options that nobody chose; None where they are refused, or cannot be written."""
        if number not in self.models:
            tell(f"training {drawn(number)[0]}")
            self.models[number] = self.trained(number, self.folder / f"{number}.model")
        return self.models[number]

    def trained(self, number: int, path: Path) -> Parser | None:
        if path.exists():
            return headway.load(path)
        given, judged = drawn(number)
        if given["parser"] in ("transition", "graph", "boosted") and number % 3 == 0:
            given |= {"pipeline": True, "folds": 2}
        try:
            headway.train(TRAIN, dev=DEV if judged else None, **given).save(path)
            return headway.load(path)
        except HeadwayError as refusal:
            one_sentence(refusal)
            return None

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        number = self.seed * MODELS * 10 + chance.randrange(MODELS)
        while (model := self.model(number, tell)) is None:
            number += MODELS
        files = {name: data for name, data in good_files(chance).items() if name not in ("conll2008", "conll2009")}
        name, how = chance.choice(list(files)), settings(chance)
        path, threads = folder / "input", chance.choice((1, 1, 2, 4))
        path.write_bytes(files[name])
        tell(f"model {number}, {drawn(number)[0]}: {name} with {how} in {threads} threads")
        longest = how.pop("longest", None)
        reading = {"input": how.pop("input", None), "partial": how.get("keep_heads", False)}
        words = [word for option, value in {**how, **reading}.items() for word in _said(option, value)]
        words += ["--longest", longest] if longest else []
        path_of_model = self.folder / f"{number}.model"
        done = command("parse", path_of_model, path, "-o", folder / "out", "--threads", threads, *words)
        try:
            chosen = model.with_longest(longest) if longest else model
            written = b"".join(chosen.parse_bytes(InputReader(path, **reading), threads=threads, **how))
        except HeadwayError as refusal:
            said = one_sentence(refusal)
            ensure(done.code == 2, f"the shell does what Python refuses: {said}")
            ensure(done.stderr.splitlines()[-1] == said, f"the shell says {done.stderr}, Python {said}")
            return "refused"
        ensure(done.code == 0, f"the shell refuses what Python does: {done.stderr}")
        ensure((folder / "out").read_bytes() == written, "the shell writes something else than Python")
        for one in chosen.parse(InputReader(path, **reading), **how):
            assure_as_asked(one, chosen, how)
        return "parsed"


def settings(chance: Random) -> dict[str, Any]:
    """Options of parsing."""
    possible = {
        "force": True,
        "keep": ",".join(chance.sample(list(KEEP), chance.randint(1, 2))),
        "keep_heads": True,
        "confidence": True,
        "k_best": chance.choice((1, 2, 5, 40)),
        "input": chance.choice(INPUTS),
        "longest": chance.choice((10, 11, 60)),
    }
    return {name: value for name, value in possible.items() if chance.random() < 0.25}


def _said(option: str, value: Any) -> list[str]:
    """An option as a shell has it."""
    if value in (None, False) or option == "partial":
        return []
    return [f"--{option.replace('_', '-')}", *([] if value is True else [str(value)])]


def assure_as_asked(sentence: Sentence, model: Parser, how: dict[str, Any]) -> None:
    """A tree where the model finds trees, and what else was asked for."""
    if "HEAD" in model.gives:
        ensure(is_tree(sentence.heads), f"{sentence.heads.tolist()} is no tree")
    if how.get("confidence"):
        words = [value for word in sentence.confidence.words for value in word if value is not None]
        ensure(words and all(0 < value < 1 for value in words), f"confidences {words}")
    if how.get("k_best"):
        ensure(int(sentence.metadata["parse_rank"]) <= how["k_best"], "more trees than were wanted")
