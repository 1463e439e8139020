"""When a training is saved: after steps that took long enough, and at an interruption."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from headway.base.errors import HeadwayError
from headway.training.checkpoint import Snapshot

logger = logging.getLogger("headway")
SECONDS = 10.0
"""Less work than this is not worth writing a file."""
SHARE = 50
"""A checkpoint is written when the work since the last one took so many times as long as writing it."""


class CheckpointWriter:
    """Keeps the checkpoint of one training."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        self.steps = 0
        """How many steps are safe in the file."""
        self._saved = time.monotonic()
        self._cost = 0.0

    @property
    def is_due(self) -> bool:
        """Whether writing a checkpoint costs little beside the work since the last one."""
        return not self.seconds or time.monotonic() - self._saved >= max(self.seconds, SHARE * self._cost)

    def write(self, now: Snapshot) -> None:
        """Write a checkpoint. Where that fails, there is a note, and the training goes on."""
        started = time.monotonic()
        try:
            now.save(self.path)
            self.steps = len(now.header["history"])
        except HeadwayError as error:
            logger.warning("%s (the training goes on, but would start over after an interruption)", error)
        self._saved = time.monotonic()
        self._cost = self._saved - started
