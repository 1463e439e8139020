"""`headway calibrate`."""

from __future__ import annotations

from typing import Any

import click

from headway.cli import headway_command, say, say_skipped
from headway.cli.shared_options import reading


@headway_command
@click.argument("model")
@click.argument("treebank")
@click.option("-o", "--output", metavar="MODEL", help="Model file to write; by default MODEL is overwritten.")
@click.option("--force", is_flag=True, help="Overwrite the output even if it is a file of another kind.")
@reading
def command(model: str, treebank: str, output: str | None, force: bool, **how: Any) -> None:
    """Learn how sure a model can be of its parses.

    Parses TREEBANK, which the model must not have been trained on, and learns from the mistakes how often its
    decisions are right. `headway parse --confidence` needs this; `headway train --dev` does it by itself.
    """
    from headway.base.files import assure_apart
    from headway.data.formats.reading import read
    from headway.stages.model_file import assure_savable
    from headway.stages.parsing.loading import load
    from headway.training.calibrating import calibrate

    target = output or model
    assure_apart(target, [treebank], force=force)
    found = load(model)
    assure_savable(target, force=force)
    reader = read(treebank, **how)
    parser = calibrate(found, reader)
    say_skipped(reader)
    parser.save(target)
    say(f"{target}: calibrated on {treebank}")
