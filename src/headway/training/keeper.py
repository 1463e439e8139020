"""When a training is saved: after steps that took long enough, and at an interruption."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from headway.errors import HeadwayError
from headway.training.checkpoint import Snapshot

logger = logging.getLogger("headway")
SECONDS = 5.0
"""Less work than this is not worth writing a file."""
SHARE = 50
"""A checkpoint is written when the work since the last one took so many times as long as writing it."""
TRIFLE = 0.5
"""Seconds of work that an interruption may lose."""


class Keeper:
    """Keeps the checkpoint of one training."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        self.steps = 0
        """How many steps are safe in the file."""
        self._saved = time.monotonic()
        self._cost = 0.0
        self._unsaved: Snapshot | None = None

    @property
    def is_worth_it(self) -> bool:
        """Whether enough has been done since the last checkpoint to look after it."""
        return time.monotonic() - self._saved >= min(TRIFLE, self.seconds)

    def keep(self, now: Snapshot) -> None:
        """Write a checkpoint where that costs little beside the work since the last one; else remember it."""
        if not self.seconds or time.monotonic() - self._saved >= max(self.seconds, SHARE * self._cost):
            self.write(now)
        else:
            self._unsaved = now.kept()

    def write(self, now: Snapshot) -> None:
        """Write a checkpoint. Where that fails, there is a note, and the training goes on."""
        self._unsaved = None
        started = time.monotonic()
        try:
            now.save(self.path)
            self.steps = len(now.header["history"])
        except HeadwayError as error:
            logger.warning("%s (the training goes on, but would start over after an interruption)", error)
        self._saved = time.monotonic()
        self._cost = self._saved - started

    def interrupted(self) -> None:
        """Write what was remembered last."""
        if self._unsaved is not None:
            self.write(self._unsaved)
