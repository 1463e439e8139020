"""Ctrl-C in the middle of a step: it counts when the step is done, a second one at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to end in good manner."""


class EndOfStep:
    """Holds interruptions back to the end of a `with` block, unless they come twice.

    Whoever handled a signal before hears of it then. What nobody handles, or ignores, is left alone, and so are other
    threads than the main one, which signals do not reach.
    """

    def __init__(self) -> None:
        self._before: dict[int, Callable[[int, FrameType | None], Any]] = {}
        self._heard: int | None = None

    @property
    def is_awaited(self) -> bool:
        """Whether somebody wants to end."""
        return self._heard is not None

    def __enter__(self) -> EndOfStep:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._before[number] = handler
                    signal.signal(number, self._hear)
        return self

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._heard is None:
            self._heard = number
        else:
            self._give_back()
            self._before[number](number, frame)

    def _give_back(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        if kind is None and self._heard is not None:
            self._before[self._heard](self._heard, None)
