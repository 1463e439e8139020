"""Cases in child processes that live on from case to case; one that crashes or hangs is a finding and is replaced."""

from __future__ import annotations

import faulthandler
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random

from campaigns.campaign import Campaign, FindingError

WAYS = get_context("fork")
"""Children share the models that were prepared before."""
LINES = 12
"""Lines of a traceback or a crash that are shown."""


@dataclass
class Told:
    """What a campaign came to."""

    name: str
    cases: int
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        outcomes = ", ".join(f"{count:,} {name}" for name, count in self.outcomes.most_common())
        findings = f"{len(self.findings):,} finding{'s' * (len(self.findings) != 1)}"
        return f"{self.name}: {self.cases:,} cases ({outcomes}) in {self.seconds:.0f} s, {findings}"


def run(
    name: str, cases: range, *, seed: int = 1, jobs: int = 2, say: Callable[[str], object] = lambda line: None
) -> Told:
    """Try cases of a campaign; `say` hears each finding with the command that repeats it."""
    from campaigns.registry import CAMPAIGNS

    campaign, told, begin = CAMPAIGNS[name], Told(name, len(cases)), time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        campaign.prepare(Path(place), seed)
        for number, outcome, finding in _outcomes(campaign, cases, seed, Path(place), jobs):
            told.outcomes[outcome] += 1
            if finding:
                told.findings.append(finding)
                say(f"{finding}\n  python tests/campaigns {name} --seed {seed} --case {number}\n")
    told.seconds = time.monotonic() - begin
    return told


def _outcomes(
    campaign: Campaign, cases: Iterable[int], seed: int, place: Path, jobs: int
) -> Iterator[tuple[int, str, str]]:
    """The number of each case, what it came to, and what was found."""
    waiting, children = iter(cases), []
    try:
        for number in range(jobs):
            children.append(Child(campaign, seed, place / f"{number}"))
        for child in children:
            child.take(next(waiting, None))
        while busy := [child for child in children if child.number is not None]:
            patience = min(child.until for child in busy) - time.monotonic()
            wait([child.connection for child in busy], max(0.0, patience))
            for child in busy:
                if (outcome := child.outcome()) is not None:
                    yield child.number, *outcome
                    child.take(next(waiting, None))
    finally:
        for child in children:
            child.end()


class Child:
    """A process that tries one case after the other."""

    def __init__(self, campaign: Campaign, seed: int, folder: Path) -> None:
        self.campaign, self.seed, self.folder = campaign, seed, folder
        self.errors = folder.with_suffix(".stderr")
        self.number: int | None = None
        self._begin()

    def _begin(self) -> None:
        self.connection, theirs = WAYS.Pipe()
        self.process = WAYS.Process(
            target=_work, args=(self.campaign, self.seed, self.folder, self.errors, theirs), daemon=False
        )
        self.process.start()
        theirs.close()

    def take(self, number: int | None) -> None:
        """Try this case; None where there is no other."""
        self.number, self.doing = number, ""
        self.until = time.monotonic() + self.campaign.patience
        if number is not None:
            self.connection.send(number)

    def outcome(self) -> tuple[str, str] | None:
        """What the case came to and what was found, once that is known."""
        try:
            while self.connection.poll():
                kind, *rest = self.connection.recv()
                if kind == "done":
                    outcome, finding = rest
                    return outcome, f"{self.doing}: {finding}" if finding else ""
                [self.doing] = rest
        except (EOFError, ConnectionError):
            self.process.join()
            what = f"ended with {_ending(self.process.exitcode)}"
            return self._replaced("crashed", f"{what}\n{_last_lines(self.errors.read_text('utf-8', 'replace'))}")
        if time.monotonic() > self.until:
            self.process.kill()
            self.process.join()
            return self._replaced("hung", f"did not end in {self.campaign.patience:g} s")
        return None

    def _replaced(self, outcome: str, what: str) -> tuple[str, str]:
        doing = self.doing
        self._begin()
        return outcome, f"{doing}: {what}"

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def _ending(code: int | None) -> str:
    return signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"


def _last_lines(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines()[-LINES:])


def _work(campaign: Campaign, seed: int, folder: Path, errors: Path, connection: Connection) -> None:
    """Try the cases that come; what is printed goes to a file, which shows the end of a crash."""
    stream = errors.open("wb", buffering=0)
    for standard in (1, 2):
        os.dup2(stream.fileno(), standard)
    faulthandler.enable(sys.__stderr__)
    while True:
        try:
            number = connection.recv()
        except (EOFError, KeyboardInterrupt):
            os._exit(0)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        os.chdir(folder)
        stream.truncate(0)
        outcome, finding = "found", ""
        try:
            outcome = campaign.case(Random(f"{seed} {number}"), folder, lambda doing: connection.send(("doing", doing)))
        except FindingError as error:
            finding = str(error)
        except BaseException as error:  # Whatever comes out of the package is a finding.
            what = f"{type(error).__name__}: {error}"
            finding = f"{what[:300]}\n{_last_lines(traceback.format_exc())}"
        connection.send(("done", outcome, finding))
