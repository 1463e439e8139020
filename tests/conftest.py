"""What all tests share."""

import logging
import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from click.testing import CliRunner
from hypothesis import settings

# There are as many workers as cores, so that threads of linear algebra would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What a shell runs in the background ignores interrupts, and so would the commands whose Ctrl-C is tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says nothing on a machine that does other work, too.
# Each run draws others, so that fewer examples than the usual hundred find as much in the long run.
settings.register_profile("untimed", deadline=None, max_examples=50)
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def fresh_logging():
    """Leave no handler of one test's command line to the next test."""
    logger = logging.getLogger("headway")
    before = logger.handlers[:], logger.level, logger.propagate
    yield
    logger.handlers, logger.level, logger.propagate = before


@pytest.fixture
def interrupt():
    """Interrupt a process as a user does who wants it to end: Python loses an interrupt that falls into an import."""

    def call(process, patience=20.0):
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(patience)

    return call


@pytest.fixture
def run():
    """Run a command in this process: `run("convert", path)`; the result has exit_code, stdout, stderr."""
    from headway.cli import run as command

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(command, [str(a) for a in arguments], input=stdin)

    return invoke


@pytest.fixture
def shell():
    """Run the command as a user does, in a process of its own."""

    def call(*arguments, stdin=b"", **options):
        words = [sys.executable, "-m", "headway", *map(str, arguments)]
        return subprocess.run(words, input=stdin, capture_output=True, check=False, **options)

    return call
