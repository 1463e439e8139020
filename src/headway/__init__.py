"""Dependency parsers learned from your own treebank: small, fast, accurate and explainable.

The public names are imported when they are first used, so that `import headway` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from headway.version import __version__ as __version__

if TYPE_CHECKING:
    from headway.discovery.discover import discover as discover
    from headway.errors import FormatError as FormatError
    from headway.errors import HeadwayError as HeadwayError
    from headway.evaluation.scores import evaluate as evaluate
    from headway.formats.reading import read as read
    from headway.formats.writing import write as write
    from headway.parser import load as load
    from headway.parser import train as train
    from headway.sentence import EmptyNode as EmptyNode
    from headway.sentence import Multiword as Multiword
    from headway.sentence import Sentence as Sentence

WHERE = {
    "EmptyNode": "headway.sentence",
    "FormatError": "headway.errors",
    "HeadwayError": "headway.errors",
    "Multiword": "headway.sentence",
    "Sentence": "headway.sentence",
    "discover": "headway.discovery.discover",
    "evaluate": "headway.evaluation.scores",
    "load": "headway.parser",
    "read": "headway.formats.reading",
    "train": "headway.parser",
    "write": "headway.formats.writing",
}
__all__ = ["__version__", *WHERE]


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(f"module 'headway' has no attribute {name!r}")
    return getattr(import_module(WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
