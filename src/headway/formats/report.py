"""What reading a file has to say: notes, each once, and sentences left out."""

from __future__ import annotations

import logging

from headway.errors import FormatError

logger = logging.getLogger("headway")


class Report:
    """Notes and problems of one file; `on_error="skip"` counts problems instead of raising the first."""

    def __init__(self, source: str, on_error: str = "stop") -> None:
        self.source = source
        self.on_error = on_error
        self.skipped = 0
        self.notes: list[str] = []

    def note(self, what: str) -> None:
        """Say something harmless, the first time it is met in this file."""
        if what not in self.notes:
            self.notes.append(what)
            logger.warning("%s: %s", self.source, what)

    def problem(self, error: FormatError) -> None:
        """Raise the error, or count a sentence left out."""
        if self.on_error != "skip":
            raise error
        self.skipped += 1
        logger.info("left out: %s", error)
