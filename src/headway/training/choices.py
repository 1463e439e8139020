"""What a search for options has measured so far, in a file, so that an interrupted search goes on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from headway.base.errors import HeadwayError
from headway.base.files import replacing
from headway.base.stage_options import StageOptions
from headway.data.batch import Batch
from headway.data.sources import digest_of
from headway.training.checkpoint import identity_of
from headway.training.judging import Judgement

logger = logging.getLogger("headway")
KIND = "headway choices"


class Curve(NamedTuple):
    """The scores of a training after each pass, in per cent."""

    metric: str
    definition: str
    scores: list[float]

    def said(self, score: float) -> str:
        """One of the scores, or a mean of several, with its name and definition."""
        return f"{self.metric} {score:.2f}, {self.definition}"


def curve_of(judgements: Iterable[Judgement | None]) -> Curve:
    """The scores that count, as judged after each pass."""
    known = [one for one in judgements if one is not None]
    return Curve(next(iter(known[0].scores)), known[0].definition, [one.main for one in known])


class Choices:
    """Scores by what they were measured with; without a file they are measured every time."""

    def __init__(self, path: Path | None, data: Sequence[Batch] = (), dev: Sequence[Batch] | None = None) -> None:
        self.path = path
        self._known: dict[str, Curve] = {} if path is None else _read(path)
        if path is not None:
            self._on = [digest_of(data), None if dev is None else digest_of(dev)]
        if self._known:
            logger.warning("%s: going on with what an interrupted search has measured", path)

    def measured(self, options: StageOptions, measure: Callable[[], Curve], **how: Any) -> Curve:
        """What `measure` finds, or has found in an earlier run of the same search."""
        if self.path is None:
            return measure()
        content = [identity_of(options), self._on, how]
        key = blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=12).hexdigest()
        if key not in self._known:
            self._known[key] = measure()
            self._save(self.path)
        return self._known[key]

    def _save(self, path: Path) -> None:
        try:
            with replacing(path) as stream:
                stream.write(json.dumps({"kind": KIND, "scores": self._known}).encode() + b"\n")
        except HeadwayError as error:
            logger.warning("%s (the search goes on, but would start over after an interruption)", error)


UNKNOWN = Choices(None)
"""Nothing is known, and nothing kept."""


def _read(path: Path) -> dict[str, Curve]:
    """The scores in a file, none where there is no such file; a file that is something else is refused."""
    if not path.exists():
        return {}
    try:
        content = json.loads(path.read_bytes())
        if content["kind"] == KIND:
            curves = content["scores"].items()
            return {
                str(key): Curve(str(metric), str(definition), [float(score) for score in scores])
                for key, (metric, definition, scores) in curves
            }
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        pass
    raise HeadwayError(f"{path}: this file has to make place for what a search measures; name another model")


def remove(path: Path) -> None:
    """Remove a file of choices; one that is something else stays."""
    with suppress(HeadwayError):
        _read(path)
        path.unlink(missing_ok=True)
