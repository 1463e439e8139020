"""`headway demo`."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from headway.cli import headway_command

STEPS = (
    ("Generate a treebank", "sample -n 1000 --seed 1 -o train.conllu"),
    ("And another one for testing", "sample -n 300 --seed 2 -o test.conllu"),
    ("What is in it", "info train.conllu --top 5 --compare test.conllu"),
    ("One of its trees", "show train.conllu --sentence 3"),
    ("Train every stage from text to trees", "train --pipeline train.conllu -o model.headway --passes 3"),
    ("Take the text of the other one", "-q convert test.conllu --to text -o test.txt"),
    ("Parse that text", "parse model.headway test.txt -o parsed.conllu"),
    ("How good that is", "evaluate test.conllu parsed.conllu"),
    ("What each stage costs", "evaluate --stages model.headway test.conllu"),
    ("One of its trees", "show parsed.conllu --sentence 2"),
    ("Parse gold words, too", "-q parse model.headway test.conllu -o parsed.conllu"),
    ("Show where it went wrong", "show test.conllu parsed.conllu --errors"),
)


@headway_command
@click.option("--keep", metavar="FOLDER", help="Work in this folder and keep the files; a temporary one by default.")
def command(keep: str | None) -> None:
    """Show what headway does, in under a minute.

    Runs the commands that it prints, on a generated treebank.
    """
    from headway.cli import run

    with _inside(keep):
        for title, words in STEPS:
            click.secho(f"\n{title}", bold=True)
            click.secho(f"$ headway {words}\n", fg="cyan")
            run.main(shlex.split(words), prog_name="headway", standalone_mode=False)


@contextmanager
def _inside(folder: str | None) -> Iterator[None]:
    """Work in a folder for a while."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="headway-demo-") as temporary:
        place = Path(folder or temporary)
        place.mkdir(parents=True, exist_ok=True)
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)
