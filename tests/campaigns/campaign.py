"""What a campaign is, and what all of them ask of a refusal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import ClassVar, Protocol

from headway.base.errors import HeadwayError

Tell = Callable[[str], None]


class Campaign(Protocol):
    """Cases drawn by chance."""

    cases: ClassVar[int]
    """How many are a full campaign."""
    patience: ClassVar[float]
    """Seconds after which a case hangs."""

    def prepare(self, folder: Path, seed: int) -> None:
        """Make once what all cases use: models, treebanks."""

    def case(self, chance: Random, folder: Path, tell: Tell) -> str:
        """Try one case in an empty folder of its own; an exception is a finding, `tell` says first what is tried.

        Returns in a word what it came to, as `parsed` or `refused`.
        """


class FindingError(Exception):
    """What should not be, in words."""


def ensure(holds: object, what: str) -> None:
    """Raise a finding where something does not hold."""
    if not holds:
        raise FindingError(what)


def one_sentence(said: str | HeadwayError) -> str:
    """A refusal, which has to be one sentence: what, and what to do."""
    text = str(said)
    ensure(text.isprintable(), f"a refusal that is not one line: {text!r}")
    ensure("; " in text or ", so " in text or " take " in text, f"a refusal that does not say what to do: {text!r}")
    ensure(20 < len(text) < 600, f"a refusal of {len(text)} characters: {text[:800]!r}")
    return text
