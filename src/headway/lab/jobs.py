"""A task as a process of its own, so that its memory can be told, its time limited, and nothing outlives its caller.

    python -m headway.lab.jobs FOLDER < TASK

A line of JSON has the task and files; `outcome.json` is left in the folder. When standard input ends before the task
does, the task is killed and the folder removed. A guard sees to that, as what is compiled may let no other thread run.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex
from select import select
from typing import Any, NoReturn

from headway.base.errors import HeadwayError, shown
from headway.base.files import explaining
from headway.base.imports import with_parts
from headway.lab.recipe import Source
from headway.lab.tasks import TrainingTask
from headway.runs.engines import Shared, child

Outcome = dict[str, Any]
OUTCOME = "outcome.json"
KILLED = 128
"""Exit codes above it are those of processes that a signal has killed."""
LONGEST = 200
"""How many characters of an unforeseen error are kept."""
TOO_LONG = "final"
"""A failure that would come again, unless there is more time: it is not tried again."""


def run_task(task: TrainingTask, files: Mapping[str, tuple[str, Shared]], imports: Sequence[str] = ()) -> Outcome:
    """What the task comes to, or `why` it failed. Files have a name and shared content; `imports` register parts."""
    folder = Path(tempfile.gettempdir()) / f"headway-task-{token_hex(8)}"
    words = [sys.executable, "-m", "headway.lab.jobs", str(folder)]
    try:
        with tempfile.TemporaryFile() as said, child(words, said) as process:
            with suppress(BrokenPipeError):  # Its exit code says why it has ended.
                _ask(process, folder, task, files, imports)
            try:
                code = process.wait(None if task.minutes is None else 60 * task.minutes)
            except subprocess.TimeoutExpired:
                return {"why": f"it took more than {task.minutes or 0:g} minutes", TOO_LONG: True}
            said.seek(0)
            last = said.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        if code > KILLED:
            return {"why": f"it was killed by signal {code - KILLED}, most often because memory ran out"}
        if code:
            return {"why": f"it ended with exit code {code}: {shown(last)}"}
        outcome: Outcome = json.loads((folder / OUTCOME).read_text("utf-8"))
        return outcome
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ask(
    process: subprocess.Popen[bytes],
    folder: Path,
    task: TrainingTask,
    files: Mapping[str, tuple[str, Shared]],
    imports: Sequence[str],
) -> None:
    """Make the folder, which a guard is to remove in any case; describe the task."""
    assert process.stdin is not None
    folder.mkdir(0o700)
    paths = {}
    for part, (name, shared) in files.items():
        paths[part] = str(folder / f"given-{name}")
        with explaining(paths[part]):
            Path(paths[part]).write_bytes(shared.read())
    request = json.dumps({"task": asdict(task), "files": paths, "imports": imports})
    process.stdin.write(f"{request}\n".encode())


def main() -> None:
    """Guard a process that runs the task which standard input describes."""
    folder, request = Path(sys.argv[1]), sys.stdin.readline()
    if not request.endswith("\n"):
        _give_up(folder)
    ended, held = os.pipe()
    process = os.fork()
    if not process:
        os.close(ended)
        _run(json.loads(request), folder)
    os.close(held)
    if sys.stdin.fileno() in select([sys.stdin.fileno(), ended], [], [])[0]:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        _give_up(folder)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    os._exit(code if code >= 0 else KILLED - code)


def _give_up(folder: Path) -> NoReturn:
    """The caller is gone, or wants no outcome any more."""
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _run(request: Mapping[str, Any], folder: Path) -> NoReturn:
    logging.getLogger("headway").setLevel(logging.ERROR)
    tempfile.tempdir = str(folder)  # Whoever kills the task removes its temporary files with the folder.
    task = TrainingTask(**{**request["task"], "source": Source(**request["task"]["source"])})
    outcome = _outcome(task, request["files"], folder, request["imports"])
    (folder / OUTCOME).write_text(json.dumps(outcome), "utf-8")
    os._exit(0)


def _outcome(task: TrainingTask, files: Mapping[str, str], folder: Path, imports: Sequence[str]) -> Outcome:
    """What the task comes to, or `why` it failed."""
    from headway.lab.canaries import canary_of, made_by
    from headway.lab.measuring import measured

    try:
        with with_parts(imports):
            return {**measured(task, files, folder), "canary": canary_of(task), **made_by()}
    except HeadwayError as error:
        why = str(error)  # With the names that the user knows instead of those of copies.
        for part in task.files:
            why = why.replace(f"{folder}/given-{part}-", f"{task.treebank}/")
        why = why.replace(f"{folder}/gold", f"{task.treebank}/{task.on}")
        return {"why": why.replace(f"{folder}/", f"{task.treebank}/")}
    except MemoryError:
        return {"why": "there was not enough memory"}
    except Exception as error:
        return {"why": f"{type(error).__name__}: {' '.join(str(error).split())[:LONGEST]}"}


if __name__ == "__main__":
    main()
