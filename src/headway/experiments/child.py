"""A task as a process of its own, so that its memory can be told, its time limited, and nothing outlives its caller.

    python -m headway.experiments.child < TASK

A line of JSON says which files and which folder; `outcome.json` is left there. It ends when standard input does.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import Any

from headway.discovery.engines import Shared, opened
from headway.errors import HeadwayError, shown
from headway.experiments.tasks import Task

Outcome = dict[str, Any]
OUTCOME = "outcome.json"
LONGEST = 200
"""How many characters of an unforeseen error are kept."""
FINAL = "final"
"""A failure that would come again: it is not tried again."""


def run_task(task: Task, files: Mapping[str, tuple[str, Shared]]) -> Outcome:
    """The job of a worker: what the task comes to, or `why` it failed. Files have a name and shared content."""
    with tempfile.TemporaryDirectory(prefix="headway-task-") as folder:
        paths = {}
        for part, (name, shared) in files.items():
            paths[part] = os.path.join(folder, f"given-{name}")  # noqa: PTH118
            Path(paths[part]).write_bytes(opened(shared))
        request = json.dumps({"task": asdict(task), "files": paths, "folder": folder})
        return _called(request, Path(folder), None if task.minutes is None else 60 * task.minutes)


def _called(request: str, folder: Path, seconds: float | None) -> Outcome:
    words = [sys.executable, "-m", "headway.experiments.child"]
    said = folder / "said"
    with said.open("wb") as stream:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=stream, stderr=stream)
        with process:
            assert process.stdin is not None
            process.stdin.write(f"{request}\n".encode())
            process.stdin.flush()
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                return {"why": f"it took more than {(seconds or 0) / 60:g} minutes", FINAL: True}
            finally:
                process.kill()
    if process.returncode < 0:
        return {"why": f"it was killed by signal {-process.returncode}, most often for want of memory"}
    if process.returncode:
        last = said.read_text("utf-8", "replace").strip().rpartition("\n")[2]
        return {"why": f"it ended with exit code {process.returncode}: {shown(last)}"}
    outcome: Outcome = json.loads((folder / OUTCOME).read_text("utf-8"))
    return outcome


def main() -> None:
    """Run the task that standard input describes."""
    request = json.loads(sys.stdin.readline())
    Thread(target=_die_with_caller, daemon=True).start()
    logging.getLogger("headway").setLevel(logging.ERROR)
    folder = Path(request["folder"])
    outcome = _outcome(Task.from_dict(request["task"]), request["files"], folder)
    (folder / OUTCOME).write_text(json.dumps(outcome), "utf-8")
    os._exit(0)


def _outcome(task: Task, files: Mapping[str, str], folder: Path) -> Outcome:
    from headway.experiments.measuring import measured

    try:
        return measured(task, files, folder)
    except HeadwayError as error:
        return {"why": str(error)}
    except MemoryError:
        return {"why": "there was not enough memory", FINAL: True}
    except Exception as error:
        return {"why": f"{type(error).__name__}: {' '.join(str(error).split())[:LONGEST]}"}


def _die_with_caller() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
