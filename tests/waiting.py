"""Waiting for what other processes do."""

import time
from pathlib import Path

PATIENCE = 60
"""Seconds until a test gives up."""


def until(question, *arguments):
    """Wait for an answer that is true, and return it."""
    end = time.monotonic() + PATIENCE
    while not (answer := question(*arguments)):
        assert time.monotonic() < end, f"{question.__name__}{arguments} never came true"
        time.sleep(0.02)
    return answer


def members(group):
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, own = path.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if own == str(group) and state not in "ZX":
            found.append(path)
    return found
