"""The job of a worker: start a task as a process, and wait for what comes of it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from headway.base.errors import shown
from headway.base.files import explaining
from headway.lab.child import OUTCOME, TOO_LONG, Outcome
from headway.lab.tasks import TrainingTask
from headway.runs.command_engine import child
from headway.runs.engines import Shared

KILLED = 128
"""Exit codes above it are those of processes that a signal has killed."""


def run_task(task: TrainingTask, files: Mapping[str, tuple[str, Shared]]) -> Outcome:
    """What the task comes to, or `why` it failed. Files have a name and shared content."""
    with tempfile.TemporaryDirectory(prefix="headway-task-", ignore_cleanup_errors=True) as place:
        return _outcome(task, files, Path(place))


def _outcome(task: TrainingTask, files: Mapping[str, tuple[str, Shared]], folder: Path) -> Outcome:
    said = folder / "said"
    words = [sys.executable, "-m", "headway.lab.child", str(folder)]
    with said.open("wb") as stream, child(words, stream) as process:
        paths = {}
        for part, (name, shared) in files.items():
            paths[part] = str(folder / f"given-{name}")
            with explaining(paths[part]):
                Path(paths[part]).write_bytes(shared.read())
        request = json.dumps({"task": asdict(task), "files": paths})
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # Its exit code says why it has ended.
            process.stdin.write(f"{request}\n".encode())
        try:
            code = process.wait(None if task.minutes is None else 60 * task.minutes)
        except subprocess.TimeoutExpired:
            return {"why": f"it took more than {task.minutes or 0:g} minutes", TOO_LONG: True}
    if code > KILLED:
        return {"why": f"it was killed by signal {code - KILLED}, most often for want of memory"}
    if code:
        last = said.read_text("utf-8", "replace").strip().rpartition("\n")[2]
        return {"why": f"it ended with exit code {code}: {shown(last)}"}
    outcome: Outcome = json.loads((folder / OUTCOME).read_text("utf-8"))
    return outcome
