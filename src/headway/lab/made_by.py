"""What made a result: the version and commit of headway, and the machine. Times belong to these."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from functools import cache
from pathlib import Path

from headway.base.version import __version__
from headway.runs.journal import Record

SOURCES = Path(__file__).parents[1]


@cache
def made_by() -> Record:
    """For the journal; without a commit where headway is not in a git checkout."""
    known = {"version": __version__, "commit": _commit(), "machine": _machine()}
    return {name: value for name, value in known.items() if value}


def described(record: Record) -> str:
    """What made the result of a record, as the page says it; older journals lack some of it."""
    version = f"headway {record['version']}" if "version" in record else "headway (version not recorded)"
    if "machine" not in record:
        return f"{version} (commit and machine not recorded)"
    commit = f" at commit {record['commit']}" if "commit" in record else ""
    return f"{version}{commit} on {record['machine']}"


def _commit() -> str:
    """The last commit of the sources, with + where files differ from it."""
    commit = _git("log", "-1", "--format=%h", "--", ".")
    return f"{commit}+" if commit and _git("status", "--porcelain", "--", ".") else commit


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=SOURCES, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def _machine() -> str:
    """The processor, by its name where the system tells it, and how many there are."""
    path = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*:\s*(.+)$", path.read_text("utf-8"), re.MULTILINE) if path.exists() else None
    return f"{named[1] if named else platform.processor() or platform.machine()}, {os.cpu_count()} cores"
