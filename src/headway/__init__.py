"""Dependency parsers learned from your own treebank: small, fast, accurate and explainable.

    import headway

    parser = headway.load("english.headway")            # as `headway train` or headway.train made it
    document = parser("Dogs bark. They never sleep.")   # a text becomes a Document, a list of words a Sentence
    for sentence in document:
        for token in sentence:
            print(token.form, token.upos, token.deprel, token.parent)
    for document in parser.pipe(texts): ...             # many texts
    for sentence in parser.parse("file.conllu"): ...    # treebanks, text files

    load, Parser                    a parser from a file: call it, parse, pipe, explain, update, save
    train, continue_training        learn one from a treebank; cross_validate, calibrate, select
    read, write, from_conllu        treebanks to sentences and back
    Document, Sentence, Token       what a parser gives: to_conllu, to_dict, to_table, start and end in the text
    evaluate, significance          scores, and whether two systems differ
    discover                        search for a feature set
    HeadwayError                    what goes wrong, in a sentence with place and remedy

docs/python.md is a tour; help(headway.train), help(headway.Parser) and so on have the details. The public names are
imported when they are first used, so that `import headway` costs nothing.
"""

from __future__ import annotations

from importlib import import_module

from headway.base.version import __version__ as __version__

TYPE_CHECKING = False
"""Type checkers know the name and take it for true; `typing` costs more than all else here."""
if TYPE_CHECKING:
    from typing import Any

    from headway.base.errors import FormatError as FormatError
    from headway.base.errors import HeadwayError as HeadwayError
    from headway.data.document import Document as Document
    from headway.data.formats.reading import Reader as Reader
    from headway.data.formats.reading import from_conllu as from_conllu
    from headway.data.formats.reading import read as read
    from headway.data.formats.writing import write as write
    from headway.data.sentence import Sentence as Sentence
    from headway.data.tokens import EmptyNode as EmptyNode
    from headway.data.tokens import Feats as Feats
    from headway.data.tokens import Multiword as Multiword
    from headway.data.tokens import Token as Token
    from headway.data.tokens import TreeConfidence as TreeConfidence
    from headway.data.tokens import WordConfidence as WordConfidence
    from headway.discovery.discover import discover as discover
    from headway.evaluation.evaluate import SystemScores as SystemScores
    from headway.evaluation.evaluate import evaluate as evaluate
    from headway.evaluation.scores import Score as Score
    from headway.evaluation.significance import Significance as Significance
    from headway.evaluation.significance import significance as significance
    from headway.parsers.boosted.options import BoostedOptions as BoostedOptions
    from headway.parsers.graph.options import GraphOptions as GraphOptions
    from headway.parsers.transition.options import TransitionOptions as TransitionOptions
    from headway.stages.constraints import Constraints as Constraints
    from headway.stages.explanation.contract import Decision as Decision
    from headway.stages.explanation.contract import Explanation as Explanation
    from headway.stages.explanation.grouping import Reason as Reason
    from headway.stages.parsing.loading import load as load
    from headway.stages.parsing.parser import Parser as Parser
    from headway.stages.scoring import TransitionScores as TransitionScores
    from headway.stages.scoring import TreeScores as TreeScores
    from headway.training.active_learning import ChosenToAnnotate as ChosenToAnnotate
    from headway.training.active_learning import select as select
    from headway.training.annotation import Annotation as Annotation
    from headway.training.calibrating import calibrate as calibrate
    from headway.training.cross_validate import CrossValidation as CrossValidation
    from headway.training.cross_validate import cross_validate as cross_validate
    from headway.training.train import continue_training as continue_training
    from headway.training.train import train as train

NAMES = {
    "base.errors": "FormatError HeadwayError",
    "data.document": "Document",
    "data.formats.reading": "Reader from_conllu read",
    "data.formats.writing": "write",
    "data.sentence": "Sentence",
    "data.tokens": "EmptyNode Feats Multiword Token TreeConfidence WordConfidence",
    "discovery.discover": "discover",
    "evaluation.evaluate": "SystemScores evaluate",
    "evaluation.scores": "Score",
    "evaluation.significance": "Significance significance",
    "parsers.boosted.options": "BoostedOptions",
    "parsers.graph.options": "GraphOptions",
    "parsers.transition.options": "TransitionOptions",
    "stages.constraints": "Constraints",
    "stages.explanation.contract": "Decision Explanation",
    "stages.explanation.grouping": "Reason",
    "stages.parsing.loading": "load",
    "stages.parsing.parser": "Parser",
    "stages.scoring": "TransitionScores TreeScores",
    "training.active_learning": "ChosenToAnnotate select",
    "training.annotation": "Annotation",
    "training.calibrating": "calibrate",
    "training.cross_validate": "CrossValidation cross_validate",
    "training.train": "continue_training train",
}
"""The public names of each module."""
WHERE = {name: f"headway.{module}" for module, names in NAMES.items() for name in names.split()}
__all__ = ["__version__", *WHERE]


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    return getattr(import_module(WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
