"""Dependency parsers learned from your own treebank: small, fast, accurate and explainable.

The public names are imported when they are first used, so that `import headway` costs nothing.
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
    from headway.data.formats.reading import from_conllu as from_conllu
    from headway.data.formats.reading import read as read
    from headway.data.formats.writing import write as write
    from headway.data.sentence import Sentence as Sentence
    from headway.data.tokens import EmptyNode as EmptyNode
    from headway.data.tokens import Multiword as Multiword
    from headway.data.tokens import Token as Token
    from headway.discovery.discover import discover as discover
    from headway.evaluation.evaluate import evaluate as evaluate
    from headway.evaluation.significance import significance as significance
    from headway.parsers.boosted.options import BoostedOptions as BoostedOptions
    from headway.parsers.graph.options import GraphOptions as GraphOptions
    from headway.parsers.transition.options import TransitionOptions as TransitionOptions
    from headway.stages.constraints import Constraints as Constraints
    from headway.stages.parsing.parser import Parser as Parser
    from headway.stages.parsing.parser import load as load
    from headway.stages.scoring import TransitionScores as TransitionScores
    from headway.stages.scoring import TreeScores as TreeScores
    from headway.training.active_learning import select as select
    from headway.training.annotation import Annotation as Annotation
    from headway.training.calibrating import calibrate as calibrate
    from headway.training.cross_validate import cross_validate as cross_validate
    from headway.training.train import continue_training as continue_training
    from headway.training.train import train as train

WHERE = {
    "Annotation": "headway.training.annotation",
    "BoostedOptions": "headway.parsers.boosted.options",
    "Constraints": "headway.stages.constraints",
    "EmptyNode": "headway.data.tokens",
    "FormatError": "headway.base.errors",
    "GraphOptions": "headway.parsers.graph.options",
    "HeadwayError": "headway.base.errors",
    "Multiword": "headway.data.tokens",
    "Parser": "headway.stages.parsing.parser",
    "Sentence": "headway.data.sentence",
    "Token": "headway.data.tokens",
    "TransitionOptions": "headway.parsers.transition.options",
    "TransitionScores": "headway.stages.scoring",
    "TreeScores": "headway.stages.scoring",
    "cross_validate": "headway.training.cross_validate",
    "calibrate": "headway.training.calibrating",
    "discover": "headway.discovery.discover",
    "evaluate": "headway.evaluation.evaluate",
    "from_conllu": "headway.data.formats.reading",
    "continue_training": "headway.training.train",
    "load": "headway.stages.parsing.parser",
    "read": "headway.data.formats.reading",
    "select": "headway.training.active_learning",
    "significance": "headway.evaluation.significance",
    "train": "headway.training.train",
    "write": "headway.data.formats.writing",
}
__all__ = ["__version__", *WHERE]


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    return getattr(import_module(WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
