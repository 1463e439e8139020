"""The files that cases share: small generated treebanks, text, what people write by hand, and models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from workplace import Step

SAMPLE = "sample --nonprojective 0.2"
FORMATS = ("conllu", "conllx", "conll2008", "conll2009", "malttab", "penn")
SMALL = "--features malt-14+pairs"
GRAPH = "--parser graph --bits 16 --label-bits 16"
BOOSTED = "--parser boosted --rounds 2"
TEXT = "--pipeline --workers 1"
TAGGER = f"{TEXT} --without pretagger,segmenter,lemmatizer,parser"
SEGMENTER = f"{TEXT} --without pretagger,tagger,lemmatizer,parser"
LEMMATIZER = f"{TEXT} --without pretagger,segmenter,tagger,parser"
EXCEPTIONS = "approx.\nthe\tt he\nand\tan d\tmultiword\n"
FEATURES = "POS(STACK0)\nPOS(QUEUE0)\nPOS(STACK0) & POS(QUEUE0)\nLEX(STACK0)\nLEX(QUEUE0)\n"


def without_some_heads(treebank: str, path: str) -> None:
    """Write a treebank in which two words of three have no head and one of four has no label."""
    lines = []
    for line in Path(treebank).read_text("utf-8").splitlines():
        cells = line.split("\t")
        if len(cells) > 1 and cells[0].isdigit():
            number = int(cells[0])
            cells[6] = cells[6] if number % 3 == 0 else "_"
            cells[7] = cells[7] if number % 4 else "_"
            cells[8] = "_"
        lines.append("\t".join(cells))
    Path(path).write_text("\n".join(lines) + "\n", "utf-8")


def lexicon_of(treebank: str, path: str) -> None:
    """Write the words of a treebank with their lemmas and tags as a lexicon."""
    rows = [line.split("\t") for line in Path(treebank).read_text("utf-8").splitlines()]
    entries = {"\t".join(cells[1:6]): None for cells in rows if cells[0].isdigit()}
    Path(path).write_text("\n".join(entries) + "\n", "utf-8")


def text_file(text: str, path: str) -> None:
    """Write a text."""
    Path(path).write_text(text, "utf-8")


def words_of(treebank: str, path: str) -> None:
    """Write the words of a treebank with spaces between them, a sentence on each line."""
    sentences = Path(treebank).read_text("utf-8").strip().split("\n\n")
    rows = [[line.split("\t") for line in sentence.splitlines()] for sentence in sentences]
    lines = [" ".join(cells[1] for cells in row if cells[0].isdigit()) for row in rows]
    Path(path).write_text("\n".join(lines) + "\n", "utf-8")


PARSERS = {
    **{system: f"--system {system} {SMALL} --passes 2" for system in ("arc-eager", "arc-standard", "swap")},
    "two-step": f"--two-step {SMALL} --passes 2",
    **{
        f"{decoder}-{order}": f"{GRAPH} --decoder {decoder} --order {order} --passes 2"
        for decoder in ("eisner", "chu-liu-edmonds")
        for order in (1, 2)
    },
    "joint-labels": f"{GRAPH} --labels joint --passes 2",
    "split-head": f"{BOOSTED} --decoder split-head",
    "cky": f"{BOOSTED} --decoder cky",
    "ensemble": f"{BOOSTED} --boosting adaboost-m1",
    "vote": f"{BOOSTED} --boosting adaboost-m2 --keep vote",
    "whole": f"{BOOSTED} --static --whole",
}
"""The options of a parser of each way to find trees; models have these names."""
FILES: dict[str, Step] = {
    "train.conllu": f"{SAMPLE} -n 60 --seed 1 -o train.conllu",
    "dev.conllu": f"{SAMPLE} -n 30 --seed 2 -o dev.conllu",
    "test.conllu": f"{SAMPLE} -n 40 --seed 3 -o test.conllu",
    "more.conllu": f"{SAMPLE} -n 40 --seed 4 -o more.conllu",
    "projective.conllu": "sample --nonprojective 0 -n 20 --seed 6 -o projective.conllu",
    "partial.conllu": partial(without_some_heads, "projective.conllu", "partial.conllu"),
    "test.txt": "convert test.conllu --to text -o test.txt",
    "test.tokens": partial(words_of, "test.conllu", "test.tokens"),
    "lexicon.tsv": partial(lexicon_of, "test.conllu", "lexicon.tsv"),
    "exceptions.txt": partial(text_file, EXCEPTIONS, "exceptions.txt"),
    "few.features": partial(text_file, FEATURES, "few.features"),
    **{f"all.{format}": f"sample -n 30 --seed 5 --empty-nodes 0.2 --to {format} -o all.{format}" for format in FORMATS},
    "plain.model": f"train -q train.conllu {SMALL} --passes 2 -o plain.model",
    **{
        f"{name}.model": f"train -q train.conllu --dev dev.conllu {options} -o {name}.model"
        for name, options in PARSERS.items()
    },
    "pipeline.model": f"train -q train.conllu --dev dev.conllu {TEXT} {SMALL} --passes 2 -o pipeline.model",
    "tagger.model": f"train -q train.conllu --dev dev.conllu {TAGGER} -o tagger.model",
    "segmenter.model": f"train -q train.conllu --dev dev.conllu {SEGMENTER} -o segmenter.model",
    "lemmatizer.model": f"train -q train.conllu --dev dev.conllu {LEMMATIZER} -o lemmatizer.model",
    "parsed.conllu": "parse arc-eager.model test.conllu -q --confidence -o parsed.conllu",
    "parsed-by-graph.conllu": "parse eisner-2.model test.conllu -q -o parsed-by-graph.conllu",
    "parsed-text.conllu": "parse pipeline.model test.txt -q -o parsed-text.conllu",
}
