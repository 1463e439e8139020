"""Jobs for the tests of engines: functions that a worker can import."""

import os
import signal
import sys
import time
from pathlib import Path

from waiting import until

from headway.base.errors import FormatError
from headway.runs.engines import child


def noted(folder, number):
    """Leave a line in the file of this job for each time it begins."""
    with (Path(folder) / f"job-{number}").open("a") as file:
        file.write(f"{os.getpid()}\n")


def begun(folder, number, times=1):
    """Whether a job has begun so often."""
    path = Path(folder) / f"job-{number}"
    return path.exists() and path.read_text().count("\n") >= times


def square(folder, number, slow=()):
    """The square, at once; slow jobs take long the first time they run."""
    noted(folder, number)
    if number in slow and not begun(folder, number, 2):
        time.sleep(60)
    return number * number


def deadly(folder, number, kill=signal.SIGKILL):
    noted(folder, number)
    os.kill(os.getpid(), kill)


def leaving(code):
    os._exit(code)


def slow(folder, number):
    noted(folder, number)
    time.sleep(60)


CHILD = """
import os, signal, sys
deaf = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
print(os.getpid(), os.environ["OMP_NUM_THREADS"], deaf, flush=True)
sys.stdin.read()
"""


def starting(folder, number, wait=True):
    """Start a process that waits for the end of its input; returns its exit code."""
    with (Path(folder) / f"said-{number}").open("wb") as stream:
        with child([sys.executable, "-c", CHILD], stream) as process:
            until(said, folder, number)
            if wait:
                process.wait()
        return process.returncode


def said(folder, number):
    """What the process of a job has printed."""
    path = Path(folder) / f"said-{number}"
    return path.read_text() if path.exists() else ""


def length(shared, times):
    return len(shared["inside"].read()) * times


def refusing(name):
    raise FormatError(name, 7, "head '4x' is not a number", "column 7 of CoNLL-U is HEAD")


class OddError(Exception):
    """An error that pickle cannot bring back."""

    def __init__(self, what, why):
        super().__init__(f"{what}, {why}")


def failing(kind):
    if kind == "odd":
        raise OddError("odd", "indeed")
    if kind == "result":
        return lambda: None
    raise ZeroDivisionError("as raised")


def surroundings(names):
    """The values of environment variables, and which signals are kept away."""
    return [os.environ.get(name) for name in names], signal.pthread_sigmask(signal.SIG_BLOCK, ())
