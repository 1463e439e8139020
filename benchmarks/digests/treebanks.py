"""Commands about treebanks: formats, scores, parts, descriptions, pictures, choices, samples."""

from __future__ import annotations

from files import FORMATS
from workplace import Cases

MODELS = ("arc-eager", "swap", "eisner-2", "split-head", "vote", "tagger", "segmenter", "lemmatizer", "pipeline")
CONVERTED = (*(name for name in FORMATS if name != "penn"), "text")
SCORES = {
    **{
        f"as {definition}": f"test.conllu parsed.conllu --definition {definition}"
        for definition in ("ud", "conllx", "all")
    },
    "by all": "test.conllu parsed.conllu --by all",
    "with punctuation": "test.conllu parsed.conllu --definition conllx --punctuation --by label,length",
    "of text": "test.conllu parsed-text.conllu",
    "by stages": "test.conllu --stages pipeline.model",
    "of CoNLL-X": "all.conllx all.conllx",
}
OUTPUTS = {"text": "", "JSON": "--json", "Markdown": "--markdown", "HTML": "--html page.html"}
PARTS = {
    "every": "--every 7",
    "folds": "--folds 3 --rest",
    "shuffled folds": "--folds 3 --seed 5",
    "proportions": "--proportions 80,10,10",
    "ordered proportions": "--proportions 0.5,0.5 --no-shuffle",
}
DRAWN = {
    "one tree": "test.conllu --width 100",
    "trees across": "test.conllu --all --layout across --width 200",
    "trees down": "test.conllu --limit 5 --layout down --width 100",
    "two parses": "test.conllu parsed.conllu --limit 5 --width 120",
    "errors": "test.conllu parsed.conllu --errors --limit 5 --width 120",
    "SVG": "test.conllu --sentence 2 --svg tree.svg",
    "SVG of two parses": "test.conllu parsed.conllu --sentence 2 --svg tree.svg",
    "a page": "test.conllu --limit 5 --html trees.html",
    "a page of two parses": "test.conllu parsed.conllu --html trees.html",
}
CHOSEN = {
    "by confidence": "arc-eager.model more.conllu -n 10",
    "by margins": "plain.model more.conllu -n 10",
    "beside what is known": "arc-eager.model more.conllu -n 10 --known train.conllu",
    "from text": "pipeline.model test.txt -n 10 --known train.conllu",
    "by a graph parser": "eisner-2.model more.conllu -n 10",
    "by a boosted parser": "split-head.model more.conllu -n 10",
}
SAMPLES = {
    "defaults": "-n 100",
    "tokens": "--tokens 500 --seed 3",
    "labels": "-n 50 --labels 5",
    "many labels": "-n 50 --labels 100",
    "vocabulary": "-n 50 --vocabulary 0.9",
    "projective": "-n 50 --nonprojective 0 --difficulties 0",
    "difficult": "-n 50 --nonprojective 0.5 --difficulties 1 --empty-nodes 0.5",
    **{name: f"-n 50 --to {name}" for name in FORMATS},
}

CASES: Cases = {
    **{
        f"convert {source} to {target}": (f"convert all.{source} --from {source} --to {target} -o converted",)
        for source in FORMATS
        for target in CONVERTED
    },
    "convert with other head rules": ("convert all.penn --rules chinese --to conllx",),
    "convert with predicted columns": ("convert all.conll2009 --columns predicted --to conllu",),
    "convert from gzip": ("convert test.conllu -o packed.conllu.gz", "convert packed.conllu.gz --to conllx"),
    **{
        f"evaluate {name} in {output}": (f"evaluate {words} {option}",)
        for name, words in SCORES.items()
        for output, option in OUTPUTS.items()
        if not ("--stages" in words and output in ("Markdown", "HTML"))
    },
    **{
        f"compare in {output}": (
            f"compare test.conllu parsed.conllu parsed-by-graph.conllu --trials 200 --by label {option}",
        )
        for output, option in OUTPUTS.items()
    },
    **{f"split by {name}": (f"split test.conllu {words} -o part",) for name, words in PARTS.items()},
    **{
        f"info of {name}": (f"info all.{name} --from {name}", f"info all.{name} --from {name} --json")
        for name in FORMATS
    },
    **{f"info of a {name}": (f"info {name}.model", f"info {name}.model --json") for name in MODELS},
    "info beside another treebank": ("info train.conllu --compare test.conllu --top 3",),
    "info of a model and its treebank": (
        "info arc-eager.model --compare train.conllu",
        "info arc-eager.model --compare test.conllu",
    ),
    **{f"show {name}": (f"show {words}",) for name, words in DRAWN.items()},
    **{f"select {name}": (f"select {words}",) for name, words in CHOSEN.items()},
    **{f"sample {name}": (f"sample {words}",) for name, words in SAMPLES.items()},
}
