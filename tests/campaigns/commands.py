"""Commands in this process, as a shell would run them."""

from __future__ import annotations

from typing import NamedTuple

from click.testing import CliRunner

from campaigns.campaign import ensure, one_sentence
from headway.cli import run


class Done(NamedTuple):
    """What a command came to."""

    code: int
    stdout: bytes
    stderr: str


def command(*words: object, stdin: bytes | None = None) -> Done:
    """Run a command; it ends well, or with code 2 and one sentence."""
    result = CliRunner().invoke(run, list(map(str, words)), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    done = Done(result.exit_code, result.stdout_bytes, result.stderr_bytes.decode("utf-8", "replace"))
    assure_said(done)
    return done


def assure_said(done: Done) -> None:
    """Nothing but notes and, where it failed, one sentence as the last line."""
    ensure(done.code in (0, 1, 2), f"exit code {done.code}: {done.stderr[-500:]}")
    for sign in ("Traceback", "Exception ignored", "Warning:"):
        ensure(sign not in done.stderr, f"{sign} on standard error: {done.stderr[-1500:]}")
    if done.code == 2:
        ensure(done.stderr.strip(), "it failed without a word")
        if not done.stderr.startswith("Usage: "):
            one_sentence(done.stderr.splitlines()[-1])
