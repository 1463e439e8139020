"""What reading a file has to say: notes, each once, and sentences left out."""

from __future__ import annotations

import logging

from headway.base.errors import FormatError

logger = logging.getLogger("headway")


class ReadingReport:
    """Notes and problems of one file; `on_error="skip"` counts problems instead of raising the first."""

    def __init__(self, source: str, on_error: str = "stop") -> None:
        self.source = source
        self.on_error = on_error
        self.left_out: list[int | None] = []
        """The lines where sentences that were left out have their first problem."""
        self.notes: list[str] = []

    @property
    def skipped(self) -> int:
        """How many sentences were left out."""
        return len(self.left_out)

    def note(self, what: str) -> None:
        """Say something harmless, the first time it is met in this file."""
        if what not in self.notes:
            self.notes.append(what)
            logger.warning("%s: %s", self.source, what)

    def problem(self, error: FormatError) -> None:
        """Raise the error, or count a sentence left out."""
        if self.on_error != "skip":
            raise error
        self.left_out.append(error.parts[1])
        logger.info("left out: %s", error)
