"""What comes before the parser: segmenters, taggers, lemmatizers; and pipelines from text to trees."""

from __future__ import annotations

from files import BOOSTED, GRAPH, LEMMATIZER, SEGMENTER, SMALL, TAGGER, TEXT
from parsers import ONLINE
from workplace import Cases

DEV = "--dev dev.conllu"
PIPELINE = f"{TEXT} --passes 2"
TAGGERS = (
    "",
    *(f"-O tagger.learner={learner}" for learner in ONLINE),
    "-O tagger.learner=logistic -O tagger.gives=UPOS",
    "-O tagger.learner=logistic -O tagger.gives=UPOS -O tagger.decoder=viterbi",
    "-O tagger.learner=linear-svm -O tagger.gives=UPOS",
    "-O tagger.features=tagger-ratnaparkhi",
    "-O tagger.gives=UPOS",
    "-O tagger.gives=XPOS,FEATS",
    "-O tagger.decoder=beam -O tagger.beam=3",
    "-O tagger.decoder=viterbi -O tagger.gives=UPOS",
    "-O tagger.explore=0",
    "-O tagger.parts=no",
    "-O tagger.drop=0 -O tagger.prune=0",
    "-O tagger.rare=2 -O tagger.settled=3",
    "-O tagger.seed=7 -O tagger.shuffle=no",
    "-O tagger.lexicon=lexicon.tsv",
    "-O tagger.lexicon=lexicon.tsv -O tagger.lexicon_as=rules",
)
SEGMENTERS = (
    "",
    *(f"-O segmenter.learner={learner}" for learner in ONLINE),
    "-O segmenter.drop=0 -O segmenter.prune=0",
    "-O segmenter.seed=7 -O segmenter.shuffle=no",
)
LEMMATIZERS = (
    "",
    *(f"-O lemmatizer.learner={learner}" for learner in ONLINE),
    "-O lemmatizer.drop=0 -O lemmatizer.prune=0",
    "-O lemmatizer.sure=0.6 -O lemmatizer.cutoff=2 -O lemmatizer.familiar=0",
    "-O lemmatizer.seed=7 -O lemmatizer.shuffle=no",
    "-O lemmatizer.lexicon=lexicon.tsv",
    "-O lemmatizer.lexicon=lexicon.tsv -O lemmatizer.lexicon_as=features",
)
PIPELINES = (
    "",
    "--no-jackknife",
    "--folds 2",
    f"{DEV}",
    "--parser graph --bits 16",
    "--without lemmatizer",
    "--without pretagger",
    "--without segmenter",
    "--without parser",
    "--take tagger=tagger.model",
    "--take segmenter=segmenter.model,lemmatizer=lemmatizer.model",
    "--calibrate cross-validation --folds 2",
)
INPUTS = {
    "text": "parse pipeline.model test.txt",
    "text with ranges": "parse pipeline.model test.txt --ranges",
    "text with exceptions": "parse pipeline.model test.txt --exceptions exceptions.txt",
    "one sentence a line": "parse pipeline.model test.tokens --input sentences",
    "tokens": "parse pipeline.model test.tokens --input tokens",
    "one word a line": "parse pipeline.model test.tokens --input vertical",
    "a treebank": "parse pipeline.model test.conllu",
    "a treebank, keeping tags": "parse pipeline.model test.conllu --keep tags,lemmas",
    "a treebank, keeping UPOS": "parse pipeline.model test.conllu --keep upos",
    "CoNLL-X": "parse pipeline.model all.conllx",
    "two threads": "parse pipeline.model test.txt --threads 2",
    "two files into a folder": "parse pipeline.model test.txt more.conllu -o parsed/",
}


def _trained(kind: str, options: str, parsed: str) -> tuple[str, str]:
    return f"train -q train.conllu -o model {kind} {options}", f"parse -q model {parsed} -o parsed.conllu"


CASES: Cases = {
    **{f"tagger {options}".strip(): _trained(TAGGER, options, "test.conllu") for options in TAGGERS},
    **{f"segmenter {options}".strip(): _trained(SEGMENTER, options, "test.txt") for options in SEGMENTERS},
    **{f"lemmatizer {options}".strip(): _trained(LEMMATIZER, options, "test.conllu") for options in LEMMATIZERS},
    "tagger --dev": _trained(f"{TAGGER} {DEV}", "", "test.conllu"),
    "segmenter --dev": _trained(f"{SEGMENTER} {DEV}", "", "test.txt"),
    "lemmatizer --dev": _trained(f"{LEMMATIZER} {DEV}", "", "test.conllu"),
    "tagger with a first tagger": _trained(TAGGER.replace("pretagger,", ""), "", "test.conllu"),
    **{
        f"pipeline {options}".strip(): _trained(
            PIPELINE, options, "test.conllu" if "--without segmenter" in options else "test.txt"
        )
        for options in PIPELINES
    },
    "stages before the parser": _trained(f"{SMALL} --passes 2 --stages tagger,lemmatizer", "", "test.conllu"),
    **{
        f"what a training says {options}".strip(): (f"train train.conllu -o model {DEV} {options}",)
        for options in (SMALL, f"{GRAPH} --passes 2", BOOSTED, PIPELINE)
    },
    **{f"pipeline from {name}": (command,) for name, command in INPUTS.items()},
}
