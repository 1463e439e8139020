"""`headway calibrate`."""

from __future__ import annotations

import click

from headway.cli.common import command as headway_command
from headway.cli.common import reading, say, say_skipped


@headway_command
@click.argument("model")
@click.argument("treebank")
@click.option("-o", "--output", metavar="MODEL", help="Model file to write; by default MODEL gets the calibrator.")
@click.option("--force", is_flag=True, help="Overwrite the output even if it is a file of another kind.")
@reading
def command(
    model: str, treebank: str, output: str | None, force: bool, format: str | None, columns: str, on_error: str
) -> None:
    """Let a model learn how sure it may be.

    Parses TREEBANK, whose trees MODEL has not learned from, and learns from its mistakes what margins and marginals are
    worth, so that `headway parse --confidence` can say how probable each arc is to be right. `headway train --dev` does
    so by itself.
    """
    from headway.base.files import assure_apart
    from headway.data.formats.reading import read
    from headway.stages.model_file import assure_savable
    from headway.stages.parsing.parser import load
    from headway.training.train import calibrate

    target = output or model
    assure_apart(target, [treebank], force=force)
    found = load(model)
    assure_savable(target, force=force)
    reader = read(treebank, format=format, columns=columns, on_error=on_error)
    parser = calibrate(found, reader)
    say_skipped(reader)
    parser.save(target)
    say(f"{target}: calibrated on {treebank}")
