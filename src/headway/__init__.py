"""Dependency parsers learned from your own treebank: small, fast, accurate and explainable.

The public names are imported when they are first used, so that `import headway` costs nothing.
"""

from __future__ import annotations

from importlib import import_module

from headway.version import __version__ as __version__

TYPE_CHECKING = False
"""Type checkers know the name and take it for true; `typing` costs more than all else here."""
if TYPE_CHECKING:
    from typing import Any

    from headway.boosting.options import BoostedOptions as BoostedOptions
    from headway.constraints import Constraints as Constraints
    from headway.discovery.discover import discover as discover
    from headway.errors import FormatError as FormatError
    from headway.errors import HeadwayError as HeadwayError
    from headway.evaluation.scores import evaluate as evaluate
    from headway.evaluation.significance import significance as significance
    from headway.formats.reading import from_conllu as from_conllu
    from headway.formats.reading import read as read
    from headway.formats.writing import write as write
    from headway.graph.options import GraphOptions as GraphOptions
    from headway.learn import calibrate as calibrate
    from headway.learn import learn_on as learn_on
    from headway.learn import train as train
    from headway.parser import Parser as Parser
    from headway.parser import load as load
    from headway.selection import select as select
    from headway.sentence import Sentence as Sentence
    from headway.tokens import EmptyNode as EmptyNode
    from headway.tokens import Multiword as Multiword
    from headway.tokens import Token as Token
    from headway.transition.options import TransitionOptions as TransitionOptions
    from headway.validation.folds import cross_validate as cross_validate

WHERE = {
    "BoostedOptions": "headway.boosting.options",
    "Constraints": "headway.constraints",
    "EmptyNode": "headway.tokens",
    "FormatError": "headway.errors",
    "GraphOptions": "headway.graph.options",
    "HeadwayError": "headway.errors",
    "Multiword": "headway.tokens",
    "Parser": "headway.parser",
    "Sentence": "headway.sentence",
    "Token": "headway.tokens",
    "TransitionOptions": "headway.transition.options",
    "cross_validate": "headway.validation.folds",
    "calibrate": "headway.learn",
    "discover": "headway.discovery.discover",
    "evaluate": "headway.evaluation.scores",
    "from_conllu": "headway.formats.reading",
    "learn_on": "headway.learn",
    "load": "headway.parser",
    "read": "headway.formats.reading",
    "select": "headway.selection",
    "significance": "headway.evaluation.significance",
    "train": "headway.learn",
    "write": "headway.formats.writing",
}
__all__ = ["__version__", *WHERE]


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    return getattr(import_module(WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
