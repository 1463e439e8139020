"""`headway explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from headway.cli.common import FORCE, reading, say_skipped
from headway.cli.common import command as headway_command
from headway.cli.show import parse_wanted

if TYPE_CHECKING:
    from headway.show.choose import Wanted


@headway_command
@click.argument("model")
@click.argument("source", metavar="FILE")
@click.option(
    *("-s", "--sentence", "wanted"),
    multiple=True,
    callback=parse_wanted,
    metavar="N",
    help="Number from 1, range like 3-7, or sent_id; may be given several times. The first one by default.",
)
@click.option("-w", "--word", type=click.IntRange(min=1), metavar="I", help="Explain the arc of this word only.")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many features to show of each decision; 0 shows all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object on a line for each sentence.")
@click.option("--page", metavar="FILE", help="Write a page with the trees, where a click on an arc shows its reasons.")
@FORCE
@reading
def command(
    model: str,
    source: str,
    wanted: Wanted | None,
    word: int | None,
    top: int,
    as_json: bool,
    page: str | None,
    force: bool,
    **how: Any,
) -> None:
    """Say why a model parses sentences as it does.

    Each decision stands beside the best other one, with the features that made the difference: those with a plus
    speak for the choice, those with a minus for the runner-up. A transition parser decides step by step, a graph
    or boosted parser word by word.

    \b
    Example: headway explain english.headway story.conllu --sentence 3 --word 5
    """  # noqa: D301 (click knows the backspace)
    import json

    from headway.explanation.page import draw
    from headway.files import assure_apart, assure_writable, replacing
    from headway.formats.reading import read
    from headway.parser import load
    from headway.show.choose import choose

    if page and as_json:
        raise click.UsageError("--page and --json exclude each other; a page holds the explanations itself")
    if page:
        assure_apart(page, [model, source], force=force)
        assure_writable(page)
    parser, reader = load(model), read(source, **how)
    most = top or None
    chosen = choose(reader, None, wanted=wanted, limit=None if wanted else 1)
    found = (parser.explain(one.sentence) for one in chosen)
    if page:
        with replacing(page) as stream:
            stream.write(draw(list(found), title=f"{source}, explained", top=most).encode())
    else:
        for number, explanation in enumerate(found):
            if as_json:
                click.echo(json.dumps(explanation.to_dict(most, word), ensure_ascii=False))
            else:
                click.echo(("\n\n" if number else "") + explanation.text(most, word))
    say_skipped(reader)
